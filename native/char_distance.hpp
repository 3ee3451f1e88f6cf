// Edit distance of two texts, character by character, in any length: 64 characters of one text at a time against the
// whole other one (Myers 1999), so that memory stays linear.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

using Characters = std::vector<char32_t>;

class CharDistance {
public:
    int64_t operator()(const Characters& one, const Characters& other) {
        const char32_t *a = one.data(), *b = other.data();
        size_t n_a = one.size(), n_b = other.size();
        while (n_a && n_b && *a == *b) ++a, ++b, --n_a, --n_b;
        while (n_a && n_b && a[n_a - 1] == b[n_b - 1]) --n_a, --n_b;
        if (n_a < n_b) std::swap(a, b), std::swap(n_a, n_b);
        if (n_b == 0) return int64_t(n_a);
        if (n_b > 64) borders_.assign(n_a, {1, 0});
        auto distance = int64_t(n_b);
        for (size_t begin = 0; begin < n_b; begin += 64) {
            const size_t size = std::min<size_t>(64, n_b - begin);
            const bool only = n_b <= 64;
            poller_(n_a);
            for (size_t j = 0; j < size; ++j) mask(b[begin + j]) |= uint64_t{1} << j;
            if (only) distance += one_block(a, n_a, size);
            else if (begin + size < n_b) next_block<false>(a, n_a, size);
            else distance += next_block<true>(a, n_a, size);
            forget(b + begin, size);
        }
        return distance;
    }

private:
    struct Border {  // how the column before a block differs from the row above: rises, falls
        uint8_t rises, falls;
    };
    struct Slot {
        char32_t symbol = 0;
        uint64_t mask = 0;  // 0: free
    };

    // What the last column gains from row to row, summed up.
    int64_t one_block(const char32_t* a, size_t n_a, size_t size) const {
        uint64_t plus = ~uint64_t{0}, minus = 0;
        int64_t gain = 0;
        for (size_t i = 0; i < n_a; ++i) {
            const uint64_t equal = find(a[i]);
            const uint64_t as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
            const uint64_t above_plus = minus | ~(as_diagonal | plus);
            const uint64_t above_minus = as_diagonal & plus;
            gain += int64_t(above_plus >> (size - 1) & 1) - int64_t(above_minus >> (size - 1) & 1);
            const uint64_t before_plus = above_plus << 1 | 1;
            plus = above_minus << 1 | ~(as_diagonal | before_plus);
            minus = before_plus & as_diagonal;
        }
        return gain;
    }

    template <bool IsLast>
    int64_t next_block(const char32_t* a, size_t n_a, size_t size) {
        uint64_t plus = ~uint64_t{0}, minus = 0;
        int64_t gain = 0;
        for (size_t i = 0; i < n_a; ++i) {
            const Border border = borders_[i];
            const uint64_t equal = find(a[i]) | border.falls;
            const uint64_t as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
            const uint64_t above_plus = minus | ~(as_diagonal | plus);
            const uint64_t above_minus = as_diagonal & plus;
            const auto rises = uint8_t(above_plus >> (size - 1) & 1), falls = uint8_t(above_minus >> (size - 1) & 1);
            if constexpr (IsLast) gain += int64_t(rises) - int64_t(falls);
            else borders_[i] = {rises, falls};
            const uint64_t before_plus = above_plus << 1 | border.rises;
            plus = above_minus << 1 | border.falls | ~(as_diagonal | before_plus);
            minus = before_plus & as_diagonal;
        }
        return gain;
    }

    // Where each character stands in the present block: a table for the first code points, a hash table for others.
    uint64_t find(char32_t c) const {
        if (c < kDirect) return direct_[c];
        size_t at = c % kSlots;
        while (slots_[at].mask && slots_[at].symbol != c) at = (at + 1) % kSlots;
        return slots_[at].mask;
    }
    uint64_t& mask(char32_t c) {
        if (c < kDirect) return direct_[c];
        size_t at = c % kSlots;
        while (slots_[at].mask && slots_[at].symbol != c) at = (at + 1) % kSlots;
        slots_[at].symbol = c;
        used_slots_ = true;
        return slots_[at].mask;
    }
    void forget(const char32_t* b, size_t size) {
        for (size_t j = 0; j < size; ++j)
            if (b[j] < kDirect) direct_[b[j]] = 0;
        if (used_slots_) slots_.fill({});
        used_slots_ = false;
    }

    static constexpr size_t kDirect = 0x180, kSlots = 128;
    std::array<uint64_t, kDirect> direct_{};
    std::array<Slot, kSlots> slots_{};
    bool used_slots_ = false;
    Poller poller_;
    std::vector<Border> borders_;
};

}  // namespace tertium
