// Sums of real numbers over the places whose bit is set, for many rows of bits: what permutation tests of scores are made
// of. All sums of six places (four, where rows of bits are few) are tabled once, so that six coins cost one addition of
// a vector. Numbers are added in one fixed order, whatever vectors the machine has.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "interrupts.hpp"
#include "processor.hpp"

namespace tertium {

namespace masked_sums_detail {

constexpr size_t kLanes = 4;  // doubles
constexpr size_t kSpan = 48;  // places looked at together: the tables of a span stay near

typedef double Lanes __attribute__((vector_size(8 * kLanes)));
typedef double Unaligned __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));
struct alignas(8 * kLanes) Aligned {  // a vector that lies in two lines of the cache takes twice as long
    double lanes[kLanes];
};

// All 2**Bits sums of the values of Bits places; entry b is the sum of the places whose bit is set in b.
template <size_t Bits, size_t Vectors>
inline __attribute__((always_inline)) void fill_table(const double (*values)[kLanes * Vectors], double* table) {
    constexpr size_t width = kLanes * Vectors;
    std::fill_n(table, width, 0.0);
    for (size_t place = 0; place < Bits; ++place) {
        const size_t half = size_t(1) << place;
        for (size_t v = 0; v < Vectors; ++v) {
            const Lanes added = *reinterpret_cast<const Unaligned*>(values[place] + v * kLanes);
            for (size_t b = 0; b < half; ++b)
                *reinterpret_cast<Unaligned*>(table + (half + b) * width + v * kLanes) =
                    *reinterpret_cast<const Unaligned*>(table + b * width + v * kLanes) + added;
        }
    }
}

// Adds the sums of places `begin` to `end` of `used` columns of n numbers to `sums` (m x width); words: spans x m.
template <size_t Bits, size_t Vectors>
inline __attribute__((always_inline)) void add_masked(const double* columns, size_t n, size_t used, size_t begin, size_t end,
                                                      const uint64_t* words, size_t m, double* tables, double* sums) {
    constexpr size_t width = kLanes * Vectors, entries = size_t(1) << Bits, number = kSpan / Bits;
    for (size_t from = begin; from < end; from += kSpan, words += m) {
        for (size_t t = 0; t < number; ++t) {
            double values[Bits][width] = {};
            for (size_t c = 0; c < used; ++c)
                for (size_t place = 0, at = from + t * Bits; place < Bits && at < end; ++place, ++at)
                    values[place][c] = columns[c * n + at];
            fill_table<Bits, Vectors>(values, tables + t * entries * width);
        }
        for (size_t j = 0; j < m; ++j) {
            const uint64_t bits = words[j];
            Unaligned* to = reinterpret_cast<Unaligned*>(sums + j * width);
            Lanes first = to[0], last = to[Vectors - 1];  // in registers: an array would go through memory
#pragma GCC unroll 12
            for (size_t t = 0; t < number; ++t) {
                const double* entry = tables + (t * entries + (bits >> (t * Bits) & (entries - 1))) * width;
                first += *reinterpret_cast<const Unaligned*>(entry);
                if (Vectors > 1) last += *reinterpret_cast<const Unaligned*>(entry + kLanes);
            }
            to[0] = first;
            if (Vectors > 1) to[1] = last;
        }
    }
}

template <size_t Bits, size_t Vectors>
void narrow(const double* columns, size_t n, size_t used, size_t begin, size_t end, const uint64_t* words, size_t m,
            double* tables, double* sums) {
    add_masked<Bits, Vectors>(columns, n, used, begin, end, words, m, tables, sums);
}
template <size_t Bits, size_t Vectors>
TERTIUM_AVX2 void wide(const double* columns, size_t n, size_t used, size_t begin, size_t end, const uint64_t* words, size_t m,
                       double* tables, double* sums) {
    add_masked<Bits, Vectors>(columns, n, used, begin, end, words, m, tables, sums);
}

// The bits of places `begin` to `end` as spans x rows of words, so that the words of a span lie side by side; eight rows at
// a time, which fill a line of the cache.
inline void turn(const uint8_t* masks, size_t n, size_t begin, size_t end, size_t m, uint64_t* words) {
    constexpr size_t kBytes = kSpan / 8, kRows = 8;
    const size_t width = (n + 7) / 8, spans = (end - begin + kSpan - 1) / kSpan;
    for (size_t first = 0; first < m; first += kRows)
        for (size_t s = 0, at = begin / 8; s < spans; ++s, at += kBytes)
            for (size_t j = first; j < std::min(m, first + kRows); ++j) {
                const uint8_t* from = masks + j * width + at;
                uint64_t word = 0;
                if (std::endian::native == std::endian::little && at + sizeof word <= width)
                    std::memcpy(&word, from, sizeof word);
                else
                    for (size_t byte = 0; byte < std::min(kBytes, width - at); ++byte) word |= uint64_t(from[byte]) << 8 * byte;
                words[s * m + j] = word;
            }
}

template <size_t Bits, size_t Vectors>
void all_columns(const double* columns, size_t n, size_t k, const uint8_t* masks, size_t m, double* out) {
    constexpr size_t width = kLanes * Vectors, kBlock = 24 * kSpan;  // places: their words stay near for all columns
    std::vector<Aligned> tables(kSpan / Bits * (size_t(1) << Bits) * Vectors), sums((k + width - 1) / width * Vectors * m);
    std::vector<uint64_t> words(kBlock / kSpan * m);
    const auto add = has_avx2() ? wide<Bits, Vectors> : narrow<Bits, Vectors>;
    for (size_t begin = 0; begin < n; begin += kBlock) {
        const size_t end = std::min(n, begin + kBlock);
        turn(masks, n, begin, end, m, words.data());
        for (size_t c = 0; c < k; c += width) {
            poll();
            add(columns + c * n, n, std::min(width, k - c), begin, end, words.data(), m, tables.data()->lanes,
                sums.data()->lanes + c * m);
        }
    }
    for (size_t c = 0; c < k; ++c)
        for (size_t j = 0; j < m; ++j) out[c * m + j] = sums.data()->lanes[(c / width * m + j) * width + c % width];
}

}  // namespace masked_sums_detail

// out (k x m): for each column (k x n) and each row of bits (m x bytes) the sum over the places whose bit is set.
inline void masked_sums(const double* columns, size_t n, size_t k, const uint8_t* masks, size_t m, double* out) {
    using namespace masked_sums_detail;
    constexpr size_t kMany = 256;  // rows of bits that pay for tables of as many sums
    const auto sum =
        m < kMany ? (k > kLanes ? all_columns<4, 2> : all_columns<4, 1>) : (k > kLanes ? all_columns<6, 2> : all_columns<6, 1>);
    sum(columns, n, k, masks, m, out);
}

// counts (systems x systems): how often sums[i] - sums[j] <= slack, of m trials, for a matrix of systems x m sums.
inline void not_above(const double* sums, size_t systems, size_t m, double slack, int64_t* counts) {
    for (size_t i = 0; i < systems; ++i) {
        poll();
        for (size_t j = 0; j < i; ++j) {
            const double *a = sums + i * m, *b = sums + j * m;
            int64_t one = 0, other = 0;
            for (size_t t = 0; t < m; ++t) {
                const double apart = a[t] - b[t];
                one += apart <= slack;
                other += apart >= -slack;
            }
            counts[i * systems + j] += one;
            counts[j * systems + i] += other;
        }
    }
}

}  // namespace tertium
