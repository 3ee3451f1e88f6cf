// How likely each word of a text is as a translation of the other text's words, by a table t(made | given) of pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "key_table.hpp"

namespace tertium {

class PairChances {
public:
    static constexpr uint64_t kEmpty = 2;  // the key of the empty word

    PairChances(const uint32_t* keys, const float* chances, size_t n) : table_(keys, n), chances_(chances) {
        for (size_t i = 0; i < n; ++i) sieve_.add(keys[i]);
    }

    // For each made word the chance of its best link, and the mean over all given words and the empty one; 0 of words
    // behind the longest text that is looked at. `scratch` is memory of the caller's.
    void read(std::span<const uint64_t> made, std::span<const uint64_t> given, size_t longest, std::vector<MixedKey>& scratch,
              double* best, double* mean) const {
        const size_t width = std::min(given.size(), longest);
        scratch.assign(1, MixedKey(kEmpty).with(0));  // to which made words are added
        for (size_t i = 0; i < width; ++i) scratch.push_back(MixedKey(given[i]).with(0));
        for (size_t j = 0; j < made.size(); ++j) {
            best[j] = mean[j] = 0.0;
            if (j >= longest) continue;
            double sum = chance(scratch[0], made[j]), most = 0.0;
            for (size_t i = 1; i <= width; ++i) {
                const double own = chance(scratch[i], made[j]);
                sum += own;
                most = std::max(most, own);
            }
            best[j] = most;
            mean[j] = sum / double(width + 1);
        }
    }

private:
    double chance(MixedKey given, uint64_t made) const {
        const uint32_t key = MixedKey(given.state + made).small();
        if (!sieve_.may_have(key)) return 0.0;
        const size_t place = table_.find(key);
        return place == KeyTable::kNone ? 0.0 : double(chances_[place]);
    }

    KeyTable table_;
    KeySieve sieve_;
    const float* chances_;
};

}  // namespace tertium
