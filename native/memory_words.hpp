// The words of a memory's texts, as its lexical model counts them: runs of letters and digits in small letters, cut after so
// many letters, which takes most endings away. An apostrophe ends a word (l'eau), a mark for an accelerator key does not
// (_File, Fi&le), ideographs and kana stand alone, and a directive such as %s is a word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "case_folding.hpp"
#include "unicode_letters.hpp"
#include "utf8.hpp"

namespace tertium {

struct MemoryWord {
    uint32_t begin, end;    // characters of the text
    uint32_t text, length;  // bytes in `MemoryWords::texts`
    bool digits;            // has a digit
};

class MemoryWords {
public:
    explicit MemoryWords(uint32_t cut) : cut_(cut) {}

    std::vector<MemoryWord> words;
    uint32_t characters = 0;
    uint32_t marks = 0;  // commas, semicolons, colons, full stops, brackets that end a part of the text

    std::string_view operator[](size_t i) const { return {texts_.data() + words[i].text, words[i].length}; }

    void read(std::string_view text) {
        words.clear();
        texts_.clear();
        marks = 0;
        uint32_t at = 0, letters = 0;
        bool open = false;
        const auto close = [&] {
            if (open) words.back().length = uint32_t(texts_.size()) - words.back().text;
            open = false;
        };
        for (const char *p = text.data(), *end = p + text.size(); p < end; ++at) {
            const char32_t c = utf8_next(p);
            const auto kind = c < 0x80 ? ascii(c) : unicode::letter_of(c);
            if (kind == unicode::Letter::none) {
                const bool key = (c == '_' || c == '&') && p < end && is_ascii_letter(*p);
                if (key) continue;
                const bool mark = c >= 0x300 && c < 0x370;  // accents of their own
                if (open && mark) {
                    append(c, letters, at);
                    continue;
                }
                close();
                if (c == '%' && p < end && is_ascii_letter(*p)) {
                    start(at, letters, open);
                    append(c, letters, at);
                } else if ((c == ',' || c == ';' || c == ':' || c == '.' || c == ')' || c == 0x2026) &&
                           (p >= end || is_space_byte(*p))) {
                    ++marks;
                }
                continue;
            }
            const bool alone = stands_alone(c);
            if (alone) close();
            if (!open) start(at, letters, open);
            if (kind == unicode::Letter::digit) words.back().digits = true;
            append(small_letter(c), letters, at);
            if (alone) close();
        }
        close();
        characters = at;
    }

private:
    static unicode::Letter ascii(char32_t c) {
        if (c >= '0' && c <= '9') return unicode::Letter::digit;
        return (c | 32) >= 'a' && (c | 32) <= 'z' ? unicode::Letter::letter : unicode::Letter::none;
    }
    static bool is_ascii_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
    static bool is_space_byte(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
    static bool stands_alone(char32_t c) {
        return c >= 0x3040 && (c <= 0x30FF || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || c >= 0x20000);
    }
    void start(uint32_t at, uint32_t& letters, bool& open) {
        words.push_back({at, at, uint32_t(texts_.size()), 0, false});
        letters = 0;
        open = true;
    }
    // Digits are never cut: 2021 and 2022 differ.
    void append(char32_t c, uint32_t& letters, uint32_t at) {
        if (letters < cut_ || words.back().digits) utf8_append(texts_, c);
        ++letters;
        words.back().end = at + 1;
    }

    uint32_t cut_;
    std::string texts_;
};

}  // namespace tertium
