// The tokeniser `intl`: mteval-v14's international tokenisation. Punctuation is split off unless it stands between
// numbers, symbols always; what is what follows the Unicode tables of unicode_classes.hpp.
#pragma once

#include <string_view>

#include "tokenize_scan.hpp"
#include "unicode_classes.hpp"

namespace tertium {
namespace scan {

struct RulesIntl {
    static constexpr bool padded = false;
    static constexpr Kinds kinds = [] {
        Kinds result = white_space();
        for (const char symbol : std::string_view("$+<=>^`|~")) set(result, symbol, symbol, Kind::symbol);
        for (const char point : std::string_view("!\"#%&'()*,-./:;?@[\\]_{}")) set(result, point, point, Kind::point);
        set(result, 0x7F, 0x7F, Kind::nothing);
        for (int byte = 0xC2; byte < 0xF0; ++byte)
            if (unicode::lead_bytes >> (byte - 0xC0) & 1) set(result, byte, byte, Kind::lead);
        set(result, 0xF0, 0xFF, Kind::lead);
        return result;
    }();

    static Character lead(std::string_view text, size_t i) {
        const char* p = text.data() + i;
        const char32_t c = utf8_next(p);
        const uint32_t length = uint32_t(p - (text.data() + i));
        switch (unicode::class_of(c)) {
            case unicode::Class::punctuation: return {Kind::point, length};
            case unicode::Class::symbol: return {Kind::symbol, length};
            case unicode::Class::number: return {Kind::plain, length};
            default: return {is_space(c) ? Kind::space : Kind::plain, length};
        }
    }
    static unicode::Class class_at(std::string_view text, size_t i) {
        const char* p = text.data() + i;
        return unicode::class_of(utf8_next(p));
    }
    // Where the character that ends before text[i] begins.
    static size_t start_before(std::string_view text, size_t i) {
        do --i;
        while ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80);
        return i;
    }
    static bool number_at(std::string_view text, size_t i) { return class_at(text, i) == unicode::Class::number; }
    static bool number_before(std::string_view text, size_t i) { return number_at(text, start_before(text, i)); }
    static size_t point_before(std::string_view text, size_t i) {
        const size_t start = start_before(text, i);
        return class_at(text, start) == unicode::Class::punctuation ? i - start : 0;
    }
};

}  // namespace scan

inline void tokenize_intl(std::string_view input, Tokens& out) {
    out.start(input);
    scan::scan<scan::RulesIntl>(rstrip(input), 0, out);
}

}  // namespace tertium
