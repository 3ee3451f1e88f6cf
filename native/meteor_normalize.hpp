// METEOR 1.5's own way of cutting text into words (its option -norm), learnt from what the program does: quotation
// marks and dashes become plain, hyphens between letters become spaces, symbols stand alone, abbreviations with
// several full stops lose them all. Letters are Latin and Cyrillic only; every other letter is a symbol.
//
// As in the Moses tokeniser, rules look at spaces that rules before them have put in, and a match uses up its
// neighbours: so the passes are really made, one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "utf8.hpp"

namespace tertium {

class MeteorNormalizer {
public:
    enum class Apostrophes : uint8_t { apart, english, french };

    MeteorNormalizer(Apostrophes apostrophes, bool punctuation, const std::vector<std::string>& prefixes,
                     const std::vector<std::string>& before_numbers)
        : apostrophes_(apostrophes),
          punctuation_(punctuation),
          prefixes_(prefixes.begin(), prefixes.end()),
          before_numbers_(before_numbers.begin(), before_numbers.end()) {}

    struct Scratch {
        std::u32string text, next;
        std::string prefix;
    };

    // Sets `out` to the words of a segment, with a space between them.
    void cut(std::string_view line, Scratch& scratch, std::string& out) const {
        read(line, scratch.text);
        join_dots(scratch);
        cut_commas(scratch);
        cut_hyphens(scratch);
        cut_apostrophes(scratch);
        write(scratch, out);
    }

private:
    static constexpr char32_t kDot = 0x110000;  // a full stop in a run of several: no text can hold it

    static bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
    static bool is_letter(char32_t c) {
        if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
        if (c < 0x180) return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0x17F;
        return (c >= 0x400 && c <= 0x527) || (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA66E) ||
               (c >= 0xA67E && c <= 0xA697);
    }
    static bool is_wide_space(char32_t c) {
        return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
    }
    // Between words. A vertical tab is not (it stays within its word), nor is white space that is not ASCII.
    static bool is_break(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f'; }

    static void read(std::string_view line, std::u32string& text) {
        text.assign(1, U' ');
        const char* p = line.data();
        const char* const end = p + line.size();
        while (p < end) {
            char32_t c = utf8_next(p);
            if (c == 0x201C || c == 0x201D) c = U'"';
            if (c == 0x2018 || c == 0x2019 || c == U'`') c = U'\'';
            if (c == U'\'' && text.back() == U'\'') {  // two of them are a quotation mark
                text.back() = U' ';
                c = U'"';
            }
            if (c == 0x2013)
                text.append(U" - ");
            else if (is_letter(c) || is_digit(c) || is_break(c) || c == 0x0B || c == U'.' || c == U'\'' || c == U',' ||
                     c == U'-')
                text.push_back(c);
            else
                text.append({U' ', c, U' '});
        }
        text.push_back(U' ');
    }

    static void join_dots(Scratch& scratch) {
        auto& [text, next, prefix] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size();) {
            size_t run = i;
            while (run < text.size() && text[run] == U'.') ++run;
            if (run - i < 2) {
                next.push_back(text[i++]);
                continue;
            }
            next.push_back(U' ');
            next.append(run - i, kDot);
            next.push_back(U' ');
            i = run;
        }
        text.swap(next);
    }

    // Every `mark` between a `left` and a `right` character gets `instead`; the right one cannot be another's left.
    template <class Left, class Right>
    static void between(Scratch& scratch, char32_t mark, Left left, Right right, std::u32string_view instead) {
        auto& [text, next, prefix] = scratch;
        if (text.find(mark) == std::u32string::npos) return;
        next.clear();
        for (size_t i = 0; i < text.size();) {
            next.push_back(text[i]);
            if (i + 2 < text.size() && text[i + 1] == mark && left(text[i]) && right(text[i + 2])) {
                next.append(instead);
                next.push_back(text[i + 2]);
                i += 3;
            } else {
                ++i;
            }
        }
        text.swap(next);
    }

    static void cut_commas(Scratch& scratch) {
        const auto digit = [](char32_t c) { return is_digit(c); };
        const auto other = [](char32_t c) { return !is_digit(c); };
        between(scratch, U',', other, other, U" , ");
        between(scratch, U',', digit, other, U" , ");
        between(scratch, U',', other, digit, U" , ");
    }

