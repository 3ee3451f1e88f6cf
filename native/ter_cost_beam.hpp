// Translation edit rate as tercom computes it, and as the Moses evaluator does, which descends from it. Both prune the
// table by cost instead of by distance from the diagonal, try long blocks first, and make a shift that saves no more
// than it costs. Moses exchanges the roles of the two texts, so blocks of the *reference* are moved until it resembles
// the hypothesis, and tries the first ten shifts of a round only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "interrupts.hpp"
#include "ter.hpp"

namespace tertium {

// Moses' limits are its own. tercom has none but these two, and would not come to an end on lines of thousands of words:
// from so many candidates in a round, or so many cells of tables in all, no further shift is made.
struct TercomRules {
    static constexpr int32_t beam = 20, max_distance = 50;
    static constexpr size_t max_candidates = size_t{1} << 20;
    static constexpr int64_t max_cells = int64_t{1} << 28;
    static constexpr bool moves_reference = false;
};

struct MosesRules {
    static constexpr int32_t beam = 10, max_distance = 25;
    static constexpr size_t max_candidates = 10;
    static constexpr int64_t max_cells = INT64_MAX;
    static constexpr bool moves_reference = true;
};

// The table between the moved text (columns: how many of its words are used up) and the fixed one (rows). A column
// holds a stretch of rows. Cells that cost more than `beam` above the cheapest pair that led into their column are
// not left again, except in the last column.
template <int32_t beam>
class CostBeamTable {
public:
    static constexpr int32_t kUnset = 1 << 29;

    void start(const TerReference& fixed, int32_t n_moved) {
        fixed_ = &fixed;
        n_moved_ = n_moved;
        cells_ = 0;
        sheet_.clear();
        sheet_.columns.push_back({0, 0, kUnset - 1});
        sheet_.values.push_back(0);
        sheet_.steps.push_back(TerStep::diagonal);
        finish_column(sheet_, n_moved_ == 0);
    }

    // The distance of the present words, all columns up to `first` being right already.
    int32_t rerun(const TerWords& words, int32_t first) {
        if (sheet_.columns.size() > size_t(first) + 1) {
            const size_t end = sheet_.columns[first + 1].offset;
            sheet_.columns.resize(first + 1);
            sheet_.values.resize(end);
            sheet_.steps.resize(end);
        }
        for (int32_t j = first; j < n_moved_; ++j) {
            next_column(sheet_, words[j]);
            finish_column(sheet_, j + 1 == n_moved_);
        }
        return distance_ = sheet_.values.back();
    }

    // The distance after two neighbouring blocks have changed places. As soon as a column is the present one but for
    // a constant, so is all that follows.
    int32_t swapped(const TerWords& words, const TerSwap& swap) {
        trial_.clear();
        const Column from = sheet_.columns[swap.begin];
        const size_t end = end_of(sheet_, swap.begin);
        trial_.columns.push_back({from.begin, 0, from.bound});
        trial_.values.assign(sheet_.values.begin() + from.offset, sheet_.values.begin() + end);
        trial_.steps.resize(trial_.values.size());
        for (int32_t j = swap.begin; j < n_moved_; ++j) {
            const int32_t place = j < swap.begin + (swap.end - swap.middle) ? j + (swap.middle - swap.begin)
                                  : j < swap.end                            ? j - (swap.end - swap.middle)
                                                                            : j;
            next_column(trial_, words[place]);
            finish_column(trial_, j + 1 == n_moved_);
            trial_.keep_last();
            if (j + 1 >= swap.end && j + 1 < n_moved_) {
                int32_t difference = 0;
                if (same_but_for_constant(j + 1, difference)) return distance_ + difference;
            }
        }
        return trial_.values.back();
    }

    int64_t cells() const { return cells_; }  // worked out since `start`

