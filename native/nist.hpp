// NIST (Doddington 2002): matching n-grams weighted by their information in the references of the whole set.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "exact_sum.hpp"
#include "segment_ngrams.hpp"
#include "types.hpp"

namespace tertium {

struct NistOptions {
    int order = 5;
    // How the originals differ. `zero_is_nothing`: after the one-word history "0" (false in Perl) mteval weighs a word
    // as if it had no history. `each_order_alone`: nltk takes, order by order, the reference that gives most
    // information. Which one that is may hang on the last bit of a sum, so there its arithmetic is followed to the bit.
    bool zero_is_nothing = true, each_order_alone = false;
};

// The words of all references, and the information of every n-gram in them:
// info(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)), for n = 1 log2(words / count(w1)).
class NistReferences {
public:
    NistReferences(std::vector<std::shared_ptr<Lines>> streams, Tokenizer tokenizer, NistOptions options, int threads)
        : options(options), words(std::move(streams), tokenizer, threads) {
        offsets_.reserve(words.all().size());
        for (const WordsView& view : words.all()) {
            offsets_.push_back(total_);
            total_ += view.size;
        }
        weights_.assign(total_ * size_t(options.order), 0.0);
        weigh();
    }
    NistReferences(const NistReferences&) = delete;

    const NistOptions options;
    const WordReferences words;

    // Of the n-gram that ends at `end` of the reference at `place` (WordReferences::place).
    double weight(size_t place, size_t end, size_t n) const { return weights_[(n - 1) * total_ + offsets_[place] + end]; }

private:
    static constexpr uint32_t kOnce = 0xFFFFFFFFu;  // an n-gram of one occurrence; longer ones tell nothing more

    void weigh() {
        Vocabulary vocabulary;
        std::vector<uint32_t> word(total_), shorter(total_), longer(total_);
        uint32_t zero = kOnce;
        for (size_t place = 0, at = 0; place < offsets_.size(); ++place) {
            const WordsView& view = words.all()[place];
            for (uint32_t i = 0; i < view.size; ++i, ++at) {
                if (i + 4 < view.size) vocabulary.prefetch(view.words[i + 4].key);
                const Word& w = view.words[i];
                word[at] = vocabulary.add(w.key, {view.base + w.begin, w.size});
                if (w.size == 1 && view.base[w.begin] == '0') zero = word[at];
            }
        }
        counts_.assign(vocabulary.size(), 0);
        for (const uint32_t id : word) ++counts_[id];
        info_.resize(counts_.size());
        for (size_t id = 0; id < counts_.size(); ++id) info_[id] = information(total_, counts_[id]);
        for (size_t i = 0; i < total_; ++i) {
            weights_[i] = info_[word[i]];
            shorter[i] = counts_[word[i]] > 1 || (options.zero_is_nothing && word[i] == zero) ? word[i] : kOnce;
        }
        for (size_t n = 2; n <= size_t(options.order); ++n) {
            weigh_order(n, word, shorter, longer, options.zero_is_nothing && n == 2 ? zero : kOnce);
            shorter.swap(longer);
        }
    }
    // From the numbers of n-1-grams (by the place where they end) to those of n-grams. What follows a history that
    // occurs once is certain: it weighs 0, and so does all that is longer. Such n-grams are most and need no number.
    void weigh_order(size_t n, const std::vector<uint32_t>& word, const std::vector<uint32_t>& shorter,
                     std::vector<uint32_t>& longer, uint32_t nothing) {
        size_t open = 0;
        for (const uint32_t id : shorter) open += id != kOnce;
        pairs_.clear(open);
        histories_.clear();
        totals_.clear();
        for (size_t place = 0; place < offsets_.size(); ++place) {
            const size_t begin = offsets_[place], end = begin + words.all()[place].size;
            for (size_t i = begin; i < end; ++i) {
                const uint32_t history = i >= begin + n - 1 ? shorter[i - 1] : kOnce;
                longer[i] = kOnce;
                if (history == kOnce) continue;
                const uint32_t id = pairs_.add(history, word[i]);
                if (id == totals_.size()) {
                    totals_.push_back(0);
                    histories_.push_back(history);
                }
                ++totals_[id];
                longer[i] = id;
            }
        }
        info_.resize(totals_.size());
        for (size_t id = 0; id < totals_.size(); ++id) {
            const uint32_t history = histories_[id];
            info_[id] = information(history == nothing ? total_ : counts_[history], totals_[id]);
        }
        double* weights = weights_.data() + (n - 1) * total_;
        for (size_t i = 0; i < total_; ++i) {
            if (longer[i] == kOnce) continue;
            weights[i] = info_[longer[i]];
            if (totals_[longer[i]] == 1) longer[i] = kOnce;
        }
        counts_.swap(totals_);
    }
    double information(size_t history, size_t count) const {
        if (history == count) return 0.0;
        const double ratio = double(history) / double(count);
        return options.each_order_alone ? std::log(ratio) / std::log(2.0) : std::log2(ratio);
    }

    size_t total_ = 0;
    std::vector<size_t> offsets_;
    std::vector<double> weights_;  // by order, then by the word of the references at which the n-gram ends
    PairTable pairs_;
    std::vector<uint32_t> counts_, totals_, histories_;
    std::vector<double> info_;
};

// A row: hypothesis n-grams of each order, information of the matching ones (digits), mean reference length (digits).
class NistKernel {
public:
    NistKernel(Tokenizer tokenizer, const NistReferences& references)
        : tokenizer_(tokenizer), references_(references), order_(size_t(references.options.order)),
          best_(order_), sums_(order_) {}

