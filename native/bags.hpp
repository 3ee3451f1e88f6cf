// Metrics that compare two bags: GLEU of Wu et al. 2016 (n-grams of all orders in one bag), and lexical overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact_sum.hpp"
#include "ngram_match.hpp"
#include "segment_words.hpp"

namespace tertium {

// Per segment: matched n-grams, and n-grams of the longer of the two texts; of the reference with the best ratio, the
// first of equals.
class GleuKernel {
public:
    static constexpr size_t kColumns = 2;

    GleuKernel(Tokenizer tokenizer, int least, int most)
        : words_(tokenizer), least_(least), most_(most), matches_(size_t(most)) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        words_.read(hypothesis, references, n_references);
        row[0] = row[1] = 0;
        const WordNumbers ours = words_.hypothesis();
        const int64_t own = ngrams(int64_t(ours.size()));
        double best = -1;
        for (size_t r = 0; r < n_references; ++r) {
            const WordNumbers theirs = words_.reference(r);
            const int64_t all = std::max(own, ngrams(int64_t(theirs.size())));
            if (all == 0) continue;
            matcher_.match(theirs.data(), theirs.size(), ours.data(), ours.size(), words_.distinct(), size_t(most_),
                           matches_.data());
            int64_t found = 0;
            for (int n = least_; n <= most_; ++n) found += matches_[size_t(n - 1)];
            const double score = double(found) / double(all);
            if (score <= best) continue;
            best = score;
            row[0] = found;
            row[1] = all;
        }
    }

private:
    int64_t ngrams(int64_t length) const {
        int64_t sum = 0;
        for (int n = least_; n <= most_; ++n) sum += std::max<int64_t>(0, length - n + 1);
        return sum;
    }
    SegmentWords words_;
    NgramMatcher matcher_;
    int least_, most_;
    std::vector<int64_t> matches_;
};

// Per segment: words in common over words in either, counted with repetition, as digits; and 1. The best reference.
class OverlapKernel {
public:
    static constexpr size_t kColumns = kDigits + 1;

    explicit OverlapKernel(Tokenizer tokenizer) : words_(tokenizer) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        words_.read(hypothesis, references, n_references);
        double best = 0;
        for (size_t r = 0; r < n_references; ++r) {
            const int64_t common = common_words(words_.hypothesis(), words_.reference(r), words_.distinct(), counts_);
            const auto all = int64_t(words_.hypothesis().size() + words_.reference(r).size()) - common;
            if (all > 0) best = std::max(best, double(common) / double(all));
        }
        to_digits(best, row);
        row[kDigits] = 1;
    }

private:
    SegmentWords words_;
    std::vector<int32_t> counts_;
};

}  // namespace tertium