    TerStep step(int32_t column, int32_t row) const {
        const Column& c = sheet_.columns[column];
        return sheet_.steps[c.offset + size_t(row - c.begin)];
    }

private:
    struct Column {
        int32_t begin;  // its first row
        size_t offset;  // where its cells stand
        int32_t bound;  // cells above it are not left
    };
    struct Sheet {
        std::vector<Column> columns;
        std::vector<int32_t> values;
        std::vector<TerStep> steps;
        void clear() {
            columns.clear();
            values.clear();
            steps.clear();
        }
        void keep_last() {
            Column last = columns.back();
            values.erase(values.begin(), values.begin() + last.offset);
            steps.erase(steps.begin(), steps.begin() + last.offset);
            last.offset = 0;
            columns.assign(1, last);
        }
    };

    static size_t end_of(const Sheet& sheet, size_t column) {
        return column + 1 < sheet.columns.size() ? sheet.columns[column + 1].offset : sheet.values.size();
    }

    // Words of the fixed text alone: steps within the last column of the sheet.
    void finish_column(Sheet& sheet, bool is_last) const {
        Column& column = sheet.columns.back();
        if (is_last) column.bound = kUnset - 1;
        const int32_t bound = column.bound;
        int32_t* values = sheet.values.data() + column.offset;
        TerStep* steps = sheet.steps.data() + column.offset;
        const size_t size = sheet.values.size() - column.offset;
        for (size_t k = 0; k + 1 < size; ++k)
            if (values[k] <= bound && values[k] + 1 < values[k + 1]) {
                values[k + 1] = values[k] + 1;
                steps[k + 1] = TerStep::left;
            }
        int32_t value = values[size - 1];
        for (int32_t row = column.begin + int32_t(size); row <= fixed_->size() && value <= bound; ++row) {
            sheet.values.push_back(++value);
            sheet.steps.push_back(TerStep::left);
        }
    }

    // Pairs, then words of the moved text alone: steps into a new column.
    void next_column(Sheet& sheet, uint32_t word) {
        const Column column = sheet.columns.back();
        const size_t end = sheet.values.size();
        const int32_t bound = column.bound;
        size_t first = column.offset, last = end - 1;  // cells that are left at all; there is one
        while (sheet.values[first] > bound) ++first;
        while (sheet.values[last] > bound) --last;
        const int32_t begin = column.begin + int32_t(first - column.offset);
        const size_t size = last + 1 - first;
        cells_ += int64_t(size);
        const bool at_end = begin + int32_t(size) == fixed_->size() + 1;  // behind the last fixed word there is no pair
        sheet.values.resize(end + size + 1);
        sheet.steps.resize(end + size + 1);
        const int32_t* from = sheet.values.data() + first;
        int32_t* to = sheet.values.data() + end;
        TerStep* steps = sheet.steps.data() + end;
        const uint32_t* fixed = fixed_->data() + begin;
        int32_t best_pair = kUnset;
        int32_t pair = kUnset;  // what the row above hands down
        for (size_t k = 0; k < size; ++k) {
            const bool left = from[k] <= bound;
            const int32_t alone = left ? from[k] + 1 : kUnset;
            steps[k] = alone < pair ? TerStep::up : TerStep::diagonal;
            to[k] = std::min(alone, pair);
            if (k + 1 == size && at_end) break;
            pair = left ? from[k] + (fixed[k] != word) : kUnset;
            best_pair = std::min(best_pair, pair);
        }
        if (at_end) {
            sheet.values.pop_back();
            sheet.steps.pop_back();
        } else {
            to[size] = pair;
            steps[size] = TerStep::diagonal;
        }
        sheet.columns.push_back({begin, end, best_pair < kUnset ? best_pair + beam : kUnset - 1});
    }

