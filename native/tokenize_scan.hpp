// The scanner behind the tokenisers that look at characters: 13a, zh, intl, the tercom family and plain splitting.
//
// All of them come down to the same few sorts of characters. White space separates; a symbol is always a token of
// its own; a "point" (full stop and comma, or all punctuation in `intl`) is one too, unless it belongs to a number;
// everything else is plain and makes words. The originals say this with a chain of regular expressions over ever
// longer strings. What the chain means can be decided at each character from its neighbours, so one pass suffices:
// 64 bytes at a time are reduced to a bit mask of those bytes that are not plain, and only these are looked at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tokens.hpp"
#include "utf8.hpp"

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace tertium::scan {

// What a byte asks of the scanner. `plain` must be the first, and `space` and `symbol` the next two.
enum class Kind : uint8_t {
    plain,
    space,
    symbol,
    point,             // a token of its own unless it belongs to the number behind it
    dash,              // a token of its own after a digit
    apostrophe,        // begins a token if it opens a possessive 's
    lead,              // first byte of a character beyond ASCII that the rules want to see whole
    rewriting_space,   // white space, but the text may have to be rewritten here first
    rewriting_symbol,  // likewise a symbol
    nothing,           // plain, looked at only because that makes simpler masks (see ByteSet)
};

using Kinds = std::array<Kind, 256>;

constexpr void set(Kinds& kinds, int first, int last, Kind kind) {
    for (int byte = first; byte <= last; ++byte) kinds[size_t(byte)] = kind;
}

// White space alone: where every table begins. The four lead bytes are those that white space beyond ASCII has.
constexpr Kinds white_space() {
    Kinds kinds{};
    set(kinds, 0x09, 0x0D, Kind::space);
    set(kinds, 0x1C, 0x1F, Kind::space);
    set(kinds, 0x20, 0x20, Kind::space);
    set(kinds, 0xC2, 0xC2, Kind::lead);
    set(kinds, 0xE1, 0xE3, Kind::lead);
    set(kinds, 0x1B, 0x1B, Kind::nothing);
    return kinds;
}

// The symbols, points and dash that 13a, zh and tercom share. Apostrophe is the one ASCII mark that stays plain.
constexpr Kinds western() {
    Kinds kinds = white_space();
    set(kinds, '!', '&', Kind::symbol);
    set(kinds, '(', '+', Kind::symbol);
    set(kinds, '/', '/', Kind::symbol);
    set(kinds, ':', '@', Kind::symbol);
    set(kinds, '[', '`', Kind::symbol);
    set(kinds, '{', '~', Kind::symbol);
    set(kinds, ',', ',', Kind::point);
    set(kinds, '.', '.', Kind::point);
    set(kinds, '-', '-', Kind::dash);
    set(kinds, 0x7F, 0x7F, Kind::nothing);
    return kinds;
}

// The bytes that are not plain, in the form that a byte shuffle can test: a byte is in the set if the masks of its
// low and its high half share a bit. Each distinct row of sixteen bytes takes one bit, so there may be eight; a few
// harmless bytes are Kind::nothing in order to make rows equal.
struct ByteSet {
    alignas(16) std::array<uint8_t, 16> low{}, high{};
    bool exact = true;

    constexpr explicit ByteSet(const Kinds& kinds) {
        std::array<unsigned, 8> rows{};
        size_t used = 0;
        for (size_t half = 0; half < 16; ++half) {
            unsigned row = 0;
            for (size_t i = 0; i < 16; ++i) row |= unsigned(kinds[half * 16 + i] != Kind::plain) << i;
            if (row == 0) continue;
            size_t number = 0;
            while (number < used && rows[number] != row) ++number;
            if (number == 8) {
                exact = false;
                return;
            }
            if (number == used) rows[used++] = row;
            high[half] = uint8_t(1u << number);
        }
        for (size_t number = 0; number < used; ++number)
            for (size_t i = 0; i < 16; ++i)
                if (rows[number] >> i & 1) low[i] |= uint8_t(1u << number);
    }
};

#if defined(__SSSE3__)
// Bit i is set if p[i] is in the set; reads sixteen bytes.
inline uint64_t mask16(const ByteSet& set, const char* p) {
    const __m128i half = _mm_set1_epi8(0x0F);
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i low =
        _mm_shuffle_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(set.low.data())), _mm_and_si128(bytes, half));
    const __m128i high = _mm_shuffle_epi8(_mm_load_si128(reinterpret_cast<const __m128i*>(set.high.data())),
                                          _mm_and_si128(_mm_srli_epi16(bytes, 4), half));
    const __m128i absent = _mm_cmpeq_epi8(_mm_and_si128(low, high), _mm_setzero_si128());
    return uint64_t(_mm_movemask_epi8(absent)) ^ 0xFFFF;
}
#endif

