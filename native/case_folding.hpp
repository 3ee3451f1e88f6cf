// Words without their capitals, for looking up what has no entry under its own spelling. ASCII letters only, as programs
// in C do it, or the letters of Latin, Greek, Cyrillic, Armenian and full-width text.
#pragma once

#include <string>
#include <string_view>

#include "utf8.hpp"

namespace tertium {

enum class Fold { exact, ascii, unicode };

// The small letter of one character, by the simple rules of Unicode; characters that become several stay.
inline char32_t small_letter(char32_t c) {
    const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    if (c < 0x80) return in('A', 'Z') ? c + 32 : c;
    if (c < 0xC0) return c;
    if (in(0xC0, 0xDE)) return c == 0xD7 ? c : c + 32;
    if (in(0x139, 0x148) || in(0x179, 0x17E)) return c % 2 ? c + 1 : c;
    if (c == 0x178) return 0xFF;
    if (c == 0x130 || c == 0x138 || c == 0x149) return c;  // the first becomes two characters, the others are small
    if (in(0x100, 0x177)) return c % 2 ? c : c + 1;
    if (c == 0x218 || c == 0x21A) return c + 1;
    if (c == 0x386) return 0x3AC;
    if (in(0x388, 0x38A)) return c + 37;
    if (c == 0x38C) return 0x3CC;
    if (c == 0x38E || c == 0x38F) return c + 63;
    if (in(0x391, 0x3AB)) return c == 0x3A2 ? c : c + 32;
    if (in(0x400, 0x40F)) return c + 80;
    if (in(0x410, 0x42F)) return c + 32;
    if (in(0x460, 0x481) || in(0x48A, 0x4BF) || in(0x4D0, 0x52F)) return c % 2 ? c : c + 1;
    if (c == 0x4C0) return 0x4CF;
    if (in(0x4C1, 0x4CE)) return c % 2 ? c + 1 : c;
    if (in(0x531, 0x556)) return c + 48;
    if (c == 0x1E9E) return 0xDF;
    if (in(0x1E00, 0x1E95) || in(0x1EA0, 0x1EFF)) return c % 2 ? c : c + 1;
    if (in(0xFF21, 0xFF3A)) return c + 32;
    return c;
}

// `word` folded; `out` is scratch that the view may point into. A word that does not change is viewed as it is.
inline std::string_view folded(std::string_view word, Fold fold, std::string& out) {
    if (fold == Fold::exact) return word;
    out.clear();
    if (fold == Fold::ascii) {
        for (const char c : word) out.push_back(c >= 'A' && c <= 'Z' ? char(c + 32) : c);
        return out;
    }
    for (const char *p = word.data(), *end = p + word.size(); p < end;) {
        if (static_cast<unsigned char>(*p) < 0x80) {
            out.push_back(*p >= 'A' && *p <= 'Z' ? char(*p + 32) : *p);
            ++p;
        } else if (p + utf8_length(static_cast<unsigned char>(*p)) > end) {
            out.push_back(*p++);  // a word of a vector file need not be UTF-8
        } else {
            utf8_append(out, small_letter(utf8_next(p)));
        }
    }
    return out;
}

}  // namespace tertium
