// What characters are to words: tables that are made in Python, whose Unicode data decides. Texts become code points, in
// small letters exactly as Python's str.lower() has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "utf8.hpp"

namespace tertium {

class WordCharacters {
public:
    enum : uint8_t { kWord = 1, kDigit = 2, kUpper = 4, kCased = 8, kIgnored = 16 };  // the last two decide of a capital sigma

    // For each character up to a greatest one; those beyond are no part of words, and small.
    WordCharacters(std::vector<uint8_t> kinds, std::vector<uint32_t> small)
        : kinds_(std::move(kinds)), small_(std::move(small)) {}

    uint8_t operator[](char32_t c) const { return c < kinds_.size() ? kinds_[c] : uint8_t(0); }
    bool is_word(char32_t c) const { return (*this)[c] & kWord; }

    // Adds the small letters of `codes` to `out`.
    template <class Codes>
    void lower(const Codes& codes, std::vector<char32_t>& out) const {
        for (size_t i = 0; i < codes.size(); ++i) {
            const char32_t c = codes[i];
            if (c == kSigma) {
                out.push_back(is_final(codes, i) ? 0x3C2 : 0x3C3);
            } else if (c == kDottedI) {
                out.push_back('i');
                out.push_back(0x307);
            } else {
                out.push_back(c < small_.size() ? char32_t(small_[c]) : c);
            }
        }
    }

private:
    static constexpr char32_t kSigma = 0x3A3, kDottedI = 0x130;

    // A capital sigma ends a word: a letter with case stands before it and none behind it.
    template <class Codes>
    bool is_final(const Codes& codes, size_t i) const {
        size_t before = i, behind = i + 1;
        while (before > 0 && ((*this)[codes[before - 1]] & kIgnored)) --before;
        if (before == 0 || !((*this)[codes[before - 1]] & kCased)) return false;
        while (behind < codes.size() && ((*this)[codes[behind]] & kIgnored)) ++behind;
        return behind == codes.size() || !((*this)[codes[behind]] & kCased);
    }

    std::vector<uint8_t> kinds_;
    std::vector<uint32_t> small_;
};

inline void decode(std::string_view text, std::vector<char32_t>& out) {
    out.clear();
    for (const char *p = text.data(), *end = p + text.size(); p < end;) out.push_back(utf8_next(p));
}

}  // namespace tertium
