// The most similar one of all earlier units of the same text, by vectors of length 1: what lexical cohesion adds up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dots.hpp"

namespace tertium {

class EarlierKernel {
public:
    // For each of n rows the greatest product with an earlier row, and the number of that row, the first of equals;
    // nothing is negative, and 0 has no earlier row (-1). `width` is a multiple of the lanes.
    void most_similar(const float* rows, size_t n, size_t width, double* most, int64_t* earlier) {
        for (size_t begin = 0; begin < n; begin += kRows) {
            const size_t end = std::min(n, begin + kRows);
            products_.resize(kRows * end);
            all_dots(rows + begin * width, end - begin, rows, end, width, products_.data());
            for (size_t i = begin; i < end; ++i) {
                const float* const product = products_.data() + (i - begin) * end;
                float best = 0;
                int64_t place = -1;
                for (size_t j = 0; j < i; ++j)
                    if (product[j] > best) best = product[j], place = int64_t(j);
                // The cosine of a vector with itself is 1, which single precision misses by a few units of the last place.
                most[i] = best > 1 - 1e-6f ? 1 : double(best);
                earlier[i] = place;
            }
        }
    }

private:
    static constexpr size_t kRows = 12;  // at once: what is computed in vain is half of a block
    std::vector<float> products_;
};

}  // namespace tertium
