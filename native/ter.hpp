// Translation edit rate: edits that turn a hypothesis into a reference, where moving a block of words is one edit
// (Snover et al. 2006). A greedy search for shifts with tercom's limits; where sacrebleu differs from it, as sacrebleu.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "interrupts.hpp"
#include "ter_distance.hpp"
#include "ter_words.hpp"

namespace tertium {

struct TerLimits {
    int32_t beam_width = 25;          // cells on each side of the table's diagonal, at least 1
    int32_t max_shift_size = 10;      // words in a moved block
    int32_t max_shift_distance = 50;  // between the block's positions in hypothesis and reference
    int32_t max_candidates = 1000;    // shifts tried for one pair, over all rounds
};

// Insertions are reference words that the hypothesis lacks; deletions are hypothesis words that the reference lacks.
struct TerOperations {
    int64_t insertions = 0, deletions = 0, substitutions = 0, shifts = 0;
    int64_t total() const { return insertions + deletions + substitutions + shifts; }
};

// Memory reused from call to call. One per thread.
class TerScratch {
public:
    int64_t edits(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref, const TerLimits& limits) {
        if (n_hyp == 0 || n_ref == 0) return int64_t(n_hyp + n_ref);
        int64_t edits = 0;
        run(hyp, n_hyp, ref, n_ref, limits, [&](const auto&, int32_t distance) { edits = shifts_ + distance; });
        return edits;
    }

    TerOperations operations(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref, const TerLimits& limits) {
        if (n_hyp == 0 || n_ref == 0) return {int64_t(n_ref), int64_t(n_hyp), 0, 0};
        TerOperations counts;
        run(hyp, n_hyp, ref, n_ref, limits, [&](const auto& table, int32_t) {
            walk_back(table, [&](TerStep step, int32_t, int32_t, bool equal) {
                if (step == TerStep::left) ++counts.insertions;
                else if (step == TerStep::up) ++counts.deletions;
                else if (!equal) ++counts.substitutions;
            });
            counts.shifts = shifts_;
        });
        return counts;
    }

private:
    // A block of the hypothesis that also stands in the reference, and the position that it might move to.
    struct Candidate {
        int32_t start, target;
        TerSwap swap;
    };

    // The best shift of a round: the largest gain, then the longest block, then the first start, then the first
    // target. It starts as "none": a shift has to gain something.
    struct Best {
        int32_t gain = 0, size = std::numeric_limits<int32_t>::max();
        Candidate shift{};

        bool loses_to(int32_t other_gain, int32_t other_size, const Candidate& other) const {
            if (gain != other_gain) return gain < other_gain;
            if (size != other_size) return size < other_size;
            if (shift.start != other.start) return shift.start > other.start;
            return shift.target > other.target;
        }
    };

    // Looks for shifts, filling the table in the cheapest way, and hands table and final distance to `finish`.
    template <class Finish>
    void run(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref, const TerLimits& limits, Finish finish) {
        shifts_ = 0;
        n_hyp_ = int32_t(n_hyp);
        n_ref_ = int32_t(n_ref);
        limits_ = {std::min(limits.beam_width, n_ref_ + 1), std::min(limits.max_shift_size, n_hyp_),
                   std::min(limits.max_shift_distance, n_hyp_ + n_ref_), limits.max_candidates};
        reference_.assign(ref, n_ref);
        const int32_t common = reference_.number_hypothesis(hyp, n_hyp, words_);
        least_distance_ = std::max(n_hyp_, n_ref_) - common;
        const TerBeam beam(n_hyp_, n_ref_, limits_.beam_width);
        if (reference_.fits_one_block()) {
            whole_rows_.start(reference_, beam);
            const int32_t distance = whole_rows_.rerun(words_, 0);
            if (beam.is_harmless(distance)) return search(whole_rows_, distance, finish);
        }
        if (beam.fits_mask()) {
            beam_rows_.start(reference_, beam);
            search(beam_rows_, beam_rows_.rerun(words_, 0), finish);
        } else {
            beam_table_.start(reference_, beam);
            search(beam_table_, beam_table_.rerun(words_, 0), finish);
        }
    }

    template <class Table, class Finish>
    void search(Table& table, int32_t distance, Finish finish) {
        int32_t tried = 0;
        while (distance > least_distance_) {
            align(table);
            tried += collect_candidates(limits_.max_candidates - tried);
            if (tried >= limits_.max_candidates) break;  // the round in which the limit is reached does not count
            const Best best = best_candidate(table, distance);
            if (best.gain <= 0) break;
            const TerSwap& swap = best.shift.swap;
            std::rotate(words_.begin() + swap.begin, words_.begin() + swap.middle, words_.begin() + swap.end);
            distance = table.rerun(words_, swap.begin);
            ++shifts_;
        }
        finish(table, distance);
    }

    // Follows a cheapest path from the last cell to the first: visit(step, row, column, are the two words equal).
    template <class Table, class Visit>
    void walk_back(const Table& table, Visit visit) const {
        int32_t i = n_hyp_, j = n_ref_;
        while (i > 0 || j > 0) {
            const bool equal = i > 0 && j > 0 && words_[i - 1] == reference_[j - 1];
            const TerStep step = i == 0 ? TerStep::left : j == 0 ? TerStep::up : table.step(i, j, equal);
            visit(step, i, j, equal);
            i -= step != TerStep::left;
            j -= step != TerStep::up;
        }
    }

