// Pair counts of two metrics after some of their scores have changed sides, for 64 shuffles at a time: a pair has only
// four pairs of scores to be judged by, each shuffle picks one of them with two bits, and numbers of pairs are added up
// in bit slices (bit s of slice p is bit p of the count in shuffle s).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

// Counts of up to 2**32 - 1 in 64 lanes.
class LaneCounter {
public:
    void add(uint64_t carry) {
        for (int p = 0; carry; ++p) {
            const uint64_t both = slices_[p] & carry;
            slices_[p] ^= carry;
            carry = both;
            used_ = std::max(used_, p + 1);
        }
    }
    void take(int64_t* out, size_t lanes, size_t step) {
        for (size_t lane = 0; lane < lanes; ++lane) out[lane * step] = 0;
        for (int p = 0; p < used_; ++p) {
            for (size_t lane = 0; lane < lanes; ++lane) out[lane * step] += int64_t(slices_[p] >> lane & 1) << p;
            slices_[p] = 0;
        }
        used_ = 0;
    }

private:
    uint64_t slices_[33] = {};
    int used_ = 0;
};

// What is counted for each metric: pairs that it orders as gold does, orders the other way, and ties where gold ties.
constexpr size_t kSwapColumns = 3;

// out: shuffles x groups x 2 metrics x kSwapColumns. `masks`: items x words, bit s of word w says whether the item's two
// scores change sides in shuffle 64 w + s.
inline void swap_counts(const double* gold, const double* first, const double* second, const int64_t* starts, size_t groups,
                        double first_epsilon, double second_epsilon, const uint64_t* masks, size_t words, size_t shuffles,
                        int64_t* out) {
    const size_t shuffle_size = groups * 2 * kSwapColumns;
    std::vector<LaneCounter> counters(words * 2 * kSwapColumns);
    const double* scores[2] = {first, second};
    const double epsilons[2] = {first_epsilon, second_epsilon};
    for (size_t g = 0; g < groups; ++g) {
        for (int64_t i = starts[g]; i < starts[g + 1]; ++i) {
            poll();
            for (int64_t j = starts[g]; j < i; ++j) {
                const int by_gold = (gold[i] > gold[j]) - (gold[i] < gold[j]);
                // kind[m][x][y]: the verdict of metric m when its score of i is the x-th metric's and that of j the y-th's.
                int kind[2][2][2];
                bool any[2][kSwapColumns] = {};
                for (int x = 0; x < 2; ++x)
                    for (int y = 0; y < 2; ++y) {
                        const double difference = scores[x][i] - scores[y][j];
                        for (int m = 0; m < 2; ++m) {
                            const int verdict = (difference > epsilons[m]) - (-difference > epsilons[m]);
                            const int both = verdict * by_gold;
                            const int found = both > 0 ? 0 : both < 0 ? 1 : verdict == 0 && by_gold == 0 ? 2 : 3;
                            kind[m][x][y] = found;
                            if (found < 3) any[m][found] = true;
                        }
                    }
                for (size_t w = 0; w < words; ++w) {
                    const uint64_t a = masks[size_t(i) * words + w], b = masks[size_t(j) * words + w];
                    const uint64_t picked[2][2] = {{~a & ~b, ~a & b}, {a & ~b, a & b}};
                    LaneCounter* counter = counters.data() + w * 2 * kSwapColumns;
                    for (int m = 0; m < 2; ++m)
                        for (int c = 0; c < int(kSwapColumns); ++c) {
                            if (!any[m][c]) continue;
                            uint64_t lanes = 0;
                            for (int x = 0; x < 2; ++x)
                                for (int y = 0; y < 2; ++y)
                                    if (kind[m][x ^ m][y ^ m] == c) lanes |= picked[x][y];
                            counter[size_t(m) * kSwapColumns + size_t(c)].add(lanes);
                        }
                }
            }
        }
        for (size_t w = 0; w < words; ++w) {
            const size_t lanes = std::min<size_t>(64, shuffles - 64 * w);
            for (size_t c = 0; c < 2 * kSwapColumns; ++c)
                counters[w * 2 * kSwapColumns + c].take(out + 64 * w * shuffle_size + g * 2 * kSwapColumns + c, lanes,
                                                        shuffle_size);
        }
    }
}

}  // namespace tertium
