// EED, the extended edit distance (Stanchev, Wang and Ney 2019): characters, where a path may jump within the
// hypothesis at every blank of the reference, and hypothesis characters visited again or never are paid for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "exact_sum.hpp"
#include "utf8.hpp"

namespace tertium {

enum class EedLike { paper, original, torchmetrics };

struct EedOptions {
    double alpha = 2, rho = 0.3, deletion = 0.2, insertion = 1;
    EedLike like = EedLike::paper;
};

// Texts come with their punctuation set apart; a blank on either side is added here.
class Eed {
public:
    explicit Eed(const EedOptions& options) : options_(options) {}

    void set_hypothesis(std::string_view text) { decode(text, hypothesis_); }

    double distance(std::string_view reference) {
        decode(reference, reference_);
        if (options_.like == EedLike::original) return of<float>();
        return of<double>();
    }

private:
    static void decode(std::string_view text, std::vector<char32_t>& out) {
        out.clear();
        out.push_back(U' ');
        for (const char *p = text.data(), *end = p + text.size(); p < end;) out.push_back(utf8_next(p));
        out.push_back(U' ');
    }

    // Cell i of a row: the cheapest way to have read this much of the reference and to stand behind hypothesis
    // character i. Reading on in the hypothesis costs a deletion, in the reference an insertion.
    template <class Real>
    double of() {
        const size_t n = hypothesis_.size();
        const auto deletion = Real(options_.deletion), insertion = Real(options_.insertion);
        std::vector<Real>& row = table<Real>();
        row.assign(n + 1, 1);
        row[0] = 0;
        visits_.assign(n + 1, -1);
        for (const char32_t c : reference_) {
            Real corner = row[0], left = corner + 1;
            row[0] = left;
            Real least = truncated<Real>(left);
            size_t at = 0;
            for (size_t i = 1; i <= n; ++i) {
                const Real above = row[i];
                const Real cell = std::min(std::min(left + deletion, corner + Real(hypothesis_[i - 1] != c)), above + insertion);
                if (cell < least) {
                    least = truncated<Real>(cell);
                    at = i;
                }
                corner = above;
                row[i] = left = cell;
            }
            ++visits_[at];
            if (c == U' ') {
                const Real jump = Real(options_.alpha) + row[at];
                for (Real& cell : row) cell = std::min(cell, jump);
            }
        }
        int64_t uncovered = 0;
        const size_t first = options_.like == EedLike::torchmetrics ? 0 : 1;
        for (size_t i = first; i <= n; ++i) uncovered += visits_[i] < 0 ? 1 : visits_[i];
        const Real coverage = Real(options_.rho) * Real(uncovered);
        return std::min(1.0, double((row[n] + coverage) / (Real(reference_.size()) + coverage)));
    }

    // The original keeps the least cost so far in an integer, so that it does not always find the least.
    template <class Real>
    static Real truncated(Real value) {
        if constexpr (sizeof(Real) == sizeof(float)) return Real(int32_t(value));
        return value;
    }
    template <class Real>
    std::vector<Real>& table() {
        if constexpr (sizeof(Real) == sizeof(float)) return floats_;
        else return doubles_;
    }

    EedOptions options_;
    std::vector<char32_t> hypothesis_, reference_;
    std::vector<double> doubles_;
    std::vector<float> floats_;
    std::vector<int64_t> visits_;
};

}  // namespace tertium
