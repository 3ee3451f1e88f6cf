// Errors of a hypothesis against one reference, word by word: WER (edit distance), PER (bags of words) and CDER (edit
// distance in which the hypothesis may be read in any order of blocks).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "references.hpp"
#include "wide_rows.hpp"

namespace tertium {

// Insertions are reference words that the hypothesis lacks, deletions are hypothesis words that the reference lacks.
struct WordEdits {
    int64_t insertions = 0, deletions = 0, substitutions = 0;
    int64_t total() const { return insertions + deletions + substitutions; }
};

// The hypothesis of a segment, tokenised once for all its references.
class HypothesisWords {
public:
    explicit HypothesisWords(Tokenizer tokenizer) : tokenizer_(tokenizer) {}
    void read(std::string_view text) {
        tokenizer_(text, tokens_);
        words.clear();
        words_of(tokens_, words);
        base = tokens_.text().data();
    }
    size_t size() const { return words.size(); }
    std::vector<Word> words;
    const char* base = nullptr;

private:
    Tokenizer tokenizer_;
    Tokens tokens_;
};

// Word edit distance by kinds, on the path that prefers, from the end, to pair two words, then to delete a word of the
// hypothesis, then to insert one of the reference.
class WerKernel {
public:
    WordEdits edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        if (reference.size == 0 || hypothesis.size() == 0) return {int64_t(reference.size), int64_t(hypothesis.size()), 0};
        return reference.size <= 64 ? short_edits(hypothesis, reference) : long_edits(hypothesis, reference);
    }

private:
    WordEdits short_edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        const size_t n_hyp = hypothesis.size();
        table_.clear(reference.size);
        masks_.assign(reference.size, 0);
        for (uint32_t j = 0; j < reference.size; ++j)
            masks_[table_.add(reference.words[j], reference.base)] |= uint64_t{1} << j;
        if (rows_.size() < n_hyp) rows_.resize(n_hyp);
        TerBits row{~uint64_t{0}, 0};
        for (size_t i = 0; i < n_hyp; ++i) {
            const uint32_t number = table_.find(hypothesis.words[i], hypothesis.base);
            const uint64_t matches = number == WordTable::kUnknown ? 0 : masks_[number];
            const TerMarks marks = next_row(row, matches);
            rows_[i] = {matches | ~marks.as_diagonal, marks.above_plus, matches};
        }
        WordEdits counts;
        auto i = int32_t(n_hyp), j = int32_t(reference.size);
        while (i > 0 && j > 0) {
            const Row& now = rows_[i - 1];
            const uint64_t bit = uint64_t{1} << (j - 1);
            if (now.pairs & bit) {
                counts.substitutions += !(now.matches & bit);
                --i, --j;
            } else if (now.above_plus & bit) {
                ++counts.deletions;
                --i;
            } else {
                ++counts.insertions;
                --j;
            }
        }
        counts.deletions += i;
        counts.insertions += j;
        return counts;
    }

    WordEdits long_edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        table_.clear(reference.size + hypothesis.size());
        numbers_.clear();
        for (uint32_t j = 0; j < reference.size; ++j) numbers_.push_back(table_.add(reference.words[j], reference.base));
        long_reference_.assign(numbers_.data(), numbers_.size());
        numbers_.clear();
        for (const Word& word : hypothesis.words) numbers_.push_back(table_.add(word, hypothesis.base));
        long_reference_.number_hypothesis(numbers_.data(), numbers_.size(), long_words_);
        WordEdits counts;
        path_.walk_back(
            long_words_, long_reference_,
            [&](TerStep step, bool equal) {
                if (step == TerStep::left) ++counts.insertions;
                else if (step == TerStep::up) ++counts.deletions;
                else counts.substitutions += !equal;
            },
            [&](int32_t hypothesis_left, int32_t reference_left) {
                counts.deletions += hypothesis_left;
                counts.insertions += reference_left;
            });
        return counts;
    }

    // Per hypothesis word: the reference words it may be paired with on a cheapest path, see TerMarks, and those equal.
    struct Row {
        uint64_t pairs, above_plus, matches;
    };
    WordTable table_;
    std::vector<uint64_t> masks_;
    std::vector<Row> rows_;
    std::vector<uint32_t> numbers_;
    TerReference long_reference_;
    TerWords long_words_;
    WidePath path_;
};