    void cut_apostrophes(Scratch& scratch) const {
        const auto letter = [](char32_t c) { return is_letter(c); };
        const auto other = [](char32_t c) { return !is_letter(c); };
        const auto symbol = [](char32_t c) { return !is_letter(c) && !is_digit(c); };
        const auto digit = [](char32_t c) { return is_digit(c); };
        switch (apostrophes_) {
            case Apostrophes::english:
                between(scratch, U'\'', other, other, U" ' ");
                between(scratch, U'\'', symbol, letter, U" ' ");
                between(scratch, U'\'', letter, other, U" ' ");
                between(scratch, U'\'', letter, letter, U" '");
                between(scratch, U'\'', digit, [](char32_t c) { return c == U's'; }, U" '");
                break;
            case Apostrophes::french:
                between(scratch, U'\'', other, other, U" ' ");
                between(scratch, U'\'', other, letter, U" ' ");
                between(scratch, U'\'', letter, other, U" ' ");
                between(scratch, U'\'', letter, letter, U"' ");
                break;
            case Apostrophes::apart: replace(scratch, U"'", U" ' ");
        }
    }

    static void replace(Scratch& scratch, std::u32string_view what, std::u32string_view instead) {
        auto& [text, next, prefix] = scratch;
        size_t at = text.find(what);
        if (at == std::u32string::npos) return;
        next.clear();
        size_t from = 0;
        for (; at != std::u32string::npos; at = text.find(what, from)) {
            next.append(text, from, at - from).append(instead);
            from = at + what.size();
        }
        next.append(text, from);
        text.swap(next);
    }

    static void cut_hyphens(Scratch& scratch) {
        replace(scratch, U"--", U"-");
        const auto word = [](char32_t c) { return is_letter(c) || is_digit(c); };
        between(scratch, U'-', [=](char32_t c) { return word(c) || c == U'.'; }, word, U" ");
    }

    void write(Scratch& scratch, std::string& out) const {
        const std::u32string& text = scratch.text;
        out.clear();
        size_t begin = next_word(text, 0);
        while (begin < text.size()) {
            size_t end = begin;
            while (end < text.size() && !is_break(text[end])) ++end;
            const size_t following = next_word(text, end);
            const char32_t after = following < text.size() ? text[following] : 0;
            std::u32string_view word(text.data() + begin, end - begin);
            bool dotted = true, stop = false;
            if (word.size() > 1 && word.back() == U'.') {
                const std::u32string_view before = word.substr(0, word.size() - 1);
                if (is_acronym(before)) {
                    dotted = false;
                } else if (!keeps_stop(before, after, scratch.prefix)) {
                    word = before;
                    stop = true;
                }
            }
            if (!is_wide_space(word.front())) {  // until now a symbol as others: it stands alone
                append(word, dotted, out);
                if (stop && punctuation_) out.append(" .");
                out.push_back(' ');
            }
            begin = following;
        }
        trim(out);
    }
    static size_t next_word(const std::u32string& text, size_t at) {
        while (at < text.size() && is_break(text[at])) ++at;
        return at;
    }
    // Full stops inside, and letters.
    static bool is_acronym(std::u32string_view word) {
        if (word.find(U'.') == std::u32string_view::npos) return false;
        for (const char32_t c : word)
            if (is_letter(c)) return true;
        return false;
    }
    bool keeps_stop(std::u32string_view word, char32_t after, std::string& prefix) const {
        if (after >= U'a' && after <= U'z') return true;
        prefix.clear();
        for (const char32_t c : word) utf8_append(prefix, c == kDot ? U'.' : c);
        return prefixes_.contains(prefix) || (is_digit(after) && before_numbers_.contains(prefix));
    }
    void append(std::u32string_view word, bool dotted, std::string& out) const {
        for (const char32_t c : word) {
            if (c == U'.' && !dotted) continue;
            if (!punctuation_ && !is_letter(c) && !is_digit(c))
                out.push_back(' ');
            else
                utf8_append(out, c == kDot ? U'.' : c);
        }
    }
    // Single spaces; no control characters at the ends.
    static void trim(std::string& out) {
        size_t kept = 0;
        for (const char c : out)
            if (c != ' ' || (kept > 0 && out[kept - 1] != ' ')) out[kept++] = c;
        const auto blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
        while (kept > 0 && blank(out[kept - 1])) --kept;
        out.resize(kept);
        size_t lead = 0;
        while (lead < out.size() && blank(out[lead])) ++lead;
        out.erase(0, lead);
    }

    Apostrophes apostrophes_;
    bool punctuation_;
    std::unordered_set<std::string> prefixes_, before_numbers_;
};

}  // namespace tertium
