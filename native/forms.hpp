// Words as they are written, by number, with what Python's str says of them: their lower case, whether they have letters,
// begin with a capital, are in lower or in upper case. Tables of texts that are compared share one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python_letters.hpp"
#include "string_numbers.hpp"
#include "utf8.hpp"

namespace tertium {

// Of a word.
constexpr uint8_t kHasLetters = 1, kCapital = 2, kLowerCase = 4, kUpperCase = 8;

// What `\w` of Python's regular expressions is.
inline bool is_word_character(char32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return PythonLetters::of(c) & kAlphanumeric;
}

class Forms {
public:
    static constexpr uint32_t kUnknown = 0xFFFFFFFFu;

    uint32_t size() const { return texts_.size(); }
    std::string_view operator[](uint32_t number) const { return texts_[number]; }
    uint32_t lower(uint32_t number) const { return lower_[number]; }
    uint8_t kinds(uint32_t number) const { return kinds_[number]; }
    uint32_t find(std::string_view word) const { return texts_.find(word); }

    uint32_t add(std::string_view word, const char* end) {
        const uint32_t number = texts_.add(word, string_hash(word, end));
        if (number == kinds_.size()) learn(number);
        return number;
    }
    uint32_t add(std::string_view word) { return add(word, word.data() + word.size()); }

    // Words whose lower case nobody has told yet: those with more than ASCII in them.
    const std::vector<uint32_t>& waiting() const { return waiting_; }
    void tell(uint32_t number, std::string_view lower) {
        const uint32_t other = add(lower);
        lower_[number] = other;
        if (lower_[other] == kUnknown) lower_[other] = other;
    }
    void all_told() { waiting_.clear(); }

private:
    void learn(uint32_t number) {
        const std::string_view word = texts_[number];
        bool ascii = true, letters = false, small = false, large = false, title = false, capital = false;
        for (const char *p = word.data(), *end = p + word.size(); p < end;) {
            const bool first = p == word.data();
            const char32_t c = utf8_next(p);
            const uint8_t is = PythonLetters::of(c);
            ascii = ascii && c < 0x80;
            letters = letters || (is & kAlphabetic);
            small = small || (is & kLower);
            large = large || (is & kUpper);
            title = title || (is & kTitle);
            if (first) capital = is & kUpper;
        }
        kinds_.push_back(uint8_t((letters ? kHasLetters : 0) | (capital ? kCapital : 0) |
                                 (small && !large && !title ? kLowerCase : 0) | (large && !small && !title ? kUpperCase : 0)));
        lower_.push_back(kUnknown);
        if (!ascii) {
            waiting_.push_back(number);
        } else if (!large) {
            lower_[number] = number;
        } else {
            std::string lowered(word);
            for (char& c : lowered)
                if (c >= 'A' && c <= 'Z') c = char(c + 32);
            const uint32_t other = add(lowered);  // may move what is above
            lower_[number] = other;
        }
    }

    StringNumbers texts_;
    std::vector<uint32_t> lower_;
    std::vector<uint8_t> kinds_;
    std::vector<uint32_t> waiting_;
};

}  // namespace tertium
