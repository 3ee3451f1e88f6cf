// The order of some dozens of numbers, equal ones as they come. Each number's place is how many come before it, counted
// by comparing all with all, many at a time: that has no branches to guess wrong, and beats sorting up to some hundreds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "processor.hpp"

namespace tertium {

namespace small_order_detail {

inline constexpr size_t kLanes = 8, kRows = 2, kBlock = kLanes * kRows;
typedef int32_t Vector __attribute__((vector_size(4 * kLanes)));

// The places of all numbers; there is room for whole blocks.
inline __attribute__((always_inline)) void places(const int32_t* numbers, size_t n, uint32_t* out) {
    for (size_t begin = 0; begin < n; begin += kBlock) {
        const size_t end = std::min(begin + kBlock, n);
        Vector own[kRows], place[kRows] = {}, lane[kRows] = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
        std::memcpy(own, numbers + begin, sizeof own);
        for (Vector& row : own) row += 1;  // what comes before us may be equal to us
#pragma GCC unroll 4
        for (size_t k = 0; k < begin; ++k)
            for (size_t r = 0; r < kRows; ++r) place[r] -= numbers[k] < own[r];
        for (size_t k = begin; k < end; ++k) {
            for (size_t r = 0; r < kRows; ++r) {
                own[r] += lane[r] == int32_t(k - begin);  // -1: neither we nor what comes after us
                place[r] -= numbers[k] < own[r];
            }
        }
#pragma GCC unroll 4
        for (size_t k = end; k < n; ++k)
            for (size_t r = 0; r < kRows; ++r) place[r] -= numbers[k] < own[r];
        std::memcpy(out + begin, place, sizeof place);
    }
}

inline void narrow(const int32_t* numbers, size_t n, uint32_t* out) { places(numbers, n, out); }
TERTIUM_AVX2 inline void wide(const int32_t* numbers, size_t n, uint32_t* out) { places(numbers, n, out); }

}  // namespace small_order_detail

class SmallOrder {
public:
    // Sets order[0..kept) to the places of the `kept` smallest of the first n numbers, which are less than 2^31 - 1.
    void smallest(std::vector<int32_t>& numbers, size_t n, size_t kept, std::vector<uint32_t>& order) {
        if (order.size() < n) order.resize(2 * n);
        if (n > kMany) return by_sorting(numbers, n, kept, order);
        const size_t room = (n + small_order_detail::kBlock - 1) / small_order_detail::kBlock * small_order_detail::kBlock;
        if (numbers.size() < room) numbers.resize(room);
        if (places_.size() < room) places_.resize(room);
        (has_avx2() ? small_order_detail::wide : small_order_detail::narrow)(numbers.data(), n, places_.data());
        for (uint32_t k = 0; k < n; ++k) order[places_[k]] = k;
    }

private:
    static constexpr size_t kMany = 320;

    void by_sorting(const std::vector<int32_t>& numbers, size_t n, size_t kept, std::vector<uint32_t>& order) {
        pairs_.resize(n);
        for (size_t k = 0; k < n; ++k) pairs_[k] = uint64_t(numbers[k]) << 32 | k;
        if (n > kept) std::nth_element(pairs_.begin(), pairs_.begin() + ptrdiff_t(kept), pairs_.end());
        std::sort(pairs_.begin(), pairs_.begin() + ptrdiff_t(kept));
        for (size_t k = 0; k < kept; ++k) order[k] = uint32_t(pairs_[k]);
    }

    std::vector<uint32_t> places_;
    std::vector<uint64_t> pairs_;
};

}  // namespace tertium