    bool same_but_for_constant(int32_t column, int32_t& difference) const {
        const Column& known = sheet_.columns[column];
        const Column& tried = trial_.columns.back();
        const size_t size = end_of(sheet_, column) - known.offset;
        if (known.begin != tried.begin || size != trial_.values.size()) return false;
        const int32_t* a = sheet_.values.data() + known.offset;
        const int32_t* b = trial_.values.data();
        difference = b[0] - a[0];  // a column begins with a cell that was reached
        for (size_t k = 0; k < size; ++k)
            if (a[k] >= kUnset || b[k] >= kUnset ? a[k] != b[k] : b[k] - a[k] != difference) return false;
        if (known.bound == kUnset - 1 || tried.bound == kUnset - 1) return known.bound == tried.bound;
        return tried.bound - known.bound == difference;
    }

    const TerReference* fixed_ = nullptr;
    int32_t n_moved_ = 0, distance_ = 0;
    int64_t cells_ = 0;
    Sheet sheet_, trial_;
};

template <class Rules>
class CostBeamTer {
public:
    TerOperations operations(const uint32_t* hyp, size_t n_hyp, const uint32_t* ref, size_t n_ref) {
        if (n_hyp == 0 || n_ref == 0) return {int64_t(n_ref), int64_t(n_hyp), 0, 0};
        if constexpr (Rules::moves_reference) {
            std::swap(hyp, ref);
            std::swap(n_hyp, n_ref);
        }
        n_moved_ = int32_t(n_hyp);
        n_fixed_ = int32_t(n_ref);
        fixed_.assign(ref, n_ref);
        fixed_.number_hypothesis(hyp, n_hyp, moved_);
        table_.start(fixed_, n_moved_);
        int32_t distance = table_.rerun(moved_, 0);
        TerOperations counts;
        for (;; ++counts.shifts) {
            align();
            collect_candidates();
            if (!Rules::moves_reference && candidates_.size() == Rules::max_candidates) break;
            const Candidate* best = best_candidate(distance);
            if (!best) break;
            const TerSwap swap = best->swap;
            std::rotate(moved_.begin() + swap.begin, moved_.begin() + swap.middle, moved_.begin() + swap.end);
            distance = table_.rerun(moved_, swap.begin);
        }
        walk_back([&](TerStep step, int32_t j, int32_t i) {
            if (step == TerStep::up) ++counts.deletions;  // a word that only the moved text has
            else if (step == TerStep::left) ++counts.insertions;
            else counts.substitutions += moved_[j - 1] != fixed_[i - 1];
        });
        if constexpr (Rules::moves_reference) std::swap(counts.insertions, counts.deletions);
        return counts;
    }

private:
    static constexpr int32_t kMaxSize = 10;
    struct Candidate {
        int32_t size;
        TerSwap swap;
    };

    template <class Visit>
    void walk_back(Visit visit) const {
        int32_t j = n_moved_, i = n_fixed_;
        while (i > 0 || j > 0) {
            const TerStep step = table_.step(j, i);
            visit(step, j, i);
            j -= step != TerStep::left;
            i -= step != TerStep::up;
        }
    }

    // Prefix sums of wrong words on both sides; partner_[k]: the moved word that fixed word k is paired with; where it
    // has none, the one before (Moses: the one that follows). Partners never decrease.
    void align() {
        wrong_moved_.assign(n_moved_ + 1, 0);
        wrong_fixed_.assign(n_fixed_ + 1, 0);
        partner_.resize(n_fixed_);
        walk_back([this](TerStep step, int32_t j, int32_t i) {
            const bool wrong = step != TerStep::diagonal || moved_[j - 1] != fixed_[i - 1];
            if (step != TerStep::left) wrong_moved_[j] = wrong;
            if (step != TerStep::up) {
                wrong_fixed_[i] = wrong;
                partner_[i - 1] = Rules::moves_reference && step == TerStep::left ? j : j - 1;
            }
        });
        for (int32_t j = 0; j < n_moved_; ++j) wrong_moved_[j + 1] += wrong_moved_[j];
        for (int32_t i = 0; i < n_fixed_; ++i) wrong_fixed_[i + 1] += wrong_fixed_[i];
    }

