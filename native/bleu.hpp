// BLEU's statistics: clipped n-gram matches of a hypothesis with its references (Papineni et al. 2002), and
// the score that follows from their sums.
#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include "references.hpp"

namespace tertium {

// Which length stands for several references: the closest (of two equally close the shorter), the shortest, or the
// mean without its fraction.
enum class ReferenceLength { closest, shortest, average };

// Per segment: [hypothesis length, reference length, matches of order 1..N, hypothesis n-grams of order 1..N].
class BleuKernel {
public:
    BleuKernel(Tokenizer tokenizer, int order, ReferenceLength length = ReferenceLength::closest)
        : tokenizer_(tokenizer), order_(order), length_(length), above_(order + 1), ends_(order + 1) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        base_ = tokens_.text().data();
        const int64_t length = int64_t(words_.size());
        row[0] = length;
        row[1] = reference_length(length, references, n_references);
        int64_t* matches = row + 2;
        for (int n = 0; n < order_; ++n) {
            matches[n] = 0;
            matches[order_ + n] = std::max<int64_t>(0, length - n);
        }
        size_t longest = 0;
        for (size_t r = 0; r < n_references; ++r) longest = std::max<size_t>(longest, references[r].size);
        if (longest > 64) match_by_numbers(references, n_references, matches);
        else if (n_references == 1 && order_ == 4) match_by_masks<4>(references[0], matches);
        else match_by_masks_any(references, n_references, matches);
    }

private:
    int64_t reference_length(int64_t length, const WordsView* references, size_t n) const {
        if (length_ == ReferenceLength::closest) return closest_length(length, references, n);
        int64_t shortest = references[0].size, total = 0;
        for (size_t r = 0; r < n; ++r) {
            shortest = std::min<int64_t>(shortest, references[r].size);
            total += references[r].size;
        }
        return length_ == ReferenceLength::shortest ? shortest : total / int64_t(n);
    }
    // The closest length; of two equally close, the shorter.
    static int64_t closest_length(int64_t length, const WordsView* references, size_t n) {
        int64_t best = -1;
        for (size_t r = 0; r < n; ++r) {
            const int64_t candidate = references[r].size;
            const int64_t gain = best < 0 ? 1 : std::abs(length - best) - std::abs(length - candidate);
            if (gain > 0 || (gain == 0 && candidate < best)) best = candidate;
        }
        return best;
    }

    // Bit i of a word's mask: it stands at position i of the reference. The n-grams that end at a hypothesis
    // word end in the reference where (ends of the n-1-gram before it, moved by one) and (the word's mask) agree. Each
    // match uses up one such position, which is what clipping means.
    template <int Order>
    void match_by_masks(const WordsView& reference, int64_t* matches) {
        table_.clear(reference.size);
        masks_.assign(reference.size, 0);
        for (uint32_t i = 0; i < reference.size; ++i)
            masks_[table_.add(reference.words[i], reference.base)] |= uint64_t(1) << i;
        uint64_t ends[Order] = {}, free[Order];
        int64_t found[Order] = {};
        for (int n = 0; n < Order; ++n) free[n] = ~uint64_t(0);
        for (const Word& word : words_) {
            const uint32_t number = table_.find(word, base_);
            const uint64_t mask = number == WordTable::kUnknown ? 0 : masks_[number];
            for (int n = Order - 1; n > 0; --n) ends[n] = (ends[n - 1] << 1) & mask;
            ends[0] = mask;
            for (int n = 0; n < Order; ++n) {
                const uint64_t open = ends[n] & free[n];
                free[n] ^= open & (~open + 1);
                found[n] += open != 0;
            }
        }
        for (int n = 0; n < Order; ++n) matches[n] = found[n];
    }

    // The same with several references: an occurrence counts as long as any reference still has one left,
    // which is clipping at the largest count of any reference.
    void match_by_masks_any(const WordsView* references, size_t n_references, int64_t* matches) {
        size_t total = 0;
        for (size_t r = 0; r < n_references; ++r) total += references[r].size;
        table_.clear(total);
        masks_.assign(total * n_references, 0);
        for (size_t r = 0; r < n_references; ++r)
            for (uint32_t i = 0; i < references[r].size; ++i)
                masks_[table_.add(references[r].words[i], references[r].base) * n_references + r] |= uint64_t(1) << i;
        multi_ends_.assign(n_references * order_, 0);
        multi_free_.assign(n_references * order_, ~uint64_t(0));
        for (const Word& word : words_) {
            const uint32_t number = table_.find(word, base_);
            std::fill(above_.begin(), above_.end(), 0);
            for (size_t r = 0; r < n_references; ++r) {
                const uint64_t mask = number == WordTable::kUnknown ? 0 : masks_[number * n_references + r];
                uint64_t* ends = multi_ends_.data() + r * order_;
                uint64_t* free = multi_free_.data() + r * order_;
                for (int n = order_ - 1; n > 0; --n) ends[n] = (ends[n - 1] << 1) & mask;
                ends[0] = mask;
                for (int n = 0; n < order_; ++n) {
                    const uint64_t open = ends[n] & free[n];
                    free[n] ^= open & (~open + 1);
                    above_[n] |= open != 0;
                }
            }
            for (int n = 0; n < order_; ++n) matches[n] += above_[n];
        }
    }

