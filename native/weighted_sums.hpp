// Sums of rows with whole-number weights: m x n weights times n x k rows, exactly. Resamples are weights (how often a
// segment was drawn), shuffled systems are masks (from which of two systems a segment comes).
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
#include "processor.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tertium {

// Columns cut into signed 15-bit limbs, two segments side by side, so that one instruction multiplies four pairs of
// 16-bit numbers and adds each pair. Limbs that are zero in all rows are left out: a column of small counts is one limb.
class LimbTable {
public:
    static constexpr size_t kTile = 16;  // limbs handled at a time; the sums of a tile stay in registers

    LimbTable(const int64_t* rows, size_t n, size_t k) : n_(n), pairs_((n + 1) / 2) {
        for (size_t column = 0; column < k; ++column) {
            int64_t low = 0, high = 0, any[kLimbs] = {};
            for (size_t i = 0; i < n; ++i) {
                const int64_t value = rows[i * k + column];
                low = std::min(low, value);
                high = std::max(high, value);
            }
            largest_ = std::max({largest_, std::fabs(double(low)), double(high)});
            int top = 0;  // the limb that carries the sign
            while (top < kLimbs - 1 && (low >> (15 * top) < -32768 || high >> (15 * top) > 32767)) ++top;
            for (size_t i = 0; i < n; ++i)
                for (int limb = 0; limb <= top; ++limb) any[limb] |= part(rows[i * k + column], limb, top);
            for (int limb = 0; limb <= top; ++limb)
                if (any[limb]) limbs_.push_back({column, limb, top});
        }
        tiles_ = (limbs_.size() + kTile - 1) / kTile;
        cells_.resize(tiles_ * pairs_ * 2 * kTile);
        for (size_t l = 0; l < limbs_.size(); ++l) {
            int16_t* to = cells_.data() + (l / kTile) * pairs_ * 2 * kTile + (l % kTile) * 2;
            for (size_t i = 0; i < n; ++i)
                to[(i / 2) * 2 * kTile + i % 2] = int16_t(part(rows[i * k + limbs_[l].column], limbs_[l].limb, limbs_[l].top));
        }
    }

    double largest() const { return largest_; }

    // Adds the weighted sums of `m` rows of weights, n of them each and none heavier than `heaviest`, to the rows of `out`.
    void add(const int16_t* weights, size_t m, int heaviest, int64_t* out, size_t k) const {
        const size_t safe = std::max<size_t>(1, size_t(65535 / heaviest) / 2);  // so many pairs add up below 2**31
        for (size_t tile = 0; tile < tiles_; ++tile) {
            const size_t used = std::min(kTile, limbs_.size() - tile * kTile);
            const size_t together = has_avx2() ? 4 : 2;
            for (size_t j = 0; j < m; j += together) {
                poll();
                const int16_t* own[4];
                for (size_t r = 0; r < 4; ++r) own[r] = weights + std::min(j + r, m - 1) * n_;
                int64_t sums[4][kTile] = {};
                for (size_t begin = 0; begin < pairs_; begin += safe) {
                    const size_t end = std::min(pairs_, begin + safe);
                    if (together == 4 && used <= 8) four<1>(tile, own, begin, end, sums);
                    else if (together == 4) four<2>(tile, own, begin, end, sums);
                    else if (used <= 4) two<1>(tile, own, begin, end, sums);
                    else if (used <= 8) two<2>(tile, own, begin, end, sums);
                    else if (used <= 12) two<3>(tile, own, begin, end, sums);
                    else two<4>(tile, own, begin, end, sums);
                }
                for (size_t r = 0; r < together && j + r < m; ++r)
                    for (size_t l = 0; l < used; ++l) {
                        const Limb& limb = limbs_[tile * kTile + l];
                        // Unsigned: parts may pass the range that their sum is known to stay in.
                        uint64_t& cell = reinterpret_cast<uint64_t&>(out[(j + r) * k + limb.column]);
                        cell += uint64_t(sums[r][l]) << (15 * limb.limb);
                    }
            }
        }
    }

private:
    static constexpr int kLimbs = 5;
    struct Limb {
        size_t column;
        int limb, top;
    };
    static int64_t part(int64_t value, int limb, int top) {
        return limb == top ? value >> (15 * limb) : value >> (15 * limb) & 0x7FFF;
    }

    // The weights of one pair of segments; behind the last segment of an odd number stands nothing.
    uint32_t pair(const int16_t* weights, size_t p) const {
        if (2 * p + 1 == n_) return uint16_t(weights[2 * p]);
        return uint32_t(uint16_t(weights[2 * p])) | uint32_t(uint16_t(weights[2 * p + 1])) << 16;
    }

