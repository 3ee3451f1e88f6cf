// Words as numbers: a 64-bit key per word, and small tables that give equal words equal numbers. Exact: a
// word of up to eight bytes is its own key; longer words are hashed and then compared byte by byte.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "tokens.hpp"

namespace tertium {

static_assert(std::endian::native == std::endian::little, "packed word keys assume little-endian memory");

struct Word {
    uint64_t key;
    uint32_t begin, size;  // bytes in the text of its segment
};

inline uint64_t mix(uint64_t a, uint64_t b) {
    const __uint128_t product = static_cast<__uint128_t>(a ^ 0x9E3779B97F4A7C15ull) * (b ^ 0xD6E8FEB86659FD93ull);
    return uint64_t(product) ^ uint64_t(product >> 64);
}

inline uint64_t load_bytes(const char* p, size_t n) {  // n in 1..8, the rest zero
    uint64_t value = 0;
    std::memcpy(&value, p, n);
    return value;
}

// `text_end` bounds what may be read, so that the common case is one load and one mask.
inline uint64_t word_key(const char* p, size_t n, const char* text_end) {
    if (n <= 8) {
        if (text_end - p >= 8) {
            uint64_t value;
            std::memcpy(&value, p, 8);
            return n == 8 ? value : value & ((uint64_t(1) << (8 * n)) - 1);
        }
        return n ? load_bytes(p, n) : 0;
    }
    uint64_t key = n;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t value;
        std::memcpy(&value, p + i, 8);
        key = mix(key, value);
    }
    uint64_t tail;
    std::memcpy(&tail, p + n - 8, 8);
    return mix(key, tail);
}

template <class Words>  // any vector of Word
void words_of(const Tokens& tokens, Words& words) {
    const char* base = tokens.text().data();
    const char* end = base + tokens.text().size();
    for (const Span span : tokens.spans)
        words.push_back({word_key(base + span.begin, span.end - span.begin, end), span.begin, span.end - span.begin});
}

inline bool same_word(const Word& a, const char* a_base, const Word& b, const char* b_base) {
    return a.key == b.key && a.size == b.size && (a.size <= 8 || std::memcmp(a_base + a.begin, b_base + b.begin, a.size) == 0);
}

// Numbers the distinct words of one segment 0, 1, 2... Cleared in constant time.
class WordTable {
public:
    void clear(size_t expected) {
        size_t capacity = slots_.size() ? slots_.size() : 64;
        while (capacity < 2 * expected) capacity *= 2;
        if (capacity != slots_.size() || ++generation_ == 0) {
            slots_.assign(capacity, Slot{});
            generation_ = 1;
        }
        shift_ = 64 - std::countr_zero(capacity);
        count_ = 0;
    }
    uint32_t size() const { return count_; }

    // The number of the word, new if need be. At most `expected` distinct words may be added.
    uint32_t add(const Word& word, const char* base) {
        Slot& slot = locate(word, base);
        if (slot.generation != generation_) slot = {word, base, generation_, count_++};
        return slot.number;
    }
    static constexpr uint32_t kUnknown = 0xFFFFFFFFu;
    uint32_t find(const Word& word, const char* base) {
        const Slot& slot = locate(word, base);
        return slot.generation == generation_ ? slot.number : kUnknown;
    }

private:
    struct Slot {
        Word word{};
        const char* base = nullptr;
        uint32_t generation = 0, number = 0;
    };
    Slot& locate(const Word& word, const char* base) {
        const size_t mask = slots_.size() - 1;
        for (size_t i = (word.key * 0x9E3779B97F4A7C15ull) >> shift_;; i = (i + 1) & mask) {
            Slot& slot = slots_[i];
            if (slot.generation != generation_ || same_word(slot.word, slot.base, word, base)) return slot;
        }
    }
    std::vector<Slot> slots_;
    uint32_t generation_ = 0, count_ = 0;
    int shift_ = 58;
};

// Numbers pairs (number of an n-gram, number of the word behind it): n-grams of any order, exactly.
class PairTable {
public:
    void clear(size_t expected) {
        size_t capacity = 64;
        while (capacity < 2 * expected) capacity *= 2;
        keys_.assign(capacity, kFree);
        numbers_.resize(capacity);
        shift_ = 64 - std::countr_zero(capacity);
        count_ = 0;
    }
    static constexpr uint32_t kUnknown = 0xFFFFFFFFu;
    uint32_t size() const { return count_; }
    uint32_t add(uint32_t left, uint32_t right) {
        const size_t i = locate(left, right);
        if (keys_[i] == kFree) {
            keys_[i] = uint64_t(left) << 32 | right;
            numbers_[i] = count_++;
        }
        return numbers_[i];
    }
    uint32_t find(uint32_t left, uint32_t right) const {
        const size_t i = locate(left, right);
        return keys_[i] == kFree ? kUnknown : numbers_[i];
    }

private:
    static constexpr uint64_t kFree = ~uint64_t(0);  // no n-gram or word has this number on both sides
    size_t locate(uint32_t left, uint32_t right) const {
        const uint64_t key = uint64_t(left) << 32 | right;
        size_t i = mix(key, 0x2545F4914F6CDD1Dull) >> shift_;
        while (keys_[i] != kFree && keys_[i] != key) i = (i + 1) & (keys_.size() - 1);
        return i;
    }
    std::vector<uint64_t> keys_;
    std::vector<uint32_t> numbers_;
    uint32_t count_ = 0;
    int shift_ = 58;
};

}  // namespace tertium