    // Sets wrong_hyp_, wrong_ref_ (how many of the first k words are not matched) and landing_: a block that is to
    // follow the first k words of the reference goes before word landing_[k] of the hypothesis.
    template <class Table>
    void align(const Table& table) {
        wrong_hyp_.assign(n_hyp_ + 1, 0);
        wrong_ref_.assign(n_ref_ + 1, 0);
        landing_.resize(n_ref_ + 1);
        landing_[0] = 0;
        walk_back(table, [this](TerStep step, int32_t i, int32_t j, bool equal) {
            if (step != TerStep::left) wrong_hyp_[i] = !(step == TerStep::diagonal && equal);
            if (step != TerStep::up) {
                wrong_ref_[j] = !(step == TerStep::diagonal && equal);
                landing_[j] = i;
            }
        });
        for (int32_t i = 0; i < n_hyp_; ++i) wrong_hyp_[i + 1] += wrong_hyp_[i];
        for (int32_t j = 0; j < n_ref_; ++j) wrong_ref_[j + 1] += wrong_ref_[j];
    }

    // Fills candidates_ and returns how many there are; gives up when `limit` is reached.
    int32_t collect_candidates(int32_t limit) {
        for (auto& of_size : candidates_) of_size.clear();
        int32_t found = 0;
        for (int32_t start = 0; start < n_hyp_; ++start) {
            const int32_t reach = std::min(n_hyp_, start + limits_.max_shift_size);
            if (wrong_hyp_[start] == wrong_hyp_[reach]) continue;
            const int32_t nearest = std::max(0, start - limits_.max_shift_distance);
            const int32_t farthest = std::min(n_ref_ - 1, start + limits_.max_shift_distance);
            for (int32_t from = nearest; from <= farthest; from += 64) {
                uint64_t places = reference_.positions(words_[start], from) & low_bits(farthest - from + 1);
                for (; places; places &= places - 1) {
                    found += collect_pair(start, from + std::countr_zero(places));
                    if (found >= limit) return found;
                }
            }
        }
        return found;
    }

    // Collects blocks that begin at `start` in the hypothesis and at `ref_start` in the reference, by their size.
    // A shift counts each time that it is found, even where it would change nothing.
    int32_t collect_pair(int32_t start, int32_t ref_start) {
        const int32_t longest = std::min({limits_.max_shift_size, n_hyp_ - start, n_ref_ - ref_start});
        const int32_t aligned = landing_[ref_start + 1] - 1;
        int32_t found = 0;
        for (int32_t size = 1; size <= longest; ++size) {
            if (words_[start + size - 1] != reference_[ref_start + size - 1]) break;
            if (start <= aligned && aligned < start + size) break;  // it would move within itself
            if (wrong_hyp_[start] == wrong_hyp_[start + size]) continue;
            if (wrong_ref_[ref_start] == wrong_ref_[ref_start + size]) continue;
            if (candidates_.size() <= size_t(size)) candidates_.resize(size + 1);
            int32_t previous = -1;
            for (int32_t k = ref_start; k <= ref_start + size; ++k) {
                const int32_t target = landing_[k];
                if (target == previous) continue;
                previous = target;
                ++found;
                const TerSwap swap = swap_for(start, size, target);
                if (swap.middle < swap.end) candidates_[size].push_back({start, target, swap});
            }
        }
        return found;
    }

    // A target within the block itself means: as many words to the right.
    TerSwap swap_for(int32_t start, int32_t size, int32_t target) const {
        if (target < start) return {target, start, start + size};
        if (target > start + size) return {start, start + size, target};
        return {start, start + size, std::min(n_hyp_, target + size)};
    }

    template <class Table>
    Best best_candidate(Table& table, int32_t distance) {
        Best best;
        for (auto size = int32_t(candidates_.size()) - 1; size > 0; --size)
            for (const Candidate& shift : candidates_[size]) {
                const int32_t bound = std::min(table.most_saved_by(shift.swap), distance - least_distance_);
                if (!best.loses_to(bound, size, shift)) continue;
                poller_(size_t(n_hyp_));
                const int32_t gain = distance - table.swapped(words_, shift.swap);
                if (best.loses_to(gain, size, shift)) best = {gain, size, shift};
            }
        return best;
    }

    TerLimits limits_;
    Poller poller_;
    TerReference reference_;
    TerWords words_;  // the hypothesis, with the shifts made so far
    int32_t n_hyp_ = 0, n_ref_ = 0;
    int32_t least_distance_ = 0;  // no order of the hypothesis' words can be nearer to the reference
    int64_t shifts_ = 0;
    WholeRows whole_rows_;
    BeamRows beam_rows_;
    BeamTable beam_table_;
    std::vector<int32_t> wrong_hyp_, wrong_ref_, landing_;
    std::vector<std::vector<Candidate>> candidates_;  // by size
};

// How many edits turn the hypothesis into the reference. Equal words have equal numbers, below 2^31.
inline int64_t ter_edits(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref, TerScratch& scratch,
                         const TerLimits& limits = {}) {
    return scratch.edits(hyp, n_hyp, ref, n_ref, limits);
}

// The edits by kind, on the path that the search ends with.
inline TerOperations ter_operations(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref, TerScratch& scratch,
                                    const TerLimits& limits = {}) {
    return scratch.operations(hyp, n_hyp, ref, n_ref, limits);
}

}  // namespace tertium
