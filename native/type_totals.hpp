// Scores of many weighted sums of type rows, none of which is ever held as rows: for each sum one table of all types is
// filled, scored and emptied again. The numbers are those of `TypeRows::weigh` followed by `type_score`.
#pragma once

#include <array>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "interrupts.hpp"
#include "types.hpp"

namespace tertium {

class TypeTotals {
public:
    TypeTotals(const TypeRows& rows, const TypeOptions& options)
        : starts_(rows.starts), options_(options), beta_squared_(options.beta * options.beta) {
        std::vector<uint32_t> number(rows.vocabulary->size(), TypeRows::kNone);
        types_.reserve(rows.types.size());
        for (const uint32_t type : rows.types) {  // only the types that are in these rows
            if (number[type] == TypeRows::kNone) number[type] = n_types_++;
            types_.push_back(number[type]);
        }
        packed_.reserve(rows.counts.size());
        for (const TypeCounts& c : rows.counts) {
            largest_ = std::max({largest_, int64_t(c.predicted), int64_t(c.reference)});
            packed_.push_back(uint64_t(c.predicted) | uint64_t(c.reference) << kBits | uint64_t(c.matched) << 2 * kBits);
        }
        rows_ = &rows;
        for (uint32_t p = 0; p < kSmall; ++p)
            for (uint32_t r = 0; r < kSmall; ++r)
                for (uint32_t m = 0; m <= std::min(p, r); ++m) small_[p | r << 4 | m << 8] = part({p, r, m});
        small_[0] = {};
    }

    // The scores of `m` weighted sums.
    void scores(const int16_t* weights, size_t m, double* out) const {
        const size_t n = starts_.size() - 1;
        std::vector<uint64_t> sums(n_types_);
        std::vector<TypeSum> wide;
        for (size_t j = 0; j < m; ++j, weights += n) {
            poll();
            int64_t weight = 0;
            bool negative = false;
            for (size_t i = 0; i < n; ++i) {
                weight += std::abs(int(weights[i]));
                negative |= weights[i] < 0;
            }
            // Three counts share a word as long as no sum can reach into the next.
            const bool fits = !negative && largest_ < (1 << kBits) && weight * largest_ < (1 << kBits);
            out[j] = fits ? packed_score(weights, sums) : wide_score(weights, wide);
        }
    }

    // The rows are those of two systems, one behind the other. The scores of `m` mixtures: segments whose bit is set from
    // the second system, the others from the first. Most of a row is the same in both systems, the reference counts
    // always, so that only what differs is added to the first system's sums.
    class Mixtures {
    public:
        explicit Mixtures(const TypeTotals& totals) : totals_(totals), n_((totals.starts_.size() - 1) / 2) {
            fits_ = totals.largest_ < (1 << kBits) && int64_t(n_) * totals.largest_ < (1 << kBits);
            if (!fits_) return;
            base_.resize(totals.n_types_);
            std::vector<uint64_t> change(totals.n_types_);
            for (size_t i = 0; i < n_; ++i) {
                const size_t begin = types_.size();
                for (int64_t e = totals.starts_[n_ + i]; e < totals.starts_[n_ + i + 1]; ++e)
                    types_.push_back(totals.types_[e]), change[totals.types_[e]] += totals.packed_[e];
                for (int64_t e = totals.starts_[i]; e < totals.starts_[i + 1]; ++e) {
                    base_[totals.types_[e]] += totals.packed_[e];
                    types_.push_back(totals.types_[e]), change[totals.types_[e]] -= totals.packed_[e];
                }
                size_t end = begin;  // each type once, and only where something changes
                for (size_t e = begin; e < types_.size(); ++e)
                    if (const uint64_t amount = std::exchange(change[types_[e]], 0)) {
                        types_[end++] = types_[e];
                        amounts_.push_back(amount);
                    }
                types_.resize(end);
                starts_.push_back(end);
            }
        }

