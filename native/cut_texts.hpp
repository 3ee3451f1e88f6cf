// Texts cut by rule into words, signs and sentences, without a parser (text/parsers.py says the rule): a word may have parts
// joined by hyphens, or end with an apostrophe before two letters; a sentence ends with its line, or with a full stop before
// what is not in lower case.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "forms.hpp"
#include "utf8.hpp"

namespace tertium {

struct CutTexts {
    std::shared_ptr<Forms> forms;
    std::vector<uint32_t> words;              // by number
    std::vector<int64_t> starts{0};           // of texts, and the end
    std::vector<uint32_t> sentences;          // their first words, counted from the start of the text
    std::vector<int64_t> sentence_starts{0};  // of texts, in `sentences`

    size_t size() const { return starts.size() - 1; }
    size_t length(size_t t) const { return size_t(starts[t + 1] - starts[t]); }
    std::span<const uint32_t> operator[](size_t t) const { return {words.data() + starts[t], length(t)}; }
    std::span<const uint32_t> sentences_of(size_t t) const {
        return {sentences.data() + sentence_starts[t], size_t(sentence_starts[t + 1] - sentence_starts[t])};
    }
    void end_text() {
        starts.push_back(int64_t(words.size()));
        sentence_starts.push_back(int64_t(sentences.size()));
    }
    void add(std::string_view text);
};

namespace cutting {

constexpr char32_t kEllipsis = 0x2026;

inline bool is_full_stop(char32_t c) { return c == '.' || c == '!' || c == '?' || c == kEllipsis; }
inline bool is_closing(char32_t c) {
    return c == '"' || c == '\'' || c == ')' || c == ']' || c == 0x201D || c == 0x2019 || c == 0xBB;
}
inline bool is_hyphen(char32_t c) { return c == '-' || c == 0x2010 || c == 0x2011; }
inline bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

// The character before `p`, which moves to it.
inline char32_t before(const char*& p) {
    do --p;
    while ((static_cast<unsigned char>(*p) & 0xC0) == 0x80);
    const char* at = p;
    return utf8_next(at);
}

// Whether what stands before white space that ends at `p` ends a sentence: within twelve characters, a full stop and what may
// close behind it.
inline bool ends_sentence(const char* begin, const char* p) {
    int left = 12;
    char32_t c;
    do {
        if (left-- == 0 || p == begin) return false;
        c = before(p);
    } while (is_space(c));
    while (is_closing(c)) {
        if (left-- == 0 || p == begin) return false;
        c = before(p);
    }
    return is_full_stop(c);
}

// Behind all word characters from `p` on.
inline const char* end_of_word(const char* p, const char* end) {
    while (p < end) {
        const char* next = p;
        if (!is_word_character(utf8_next(next))) break;
        p = next;
    }
    return p;
}

// Behind the word that begins at `p` with a word character.
inline const char* word_end(const char* p, const char* end) {
    p = end_of_word(p, end);
    if (p == end) return p;
    const char* next = p;
    char32_t c = utf8_next(next);
    if (is_apostrophe(c)) {
        const char* behind = next;
        for (int letters = 0; behind < end && letters < 2; ++letters)
            if (!is_word_character(utf8_next(behind))) return p;
            else if (letters == 1) return next;
        return p;
    }
    while (is_hyphen(c)) {
        const char* const more = end_of_word(next, end);
        if (more == next) break;
        p = next = more;
        if (p == end) break;
        c = utf8_next(next);
    }
    return p;
}

}  // namespace cutting

inline void CutTexts::add(std::string_view text) {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const size_t first = words.size();
    bool spaced = false, line_ended = false;
    for (const char* p = begin; p < end;) {
        const char* next = p;
        const char32_t c = utf8_next(next);
        if (is_space(c)) {
            spaced = true;
            line_ended = line_ended || c == '\n';
            p = next;
            continue;
        }
        const size_t place = words.size() - first;
        if (place == 0 || (spaced && (line_ended || (!(PythonLetters::of(c) & kLower) && cutting::ends_sentence(begin, p)))))
            sentences.push_back(uint32_t(place));
        spaced = line_ended = false;
        const char* const behind = is_word_character(c) ? cutting::word_end(p, end) : next;
        words.push_back(forms->add({p, size_t(behind - p)}, end));
        p = behind;
    }
    end_text();
}

}  // namespace tertium
