// Numbers for the words of one line, by exact comparison; the words of another line are then looked up.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace tertium {

// Words are strings of bytes; sixteen bytes must be readable at the start of each, however short it is, and
// the bytes must stay where they are while the numbers are in use.
class WordIds {
public:
    void start(size_t max_words) {
        const size_t slots = std::bit_ceil(std::max<size_t>(4 * max_words, 16));
        slots_.assign(slots, 0);
        shift_ = 64 - std::countr_zero(slots);
        if (words_.size() <= max_words) words_.resize(max_words + 1);
        next_ = 1;
    }
    // Numbers from 1, in the order of first appearance.
    uint32_t add(const unsigned char* bytes, size_t length) {
        Word& word = words_[next_];  // made where it would stay
        word = Word(bytes, length);
        uint32_t& slot = find(word);
        if (slot == 0) slot = next_++;
        return slot;
    }
    // 0 for a word that was not added.
    uint32_t find(const unsigned char* bytes, size_t length) { return find(Word(bytes, length)); }

    size_t size() const { return next_; }  // one more than the words: what a table by number needs

private:
    static_assert(std::endian::native == std::endian::little, "words are cut out of little-endian loads");

    struct Word {
        uint64_t head = 0, next = 0;  // the first sixteen bytes
        size_t length = 0;
        const unsigned char* bytes = nullptr;

        Word() = default;
        Word(const unsigned char* text, size_t size) : length(size), bytes(text) {
            static constexpr std::array<uint64_t, 17> mask = [] {
                std::array<uint64_t, 17> table{};
                for (size_t i = 0; i < 17; ++i) table[i] = i < 8 ? (uint64_t{1} << 8 * i) - 1 : ~uint64_t{0};
                return table;
            }();
            const size_t in_front = std::min<size_t>(size, 16);
            head = load(text) & mask[in_front];
            next = load(text + 8) & mask[std::max<size_t>(in_front, 8) - 8];
        }
        bool operator==(const Word& other) const {
            return head == other.head && next == other.next && length == other.length &&
                   (length <= 16 || std::memcmp(bytes + 16, other.bytes + 16, length - 16) == 0);
        }
        uint64_t hash() const {
            uint64_t hash = head * 0x9E3779B97F4A7C15u ^ (next + length) * 0xC2B2AE3D27D4EB4Fu;
            for (size_t i = 16; i < length; i += 8) {
                uint64_t part = 0;
                std::memcpy(&part, bytes + i, std::min<size_t>(length - i, 8));
                hash = (hash ^ hash >> 32 ^ part) * 0x9E3779B97F4A7C15u;
            }
            return (hash ^ hash >> 32) * 0xBF58476D1CE4E5B9u;
        }
        static uint64_t load(const unsigned char* from) {
            uint64_t value;
            std::memcpy(&value, from, 8);
            return value;
        }
    };

    uint32_t& find(const Word& word) {
        for (size_t i = word.hash() >> shift_;; i = (i + 1) & (slots_.size() - 1)) {
            if (slots_[i] == 0 || words_[slots_[i]] == word) return slots_[i];
        }
    }

    std::vector<uint32_t> slots_;
    std::vector<Word> words_;
    uint32_t next_ = 1;
    int shift_ = 0;
};

}  // namespace tertium
