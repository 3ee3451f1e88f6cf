// The letters of a word in buckets: its runs of a few characters, with its ends marked, and the whole word, each by its
// CRC-32 (that of zlib).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "utf8.hpp"

namespace tertium {

constexpr std::array<uint32_t, 256> kCrc32 = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t n = 0; n < 256; ++n) {
        uint32_t value = n;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
        table[n] = value;
    }
    return table;
}();

inline uint32_t crc32(std::string_view text) {
    uint32_t value = 0xFFFFFFFFu;
    for (const char c : text) value = kCrc32[(value ^ static_cast<unsigned char>(c)) & 0xFF] ^ (value >> 8);
    return ~value;
}

class WordLetters {
public:
    WordLetters(size_t least, size_t most, uint32_t buckets) : least_(least), most_(most), buckets_(buckets) {}

    // Shorter runs come first; the whole word is the last.
    void add(std::string_view word, std::vector<int64_t>& out) {
        if (word.empty()) return;
        text_.assign("<").append(word).push_back('>');
        ends_.clear();
        for (size_t i = 0; i < text_.size(); i += size_t(utf8_length(static_cast<unsigned char>(text_[i])))) ends_.push_back(i);
        const size_t characters = ends_.size();
        ends_.push_back(text_.size());
        for (size_t n = least_; n <= most_; ++n)
            for (size_t i = 0; i + n <= characters; ++i)
                out.push_back(crc32(std::string_view(text_).substr(ends_[i], ends_[i + n] - ends_[i])) % buckets_);
        text_.front() = '=';
        out.push_back(crc32(std::string_view(text_).substr(0, text_.size() - 1)) % buckets_);
    }

private:
    size_t least_, most_;
    uint32_t buckets_;
    std::string text_;
    std::vector<size_t> ends_;
};

}  // namespace tertium
