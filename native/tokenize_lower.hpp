// Tokens in lower case as byte-wise programs make it: ASCII letters only. mteval-v13a and multi-bleu -lc do so.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "tokens.hpp"

namespace tertium {

// The tokens of `tokenizer` in lower case. It comes last, because "&AMP;" is no entity of 13a.
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

}  // namespace tertium
