// Scores of many weighted sums of type rows, none of which is ever held as rows. Type after type is looked at, for 32 sums
// side by side: the three counts of a type share 16 bits of each lane while they are small. The numbers are those of
// `TypeRows::weigh` followed by `type_score`.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "fetch.hpp"
#include "interrupts.hpp"
#include "processor.hpp"
#include "type_part.hpp"
#include "types.hpp"

namespace tertium {

class TypeResamples {
public:
    TypeResamples(std::shared_ptr<TypeRows> given, const TypeOptions& options)
        : given_(std::move(given)), options_(options), types_(given_->vocabulary->size()) {
        const TypeRows& rows = *given_;
        std::vector<TypeSum> totals(types_.size());
        std::vector<size_t> next(types_.size() + 1);
        for (size_t e = 0; e < rows.types.size(); ++e) {
            next[rows.types[e] + 1] += pieces(rows.counts[e]);
            totals[rows.types[e]].add(rows.counts[e], 1);
            types_[rows.types[e]].bound += std::max(rows.counts[e].predicted, rows.counts[e].reference);
        }
        for (size_t type = 0; type < types_.size(); ++type) {
            most_ = std::max({most_, totals[type].predicted, totals[type].reference});
            types_[type].begin = next[type];
            types_[type].end = next[type + 1] += next[type];
        }
        entries_.resize(next.back() + kAhead);  // what is fetched ahead is there
        for (size_t row = 0; row < rows.size(); ++row)
            for (int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) {
                TypeCounts left = rows.counts[e];
                for (size_t piece = pieces(left); piece; --piece) {
                    const TypeCounts here{std::min(left.predicted, kMost), std::min(left.reference, kMost),
                                          std::min(left.matched, kMost)};
                    entries_[next[rows.types[e]]++] = {uint32_t(row), packed(here)};
                    left -= here;
                }
            }
        // Where each type has the weight 1, its number shares a word with F: F is no more than 1.
        together_ = !options.micro && types_.size() < size_t(1) << (127 - kTogetherBits);
        (together_ ? joined_.resize(kSmall) : parts_.resize(kSmall));
        for (uint32_t p = 0; p < kField; ++p)
            for (uint32_t r = 0; r < kField; ++r)
                for (uint32_t m = 0; m <= std::min(p, r) && (p | r); ++m)  // a type that is not there adds nothing
                    if (together_) joined_[packed({p, r, m})] = Joined(type_part({p, r, m}, options));
                    else parts_[packed({p, r, m})] = type_part({p, r, m}, options);
    }

    size_t size() const { return given_->size(); }

    // Of `m` rows of weights, one for each of our rows.
    void scores(const int16_t* weights, size_t m, double* out) const {
        const size_t n = size();
        LargeVector<Lane> turned(n * kLanes);
        for (size_t j = 0; j < m; j += kLanes) {
            const size_t here = std::min(kLanes, m - j);
            int16_t low = 0, high = 1;
            for (size_t i = j * n; i < (j + here) * n; ++i) low = std::min(low, weights[i]), high = std::max(high, weights[i]);
            if (low < 0 || high > int(kMost) || most_ * high > int64_t(UINT32_MAX)) {
                for (size_t r = j; r < j + here; ++r) {
                    TypeRows sum;
                    given_->weigh(weights + r * n, 1, sum);
                    out[r] = type_score(sum, 0, options_);
                }
                continue;
            }
            for (size_t i = 0; i < n; ++i)
                for (size_t r = 0; r < here; ++r) turned[i * kLanes + r] = Lane(weights[(j + r) * n + i]);
            TypePart sums[kLanes];
            (has_avx2() ? &TypeResamples::wide : &TypeResamples::narrow)(*this, turned.data(), uint32_t(high), sums);
            for (size_t r = 0; r < here; ++r) out[j + r] = sums[r].quotient();
        }
    }

private:
    using Lane = uint16_t;
    static constexpr size_t kLanes = 32, kHalf = kLanes / 2, kTogether = 64, kAhead = 16;
    static constexpr uint32_t kBits = 5, kField = 1 << kBits, kMost = kField - 1, kSmall = kField * kField * kField;
    static constexpr int kTogetherBits = 104;
    // Two vectors for 32 lanes: one of 64 bytes would be kept in memory, not in registers.
    typedef Lane Half __attribute__((vector_size(sizeof(Lane) * kHalf), aligned(sizeof(Lane)), may_alias));
    struct Type {
        size_t begin = 0, end = 0;  // entries
        uint64_t bound = 0;         // of its counts in all rows together
    };
    struct Entry {
        uint32_t row;
        Lane counts;
    };

    // F and the number of types, one above the other.
    struct Joined {
        unsigned __int128 both = 0;
        Joined() = default;
        explicit Joined(const TypePart& part) : both(static_cast<unsigned __int128>(part.f) + (One << kTogetherBits)) {}
        void operator+=(const Joined& other) { both += other.both; }
        operator TypePart() const {
            return {__int128(both & ((One << kTogetherBits) - 1)), __int128(both >> kTogetherBits) << 80};
        }
        static constexpr unsigned __int128 One = 1;
    };

