// Dot products of all pairs of rows: what similarities of words are made of. Numbers are added in eight lanes and the
// lanes in one fixed order, whatever vectors the machine has, so that every machine gives the same bits.
#pragma once

#include <cstddef>

#include "interrupts.hpp"
#include "processor.hpp"

namespace tertium {

inline constexpr size_t kLanes = 8;

// The room a row takes: filled up with zeros to a multiple of the lanes.
inline size_t padded(size_t dimension) { return (dimension + kLanes - 1) / kLanes * kLanes; }

namespace dots_detail {

typedef float Vector __attribute__((vector_size(4 * kLanes)));

typedef float Unaligned __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));

inline __attribute__((always_inline)) float lanes(const Vector& v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

// Rows x columns products at once: each number that is loaded is used several times.
template <size_t Rows, size_t Columns>
inline __attribute__((always_inline)) void block(const float* a, const float* b, size_t width, float* out, size_t stride) {
    Vector sums[Rows][Columns] = {};
    for (size_t k = 0; k < width; k += kLanes) {
        Vector right[Columns];
        for (size_t j = 0; j < Columns; ++j) right[j] = *reinterpret_cast<const Unaligned*>(b + j * width + k);
        for (size_t i = 0; i < Rows; ++i) {
            const Vector left = *reinterpret_cast<const Unaligned*>(a + i * width + k);
            for (size_t j = 0; j < Columns; ++j) sums[i][j] += left * right[j];
        }
    }
    for (size_t i = 0; i < Rows; ++i)
        for (size_t j = 0; j < Columns; ++j) out[i * stride + j] = lanes(sums[i][j]);
}

template <size_t Rows, size_t Columns>
inline __attribute__((always_inline)) void all(const float* a, size_t m, const float* b, size_t n, size_t width, float* out) {
    size_t i = 0;
    for (; i + Rows <= m; i += Rows) {
        size_t j = 0;
        for (; j + Columns <= n; j += Columns) block<Rows, Columns>(a + i * width, b + j * width, width, out + i * n + j, n);
        for (; j < n; ++j) block<Rows, 1>(a + i * width, b + j * width, width, out + i * n + j, n);
    }
    for (; i < m; ++i) {
        size_t j = 0;
        for (; j + Columns <= n; j += Columns) block<1, Columns>(a + i * width, b + j * width, width, out + i * n + j, n);
        for (; j < n; ++j) block<1, 1>(a + i * width, b + j * width, width, out + i * n + j, n);
    }
}

inline void narrow(const float* a, size_t m, const float* b, size_t n, size_t width, float* out) {
    all<2, 2>(a, m, b, n, width, out);
}
TERTIUM_AVX2 inline void wide(const float* a, size_t m, const float* b, size_t n, size_t width, float* out) {
    all<3, 4>(a, m, b, n, width, out);
}

}  // namespace dots_detail

// out[i * n + j] = a_i . b_j, for m rows of `a` and n rows of `b`, each `width` numbers long, a multiple of the lanes.
inline void all_dots(const float* a, size_t m, const float* b, size_t n, size_t width, float* out) {
    const auto products = has_avx2() ? dots_detail::wide : dots_detail::narrow;
    constexpr size_t kRows = 48;  // between looking up
    Poller poller;
    for (size_t i = 0; i < m; i += kRows) {
        products(a + i * width, std::min(kRows, m - i), b, n, width, out + i * n);
        poller(kRows * n * width / kLanes);
    }
}

}  // namespace tertium
