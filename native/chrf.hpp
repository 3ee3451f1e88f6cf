// chrF (Popović 2015) and chrF++ (Popović 2017): rows of n-gram counts, and the score of their sums.
// The numbers are those of sacrebleu 2.6.0, down to the last bit of the F score that picks a reference.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "chrf_line.hpp"
#include "ngram_match.hpp"
#include "symbol_ids.hpp"
#include "words.hpp"

namespace tertium {

// The score from 0 to 100. `totals` are sums of rows: for each order (characters first, then words) the
// n-grams of the hypothesis, of the reference, and the matches. Recall weighs beta times as much as precision.
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((optimize("fp-contract=off")))  // a fused multiply-add would change the last bit
#endif
inline double
chrf_score(const int64_t* totals, const ChrfOptions& options) {
#ifdef __clang__
#pragma clang fp contract(off)
#endif
    constexpr double epsilon = 1e-16;
    // Python's `**` asks the C library; a compiler would write beta * beta, which may round differently.
    volatile double two = 2;
    const double factor = std::pow(options.beta, two);
    const size_t orders = options.orders();
    double mean_precision = 0, mean_recall = 0, smoothed = 0;
    int64_t effective = 0;
    for (size_t n = 0; n < orders; ++n) {
        const auto hypothesis = double(totals[3 * n]), reference = double(totals[3 * n + 1]);
        const auto matches = double(totals[3 * n + 2]);
        if (options.popovic && totals[3 * n + 2] == 0) continue;  // there an order without a match adds nothing
        const double precision = hypothesis > 0 ? matches / hypothesis : epsilon;
        const double recall = reference > 0 ? matches / reference : epsilon;
        const double weighted = factor * precision + recall;
        smoothed += weighted > 0 ? (1 + factor) * precision * recall / weighted : epsilon;
        if (hypothesis > 0 && reference > 0) {
            mean_precision += precision;
            mean_recall += recall;
            ++effective;
        }
    }
    if (options.eps_smoothing || options.popovic) return 100 * smoothed / double(orders);
    if (effective == 0) return 0;
    mean_precision /= double(effective);
    mean_recall /= double(effective);
    if (mean_precision + mean_recall == 0) return 0;
    const double score = (1 + factor) * mean_precision * mean_recall / (factor * mean_precision + mean_recall);
    return 100 * score;
}

// What scoring rows needs to keep between calls, one per thread.
class ChrfScratch {
public:
    NgramPath path() const { return matcher_.path; }
    void set_path(NgramPath path) { matcher_.path = path; }  // for tests: the rows are the same

    // See chrf_row.
    void row(std::string_view hypothesis, const ChrfReferenceView* references, size_t n_references, const ChrfOptions& options,
             int64_t* row) {
        const size_t size = 3 * options.orders();
        if (n_references == 0) {
            std::fill_n(row, size, 0);
            return;
        }
        hypothesis_.analyse(hypothesis, options);
        const ChrfLineView line = hypothesis_.view();
        compare(line, references[0], options, row);
        if (n_references == 1) return;
        double best = chrf_score(row, options);
        candidate_.resize(size);
        for (size_t i = 1; i < n_references; ++i) {
            compare(line, references[i], options, candidate_.data());
            const double score = chrf_score(candidate_.data(), options);
            if (score > best) {
                best = score;
                std::copy_n(candidate_.data(), size, row);
            }
        }
    }

private:
    void compare(const ChrfLineView& hypothesis, const ChrfLineView& reference, const ChrfOptions& options, int64_t* row) {
        const size_t chars = options.char_orders(), words = options.word_orders();
        matches_.resize(chars + words);
        if (hypothesis.wide || reference.wide) {
            compare_wide(hypothesis, reference, chars, words);
        } else {
            compare_narrow(hypothesis, reference, chars, words);
        }
        fill(row, hypothesis.length, reference.length, chars, matches_.data());
        fill(row + 3 * chars, hypothesis.words, reference.words, words, matches_.data() + chars);
    }

