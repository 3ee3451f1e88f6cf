// What both texts of a unit have in common to the eye, whatever their languages: words spelt alike, names, numbers,
// marks, and runs of three letters. Nothing is learnt, and no text is compared word by word with the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "case_folding.hpp"
#include "string_numbers.hpp"
#include "unicode_letters.hpp"
#include "utf8.hpp"

namespace tertium {

// The letter without its accent, for Latin; others stay. In: a small letter.
inline char32_t bare_letter(char32_t c) {
    if (c < 0xDF || c > 0x17F) return c;
    static constexpr std::string_view kBare =  // from U+00DF on; a full stop: no letter
        "saaaaaaaceeeeiiiidnooooo.ouuuuyty"
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllllnnnnnnnnnoooooooo"
        "rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    static_assert(kBare.size() == 0x180 - 0xDF);
    const char bare = kBare[c - 0xDF];
    return bare == '.' ? c : char32_t(bare);
}

class Likeness {
public:
    // Numbers of a side, then those of both; see the names in tertium/vetting/likeness.py.
    static constexpr size_t kPerSide = 6, kBoth = 4, kColumns = 2 * kPerSide + kBoth;

    void numbers(std::string_view source, std::string_view target, double* row) {
        sides_[0].read(source);
        sides_[1].read(target);
        for (size_t s = 0; s < 2; ++s) describe(sides_[s], sides_[1 - s], row + s * kPerSide);
        row += 2 * kPerSide;
        row[0] = trigrams();
        row[1] = mark_difference();
        row[2] = sides_[0].closed != sides_[1].closed ? 1.0 : 0.0;
        row[3] = double(sides_[0].digits.size() + sides_[1].digits.size());
    }

private:
    struct Word {
        uint64_t whole, head;  // head 0: too short to be like another
        uint32_t letters;
        bool capital, small;
    };
    struct Side {
        std::vector<Word> words;
        std::vector<uint64_t> digits;  // numbers, without noughts before them
        std::vector<uint64_t> whole, heads;
        std::vector<char32_t> text;  // letters without case and accents, anything between words as one space
        std::array<uint32_t, 128> marks{};
        uint32_t all_marks = 0;
        bool closed = false;

        void read(std::string_view line) {
            words.clear(), digits.clear(), whole.clear(), heads.clear(), text.clear();
            marks.fill(0);
            all_marks = 0;
            closed = false;
            text.push_back(' ');
            uint64_t number = 0;
            bool in_number = false, in_word = false;
            for (const char *p = line.data(), *end = p + line.size(); p < end;) {
                const char32_t c = utf8_next(p);
                const auto kind = c < 0x80 ? ascii(c) : unicode::letter_of(c);
                if (kind != unicode::Letter::digit && in_number) digits.push_back(number), in_number = false;
                if (kind == unicode::Letter::digit) {
                    in_word = false;
                    if (!in_number) number = 1, in_number = true;
                    if (number != 1 || c != '0') number = mix(number, uint64_t(c));
                    text.push_back(c);
                } else if (kind != unicode::Letter::none) {
                    const char32_t low = small_letter(c), bare = bare_letter(low);
                    if (!in_word) words.push_back({0, 0, 0, low != c, true}), in_word = true;
                    Word& word = words.back();
                    word.whole = mix(word.whole + 1, uint64_t(bare));
                    if (++word.letters <= 4) word.head = word.head << 16 | (uint64_t(bare) & 0xFFFF);
                    if (low != c) word.small = false;
                    text.push_back(bare);
                } else {
                    in_word = false;
                    if (text.back() != ' ') text.push_back(' ');
                    if (c > ' ' && c != 0xA0) {
                        ++marks[c < 128 ? c : 0], ++all_marks;
                        closed = c == '.' || c == '!' || c == '?' || c == 0x2026 || c == 0x3002;
                    }
                    continue;
                }
                closed = false;
            }
            if (in_number) digits.push_back(number);
            if (text.back() != ' ') text.push_back(' ');
            for (Word& word : words) {
                if (word.letters < 4) word.head = 0;
                whole.push_back(word.whole);
                if (word.head != 0) heads.push_back(word.head);
            }
            std::sort(whole.begin(), whole.end());
            std::sort(heads.begin(), heads.end());
            std::sort(digits.begin(), digits.end());
        }
        static unicode::Letter ascii(char32_t c) {
            if (c >= '0' && c <= '9') return unicode::Letter::digit;
            return (c | 32) >= 'a' && (c | 32) <= 'z' ? unicode::Letter::letter : unicode::Letter::none;
        }
        bool has(const Word& word) const { return std::binary_search(whole.begin(), whole.end(), word.whole); }
        bool has_like(const Word& word) const {
            return has(word) || (word.head != 0 && std::binary_search(heads.begin(), heads.end(), word.head));
        }
    };

    static void describe(const Side& own, const Side& other, double* row) {
        size_t capitals = 0, alone = 0, small = 0, same = 0;
        const size_t first = own.words.size() > 3 ? 1 : 0;  // which begins a sentence
        for (size_t i = 0; i < own.words.size(); ++i) {
            const Word& word = own.words[i];
            if (word.capital && word.letters > 1) {
                ++capitals;
                alone += i >= first && !other.has_like(word);
            }
            if (word.small && word.letters > 2) ++small, same += other.has(word);
        }
        size_t shared = 0;
        for (auto a = own.digits.begin(), b = other.digits.begin(); a != own.digits.end() && b != other.digits.end();) {
            if (*a == *b) ++shared, ++a, ++b;
            else if (*a < *b) ++a;
            else ++b;
        }
        const double n = std::max<double>(1.0, double(own.words.size()));
        row[0] = double(capitals) / n;
        row[1] = double(alone);
        row[2] = double(own.digits.size() - shared);
        row[3] = double(same) / std::max<double>(1.0, double(small));
        row[4] = own.closed ? 1.0 : 0.0;
        row[5] = double(own.all_marks) / n;
    }

    // Dice's coefficient of runs of three letters, counted in a table in which few of them meet.
    double trigrams() {
        const auto &a = sides_[0].text, &b = sides_[1].text;
        const auto place = [](const std::vector<char32_t>& text, size_t i) {
            return size_t(mix(uint64_t(text[i]) << 42 | uint64_t(text[i + 1]) << 21 | uint64_t(text[i + 2]), 3)) % kPlaces;
        };
        const size_t n = a.size() < 3 ? 0 : a.size() - 2, m = b.size() < 3 ? 0 : b.size() - 2;
        for (size_t i = 0; i < n; ++i) ++counts_[place(a, i)];
        size_t shared = 0;
        for (size_t i = 0; i < m; ++i) {
            uint32_t& count = counts_[place(b, i)];
            if (count > 0) --count, ++shared;
        }
        for (size_t i = 0; i < n; ++i) counts_[place(a, i)] = 0;
        return n + m ? 2.0 * double(shared) / double(n + m) : 0.0;
    }
    double mark_difference() const {
        size_t different = 0;
        for (size_t c = 0; c < 128; ++c) {
            const uint32_t a = sides_[0].marks[c], b = sides_[1].marks[c];
            different += a > b ? a - b : b - a;
        }
        return double(different) / std::max<double>(1.0, double(sides_[0].all_marks + sides_[1].all_marks));
    }

    static constexpr size_t kPlaces = 4096;
    Side sides_[2];
    std::vector<uint32_t> counts_ = std::vector<uint32_t>(kPlaces, 0);
};

}  // namespace tertium