// Bit i is set if text[from + i] is not plain, for up to 64 bytes; bits past the end are zero.
template <class Rules>
inline uint64_t mask64(std::string_view text, size_t from) {
    const char* p = text.data() + from;
    const size_t left = text.size() - from;
#if defined(__SSSE3__)
    static constexpr ByteSet bytes(Rules::kinds);
    static_assert(bytes.exact, "more than eight different rows: widen some with Kind::nothing");
    if (left >= 64)
        return mask16(bytes, p) | mask16(bytes, p + 16) << 16 | mask16(bytes, p + 32) << 32 | mask16(bytes, p + 48) << 48;
    if (text.size() >= 16) {
        uint64_t mask = 0;
        size_t i = 0;
        for (; i + 16 <= left; i += 16) mask |= mask16(bytes, p + i) << i;
        // The last few bytes are read together with bytes before them, so that nothing past the end is touched.
        if (i < left) mask |= mask16(bytes, p + left - 16) >> (16 - (left - i)) << i;
        return mask;
    }
#endif
    uint64_t mask = 0;
    for (size_t i = 0; i < left && i < 64; ++i)
        mask |= uint64_t(Rules::kinds[static_cast<unsigned char>(p[i])] != Kind::plain) << i;
    return mask;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// What rules over ASCII points and digits need to know about the neighbours of a point.
struct AsciiNumbers {
    static bool number_at(std::string_view text, size_t i) { return is_digit(text[i]); }
    static bool number_before(std::string_view text, size_t i) { return is_digit(text[i - 1]); }
    // Bytes of the point that ends before text[i], 0 if another character does.
    static size_t point_before(std::string_view text, size_t i) { return text[i - 1] == '.' || text[i - 1] == ','; }
};

// Whether the point that ends before text[end] stays with the number behind it.
// The originals first split points off what precedes them, two characters per match, and then off what follows. So
// only the last point of a run can stay, only in front of a digit, and only if the matches in pairs missed it: with
// a digit before the run when the run is odd (3.5), without one when it is even (x..5 gives x . .5).
// The edge of the text counts as white space for rules that pad the text, else as a digit, to which nothing binds.
template <class Rules>
inline bool stays(std::string_view text, size_t first, size_t end) {
    if (end == text.size() ? Rules::padded : !Rules::number_at(text, end)) return false;
    bool odd = false;
    size_t begin = end;
    while (begin > first) {
        const size_t length = Rules::point_before(text, begin);
        if (length == 0) break;
        begin -= length;
        odd = !odd;
    }
    const bool number = begin == first ? !Rules::padded : Rules::number_before(text, begin);
    return number == odd;
}

// A character beyond ASCII: plain, space, symbol or point, and its bytes.
struct Character {
    Kind kind;
    uint32_t length;
};

// Cuts text[first..] into tokens. The rules are a class with
//   kinds                           what each byte asks for
//   padded                          whether the original puts spaces around the text
//   number_at, number_before, point_before   see AsciiNumbers
//   lead(text, i) -> Character      the character beyond ASCII at text[i]
//   possessive(text, i) -> bool     whether the apostrophe at text[i] opens a possessive (if that kind is used)
//   rewrites(text, i) -> bool       whether the original changes characters here (if those kinds are used)
// Gives up and answers false at the first place that has to be rewritten, unless `rewritten` says it has been done.
template <class Rules, bool rewritten = false>
inline bool scan(std::string_view text, size_t first, Tokens& out) {
    // Spans go through a small buffer: the vector would check and store its size at each of them. A mask holds 64
    // bytes and no byte makes more than two spans, so room is checked once per mask.
    constexpr size_t room = 384;
    Span buffer[room];
    Span* next = buffer;
    uint32_t begin = uint32_t(first);
    // Written always, kept only if not empty: one unpredictable branch less.
    const auto word_until = [&](uint32_t end) {
        *next = {begin, end};
        next += end > begin;
    };
    const auto alone = [&](uint32_t i, uint32_t length) {
        word_until(i);
        *next++ = {i, i + length};
        begin = i + length;
    };
    const auto skip = [&](uint32_t i, uint32_t length) {
        word_until(i);
        begin = i + length;
    };
    const auto flush = [&] {
        out.spans.insert(out.spans.end(), buffer, next);
        next = buffer;
    };

    for (size_t from = 0; from < text.size(); from += 64) {
        if (next > buffer + room - 2 * 64 - 1) flush();
        for (uint64_t mask = mask64<Rules>(text, from); mask != 0; mask &= mask - 1) {
            const uint32_t i = uint32_t(from) + uint32_t(std::countr_zero(mask));
            const Kind kind = Rules::kinds[static_cast<unsigned char>(text[i])];
            if (kind <= Kind::symbol) {
                skip(i, 1);
                *next = {i, i + 1};
                next += kind == Kind::symbol;
                continue;
            }
            switch (kind) {
                case Kind::point:
                    if (!stays<Rules>(text, first, i + 1)) alone(i, 1);
                    break;
                case Kind::dash:
                    if (i > first && is_digit(text[i - 1])) alone(i, 1);
                    break;
                case Kind::apostrophe:
                    if constexpr (requires { Rules::possessive(text, i); })
                        if (Rules::possessive(text, i)) skip(i, 0);
                    break;
                case Kind::lead: {
                    const Character character = Rules::lead(text, i);
                    if (character.kind == Kind::space) skip(i, character.length);
                    else if (character.kind == Kind::symbol ||
                             (character.kind == Kind::point && !stays<Rules>(text, first, i + character.length)))
                        alone(i, character.length);
                    break;
                }
                case Kind::rewriting_space:
                case Kind::rewriting_symbol:
                    if constexpr (!rewritten && requires { Rules::rewrites(text, i); })
                        if (Rules::rewrites(text, i)) return false;
                    if (kind == Kind::rewriting_symbol) alone(i, 1);
                    else skip(i, 1);
                    break;
                default: break;
            }
        }
    }
    word_until(uint32_t(text.size()));
    flush();
    return true;
}

// The character at text[i] for rules to which only white space is special beyond ASCII.
inline Character only_space(std::string_view text, size_t i) {
    const int length = space_at(text, i);
    return {length ? Kind::space : Kind::plain, uint32_t(length)};
}

}  // namespace tertium::scan
