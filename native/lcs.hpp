// Longest common subsequences of numbered words: the length by bit vectors (Hyyrö 2004), which words it takes, and
// the weighted one of ROUGE-W, which prefers words that stand together.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"
#include "segment_words.hpp"

namespace tertium {

// A bit of the vector stands for a column (a word of the second text); it is 0 where the length of the common
// subsequence grows from the column before. One row of the classical table is one addition of long integers.
class CommonSubsequence {
public:
    size_t length(WordNumbers rows, WordNumbers columns, uint32_t distinct) {
        if (rows.empty() || columns.empty()) return 0;
        set_masks(columns, distinct);
        vector_.assign(blocks_, ~uint64_t{0});
        if (blocks_ == 1) {
            uint64_t v = ~uint64_t{0};
            for (const uint32_t word : rows) {
                const uint64_t hit = v & masks_[word];
                v = (v + hit) | (v - hit);
            }
            vector_[0] = v;
        } else {
            for (const uint32_t word : rows) {
                poller_(blocks_);
                step(vector_.data(), word);
            }
        }
        return zeros(vector_.data(), columns.size());
    }

    // Marks the rows that one longest common subsequence takes: read from the ends of both texts, equal words are
    // taken; else the column is dropped if only that keeps the length, otherwise the row. This is the choice of
    // rouge-score. `taken` has a place for every row; marks are added to it.
    void mark(WordNumbers rows, WordNumbers columns, uint32_t distinct, std::vector<char>& taken) {
        if (rows.empty() || columns.empty()) return;
        set_masks(columns, distinct);
        table_.resize((rows.size() + 1) * blocks_);
        std::fill_n(table_.begin(), blocks_, ~uint64_t{0});
        for (size_t i = 0; i < rows.size(); ++i) {
            poller_(blocks_);
            uint64_t* next = table_.data() + (i + 1) * blocks_;
            std::copy_n(next - blocks_, blocks_, next);
            step(next, rows[i]);
        }
        size_t i = rows.size(), j = columns.size();
        size_t left = zeros(table_.data() + i * blocks_, j);
        while (i > 0 && j > 0) {
            const uint64_t* row = table_.data() + i * blocks_;
            if (rows[i - 1] == columns[j - 1]) {
                taken[--i] = 1;
                --j;
                --left;
            } else if (!grows(row, j - 1) && zeros(row - blocks_, j) < left) {
                --j;
            } else {
                --i;
            }
        }
    }

private:
    void set_masks(WordNumbers columns, uint32_t distinct) {
        blocks_ = (columns.size() + 63) / 64;
        masks_.assign(distinct * blocks_, 0);
        for (size_t j = 0; j < columns.size(); ++j) masks_[columns[j] * blocks_ + j / 64] |= uint64_t{1} << (j % 64);
    }
    void step(uint64_t* vector, uint32_t word) const {
        const uint64_t* mask = masks_.data() + word * blocks_;
        uint64_t carry = 0;
        for (size_t b = 0; b < blocks_; ++b) {
            const uint64_t hit = vector[b] & mask[b];
            const uint64_t sum = vector[b] + hit, total = sum + carry;
            carry = uint64_t{sum < hit} | uint64_t{total < sum};
            vector[b] = total | (vector[b] - hit);
        }
    }
    static bool grows(const uint64_t* vector, size_t column) { return !(vector[column / 64] >> (column % 64) & 1); }
    static size_t zeros(const uint64_t* vector, size_t columns) {  // among the first ones
        size_t found = 0, b = 0;
        for (; 64 * (b + 1) <= columns; ++b) found += size_t(std::popcount(~vector[b]));
        if (columns % 64) found += size_t(std::popcount(~vector[b] & ((uint64_t{1} << (columns % 64)) - 1)));
        return found;
    }

    size_t blocks_ = 0;
    Poller poller_;
    std::vector<uint64_t> masks_, vector_, table_;
};

// ROUGE-W's subsequence: a match that follows k others without a gap adds f(k + 1) - f(k), f(k) = k^weight.
class WeightedSubsequence {
public:
    explicit WeightedSubsequence(double weight) : weight_(weight) {}

    double power(size_t k) {
        while (powers_.size() <= k) powers_.push_back(std::pow(double(powers_.size()), weight_));
        return powers_[k];
    }
    double root(double value) const { return std::pow(value, 1 / weight_); }

    // Lin 2004, equation 17 and before: two rows of the table are enough.
    double length(WordNumbers rows, WordNumbers columns) {
        fill<false>(rows, columns);
        return best_.empty() ? 0 : best_.back();
    }

    // What ROUGE 1.5.5 makes of it: the matched words of the reference are marked along one path, and every run of
    // marked words adds f(length), whether or not its words stand together in the hypothesis too.
    double marked(WordNumbers reference, WordNumbers hypothesis) {
        fill<true>(reference, hypothesis);
        double sum = 0;
        size_t i = reference.size(), j = hypothesis.size(), run = 0;
        while (i > 0 && j > 0) {
            if (reference[i - 1] == hypothesis[j - 1]) {
                ++run;
                --i;
                --j;
            } else if (const size_t cell = (i - 1) * hypothesis.size() + j - 1; from_left_[cell / 64] >> (cell % 64) & 1) {
                --j;
            } else {
                --i;
                sum += power(run);
                run = 0;
            }
        }
        return sum + power(run);
    }

private:
    template <bool keep_path>
    void fill(WordNumbers rows, WordNumbers columns) {
        const size_t n = columns.size();
        best_.assign(n + 1, 0);
        runs_.assign(n + 1, 0);
        power(std::min(rows.size(), n) + 1);
        if constexpr (keep_path) from_left_.assign(rows.size() * n / 64 + 1, 0);
        for (size_t i = 0; i < rows.size(); ++i) {
            poller_(n);
            double corner = 0;  // the cell above and to the left
            uint32_t corner_run = 0;
            for (size_t j = 0; j < n; ++j) {
                const double above = best_[j + 1];
                const uint32_t above_run = runs_[j + 1];
                if (rows[i] == columns[j]) {
                    best_[j + 1] = corner + (powers_[corner_run + 1] - powers_[corner_run]);
                    runs_[j + 1] = corner_run + 1;
                } else {
                    runs_[j + 1] = 0;
                    if (best_[j] > above) {
                        best_[j + 1] = best_[j];
                        if constexpr (keep_path) from_left_[(i * n + j) / 64] |= uint64_t{1} << ((i * n + j) % 64);
                    }
                }
                corner = above;
                corner_run = above_run;
            }
        }
    }

    double weight_;
    Poller poller_;
    std::vector<double> powers_, best_;
    std::vector<uint32_t> runs_;
    std::vector<uint64_t> from_left_;
};

}  // namespace tertium
