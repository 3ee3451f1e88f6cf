// IBM model 1 over numbered words: t(made | given) by expectation maximisation, and the best link of each made word.
//
// Everything goes word by word of the made side. The pairs of words that occur together are a row for each made word, and
// where the given words of a line stand in the row is written down once, as long as that takes no more than kKept numbers,
// or else looked up again each time: no table of pairs is searched. Sums are taken in one order, whatever the machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "interrupts.hpp"
#include "large_memory.hpp"

namespace tertium {

// Lines of words: those of line n are words[starts[n]] to words[starts[n + 1]]. Both sides may share a numbering.
struct WordLists {
    std::span<const uint32_t> words;
    std::span<const int64_t> starts;

    size_t size() const { return starts.size() - 1; }
    std::span<const uint32_t> operator[](size_t n) const {
        return words.subspan(size_t(starts[n]), size_t(starts[n + 1] - starts[n]));
    }
};

struct Ibm1Settings {
    int iterations = 5;
    int64_t longest = 60;   // words of a line that is learnt from
    int64_t most = 10'000;  // lines that are learnt from, evenly spread
    double alike = 20.0;    // how far ahead a pair starts that has one number
    double floor = 1e-9;    // what is less likely is no link
    double empty = 0.08;    // how much the empty word counts among links
    double tension = 2.0;   // how much the diagonal counts
};

// Adds in eights, as numpy does: the rounding is smaller than one by one.
inline double sum_in_eights(const double* values, size_t n) {
    if (n < 8) {
        double sum = 0.0;
        for (size_t i = 0; i < n; ++i) sum += values[i];
        return sum;
    }
    if (n > 128) {
        const size_t half = n / 2 - n / 2 % 8;
        return sum_in_eights(values, half) + sum_in_eights(values + half, n - half);
    }
    double r[8];
    for (size_t k = 0; k < 8; ++k) r[k] = values[k];
    size_t i = 8;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; ++k) r[k] += values[i + k];
    double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < n; ++i) sum += values[i];
    return sum;
}

// Memory that is filled before it is read; asking for more drops what was in it.
template <class T>
class Unfilled {
public:
    T* need(size_t n) {
        if (n > size_) {
            memory_.reset();
            size_ = n + n / 8;
            memory_.reset(LargeMemory<T>().allocate(size_));
        }
        return memory_.get();
    }
    T* data() const { return memory_.get(); }

private:
    struct Free {
        void operator()(T* memory) const { LargeMemory<T>().deallocate(memory, 0); }
    };
    std::unique_ptr<T, Free> memory_;
    size_t size_ = 0;
};

// What one direction leaves to the other: fresh memory costs as much as work in it.
struct Ibm1Memory {
    Unfilled<uint32_t> owners, places;
    Unfilled<double> chances;
};

// One direction: given words make the others, or the empty word does.
class Ibm1 {
public:
    // `words`: more than the greatest number on either side.
    Ibm1(WordLists given, WordLists made, uint32_t words, const Ibm1Settings& settings, Ibm1Memory* memory = nullptr)
        : memory_(memory ? *memory : own_memory_),
          given_(given),
          made_(made),
          settings_(settings),
          nothing_(words),
          rows_(words, kNone),
          where_(size_t(words) + 1) {
        choose();
        pair();
        for (int i = 0; i < settings_.iterations; ++i) improve();
    }

    Ibm1(const Ibm1&) = delete;

