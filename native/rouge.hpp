// ROUGE (Lin 2004): overlap of n-grams, of the longest common subsequence, of the weighted one and of skip-bigrams,
// as precision, recall and F of a segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exact_sum.hpp"
#include "lcs.hpp"
#include "ngram_match.hpp"
#include "segment_words.hpp"
#include "skip_bigrams.hpp"

namespace tertium {

enum class RougeKind { ngrams, subsequence, summary, weighted, skip };

struct RougeOptions {
    RougeKind kind = RougeKind::ngrams;
    int order = 1;        // of n-grams
    double beta = 1;      // of F
    double weight = 1.2;  // of the weighted subsequence
    uint64_t gap = SkipBigrams::kAnyGap;
    bool original = false;  // as ROUGE 1.5.5 computes -W and -SU
};

// Per segment: precision, recall and F of the reference with the best F (the first of equals) as digits, and 1. Of
// skip-bigrams the same twice: with words beside them (-SU), and before the 1 without (-S).
class RougeKernel {
public:
    static constexpr size_t kScore = 3 * kDigits;
    static constexpr size_t columns(RougeKind kind) { return (kind == RougeKind::skip ? 2 : 1) * kScore + 1; }

    RougeKernel(Tokenizer tokenizer, const RougeOptions& options)
        : options_(options), words_(tokenizer), weighted_(options.weight), matches_(size_t(options.order)) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        words_.read(hypothesis, references, n_references);
        if (options_.kind == RougeKind::summary) sentences_of(words_.hypothesis_view(), own_sentences_);
        Score best, best_pairs;
        for (size_t r = 0; r < n_references; ++r) {
            if (options_.kind == RougeKind::summary) sentences_of(references[r], their_sentences_);
            keep_better(compare(words_.hypothesis(), words_.reference(r)), r == 0, best);
            if (options_.kind == RougeKind::skip) keep_better(pairs_, r == 0, best_pairs);
        }
        row = written(best, row);
        if (options_.kind == RougeKind::skip) row = written(best_pairs, row);
        *row = 1;
    }

private:
    struct Score {
        double precision = 0, recall = 0, f = 0;
    };
    void keep_better(Score score, bool first, Score& best) const {
        const double square = options_.beta * options_.beta;
        const double weighted = square * score.precision + score.recall;
        score.f = weighted > 0 ? (1 + square) * score.precision * score.recall / weighted : 0;
        if (first || score.f > best.f) best = score;
    }
    static int64_t* written(const Score& score, int64_t* row) {
        to_digits(score.precision, row);
        to_digits(score.recall, row + kDigits);
        to_digits(score.f, row + 2 * kDigits);
        return row + kScore;
    }
    static Score of_counts(int64_t matches, int64_t hypothesis, int64_t reference) {
        const auto found = double(matches);
        return {found / double(std::max<int64_t>(1, hypothesis)), found / double(std::max<int64_t>(1, reference))};
    }

    Score compare(WordNumbers ours, WordNumbers theirs) {
        const auto n = int64_t(ours.size()), m = int64_t(theirs.size());
        switch (options_.kind) {
            case RougeKind::ngrams: {
                if (options_.order == 1) return of_counts(common_words(ours, theirs, words_.distinct(), counts_), n, m);
                const auto order = size_t(options_.order);
                matcher_.match(theirs.data(), theirs.size(), ours.data(), ours.size(), words_.distinct(), order,
                               matches_.data());
                return of_counts(matches_[order - 1], n - options_.order + 1, m - options_.order + 1);
            }
            case RougeKind::subsequence: return of_counts(int64_t(common_.length(theirs, ours, words_.distinct())), n, m);
            case RougeKind::summary: return of_counts(union_hits(ours, theirs), n, m);
            case RougeKind::weighted: return by_weight(ours, theirs);
            case RougeKind::skip: break;
        }
        int64_t matches = skips_.match(theirs, ours, words_.distinct(), options_.gap);
        int64_t own = SkipBigrams::count(ours.size(), options_.gap), their = SkipBigrams::count(theirs.size(), options_.gap);
        pairs_ = of_counts(matches, own, their);
        // ROUGE 1.5.5 does not count the last word of a text.
        if (options_.original && n) ours = ours.first(ours.size() - 1);
        if (options_.original && m) theirs = theirs.first(theirs.size() - 1);
        matches += common_words(ours, theirs, words_.distinct(), counts_);
        return of_counts(matches, own + int64_t(ours.size()), their + int64_t(theirs.size()));
    }

    Score by_weight(WordNumbers ours, WordNumbers theirs) {
        if (ours.empty() || theirs.empty()) return {};
        if (options_.original) {  // the root is taken before dividing, and the reference's length is weighted
            const double length = weighted_.root(weighted_.marked(theirs, ours));
            return {length / double(ours.size()), length / weighted_.power(theirs.size())};
        }
        const double length = weighted_.length(theirs, ours);
        return {weighted_.root(length / weighted_.power(ours.size())), weighted_.root(length / weighted_.power(theirs.size()))};
    }

    // Where sentences end, as numbers of words: a line end stands between two words.
    static void sentences_of(const WordsView& view, std::vector<size_t>& ends) {
        ends.clear();
        for (uint32_t i = 1; i < view.size; ++i) {
            const Word& before = view.words[i - 1];
            const std::string_view between(view.base + before.begin + before.size,
                                           view.words[i].begin - before.begin - before.size);
            if (between.find('\n') != std::string_view::npos) ends.push_back(i);
        }
        if (view.size) ends.push_back(view.size);
    }

    // A word of the reference is hit if it is in the subsequence with any sentence of the hypothesis; each
    // occurrence of a word counts at most as often as both texts have it.
    int64_t union_hits(WordNumbers ours, WordNumbers theirs) {
        own_left_.assign(words_.distinct(), 0);
        for (const uint32_t word : ours) ++own_left_[word];
        int64_t hits = 0;
        size_t begin = 0;
        for (const size_t end : their_sentences_) {
            const WordNumbers sentence = theirs.subspan(begin, end - begin);
            taken_.assign(sentence.size(), 0);
            size_t own_begin = 0;
            for (const size_t own_end : own_sentences_) {
                common_.mark(sentence, ours.subspan(own_begin, own_end - own_begin), words_.distinct(), taken_);
                own_begin = own_end;
            }
            for (size_t i = 0; i < sentence.size(); ++i)
                if (taken_[i] && own_left_[sentence[i]] > 0) {
                    --own_left_[sentence[i]];
                    ++hits;
                }
            begin = end;
        }
        return hits;
    }

    RougeOptions options_;
    Score pairs_;  // of skip-bigrams alone
    SegmentWords words_;
    NgramMatcher matcher_;
    CommonSubsequence common_;
    WeightedSubsequence weighted_;
    SkipBigrams skips_;
    std::vector<int64_t> matches_;
    std::vector<size_t> own_sentences_, their_sentences_;
    std::vector<int32_t> counts_, own_left_;
    std::vector<char> taken_;
};

}  // namespace tertium
