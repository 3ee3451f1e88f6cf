// Numbers by 32-bit keys, in sorted arrays that somebody else owns (a file that is mapped, perhaps); and keys of several keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tertium {

// One key of several, in their order: start with the first, add the others, and finish.
struct MixedKey {
    static constexpr uint64_t kFactor = 0x9E3779B97F4A7C15ull;
    uint64_t state;

    explicit MixedKey(uint64_t first) : state(first) {}
    MixedKey with(uint64_t key) const { return MixedKey((state ^ (state >> 29)) * kFactor + key); }
    uint64_t whole() const { return (state ^ (state >> 29)) * kFactor; }
    uint32_t small() const { return uint32_t(whole() >> 32); }
};

class KeyTable {
public:
    static constexpr size_t kNone = ~size_t(0);

    KeyTable() = default;
    // Keys in rising order; others are found wrongly, but nothing outside is read.
    KeyTable(const uint32_t* keys, size_t n) : keys_(keys), size_(n) {
        int bits = 0;
        while (bits < 28 && (size_t(kTogether) << bits) < n) ++bits;
        shift_ = 32 - bits;
        starts_.assign((size_t(1) << bits) + 1, 0);
        for (size_t i = 0; i < n; ++i) ++starts_[size_t(uint64_t(keys[i]) >> shift_) + 1];
        for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    }

    size_t size() const { return size_; }
    // The place of a key, or kNone.
    size_t find(uint32_t key) const {
        if (size_ == 0) return kNone;
        const auto part = size_t(uint64_t(key) >> shift_);
        for (size_t i = starts_[part], end = starts_[part + 1]; i < end; ++i)
            if (keys_[i] >= key) return keys_[i] == key ? i : kNone;
        return kNone;
    }

private:
    static constexpr size_t kTogether = 4;  // keys that are looked at one by one
    const uint32_t* keys_ = nullptr;
    size_t size_ = 0;
    int shift_ = 32;
    std::vector<uint32_t> starts_;
};

// Some bits say of most keys that a table does not have them.
class KeySieve {
public:
    KeySieve() : bits_(kBits / 64) {}
    void add(uint32_t key) { bits_[key % kBits / 64] |= uint64_t(1) << key % 64; }
    bool may_have(uint32_t key) const { return bits_[key % kBits / 64] >> key % 64 & 1; }

private:
    static constexpr size_t kBits = size_t(1) << 22;  // half a megabyte
    std::vector<uint64_t> bits_;
};

}  // namespace tertium
