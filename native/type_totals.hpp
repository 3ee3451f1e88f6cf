// Scores of many mixtures of two systems' type rows, none of which is ever held as rows: for each one table of all types
// is filled and scored. The numbers are those of `TypeRows::weigh` followed by `type_score`.
#pragma once

#include <array>
#include <bit>
#include <cstdlib>
#include <utility>
#include <vector>

#include "interrupts.hpp"
#include "type_part.hpp"
#include "types.hpp"

namespace tertium {

class TypeTotals {
    using Part = TypePart;

public:
    TypeTotals(const TypeRows& rows, const TypeOptions& options) : starts_(rows.starts), options_(options) {
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

    // The rows are those of two systems, one behind the other. Mixtures: segments whose bit is set from the second
    // system, the others from the first, and the other way round. Most of a row is the same in both systems, the
    // reference counts always. So types that never change are summed once; one that changes in a single segment has two
    // values, and their difference belongs to that segment; counts are kept only for types that change in several.
    class Mixtures {
    public:
        explicit Mixtures(const TypeTotals& totals) : totals_(totals), n_((totals.starts_.size() - 1) / 2) {
            fits_ = totals.largest_ < (1 << kBits) && int64_t(n_) * totals.largest_ < (1 << kBits);
            if (!fits_) return;
            const size_t n_types = totals.n_types_;
            std::vector<uint64_t> left(n_types), right(n_types), change(n_types);
            std::vector<uint32_t> changes(n_types), place(n_types);
            for (size_t i = 0; i < n_; ++i) {
                const size_t begin = types_.size();
                for (int64_t e = totals.starts_[n_ + i]; e < totals.starts_[n_ + i + 1]; ++e) {
                    right[totals.types_[e]] += totals.packed_[e];
                    types_.push_back(totals.types_[e]), change[totals.types_[e]] += totals.packed_[e];
                }
                for (int64_t e = totals.starts_[i]; e < totals.starts_[i + 1]; ++e) {
                    left[totals.types_[e]] += totals.packed_[e];
                    types_.push_back(totals.types_[e]), change[totals.types_[e]] -= totals.packed_[e];
                }
                size_t end = begin;  // each type once, and only where something changes
                for (size_t e = begin; e < types_.size(); ++e)
                    if (const uint64_t amount = std::exchange(change[types_[e]], 0)) {
                        ++changes[types_[e]];
                        types_[end++] = types_[e];
                        amounts_.push_back(amount);
                    }
                types_.resize(end);
                starts_.push_back(end);
            }
            for (size_t type = 0; type < n_types; ++type) {
                if (changes[type] < 2) {
                    first_ += totals.part_of(left[type]), second_ += totals.part_of(right[type]);
                } else {
                    place[type] = uint32_t(base_.size());
                    base_.push_back(left[type]), both_.push_back(left[type] + right[type]);
                }
            }
            first_changes_.resize(n_), second_changes_.resize(n_);
            size_t end = 0;
            for (size_t i = 0, e = 0; i < n_; ++i) {
                for (; e < starts_[i + 1]; ++e) {
                    const uint32_t type = types_[e];
                    if (changes[type] > 1) {
                        types_[end] = place[type], amounts_[end++] = amounts_[e];
                        continue;
                    }
                    first_changes_[i] += totals.part_of(left[type] + amounts_[e]) -= totals.part_of(left[type]);
                    second_changes_[i] += totals.part_of(right[type] - amounts_[e]) -= totals.part_of(right[type]);
                }
                starts_[i + 1] = end;
            }
        }

        // Scores of `m` mixtures, and of what is left of the two systems where `others` is given.
        void scores(const uint8_t* masks, size_t m, double* out, double* others) const {
            const size_t width = (n_ + 7) / 8;
            std::vector<uint64_t> sums;
            std::vector<int16_t> weights;
            std::vector<TypeSum> wide;
            for (size_t j = 0; j < m; ++j, masks += width) {
                poll();
                if (fits_) {
                    sums = base_;  // sums below zero on the way are only borrowed: what comes out is whole
                    Part first = first_, second = second_;
                    for (size_t byte = 0; byte < width; ++byte)
                        for (unsigned bits = masks[byte]; bits; bits &= bits - 1) {
                            const size_t i = 8 * byte + size_t(std::countr_zero(bits));
                            first += first_changes_[i];
                            second += second_changes_[i];
                            for (size_t e = starts_[i]; e < starts_[i + 1]; ++e) sums[types_[e]] += amounts_[e];
                        }
                    for (const uint64_t sum : sums) first += totals_.part_of(sum);
                    out[j] = first.quotient();
                    if (!others) continue;
                    for (size_t type = 0; type < sums.size(); ++type) second += totals_.part_of(both_[type] - sums[type]);
                    others[j] = second.quotient();
                } else {
                    weights.assign(2 * n_, 0);
                    for (size_t i = 0; i < n_; ++i) weights[(masks[i / 8] >> i % 8 & 1 ? n_ : 0) + i] = 1;
                    out[j] = totals_.wide_score(weights.data(), wide);
                    if (!others) continue;
                    for (int16_t& weight : weights) weight = int16_t(1 - weight);
                    others[j] = totals_.wide_score(weights.data(), wide);
                }
            }
        }

    private:
        const TypeTotals& totals_;
        size_t n_;
        bool fits_;
        Part first_, second_;  // what does not depend on types that change in several segments
        std::vector<Part> first_changes_, second_changes_;
        std::vector<uint64_t> base_, both_, amounts_;
        std::vector<uint32_t> types_;
        std::vector<size_t> starts_{0};
    };

private:
    static constexpr int kBits = 21;
    static constexpr uint32_t kSmall = 16;
    static constexpr uint64_t kField = (uint64_t(1) << kBits) - 1, kLow = kSmall - 1;

    Part part(const TypeCounts& c) const { return type_part(c, options_); }
    // Of packed counts. A type that is not there adds nothing: better than asking.
    Part part_of(uint64_t c) const {
        constexpr uint64_t beyond = ~(kLow | kLow << kBits | kLow << 2 * kBits);
        if ((c & beyond) == 0) return small_[(c & kLow) | (c >> (kBits - 4) & kLow << 4) | (c >> (2 * kBits - 8) & kLow << 8)];
        return part({uint32_t(c & kField), uint32_t(c >> kBits & kField), uint32_t(c >> 2 * kBits)});
    }

    double wide_score(const int16_t* weights, std::vector<TypeSum>& sums) const {
        sums.assign(n_types_, {});
        for (size_t row = 0; row + 1 < starts_.size(); ++row) {
            if (weights[row] == 0) continue;
            for (int64_t e = starts_[row]; e < starts_[row + 1]; ++e) sums[types_[e]].add(rows_->counts[e], weights[row]);
        }
        Part sum;
        for (const TypeSum& c : sums)
            if (!c.empty()) sum += part(c.counts());
        return sum.quotient();
    }

    const TypeRows* rows_;
    std::vector<int64_t> starts_;
    std::vector<uint32_t> types_;
    std::vector<uint64_t> packed_;
    std::array<Part, kSmall * kSmall * kSmall> small_;
    TypeOptions options_;
    uint32_t n_types_ = 0;
    int64_t largest_ = 0;
};

}  // namespace tertium
