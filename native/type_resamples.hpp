// Scores of many weighted sums of type rows, none of which is ever held as rows. Type after type is looked at, for 32 sums
// side by side: the three counts of a type share 16 bits of each lane while they are small. The numbers are those of
// `TypeRows::weigh` followed by `type_score`.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "fetch.hpp"
#include "interrupts.hpp"
#include "processor.hpp"
#include "type_part.hpp"
#include "types.hpp"

namespace tertium {

class TypeResamples {
public:
    TypeResamples(const TypeRows& rows, const TypeOptions& options)
        : rows_(rows), options_(options), starts_(rows.vocabulary->size() + 1), small_(kField * kField * kField) {
        std::vector<TypeSum> totals(rows.vocabulary->size());
        for (size_t e = 0; e < rows.types.size(); ++e) {
            starts_[rows.types[e] + 1] += pieces(rows.counts[e]);
            totals[rows.types[e]].add(rows.counts[e], 1);
        }
        for (const TypeSum& total : totals) most_ = std::max({most_, total.predicted, total.reference});
        for (size_t type = 0; type + 1 < starts_.size(); ++type) starts_[type + 1] += starts_[type];
        entries_.resize(starts_.back());
        std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
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
        for (uint32_t p = 0; p < kField; ++p)
            for (uint32_t r = 0; r < kField; ++r)
                for (uint32_t m = 0; m <= std::min(p, r); ++m) small_[packed({p, r, m})] = type_part({p, r, m}, options);
        small_[0] = {};  // a type that is not there adds nothing: better than asking
    }

    // Of `m` rows of weights, one for each of our rows.
    void scores(const int16_t* weights, size_t m, double* out) const {
        const size_t n = rows_.size();
        std::vector<Lane> turned(n * kLanes);
        for (size_t j = 0; j < m; j += kLanes) {
            const size_t here = std::min(kLanes, m - j);
            int16_t low = 0, high = 1;
            for (size_t i = j * n; i < (j + here) * n; ++i) low = std::min(low, weights[i]), high = std::max(high, weights[i]);
            if (low < 0 || high > int(kMost) || most_ * high > int64_t(UINT32_MAX)) {
                for (size_t r = j; r < j + here; ++r) {
                    TypeRows sum;
                    rows_.weigh(weights + r * n, 1, sum);
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
    static constexpr size_t kLanes = 32, kTogether = 64;
    static constexpr uint32_t kBits = 5, kField = 1 << kBits, kMost = kField - 1;
    typedef Lane Lanes __attribute__((vector_size(sizeof(Lane) * kLanes), aligned(sizeof(Lane)), may_alias));
    struct Entry {
        uint32_t row;
        Lane counts;
    };

    static Lane packed(const TypeCounts& c) { return Lane(c.predicted | c.reference << kBits | c.matched << 2 * kBits); }
    static size_t pieces(const TypeCounts& c) {  // of counts that do not fit into a field
        return std::max<size_t>(1, (std::max(c.predicted, c.reference) + kMost - 1) / kMost);
    }

    // Sums of counts that are too large to share a lane.
    struct Large {
        uint32_t counts[3][kLanes] = {};

        void add(const Lanes& sums) {
            for (uint32_t field = 0; field < 3; ++field)
                for (size_t lane = 0; lane < kLanes; ++lane) counts[field][lane] += sums[lane] >> field * kBits & kMost;
        }
        void add(const Lane* weights, Lane entry) {
            for (uint32_t field = 0; field < 3; ++field)
                for (size_t lane = 0; lane < kLanes; ++lane)
                    counts[field][lane] += uint32_t(weights[lane]) * (entry >> field * kBits & kMost);
        }
    };

    inline __attribute__((always_inline)) void all_types(const Lane* weights, uint32_t heaviest, TypePart* sums) const {
        alignas(64) Lane pending[kTogether][kLanes];
        size_t waiting = 0;
        const auto settle = [&] {
            for (size_t lane = 0; lane < kLanes; ++lane) {
                TypePart sum;
                for (size_t i = 0; i < waiting; ++i) sum += small_[pending[i][lane]];
                sums[lane] += sum;
            }
            waiting = 0;
        };
        for (size_t type = 0; type + 1 < starts_.size(); ++type) {
            poll();
            Lanes sum = {};
            Large large;
            uint32_t bound = 0;  // of any field in any lane
            bool fits = true;
            for (size_t e = starts_[type]; e < starts_[type + 1]; ++e) {
                if (e + kAhead < entries_.size()) fetch_memory(weights + entries_[e + kAhead].row * kLanes);
                const auto [row, counts] = entries_[e];
                const uint32_t added = heaviest * std::max<uint32_t>(counts & kMost, counts >> kBits & kMost);
                if (bound + added > kMost) {
                    large.add(sum);
                    fits = false, sum = Lanes{}, bound = 0;
                }
                if (added > kMost) {
                    large.add(weights + row * kLanes, counts);
                    continue;
                }
                bound += added;
                sum += *reinterpret_cast<const Lanes*>(weights + row * kLanes) * counts;
            }
            if (fits) {
                *reinterpret_cast<Lanes*>(pending[waiting]) = sum;
                if (++waiting == kTogether) settle();
                continue;
            }
            large.add(sum);
            for (size_t lane = 0; lane < kLanes; ++lane) {
                const TypeCounts c{large.counts[0][lane], large.counts[1][lane], large.counts[2][lane]};
                if (c.predicted | c.reference) sums[lane] += type_part(c, options_);
            }
        }
        settle();
    }
    static void narrow(const TypeResamples& own, const Lane* weights, uint32_t heaviest, TypePart* sums) {
        own.all_types(weights, heaviest, sums);
    }
    TERTIUM_AVX2 static void wide(const TypeResamples& own, const Lane* weights, uint32_t heaviest, TypePart* sums) {
        own.all_types(weights, heaviest, sums);
    }
    static constexpr size_t kAhead = 16;

    const TypeRows& rows_;
    TypeOptions options_;
    int64_t most_ = 0;            // the largest count of a type in all rows
    std::vector<size_t> starts_;  // type t: entries starts_[t] .. starts_[t + 1]
    LargeVector<Entry> entries_;
    std::vector<TypePart> small_;
};

}  // namespace tertium
