// ASCII text sixteen bytes at a time: dropping its white space and finding where words start, and
// finding punctuation. With SSSE3 in vectors, elsewhere byte by byte.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "utf8.hpp"

#ifdef __SSSE3__
#include <tmmintrin.h>
#endif

namespace tertium {

// The punctuation of chrF+: Python's string.punctuation.
inline bool is_ascii_punctuation(char32_t c) {
    return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) || (c >= 0x7B && c <= 0x7E);
}

// ORs the low 16 bits of `value` into the bit string at `position`.
inline void or_bits(uint64_t* bits, size_t position, uint64_t value) {
    bits[position >> 6] |= value << (position & 63);
    if ((position & 63) > 48) bits[(position >> 6) + 1] |= value >> (64 - (position & 63));
}

namespace despace_detail {

#ifdef __SSSE3__

// For each set of bytes to keep, out of eight: the shuffle that moves them to the front.
constexpr std::array<uint64_t, 256> make_packing() {
    std::array<uint64_t, 256> table{};
    for (unsigned keep = 0; keep < 256; ++keep) {
        int n = 0;
        for (uint64_t b = 0; b < 8; ++b) {
            if (keep >> b & 1) table[keep] |= b << (8 * n++);
        }
        for (; n < 8; ++n) table[keep] |= uint64_t{0x80} << (8 * n);
    }
    return table;
}
inline constexpr std::array<uint64_t, 256> packing = make_packing();

// 0xFF in each byte from `first` to `last`.
inline __m128i in_range(__m128i bytes, int first, int last) {
    const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(char(first)));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, _mm_set1_epi8(char(last - first))), offset);
}

inline __m128i spaces(__m128i bytes) {
    const __m128i controls = _mm_or_si128(in_range(bytes, 0x09, 0x0D), in_range(bytes, 0x1C, 0x1F));
    return _mm_or_si128(controls, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x20)));
}

#endif

}  // namespace despace_detail

// How many of the 16 bytes stand before the first that is not ASCII.
inline size_t ascii_prefix16(const char* text) {
#ifdef __SSSE3__
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    return size_t(std::countr_zero(unsigned(_mm_movemask_epi8(bytes)) | 0x10000u));
#else
    size_t n = 0;
    while (n < 16 && static_cast<unsigned char>(text[n]) < 0x80) ++n;
    return n;
#endif
}

// Appends the first `count` (1 to 16) of the 16 bytes at `text`, which are ASCII, to the `length` symbols
// without their white space; returns how many were kept. There must be room for 16 symbols more.
// With `find_words`, ORs a bit into `starts`, at the symbol's place, for each that follows white space;
// `after_space` says whether the text before ended in it.
template <bool find_words>
inline size_t despace16(const char* text, size_t count, unsigned char* symbols, size_t length, uint64_t* starts,
                        bool& after_space) {
    unsigned char* out = symbols + length;
#ifdef __SSSE3__
    using namespace despace_detail;
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const __m128i blank = spaces(bytes);
    const unsigned keep = ~unsigned(_mm_movemask_epi8(blank)) & 0xFFFFu >> (16 - count);
    const __m128i low = _mm_cvtsi64_si128(int64_t(packing[keep & 0xFF]));
    const __m128i high = _mm_cvtsi64_si128(int64_t(packing[keep >> 8]));
    const int in_low = std::popcount(keep & 0xFF);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(bytes, low));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + in_low), _mm_shuffle_epi8(_mm_srli_si128(bytes, 8), high));
    if constexpr (find_words) {
        const __m128i before = _mm_alignr_epi8(blank, _mm_set1_epi8(after_space ? -1 : 0), 15);
        const __m128i first = _mm_andnot_si128(blank, before);
        const unsigned in_front = unsigned(_mm_movemask_epi8(_mm_shuffle_epi8(first, low))) & 0xFF;
        const unsigned behind = unsigned(_mm_movemask_epi8(_mm_shuffle_epi8(_mm_srli_si128(first, 8), high))) & 0xFF;
        or_bits(starts, length, in_front | behind << in_low);
        after_space = !(keep >> (count - 1));
    }
    return size_t(std::popcount(keep));
#else
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool blank = is_space(c);
        out[kept] = c;
        if constexpr (find_words) {
            if (after_space && !blank) starts[(length + kept) >> 6] |= uint64_t{1} << ((length + kept) & 63);
            after_space = blank;
        }
        kept += !blank;
    }
    return kept;
#endif
}

// A bit for each of 64 symbols that is ASCII punctuation.
inline uint64_t punctuation64(const unsigned char* symbols) {
    uint64_t bits = 0;
#ifdef __SSSE3__
    using namespace despace_detail;
    for (int i = 0; i < 64; i += 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(symbols + i));
        const __m128i early = _mm_or_si128(in_range(bytes, 0x21, 0x2F), in_range(bytes, 0x3A, 0x40));
        const __m128i late = _mm_or_si128(in_range(bytes, 0x5B, 0x60), in_range(bytes, 0x7B, 0x7E));
        bits |= uint64_t(unsigned(_mm_movemask_epi8(_mm_or_si128(early, late)))) << i;
    }
#else
    for (int i = 0; i < 64; ++i) bits |= uint64_t{is_ascii_punctuation(symbols[i])} << i;
#endif
    return bits;
}

inline uint64_t punctuation64(const char32_t* symbols) {
    uint64_t bits = 0;
    for (int i = 0; i < 64; ++i) bits |= uint64_t{is_ascii_punctuation(symbols[i])} << i;
    return bits;
}

}  // namespace tertium