        void scores(const uint8_t* masks, size_t m, double* out) const {
            const size_t width = (n_ + 7) / 8;
            std::vector<uint64_t> sums;
            std::vector<int16_t> weights;
            std::vector<TypeSum> wide;
            for (size_t j = 0; j < m; ++j, masks += width) {
                poll();
                if (fits_) {
                    sums = base_;  // sums below zero on the way are only borrowed: what comes out is whole
                    for (size_t byte = 0; byte < width; ++byte)
                        for (unsigned bits = masks[byte]; bits; bits &= bits - 1) {
                            const size_t i = 8 * byte + size_t(std::countr_zero(bits));
                            for (size_t e = starts_[i]; e < starts_[i + 1]; ++e) sums[types_[e]] += amounts_[e];
                        }
                    out[j] = totals_.sums_score(sums);
                } else {
                    weights.assign(2 * n_, 0);
                    for (size_t i = 0; i < n_; ++i) weights[(masks[i / 8] >> i % 8 & 1 ? n_ : 0) + i] = 1;
                    out[j] = totals_.wide_score(weights.data(), wide);
                }
            }
        }

    private:
        const TypeTotals& totals_;
        size_t n_;
        bool fits_;
        std::vector<uint64_t> base_, amounts_;
        std::vector<uint32_t> types_;
        std::vector<size_t> starts_{0};
    };

private:
    static constexpr int kBits = 21;
    static constexpr uint32_t kSmall = 16;
    struct Part {
        __int128 f = 0, weight = 0;
    };

    Part part(const TypeCounts& c) const {
        const double weight = options_.micro ? double(c.reference) + options_.k : 1.0;
        return {to_fixed(weight * type_f(c, beta_squared_)), to_fixed(weight)};
    }
    static double quotient(__int128 sum, __int128 weights) {
        return weights > 0 ? 100.0 * (from_fixed(sum) / from_fixed(weights)) : std::nan("");
    }

    double packed_score(const int16_t* weights, std::vector<uint64_t>& sums) const {
        for (size_t row = 0; row + 1 < starts_.size(); ++row) {
            if (const uint64_t weight = uint64_t(weights[row]))
                for (int64_t e = starts_[row]; e < starts_[row + 1]; ++e) sums[types_[e]] += weight * packed_[e];
        }
        return sums_score(sums);
    }

    // Empties the sums on the way.
    double sums_score(std::vector<uint64_t>& sums) const {
        constexpr uint64_t field = (uint64_t(1) << kBits) - 1, low = kSmall - 1;
        constexpr uint64_t beyond = ~(low | low << kBits | low << 2 * kBits);
        __int128 sum = 0, weight_sum = 0;
        for (uint64_t& counts : sums) {
            const uint64_t c = counts;
            counts = 0;
            if ((c & beyond) == 0) {  // a type that is not there adds nothing: better than asking
                const Part& known = small_[(c & low) | (c >> (kBits - 4) & low << 4) | (c >> (2 * kBits - 8) & low << 8)];
                sum += known.f;
                weight_sum += known.weight;
            } else {
                const Part other = part({uint32_t(c & field), uint32_t(c >> kBits & field), uint32_t(c >> 2 * kBits)});
                sum += other.f;
                weight_sum += other.weight;
            }
        }
        return quotient(sum, weight_sum);
    }

    double wide_score(const int16_t* weights, std::vector<TypeSum>& sums) const {
        sums.assign(n_types_, {});
        for (size_t row = 0; row + 1 < starts_.size(); ++row) {
            if (weights[row] == 0) continue;
            for (int64_t e = starts_[row]; e < starts_[row + 1]; ++e) sums[types_[e]].add(rows_->counts[e], weights[row]);
        }
        __int128 sum = 0, weight_sum = 0;
        for (const TypeSum& c : sums) {
            if (c.empty()) continue;
            const Part one = part(c.counts());
            sum += one.f;
            weight_sum += one.weight;
        }
        return quotient(sum, weight_sum);
    }

    const TypeRows* rows_;
    std::vector<int64_t> starts_;
    std::vector<uint32_t> types_;
    std::vector<uint64_t> packed_;
    std::array<Part, kSmall * kSmall * kSmall> small_;
    TypeOptions options_;
    double beta_squared_;
    uint32_t n_types_ = 0;
    int64_t largest_ = 0;
};

}  // namespace tertium
