// Boosted trees: the sum of the leaves that a row of numbers falls into.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tertium {

// Trees side by side, `nodes` places each. A leaf has itself on both sides; its number is its value, elsewhere 0.
struct Trees {
    size_t trees, nodes;
    const int32_t* features;
    const double* thresholds;
    const int32_t* left;
    const int32_t* right;
    const double* values;

    double sum(const double* row) const {
        double total = 0.0;
        for (size_t t = 0; t < trees; ++t) {
            const size_t begin = t * nodes;
            int32_t at = 0;
            for (;;) {
                const size_t place = begin + size_t(at);
                const int32_t next = row[features[place]] <= thresholds[place] ? left[place] : right[place];
                if (next == at) break;
                at = next;
            }
            total += values[begin + size_t(at)];
        }
        return total;
    }
};

}  // namespace tertium
