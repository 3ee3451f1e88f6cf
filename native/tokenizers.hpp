// All native tokenisers by name, but Moses', which has data (tokenize_moses.hpp). Those that sacrebleu has give exactly
// what sacrebleu 2.6.0 gives for the segment without its trailing white space, split on white space;
// docs/tokenizers.md says what that is. Those with -lc lower-case ASCII letters, for mteval-v13a and Moses.
#pragma once

#include <string_view>
#include <utility>

#include "tokenize_13a.hpp"
#include "tokenize_gtm.hpp"
#include "tokenize_intl.hpp"
#include "tokenize_lower.hpp"
#include "tokenize_rouge.hpp"
#include "tokenize_tercom.hpp"
#include "tokenize_tercom_java.hpp"
#include "tokenize_zh.hpp"
#include "tokens.hpp"
#include "utf8.hpp"

namespace tertium {

// Every character that is not white space is a token.
inline void tokenize_char(std::string_view input, Tokens& out) {
    out.start(input);
    for (size_t i = 0; i < input.size();) {
        const size_t length = size_t(utf8_length(static_cast<unsigned char>(input[i])));
        if (!space_at(input, i)) out.add(i, i + length);
        i += length;
    }
}

// "tercom" (as sacrebleu has it) and "tercom-java" (as tercom has it) may carry switches: n normalized, p no_punct,
// a asian, in this order; "rouge" a stemmer.
inline constexpr std::pair<std::string_view, Tokenizer> tokenizers[] = {
    {"13a", tokenize_13a},
    {"char", tokenize_char},
    {"intl", tokenize_intl},
    {"none", tokenize_none},
    {"zh", tokenize_zh},
    {"13a-lc", tokenize_ascii_lower<tokenize_13a>},
    {"char-lc", tokenize_ascii_lower<tokenize_char>},
    {"intl-lc", tokenize_ascii_lower<tokenize_intl>},
    {"none-lc", tokenize_ascii_lower<tokenize_none>},
    {"zh-lc", tokenize_ascii_lower<tokenize_zh>},
    {"zh-wmt17", tokenize_zh_wmt17},
    {"zh-wmt17-lc", tokenize_ascii_lower<tokenize_zh_wmt17>},
    {"tercom", tokenize_tercom<false, false, false>},
    {"tercom-a", tokenize_tercom<false, false, true>},
    {"tercom-p", tokenize_tercom<false, true, false>},
    {"tercom-pa", tokenize_tercom<false, true, true>},
    {"tercom-n", tokenize_tercom<true, false, false>},
    {"tercom-na", tokenize_tercom<true, false, true>},
    {"tercom-np", tokenize_tercom<true, true, false>},
    {"tercom-npa", tokenize_tercom<true, true, true>},
    {"tercom-java", tokenize_tercom_java<false, false, false>},
    {"tercom-java-a", tokenize_tercom_java<false, false, true>},
    {"tercom-java-p", tokenize_tercom_java<false, true, false>},
    {"tercom-java-pa", tokenize_tercom_java<false, true, true>},
    {"tercom-java-n", tokenize_tercom_java<true, false, false>},
    {"tercom-java-na", tokenize_tercom_java<true, false, true>},
    {"tercom-java-np", tokenize_tercom_java<true, true, false>},
    {"tercom-java-npa", tokenize_tercom_java<true, true, true>},
    {"rouge", tokenize_rouge<RougeStem::none>},
    {"rouge-nltk", tokenize_rouge<RougeStem::nltk>},
    {"rouge-porter", tokenize_rouge<RougeStem::porter>},
    {"gtm", tokenize_gtm},
};

// The tokeniser of that name, nullptr if there is none.
inline Tokenizer find_tokenizer(std::string_view name) {
    for (const auto& [known, tokenizer] : tokenizers)
        if (known == name) return tokenizer;
    return nullptr;
}

}  // namespace tertium
