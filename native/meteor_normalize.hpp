// METEOR 1.5's own way of cutting text into words (its option -norm), learnt from what the program does: quotation
// marks and dashes become plain, hyphens between letters become spaces, symbols stand alone, abbreviations with
// several full stops lose them all. Letters are Latin and Cyrillic only; every other letter is a symbol.
//
// As in the Moses tokeniser, rules look at spaces that rules before them have put in, and a match uses up its
// neighbours: so the passes are really made, one after the other. But no rule looks across a space at a letter or
// digit, so words of nothing else are taken as they are, and what is between two of them goes through the passes alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "string_numbers.hpp"
#include "utf8.hpp"

namespace tertium {

namespace meteor_letters {

constexpr bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
constexpr bool is_letter(char32_t c) {
    if (c < 0x80) return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    if (c < 0x180) return c >= 0xC0 && c != 0xD7 && c != 0xF7 && c != 0x17F;
    return (c >= 0x400 && c <= 0x527) || (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA66E) ||
           (c >= 0xA67E && c <= 0xA697);
}
// Between words. A vertical tab is not (it stays within its word), nor is white space that is not ASCII.
constexpr bool is_break(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r' || c == U'\f'; }

// Classes of bytes: ASCII letters and digits, white space, all others.
inline constexpr uint8_t kPlain = 1, kBreak = 2;
inline constexpr std::array<uint8_t, 256> kClasses = [] {
    std::array<uint8_t, 256> classes{};
    for (unsigned c = 0; c < 0x80; ++c) classes[c] = is_digit(c) || is_letter(c) ? kPlain : is_break(c) ? kBreak : 0;
    return classes;
}();
template <uint8_t kind>
inline const char* skip(const char* at, const char* end) {
    while (at < end && kClasses[static_cast<unsigned char>(*at)] == kind) ++at;
    return at;
}
inline bool starts_plain(const char* at, const char* end) {
    return at == end || kClasses[static_cast<unsigned char>(*at)] == kPlain;
}

}  // namespace meteor_letters

class MeteorNormalizer {
public:
    enum class Apostrophes : uint8_t { apart, english, french };

    MeteorNormalizer(Apostrophes apostrophes, bool punctuation, const std::vector<std::string>& prefixes,
                     const std::vector<std::string>& before_numbers)
        : apostrophes_(apostrophes), punctuation_(punctuation) {
        for (const std::string& prefix : prefixes) prefixes_.add(prefix);
        for (const std::string& prefix : before_numbers) before_numbers_.add(prefix);
    }

    struct Scratch {
        std::u32string text, next;
        std::string prefix;
    };

    // Sets `out` to the words of a segment, with a space between them.
    void cut(std::string_view line, Scratch& scratch, std::string& out) const {
        using namespace meteor_letters;
        out.clear();
        const char* const end = line.data() + line.size();
        const char* at = skip<kBreak>(line.data(), end);
        while (at < end) {
            const char* const stop = skip<kPlain>(at, end);
            const char* next = skip<kBreak>(stop, end);
            if (stop == end || next > stop) {
                out.append(at, stop).push_back(' ');
            } else if (next = after_mark(at, stop, end); next) {
                out.append(at, stop);
                const bool apart = *stop == ',' || !keeps_stop({at, size_t(stop - at)}, first_of(next, end));
                if (punctuation_) out.append(apart ? " " : "").push_back(*stop);
                out.push_back(' ');
            } else {
                next = end_of_run(stop, end);
                cut_run({at, size_t(next - at)}, first_of(next, end), scratch, out);
            }
            at = next;
        }
        trim(out);
    }

private:
    static constexpr bool is_digit(char32_t c) { return meteor_letters::is_digit(c); }
    static constexpr bool is_letter(char32_t c) { return meteor_letters::is_letter(c); }
    static constexpr bool is_break(char32_t c) { return meteor_letters::is_break(c); }

