// EED, the extended edit distance (Stanchev, Wang and Ney 2019): characters, where a path may jump within the
// hypothesis at every blank of the reference, and hypothesis characters visited again or never are paid for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "exact_sum.hpp"
#include "interrupts.hpp"
#include "utf8.hpp"

namespace tertium {

enum class EedLike { paper, original };

struct EedOptions {
    double alpha = 2, rho = 0.3, deletion = 0.2, insertion = 1;
    EedLike like = EedLike::paper;
};

// Texts come with their punctuation set apart; a blank on either side is added here.
//
// Up to `kMostCells` cells (16,000 characters against 16,000) the table is filled whole. Beyond that each row is filled
// within a band of that many cells in all around the line from corner to corner, at least `kLeastBand` wide: the
// distance is that of the cheapest path which stays there. A cell that the band reaches anew has been jumped to at the
// last blank.
class Eed {
public:
    static constexpr size_t kMostCells = size_t{1} << 28, kLeastBand = 256;

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
        const size_t n = hypothesis_.size(), m = reference_.size();
        const size_t band = std::max(kLeastBand, kMostCells / m);
        const bool whole = n <= band;
        std::vector<Real>& row = table<Real>();
        row.assign(n + 1, 1);
        row[0] = 0;
        visits_.assign(n + 1, -1);
        Real outside = 1;  // of cells that the band has not reached yet
        size_t first = 0, last = whole ? n : band;
        for (size_t w = 0; w < m;) {
            // Rows wait for each other at blanks only.
            size_t together = 1;
            while (together < 4 && w + together < m && reference_[w + together - 1] != U' ') ++together;
            if (together < 4) together = 1;
            if (!whole) {
                const auto centre = size_t(double(w + together) / double(m) * double(n));
                first = std::max(first, centre > band / 2 ? std::min(centre - band / 2, n - band) : 0);
                const size_t end = w + together == m ? n : std::max(last, std::min(n, first + band));
                std::fill(row.begin() + ptrdiff_t(last + 1), row.begin() + ptrdiff_t(end + 1), outside);
                last = end;
                outside += Real(options_.insertion) * Real(together);
            }
            const size_t at = together == 4 ? advance<Real, 4>(&reference_[w], row, first, last)
                                            : advance<Real, 1>(&reference_[w], row, first, last);
            w += together;
            poller_(together * n);
            if (reference_[w - 1] == U' ') {
                const Real jump = outside = Real(options_.alpha) + row[at];
                for (size_t i = first; i <= last; ++i) row[i] = std::min(row[i], jump);
            }
        }
        int64_t uncovered = 0;
        for (size_t i = 1; i <= n; ++i) uncovered += visits_[i] < 0 ? 1 : visits_[i];
        const Real coverage = Real(options_.rho) * Real(uncovered);
        return std::min(1.0, double((row[n] + coverage) / (Real(m) + coverage)));
    }

    // Reads that many characters of the reference and returns the cheapest place of the last row. Each row is one cell
    // behind the row before it, so that their cells do not wait for each other. Cells `begin` to `end` are filled.
    template <class Real, size_t rows>
    size_t advance(const char32_t* characters, std::vector<Real>& row, size_t begin, size_t end) {
        const size_t n = end - begin;
        Real* const cells = row.data() + begin;
        const char32_t* const hypothesis = hypothesis_.data() + begin;
        const auto deletion = Real(options_.deletion), insertion = Real(options_.insertion);
        const Real at_edge = begin == 0 ? Real(1) : insertion;
        Real cell[rows] = {}, corner[rows] = {}, least[rows] = {};
        size_t at[rows] = {};
        const auto next = [&](size_t k, size_t i) {
            const Real above = k == 0 ? cells[i] : cell[k - 1];
            const Real substituted = corner[k] + Real(hypothesis[i - 1] != characters[k]);
            cell[k] = std::min(std::min(cell[k] + deletion, substituted), above + insertion);
            corner[k] = above;
            if (cell[k] < least[k]) {
                least[k] = truncated<Real>(cell[k]);
                at[k] = i;
            }
            if (k == rows - 1) cells[i] = cell[k];
        };
        const auto edge = [&](size_t k) {
            corner[k] = k == 0 ? cells[0] : cell[k - 1];
            cell[k] = corner[k] + at_edge;
            least[k] = truncated<Real>(cell[k]);
            if (k == rows - 1) cells[0] = cell[k];
        };
        size_t step = 0;
        for (; step < rows && step < n + rows; ++step)
            for (size_t k = rows; k-- > 0;) {
                if (step == k) edge(k);
                if (step > k && step - k <= n) next(k, step - k);
            }
        for (; step <= n; ++step)
            for (size_t k = rows; k-- > 0;) next(k, step - k);
        for (; step < n + rows; ++step)
            for (size_t k = rows; k-- > 0;)
                if (step - k <= n) next(k, step - k);
        for (size_t k = 0; k < rows; ++k) ++visits_[begin + at[k]];
        return begin + at[rows - 1];
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
    Poller poller_;
    std::vector<char32_t> hypothesis_, reference_;
    std::vector<double> doubles_;
    std::vector<float> floats_;
    std::vector<int64_t> visits_;
};

}  // namespace tertium
