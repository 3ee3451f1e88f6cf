// The words of one segment as small numbers: equal words of the hypothesis and its references have equal numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "references.hpp"
#include "words.hpp"

namespace tertium {

using WordNumbers = std::span<const uint32_t>;

class SegmentWords {
public:
    explicit SegmentWords(Tokenizer tokenizer) : tokenizer_(tokenizer) {}

    void read(std::string_view hypothesis, const WordsView* references, size_t n_references) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        size_t total = words_.size();
        for (size_t r = 0; r < n_references; ++r) total += references[r].size;
        table_.clear(total);
        numbers_.resize(total);
        starts_.assign(1, 0);
        uint32_t* to = numbers_.data();
        const WordsView own = hypothesis_view();
        to = number(own, to);
        for (size_t r = 0; r < n_references; ++r) {
            starts_.push_back(size_t(to - numbers_.data()));
            to = number(references[r], to);
        }
        starts_.push_back(total);
    }

    WordNumbers hypothesis() const { return part(0); }
    WordNumbers reference(size_t r) const { return part(r + 1); }
    uint32_t distinct() const { return table_.size(); }  // all numbers are below
    WordsView hypothesis_view() const { return {words_.data(), uint32_t(words_.size()), tokens_.text().data()}; }

private:
    WordNumbers part(size_t i) const { return {numbers_.data() + starts_[i], starts_[i + 1] - starts_[i]}; }
    uint32_t* number(const WordsView& view, uint32_t* to) {
        for (uint32_t i = 0; i < view.size; ++i) *to++ = table_.add(view.words[i], view.base);
        return to;
    }
    Tokenizer tokenizer_;
    Tokens tokens_;
    std::vector<Word> words_;
    WordTable table_;
    std::vector<uint32_t> numbers_;
    std::vector<size_t> starts_;
};

// How many words two texts have in common, counted with repetition. All numbers are below `distinct`.
inline int64_t common_words(WordNumbers ours, WordNumbers theirs, uint32_t distinct, std::vector<int32_t>& counts) {
    counts.assign(distinct, 0);
    for (const uint32_t word : theirs) ++counts[word];
    int64_t common = 0;
    for (const uint32_t word : ours) common += counts[word]-- > 0;
    return common;
}

}  // namespace tertium
