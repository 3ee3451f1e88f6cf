// Lines in another language than expected, by function words: each word has the languages it belongs to, as bits.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"
#include "word_lines.hpp"

namespace tertium {

struct LanguageTest {
    int expected;             // the bit of the language that lines should be in
    std::vector<int> others;  // those of the others
    int least;    // function words of another language that make a line foreign, if they are more than twice as many
    int settled;  // so many more of its own than of any other, and it is its own
};

// The place in `others` of the language that each line is in, -1 if it is in none of them; and whether it surely is not.
inline void test_languages(const NumberedLines& words, const uint64_t* languages, const LanguageTest& test, int32_t* best,
                           uint8_t* settled) {
    int counts[64] = {}, both[64] = {};
    Poller poller;
    for (size_t i = 0; i < words.lines(); ++i) {
        poller(4 * size_t(words.starts[i + 1] - words.starts[i]));
        uint64_t any = 0;
        int ours = 0;
        for (int64_t k = words.starts[i]; k < words.starts[i + 1]; ++k) {
            const uint64_t own = languages[words.numbers[size_t(k)]];
            const bool expected = own >> test.expected & 1;
            any |= own;
            ours += expected;
            for (uint64_t left = own; left; left &= left - 1) {
                ++counts[std::countr_zero(left)];
                both[std::countr_zero(left)] += expected;
            }
        }
        int most = -1;
        best[i] = -1;
        settled[i] = 1;
        for (size_t k = 0; k < test.others.size(); ++k) {
            const int code = test.others[k];
            const int theirs = counts[code] - both[code], only_ours = ours - both[code];
            if (theirs >= test.least && theirs > 2 * only_ours && theirs - only_ours > most) {
                most = theirs - only_ours;
                best[i] = int32_t(k);
            }
            if (!((theirs == 0 && ours > test.settled) || only_ours - theirs >= test.settled)) settled[i] = 0;
        }
        for (; any; any &= any - 1) counts[std::countr_zero(any)] = both[std::countr_zero(any)] = 0;
    }
}

}  // namespace tertium