// How many words the two bags have in common.
class PerKernel {
public:
    int64_t matches(const HypothesisWords& hypothesis, const WordsView& reference) {
        table_.clear(reference.size);
        left_.assign(reference.size, 0);
        for (uint32_t j = 0; j < reference.size; ++j) ++left_[table_.add(reference.words[j], reference.base)];
        int64_t found = 0;
        for (const Word& word : hypothesis.words) {
            const uint32_t number = table_.find(word, hypothesis.base);
            if (number == WordTable::kUnknown || left_[number] == 0) continue;
            --left_[number];
            ++found;
        }
        return found;
    }

private:
    WordTable table_;
    std::vector<int32_t> left_;
};

// CDER. Row l of the table stands for the first l words of the reference, column i for the position behind word i of the
// hypothesis; since a jump to any position costs one, all cells of a row cost its minimum or one more. So a row is the
// set of positions at the minimum. A reference word that follows one of them is matched for nothing: only positions
// behind such matches stay at the minimum. If there is none, the minimum rises by one, and with it all positions
// at the old minimum, those behind them (a substitution) and those behind any occurrence of the word (a jump).
class CderKernel {
public:
    int64_t edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        const size_t n = hypothesis.size();
        if (n == 0) return reference.size;
        return n < 64 ? short_edits(hypothesis, reference) : long_edits(hypothesis, reference);
    }

private:
    int64_t short_edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        const size_t n = hypothesis.size();
        table_.clear(n);
        masks_.assign(n, 0);
        for (size_t i = 0; i < n; ++i) masks_[table_.add(hypothesis.words[i], hypothesis.base)] |= uint64_t{2} << i;
        uint64_t cheapest = 1;
        int64_t minimum = 0;
        for (uint32_t j = 0; j < reference.size; ++j) {
            const uint32_t number = table_.find(reference.words[j], reference.base);
            const uint64_t behind = number == WordTable::kUnknown ? 0 : masks_[number];
            const uint64_t matched = cheapest << 1 & behind;
            minimum += matched == 0;
            cheapest = matched ? matched : cheapest | cheapest << 1 | behind;
        }
        return minimum + !(cheapest >> n & 1);
    }

    int64_t long_edits(const HypothesisWords& hypothesis, const WordsView& reference) {
        const size_t n = hypothesis.size();
        number_positions(hypothesis);
        cheapest_.assign(blocks_for(n + 1), 0);
        cheapest_[0] = 1;
        int64_t minimum = 0;
        for (uint32_t j = 0; j < reference.size; ++j) {
            const uint32_t number = table_.find(reference.words[j], reference.base);
            const bool known = number != WordTable::kUnknown;
            const uint32_t* begin = positions_.data() + (known ? starts_[number] : 0);
            const uint32_t* end = known ? positions_.data() + starts_[number + 1] : begin;
            matched_.clear();
            for (const uint32_t* p = begin; p != end; ++p)
                if (cheapest_[*p / 64] >> *p % 64 & 1) matched_.push_back(*p);
            if (matched_.empty()) {
                ++minimum;
                uint64_t carry = 0;
                for (uint64_t& block : cheapest_) {
                    const uint64_t out = block >> 63;
                    block |= block << 1 | carry;
                    carry = out;
                }
                matched_.assign(begin, end);
            } else {
                std::fill(cheapest_.begin(), cheapest_.end(), 0);
            }
            for (const uint32_t p : matched_) cheapest_[(p + 1) / 64] |= uint64_t{1} << (p + 1) % 64;
        }
        return minimum + !(cheapest_[n / 64] >> n % 64 & 1);
    }

    // positions_[starts_[w]] and on: where word w stands in the hypothesis.
    void number_positions(const HypothesisWords& hypothesis) {
        const size_t n = hypothesis.size();
        table_.clear(n);
        numbers_.clear();
        for (const Word& word : hypothesis.words) numbers_.push_back(table_.add(word, hypothesis.base));
        starts_.assign(table_.size() + 2, 0);
        for (const uint32_t number : numbers_) ++starts_[number + 2];
        for (size_t w = 2; w < starts_.size(); ++w) starts_[w] += starts_[w - 1];
        positions_.resize(n);
        for (size_t i = 0; i < n; ++i) positions_[starts_[numbers_[i] + 1]++] = uint32_t(i);
    }

    WordTable table_;
    std::vector<uint64_t> masks_, cheapest_;
    std::vector<uint32_t> numbers_, starts_, positions_, matched_;
};

}  // namespace tertium
