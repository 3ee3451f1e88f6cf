// The tokeniser `zh`: every Chinese character is a token, the rest is cut as in 13a, but without 13a's padding and
// without its undoing of entities. And `zh-wmt17`, the first half of it alone: the rest is split at white space.
#pragma once

#include <string_view>

#include "tokenize_scan.hpp"

namespace tertium {
namespace scan {

// The characters that the original takes for Chinese. Its ranges for the supplementary planes were written with
// four-digit escapes, so their ends are strings of two characters ("\u2000" and "0"); compared with one character
// these mean U+2001..U+2A6D and U+2F81..U+2FA1. Hence dashes, quotation marks, arrows and mathematical signs are
// "Chinese" here, and the ideographs from U+20000 on are not.
inline bool is_chinese(char32_t c) {
    if (c < 0x2001) return false;
    if (c <= 0x2A6D) return true;
    if (c < 0x3400)
        return (c >= 0x2E80 && c <= 0x2FDF) || (c >= 0x2FF0 && c <= 0x303F) || (c >= 0x3100 && c <= 0x312F) ||
               (c >= 0x31A0 && c <= 0x31EF) || c >= 0x3200;
    if (c < 0xF900) return c <= 0x4DB5 || (c >= 0x4E00 && c <= 0x9FBB);
    return c <= 0xFA2D || (c >= 0xFA30 && c <= 0xFA6A) || (c >= 0xFA70 && c <= 0xFAD9) || (c >= 0xFE10 && c <= 0xFE1F) ||
           (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0xFF00 && c <= 0xFFEF);
}

constexpr Kinds with_chinese(Kinds kinds) {
    set(kinds, 0xE1, 0xE9, Kind::lead);  // U+1000..U+9FFF
    set(kinds, 0xEF, 0xEF, Kind::lead);  // U+F000..U+FFFF
    return kinds;
}

struct RulesZh : AsciiNumbers {
    static constexpr bool padded = false;
    static constexpr Kinds kinds = with_chinese(western());

    static Character lead(std::string_view text, size_t i) {
        const char* p = text.data() + i;
        const char32_t c = utf8_next(p);
        const uint32_t length = uint32_t(p - (text.data() + i));
        if (is_space(c)) return {Kind::space, length};
        return {is_chinese(c) ? Kind::symbol : Kind::plain, length};
    }
};

struct RulesZhCharacters : RulesZh {
    static constexpr Kinds kinds = with_chinese(white_space());
};

}  // namespace scan

inline void tokenize_zh(std::string_view input, Tokens& out) {
    out.start(input);
    const std::string_view text = rstrip(input);
    size_t first = 0;
    while (first < text.size()) {
        const int length = space_at(text, first);
        if (length == 0) break;
        first += size_t(length);
    }
    scan::scan<scan::RulesZh>(text, first, out);
}

inline void tokenize_zh_wmt17(std::string_view input, Tokens& out) {
    out.start(input);
    scan::scan<scan::RulesZhCharacters>(input, 0, out);
}

}  // namespace tertium
