// Edit distance of two texts, character by character, in any length: 64 characters of one text at a time against the
// whole other one (Myers 1999), so that memory stays linear. Of long texts eight blocks are taken together, each one
// character behind the block before it, in the lanes of two vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"
#include "processor.hpp"

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
        for (size_t begin = n_b > 64 ? groups(a, n_a, b, n_b) : 0; begin < n_b; begin += 64) {
            const size_t size = std::min<size_t>(64, n_b - begin);
            poller_(n_a);
            for (size_t j = 0; j < size; ++j) mask(b[begin + j]) |= uint64_t{1} << j;
            if (n_b <= 64) distance += one_block(a, n_a, size);
            else next_block(a, n_a, size);
            forget(b + begin, size);
        }
        for (size_t i = 0; n_b > 64 && i < n_a; ++i) distance += int64_t(borders_[i].rises) - int64_t(borders_[i].falls);
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
    static constexpr size_t kLanes = 4, kGroup = 2 * 64 * kLanes;
    using Row = std::array<uint64_t, 2 * kLanes>;
    typedef uint64_t Lanes __attribute__((vector_size(8 * kLanes)));

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

    void next_block(const char32_t* a, size_t n_a, size_t size) {
        uint64_t plus = ~uint64_t{0}, minus = 0;
        for (size_t i = 0; i < n_a; ++i) {
            const Border border = borders_[i];
            const uint64_t equal = find(a[i]) | border.falls;
            const uint64_t as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
            const uint64_t above_plus = minus | ~(as_diagonal | plus);
            const uint64_t above_minus = as_diagonal & plus;
            borders_[i] = {uint8_t(above_plus >> (size - 1) & 1), uint8_t(above_minus >> (size - 1) & 1)};
            const uint64_t before_plus = above_plus << 1 | border.rises;
            plus = above_minus << 1 | border.falls | ~(as_diagonal | before_plus);
            minus = before_plus & as_diagonal;
        }
    }

    // Groups of blocks, as far as b fills such; how many of its characters they take.
    size_t groups(const char32_t* a, size_t n_a, const char32_t* b, size_t n_b) {
        if (!has_avx2() || n_b < kGroup) return 0;
        symbols_.assign(b, b + n_b);  // characters by number: tables stay small, whatever the script
        std::sort(symbols_.begin(), symbols_.end());
        symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
        const auto number = [&](char32_t c) {
            const auto place = std::lower_bound(symbols_.begin(), symbols_.end(), c);
            return uint32_t(place != symbols_.end() && *place == c ? place - symbols_.begin() : ptrdiff_t(symbols_.size()));
        };
        numbers_.resize(n_a);
        std::transform(a, a + n_a, numbers_.begin(), number);
        rows_.assign(symbols_.size() + 1, {});  // the last for characters that b does not have
        // No cheapest path leaves the diagonals that one of `most` edits, character for character, can reach (Ukkonen 1985).
        size_t begin = 0, most = n_a - n_b;
        for (size_t j = 0; j < n_b; ++j) most += a[j] != b[j];
        const size_t above = (most - (n_a - n_b)) / 2, below = (most + (n_a - n_b)) / 2;
        for (; begin + kGroup <= n_b; begin += kGroup) {
            const size_t first = begin - std::min(begin, above), end = std::min(n_a, begin + kGroup + below);
            poller_(2 * kLanes * (end - first));
            for (size_t j = 0; j < kGroup; ++j) rows_[number(b[begin + j])][j / 64] |= uint64_t{1} << j % 64;
            next_group(numbers_.data() + first, borders_.data() + first, end - first);
            for (size_t j = 0; j < kGroup; ++j) rows_[number(b[begin + j])] = {};
        }
        return begin;
    }
    // Two groups in one loop, since steps of one wait for each other: the second begins when the first has passed on what
    // it needs.
    TERTIUM_AVX2 void next_group(const uint32_t* a, Border* borders, size_t n_a) {
        const size_t steps = n_a + kLanes - 1;
        Group first, second;
        for (size_t t = 0; t < steps + kLanes; ++t) {
            if (t < steps) step(first, 0, t, a, borders, n_a);
            if (t >= kLanes) step(second, kLanes, t - kLanes, a, borders, n_a);
        }
    }
    struct Group {
        Lanes plus = ~Lanes{}, minus{}, rises{}, falls{};
    };
    // At step t lane k reads character t - k: what the lane before it found there, at the step before, comes from its left.
    // Lanes that have not begun stay as they are, since nothing comes in.
    TERTIUM_AVX2 __attribute__((always_inline)) void step(Group& group, size_t block, size_t t, const uint32_t* a,
                                                          Border* borders, size_t n_a) {
        auto& [plus, minus, rises, falls] = group;
        const Row* const rows = rows_.data();
        Lanes equal{};
        if (t >= kLanes - 1 && t < n_a)
            equal = Lanes{rows[a[t]][block], rows[a[t - 1]][block + 1], rows[a[t - 2]][block + 2], rows[a[t - 3]][block + 3]};
        else
            for (size_t k = 0; k < kLanes; ++k)
                if (t >= k && t - k < n_a) equal[k] = rows[a[t - k]][block + k];
        const Border border = t < n_a ? borders[t] : Border{0, 0};
        rises = TERTIUM_PUSHED(Lanes{border.rises}, rises);
        falls = TERTIUM_PUSHED(Lanes{border.falls}, falls);
        equal |= falls;
        const Lanes as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
        const Lanes above_plus = minus | ~(as_diagonal | plus);
        const Lanes above_minus = as_diagonal & plus;
        const Lanes before_plus = above_plus << 1 | rises;
        plus = above_minus << 1 | falls | ~(as_diagonal | before_plus);
        minus = before_plus & as_diagonal;
        rises = above_plus >> 63;
        falls = above_minus >> 63;
        if (t >= kLanes - 1) borders[t - (kLanes - 1)] = {uint8_t(rises[kLanes - 1]), uint8_t(falls[kLanes - 1])};
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
    std::vector<char32_t> symbols_;
    std::vector<uint32_t> numbers_;
    std::vector<Row> rows_;
    Poller poller_;
    std::vector<Border> borders_;
};

}  // namespace tertium
