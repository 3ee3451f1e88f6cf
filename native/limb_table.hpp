// Products of whole numbers: weights times columns, exactly. Columns are cut into signed 15-bit limbs, two segments side by
// side, so that one instruction multiplies pairs of 16-bit numbers and adds each pair. Limbs that are zero in all rows are
// left out: a column of small counts is one limb.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "interrupts.hpp"
#include "large_memory.hpp"
#include "processor.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tertium {

// A column of a table that lies row by row.
struct ColumnView {
    const int64_t* first;
    size_t step;
    int64_t operator[](size_t i) const { return first[i * step]; }
};

class LimbTable {
public:
    LimbTable(const std::vector<ColumnView>& columns, size_t n) : n_(n), pairs_((n + 1) / 2), columns_(columns.size()) {
        for (size_t c = 0; c < columns.size(); ++c) {
            int64_t low = 0, high = 0, any[kLimbs] = {};
            for (size_t i = 0; i < n; ++i) {
                low = std::min(low, columns[c][i]);
                high = std::max(high, columns[c][i]);
            }
            int top = 0;  // the limb that carries the sign
            while (top < kLimbs - 1 && (low >> (15 * top) < -32768 || high >> (15 * top) > 32767)) ++top;
            for (size_t i = 0; i < n; ++i)
                for (int limb = 0; limb <= top; ++limb) any[limb] |= part(columns[c][i], limb, top);
            for (int limb = 0; limb <= top; ++limb)
                if (any[limb]) limbs_.push_back({c, limb, top});
        }
        tiles_ = (limbs_.size() + kTile - 1) / kTile;
        cells_.resize(tiles_ * pairs_ * 2 * kTile);
        for (size_t l = 0; l < limbs_.size(); ++l) {
            int16_t* to = cells_.data() + (l / kTile) * pairs_ * 2 * kTile + (l % kTile) * 2;
            const auto [column, limb, top] = limbs_[l];
            for (size_t i = 0; i < n; ++i) to[(i / 2) * 2 * kTile + i % 2] = int16_t(part(columns[column][i], limb, top));
        }
    }

    size_t columns() const { return columns_; }

    // For `m` rows of weights, n of them each and none heavier than `heaviest`, the weighted sum of each column (m x columns).
    // Whatever the limbs of a column add up to on the way, the whole is right if it fits into 64 bits.
    void sums(const int16_t* weights, size_t m, int heaviest, uint64_t* out) const {
        std::vector<int64_t> parts(m * tiles_ * kTile);
        const size_t safe = std::max<size_t>(1, size_t(65535 / heaviest) / 2);  // so many pairs add up below 2**31
        const size_t step = std::min(safe, kNear);
        for (size_t begin = 0; begin < pairs_; begin += step)
            for (size_t tile = 0; tile < tiles_; ++tile) {
                poll();
                add(weights, m, tile, begin, std::min(pairs_, begin + step), parts.data() + tile * kTile);
            }
        std::fill_n(out, m * columns_, 0);
        for (size_t j = 0; j < m; ++j)
            for (size_t l = 0; l < limbs_.size(); ++l)
                out[j * columns_ + limbs_[l].column] += uint64_t(parts[j * tiles_ * kTile + l]) << (15 * limbs_[l].limb);
    }

private:
    static constexpr size_t kTile = 16;    // limbs handled at a time; the sums of a tile stay in registers
    static constexpr size_t kNear = 2048;  // pairs of segments looked at by all rows of weights: they stay near
    static constexpr int kLimbs = 5;
    struct Limb {
        size_t column;
        int limb, top;
    };
    static int64_t part(int64_t value, int limb, int top) {
        return limb == top ? value >> (15 * limb) : value >> (15 * limb) & 0x7FFF;
    }

    void add(const int16_t* weights, size_t m, size_t tile, size_t begin, size_t end, int64_t* parts) const {
        const size_t used = std::min(kTile, limbs_.size() - tile * kTile), together = has_avx2() ? 4 : 2;
        for (size_t j = 0; j < m; j += together) {
            const int16_t* own[4];
            for (size_t r = 0; r < 4; ++r) own[r] = weights + std::min(j + r, m - 1) * n_;
            alignas(32) int32_t sums[4][kTile] = {};
            if (together == 4 && used <= 8) four<1>(tile, own, begin, end, sums);
            else if (together == 4) four<2>(tile, own, begin, end, sums);
            else if (used <= 4) two<1>(tile, own, begin, end, sums);
            else if (used <= 8) two<2>(tile, own, begin, end, sums);
            else if (used <= 12) two<3>(tile, own, begin, end, sums);
            else two<4>(tile, own, begin, end, sums);
            for (size_t r = 0; r < together && j + r < m; ++r)
                for (size_t l = 0; l < used; ++l) parts[(j + r) * tiles_ * kTile + l] += sums[r][l];
        }
    }