    // For long segments: every reference n-gram gets a number, order by order, and counts are clipped by number.
    void match_by_numbers(const WordsView* references, size_t n_references, int64_t* matches) {
        size_t total = 0;
        for (size_t r = 0; r < n_references; ++r) total += references[r].size;
        table_.clear(total);
        for (size_t r = 0; r < n_references; ++r)
            for (uint32_t i = 0; i < references[r].size; ++i) table_.add(references[r].words[i], references[r].base);
        const size_t most = table_.size() + total * size_t(order_);
        pairs_.clear(total * size_t(order_));
        most_.assign(most, 0);
        for (size_t r = 0; r < n_references; ++r) {
            counts_.assign(most, 0);
            number_words(references[r].words, references[r].size, references[r].base);
            current_ = numbers_;
            for (int n = 1; n <= order_; ++n) {
                for (const uint32_t id : current_) most_[id] = std::max(most_[id], ++counts_[id]);
                if (n < order_) extend(n, true);
            }
        }
        counts_.assign(most, 0);
        number_words(words_.data(), words_.size(), base_);
        current_ = numbers_;
        for (int n = 1; n <= order_; ++n) {
            for (const uint32_t id : current_)
                if (id != PairTable::kUnknown && counts_[id]++ < most_[id]) ++matches[n - 1];
            if (n < order_) extend(n, false);
        }
    }
    void number_words(const Word* words, size_t size, const char* base) {
        numbers_.resize(size);
        for (size_t i = 0; i < size; ++i) numbers_[i] = table_.find(words[i], base);
    }
    // From the numbers of the n-grams that start at each position to those of order n + 1.
    void extend(int n, bool add) {
        const size_t left = numbers_.size() > size_t(n) ? numbers_.size() - size_t(n) : 0;
        const uint32_t words = table_.size();
        current_.resize(std::min(current_.size(), left));
        for (size_t i = 0; i < current_.size(); ++i) {
            const uint32_t next = numbers_[i + size_t(n)];
            if (current_[i] == PairTable::kUnknown || next == WordTable::kUnknown) {
                current_[i] = PairTable::kUnknown;
                continue;
            }
            const uint32_t pair = add ? pairs_.add(current_[i], next) : pairs_.find(current_[i], next);
            current_[i] = pair == PairTable::kUnknown ? pair : words + pair;
        }
    }

    Tokenizer tokenizer_;
    int order_;
    ReferenceLength length_;
    Tokens tokens_;
    std::vector<Word> words_;
    const char* base_ = nullptr;
    WordTable table_;
    PairTable pairs_;
    std::vector<uint64_t> masks_, multi_ends_, multi_free_;
    std::vector<int> above_, ends_;
    std::vector<uint32_t> numbers_, current_, counts_, most_;
};

enum class Smoothing { none, floor, add_k, exp };

struct BleuOptions {
    int order = 4;
    Smoothing smoothing = Smoothing::exp;
    double value = 0.0;
    bool effective_order = false;
};

// The score in percent from summed rows; `precisions` (in percent, smoothed) may be null.
inline double bleu_score(const int64_t* totals, const BleuOptions& options, double* precisions) {
    const double length = double(totals[0]), reference = double(totals[1]);
    const int64_t* matches = totals + 2;
    const int64_t* counts = matches + options.order;
    bool any = false;
    for (int n = 0; n < options.order; ++n) {
        any |= matches[n] != 0;
        if (precisions) precisions[n] = 0.0;
    }
    if (!any) return 0.0;
    double halvings = 1.0, logs = 0.0;
    int orders = options.order, done = 0;
    for (int n = 0; n < options.order; ++n) {
        const double plus = options.smoothing == Smoothing::add_k && n > 0 ? options.value : 0.0;
        const double match = double(matches[n]) + plus, count = double(counts[n]) + plus;
        if (count == 0.0) break;
        if (options.effective_order) orders = n + 1;
        double precision = 0.0;
        if (match != 0.0) {
            precision = 100.0 * match / count;
        } else if (options.smoothing == Smoothing::exp) {
            halvings *= 2.0;
            precision = 100.0 / (halvings * count);
        } else if (options.smoothing == Smoothing::floor) {
            precision = 100.0 * options.value / count;
        }
        if (precisions) precisions[n] = precision;
        logs += std::log(precision);  // log 0 is -inf, and the score 0
        done = n + 1;
    }
    if (done < orders) return 0.0;
    const double brevity = length < reference ? (length > 0 ? std::exp(1.0 - reference / length) : 0.0) : 1.0;
    return brevity * std::exp(logs / orders);
}

}  // namespace tertium
