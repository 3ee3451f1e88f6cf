// Finds the types of one sum in another: the two have numbers of their own, so texts are looked up.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "fetch.hpp"
#include "interrupts.hpp"
#include "types.hpp"

namespace tertium {

// For each type of `rows`, in the order of its entries, how often it matches in the other; both are sums.
inline void matched_in(const TypeRows& rows, const TypeRows& other, int64_t* out) {
    const auto key_of = [](std::string_view text) { return word_key(text.data(), text.size(), text.data() + text.size()); };
    struct Slot {
        uint64_t key = 0;
        uint32_t entry = TypeRows::kNone;
    };
    std::vector<uint32_t> matching;
    for (size_t e = 0; e < other.types.size(); ++e)
        if (other.counts[e].matched) matching.push_back(uint32_t(e));
    LargeVector<Slot> slots(std::bit_ceil(2 * matching.size() + 1));
    const int shift = 64 - std::countr_zero(slots.size());
    const auto start = [&](uint64_t key) { return shift == 64 ? 0 : (key * 0x9E3779B97F4A7C15ull) >> shift; };
    const auto find = [&](uint64_t key, std::string_view text) {
        size_t i = start(key);
        for (; slots[i].entry != TypeRows::kNone; i = (i + 1) & (slots.size() - 1))
            if (slots[i].key == key && (*other.vocabulary)[other.types[slots[i].entry]] == text) break;
        return i;
    };
    for (const uint32_t e : matching) {
        const std::string_view text = (*other.vocabulary)[other.types[e]];
        slots[find(key_of(text), text)] = {key_of(text), e};
    }
    constexpr size_t kTogether = 16;  // looked up side by side: memory is waited for once
    uint64_t keys[kTogether];
    for (size_t begin = 0; begin < rows.types.size(); begin += kTogether) {
        poll();
        const size_t end = std::min(rows.types.size(), begin + kTogether);
        for (size_t e = begin; e < end; ++e) {
            keys[e - begin] = key_of((*rows.vocabulary)[rows.types[e]]);
            fetch_memory(&slots[start(keys[e - begin])]);
        }
        for (size_t e = begin; e < end; ++e) {
            const uint32_t found = slots[find(keys[e - begin], (*rows.vocabulary)[rows.types[e]])].entry;
            out[e] = found == TypeRows::kNone ? 0 : int64_t(other.counts[found].matched);
        }
    }
}

}  // namespace tertium
