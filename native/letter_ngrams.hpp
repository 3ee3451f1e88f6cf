// N-grams of the letters of a text, spaces before and behind it among them, as numbers below a power of two.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "key_table.hpp"
#include "word_characters.hpp"

namespace tertium {

class LetterNgrams {
public:
    static constexpr size_t kShortest = 2, kLongest = 4;

    explicit LetterNgrams(const WordCharacters& characters) : characters_(characters) {}

    // Those of two letters, then those of three, then those of four.
    void read(std::string_view text, uint32_t buckets, std::vector<uint32_t>& out) {
        decode(text, codes_);
        small_.assign(1, ' ');
        characters_.lower(codes_, small_);
        small_.push_back(' ');
        out.clear();
        for (size_t size = kShortest; size <= kLongest; ++size)
            for (size_t i = 0; i + size <= small_.size(); ++i) {
                MixedKey key(size);
                for (size_t k = 0; k < size; ++k) key = key.with(small_[i + k]);
                out.push_back(uint32_t(key.whole() & (buckets - 1)));
            }
    }

private:
    const WordCharacters& characters_;
    std::vector<char32_t> codes_, small_;
};

}  // namespace tertium
