// How much two texts share, where a word weighs the more the rarer it is in its language.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "segment_words.hpp"
#include "string_numbers.hpp"
#include "unicode_letters.hpp"
#include "utf8.hpp"

namespace tertium {

// A list of words, the most frequent first. weight = ln(2 + place), an unlisted word stands behind the last; what does
// not begin with a letter weighs 2.
class WordRanks {
public:
    static constexpr double kOther = 2;

    void add(std::string_view word) { words_.add(word); }
    size_t size() const { return words_.size(); }

    struct Found {
        double weight;
        bool strange;  // begins with a letter, and is not in the list
    };
    Found find(std::string_view word) const {
        const char* p = word.data();
        if (word.empty() || unicode::letter_of(utf8_next(p)) < unicode::Letter::letter) return {kOther, false};
        const uint32_t place = words_.find(word);
        const bool strange = place == StringNumbers::kNone;
        return {std::log(2 + double(strange ? words_.size() : place)), strange};
    }

private:
    StringNumbers words_;
};

// Of the words of either text: how much they weigh on average, and which share of them is strange. Of the strange ones of
// the hypothesis: the share that the reference has not. Then, of either text: the share of weight that the other text
// has, and the weight of words that it has not: of the heaviest, of the three heaviest, of all.
class RareWordFeatures {
public:
    static constexpr size_t kOfSide = 4, kFeatures = 5 + 2 * kOfSide, kHeaviest = 3;

    RareWordFeatures(Tokenizer tokenizer, const WordRanks& ranks) : words_(tokenizer), ranks_(&ranks) {}

    void read(std::string_view hypothesis, const WordsView* references, size_t n_references) {
        words_.read(hypothesis, references, n_references);
        references_ = references;
        look_up(words_.hypothesis_view(), ours_);
    }

    // Against one of the references that were read.
    void operator()(size_t r, double* out) {
        look_up(references_[r], theirs_);
        const WordNumbers ours = words_.hypothesis(), theirs = words_.reference(r);
        mark(theirs);
        size_t strange = 0, missed = 0, their_strange = 0;
        double weight = 0, their_weight = 0;
        for (size_t i = 0; i < ours.size(); ++i) {
            weight += ours_[i].weight;
            strange += ours_[i].strange;
            missed += ours_[i].strange && !there_[ours[i]];
        }
        for (const WordRanks::Found& word : theirs_) {
            their_weight += word.weight;
            their_strange += word.strange;
        }
        *out++ = share(weight, ours.size());
        *out++ = share(their_weight, theirs.size());
        *out++ = share(double(strange), ours.size());
        *out++ = share(double(their_strange), theirs.size());
        *out++ = share(double(missed), ours.size());
        out = side(ours, ours_, weight, out);
        mark(ours);
        side(theirs, theirs_, their_weight, out);
    }

private:
    void look_up(const WordsView& view, std::vector<WordRanks::Found>& out) const {
        out.clear();
        for (uint32_t i = 0; i < view.size; ++i)
            out.push_back(ranks_->find({view.base + view.words[i].begin, view.words[i].size}));
    }
    void mark(WordNumbers words) {
        there_.assign(words_.distinct(), 0);
        for (const uint32_t word : words) there_[word] = 1;
    }
    static double share(double sum, size_t n) { return n ? sum / double(n) : 0; }

    // What the other text, which was marked, has and has not.
    double* side(WordNumbers words, const std::vector<WordRanks::Found>& found, double weight, double* out) {
        missing_.clear();
        for (size_t i = 0; i < words.size(); ++i)
            if (!there_[words[i]]) missing_.push_back(found[i].weight);
        std::sort(missing_.begin(), missing_.end(), std::greater<>());
        double sum = 0, heaviest = 0, heavy = 0;
        for (size_t i = 0; i < missing_.size(); ++i) {
            sum += missing_[i];
            if (i < 1) heaviest = sum;
            if (i < kHeaviest) heavy = sum;
        }
        *out++ = weight > 0 ? 1 - sum / weight : 0;
        *out++ = heaviest;
        *out++ = heavy;
        *out++ = sum;
        return out;
    }

    SegmentWords words_;
    const WordRanks* ranks_;
    const WordsView* references_ = nullptr;
    std::vector<WordRanks::Found> ours_, theirs_;
    std::vector<uint8_t> there_;
    std::vector<double> missing_;
};

}  // namespace tertium