    // An order that the reference has no n-grams of does not count the hypothesis' either.
    static void fill(int64_t* row, int64_t hypothesis, int64_t reference, size_t orders, const int64_t* matches) {
        for (size_t n = 0; n < orders; ++n, --hypothesis, --reference) {
            row[3 * n] = reference > 0 ? std::max<int64_t>(hypothesis, 0) : 0;
            row[3 * n + 1] = std::max<int64_t>(reference, 0);
            row[3 * n + 2] = matches[n];
        }
    }

    void compare_narrow(const ChrfLineView& hypothesis, const ChrfLineView& reference, size_t chars, size_t words) {
        const bool foreign = hypothesis.alphabet_size > 0;
        if (foreign) set_translation(hypothesis, reference);
        const size_t alphabet = size_t{128} + reference.alphabet_size + 1;
        const unsigned char* symbols = hypothesis.symbols;
        if (foreign) symbols = translate(hypothesis.symbols, hypothesis.length, translated_);
        matcher_.match(reference.symbols, reference.length, symbols, hypothesis.length, alphabet, chars, matches_.data());
        if (words == 0) return;
        const unsigned char* word_symbols = symbols;
        if (hypothesis.word_symbols != hypothesis.symbols) {
            word_symbols = hypothesis.word_symbols;
            if (foreign) word_symbols = translate(word_symbols, hypothesis.word_length, translated_);
        }
        compare_words(hypothesis, word_symbols, reference, reference.word_symbols, 1, chars, words);
    }

    // From the hypothesis' symbols to the reference's; what the reference lacks gets a number that it never uses.
    void set_translation(const ChrfLineView& hypothesis, const ChrfLineView& reference) {
        const auto absent = static_cast<unsigned char>(128 + reference.alphabet_size);
        for (size_t i = 0; i < reference.alphabet_size; ++i) ids_.set(reference.alphabet[i], uint32_t(128 + i));
        for (size_t i = 0; i < 128; ++i) translation_[i] = static_cast<unsigned char>(i);
        for (size_t i = 0; i < hypothesis.alphabet_size; ++i) {
            const uint32_t id = ids_.find(hypothesis.alphabet[i]);
            translation_[128 + i] = id ? static_cast<unsigned char>(id) : absent;
        }
        for (size_t i = 0; i < reference.alphabet_size; ++i) ids_.set(reference.alphabet[i], 0);
    }

    const unsigned char* translate(const unsigned char* symbols, size_t length, std::vector<unsigned char>& out) {
        if (out.size() < length + ChrfLineView::padding) out.resize(length + ChrfLineView::padding);
        for (size_t i = 0; i < length; ++i) out[i] = translation_[symbols[i]];
        return out.data();
    }

    // Lines that bytes cannot name are rare: both sides become code points, then numbers.
    void compare_wide(const ChrfLineView& hypothesis, const ChrfLineView& reference, size_t chars, size_t words) {
        const char32_t* theirs = code_points(reference, reference.symbols, reference.length, reference_points_);
        const char32_t* ours = code_points(hypothesis, hypothesis.symbols, hypothesis.length, hypothesis_points_);
        reference_ids_.resize(reference.length);
        hypothesis_ids_.resize(hypothesis.length);
        uint32_t next = 1;  // 0 is for what the reference lacks
        for (size_t i = 0; i < reference.length; ++i) {
            reference_ids_[i] = ids_.find(theirs[i]);
            if (reference_ids_[i] == 0) ids_.set(theirs[i], reference_ids_[i] = next++);
        }
        for (size_t i = 0; i < hypothesis.length; ++i) hypothesis_ids_[i] = ids_.find(ours[i]);
        for (size_t i = 0; i < reference.length; ++i) ids_.set(theirs[i], 0);
        matcher_.match(reference_ids_.data(), reference.length, hypothesis_ids_.data(), hypothesis.length, next, chars,
                       matches_.data());
        if (words == 0) return;
        if (reference.word_symbols != reference.symbols || hypothesis.word_symbols != hypothesis.symbols) {
            theirs = code_points(reference, reference.word_symbols, reference.word_length, reference_points_);
            ours = code_points(hypothesis, hypothesis.word_symbols, hypothesis.word_length, hypothesis_points_);
        }
        compare_words(hypothesis, reinterpret_cast<const unsigned char*>(ours), reference,
                      reinterpret_cast<const unsigned char*>(theirs), sizeof(char32_t), chars, words);
    }

