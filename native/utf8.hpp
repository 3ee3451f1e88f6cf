// UTF-8 as the kernels see it: decoding, and white space exactly as Python's str.split() knows it.
// Text is well-formed UTF-8, except that lone surrogates from Python strings are kept as three-byte
// sequences (what Python calls "surrogatepass"), so every Python string has exactly one encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tertium {

// Bytes of the character that starts with `lead`.
inline int utf8_length(unsigned char lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

// The code point that starts at `p`; `p` moves behind it. `p` must point into valid text.
inline char32_t utf8_next(const char*& p) {
    const auto* s = reinterpret_cast<const unsigned char*>(p);
    if (s[0] < 0x80) {
        p += 1;
        return s[0];
    }
    if (s[0] < 0xE0) {
        p += 2;
        return char32_t(s[0] & 0x1F) << 6 | (s[1] & 0x3F);
    }
    if (s[0] < 0xF0) {
        p += 3;
        return char32_t(s[0] & 0x0F) << 12 | char32_t(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
    }
    p += 4;
    return char32_t(s[0] & 0x07) << 18 | char32_t(s[1] & 0x3F) << 12 | char32_t(s[2] & 0x3F) << 6 | (s[3] & 0x3F);
}

// Appends `c` to `out`.
inline void utf8_append(std::string& out, char32_t c) {
    if (c < 0x80) {
        out.push_back(char(c));
    } else if (c < 0x800) {
        out.push_back(char(0xC0 | c >> 6));
        out.push_back(char(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        out.push_back(char(0xE0 | c >> 12));
        out.push_back(char(0x80 | (c >> 6 & 0x3F)));
        out.push_back(char(0x80 | (c & 0x3F)));
    } else {
        out.push_back(char(0xF0 | c >> 18));
        out.push_back(char(0x80 | (c >> 12 & 0x3F)));
        out.push_back(char(0x80 | (c >> 6 & 0x3F)));
        out.push_back(char(0x80 | (c & 0x3F)));
    }
}

// White space as Python's str.isspace(), str.split() and str.strip() define it.
inline bool is_space(char32_t c) {
    if (c < 0x80) return c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
           c == 0x205F || c == 0x3000;
}

// Length in bytes of the white-space character at text[i], or 0 if there is none.
inline int space_at(std::string_view text, size_t i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) return is_space(lead) ? 1 : 0;
    if (lead != 0xC2 && (lead < 0xE1 || lead > 0xE3)) return 0;  // no white space starts otherwise
    const char* p = text.data() + i;
    return is_space(utf8_next(p)) ? int(p - (text.data() + i)) : 0;
}

// `text` without trailing white space: Python's rstrip().
inline std::string_view rstrip(std::string_view text) {
    while (!text.empty()) {
        size_t i = text.size() - 1;
        while (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
        if (!space_at(text, i)) break;
        text = text.substr(0, i);
    }
    return text;
}

// `text` without white space at either end: Python's strip().
inline std::string_view strip(std::string_view text) {
    text = rstrip(text);
    while (!text.empty()) {
        const int length = space_at(text, 0);
        if (length == 0) break;
        text.remove_prefix(size_t(length));
    }
    return text;
}

}  // namespace tertium
