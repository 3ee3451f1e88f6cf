// What a tokeniser makes: spans of bytes in a text, without copying the text where that can be helped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

struct Span {
    uint32_t begin, end;  // bytes
};

// The tokens of one segment. Reused from segment to segment, so that nothing is allocated in the loop.
// `spans` index `text()`: the input itself, or `rewritten` where the tokeniser had to change characters.
class Tokens {
public:
    std::vector<Span> spans;
    std::string rewritten;  // scratch of tokenisers that rewrite

    void start(std::string_view input) {
        spans.clear();
        base_ = input;
    }
    // Declares that the spans index `rewritten`. Call it after `rewritten` has got its final content.
    void use_rewritten() { base_ = rewritten; }

    std::string_view text() const { return base_; }
    size_t size() const { return spans.size(); }
    std::string_view operator[](size_t i) const { return base_.substr(spans[i].begin, spans[i].end - spans[i].begin); }
    void add(size_t begin, size_t end) { spans.push_back({uint32_t(begin), uint32_t(end)}); }

private:
    std::string_view base_;
};

// A tokeniser: calls out.start(input) and adds spans. Input: one segment, UTF-8 (see utf8.hpp).
using Tokenizer = void (*)(std::string_view input, Tokens& out);

}  // namespace tertium
