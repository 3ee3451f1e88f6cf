// The Moses tokeniser. Unlike the other tokenisers it has data, lists of abbreviations that keep their full stop, and
// so it is an object: it rewrites a segment into its tokens with one space between, and `none` splits that again.
//
// Some rules look at the spaces that rules before them have put in, and a match uses up its neighbours, so that the
// same character cannot take part twice (of d'n'b only one apostrophe is cut off). What such a chain of passes comes
// to has no short description of its own. Hence the passes are really made, over code points, and only those whose
// character occurs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "unicode_classes.hpp"
#include "unicode_letters.hpp"
#include "utf8.hpp"

namespace tertium {

struct MosesOptions {
    enum class Apostrophes : uint8_t { apart, english, french } apostrophes = Apostrophes::apart;
    bool hyphens = false;     // cut compounds too: a-b gives a @-@ b
    bool escape = false;      // &apos; and the like for characters that mean something to the Moses decoder
    bool colons = false;      // a colon before a lower-case letter stays in its word (Finnish case endings)
    bool ideographs = false;  // ideographs, Hangul and what is beyond the basic plane make words, as letters do
};

class MosesTokenizer {
public:
    MosesTokenizer(MosesOptions options, const std::vector<std::string>& prefixes,
                   const std::vector<std::string>& before_numbers)
        : options_(options),
          prefixes_(prefixes.begin(), prefixes.end()),
          before_numbers_(before_numbers.begin(), before_numbers.end()) {}

    // Working memory, kept from segment to segment.
    struct Scratch {
        std::u32string text, next;
        std::string word;
    };

    // Appends the tokens of a segment to `out`, with a space between them.
    void cut(std::string_view line, Scratch& scratch, std::string& out) const {
        const Seen seen = read(line, scratch.text);
        if (options_.colons && seen.colon) cut_colons(scratch);
        if (options_.hyphens && seen.hyphen) cut_hyphens(scratch);
        if (seen.dots) join_dots(scratch);
        if (seen.comma) cut_commas(scratch);
        if (seen.apostrophe) cut_apostrophes(scratch);
        write(scratch, out);
    }

private:
    // What a run of n full stops becomes: one character, which no rule takes for anything. No text can hold it.
    static constexpr char32_t kDots = 0x110000;

    struct Seen {
        bool dots = false, comma = false, apostrophe = false, hyphen = false, colon = false;
    };

    static bool is_letter(char32_t c) { return unicode::letter_of(c) >= unicode::Letter::letter; }
    static bool is_lower(char32_t c) { return unicode::letter_of(c) == unicode::Letter::lower; }
    static bool is_alphanumeric(char32_t c) { return unicode::letter_of(c) != unicode::Letter::none; }
    // What sacremoses' table of letters lacks.
    static bool is_ideograph(char32_t c) {
        if (c < 0x3005) return false;
        return c == 0x3005 || c == 0x3007 || (c >= 0x3021 && c <= 0x3029) || (c >= 0x3038 && c <= 0x303B) ||
               (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7A3) ||
               (c >= 0xF900 && c <= 0xFAFF) || c >= 0x10000;
    }
    static bool is_number(char32_t c) { return unicode::class_of(c) == unicode::Class::number; }

    // The text with single spaces, without control characters, and with spaces around every symbol.
    Seen read(std::string_view line, std::u32string& text) const {
        Seen seen;
        text.clear();
        const char* p = line.data();
        const char* const end = p + line.size();
        bool in_space = false;
        size_t spaces = 0;  // written when something follows; a control character that goes leaves two of them
        while (p < end) {
            const char32_t c = utf8_next(p);
            if (is_space(c)) {
                spaces += !in_space;
                in_space = true;
                continue;
            }
            in_space = false;
            if (c < 0x20) continue;
            if (!text.empty()) text.append(spaces, U' ');
            spaces = 0;
            switch (c) {
                case U'.':
                    seen.dots |= !text.empty() && text.back() == U'.';
                    text.push_back(c);
                    break;
                case U',':
                    seen.comma = true;
                    text.push_back(c);
                    break;
                case U'\'':
                    seen.apostrophe = true;
                    text.push_back(c);
                    break;
                case U'-':
                    seen.hyphen = true;
                    text.push_back(c);
                    break;
                case U'`': text.push_back(c); break;
                default:
                    if (is_alphanumeric(c) && (options_.ideographs || !is_ideograph(c))) {
                        text.push_back(c);
                    } else if (c == U':' && options_.colons) {
                        seen.colon = true;
                        text.push_back(c);
                    } else {
                        text.push_back(U' ');
                        text.push_back(c);
                        text.push_back(U' ');
                    }
            }
        }
        return seen;
    }

    static void cut_colons(Scratch& scratch) {
        auto& [text, next, word] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size(); ++i) {
            if (text[i] == U':' && !(i + 1 < text.size() && is_lower(text[i + 1]))) next.append(U" : ");
            else next.push_back(text[i]);
        }
        text.swap(next);
    }

