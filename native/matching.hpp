// Pairs between two sides that have the largest sum of weights (Kuhn 1955; here by shortest augmenting paths), and the
// greedy choice that takes the heaviest pair that is still free.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

using Pairs = std::vector<std::pair<size_t, size_t>>;

namespace matching_detail {

// At most as many rows as columns: for each row its column.
template <class Weight>
std::vector<size_t> columns_of_rows(size_t rows, size_t columns, Weight&& weight) {
    // Costs are weights negated; row by row a shortest path to a free column is found under reduced costs. Place 0 of
    // `taken_by` is the row that looks for a column.
    const double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> row_price(rows + 1, 0), column_price(columns + 1, 0), distance(columns + 1);
    std::vector<size_t> taken_by(columns + 1, 0), before(columns + 1, 0);
    std::vector<char> done(columns + 1);
    Poller poller;
    for (size_t row = 1; row <= rows; ++row) {
        taken_by[0] = row;
        size_t column = 0;
        distance.assign(columns + 1, infinite);
        done.assign(columns + 1, 0);
        do {
            poller(columns);
            done[column] = 1;
            const size_t from = taken_by[column];
            double shortest = infinite;
            size_t next = 0;
            for (size_t j = 1; j <= columns; ++j) {
                if (done[j]) continue;
                const double reduced = -weight(from - 1, j - 1) - row_price[from] - column_price[j];
                if (reduced < distance[j]) {
                    distance[j] = reduced;
                    before[j] = column;
                }
                if (distance[j] < shortest) {
                    shortest = distance[j];
                    next = j;
                }
            }
            for (size_t j = 0; j <= columns; ++j) {
                if (done[j]) {
                    row_price[taken_by[j]] += shortest;
                    column_price[j] -= shortest;
                } else {
                    distance[j] -= shortest;
                }
            }
            column = next;
        } while (taken_by[column] != 0);
        do {
            const size_t previous = before[column];
            taken_by[column] = taken_by[previous];
            column = previous;
        } while (column != 0);
    }
    std::vector<size_t> of(rows, 0);
    for (size_t j = 1; j <= columns; ++j)
        if (taken_by[j]) of[taken_by[j] - 1] = j - 1;
    return of;
}

}  // namespace matching_detail

// Each row and each column at most once; as many pairs as the shorter side has members. `weight(i, j)` may be anything
// finite. Pairs come by row.
template <class Weight>
Pairs heaviest_matching(size_t rows, size_t columns, Weight&& weight) {
    Pairs pairs;
    if (rows <= columns) {
        const auto of = matching_detail::columns_of_rows(rows, columns, weight);
        for (size_t i = 0; i < rows; ++i) pairs.emplace_back(i, of[i]);
    } else {
        const auto of = matching_detail::columns_of_rows(columns, rows, [&](size_t j, size_t i) { return weight(i, j); });
        for (size_t j = 0; j < columns; ++j) pairs.emplace_back(of[j], j);
        std::sort(pairs.begin(), pairs.end());
    }
    return pairs;
}

// The heaviest free pair, again and again, while it weighs more than `least`; of equals the first by row, then column.
template <class Weight, class Take>
void greedy_pairs(size_t rows, size_t columns, double least, Weight&& weight, Take&& take) {
    std::vector<char> row_used(rows, 0), column_used(columns, 0);
    for (Poller poller;; poller(rows * columns)) {
        double best = least;
        size_t row = rows, column = 0;
        for (size_t i = 0; i < rows; ++i) {
            if (row_used[i]) continue;
            for (size_t j = 0; j < columns; ++j) {
                if (column_used[j]) continue;
                const double w = weight(i, j);
                if (w > best) best = w, row = i, column = j;
            }
        }
        if (row == rows) return;
        row_used[row] = column_used[column] = 1;
        take(row, column, best, row_used, column_used);
    }
}

}  // namespace tertium
