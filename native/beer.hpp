// BEER's features (Stanojević and Sima'an 2014, 2015): how much a hypothesis and a reference share, in characters, words
// and pairs of words, as the program of 2015 counts it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngram_intern.hpp"
#include "segment_words.hpp"
#include "skip_bigrams.hpp"
#include "utf8.hpp"

namespace tertium {

class BeerFeatures {
public:
    static constexpr size_t kCharacters = 6, kWords = 4, kGaps = 5, kOfPair = 4;
    static constexpr size_t kFeatures = kOfPair * (kCharacters + kWords + kGaps) + 2;

    explicit BeerFeatures(Tokenizer tokenizer) : words_(tokenizer) {}

    void read(std::string_view hypothesis, const WordsView* references, size_t n_references) {
        words_.read(hypothesis, references, n_references);
        references_ = references;
        decode(words_.hypothesis_view(), hypothesis_);
    }

    // Against one of the references that were read.
    void operator()(size_t r, double* out) {
        decode(references_[r], reference_);
        out = characters(out);
        out = word_runs(words_.hypothesis(), words_.reference(r), out);
        out = pairs(words_.hypothesis(), words_.reference(r), out);
        *out++ = imbalance(words_.hypothesis().size(), words_.reference(r).size());
        *out = imbalance(hypothesis_.size(), reference_.size());
    }

private:
    // The words with a blank between them.
    static void decode(const WordsView& view, std::vector<uint32_t>& out) {
        out.clear();
        for (uint32_t i = 0; i < view.size; ++i) {
            if (i) out.push_back(U' ');
            const char* p = view.base + view.words[i].begin;
            for (const char* const end = p + view.words[i].size; p < end;) out.push_back(utf8_next(p));
        }
    }

    static double* shares(int64_t matches, int64_t ours, int64_t theirs, double* out) {
        const double p = ours > 0 ? double(matches) / double(ours) : 0;
        const double r = theirs > 0 ? double(matches) / double(theirs) : 0;
        *out++ = std::min(p, r);
        *out++ = std::max(p, r);
        *out++ = p + r > 0 ? 2 * p * r / (p + r) : 0;
        *out++ = std::sqrt(p * r);
        return out;
    }

    static double imbalance(size_t a, size_t b) {
        const double least = double(std::min(a, b));
        return double(std::max(a, b)) / std::max(least, 1.0) - 1;
    }

    // What is called order n are runs of n - 1 characters, without the last one: order 1 compares lengths.
    double* characters(double* out) {
        const size_t ours = hypothesis_.size() - !hypothesis_.empty(), theirs = reference_.size() - !reference_.empty();
        out = shares(int64_t(std::min(hypothesis_.size(), reference_.size())), int64_t(hypothesis_.size()),
                     int64_t(reference_.size()), out);
        int64_t matches[kCharacters - 1];
        ngrams_.match(reference_.data(), theirs, hypothesis_.data(), ours, kCharacters - 1, matches);
        for (size_t n = 1; n < kCharacters; ++n) out = shares(matches[n - 1], runs(ours, n), runs(theirs, n), out);
        return out;
    }

    // Runs of words, and two more of each order: the first words of the text, and its last.
    double* word_runs(WordNumbers ours, WordNumbers theirs, double* out) {
        int64_t matches[kWords];
        ngrams_.match(theirs.data(), theirs.size(), ours.data(), ours.size(), kWords, matches);
        for (size_t n = 1; n <= kWords; ++n) {
            const size_t a = std::min(n, ours.size()), b = std::min(n, theirs.size());
            int64_t found = matches[n - 1];
            if (a == b) {
                found += std::equal(ours.begin(), ours.begin() + ptrdiff_t(a), theirs.begin());
                found += std::equal(ours.end() - ptrdiff_t(a), ours.end(), theirs.end() - ptrdiff_t(b));
            }
            out = shares(found, runs(ours.size(), n) + 2, runs(theirs.size(), n) + 2, out);
        }
        return out;
    }

    double* pairs(WordNumbers ours, WordNumbers theirs, double* out) {
        for (size_t g = 1; g <= kGaps; ++g) {
            const uint64_t gap = g == kGaps ? SkipBigrams::kAnyGap : g;
            out = shares(skips_.match(theirs, ours, words_.distinct(), gap), SkipBigrams::count(ours.size(), gap),
                         SkipBigrams::count(theirs.size(), gap), out);
        }
        return out;
    }

    static int64_t runs(size_t length, size_t n) { return length < n ? 0 : int64_t(length - n + 1); }

    SegmentWords words_;
    const WordsView* references_ = nullptr;
    std::vector<uint32_t> hypothesis_, reference_;
    NgramInterner ngrams_;
    SkipBigrams skips_;
};

}  // namespace tertium
