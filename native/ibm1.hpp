// IBM model 1 over numbered words: t(made | given) by expectation maximisation, and the best link of each made word.
//
// Everything goes word by word of the made side. The pairs of words that occur together are a row for each made word,
// spread over a vector by given word while its occurrences are looked at: no table of pairs is searched, and memory is
// that of the distinct pairs and of the text. Sums are taken in one order, whatever the machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "interrupts.hpp"

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

// One direction: given words make the others, or the empty word does.
class Ibm1 {
public:
    // `words`: more than the greatest number on either side.
    Ibm1(WordLists given, WordLists made, uint32_t words, const Ibm1Settings& settings)
        : given_(given), made_(made), settings_(settings), nothing_(words), rows_(words, kNone) {
        choose();
        pair();
        for (int i = 0; i < settings_.iterations; ++i) improve();
    }

    // For each made word the place of its given word in the line, or -1.
    void links(int32_t* best) const {
        const Occurrences all = occurrences(false);
        std::vector<double> chances(size_t(nothing_) + 1, 0.0);
        Poller poller;
        for (size_t row = 0; row < texts_.size(); ++row) {
            spread(row, chances);
            for (size_t at = all.starts[row]; at < all.starts[row + 1]; ++at) {
                poller(1);
                const auto [line, place] = all.places[at];
                best[made_.starts[line] + place] = link(chances, given_[line], place, made_[line].size());
            }
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k) chances[owners_[k]] = 0.0;
        }
        for (size_t n = 0; n < made_.size(); ++n)
            for (size_t j = 0; j < made_[n].size(); ++j)
                if (rows_[made_[n][j]] == kNone) best[made_.starts[n] + int64_t(j)] = -1;
    }

    // visit(given, made, t(made | given)) for all pairs that were seen together, the empty word left out.
    template <class Visit>
    void each(Visit&& visit) const {
        for (size_t row = 0; row < texts_.size(); ++row)
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k)
                if (owners_[k] != nothing_) visit(owners_[k], texts_[row], chances_[k]);
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    struct Place {
        uint32_t line, place;
    };
    struct Occurrences {  // of each row, in the order of the text
        std::vector<size_t> starts;
        std::vector<Place> places;
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

    template <class Look>
    void each_made(bool chosen, Look&& look) const {
        const size_t lines = chosen ? chosen_.size() : made_.size();
        for (size_t n = 0; n < lines; ++n) {
            const uint32_t line = chosen ? chosen_[n] : uint32_t(n);
            const auto words = made_[line];
            for (uint32_t place = 0; place < words.size(); ++place)
                if (rows_[words[place]] != kNone) look(rows_[words[place]], Place{line, place});
        }
    }

    Occurrences occurrences(bool chosen) const {
        Occurrences found;
        found.starts.assign(texts_.size() + 1, 0);
        each_made(chosen, [&](uint32_t row, Place) { ++found.starts[row + 1]; });
        for (size_t row = 0; row < texts_.size(); ++row) found.starts[row + 1] += found.starts[row];
        found.places.resize(found.starts.back());
        std::vector<size_t> next(found.starts.begin(), found.starts.end());
        each_made(chosen, [&](uint32_t row, Place place) { found.places[next[row]++] = place; });
        return found;
    }

    // The given words of each row, and where it starts.
    void pair() {
        learnt_ = occurrences(true);
        std::vector<uint32_t> seen(size_t(nothing_) + 1, kNone);
        ends_.assign(1, 0);
        Poller poller;
        for (uint32_t row = 0; row < texts_.size(); ++row) {
            owners_.push_back(nothing_);
            for (size_t at = learnt_.starts[row]; at < learnt_.starts[row + 1]; ++at) {
                poller(1);
                for (const uint32_t word : given_[learnt_.places[at].line])
                    if (seen[word] != row) {
                        seen[word] = row;
                        owners_.push_back(word);
                    }
            }
            ends_.push_back(owners_.size());
        }
        chances_.assign(owners_.size(), 1.0);
        for (size_t row = 0; row < texts_.size(); ++row)
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k)
                if (owners_[k] == texts_[row]) chances_[k] = settings_.alike;
    }

    void spread(size_t row, std::vector<double>& chances) const {
        for (size_t k = ends_[row]; k < ends_[row + 1]; ++k) chances[owners_[k]] = chances_[k];
    }

    void improve() {
        std::vector<double> chances(size_t(nothing_) + 1), counts(size_t(nothing_) + 1, 0.0), shares;
        std::vector<double> totals(size_t(nothing_) + 1, 0.0);
        Poller poller;
        for (size_t row = 0; row < texts_.size(); ++row) {
            spread(row, chances);
            for (size_t at = learnt_.starts[row]; at < learnt_.starts[row + 1]; ++at) {
                poller(1);
                const auto line = given_[learnt_.places[at].line];
                const size_t n = line.size();
                if (shares.size() < n) shares.resize(2 * n);
                for (size_t i = 0; i < n; ++i) shares[i] = chances[line[i]];
                const double sum = chances[nothing_] + sum_in_eights(shares.data(), n);
                for (size_t i = 0; i < n; ++i) shares[i] /= sum;
                for (size_t i = 0; i < n; ++i) counts[line[i]] += shares[i];
                counts[nothing_] += chances[nothing_] / sum;
            }
            for (size_t k = ends_[row]; k < ends_[row + 1]; ++k) {
                const uint32_t owner = owners_[k];
                chances_[k] = counts[owner];
                totals[owner] += counts[owner];
                counts[owner] = 0.0;
            }
        }
        for (size_t k = 0; k < owners_.size(); ++k) chances_[k] /= totals[owners_[k]];
    }

    // The first of the best. No weight is greater than 1, so most need not be weighed.
    int32_t link(const std::vector<double>& chances, std::span<const uint32_t> line, size_t place, size_t length) const {
        double best = std::max(settings_.floor, chances[nothing_] * settings_.empty);
        int32_t found = -1;
        const int64_t rows = int64_t(length), columns = int64_t(line.size());
        const double whole = 2.0 * double(rows) * double(columns);
        for (int64_t i = 0; i < columns; ++i) {
            const double chance = chances[line[size_t(i)]];
            if (!(chance > best)) continue;
            const int64_t away = std::abs((2 * int64_t(place) + 1) * columns - (2 * i + 1) * rows);  // equal is equal
            const double weighed = chance * std::exp(-settings_.tension * (double(away) / whole));
            if (weighed > best) {
                best = weighed;
                found = int32_t(i);
            }
        }
        return found;
    }

    WordLists given_, made_;
    Ibm1Settings settings_;
    uint32_t nothing_;              // the number of the empty word
    std::vector<uint32_t> rows_;    // of made words
    std::vector<uint32_t> texts_;   // the made word of each row
    std::vector<uint32_t> chosen_;  // lines
    Occurrences learnt_;            // in those lines
    std::vector<size_t> ends_{0};   // of rows
    std::vector<uint32_t> owners_;  // the given word of each pair
    std::vector<double> chances_;   // of each pair
};

// Links that both directions have: for each source word the place of its target word in the line, or -1.
inline void ibm1_links(WordLists sources, WordLists targets, uint32_t words, const Ibm1Settings& settings, int32_t* found) {
    std::vector<int32_t> there(targets.words.size() + 1);
    Ibm1(sources, targets, words, settings).links(there.data());
    Ibm1(targets, sources, words, settings).links(found);
    for (size_t n = 0; n < sources.size(); ++n)
        for (int64_t at = sources.starts[n]; at < sources.starts[n + 1]; ++at)
            if (found[at] >= 0 && there[size_t(targets.starts[n] + found[at])] != int32_t(at - sources.starts[n]))
                found[at] = -1;
}

}  // namespace tertium