    // For each made word the place of its given word in the line, or -1; only for those that are `wanted(line, place)`.
    template <class Wanted>
    void links(int32_t* best, Wanted&& wanted) {
        const Occurrences all = occurrences(false);
        std::fill_n(best, made_.words.size(), -1);
        Poller poller;
        for (uint32_t row = 0; row < texts_.size(); ++row) {
            const double* const chances = chances_ + ends_[row];
            const bool kept = row < kept_;
            const size_t first = all.starts[row], last = all.starts[row + 1];
            if (!kept || last - first != learnt_.starts[row + 1] - learnt_.starts[row]) mark(row);
            size_t learnt = learnt_.starts[row];
            const uint32_t* places = kept ? memory_.places.data() + begins_[row] : nullptr;
            uint32_t before = kNone;
            for (size_t at = first; at < last; ++at) {
                const auto [line, place] = all.looks[at];
                const auto given = given_[line];
                const size_t n = given.size();
                poller(1);
                if (line != before) {
                    before = line;
                    double* const shares = scratch(n);
                    if (kept && learnt < learnt_.starts[row + 1] && learnt_.looks[learnt].line == line) {
                        for (size_t i = 0; i < n; ++i) shares[i] = chances[places[i]];
                        places += n;
                        while (learnt < learnt_.starts[row + 1] && learnt_.looks[learnt].line == line) ++learnt;
                    } else {
                        for (size_t i = 0; i < n; ++i) {
                            const Where& where = where_[given[i]];
                            shares[i] = where.row == row ? chances[where.place] : 0.0;
                        }
                    }
                }
                if (wanted(line, place))
                    best[made_.starts[line] + place] = link(chances[0], shares_.data(), n, place, made_[line].size());
            }
        }
    }