    static void cut_hyphens(Scratch& scratch) {
        auto& [text, next, word] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size(); ++i) {
            if (text[i] == U'-' && i > 0 && i + 1 < text.size() && is_alphanumeric(text[i - 1]) && is_alphanumeric(text[i + 1]))
                next.append(U" @-@ ");
            else next.push_back(text[i]);
        }
        text.swap(next);
    }

    // Several full stops in a row are a token of their own.
    static void join_dots(Scratch& scratch) {
        auto& [text, next, word] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size();) {
            size_t run = 0;
            while (i + run < text.size() && text[i + run] == U'.') ++run;
            if (run < 2) {
                next.push_back(text[i++]);
                continue;
            }
            next.push_back(U' ');
            next.push_back(char32_t(kDots + run));
            next.push_back(U' ');
            i += run;
        }
        text.swap(next);
    }

    // A comma is cut off what precedes it unless that is a number, then off what follows.
    static void cut_commas(Scratch& scratch) {
        auto& [text, next, word] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size();) {
            next.push_back(text[i]);
            if (i + 1 < text.size() && text[i + 1] == U',' && !is_number(text[i])) {
                next.append(U" , ");
                i += 2;
            } else {
                ++i;
            }
        }
        text.clear();
        for (size_t i = 0; i < next.size();) {
            if (next[i] == U',' && i + 1 < next.size() && !is_number(next[i + 1])) {
                text.append(U" , ");
                text.push_back(next[i + 1]);
                i += 2;
            } else {
                text.push_back(next[i++]);
            }
        }
        if (text.size() > 1 && text.back() == U',' && is_number(text[text.size() - 2])) {
            text.back() = U' ';  // not insert(): compilers see overlaps in it that there are not
            text.push_back(U',');
        }
    }

    // Apostrophes between two characters of certain sorts get spaces before or behind them. A match uses up both
    // characters, and the edges of the text match nothing.
    template <class Before, class Behind>
    static void space_apostrophes(Scratch& scratch, Before before, Behind behind, bool space_before, bool space_behind) {
        auto& [text, next, word] = scratch;
        next.clear();
        for (size_t i = 0; i < text.size();) {
            next.push_back(text[i]);
            if (i + 2 < text.size() && text[i + 1] == U'\'' && before(text[i]) && behind(text[i + 2])) {
                if (space_before) next.push_back(U' ');
                next.push_back(U'\'');
                if (space_behind) next.push_back(U' ');
                next.push_back(text[i + 2]);
                i += 3;
            } else {
                ++i;
            }
        }
        text.swap(next);
    }

    void cut_apostrophes(Scratch& scratch) const {
        const auto other = [](char32_t c) { return !is_letter(c); };
        if (options_.apostrophes == MosesOptions::Apostrophes::apart) {
            scratch.next.clear();
            for (const char32_t c : scratch.text) {
                if (c == U'\'') scratch.next.append(U" ' ");
                else scratch.next.push_back(c);
            }
            scratch.text.swap(scratch.next);
            return;
        }
        space_apostrophes(scratch, other, other, true, true);
        if (options_.apostrophes == MosesOptions::Apostrophes::english) {
            space_apostrophes(
                scratch, [](char32_t c) { return !is_letter(c) && !is_number(c); }, is_letter, true, true);
            space_apostrophes(scratch, is_letter, other, true, true);
            space_apostrophes(scratch, is_letter, is_letter, true, false);  // don't: don 't
            space_apostrophes(
                scratch, is_number, [](char32_t c) { return c == U's'; }, true, false);  // the 90 's
        } else {
            space_apostrophes(scratch, other, is_letter, true, true);
            space_apostrophes(scratch, is_letter, other, true, true);
            space_apostrophes(scratch, is_letter, is_letter, false, true);  // l'eau: l' eau
        }
    }

    using Word = std::u32string_view;

    // Whether `word`, which ends in a full stop and has more than that, keeps it in front of `following`.
    bool keeps_stop(Word word, Word following, std::string& buffer) const {
        if (!following.empty() && is_lower(following[0])) return true;
        const Word prefix = word.substr(0, word.size() - 1);
        bool letter = false, stop = false;
        buffer.clear();
        for (const char32_t c : prefix) {
            letter |= is_letter(c);
            stop |= c == U'.';
            utf8_append(buffer, c);
        }
        if (letter && stop) return true;
        if (before_numbers_.contains(buffer)) return !following.empty() && following[0] >= U'0' && following[0] <= U'9';
        return prefixes_.contains(buffer);
    }

    static Word word_at(const std::u32string& text, size_t& at) {
        while (at < text.size() && text[at] == U' ') ++at;
        const size_t begin = at;
        while (at < text.size() && text[at] != U' ') ++at;
        return Word(text).substr(begin, at - begin);
    }

    void write(Scratch& scratch, std::string& out) const {
        size_t at = 0;
        for (Word word = word_at(scratch.text, at); !word.empty();) {
            const Word following = word_at(scratch.text, at);
            if (word.size() > 1 && word.back() == U'.' && !keeps_stop(word, following, scratch.word)) {
                write_word(word.substr(0, word.size() - 1), out);
                out.append(" .");
            } else if (following.empty() && word.ends_with(U".'")) {  // a quotation that ends the text
                if (word.size() > 2) {
                    write_word(word.substr(0, word.size() - 2), out);
                    out.push_back(' ');
                }
                out.append(options_.escape ? ". &apos;" : ". '");
            } else {
                write_word(word, out);
            }
            if (!following.empty()) out.push_back(' ');
            word = following;
        }
    }

    void write_word(Word word, std::string& out) const {
        for (const char32_t c : word) {
            if (c >= kDots) out.append(size_t(c - kDots), '.');
            else if (const char* escaped = options_.escape ? escape_of(c) : nullptr) out.append(escaped);
            else utf8_append(out, c);
        }
    }

    static const char* escape_of(char32_t c) {
        switch (c) {
            case U'&': return "&amp;";
            case U'|': return "&#124;";
            case U'<': return "&lt;";
            case U'>': return "&gt;";
            case U'\'': return "&apos;";
            case U'"': return "&quot;";
            case U'[': return "&#91;";
            case U']': return "&#93;";
            default: return nullptr;
        }
    }

    MosesOptions options_;
    std::unordered_set<std::string> prefixes_, before_numbers_;
};

}  // namespace tertium