    static size_t columns(size_t order) { return order + kDigits * (order + 1); }

    void row(std::string_view hypothesis, size_t segment, int64_t* row) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        for (size_t n = 0; n < order_; ++n) row[n] = std::max<int64_t>(0, int64_t(words_.size()) - int64_t(n));
        const WordsView* views = references_.words[segment];
        const size_t n_references = references_.words.count(segment), place = references_.words.place(segment);
        double length = 0.0;
        if (references_.options.each_order_alone) {
            length = best_of_each(views, n_references, place);
        } else {
            match(views, n_references, place);
            best_ = sums_;
            for (size_t r = 0; r < n_references; ++r) length += views[r].size;
            length /= double(std::max<size_t>(1, n_references));
        }
        for (size_t n = 0; n < order_; ++n) to_digits(best_[n], row + order_ + kDigits * n);
        to_digits(length, row + order_ + kDigits * order_);
    }

private:
    // Per order the reference with most information, of equals the longest; the mean of their lengths is the length.
    double best_of_each(const WordsView* views, size_t n_references, size_t place) {
        lengths_.assign(order_, 0);
        std::fill(best_.begin(), best_.end(), 0.0);
        for (size_t r = 0; r < n_references; ++r) {
            match_by_numbers(views + r, 1, place + r);
            for (size_t n = 0; n < order_; ++n) {
                if (r > 0 && (sums_[n] < best_[n] || (sums_[n] == best_[n] && views[r].size <= lengths_[n]))) continue;
                best_[n] = sums_[n];
                lengths_[n] = views[r].size;
            }
        }
        double total = 0.0;
        for (const uint32_t length : lengths_) total += length;
        return total / double(order_);
    }

    // sums_[n] becomes the information of the n+1-grams that match, clipped at the largest count of any reference.
    void match(const WordsView* views, size_t n_references, size_t place) {
        if (!NgramEnds::fits(views, n_references)) {
            match_by_numbers(views, n_references, place);
            return;
        }
        std::fill(sums_.begin(), sums_.end(), 0.0);
        ends_.index(views, n_references);
        free_.assign(n_references * order_, ~uint64_t(0));
        taken_.assign(order_, 0);
        ends_.walk(words_, tokens_.text().data(), order_, [&](size_t i, size_t r, size_t n, uint64_t ends) {
            uint64_t& free = free_[r * order_ + n];
            const uint64_t open = ends & free;
            if (!open) return;
            free ^= open & (~open + 1);
            if (taken_[n] == i + 1) return;
            taken_[n] = i + 1;
            sums_[n] += references_.weight(place + r, size_t(std::countr_zero(open)), n + 1);
        });
    }
    void match_by_numbers(const WordsView* views, size_t n_references, size_t place) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        numbers_.start(views, n_references, words_, tokens_.text().data());
        for (size_t n = 0; n < order_; ++n) {
            if (n > 0) numbers_.next();
            numbers_.clipped_at(most_);
            weight_.assign(numbers_.distinct(), 0.0);
            for (size_t r = 0; r < n_references; ++r) {
                const std::vector<uint32_t>& numbers = numbers_.of_reference(r);
                for (size_t i = 0; i < numbers.size(); ++i)
                    weight_[numbers[i]] = references_.weight(place + r, i + n, n + 1);
            }
            if (references_.options.each_order_alone) {
                sum_by_type(n);
                continue;
            }
            for (const uint32_t id : numbers_.of_hypothesis())
                if (id != NgramNumbers::kUnknown && most_[id]-- > 0) sums_[n] += weight_[id];
        }
    }
    // As nltk sums: each distinct n-gram once, in the order of the hypothesis, weight times matches.
    void sum_by_type(size_t n) {
        numbers_.count(numbers_.of_hypothesis(), ours_);
        for (const uint32_t id : numbers_.of_hypothesis()) {
            if (id == NgramNumbers::kUnknown) continue;
            sums_[n] += weight_[id] * double(std::min(ours_[id], most_[id]));
            ours_[id] = 0;
        }
    }

    Tokenizer tokenizer_;
    const NistReferences& references_;
    size_t order_;
    Tokens tokens_;
    std::vector<Word> words_;
    NgramEnds ends_;
    NgramNumbers numbers_;
    std::vector<double> best_, sums_, weight_;
    std::vector<uint64_t> free_;
    std::vector<size_t> taken_;
    std::vector<uint32_t> lengths_;
    std::vector<int64_t> most_, ours_;
};

// exp(-beta ln(ratio)^2) for short output: a half at two thirds of the reference length.
inline double nist_penalty(double ratio) {
    if (ratio >= 1.0) return 1.0;
    if (!(ratio > 0.0)) return 0.0;
    const double beta = -std::log(0.5) / std::log(1.5) / std::log(1.5);
    return std::exp(-beta * std::log(ratio) * std::log(ratio));
}

inline double nist_score(const int64_t* row, size_t order) {
    double sum = 0.0;
    for (size_t n = 0; n < order; ++n)
        sum += from_digits(row + order + kDigits * n) / double(std::max<int64_t>(1, row[n]));
    return sum * nist_penalty(double(row[0]) / from_digits(row + order + kDigits * order));
}

}  // namespace tertium