    // visit(given, made, t(made | given)) for all pairs that were seen together, the empty word left out.
    template <class Visit>
    void each(Visit&& visit) const {
        for (size_t row = 0; row < texts_.size(); ++row)
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k)
                if (owners_[k] != nothing_) visit(owners_[k], texts_[row], chances_[k]);
    }
    // visit(made, t(made | the empty word)) for all made words.
    template <class Visit>
    void each_of_nothing(Visit&& visit) const {
        for (size_t row = 0; row < texts_.size(); ++row) visit(texts_[row], chances_[ends_[row]]);
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    static constexpr size_t kKept = size_t(1) << 24;  // places that are written down
    struct Look {
        uint32_t line, place;
    };
    struct Occurrences {  // of each row, in the order of the text
        std::vector<size_t> starts;
        LargeVector<Look> looks;
    };
    struct Where {  // a given word stands in the row that was marked last
        uint32_t row = kNone, place = 0;
    };

    bool fits(std::span<const uint32_t> line) const { return !line.empty() && int64_t(line.size()) <= settings_.longest; }

    // The lines that are learnt from, and a row for each made word in them.
    void choose() {
        for (size_t n = 0; n < made_.size(); ++n)
            if (fits(given_[n]) && fits(made_[n])) chosen_.push_back(uint32_t(n));
        const size_t most = size_t(settings_.most), found = chosen_.size();
        if (found > most) {
            for (size_t n = 0; n < most; ++n) chosen_[n] = chosen_[n * found / most];
            chosen_.resize(most);
        }
        for (const uint32_t n : chosen_)
            for (const uint32_t word : made_[n])
                if (rows_[word] == kNone) {
                    rows_[word] = uint32_t(texts_.size());
                    texts_.push_back(word);
                }
    }

    template <class See>
    void each_made(bool chosen, See&& see) const {
        const size_t lines = chosen ? chosen_.size() : made_.size();
        for (size_t n = 0; n < lines; ++n) {
            const uint32_t line = chosen ? chosen_[n] : uint32_t(n);
            const auto words = made_[line];
            for (uint32_t place = 0; place < words.size(); ++place)
                if (rows_[words[place]] != kNone) see(rows_[words[place]], Look{line, place});
        }
    }

    Occurrences occurrences(bool chosen) const {
        Occurrences found;
        found.starts.assign(texts_.size() + 1, 0);
        each_made(chosen, [&](uint32_t row, Look) { ++found.starts[row + 1]; });
        for (size_t row = 0; row < texts_.size(); ++row) found.starts[row + 1] += found.starts[row];
        found.looks.resize(found.starts.back());
        std::vector<size_t> next(found.starts.begin(), found.starts.end());
        each_made(chosen, [&](uint32_t row, Look look) { found.looks[next[row]++] = look; });
        return found;
    }

    // Calls see(given line, how often the made word is in its line) for each line of a row.
    template <class See>
    void each_line(uint32_t row, See&& see) {
        for (size_t at = learnt_.starts[row]; at < learnt_.starts[row + 1];) {
            const uint32_t line = learnt_.looks[at].line;
            uint32_t times = 0;
            for (; at < learnt_.starts[row + 1] && learnt_.looks[at].line == line; ++at) ++times;
            poller_(times);
            see(given_[line], times);
        }
    }

    // The given words of each row, the empty one first; where they stand in it.
    void pair() {
        learnt_ = occurrences(true);
        size_t visits = 0, kept = 0;
        for (uint32_t row = 0; row < texts_.size(); ++row) {
            each_line(row, [&](std::span<const uint32_t> line, uint32_t) { visits += line.size(); });
            if (visits <= kKept) {
                begins_.push_back(visits);
                ++kept_;
            }
        }
        uint32_t* const written = memory_.places.need(begins_.back());
        uint32_t* const owners = owners_ = memory_.owners.need(visits + texts_.size());
        for (uint32_t row = 0; row < texts_.size(); ++row) {
            const size_t first = ends_.back();
            size_t size = first;
            owners[size++] = nothing_;
            each_line(row, [&](std::span<const uint32_t> line, uint32_t) {
                uint32_t* const places = row < kept_ ? written + kept : scratch_places(line.size());
                kept += line.size();
                for (size_t i = 0; i < line.size(); ++i) {
                    Where& where = where_[line[i]];
                    const bool fresh = where.row != row;
                    const uint32_t place = fresh ? uint32_t(size - first) : where.place;
                    where = {row, place};
                    owners[size] = line[i];
                    size += fresh;
                    places[i] = place;
                }
            });
            ends_.push_back(size);
        }
        chances_ = memory_.chances.need(ends_.back());
        for (size_t row = 0; row < texts_.size(); ++row)
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k) chances_[k] = owners[k] == texts_[row] ? settings_.alike : 1.0;
    }

    void mark(uint32_t row) {
        for (size_t k = ends_[row]; k < ends_[row + 1]; ++k) where_[owners_[k]] = {row, uint32_t(k - ends_[row])};
    }

    double* scratch(size_t n) {
        if (shares_.size() < n) shares_.resize(2 * n);
        return shares_.data();
    }
    uint32_t* scratch_places(size_t n) {
        if (line_places_.size() < n) line_places_.resize(2 * n);
        return line_places_.data();
    }

    // Every line shares each made word out among its given words.
    void improve() {
        std::vector<double> counts, totals(size_t(nothing_) + 1, 0.0);
        for (uint32_t row = 0; row < texts_.size(); ++row) {
            double* const chances = chances_ + ends_[row];
            const uint32_t* const owners = owners_ + ends_[row];
            const size_t size = ends_[row + 1] - ends_[row];
            counts.assign(size, 0.0);
            const bool kept = row < kept_;
            if (!kept) mark(row);
            const uint32_t* places = kept ? memory_.places.data() + begins_[row] : nullptr;
            each_line(row, [&](std::span<const uint32_t> line, uint32_t times) {
                const size_t n = line.size();
                if (!kept) {
                    uint32_t* const found = scratch_places(n);
                    for (size_t i = 0; i < n; ++i) found[i] = where_[line[i]].place;
                    places = found;
                }
                double* const shares = scratch(n);
                for (size_t i = 0; i < n; ++i) shares[i] = chances[places[i]];
                const double sum = chances[0] + sum_in_eights(shares, n);
                for (size_t i = 0; i < n; ++i) shares[i] /= sum;
                const double nothing = chances[0] / sum;
                for (; times > 0; --times) {  // equal numbers: their order does not matter
                    for (size_t i = 0; i < n; ++i) counts[places[i]] += shares[i];
                    counts[0] += nothing;
                }
                places += n;
            });
            for (size_t k = 0; k < size; ++k) {
                chances[k] = counts[k];
                totals[owners[k]] += counts[k];
            }
        }
        for (size_t k = 0; k < ends_.back(); ++k) chances_[k] /= totals[owners_[k]];
    }

    // The first of the best of `chances`. No weight is greater than 1, so what is less likely than the likeliest one is when
    // weighed need not be weighed itself.
    int32_t link(double nothing, const double* chances, size_t n, size_t place, size_t length) const {
        double best = std::max(settings_.floor, nothing * settings_.empty);
        size_t likeliest = 0;
        for (size_t i = 1; i < n; ++i)
            if (chances[i] > chances[likeliest]) likeliest = i;
        if (n == 0 || !(chances[likeliest] > best)) return -1;
        const int64_t rows = int64_t(length), columns = int64_t(n);
        const double whole = 2.0 * double(rows) * double(columns);
        const auto weighed = [&](size_t i) {
            const int64_t away = std::abs((2 * int64_t(place) + 1) * columns - (2 * int64_t(i) + 1) * rows);  // equal is equal
            return chances[i] * std::exp(-settings_.tension * (double(away) / whole));
        };
        const double least = weighed(likeliest);
        int32_t found = -1;
        for (size_t i = 0; i < n; ++i) {
            if (chances[i] < least || !(chances[i] > best)) continue;
            const double own = i == likeliest ? least : weighed(i);
            if (own > best) {
                best = own;
                found = int32_t(i);
            }
        }
        return found;
    }

    Ibm1Memory own_memory_;
    Ibm1Memory& memory_;
    WordLists given_, made_;
    Ibm1Settings settings_;
    uint32_t nothing_;               // the number of the empty word
    std::vector<uint32_t> rows_;     // of made words
    std::vector<uint32_t> texts_;    // the made word of each row
    std::vector<uint32_t> chosen_;   // lines
    Occurrences learnt_;             // in those lines
    std::vector<size_t> ends_{0};    // of rows
    uint32_t* owners_ = nullptr;     // the given word of each pair
    double* chances_ = nullptr;      // of each pair
    std::vector<size_t> begins_{0};  // of rows whose places are written down
    uint32_t kept_ = 0;              // how many they are
    std::vector<Where> where_;       // of given words
    std::vector<double> shares_;
    std::vector<uint32_t> line_places_;
    Poller poller_;
};