    static Lane packed(const TypeCounts& c) { return Lane(c.predicted | c.reference << kBits | c.matched << 2 * kBits); }
    static size_t pieces(const TypeCounts& c) {  // of counts that do not fit into a field
        return std::max<size_t>(1, (std::max(c.predicted, c.reference) + kMost - 1) / kMost);
    }

    // Sums of counts that are too large to share a lane.
    struct Large {
        uint32_t counts[3][kLanes] = {};

        inline __attribute__((always_inline)) void add(const Half& sums, size_t half) {
            for (uint32_t field = 0; field < 3; ++field)
                for (size_t lane = 0; lane < kHalf; ++lane)
                    counts[field][half * kHalf + lane] += sums[lane] >> field * kBits & kMost;
        }
        inline __attribute__((always_inline)) void add(const Lane* weights, Lane entry) {
            for (uint32_t field = 0; field < 3; ++field)
                for (size_t lane = 0; lane < kLanes; ++lane)
                    counts[field][lane] += uint32_t(weights[lane]) * (entry >> field * kBits & kMost);
        }
    };

    template <class Part>
    inline __attribute__((always_inline)) void all_types(const Lane* weights, uint32_t heaviest, const Part* small,
                                                         TypePart* sums) const {
        alignas(64) Lane pending[kTogether][kLanes];
        Part found[kLanes];
        size_t waiting = 0;
        const auto settle = [&] {
            poll();
            for (size_t lane = 0; lane < kLanes; ++lane) {
                Part sum = found[lane];
                for (size_t i = 0; i < waiting; ++i) sum += small[pending[i][lane]];
                found[lane] = sum;
            }
            waiting = 0;
        };
        for (const Type& type : types_) {
            if (type.begin == type.end) continue;  // rows that were taken have the types of all
            if (type.bound * heaviest > kMost) {
                large_type(type, weights, heaviest, sums);
                continue;
            }
            Half first = {}, second = {};
            for (size_t e = type.begin; e < type.end; ++e) {
                fetch_memory(weights + entries_[e + kAhead].row * kLanes);
                const Half* own = reinterpret_cast<const Half*>(weights + entries_[e].row * kLanes);
                first += own[0] * entries_[e].counts;
                second += own[1] * entries_[e].counts;
            }
            reinterpret_cast<Half*>(pending[waiting])[0] = first;
            reinterpret_cast<Half*>(pending[waiting])[1] = second;
            if (++waiting == kTogether) settle();
        }
        settle();
        for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] += TypePart(found[lane]);
    }

    inline __attribute__((always_inline)) void large_type(const Type& type, const Lane* weights, uint32_t heaviest,
                                                          TypePart* sums) const {
        poll();
        Large large;
        Half first = {}, second = {};
        uint32_t bound = 0;  // of any field in any lane
        for (size_t e = type.begin; e < type.end; ++e) {
            fetch_memory(weights + entries_[e + kAhead].row * kLanes);
            const auto [row, counts] = entries_[e];
            const uint32_t added = heaviest * std::max<uint32_t>(counts & kMost, counts >> kBits & kMost);
            if (bound + added > kMost) {
                large.add(first, 0), large.add(second, 1);
                first = second = Half{}, bound = 0;
            }
            if (added > kMost) {
                large.add(weights + row * kLanes, counts);
                continue;
            }
            bound += added;
            const Half* own = reinterpret_cast<const Half*>(weights + row * kLanes);
            first += own[0] * counts;
            second += own[1] * counts;
        }
        large.add(first, 0), large.add(second, 1);
        for (size_t lane = 0; lane < kLanes; ++lane) {
            const TypeCounts c{large.counts[0][lane], large.counts[1][lane], large.counts[2][lane]};
            if (c.predicted | c.reference) sums[lane] += type_part(c, options_);
        }
    }

    inline __attribute__((always_inline)) void all(const Lane* weights, uint32_t heaviest, TypePart* sums) const {
        if (together_) all_types(weights, heaviest, joined_.data(), sums);
        else all_types(weights, heaviest, parts_.data(), sums);
    }
    static void narrow(const TypeResamples& own, const Lane* weights, uint32_t heaviest, TypePart* sums) {
        own.all(weights, heaviest, sums);
    }
    TERTIUM_AVX2 static void wide(const TypeResamples& own, const Lane* weights, uint32_t heaviest, TypePart* sums) {
        own.all(weights, heaviest, sums);
    }

    std::shared_ptr<TypeRows> given_;
    TypeOptions options_;
    int64_t most_ = 0;  // the largest count of a type in all rows
    std::vector<Type> types_;
    LargeVector<Entry> entries_;
    bool together_ = false;
    std::vector<Joined> joined_;   // of small counts, packed
    std::vector<TypePart> parts_;  // the same, one beside the other
};

}  // namespace tertium
