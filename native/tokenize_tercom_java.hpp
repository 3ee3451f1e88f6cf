// The tokeniser of tercom itself, where sacrebleu's (tokenize_tercom.hpp) departs from it:
//   only ASCII white space separates: a no-break space or an ideographic one is part of a word;
//   runs of hiragana and of katakana become tokens with `asian` (sacrebleu's rules for them never match);
//   "<skipped>" disappears with `normalized`;
//   where deleting punctuation (`no_punct`) empties the line's beginning, an empty word stays there, and a line of
//   one token that vanishes is one empty word.
#pragma once

#include <string_view>

#include "tokenize_tercom.hpp"

namespace tertium {
namespace scan {

constexpr Kinds java_spaces(Kinds kinds) {
    set(kinds, 0x1B, 0x1F, Kind::plain);
    set(kinds, 0x80, 0xFF, Kind::plain);
    return kinds;
}

// The blocks whose runs are tokens: 1 hiragana, 2 katakana, 3 its phonetic extensions. The middle dot is a symbol.
inline int kana_block(char32_t c) {
    if (c == 0x30FB) return 0;
    return c >= 0x3040 && c <= 0x309F ? 1 : c >= 0x30A0 && c <= 0x30FF ? 2 : c >= 0x31F0 && c <= 0x31FF ? 3 : 0;
}

template <bool asian>
struct RulesTercomJava : RulesTercom<asian> {
    static constexpr Kinds kinds = [] {
        Kinds result = java_spaces(RulesTercom<asian>::kinds);
        set(result, '\n', '\n', Kind::space);
        if (asian) {
            set(result, 0xE2, 0xE9, Kind::lead);
            set(result, 0xEF, 0xEF, Kind::lead);
        }
        return result;
    }();

    static Character lead(std::string_view text, size_t i) {
        const char* p = text.data() + i;
        const char32_t c = utf8_next(p);
        if (is_asian_token(c)) return {Kind::symbol, 3};
        const int block = kana_block(c);
        if (block == 0 || (i >= 3 && block_at(text, i - 3) == block)) return {Kind::plain, 3};  // none, or seen already
        size_t end = i + 3;
        while (end + 3 <= text.size() && block_at(text, end) == block) end += 3;
        return {Kind::symbol, uint32_t(end - i)};
    }
    static bool possessive(std::string_view text, size_t i) {
        if (i + 1 == text.size() || text[i + 1] != 's') return false;
        if (i + 2 == text.size() || text[i + 2] == ' ') return true;
        const Kind kind = kinds[static_cast<unsigned char>(text[i + 2])];
        return kind == Kind::symbol || kind == Kind::rewriting_symbol;
    }

private:
    static int block_at(std::string_view text, size_t i) {  // all kana have three bytes and this first one
        if (text[i] != '\xE3') return 0;
        const char* p = text.data() + i;
        return kana_block(utf8_next(p));
    }
};

struct RulesJavaSpaces : AsciiNumbers {
    static constexpr bool padded = true;
    static constexpr Kinds kinds = java_spaces(white_space());
    static Character lead(std::string_view, size_t) { return {Kind::plain, 1}; }
};

}  // namespace scan

template <bool normalized, bool no_punct, bool asian>
inline void tokenize_tercom_java(std::string_view input, Tokens& out) {
    while (!input.empty() && static_cast<unsigned char>(input.front()) <= ' ') input.remove_prefix(1);
    while (!input.empty() && static_cast<unsigned char>(input.back()) <= ' ') input.remove_suffix(1);
    out.start(input);
    if (input.empty()) return;
    if constexpr (normalized) {
        using Rules = scan::RulesTercomJava<asian>;
        constexpr std::string_view skipped = "<skipped>";
        if (input.find(skipped) != input.npos || !scan::scan<Rules>(input, 0, out)) {
            out.rewritten.assign(input);
            scan::erase_all(out.rewritten, skipped);
            scan::undo_entities(out.rewritten);
            out.spans.clear();
            out.use_rewritten();
            scan::scan<Rules, true>(out.rewritten, 0, out);
        }
    } else {
        scan::scan<scan::RulesJavaSpaces>(input, 0, out);
    }
    const size_t tokens = out.spans.size();
    const uint32_t first_end = tokens ? out.spans.front().end : 0;
    if constexpr (no_punct) scan::delete_punctuation<asian>(out);
    if (out.spans.empty() ? tokens < 2 : out.spans.front().begin >= first_end) out.spans.insert(out.spans.begin(), {0, 0});
}

}  // namespace tertium
