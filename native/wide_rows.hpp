// Rows of the edit distance table for references of more than 64 words: those of ter_distance.hpp, in blocks of 64
// columns that hand each other what crosses their border (Myers 1999).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ter_distance.hpp"

namespace tertium {

inline size_t blocks_for(size_t columns) { return (columns + 63) / 64; }

// The next row, in place; its marks where `marks` is not null.
inline void next_wide_row(TerBits* row, size_t n_blocks, const TerReference& reference, uint32_t word, TerMarks* marks) {
    const auto places = reference.blocks(word);
    auto place = places.begin();
    uint64_t rises = 1, falls = 0;  // how the column before the block differs from the row above
    for (size_t b = 0; b < n_blocks; ++b) {
        const uint64_t matches = place != places.end() && place->number == b ? (place++)->mask : 0;
        const uint64_t plus = row[b].plus, minus = row[b].minus, equal = matches | falls;
        const uint64_t as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
        const uint64_t above_plus = minus | ~(as_diagonal | plus);
        const uint64_t above_minus = as_diagonal & plus;
        const uint64_t before_plus = above_plus << 1 | rises;
        row[b].plus = above_minus << 1 | falls | ~(as_diagonal | before_plus);
        row[b].minus = before_plus & as_diagonal;
        if (marks) marks[b] = {as_diagonal, above_plus};
        rises = above_plus >> 63;
        falls = above_minus >> 63;
    }
}

// The last edit of a cheapest path into column j (from 1) of a row with these marks, as WholeRows::step.
inline TerStep wide_step(const TerMarks* marks, int32_t j, bool equal) {
    const TerMarks& block = marks[(j - 1) / 64];
    const uint64_t bit = uint64_t{1} << (j - 1) % 64;
    if (equal || !(block.as_diagonal & bit)) return TerStep::diagonal;
    return block.above_plus & bit ? TerStep::up : TerStep::left;
}

// A cheapest path through a table too large to keep: rows are kept at intervals, and what lies between two of them is
// computed again on the way back. Memory grows with length * sqrt(length).
class WidePath {
public:
    // visit(step, are the two words equal) from the end to the beginning, while both texts have words left; then
    // rest(hypothesis words left, reference words left).
    template <class Visit, class Rest>
    void walk_back(const TerWords& words, const TerReference& reference, Visit visit, Rest rest) {
        const size_t n_blocks = blocks_for(reference.size());
        const auto n_hyp = int32_t(words.size());
        int32_t interval = 1;
        while (interval * interval < n_hyp) ++interval;
        row_.assign(n_blocks, {~uint64_t{0}, 0});
        kept_.clear();
        for (int32_t i = 0; i < n_hyp; ++i) {
            if (i % interval == 0) kept_.insert(kept_.end(), row_.begin(), row_.end());
            next_wide_row(row_.data(), n_blocks, reference, words[i], nullptr);
        }
        marks_.resize(n_blocks * interval);
        int32_t i = n_hyp, j = reference.size();
        while (i > 0 && j > 0) {
            const int32_t first = (i - 1) / interval * interval;
            std::copy_n(kept_.begin() + first / interval * n_blocks, n_blocks, row_.begin());
            for (int32_t k = first; k < i; ++k)
                next_wide_row(row_.data(), n_blocks, reference, words[k], marks_.data() + (k - first) * n_blocks);
            while (i > first && j > 0) {
                const bool equal = words[i - 1] == reference[j - 1];
                const TerStep step = wide_step(marks_.data() + (i - 1 - first) * n_blocks, j, equal);
                visit(step, equal);
                i -= step != TerStep::left;
                j -= step != TerStep::up;
            }
        }
        rest(i, j);
    }

private:
    std::vector<TerBits> row_, kept_;
    std::vector<TerMarks> marks_;
};

}  // namespace tertium