    static const char32_t* code_points(const ChrfLineView& line, const unsigned char* symbols, size_t length,
                                       std::vector<char32_t>& out) {
        if (line.wide) return reinterpret_cast<const char32_t*>(symbols);
        out.resize(length + ChrfLineView::padding / sizeof(char32_t));
        for (size_t i = 0; i < length; ++i) out[i] = symbols[i] < 128 ? symbols[i] : line.alphabet[symbols[i] - 128];
        return out.data();
    }

    void compare_words(const ChrfLineView& hypothesis, const unsigned char* ours, const ChrfLineView& reference,
                       const unsigned char* theirs, size_t symbol_size, size_t chars, size_t words) {
        table_.clear(reference.words);
        reference_ids_.resize(reference.words);
        hypothesis_ids_.resize(hypothesis.words);
        uint32_t* id = reference_ids_.data();
        each_word(reference, theirs, symbol_size,
                  [&](const Word& word, const char* base) { *id++ = table_.add(word, base) + 1; });
        id = hypothesis_ids_.data();  // the matcher counts from 1, and 0 is a word that no reference has
        static_assert(WordTable::kUnknown + 1u == 0u);
        each_word(hypothesis, ours, symbol_size,
                  [&](const Word& word, const char* base) { *id++ = table_.find(word, base) + 1; });
        matcher_.match(reference_ids_.data(), reference.words, hypothesis_ids_.data(), hypothesis.words, table_.size() + 1,
                       words, matches_.data() + chars);
    }

    template <class Action>
    static void each_word(const ChrfLineView& line, const unsigned char* symbols, size_t symbol_size, Action action) {
        const char* base = reinterpret_cast<const char*>(symbols);
        const auto act = [&](size_t start, size_t end) {
            const char* word = base + start * symbol_size;
            const size_t bytes = (end - start) * symbol_size;
            static_assert(ChrfLineView::padding >= 8, "a word is one load, however short");
            action(Word{word_key(word, bytes, word + bytes + 8), uint32_t(start * symbol_size), uint32_t(bytes)}, base);
        };
        size_t start = 0;  // the first word starts with the first symbol
        for (size_t block = 0; 64 * block < line.word_length; ++block) {
            for (uint64_t bits = line.word_starts[block] & ~uint64_t{block == 0}; bits; bits &= bits - 1) {
                const size_t next = 64 * block + size_t(std::countr_zero(bits));
                act(start, next);
                start = next;
            }
        }
        if (line.word_length) act(start, line.word_length);
    }

    ChrfLine hypothesis_;
    NgramMatcher matcher_;
    WordTable table_;
    SymbolIds ids_;
    unsigned char translation_[256] = {};
    std::vector<unsigned char> translated_;
    std::vector<char32_t> reference_points_, hypothesis_points_;
    std::vector<uint32_t> reference_ids_, hypothesis_ids_;
    std::vector<int64_t> matches_, candidate_;
};

// Counts `hypothesis` against the reference with the best score, the first of equals. `row` gets, for each order
// (characters first, then words), the n-grams of the hypothesis, of the reference, and the matches; zeros if
// there is no reference. The references must have been analysed with the same options.
inline void chrf_row(std::string_view hypothesis, const ChrfReferenceView* references, size_t n_references,
                     const ChrfOptions& options, ChrfScratch& scratch, int64_t* row) {
    scratch.row(hypothesis, references, n_references, options, row);
}

}  // namespace tertium
