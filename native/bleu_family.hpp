// The family of metrics that BLEU is one of (Song, Cohn and Specia 2013): precision, recall or F, geometric or
// arithmetic mean, with or without brevity penalty and clipping. One row serves them all.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "segment_ngrams.hpp"

namespace tertium {

constexpr size_t kFamilyOrder = 9;

// Where things stand in a row: two lengths, then nine numbers (orders 1 to 9) of each kind.
struct FamilyRow {
    enum Kind : size_t {
        clipped,    // hypothesis n-grams, each at most as often as in the reference that has most of it
        present,    // hypothesis n-grams that stand in any reference, however often
        recalled,   // matches with the reference of closest length, each reference n-gram used once
        covered,    // n-grams of the closest reference that stand in the hypothesis, however often
        count,      // n-grams of the hypothesis
        reference,  // n-grams of the closest reference
    };
    static constexpr size_t columns = 2 + 6 * kFamilyOrder;
    static constexpr size_t at(Kind kind) { return 2 + size_t(kind) * kFamilyOrder; }
};

class FamilyKernel {
public:
    explicit FamilyKernel(Tokenizer tokenizer) : tokenizer_(tokenizer) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        base_ = tokens_.text().data();
        const size_t closest = closest_reference(references, n_references);
        std::fill_n(row, FamilyRow::columns, 0);
        row[0] = int64_t(words_.size());
        row[1] = int64_t(references[closest].size);
        for (size_t n = 0; n < kFamilyOrder; ++n) {
            row[FamilyRow::at(FamilyRow::count) + n] = std::max<int64_t>(0, row[0] - int64_t(n));
            row[FamilyRow::at(FamilyRow::reference) + n] = std::max<int64_t>(0, row[1] - int64_t(n));
        }
        if (NgramEnds::fits(references, n_references)) match_by_masks(references, n_references, closest, row);
        else match_by_numbers(references, n_references, closest, row);
    }

private:
    // Of two equally close, the shorter; of two equally long, the first.
    size_t closest_reference(const WordsView* references, size_t n) const {
        const auto distance = [&](size_t r) { return std::abs(int64_t(words_.size()) - int64_t(references[r].size)); };
        size_t best = 0;
        for (size_t r = 1; r < n; ++r)
            if (distance(r) < distance(best) || (distance(r) == distance(best) && references[r].size < references[best].size))
                best = r;
        return best;
    }

    void match_by_masks(const WordsView* references, size_t n_references, size_t closest, int64_t* row) {
        ends_.index(references, n_references);
        free_.assign(n_references * kFamilyOrder, ~uint64_t(0));
        uint64_t covered[kFamilyOrder] = {};
        size_t seen[kFamilyOrder] = {}, taken[kFamilyOrder] = {};  // the last position + 1 that was counted
        ends_.walk(words_, base_, kFamilyOrder, [&](size_t i, size_t r, size_t n, uint64_t ends) {
            if (seen[n] != i + 1) {
                seen[n] = i + 1;
                ++row[FamilyRow::at(FamilyRow::present) + n];
            }
            if (r == closest) covered[n] |= ends;
            uint64_t& free = free_[r * kFamilyOrder + n];
            const uint64_t open = ends & free;
            if (!open) return;
            free ^= open & (~open + 1);  // a match uses up one place of every reference that has one left
            if (taken[n] != i + 1) {
                taken[n] = i + 1;
                ++row[FamilyRow::at(FamilyRow::clipped) + n];
            }
        });
        for (size_t n = 0; n < kFamilyOrder; ++n) {
            row[FamilyRow::at(FamilyRow::recalled) + n] = std::popcount(~free_[closest * kFamilyOrder + n]);
            row[FamilyRow::at(FamilyRow::covered) + n] = std::popcount(covered[n]);
        }
    }

    void match_by_numbers(const WordsView* references, size_t n_references, size_t closest, int64_t* row) {
        numbers_.start(references, n_references, words_, base_);
        for (size_t n = 0; n < kFamilyOrder; ++n) {
            if (n > 0) numbers_.next();
            numbers_.clipped_at(most_);
            numbers_.count(numbers_.of_reference(closest), own_);
            numbers_.count(numbers_.of_hypothesis(), ours_);
            for (size_t id = 0; id < numbers_.distinct(); ++id) {
                if (ours_[id] == 0) continue;
                row[FamilyRow::at(FamilyRow::clipped) + n] += std::min(ours_[id], most_[id]);
                row[FamilyRow::at(FamilyRow::present) + n] += ours_[id];
                row[FamilyRow::at(FamilyRow::recalled) + n] += std::min(ours_[id], own_[id]);
                row[FamilyRow::at(FamilyRow::covered) + n] += own_[id];
            }
        }
    }

    Tokenizer tokenizer_;
    Tokens tokens_;
    std::vector<Word> words_;
    const char* base_ = nullptr;
    NgramEnds ends_;
    NgramNumbers numbers_;
    std::vector<uint64_t> free_;
    std::vector<int64_t> most_, own_, ours_;
};

enum class Measure { precision, recall, f };

struct FamilyOptions {
    Measure measure = Measure::precision;
    bool geometric = true, brevity = true, clipped = true;
    int order = 4;
    double alpha = 0.0;          // added to matches and counts
    int smoothed_from = 1;       // of the orders from here on
    double brevity_alpha = 0.0;  // added to both lengths
};

// In percent from summed rows; `terms` (P, R or F of each order, in percent) may be null. What is 0/0 is 0, and so is
// everything about an empty hypothesis, whatever smoothing would make of it.
inline double family_score(const int64_t* row, const FamilyOptions& options, double* terms) {
    const double length = double(row[0]), reference = double(row[1]);
    const int64_t* hits = row + FamilyRow::at(options.clipped ? FamilyRow::clipped : FamilyRow::present);
    const int64_t* recalled = row + FamilyRow::at(options.clipped ? FamilyRow::recalled : FamilyRow::covered);
    const int64_t* counts = row + FamilyRow::at(FamilyRow::count);
    const int64_t* wanted = row + FamilyRow::at(FamilyRow::reference);
    double sum = 0.0;
    for (int n = 0; n < options.order; ++n) {
        const double plus = n + 1 >= options.smoothed_from ? options.alpha : 0.0;
        const auto ratio = [&](int64_t part, int64_t whole) {
            const double below = double(whole) + plus;
            return length > 0 && below > 0 ? 100.0 * (double(part) + plus) / below : 0.0;
        };
        double term = 0.0;
        if (options.measure == Measure::precision) {
            term = ratio(hits[n], counts[n]);
        } else if (options.measure == Measure::recall) {
            term = ratio(recalled[n], wanted[n]);
        } else {
            const double p = ratio(hits[n], counts[n]), r = ratio(recalled[n], wanted[n]);
            term = p > 0 && r > 0 ? 10.0 * p * r / (r + 9.0 * p) : 0.0;
        }
        if (terms) terms[n] = term;
        sum += options.geometric ? std::log(term) : term;  // log 0 is -inf, and the score 0
    }
    if (length == 0) return 0.0;
    const double r = reference + options.brevity_alpha, c = length + options.brevity_alpha;
    const double penalty = options.brevity && c < r ? std::exp(1.0 - r / c) : 1.0;
    return penalty * (options.geometric ? std::exp(sum / options.order) : sum / options.order);
}

}  // namespace tertium