// Links that both directions have: for each source word the place of its target word in the line, or -1.
inline void ibm1_links(WordLists sources, WordLists targets, uint32_t words, const Ibm1Settings& settings, int32_t* found) {
    Ibm1Memory memory;
    std::vector<int32_t> there(targets.words.size() + 1);
    std::vector<uint8_t> wanted(sources.words.size() + 1, 0);  // source words that a target word is linked to
    Ibm1(sources, targets, words, settings, &memory).links(there.data(), [](uint32_t, uint32_t) { return true; });
    for (size_t n = 0; n < sources.size(); ++n)
        for (int64_t at = targets.starts[n]; at < targets.starts[n + 1]; ++at)
            if (there[size_t(at)] >= 0) wanted[size_t(sources.starts[n] + there[size_t(at)])] = 1;
    const auto asked = [&](uint32_t line, uint32_t place) { return wanted[size_t(sources.starts[line]) + place] != 0; };
    Ibm1(targets, sources, words, settings, &memory).links(found, asked);
    for (size_t n = 0; n < sources.size(); ++n)
        for (int64_t at = sources.starts[n]; at < sources.starts[n + 1]; ++at)
            if (found[at] >= 0 && there[size_t(targets.starts[n] + found[at])] != int32_t(at - sources.starts[n]))
                found[at] = -1;
}

}  // namespace tertium