    // The weights of one pair of segments; behind the last segment of an odd number stands nothing.
    int32_t pair(const int16_t* weights, size_t p) const {
        int16_t both[2] = {weights[2 * p], int16_t(2 * p + 1 < n_ ? weights[2 * p + 1] : 0)};
        int32_t joined;
        std::memcpy(&joined, both, sizeof joined);
        return joined;
    }

    // Four rows of weights with one tile, for a range of pairs that cannot overflow.
    template <int Vectors>
    TERTIUM_AVX2 void four([[maybe_unused]] size_t tile, [[maybe_unused]] const int16_t* const* own,
                           [[maybe_unused]] size_t begin, [[maybe_unused]] size_t end,
                           [[maybe_unused]] int32_t (*sums)[kTile]) const {
#if defined(__x86_64__)
        const int16_t* cells = cells_.data() + (tile * pairs_ + begin) * 2 * kTile;
        __m256i totals[4][Vectors];
        for (auto& row : totals)
            for (__m256i& total : row) total = _mm256_setzero_si256();
        const auto add = [&](const int32_t* weights) __attribute__((always_inline, target("avx2"))) {
            __m256i data[Vectors];
            for (int v = 0; v < Vectors; ++v) data[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells) + v);
            for (int r = 0; r < 4; ++r) {
                const __m256i weight = _mm256_set1_epi32(weights[r]);
                for (int v = 0; v < Vectors; ++v)
                    totals[r][v] = _mm256_add_epi32(totals[r][v], _mm256_madd_epi16(weight, data[v]));
            }
            cells += 2 * kTile;
        };
        const size_t whole = std::min(end, n_ / 2);  // pairs of which both are there
        for (size_t p = begin; p < whole; ++p) {
            int32_t weights[4];
            for (int r = 0; r < 4; ++r) std::memcpy(weights + r, own[r] + 2 * p, sizeof *weights);
            add(weights);
        }
        for (size_t p = std::max(begin, whole); p < end; ++p) {
            const int32_t weights[4] = {pair(own[0], p), pair(own[1], p), pair(own[2], p), pair(own[3], p)};
            add(weights);
        }
        for (int r = 0; r < 4; ++r)
            for (int v = 0; v < Vectors; ++v) _mm256_store_si256(reinterpret_cast<__m256i*>(sums[r]) + v, totals[r][v]);
#endif
    }

    // Two rows of weights.
    template <int Vectors>
    void two(size_t tile, const int16_t* const* own, size_t begin, size_t end, int32_t (*sums)[kTile]) const {
        const int16_t* cells = cells_.data() + (tile * pairs_ + begin) * 2 * kTile;
#if defined(__SSE2__)
        __m128i a[Vectors], b[Vectors];
        for (int v = 0; v < Vectors; ++v) a[v] = b[v] = _mm_setzero_si128();
        for (size_t p = begin; p < end; ++p, cells += 2 * kTile) {
            const __m128i w = _mm_set1_epi32(pair(own[0], p)), x = _mm_set1_epi32(pair(own[1], p));
            for (int v = 0; v < Vectors; ++v) {
                const __m128i data = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cells) + v);
                a[v] = _mm_add_epi32(a[v], _mm_madd_epi16(w, data));
                b[v] = _mm_add_epi32(b[v], _mm_madd_epi16(x, data));
            }
        }
        for (int v = 0; v < Vectors; ++v) {
            _mm_store_si128(reinterpret_cast<__m128i*>(sums[0]) + v, a[v]);
            _mm_store_si128(reinterpret_cast<__m128i*>(sums[1]) + v, b[v]);
        }
#else
        for (size_t p = begin; p < end; ++p, cells += 2 * kTile)
            for (int r = 0; r < 2; ++r) {
                const int32_t w = own[r][2 * p], x = 2 * p + 1 < n_ ? own[r][2 * p + 1] : 0;
                for (int l = 0; l < 4 * Vectors; ++l) sums[r][l] += w * cells[2 * l] + x * cells[2 * l + 1];
            }
#endif
    }

    size_t n_, pairs_, tiles_ = 0, columns_;
    std::vector<Limb> limbs_;
    LargeVector<int16_t> cells_;
};

}  // namespace tertium
