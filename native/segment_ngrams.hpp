// The n-grams that a hypothesis shares with its references, in two ways: as bit masks of the places where they end in
// short references, and as numbers, order by order, for lines of any length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "references.hpp"

namespace tertium {

// For references of up to 64 words. Bit i of a word's mask: it stands at place i of the reference. An n-gram of the
// hypothesis ends in the reference where (ends of the n-1-gram before its last word, moved by one) and (that word's
// mask) agree.
class NgramEnds {
public:
    static constexpr uint32_t kLongest = 64;

    static bool fits(const WordsView* references, size_t n) {
        return std::all_of(references, references + n, [](const WordsView& r) { return r.size <= kLongest; });
    }
    void index(const WordsView* references, size_t n_references) {
        n_references_ = n_references;
        size_t total = 0;
        for (size_t r = 0; r < n_references; ++r) total += references[r].size;
        table_.clear(total);
        masks_.assign(total * n_references, 0);
        for (size_t r = 0; r < n_references; ++r)
            for (uint32_t i = 0; i < references[r].size; ++i)
                masks_[table_.add(references[r].words[i], references[r].base) * n_references + r] |= uint64_t(1) << i;
    }
    // Calls visit(position in the hypothesis, reference, n - 1, ends) for every n-gram that stands in that reference.
    template <class Visit>
    void walk(const std::vector<Word>& words, const char* base, size_t order, Visit&& visit) {
        ends_.assign(n_references_ * order, 0);
        running_.assign(n_references_, 0);
        if (n_references_ == 1) {  // the usual case, with everything in registers
            size_t running = 0;
            for (size_t i = 0; i < words.size(); ++i) {
                const uint32_t number = table_.find(words[i], base);
                const uint64_t mask = number == WordTable::kUnknown ? 0 : masks_[number];
                running = step(ends_.data(), running, mask, order, [&](size_t n, uint64_t ends) { visit(i, 0, n, ends); });
            }
            return;
        }
        for (size_t i = 0; i < words.size(); ++i) {
            const uint32_t number = table_.find(words[i], base);
            for (size_t r = 0; r < n_references_; ++r) {
                const uint64_t mask = number == WordTable::kUnknown ? 0 : masks_[number * n_references_ + r];
                running_[r] = step(ends_.data() + r * order, running_[r], mask, order,
                                   [&](size_t n, uint64_t ends) { visit(i, r, n, ends); });
            }
        }
    }

private:
    // To the next word; answers the order of the longest match that ends here. No order beyond the longest match that
    // ended before, and one more, can change.
    template <class Visit>
    static size_t step(uint64_t* ends, size_t running, uint64_t mask, size_t order, Visit&& visit) {
        size_t matched = 0;
        for (size_t n = std::min(running + 1, order); n-- > 0;) {  // downwards: n reads the old n - 1
            ends[n] = n ? (ends[n - 1] << 1) & mask : mask;
            if (!ends[n]) continue;
            matched = std::max(matched, n + 1);
            visit(n, ends[n]);
        }
        return matched;
    }

    WordTable table_;
    size_t n_references_ = 0;
    std::vector<uint64_t> masks_, ends_;
    std::vector<size_t> running_;
};

// Numbers for the n-grams of the references, order by order, and for those of the hypothesis that are among them.
class NgramNumbers {
public:
    static constexpr uint32_t kUnknown = 0xFFFFFFFFu;

    // Order 1. Entry i of a text's numbers is the n-gram that begins at its word i.
    void start(const WordsView* references, size_t n_references, const std::vector<Word>& words, const char* base) {
        order_ = 1;
        total_ = 0;
        for (size_t r = 0; r < n_references; ++r) total_ += references[r].size;
        table_.clear(total_);
        if (texts_.size() <= n_references) texts_.resize(n_references + 1);
        n_references_ = n_references;
        for (size_t r = 0; r < n_references; ++r) {
            Text& text = texts_[r];
            text.words.resize(references[r].size);
            for (uint32_t i = 0; i < references[r].size; ++i)
                text.words[i] = table_.add(references[r].words[i], references[r].base);
            text.numbers = text.words;
        }
        Text& own = texts_[n_references];
        own.words.resize(words.size());
        for (size_t i = 0; i < words.size(); ++i) own.words[i] = table_.find(words[i], base);
        own.numbers = own.words;
        distinct_ = table_.size();
    }
    void next() {
        pairs_.clear(total_);
        for (size_t t = 0; t <= n_references_; ++t) {
            Text& text = texts_[t];
            text.numbers.resize(text.words.size() > order_ ? text.words.size() - order_ : 0);
            for (size_t i = 0; i < text.numbers.size(); ++i) {
                const uint32_t word = text.words[i + order_];
                uint32_t& number = text.numbers[i];
                if (number == kUnknown || word == kUnknown) number = kUnknown;
                else number = t < n_references_ ? pairs_.add(number, word) : pairs_.find(number, word);
            }
        }
        distinct_ = pairs_.size();
        ++order_;
    }
    size_t distinct() const { return distinct_; }
    const std::vector<uint32_t>& of_reference(size_t r) const { return texts_[r].numbers; }
    const std::vector<uint32_t>& of_hypothesis() const { return texts_[n_references_].numbers; }

    // most[number] becomes the largest count of any reference.
    void clipped_at(std::vector<int64_t>& most) {
        most.assign(distinct_, 0);
        for (size_t r = 0; r < n_references_; ++r) {
            count(of_reference(r), one_);
            for (const uint32_t number : of_reference(r)) most[number] = std::max(most[number], one_[number]);
        }
    }
    void count(const std::vector<uint32_t>& numbers, std::vector<int64_t>& counts) const {
        counts.assign(distinct_, 0);
        for (const uint32_t number : numbers)
            if (number != kUnknown) ++counts[number];
    }

private:
    static_assert(WordTable::kUnknown == kUnknown && PairTable::kUnknown == kUnknown);
    struct Text {
        std::vector<uint32_t> words, numbers;
    };
    WordTable table_;
    PairTable pairs_;
    std::vector<Text> texts_;  // the references, then the hypothesis
    std::vector<int64_t> one_;
    size_t n_references_ = 0, total_ = 0, distinct_ = 0, order_ = 1;
};

}  // namespace tertium
