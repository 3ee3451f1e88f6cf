// Sums of rows with whole-number weights: m x n weights times tables of n rows, exactly. Resamples are weights (how often a
// segment was drawn). The rows of many systems are summed together, and a column is summed once: lengths of references are
// the same for all systems, and there is one bigram less than words in nearly every segment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "interrupts.hpp"
#include "limb_table.hpp"
#include "parallel.hpp"

namespace tertium {

inline void check_range(double largest, double weight) {
    if (largest * weight >= 0x1p63) throw std::overflow_error("a weighted sum does not fit into 64 bits");
}

struct DenseTable {
    const int64_t* rows;
    size_t k;  // columns
};

class WeightedSums {
public:
    // The tables have n rows each, and are not looked at again.
    WeightedSums(const std::vector<DenseTable>& tables, size_t n) : n_(n), kept_(found(tables, n), n) {}

    size_t rows() const { return n_; }
    size_t tables() const { return places_.size(); }
    size_t columns(size_t table) const { return places_[table].size(); }

    // Row j of out[t] (m x k of table t) becomes the sum of its rows, weighted by row j of the weights.
    void operator()(const int16_t* weights, size_t m, int threads, const std::vector<int64_t*>& out) const {
        parallel_parts(m, threads, [&](size_t, size_t begin, size_t end) {
            constexpr size_t kBlock = 64;
            std::vector<uint64_t> sums(kBlock * kept_.columns()), totals(kBlock), values(columns_.size());
            for (size_t j = begin; j < end; j += kBlock) {
                const size_t here = std::min(kBlock, end - j);
                const int heaviest = look(weights + j * n_, here, totals.data());
                kept_.sums(weights + j * n_, here, heaviest, sums.data());
                for (size_t r = 0; r < here; ++r)
                    fill(weights + (j + r) * n_, sums.data() + r * kept_.columns(), totals[r], values, j + r, out);
            }
        });
    }

private:
    static constexpr size_t kNothing = SIZE_MAX;
    // A column: another one that is kept (or nothing), and in each row as much more, but for some.
    struct Column {
        size_t base;
        uint64_t more = 0;
        std::vector<std::pair<uint32_t, uint64_t>> others;  // rows, and how much more than `more`
    };

    // The heaviest weight of a block, its sign aside, and the sum of each row.
    int look(const int16_t* weights, size_t m, uint64_t* totals) const {
        int16_t low = 0, high = 1;
        for (size_t j = 0; j < m; ++j, weights += n_) {
            int64_t sum = 0, size = 0;
            for (size_t i = 0; i < n_; ++i) {
                low = std::min(low, weights[i]);
                high = std::max(high, weights[i]);
                sum += weights[i];
                size += std::abs(int(weights[i]));
            }
            check_range(largest_, double(size));
            totals[j] = uint64_t(sum);
        }
        if (low < -32767) throw std::overflow_error("a weight is below -32767");
        return std::max(-int(low), int(high));
    }

    void fill(const int16_t* weights, const uint64_t* sums, uint64_t total, std::vector<uint64_t>& values, size_t j,
              const std::vector<int64_t*>& out) const {
        for (size_t c = 0; c < columns_.size(); ++c) {
            const Column& column = columns_[c];
            values[c] = (column.base == kNothing ? 0 : sums[column.base]) + column.more * total;
            for (const auto& [row, more] : column.others) values[c] += more * uint64_t(int64_t(weights[row]));
        }
        for (size_t t = 0; t < places_.size(); ++t) {
            int64_t* row = out[t] + j * places_[t].size();
            for (size_t c = 0; c < places_[t].size(); ++c) row[c] = int64_t(values[places_[t][c]]);
        }
    }

    // The columns to be kept; the others are said by them.
    std::vector<ColumnView> found(const std::vector<DenseTable>& tables, size_t n) {
        std::vector<ColumnView> kept, seen;
        std::unordered_multimap<uint64_t, size_t> known;  // columns by their hash
        for (const DenseTable& table : tables) {
            const size_t first = kept.size();  // columns of other tables are the same or have nothing to do with ours
            std::vector<size_t>& places = places_.emplace_back();
            for (size_t c = 0; c < table.k; ++c) {
                poll();
                const ColumnView column{table.rows + c, table.k};
                uint64_t hash = 0;
                for (size_t i = 0; i < n; ++i) {
                    hash = (hash ^ uint64_t(column[i])) * 0x9E3779B97F4A7C15ull;
                    hash ^= hash >> 32;
                    largest_ = std::max(largest_, std::fabs(double(column[i])));
                }
                size_t place = kNothing;
                for (auto [it, end] = known.equal_range(hash); it != end && place == kNothing; ++it)
                    if (same(column, seen[it->second], n)) place = it->second;
                if (place == kNothing) {
                    place = columns_.size();
                    columns_.push_back(said(column, kept, first, n));
                    if (columns_.back().base == kept.size()) kept.push_back(column);
                    seen.push_back(column);
                    known.emplace(hash, place);
                }
                places.push_back(place);
            }
        }
        return kept;
    }

    static bool same(const ColumnView& one, const ColumnView& other, size_t n) {
        for (size_t i = 0; i < n; ++i)
            if (one[i] != other[i]) return false;
        return true;
    }

    // By nothing, or by a kept column from `first` on, if all but one row in 64 say the same; else it is to be kept itself.
    static Column said(const ColumnView& column, const std::vector<ColumnView>& kept, size_t first, size_t n) {
        const auto less = [&](size_t base, size_t i) {
            return uint64_t(column[i]) - (base == kNothing ? 0 : uint64_t(kept[base][i]));
        };
        for (size_t base = kNothing; base == kNothing || base < kept.size(); base = base == kNothing ? first : base + 1) {
            if (n == 0) break;
            Column way{base, most_usual([&](size_t i) { return less(base, i); }, n), {}};
            for (size_t i = 0; i < n && way.others.size() <= n / 64; ++i)
                if (less(base, i) != way.more) way.others.emplace_back(uint32_t(i), less(base, i) - way.more);
            if (way.others.size() <= n / 64) return way;
        }
        return {kept.size(), 0, {}};
    }

    // Of a few values, one that more than half of them have, if there is one (Boyer and Moore 1991).
    template <class Value>
    static uint64_t most_usual(Value&& value, size_t n) {
        uint64_t usual = 0;
        size_t votes = 0;
        for (size_t s = 0; s < 15; ++s) {
            const uint64_t other = value(s * (n - 1) / 14);
            if (votes == 0) usual = other;
            votes += usual == other ? 1 : -1;
        }
        return usual;
    }

    size_t n_;
    double largest_ = 0;
    std::vector<Column> columns_;              // different ones
    std::vector<std::vector<size_t>> places_;  // of each table's columns among them
    LimbTable kept_;                           // the last, since looking for its columns fills the others
};

}  // namespace tertium
