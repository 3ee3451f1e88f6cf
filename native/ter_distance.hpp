// Word edit distance under TER's beam, three ways with one result.
//
// Row i stands for the first i words of the hypothesis, column j for the first j words of the reference. Cells
// outside the beam are unreachable. A row is kept as differences between neighbouring columns, which are -1, 0 or +1,
// in two bit masks, and the next row follows in a dozen operations on whole masks (Myers 1999; Hyyrö 2003):
//
//   WholeRows   all columns, for references up to 64 words where the beam changes nothing (see TerBeam::is_harmless);
//   BeamRows    a window of columns that moves with the beam, for any length;
//   BeamTable   plain numbers, for lengths so unequal that the beam is wider than a mask.
//
// Each offers: rerun (distance of the present hypothesis, from a given row on), swapped (distance after two
// neighbouring blocks of it have changed places), most_saved_by (what such a swap can gain at most: under a beam there
// is no bound, since it can bring the cheapest path back inside) and step (the last edit of a cheapest path into a
// cell, after rerun; among equals the order of TerStep decides).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "interrupts.hpp"
#include "ter_words.hpp"

namespace tertium {

using TerWords = std::vector<uint32_t>;

// Blocks [begin, middle) and [middle, end) of the hypothesis change places.
struct TerSwap {
    int32_t begin, middle, end;
};

// Diagonal: the two words are aligned, equal or not. Up: the hypothesis word is deleted. Left: the reference word is
// inserted.
enum class TerStep : uint8_t { diagonal, up, left };

// Which cells of the table the original fills: a stripe around the line from corner to corner.
class TerBeam {
public:
    struct Columns {
        int32_t begin, end;
        bool contains(int32_t j) const { return begin <= j && j < end; }
    };

    TerBeam() = default;
    TerBeam(int32_t n_hyp, int32_t n_ref, int32_t width)
        : n_hyp_(n_hyp), n_ref_(n_ref), slope_(double(n_ref) / n_hyp), width_(width) {
        if (width < slope_ / 2) width_ = int32_t(std::ceil(slope_ / 2 + width));
    }

    int32_t n_hyp() const { return n_hyp_; }
    int32_t n_ref() const { return n_ref_; }

    // Rounding is the original's: one multiplication of doubles, then floor.
    Columns row(int32_t i) const {
        if (i == 0) return {0, n_ref_ + 1};
        const auto centre = int32_t(std::floor(i * slope_));
        const int32_t end = i == n_hyp_ ? n_ref_ + 1 : std::min(n_ref_ + 1, centre + width_);
        return {std::max(0, centre - width_), end};
    }

    // Each row fits a mask, and so does the step from row to row.
    bool fits_mask() const { return width_ <= 31; }

    // Whether all paths of this cost stay inside the beam; then distances up to `cost`, and their cheapest paths, are
    // those of the table without a beam. A path that visits diagonal k = j - i costs at least
    // |k| + |n_ref - n_hyp - k|, so it keeps within (cost + |n_ref - n_hyp|) / 2 of the beam's centre, and 3 allow for
    // rounding.
    bool is_harmless(int32_t cost) const { return n_ref_ < width_ || cost + std::abs(n_ref_ - n_hyp_) <= 2 * (width_ - 3); }

private:
    int32_t n_hyp_ = 0, n_ref_ = 0;
    double slope_ = 1;
    int32_t width_ = 0;
};

// One row: bit t says how column first + t differs from the column before it.
struct TerBits {
    uint64_t plus, minus;
    bool operator==(const TerBits&) const = default;
};

// What the way back needs to know of a row: where a value equals its diagonal neighbour's, and where it exceeds the
// one above.
struct TerMarks {
    uint64_t as_diagonal, above_plus;
};

// The next row, in place. The column before the first grows by one from row to row.
inline TerMarks next_row(TerBits& row, uint64_t matches) {
    const uint64_t as_diagonal = (((matches & row.plus) + row.plus) ^ row.plus) | matches | row.minus;
    const uint64_t above_plus = row.minus | ~(as_diagonal | row.plus);
    const uint64_t above_minus = as_diagonal & row.plus;
    const uint64_t before_plus = above_plus << 1 | 1;
    row.plus = above_minus << 1 | ~(as_diagonal | before_plus);
    row.minus = before_plus & as_diagonal;
    return {as_diagonal, above_plus};
}

inline uint64_t low_bits(int32_t n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }

inline int32_t sum_bits(const TerBits& row, uint64_t mask) {
    return std::popcount(row.plus & mask) - std::popcount(row.minus & mask);
}

class WholeRows {
public:
    void start(const TerReference& reference, const TerBeam& beam) {
        reference_ = &reference;
        n_hyp_ = beam.n_hyp();
        columns_ = low_bits(beam.n_ref());
        rows_.resize(n_hyp_ + 1);
        marks_.resize(n_hyp_ + 1);
        rows_[0] = {~uint64_t{0}, 0};
    }

