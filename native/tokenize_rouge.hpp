// The tokeniser `rouge`: lower case, and only the letters a to z and digits make words, as in ROUGE 1.5.5 and
// rouge-score. With a stemmer, words of more than three characters are stemmed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stem_porter.hpp"
#include "tokens.hpp"

namespace tertium {

enum class RougeStem { none, porter, nltk };

namespace rouge_detail {

// What a byte becomes: a letter or digit, a separator that keeps line ends apart, or 0 beyond ASCII.
constexpr std::array<char, 256> kinds = [] {
    std::array<char, 256> table{};
    for (int c = 0; c < 128; ++c) table[size_t(c)] = ' ';
    for (int c = '0'; c <= '9'; ++c) table[size_t(c)] = char(c);
    for (int c = 'a'; c <= 'z'; ++c) table[size_t(c)] = table[size_t(c - 32)] = char(c);
    table['\n'] = '\n';
    return table;
}();

}  // namespace rouge_detail

// Spans index the rewritten text, in which line ends are kept: ROUGE-Lsum looks for them between words.
template <RougeStem stem>
void tokenize_rouge(std::string_view input, Tokens& out) {
    using rouge_detail::kinds;
    out.start(input);
    out.rewritten.resize(input.size());
    char* const to = out.rewritten.data();
    size_t begin = 0, length = 0;
    const auto finish = [&] {
        if (begin == length) return;
        size_t end = length;
        if constexpr (stem != RougeStem::none)
            if (end - begin > 3) end = begin + PorterStem::stem(to + begin, end - begin, stem == RougeStem::nltk);
        out.add(begin, end);
    };
    for (size_t i = 0; i < input.size(); ++i) {
        char c = kinds[static_cast<unsigned char>(input[i])];
        if (c > ' ') {
            to[length++] = c;
            continue;
        }
        // Only two characters beyond ASCII have an ASCII letter in their lower case: the Kelvin sign and dotted I.
        if (c == 0 && input.substr(i, 3) == "\xE2\x84\xAA") {
            to[length++] = 'k';
            i += 2;
            continue;
        }
        if (c == 0 && input.substr(i, 2) == "\xC4\xB0") {
            to[length++] = 'i';
            ++i;  // of its two bytes one is the letter and one the separator
        }
        finish();
        to[length++] = c == '\n' ? '\n' : ' ';
        begin = length;
    }
    finish();
    out.rewritten.resize(length);
    out.use_rewritten();
}

}  // namespace tertium