    // Where the next word begins if all there is after a plain one is a comma or a full stop, and a plain one follows.
    static const char* after_mark(const char* begin, const char* mark, const char* end) {
        if (mark == begin || (*mark != ',' && *mark != '.')) return nullptr;
        const char* const next = meteor_letters::skip<meteor_letters::kBreak>(mark + 1, end);
        return (next > mark + 1 || next == end) && meteor_letters::starts_plain(next, end) ? next : nullptr;
    }
    static char32_t first_of(const char* at, const char* end) { return at < end ? char32_t(*at) : 0; }
    // Where a word begins that starts with a letter or a digit.
    static const char* end_of_run(const char* at, const char* end) {
        using namespace meteor_letters;
        while (true) {
            while (at < end && kClasses[static_cast<unsigned char>(*at)] != kBreak) ++at;
            at = skip<kBreak>(at, end);
            if (starts_plain(at, end)) return at;
        }
    }
    // Appends the words of a part of a segment; `after` is the first character of what follows it, 0 at the end.
    void cut_run(std::string_view part, char32_t after, Scratch& scratch, std::string& out) const {
        const size_t begin = out.size();
        read(part, scratch.text);
        join_dots(scratch);
        cut_commas(scratch);
        cut_hyphens(scratch);
        cut_apostrophes(scratch);
        write(scratch, after, out);
        size_t kept = begin;  // single spaces
        for (size_t i = begin; i < out.size(); ++i)
            if (out[i] != ' ' || (kept > 0 && out[kept - 1] != ' ')) out[kept++] = out[i];
        out.resize(kept);
    }

    static constexpr char32_t kDot = 0x110000;  // a full stop in a run of several: no text can hold it

    static bool is_wide_space(char32_t c) {
        return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
    }
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
            if (c == 0x2013) text.append(U" - ");
            else if (is_letter(c) || is_digit(c) || is_break(c) || c == 0x0B || c == U'.' || c == U'\'' || c == U',' ||
                     c == U'-')
                text.push_back(c);
            else text.append({U' ', c, U' '});
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
                between(
                    scratch, U'\'', digit, [](char32_t c) { return c == U's'; }, U" '");
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
        between(
            scratch, U'-', [=](char32_t c) { return word(c) || c == U'.'; }, word, U" ");
    }

    void write(Scratch& scratch, char32_t at_end, std::string& out) const {
        const std::u32string& text = scratch.text;
        size_t begin = next_word(text, 0);
        while (begin < text.size()) {
            size_t end = begin;
            while (end < text.size() && !is_break(text[end])) ++end;
            const size_t following = next_word(text, end);
            const char32_t after = following < text.size() ? text[following] : at_end;
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
        prefix.clear();
        for (const char32_t c : word) utf8_append(prefix, c == kDot ? U'.' : c);
        return keeps_stop(prefix, after);
    }
    bool keeps_stop(std::string_view prefix, char32_t after) const {
        if (after >= U'a' && after <= U'z') return true;
        return prefixes_.find(prefix) != StringNumbers::kNone ||
               (is_digit(after) && before_numbers_.find(prefix) != StringNumbers::kNone);
    }
    void append(std::u32string_view word, bool dotted, std::string& out) const {
        for (const char32_t c : word) {
            if (c == U'.' && !dotted) continue;
            if (!punctuation_ && !is_letter(c) && !is_digit(c)) out.push_back(' ');
            else utf8_append(out, c == kDot ? U'.' : c);
        }
    }
    // No spaces or control characters at the ends.
    static void trim(std::string& out) {
        const auto blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
        while (!out.empty() && blank(out.back())) out.pop_back();
        size_t lead = 0;
        while (lead < out.size() && blank(out[lead])) ++lead;
        out.erase(0, lead);
    }

    Apostrophes apostrophes_;
    bool punctuation_;
    StringNumbers prefixes_, before_numbers_;
};

}  // namespace tertium
