// What a text says again: n-grams that occur more than once, stretches that go round in a loop, runs of one character.
// Systems that lose the source repeat themselves; how often a source does so says what is too often.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "memory_words.hpp"
#include "string_numbers.hpp"

namespace tertium {

class Repeats {
public:
    // Numbers of a side; see the names in tertium/detection/numbers.py.
    static constexpr size_t kOrders = 4, kPerSide = kOrders + 4, kColumns = 2 * kPerSide;
    static constexpr size_t kPeriod = 24;  // words of a loop, at most

    void numbers(std::string_view source, std::string_view target, double* row) {
        describe(source, row);
        describe(target, row + kPerSide);
    }

private:
    void describe(std::string_view text, double* row) {
        words_.read(text);
        keys_.clear();
        for (size_t i = 0; i < words_.words.size(); ++i) keys_.push_back(string_hash(words_[i]));
        const size_t n = keys_.size();
        again_.assign(n, 0);
        row[0] = double(n);
        grams_.assign(keys_.begin(), keys_.end());
        for (size_t order = 1; order <= kOrders; ++order) {
            if (order > 1) {
                if (grams_.empty()) {
                    row[order] = 0.0;
                    continue;
                }
                grams_.pop_back();
                for (size_t i = 0; i < grams_.size(); ++i) grams_[i] = mix(grams_[i], keys_[i + order - 1]);
            }
            row[order] = double(most(order));
        }
        row[kOrders + 1] = double(std::count(again_.begin(), again_.end(), uint8_t(1)));
        row[kOrders + 2] = double(longest_loop());
        row[kOrders + 3] = double(longest_run(text));
    }

    // How often the commonest n-gram occurs. Words of an n-gram of two or more that stood before are marked.
    size_t most(size_t order) {
        sorted_.clear();
        for (size_t i = 0; i < grams_.size(); ++i) sorted_.push_back({grams_[i], uint32_t(i)});
        std::sort(sorted_.begin(), sorted_.end());
        size_t best = 0;
        for (size_t i = 0, run = 0; i < sorted_.size(); ++i) {
            run = i > 0 && sorted_[i].first == sorted_[i - 1].first ? run + 1 : 1;
            best = std::max(best, run);
            if (run > 1 && order > 1) std::fill_n(again_.begin() + sorted_[i].second, order, uint8_t(1));
        }
        return best;
    }

    // Words that are what stood so many words before, one after the other, at least as many as those: a b a b has two.
    size_t longest_loop() const {
        size_t best = 0;
        for (size_t period = 1; period <= kPeriod && 2 * period <= keys_.size(); ++period)
            for (size_t i = period, run = 0; i < keys_.size(); ++i) {
                run = keys_[i] == keys_[i - period] ? run + 1 : 0;
                if (run >= period) best = std::max(best, run);
            }
        return best;
    }

    // The longest run of one character; spaces do not count.
    static size_t longest_run(std::string_view text) {
        size_t best = 0, run = 0;
        char32_t before = 0;
        for (const char *p = text.data(), *end = p + text.size(); p < end;) {
            const char32_t c = utf8_next(p);
            if (c == ' ') continue;
            run = c == before ? run + 1 : 1;
            before = c;
            best = std::max(best, run);
        }
        return best;
    }

    MemoryWords words_{64};
    std::vector<uint64_t> keys_, grams_;
    std::vector<std::pair<uint64_t, uint32_t>> sorted_;
    std::vector<uint8_t> again_;
};

}  // namespace tertium
