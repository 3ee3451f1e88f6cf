// The tokeniser `rouge`: lower case, and only the letters a to z and digits make words, as in ROUGE 1.5.5 and
// rouge-score. With a stemmer, words of more than three characters are stemmed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "stem_porter.hpp"
#include "tokens.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace tertium {

enum class RougeStem { none, porter, nltk };

namespace rouge_detail {

// What a byte becomes: a letter or digit, a line end (ROUGE-Lsum looks for them between words), or a blank.
constexpr std::array<char, 256> kinds = [] {
    std::array<char, 256> table{};
    for (char& kind : table) kind = ' ';
    for (int c = '0'; c <= '9'; ++c) table[size_t(c)] = char(c);
    for (int c = 'a'; c <= 'z'; ++c) table[size_t(c)] = table[size_t(c - 32)] = char(c);
    table['\n'] = '\n';
    return table;
}();

// Rewrites 64 bytes and returns a bit for each that belongs to a word.
// `beyond` becomes true if one is beyond ASCII.
inline uint64_t rewrite64(const char* from, char* to, bool& beyond) {
    uint64_t words = 0;
#ifdef __SSE2__
    const auto in_range = [](__m128i bytes, char first, char last) {
        const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
        return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(char(last - first))), offset);
    };
    int signs = 0;
    for (int i = 0; i < 64; i += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
        signs |= _mm_movemask_epi8(bytes);
        const __m128i lowered = _mm_or_si128(bytes, _mm_and_si128(in_range(bytes, 'A', 'Z'), _mm_set1_epi8(0x20)));
        const __m128i kept = _mm_or_si128(in_range(lowered, 'a', 'z'), in_range(bytes, '0', '9'));
        const __m128i line_end = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
        const __m128i gap = _mm_sub_epi8(_mm_set1_epi8(' '), _mm_and_si128(line_end, _mm_set1_epi8(' ' - '\n')));
        const __m128i made = _mm_or_si128(_mm_and_si128(kept, lowered), _mm_andnot_si128(kept, gap));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), made);
        words |= uint64_t(unsigned(_mm_movemask_epi8(kept))) << i;
    }
    beyond |= signs != 0;
#else
    for (int i = 0; i < 64; ++i) {
        to[i] = kinds[static_cast<unsigned char>(from[i])];
        words |= uint64_t(to[i] > ' ') << i;
        beyond |= static_cast<unsigned char>(from[i]) >= 0x80;
    }
#endif
    return words;
}

// Only two characters beyond ASCII have an ASCII letter in their lower case: the Kelvin sign and the dotted capital I,
// whose lower case is an i and a combining dot. The former becomes k, the latter i and a blank.
inline std::string with_ascii_letters(std::string_view input) {
    std::string text;
    for (size_t i = 0; i < input.size(); ++i) {
        if (input.substr(i, 3) == "\xE2\x84\xAA") {
            text += 'k';
            i += 2;
        } else if (input.substr(i, 2) == "\xC4\xB0") {
            text += "i ";
            ++i;
        } else {
            text += input[i];
        }
    }
    return text;
}
inline bool has_ascii_letters(std::string_view input) {
    return input.find("\xC4\xB0") != std::string_view::npos || input.find("\xE2\x84\xAA") != std::string_view::npos;
}

}  // namespace rouge_detail

// Spans index the rewritten text, which is as long as the input.
template <RougeStem stem>
void tokenize_rouge(std::string_view input, Tokens& out) {
    using namespace rouge_detail;
    out.start(input);
    bool beyond = false;
    out.rewritten.resize(input.size() + 64);
    char* const to = out.rewritten.data();
    uint64_t last = 0;  // whether the byte before belongs to a word
    size_t begin = 0;
    const auto finish = [&](size_t end) {
        if constexpr (stem != RougeStem::none)
            if (end - begin > 3) end = begin + PorterStem::stem(to + begin, end - begin, stem == RougeStem::nltk);
        out.add(begin, end);
    };
    for (size_t at = 0; at < input.size(); at += 64) {
        char rest[64];
        const char* block = input.data() + at;
        if (input.size() - at < 64) {
            std::memset(rest, ' ', 64);
            block = static_cast<const char*>(std::memcpy(rest, block, input.size() - at));
        }
        const uint64_t words = rewrite64(block, to + at, beyond);
        for (uint64_t edges = words ^ (words << 1 | last); edges; edges &= edges - 1) {
            const size_t edge = at + size_t(std::countr_zero(edges));
            if (words >> (edge - at) & 1) begin = edge;
            else finish(edge);
        }
        last = words >> 63;
    }
    if (last) finish(input.size());  // only a text that fills its last block ends within a word
    if (beyond && has_ascii_letters(input)) return tokenize_rouge<stem>(with_ascii_letters(input), out);
    out.rewritten.resize(input.size());
    out.use_rewritten();
}

}  // namespace tertium
