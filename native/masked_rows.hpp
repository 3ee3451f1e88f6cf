// Sums of the rows whose bit is set, exactly. Shuffled systems are masks: from which of two systems a segment comes.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "interrupts.hpp"
#include "parallel.hpp"
#include "weighted_sums.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tertium {

// A row of sums in registers.
template <class Sum, int Width>
struct SumRow {
#if defined(__SSE2__)
    static constexpr int kVectors = Width * int(sizeof(Sum)) / 16;
    __m128i parts[kVectors];

    explicit SumRow(const Sum* from) {
        for (int v = 0; v < kVectors; ++v) parts[v] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + v);
    }
    void add(const Sum* row) {
        for (int v = 0; v < kVectors; ++v) {
            const __m128i other = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row) + v);
            parts[v] = sizeof(Sum) == 2 ? _mm_add_epi16(parts[v], other) : _mm_add_epi64(parts[v], other);
        }
    }
    void store(Sum* to) const {
        for (int v = 0; v < kVectors; ++v) _mm_storeu_si128(reinterpret_cast<__m128i*>(to) + v, parts[v]);
    }
#else
    Sum parts[Width];

    explicit SumRow(const Sum* from) { std::copy_n(from, Width, parts); }
    void add(const Sum* row) {
        for (int c = 0; c < Width; ++c) parts[c] = Sum(parts[c] + row[c]);
    }
    void store(Sum* to) const { std::copy_n(parts, Width, to); }
#endif
};

constexpr size_t kBytes = 4;  // tables in use at a time: they stay near

// Sums of the rows whose bit is set, for many rows of bits (packed from the lowest bit of each byte) and a range of
// bytes. All 256 sums of eight rows are made once, so that a byte of bits costs one addition.
template <class Sum, int Width>
void masked_block(const int64_t* rows, size_t n, size_t k, const size_t* columns, size_t used, size_t first, size_t last,
                  const uint8_t* masks, size_t m, int64_t* out) {
    const size_t width = (n + 7) / 8;
    std::vector<Sum> tables(kBytes * 256 * Width), sums(m * Width);
    for (size_t byte = first; byte < last; byte += kBytes) {
        const size_t here = std::min(kBytes, last - byte);
        for (size_t t = 0; t < here; ++t) {
            Sum values[8][Width] = {};
            for (size_t row = 8 * (byte + t); row < std::min(n, 8 * (byte + t + 1)); ++row)
                for (size_t c = 0; c < used; ++c) values[row % 8][c] = Sum(rows[row * k + columns[c]]);
            Sum* table = tables.data() + t * 256 * Width;
            std::fill_n(table, Width, Sum(0));
            for (unsigned bits = 1; bits < 256; ++bits) {
                SumRow<Sum, Width> row(table + (bits & (bits - 1)) * Width);
                row.add(values[std::countr_zero(bits)]);
                row.store(table + bits * Width);
            }
        }
        const uint8_t* mask = masks + byte;
        Sum* sum = sums.data();
        for (size_t j = 0; j < m; ++j, mask += width, sum += Width) {
            SumRow<Sum, Width> row(sum);
            if (here == kBytes)
                for (size_t t = 0; t < kBytes; ++t) row.add(tables.data() + (t * 256 + mask[t]) * Width);
            else
                for (size_t t = 0; t < here; ++t) row.add(tables.data() + (t * 256 + mask[t]) * Width);
            row.store(sum);
        }
    }
    for (size_t j = 0; j < m; ++j)
        for (size_t c = 0; c < used; ++c) out[j * k + columns[c]] += sums[j * Width + c];
}

// Ranges of bytes within which the absolute values of each of these columns add up below 2**15.
inline std::vector<size_t> narrow_ranges(const int64_t* rows, size_t n, size_t k, const std::vector<size_t>& columns) {
    const size_t width = (n + 7) / 8;
    std::vector<size_t> edges{0};
    std::vector<int64_t> sizes(columns.size()), added(columns.size());
    for (size_t byte = 0; byte < width; byte += kBytes) {
        std::fill(added.begin(), added.end(), 0);
        for (size_t row = 8 * byte; row < std::min(n, 8 * (byte + kBytes)); ++row)
            for (size_t c = 0; c < columns.size(); ++c) added[c] += std::abs(rows[row * k + columns[c]]);
        bool full = false;
        for (size_t c = 0; c < columns.size(); ++c) full |= sizes[c] + added[c] > INT16_MAX;
        if (full) {
            edges.push_back(byte);
            sizes = added;
        } else {
            for (size_t c = 0; c < columns.size(); ++c) sizes[c] += added[c];
        }
    }
    edges.push_back(width);
    return edges;
}

// Row j of `out` (m x k, zeros) becomes the sum of the rows whose bit is set in mask j.
inline void masked_rows(const int64_t* rows, size_t n, size_t k, const uint8_t* masks, size_t m, int threads, int64_t* out) {
    std::vector<size_t> narrow, wide;
    for (size_t c = 0; c < k; ++c) {
        double sum = 0, largest = 0;
        for (size_t i = 0; i < n; ++i) {
            sum += std::fabs(double(rows[i * k + c]));
            largest = std::max(largest, std::fabs(double(rows[i * k + c])));
        }
        check_range(sum, 1);
        if (sum > 0) (largest * 8 * kBytes <= INT16_MAX ? narrow : wide).push_back(c);
    }
    const std::vector<size_t> edges = narrow_ranges(rows, n, k, narrow);
    const size_t width = (n + 7) / 8;
    parallel_parts(m, threads, [&](size_t, size_t begin, size_t end) {
        constexpr size_t kBlock = 4096;
        for (size_t j = begin; j < end; j += kBlock) {
            const size_t here = std::min(kBlock, end - j);
            const uint8_t* mask = masks + j * width;
            int64_t* sums = out + j * k;
            for (size_t e = 0; e + 1 < edges.size(); ++e)
                for (size_t c = 0; c < narrow.size(); c += 16) {
                    poll();
                    const size_t used = std::min<size_t>(16, narrow.size() - c);
                    auto block = used <= 8 ? masked_block<int16_t, 8> : masked_block<int16_t, 16>;
                    block(rows, n, k, &narrow[c], used, edges[e], edges[e + 1], mask, here, sums);
                }
            for (size_t c = 0; c < wide.size(); c += 4)
                masked_block<int64_t, 4>(rows, n, k, &wide[c], std::min<size_t>(4, wide.size() - c), 0, width, mask, here,
                                         sums);
        }
    });
}

}  // namespace tertium
