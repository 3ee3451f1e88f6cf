// Greedy matching of vectors: every unit of one text with the most similar unit of the other (Zhang et al. 2020).
#pragma once

#include <algorithm>
#include <vector>

#include "dots.hpp"

namespace tertium {

struct GreedyAgreement {
    double precision = 0, recall = 0;
};

class GreedyKernel {
public:
    // `width` is a multiple of the lanes; weights have one number a row. In a text of which no unit
    // weighs anything all weigh the same.
    GreedyAgreement agreement(const float* own, const double* own_weights, size_t n, const float* other,
                              const double* other_weights, size_t m, size_t width) {
        if (n == 0 || m == 0) return {};
        products_.resize(m * n);
        best_.assign(n, -1);
        all_dots(other, m, own, n, width, products_.data());
        double recalled = 0, recall_weight = 0, precise = 0, precision_weight = 0, other_sum = 0, own_sum = 0;
        for (size_t i = 0; i < m; ++i) {
            float most = -1;
            for (size_t j = 0; j < n; ++j) {
                const float value = products_[i * n + j];
                most = std::max(most, value);
                best_[j] = std::max(best_[j], value);
            }
            recalled += other_weights[i] * cosine(most);
            recall_weight += other_weights[i];
            other_sum += cosine(most);
        }
        for (size_t j = 0; j < n; ++j) {
            precise += own_weights[j] * cosine(best_[j]);
            precision_weight += own_weights[j];
            own_sum += cosine(best_[j]);
        }
        return {precision_weight > 0 ? precise / precision_weight : own_sum / double(n),
                recall_weight > 0 ? recalled / recall_weight : other_sum / double(m)};
    }

private:
    // The cosine of a vector with itself is 1, which single precision misses by a few units of the last place.
    static double cosine(float value) { return value > 1 - 1e-6f ? 1 : double(value); }

    std::vector<float> products_, best_;
};

}  // namespace tertium