    // Four rows of weights with one tile, for a range of pairs that cannot overflow.
    template <int Vectors>
    TERTIUM_AVX2 void four(size_t tile, const int16_t* const* own, size_t begin, size_t end, int64_t (*sums)[kTile]) const {
#if defined(__x86_64__)
        const int16_t* cells = cells_.data() + (tile * pairs_ + begin) * 2 * kTile;
        __m256i totals[4][Vectors];
        for (auto& row : totals)
            for (__m256i& total : row) total = _mm256_setzero_si256();
        for (size_t p = begin; p < end; ++p, cells += 2 * kTile) {
            __m256i data[Vectors];
            for (int v = 0; v < Vectors; ++v) data[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells) + v);
            for (int r = 0; r < 4; ++r) {
                int32_t both;
                if (2 * p + 1 < n_) std::memcpy(&both, own[r] + 2 * p, sizeof both);
                else both = int32_t(pair(own[r], p));
                const __m256i weight = _mm256_set1_epi32(both);
                for (int v = 0; v < Vectors; ++v)
                    totals[r][v] = _mm256_add_epi32(totals[r][v], _mm256_madd_epi16(weight, data[v]));
            }
        }
        alignas(32) int32_t partial[8];
        for (int r = 0; r < 4; ++r)
            for (int v = 0; v < Vectors; ++v) {
                _mm256_store_si256(reinterpret_cast<__m256i*>(partial), totals[r][v]);
                for (int l = 0; l < 8; ++l) sums[r][8 * v + l] += partial[l];
            }
#endif
    }

    // Two rows of weights.
    template <int Vectors>
    void two(size_t tile, const int16_t* const* own, size_t begin, size_t end, int64_t (*sums)[kTile]) const {
        const int16_t *first = own[0], *second = own[1];
        const int16_t* cells = cells_.data() + (tile * pairs_ + begin) * 2 * kTile;
        alignas(16) int32_t partial[2][4 * Vectors] = {};
#if defined(__SSE2__)
        __m128i a[Vectors], b[Vectors];
        for (int v = 0; v < Vectors; ++v) a[v] = b[v] = _mm_setzero_si128();
        for (size_t p = begin; p < end; ++p, cells += 2 * kTile) {
            const __m128i w = _mm_set1_epi32(int(pair(first, p))), x = _mm_set1_epi32(int(pair(second, p)));
            for (int v = 0; v < Vectors; ++v) {
                const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cells) + v);
                a[v] = _mm_add_epi32(a[v], _mm_madd_epi16(w, data));
                b[v] = _mm_add_epi32(b[v], _mm_madd_epi16(x, data));
            }
        }
        for (int v = 0; v < Vectors; ++v) {
            _mm_store_si128(reinterpret_cast<__m128i*>(partial[0]) + v, a[v]);
            _mm_store_si128(reinterpret_cast<__m128i*>(partial[1]) + v, b[v]);
        }
#else
        for (size_t p = begin; p < end; ++p, cells += 2 * kTile)
            for (int r = 0; r < 2; ++r) {
                const uint32_t both = pair(r ? second : first, p);
                const int32_t w = int16_t(both), x = int16_t(both >> 16);
                for (int l = 0; l < 4 * Vectors; ++l) partial[r][l] += w * cells[2 * l] + x * cells[2 * l + 1];
            }
#endif
        for (int r = 0; r < 2; ++r)
            for (int l = 0; l < 4 * Vectors; ++l) sums[r][l] += partial[r][l];
    }

    size_t n_, pairs_, tiles_ = 0;
    double largest_ = 0;
    std::vector<Limb> limbs_;
    std::vector<int16_t> cells_;
};

inline void check_range(double largest, double weight) {
    if (largest * weight >= 0x1p63) throw std::overflow_error("a weighted sum does not fit into 64 bits");
}

// Row j of `out` (m x k, zeros) becomes the sum of the rows, weighted by row j of the weights.
inline void weighted_rows(const int64_t* rows, size_t n, size_t k, const int16_t* weights, size_t m, int threads,
                          int64_t* out) {
    const LimbTable table(rows, n, k);
    parallel_parts(m, threads, [&](size_t, size_t begin, size_t end) {
        constexpr size_t kBlock = 64;
        for (size_t j = begin; j < end; j += kBlock) {
            const size_t here = std::min(kBlock, end - j);
            int16_t low = 0, high = 1;
            for (size_t i = j * n; i < (j + here) * n; ++i) {
                low = std::min(low, weights[i]);
                high = std::max(high, weights[i]);
            }
            const int heaviest = std::max(-int(low), int(high));
            if (heaviest > 32767) throw std::overflow_error("a weight is below -32767");
            if (table.largest() * double(heaviest) * double(n) >= 0x1p63)  // look closer
                for (size_t r = j; r < j + here; ++r) {
                    double weight = 0;
                    for (size_t i = 0; i < n; ++i) weight += std::abs(int(weights[r * n + i]));
                    check_range(table.largest(), weight);
                }
            table.add(weights + j * n, here, heaviest, out + j * k, k);
        }
    });
}

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
