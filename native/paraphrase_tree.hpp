// The tree of phrases in a paraphrase table: which phrase is another phrase and one more word. It is millions of
// phrases large, so a look costs what it takes to fetch it from memory, and all that one look needs lies in 64 bytes.
//
// Parent and word are scrambled to one number below 2^bits, each to its own. Its share of 2^bits says which bucket, and
// its last 32 bits are kept there: with the bucket they say the whole number, so that what is found is never another's.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "fetch.hpp"

namespace tertium {

class ParaphraseTree {
public:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    static constexpr size_t kPlaces = 8;
    struct Bucket {  // filled from the left; where it is full, the next may have more
        uint32_t checks[kPlaces], nodes[kPlaces];
    };

    ParaphraseTree() = default;
    ParaphraseTree(uint32_t words, uint32_t nodes, uint32_t buckets, const Bucket* memory)
        : word_bits_(uint32_t(std::bit_width(words))),
          bits_(word_bits_ + uint32_t(std::bit_width(nodes))),
          mask_(bits_ < 64 ? (uint64_t(1) << bits_) - 1 : ~uint64_t(0)),
          buckets_(buckets),
          memory_(memory) {}

    // The phrase that is `parent` and one more word, of which `key` is the number; kNone is also the root, and no phrase.
    uint32_t child(uint32_t parent, uint32_t word) const { return find(key(parent, word)); }
    uint64_t key(uint32_t parent, uint32_t word) const {
        uint64_t x = uint64_t(parent + 1) << word_bits_ | word;  // the root is 0
        x = ((x ^ x >> (bits_ / 2)) * 0x9E3779B97F4A7C15ull) & mask_;
        x = ((x ^ x >> (bits_ / 2)) * 0xD6E8FEB86659FD93ull) & mask_;
        return x ^ x >> (bits_ / 2);
    }
    uint32_t find(uint64_t key) const {
        uint32_t b = home(key);
        for (uint32_t steps = 0; steps < buckets_; ++steps, b = b + 1 < buckets_ ? b + 1 : 0) {
            const Bucket& bucket = memory_[b];
            const Half wanted = Half{} + uint32_t(key);
            const Half left = half(bucket.nodes) | Half(half(bucket.checks) != wanted);
            const Half right = half(bucket.nodes + 4) | Half(half(bucket.checks + 4) != wanted);
            const Half least = left < right ? left : right;
            const uint32_t found = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
            if (found != kNone || bucket.nodes[kPlaces - 1] == kNone) return found;
        }
        return kNone;
    }
    void fetch(uint64_t key) const { fetch_memory(memory_ + home(key)); }

    // The buckets of phrases, each with its number (below `nodes`), that of its parent, and its last word.
    static std::vector<Bucket> built(uint32_t words, uint32_t nodes, const std::vector<uint32_t>& numbers,
                                     const std::vector<uint32_t>& parents, const std::vector<uint32_t>& last_words) {
        const auto number = uint32_t(numbers.size() / 5 + 1);  // five of eight places taken
        Bucket empty;
        std::fill_n(empty.checks, kPlaces, 0);
        std::fill_n(empty.nodes, kPlaces, kNone);
        std::vector<Bucket> buckets(number, empty);
        const ParaphraseTree tree(words, nodes, number, buckets.data());
        uint32_t farthest = 0;
        for (size_t i = 0; i < numbers.size(); ++i) {
            const uint64_t key = tree.key(parents[i], last_words[i]);
            uint32_t b = tree.home(key), steps = 0;
            for (; buckets[b].nodes[kPlaces - 1] != kNone; b = b + 1 < number ? b + 1 : 0) ++steps;
            const auto place = size_t(std::find(buckets[b].nodes, buckets[b].nodes + kPlaces, kNone) - buckets[b].nodes);
            buckets[b].checks[place] = uint32_t(key);
            buckets[b].nodes[place] = numbers[i];
            farthest = std::max(farthest, steps);
        }
        // Numbers that may be met in one bucket must differ in their last 32 bits.
        if ((tree.mask_ / number + 1) * (uint64_t(farthest) + 2) > uint64_t(1) << 32)
            throw std::invalid_argument("there are too many different words and phrases for one table");
        return buckets;
    }

private:
    typedef uint32_t Half __attribute__((vector_size(16)));
    static Half half(const uint32_t* numbers) {
        Half four;
        std::memcpy(&four, numbers, sizeof four);
        return four;
    }
    uint32_t home(uint64_t key) const { return uint32_t(static_cast<__uint128_t>(key) * buckets_ >> bits_); }

    uint32_t word_bits_ = 0, bits_ = 0;
    uint64_t mask_ = 0;
    uint32_t buckets_ = 0;
    const Bucket* memory_ = nullptr;
};

}  // namespace tertium
