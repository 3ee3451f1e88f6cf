// Words as GTM 1.4 sees them: it was made for ISO-8859-15, and its Java takes all bytes beyond ASCII for one character.
#pragma once

#include <algorithm>
#include <string_view>

#include "tokenize_tercom.hpp"
#include "tokens.hpp"
#include "utf8.hpp"

namespace tertium {

inline bool is_latin9(char32_t c) {
    if (c < 0x100) return c != 0xA4 && c != 0xA6 && c != 0xA8 && c != 0xB4 && c != 0xB8 && !(c >= 0xBC && c <= 0xBE);
    return c == 0x152 || c == 0x153 || c == 0x160 || c == 0x161 || c == 0x178 || c == 0x17D || c == 0x17E || c == 0x20AC;
}

// Splits at ASCII white space. All characters of ISO-8859-15 beyond ASCII are alike, so that "à" is "À"; what that
// encoding lacks is a question mark.
inline void tokenize_gtm(std::string_view input, Tokens& out) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(input.begin(), input.end(), is_ascii)) return tokenize_none(input, out);
    out.rewritten.clear();
    for (const char *p = input.data(), *end = p + input.size(); p < end;) {
        const char32_t c = utf8_next(p);
        out.rewritten.push_back(c < 0x80 ? char(c) : is_latin9(c) ? '\x7F' : '?');
    }
    tokenize_none(out.rewritten, out);
    out.use_rewritten();
}

}  // namespace tertium
