// Lines whose rare words are in other lines of another text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"
#include "word_lines.hpp"

namespace tertium {

// In how many lines each word is.
inline std::vector<uint32_t> lines_with(const NumberedLines& types, size_t words) {
    std::vector<uint32_t> found(words);
    for (const uint32_t word : types.numbers) ++found[word];
    return found;
}

struct Displacements {
    std::vector<int64_t> lines, belong;  // lines, and where they belong
    int64_t judged = 0;                  // lines with rare words enough
};

// Words in as many lines as there are weights, or fewer, say where a line belongs: weights[k] is what one in k + 1 lines of the
// other text weighs. A line is displaced if another one than its own has more than twice the weight of its words in common.
inline Displacements displaced_lines(const NumberedLines& own, const NumberedLines& other, size_t words,
                                     const std::vector<int64_t>& weights) {
    const size_t rare = weights.size();
    const auto here = lines_with(own, words), there = lines_with(other, words);
    std::vector<uint32_t> next(words + 1);  // of the places of each rare word
    for (size_t word = 0; word < words; ++word)
        next[word + 1] = next[word] + (there[word] <= rare && here[word] <= rare ? there[word] : 0);
    std::vector<uint32_t> starts(next), places(next[words]);
    for (size_t i = 0; i < other.lines(); ++i)
        for (int64_t k = other.starts[i]; k < other.starts[i + 1]; ++k)
            if (const uint32_t word = other.numbers[size_t(k)]; starts[word] < starts[word + 1])
                places[next[word]++] = uint32_t(i);

    Displacements found;
    struct Candidate {
        uint32_t line, hits;
        int64_t weight;
    };
    std::vector<Candidate> candidates;
    Poller poller;
    for (size_t i = 0; i < own.lines(); ++i) {
        candidates.clear();
        poller(8 * size_t(own.starts[i + 1] - own.starts[i]));
        for (int64_t k = own.starts[i]; k < own.starts[i + 1]; ++k) {
            const uint32_t word = own.numbers[size_t(k)];
            for (uint32_t at = starts[word]; at < starts[word + 1]; ++at)
                candidates.push_back({places[at], 1, weights[there[word] - 1]});
        }
        if (candidates.empty()) continue;
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.line < b.line; });
        size_t last = 0;
        for (size_t k = 1; k < candidates.size(); ++k) {
            if (candidates[k].line == candidates[last].line) {
                ++candidates[last].hits;
                candidates[last].weight += candidates[k].weight;
            } else {
                candidates[++last] = candidates[k];
            }
        }
        candidates.resize(last + 1);
        int64_t at_home = 0;
        for (const Candidate& one : candidates)
            if (one.line == i) at_home = one.weight;
        const Candidate best =
            *std::min_element(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
                if (a.weight != b.weight) return a.weight > b.weight;
                if ((a.line == i) != (b.line == i)) return a.line == i;
                return a.line < b.line;
            });
        if (best.hits < 2) continue;
        ++found.judged;
        if (best.line != i && best.weight > 2 * at_home) {
            found.lines.push_back(int64_t(i));
            found.belong.push_back(best.line);
        }
    }
    return found;
}

struct Gains {
    std::vector<int64_t> lines;  // those that fit the other text better, or worse, so many lines away
    std::vector<double> gains;   // by what share of the weight of their words
    std::vector<uint8_t> more;   // whether by more words
};

// weights[k] is what a word in k lines of the other text weighs.
inline Gains gains_at(const NumberedLines& own, const NumberedLines& other, size_t words, const double* weights,
                      int64_t distance) {
    const auto there = lines_with(other, words);
    const auto lines = int64_t(other.lines());
    Gains found;
    Poller poller;
    for (int64_t i = 0; i < int64_t(own.lines()); ++i) {
        poller(8 * size_t(own.starts[size_t(i) + 1] - own.starts[size_t(i)]));
        const auto range = [&](int64_t line) {
            const bool inside = line >= 0 && line < lines;
            const uint32_t* numbers = other.numbers.data();
            return std::pair(inside ? numbers + other.starts[size_t(line)] : numbers,
                             inside ? numbers + other.starts[size_t(line) + 1] : numbers);
        };
        auto [home, home_end] = range(i);
        auto [away, away_end] = range(i + distance);
        double known = 0, gain = 0;
        int64_t moved_words = 0;
        bool changed = false;
        for (int64_t k = own.starts[size_t(i)]; k < own.starts[size_t(i) + 1]; ++k) {
            const uint32_t word = own.numbers[size_t(k)];
            while (home < home_end && *home < word) ++home;
            while (away < away_end && *away < word) ++away;
            const int moved = (away < away_end && *away == word) - (home < home_end && *home == word);
            const double weight = weights[there[word]];
            known += weight;
            gain += weight * moved;
            moved_words += moved;
            changed |= moved != 0;
        }
        const bool outside = i + distance < 0 || i + distance >= lines;
        if (!changed && !outside) continue;
        found.lines.push_back(i);
        found.gains.push_back(outside ? -1.0 : gain / (known > 0 ? known : 1.0));
        found.more.push_back(moved_words > 0);
    }
    return found;
}

}  // namespace tertium
