// RIBES (Isozaki et al. 2010): rank correlation between the word orders of hypothesis and reference, times powers of
// unigram precision and brevity penalty; aligned as nltk does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "exact_sum.hpp"
#include "segment_words.hpp"

namespace tertium {

// Per segment: the best score of any reference as digits, and 1.
class RibesKernel {
public:
    static constexpr size_t kColumns = kDigits + 1;

    RibesKernel(Tokenizer tokenizer, double alpha, double beta) : words_(tokenizer), alpha_(alpha), beta_(beta) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        words_.read(hypothesis, references, n_references);
        double best = 0;
        if (!words_.hypothesis().empty())
            for (size_t r = 0; r < n_references; ++r) best = std::max(best, score(words_.hypothesis(), words_.reference(r)));
        to_digits(best, row);
        row[kDigits] = 1;
    }

private:
    // How long the context of a position stays in step with other places.
    struct Context {
        uint32_t elsewhere = 0;            // with another place of the hypothesis
        uint32_t longest = 0, second = 0;  // with places of the reference
        uint32_t place = 0;                // where the longest begins
    };
    static constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

    double score(WordNumbers ours, WordNumbers theirs) {
        align(ours, theirs);
        const auto n = int64_t(order_.size());
        if (n < 2) return 0;
        const int64_t pairs = n * (n - 1) / 2;
        const double tau = 2 * double(increasing(theirs.size())) / double(pairs) - 1;
        const double length = double(ours.size());
        const double brevity = std::min(1.0, std::exp(1 - double(theirs.size()) / length));
        return (tau + 1) / 2 * std::pow(double(n) / length, alpha_) * std::pow(brevity, beta_);
    }

    // order_: for each hypothesis word that can be aligned, its position in the reference. A word that each side has
    // once is clear; any other takes the shortest context, to its right or else to its left, that each side has once.
    void align(WordNumbers ours, WordNumbers theirs) {
        own_counts_.assign(words_.distinct(), 0);
        their_counts_.assign(words_.distinct(), 0);
        places_.resize(words_.distinct());
        for (const uint32_t word : ours) ++own_counts_[word];
        for (uint32_t j = 0; j < theirs.size(); ++j) {
            ++their_counts_[theirs[j]];
            places_[theirs[j]] = j;
        }
        bool unclear = false;
        for (const uint32_t word : ours) unclear |= their_counts_[word] > 0 && !clear(word);
        if (unclear) {
            own_places_.set(ours, words_.distinct());
            their_places_.set(theirs, words_.distinct());
            contexts<true>(ours, theirs, right_);
            contexts<false>(ours, theirs, left_);
        }
        order_.clear();
        const auto n = uint32_t(ours.size()), m = uint32_t(theirs.size());
        for (uint32_t i = 0; i < n; ++i) {
            if (their_counts_[ours[i]] == 0) continue;
            if (clear(ours[i])) {
                order_.push_back(places_[ours[i]]);
                continue;
            }
            const uint32_t limit = std::min(std::max(i, n - i + 1), m);  // nltk tries no longer contexts
            const uint32_t right = window(right_[i]), left = window(left_[i]);
            if (std::min(right, left) >= limit) continue;
            order_.push_back(right <= left ? right_[i].place : left_[i].place);
        }
    }
    bool clear(uint32_t word) const { return own_counts_[word] == 1 && their_counts_[word] == 1; }

    // How many words of context make the place unique on both sides.
    static uint32_t window(const Context& context) {
        const uint32_t size = std::max({context.elsewhere, context.second, uint32_t{1}}) + 1;
        return size <= context.longest ? size - 1 : kNever;
    }

    // Common prefixes (or suffixes) with all other places, by the table in which a cell adds one to its neighbour on
    // the diagonal. Only places of the same word have a cell that is not 0: two rows are kept, and cleared by place.
    template <bool forward>
    void contexts(WordNumbers ours, WordNumbers theirs, std::vector<Context>& out) {
        const size_t n = ours.size();
        out.assign(n, {});
        own_rows_.start(ours);
        their_rows_.start(theirs);
        for (size_t step = 0; step < n; ++step) {
            const size_t i = forward ? n - 1 - step : step;
            Context& context = out[i];
            their_rows_.next<forward>(ours[i], their_places_, [&](uint32_t j, uint32_t length) {
                if (length > context.longest) {
                    context.second = context.longest;
                    context.longest = length;
                    context.place = j;
                } else if (length > context.second) {
                    context.second = length;
                }
            });
            own_rows_.next<forward>(ours[i], own_places_, [&](uint32_t j, uint32_t length) {
                if (j != i) context.elsewhere = std::max(context.elsewhere, length);
            });
        }
    }

    // Where each word stands in a text.
    struct Places {
        static constexpr uint32_t kNone = 0xFFFFFFFFu;
        std::vector<uint32_t> heads, next;
        void set(WordNumbers text, uint32_t distinct) {
            heads.assign(distinct, kNone);
            next.resize(text.size());
            for (auto i = uint32_t(text.size()); i-- > 0;) {
                next[i] = heads[text[i]];
                heads[text[i]] = i;
            }
        }
    };

    // Two rows of the table of one text. A cell more at either end spares asking where the text ends.
    class Rows {
    public:
        void start(WordNumbers text) {
            for (auto& row : rows_) row.assign(text.size() + 2, 0);
            before_ = Places::kNone;
        }
        template <bool forward, class Visit>
        void next(uint32_t word, const Places& places, Visit visit) {
            std::vector<uint32_t>&now = rows_[0], &last = rows_[1];
            for (uint32_t j = places.heads[word]; j != Places::kNone; j = places.next[j]) {
                const uint32_t length = last[forward ? j + 2 : j] + 1;
                now[j + 1] = length;
                visit(j, length);
            }
            if (before_ != Places::kNone)
                for (uint32_t j = places.heads[before_]; j != Places::kNone; j = places.next[j]) last[j + 1] = 0;
            before_ = word;
            std::swap(now, last);
        }

    private:
        std::vector<uint32_t> rows_[2];
        uint32_t before_ = Places::kNone;
    };

    // Pairs that stand in the same order on both sides.
    int64_t increasing(size_t reference_length) {
        tree_.assign(reference_length + 1, 0);
        int64_t found = 0;
        for (const uint32_t place : order_) {
            for (size_t k = place; k > 0; k &= k - 1) found += tree_[k];  // earlier ones further left
            for (size_t k = place + 1; k <= reference_length; k += k & (~k + 1)) ++tree_[k];
        }
        return found;
    }

    SegmentWords words_;
    double alpha_, beta_;
    std::vector<uint32_t> order_, own_counts_, their_counts_, places_;
    Places own_places_, their_places_;
    Rows own_rows_, their_rows_;
    std::vector<int64_t> tree_;
    std::vector<Context> right_, left_;
};

}  // namespace tertium
