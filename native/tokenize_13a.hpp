// The tokeniser `13a`: what WMT's mteval-v13a does, and the default of BLEU.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "tokenize_scan.hpp"

namespace tertium {
namespace scan {

// Deletes `what` wherever it stands, in one pass: what closing the gap brings together stays.
inline void erase_all(std::string& text, std::string_view what) {
    size_t found = text.find(what);
    if (found == std::string::npos) return;
    size_t kept = found;
    while (found != std::string::npos) {
        const size_t begin = found + what.size();
        found = text.find(what, begin);
        const size_t end = found == std::string::npos ? text.size() : found;
        std::memmove(text.data() + kept, text.data() + begin, end - begin);
        kept += end - begin;
    }
    text.resize(kept);
}

// Length of the XML entity at text[i] if it is one of the four that are undone, else 0.
inline size_t entity_at(std::string_view text, size_t i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("&lt;") || rest.starts_with("&gt;")) return 4;
    if (rest.starts_with("&amp;")) return 5;
    if (rest.starts_with("&quot;")) return 6;
    return 0;
}

// Undoes the four entities as if one kind were replaced after the other: quot, amp, lt, gt. So an ampersand that
// comes out of &amp; can open &lt; and &gt;, but neither &quot; nor another &amp;.
inline void undo_entities(std::string& text) {
    size_t kept = 0;
    for (size_t i = 0; i < text.size();) {
        size_t length = text[i] == '&' ? entity_at(text, i) : 0;
        if (length == 0) {
            text[kept++] = text[i++];
            continue;
        }
        char meant = length == 6 ? '"' : length == 5 ? '&' : text[i + 1] == 'l' ? '<' : '>';
        if (length == 5) {
            const std::string_view rest = std::string_view(text).substr(i + 5);
            if (rest.starts_with("lt;") || rest.starts_with("gt;")) {
                meant = rest[0] == 'l' ? '<' : '>';
                length += 3;
            }
        }
        text[kept++] = meant;
        i += length;
    }
    text.resize(kept);
}

struct Rules13a : AsciiNumbers {
    static constexpr Kinds kinds = [] {
        Kinds result = western();
        set(result, '\n', '\n', Kind::rewriting_space);
        set(result, '&', '&', Kind::rewriting_symbol);
        set(result, '<', '<', Kind::rewriting_symbol);
        return result;
    }();
    static constexpr bool padded = true;

    static Character lead(std::string_view text, size_t i) { return only_space(text, i); }
    // A line break that stays becomes a space, which is no change to a splitter; one behind a hyphen goes with it.
    static bool rewrites(std::string_view text, size_t i) {
        if (text[i] == '\n') return i > 0 && text[i - 1] == '-';
        if (text[i] == '<') return text.substr(i).starts_with("<skipped>");
        return entity_at(text, i) != 0;
    }
};

}  // namespace scan

inline void tokenize_13a(std::string_view input, Tokens& out) {
    out.start(input);
    const std::string_view text = rstrip(input);
    if (scan::scan<scan::Rules13a>(text, 0, out)) return;
    out.rewritten.assign(text);
    scan::erase_all(out.rewritten, "<skipped>");
    scan::erase_all(out.rewritten, "-\n");
    scan::undo_entities(out.rewritten);
    out.spans.clear();
    out.use_rewritten();
    scan::scan<scan::Rules13a, true>(out.rewritten, 0, out);
}

}  // namespace tertium