    void collect_candidates() {
        candidates_.clear();
        for (int32_t start = 0; start < n_moved_ && candidates_.size() < Rules::max_candidates; ++start) {
            if (moved_[start] == fixed_.unknown()) continue;
            const auto low = std::lower_bound(partner_.begin(), partner_.end(), start - Rules::max_distance - 1);
            const auto high = std::upper_bound(low, partner_.end(), start + Rules::max_distance);
            places_.clear();
            bool elsewhere = false;
            const auto begin = int32_t(low - partner_.begin()), end = int32_t(high - partner_.begin());
            for (int32_t from = begin; from < end; from += 64) {
                uint64_t bits = fixed_.positions(moved_[start], from) & low_bits(end - from);
                for (; bits; bits &= bits - 1) {
                    places_.push_back(from + std::countr_zero(bits));
                    elsewhere |= partner_[places_.back()] != start;
                }
            }
            if (elsewhere) collect_from(start);
        }
    }

    // Blocks that begin at `start`, shorter ones first. places_: where their common beginning stands in the fixed text.
    void collect_from(int32_t start) {
        for (int32_t size = 1; size <= std::min(kMaxSize, n_moved_ - start) && !places_.empty(); ++size) {
            const uint32_t last = moved_[start + size - 1];
            std::erase_if(places_, [&](int32_t k) { return k + size > n_fixed_ || fixed_[k + size - 1] != last; });
            if (wrong_moved_[start] == wrong_moved_[start + size]) continue;
            bool reachable = false;
            for (const int32_t k : places_) {
                const int32_t there = partner_[k];
                if ((start <= there && there < start + size) || start - there > Rules::max_distance) continue;
                reachable = true;
                if (wrong_fixed_[k] == wrong_fixed_[k + size]) continue;
                if (k == 0) add(start, size, Rules::moves_reference ? 0 : -1);
                for (int32_t before = std::max(0, k - 1); before < k + size; ++before)
                    if (partner_[before] != start && (before == k || partner_[before] != there))
                        add(start, size, partner_[before]);
            }
            if (!reachable) return;
        }
    }

    // A block goes behind its target (Moses: before an earlier one); a target within it counts from its end.
    void add(int32_t start, int32_t size, int32_t target) {
        if (candidates_.size() == Rules::max_candidates) return;
        target = std::min(target, n_moved_ - 1);
        const int32_t end = start + size;
        if (target < start) candidates_.push_back({size, {Rules::moves_reference ? target : target + 1, start, end}});
        else candidates_.push_back({size, {start, end, std::min(n_moved_, target >= end ? target + 1 : target + size)}});
    }

    // Longest blocks first, then as they were found.
    const Candidate* best_candidate(int32_t distance) {
        const Candidate* best = nullptr;
        int32_t best_total = distance;
        for (int32_t size = kMaxSize; size > 0; --size)
            for (const Candidate& candidate : candidates_) {
                if (candidate.size != size) continue;
                const int32_t saved = distance - best_total;
                if (saved > 2 * size || (best && saved == 2 * size)) return best;
                if (table_.cells() > Rules::max_cells) return nullptr;
                const TerSwap& swap = candidate.swap;
                if (swap.begin == swap.middle || swap.middle == swap.end) continue;
                poller_(16 * size_t(n_moved_));
                const int32_t total = table_.swapped(moved_, swap) + 1;
                if (total < best_total || (!best && total == best_total)) {
                    best = &candidate;
                    best_total = total;
                }
            }
        return best;
    }

    Poller poller_;
    TerReference fixed_;  // the reference (Moses: the hypothesis)
    TerWords moved_;      // the hypothesis (Moses: the reference), with the shifts made so far
    int32_t n_moved_ = 0, n_fixed_ = 0;
    CostBeamTable<Rules::beam> table_;
    std::vector<int32_t> wrong_moved_, wrong_fixed_, partner_, places_;
    std::vector<Candidate> candidates_;
};

}  // namespace tertium