    int32_t rerun(const TerWords& words, int32_t first) {
        TerBits row = rows_[first];
        for (int32_t i = first; i < n_hyp_; ++i) {
            marks_[i + 1] = next_row(row, reference_->positions(words[i]));
            rows_[i + 1] = row;
        }
        return distance_ = n_hyp_ + sum_bits(row, columns_);
    }

    int32_t swapped(const TerWords& words, const TerSwap& swap) const {
        TerBits row = rows_[swap.begin];
        for (int32_t i = swap.middle; i < swap.end; ++i) next_row(row, reference_->positions(words[i]));
        for (int32_t i = swap.begin; i < swap.middle; ++i) next_row(row, reference_->positions(words[i]));
        for (int32_t i = swap.end; i < n_hyp_; ++i) {
            if (row == rows_[i]) return distance_;
            next_row(row, reference_->positions(words[i]));
        }
        return n_hyp_ + sum_bits(row, columns_);
    }

    // Two blocks can change places by deleting the smaller one here and inserting it there.
    static int32_t most_saved_by(const TerSwap& swap) { return 2 * std::min(swap.middle - swap.begin, swap.end - swap.middle); }

    TerStep step(int32_t i, int32_t j, bool equal) const {
        const uint64_t bit = uint64_t{1} << (j - 1);
        if (equal || !(marks_[i].as_diagonal & bit)) return TerStep::diagonal;
        return marks_[i].above_plus & bit ? TerStep::up : TerStep::left;
    }

private:
    const TerReference* reference_ = nullptr;
    int32_t n_hyp_ = 0, distance_ = 0;
    uint64_t columns_ = 0;
    std::vector<TerBits> rows_;
    std::vector<TerMarks> marks_;
};

class BeamRows {
public:
    void start(const TerReference& reference, const TerBeam& beam) {
        reference_ = &reference;
        beam_ = beam;
        windows_.resize(beam.n_hyp() + 1);
        rows_.resize(beam.n_hyp() + 1);
        marks_.resize(beam.n_hyp() + 1);
        rows_[0] = {{~uint64_t{0}, 0}, 0};
        windows_[0] = {1, 0, false, ~uint64_t{0}, ~uint64_t{0}};
        TerBeam::Columns above = beam.row(0);
        for (int32_t i = 1; i <= beam.n_hyp(); ++i) {
            const TerBeam::Columns now = beam.row(i);
            const int32_t first = std::max(1, now.begin);
            windows_[i] = {first, first - windows_[i - 1].first, now.begin > 0 && now.begin == above.begin,
                           low_bits(std::min(now.end, above.end + 1) - first), low_bits(now.end - first)};
            above = now;
        }
    }

    int32_t rerun(const TerWords& words, int32_t first) {
        Row row = rows_[first];
        for (int32_t i = first; i < beam_.n_hyp(); ++i) {
            marks_[i + 1] = next(row, words[i], windows_[i + 1]);
            rows_[i + 1] = row;
        }
        return distance_ = last_cell(row);
    }

    int32_t swapped(const TerWords& words, const TerSwap& swap) const {
        Row row = rows_[swap.begin];
        int32_t done = swap.begin;
        for (int32_t i = swap.middle; i < swap.end; ++i) next(row, words[i], windows_[++done]);
        for (int32_t i = swap.begin; i < swap.middle; ++i) next(row, words[i], windows_[++done]);
        for (int32_t i = swap.end; i < beam_.n_hyp(); ++i) {
            if (row.bits == rows_[i].bits) return distance_ + row.before - rows_[i].before;
            next(row, words[i], windows_[i + 1]);
        }
        return last_cell(row);
    }

    static int32_t most_saved_by(const TerSwap&) { return std::numeric_limits<int32_t>::max(); }

