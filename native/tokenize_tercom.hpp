// The tokenisers of TER: tercom's normaliser with its three switches. Lower-casing, the fourth, is done before.
//   normalized   cut off punctuation much as 13a does, and possessives
//   no_punct     delete common punctuation
//   asian        with `normalized` make each ideograph a token; with `no_punct` delete East Asian punctuation too
#pragma once

#include <string>
#include <string_view>

#include "tokenize_13a.hpp"
#include "tokenize_scan.hpp"

namespace tertium {
namespace scan {

inline bool is_asian_punctuation(char32_t c) {
    if (c < 0x3001 || c > 0xFF65) return false;
    if (c < 0xFF01) return c <= 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) || c == 0x30FB;
    return c <= 0xFF02 || c == 0xFF08 || c == 0xFF09 || c == 0xFF0C || c == 0xFF0E || c == 0xFF1A || c == 0xFF1B ||
           c == 0xFF1F || c >= 0xFF61;
}

// Characters that `asian` makes tokens of their own. One range of the original ends at U+3F22 where U+32FF was
// meant; that adds nothing, the rest of it being ideographs anyway. The original also has rules for runs of hiragana
// and katakana, but they are anchored to the start of a text which begins with the space just put there: no kana
// is ever split, and so there is nothing about kana here.
inline bool is_asian_token(char32_t c) {
    if (c < 0x2E80) return false;
    if (c < 0xF900)
        return c <= 0x2EFF || (c >= 0x31C0 && c <= 0x31EF) || (c >= 0x3200 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
               is_asian_punctuation(c);
    return c <= 0xFAFF || (c >= 0xFE30 && c <= 0xFE4F) || is_asian_punctuation(c);
}

template <bool asian>
struct RulesTercom : AsciiNumbers {
    static constexpr bool padded = true;
    static constexpr Kinds kinds = [] {
        Kinds result = western();
        set(result, '\n', '\n', Kind::rewriting_space);
        set(result, '&', '&', Kind::rewriting_symbol);
        set(result, '\'', '\'', Kind::apostrophe);
        if (asian) {
            set(result, 0xE1, 0xE9, Kind::lead);
            set(result, 0xEF, 0xEF, Kind::lead);
        }
        return result;
    }();

    static Character lead(std::string_view text, size_t i) {
        if constexpr (!asian) return only_space(text, i);
        const char* p = text.data() + i;
        const char32_t c = utf8_next(p);
        const uint32_t length = uint32_t(p - (text.data() + i));
        if (is_space(c)) return {Kind::space, length};
        return {is_asian_token(c) ? Kind::symbol : Kind::plain, length};
    }
    // The original looks for 's and a space once symbols have got spaces and line breaks have become some, but before
    // points have: "Bob's," and a tab behind 's leave it alone.
    static bool possessive(std::string_view text, size_t i) {
        if (i + 1 == text.size() || text[i + 1] != 's') return false;
        if (i + 2 == text.size() || text[i + 2] == ' ' || text[i + 2] == '\n') return true;
        const Kind kind = kinds[static_cast<unsigned char>(text[i + 2])];
        return kind == Kind::symbol || kind == Kind::rewriting_symbol;
    }
    // Unlike 13a, tercom wants the hyphen behind the line break.
    static bool rewrites(std::string_view text, size_t i) {
        if (text[i] == '\n') return i + 1 < text.size() && text[i + 1] == '-';
        return entity_at(text, i) != 0;
    }
};

struct RulesNone : AsciiNumbers {
    static constexpr bool padded = true;
    static constexpr Kinds kinds = white_space();
    static Character lead(std::string_view text, size_t i) { return only_space(text, i); }
};

// Deletes punctuation inside the tokens, and tokens of which nothing remains. (The original deletes after it has put
// in its spaces and before it splits; white space is never deleted, so that is the same.)
template <bool asian>
inline void delete_punctuation(Tokens& out) {
    static constexpr Kinds kinds = [] {
        Kinds result{};
        for (const char mark : std::string_view(".,?:;!\"()")) set(result, mark, mark, Kind::symbol);
        if (asian) {
            set(result, 0xE3, 0xE3, Kind::lead);
            set(result, 0xEF, 0xEF, Kind::lead);
        }
        return result;
    }();
    const char* text = out.text().data();
    // Bytes to delete at text[i]: 0 for a byte that stays.
    const auto deleted = [&](uint32_t i) -> uint32_t {
        const Kind kind = kinds[static_cast<unsigned char>(text[i])];
        if (kind != Kind::lead) return kind == Kind::symbol;
        const char* p = text + i;
        return is_asian_punctuation(utf8_next(p)) ? 3 : 0;
    };
    Span* kept = out.spans.data();
    for (Span span : out.spans) {
        uint32_t length = 0;
        while (span.begin < span.end && (length = deleted(span.begin)) != 0) span.begin += length;
        uint32_t i = span.begin, end = span.begin;
        while (i < span.end) {
            length = deleted(i);
            if (length != 0) {
                i += length;
                continue;
            }
            if (i != end) {  // something was deleted inside: close the gap, in a copy of the text
                if (text != out.rewritten.data()) out.rewritten.assign(out.text());
                text = out.rewritten.data();
                out.rewritten[end] = out.rewritten[i];
            }
            ++i;
            ++end;
        }
        if (end > span.begin) *kept++ = {span.begin, end};
    }
    out.spans.resize(size_t(kept - out.spans.data()));
    if (text == out.rewritten.data()) out.use_rewritten();
}

}  // namespace scan

// Splits on white space: Python's str.split().
inline void tokenize_none(std::string_view input, Tokens& out) {
    out.start(input);
    scan::scan<scan::RulesNone>(input, 0, out);
}

template <bool normalized, bool no_punct, bool asian>
inline void tokenize_tercom(std::string_view input, Tokens& out) {
    using Rules = scan::RulesTercom<asian>;
    if constexpr (normalized) {
        out.start(input);
        const std::string_view text = rstrip(input);
        if (!scan::scan<Rules>(text, 0, out)) {
            out.rewritten.assign(text);
            scan::erase_all(out.rewritten, "\n-");
            scan::undo_entities(out.rewritten);
            out.spans.clear();
            out.use_rewritten();
            scan::scan<Rules, true>(out.rewritten, 0, out);
        }
    } else {
        tokenize_none(input, out);
    }
    if constexpr (no_punct) scan::delete_punctuation<asian>(out);
}

}  // namespace tertium
