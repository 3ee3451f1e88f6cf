// The words of texts, as quality estimation and models of texts count them: runs of letters, digits and `_`, with one
// apostrophe inside; every other character that is no space is a word of its own. A word's key is BLAKE2b of its small letters.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blake2b.hpp"
#include "string_numbers.hpp"
#include "word_characters.hpp"
#include "words.hpp"

namespace tertium {

// One text cut into words.
class CutWords {
public:
    struct Part {
        uint32_t begin, end;  // code points
        uint32_t byte, bytes;
    };

    explicit CutWords(const WordCharacters& characters) : characters_(&characters) {}

    std::vector<char32_t> codes;
    std::vector<Part> parts;

    void read(std::string_view text) {
        decode(text, codes);
        parts.clear();
        const auto n = uint32_t(codes.size());
        uint32_t byte = 0;
        const auto pass = [&](uint32_t& i) { byte += width(codes[i++]); };
        for (uint32_t i = 0; i < n;) {
            const uint32_t begin = i, from = byte;
            if (characters_->is_word(codes[i])) {
                while (i < n && characters_->is_word(codes[i])) pass(i);
                if (i + 1 < n && (codes[i] == '\'' || codes[i] == 0x2019) && characters_->is_word(codes[i + 1])) {
                    pass(i);
                    while (i < n && characters_->is_word(codes[i])) pass(i);
                }
            } else {
                const bool space = is_space(codes[i]);
                pass(i);
                if (space) continue;
            }
            parts.push_back({begin, i, from, byte - from});
        }
    }

private:
    static uint32_t width(char32_t c) { return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4; }

    const WordCharacters* characters_;
};

// Keys of words; those of the last words are remembered, since most words of a text have been in it before.
class WordKeys {
public:
    explicit WordKeys(const WordCharacters& characters) : characters_(&characters), known_(size_t(1) << kBits) {}

    uint64_t operator()(std::span<const char32_t> codes, std::string_view bytes) {
        Known& known = known_[string_hash(bytes) >> (64 - kBits)];
        if (known.bytes != bytes) {
            small_.clear();
            characters_->lower(codes, small_);
            text_.clear();
            for (const char32_t c : small_) utf8_append(text_, c);
            known.key = blake2b_key(text_);
            known.bytes.assign(bytes);
        }
        return known.key;
    }

private:
    static constexpr size_t kBits = 12;
    struct Known {
        std::string bytes;
        uint64_t key = kOfNothing;
    };
    static constexpr uint64_t kOfNothing = 0;  // words are never empty

    const WordCharacters* characters_;
    std::vector<Known> known_;
    std::vector<char32_t> small_;
    std::string text_;
};

}  // namespace tertium