    TerStep step(int32_t i, int32_t j, bool equal) const {
        const TerBeam::Columns above = beam_.row(i - 1);
        if (j - 1 < above.begin) return TerStep::up;
        if (j - 1 >= above.end) return TerStep::left;
        const uint64_t bit = uint64_t{1} << (j - windows_[i].first);
        if (equal || !(marks_[i].as_diagonal & bit)) return TerStep::diagonal;
        return marks_[i].above_plus & bit ? TerStep::up : TerStep::left;
    }

private:
    // `before` is the value in the column before the window's first: column 0, or a stand-in for an unreachable cell.
    struct Row {
        TerBits bits;
        int32_t before;
    };
    struct Window {
        int32_t first, moved;
        bool left_edge_stays;         // the diagonal neighbour of the first cell is unreachable
        uint64_t can_match, reached;  // cells with a reachable diagonal neighbour; cells of the row
    };

    // Unreachable cells get stand-in values that no path can profit from and that differ from their neighbours by one.
    // To the right of a row they rise by one per column; a stand-in must not be reached by a match either, hence
    // can_match. To the left the stand-in is one more than the first cell.
    TerMarks next(Row& row, uint32_t word, const Window& window) const {
        row.before += sum_bits(row.bits, low_bits(window.moved));
        row.bits.plus = ~(~row.bits.plus >> window.moved);
        row.bits.minus >>= window.moved;
        if (window.left_edge_stays) {
            row.before += 1 + sum_bits(row.bits, 1);
            row.bits.plus &= ~uint64_t{1};
            row.bits.minus |= 1;
        }
        const TerMarks marks = next_row(row.bits, reference_->positions(word, window.first - 1) & window.can_match);
        row.before += 1;
        row.bits.plus |= ~window.reached;
        row.bits.minus &= window.reached;
        return marks;
    }

    int32_t last_cell(const Row& row) const { return row.before + sum_bits(row.bits, windows_[beam_.n_hyp()].reached); }

    const TerReference* reference_ = nullptr;
    TerBeam beam_;
    int32_t distance_ = 0;
    std::vector<Window> windows_;
    std::vector<Row> rows_;
    std::vector<TerMarks> marks_;
};

class BeamTable {
public:
    void start(const TerReference& reference, const TerBeam& beam) {
        reference_ = &reference;
        beam_ = beam;
        stride_ = 0;
        for (int32_t i = 1; i <= beam.n_hyp(); ++i) {
            const TerBeam::Columns columns = beam.row(i);
            stride_ = std::max(stride_, size_t(columns.end - columns.begin));
        }
        steps_.resize(stride_ * (beam.n_hyp() + 1));
    }

    int32_t rerun(const TerWords& words, int32_t) { return fill(words, steps_.data()); }

    int32_t swapped(const TerWords& words, const TerSwap& swap) {
        swapped_ = words;
        std::rotate(swapped_.begin() + swap.begin, swapped_.begin() + swap.middle, swapped_.begin() + swap.end);
        return fill(swapped_, nullptr);
    }

    static int32_t most_saved_by(const TerSwap&) { return std::numeric_limits<int32_t>::max(); }

    TerStep step(int32_t i, int32_t j, bool) const { return steps_[i * stride_ + (j - beam_.row(i).begin)]; }

private:
    int32_t fill(const TerWords& words, TerStep* steps) {
        constexpr int32_t unreachable = std::numeric_limits<int32_t>::max() / 2;
        TerBeam::Columns above = beam_.row(0);
        above_.resize(above.end);
        for (int32_t j = 0; j < above.end; ++j) above_[j] = j;
        for (int32_t i = 1; i <= beam_.n_hyp(); ++i) {
            const TerBeam::Columns now = beam_.row(i);
            const auto up = [&](int32_t j) { return above.contains(j) ? above_[j - above.begin] : unreachable; };
            now_.resize(now.end - now.begin);
            poller_(now_.size());
            int32_t left = unreachable;
            for (int32_t j = now.begin; j < now.end; ++j) {
                int32_t cost = unreachable;
                TerStep step = TerStep::diagonal;
                if (j > 0) cost = up(j - 1) + (words[i - 1] != (*reference_)[j - 1]);
                if (up(j) + 1 < cost) cost = up(j) + 1, step = TerStep::up;
                if (left + 1 < cost) cost = left + 1, step = TerStep::left;
                now_[j - now.begin] = left = cost;
                if (steps) steps[i * stride_ + (j - now.begin)] = step;
            }
            above = now;
            above_.swap(now_);
        }
        return above_.back();
    }

    const TerReference* reference_ = nullptr;
    TerBeam beam_;
    size_t stride_ = 0;
    Poller poller_;
    std::vector<TerStep> steps_;
    std::vector<int32_t> above_, now_;
    TerWords swapped_;
};

}  // namespace tertium
