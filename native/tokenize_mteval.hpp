// What mteval-v13a and multi-bleu do to text beyond `13a` and `intl`: lower case for ASCII letters only, and entities
// undone before the international tokenisation.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tokenize_13a.hpp"
#include "tokenize_intl.hpp"

namespace tertium {

// The tokens of `tokenizer` in lower case, letters beyond ASCII as they are. After tokenising, since "&AMP;" is no entity.
template <Tokenizer tokenizer>
inline void tokenize_ascii_lower(std::string_view input, Tokens& out) {
    tokenizer(input, out);
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    const std::string_view text = out.text();
    if (std::none_of(text.begin(), text.end(), capital)) return;
    if (text.data() != out.rewritten.data()) out.rewritten.assign(text);
    for (char& c : out.rewritten)
        if (capital(c)) c = char(c + ('a' - 'A'));
    out.use_rewritten();
}

namespace scan {

inline constexpr std::string_view line_separator = "\u2028";

// Deletes a hyphen together with the line separator behind it: Unicode's property Hyphen.
inline void join_hyphenated(std::string& text) {
    for (const std::string_view hyphen : {"-", "\u00AD", "\u058A", "\u1806", "\u2010", "\u2011", "\u2E17", "\u30FB",
                                          "\uFE63", "\uFF0D", "\uFF65"})
        erase_all(text, std::string(hyphen) + std::string(line_separator));
}

inline void undo_apostrophes(std::string& text) {
    static constexpr std::string_view entity = "&apos;";
    for (size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
        text.replace(at, entity.size(), "'");
}

}  // namespace scan

inline void tokenize_mteval_intl(std::string_view input, Tokens& out) {
    const std::string_view text = rstrip(input);
    if (text.find('&') == std::string_view::npos && text.find("<skipped>") == std::string_view::npos &&
        text.find(scan::line_separator) == std::string_view::npos) {
        tokenize_intl(text, out);
        return;
    }
    out.start(input);
    out.rewritten.assign(text);
    scan::erase_all(out.rewritten, "<skipped>");
    scan::join_hyphenated(out.rewritten);
    scan::undo_entities(out.rewritten);
    scan::undo_apostrophes(out.rewritten);
    out.use_rewritten();
    scan::scan<scan::RulesIntl>(out.rewritten, 0, out);
}

}  // namespace tertium
