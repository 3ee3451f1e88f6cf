// Pairs of words in their order, with words between them: how many two texts have in common. The pairs that begin
// with one word are counted at a time, so memory grows with the words and not with the pairs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"
#include "segment_words.hpp"

namespace tertium {

class SkipBigrams {
public:
    static constexpr uint64_t kAnyGap = ~uint64_t{0};

    // How many pairs a text of n words has, with at most `gap` words between the two.
    static int64_t count(size_t n, uint64_t gap) {
        if (n < 2) return 0;
        const uint64_t last = n - 1;
        if (gap >= last) return int64_t(last * n / 2);
        const uint64_t reach = gap + 1;  // positions from which the second word may be that far away
        return int64_t((last - reach) * reach + reach * (reach + 1) / 2);
    }

    // The sum over pairs of min(count in one, count in the other).
    int64_t match(WordNumbers reference, WordNumbers hypothesis, uint32_t distinct, uint64_t gap) {
        counts_.assign(distinct, 0);
        link(reference, distinct, reference_heads_, reference_next_);
        link(hypothesis, distinct, hypothesis_heads_, hypothesis_next_);
        int64_t matches = 0;
        for (uint32_t first = 0; first < distinct; ++first) {
            if (reference_heads_[first] == kNone || hypothesis_heads_[first] == kNone) continue;
            poller_(reference.size() + hypothesis.size());
            const Places theirs{reference, reference_heads_[first], reference_next_.data()};
            const Places ours{hypothesis, hypothesis_heads_[first], hypothesis_next_.data()};
            each_second(theirs, gap, [&](uint32_t word, int64_t times) { counts_[word] += times; });
            each_second(ours, gap, [&](uint32_t word, int64_t times) {
                const int64_t found = std::min(times, counts_[word]);
                counts_[word] -= found;
                matches += found;
            });
            each_second(theirs, gap, [&](uint32_t word, int64_t) { counts_[word] = 0; });
        }
        return matches;
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    struct Places {  // where a word stands in a text
        WordNumbers text;
        uint32_t first;
        const uint32_t* next;
    };

    static void link(WordNumbers text, uint32_t distinct, std::vector<uint32_t>& heads, std::vector<uint32_t>& next) {
        heads.assign(distinct, kNone);
        next.resize(text.size());
        for (size_t i = text.size(); i-- > 0;) {
            next[i] = heads[text[i]];
            heads[text[i]] = uint32_t(i);
        }
    }
    // Every word behind an occurrence, with the number of occurrences that it stands behind.
    template <class Visit>
    static void each_second(const Places& places, uint64_t gap, Visit visit) {
        const size_t n = places.text.size();
        if (gap >= n) {
            const uint32_t first = places.text[places.first];
            int64_t seen = 0;
            for (size_t i = places.first; i < n; ++i) {
                if (seen) visit(places.text[i], seen);
                seen += places.text[i] == first;
            }
            return;
        }
        for (uint32_t at = places.first; at != kNone; at = places.next[at]) {
            const size_t end = std::min<size_t>(n, at + gap + 2);
            for (size_t i = at + 1; i < end; ++i) visit(places.text[i], 1);
        }
    }

    Poller poller_;
    std::vector<int64_t> counts_;
    std::vector<uint32_t> reference_heads_, reference_next_, hypothesis_heads_, hypothesis_next_;
};

}  // namespace tertium
