// GTM (Turian, Shen and Melamed 2003): how well two texts can be matched word by word, where words that stand
// together in both count for more. The matching is found greedily, as in GTM 1.4: always the longest run that is
// still free; of equally long ones the last in the hypothesis, then the last in the references.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "exact_sum.hpp"
#include "interrupts.hpp"
#include "segment_words.hpp"

namespace tertium {

// Per segment: (sum of run^e)^(1/e) as digits, the hypothesis' length, the mean reference length as digits.
class GtmKernel {
public:
    static constexpr size_t kColumns = 2 * kDigits + 1;

    GtmKernel(Tokenizer tokenizer, double exponent) : words_(tokenizer), exponent_(exponent) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        words_.read(hypothesis, references, n_references);
        // The references one after the other, with a word between them that matches nothing.
        theirs_.clear();
        int64_t lengths = 0;
        for (size_t r = 0; r < n_references; ++r) {
            if (r) theirs_.push_back(words_.distinct());
            const WordNumbers reference = words_.reference(r);
            theirs_.insert(theirs_.end(), reference.begin(), reference.end());
            lengths += int64_t(reference.size());
        }
        const double mean = double(lengths) / double(std::max<size_t>(1, n_references));
        to_digits(std::pow(matching(words_.hypothesis(), mean), 1 / exponent_), row);
        row[kDigits] = int64_t(words_.hypothesis().size());
        to_digits(mean, row + kDigits + 1);
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    static constexpr size_t kLong = size_t{1} << 20;  // more pairs of positions than this, and short runs are not listed

    struct Run {
        uint32_t length, x, y;
        bool operator<(const Run& other) const {
            if (length != other.length) return length < other.length;
            return x != other.x ? x < other.x : y < other.y;
        }
    };

    // The sum of run^e; no more words are matched than references have on average, the last run is cut to fit.
    double matching(WordNumbers ours, double most) {
        left_ = most;
        sum_ = 0;
        own_free_.assign(ours.size(), 1);
        their_free_.assign(theirs_.size(), 1);
        link();
        // In long texts a run of two or three words has so many places that a list of all would not fit: they are
        // looked for again at each length.
        const uint32_t shortest = ours.size() * theirs_.size() > kLong ? 9 : 2;
        take_listed(ours, shortest);
        for (uint32_t length = shortest - 1; length > 1; --length) take_scanned(ours, length);
        take_single(ours);
        return sum_;
    }

    void take_listed(WordNumbers ours, uint32_t shortest) {
        runs_.clear();
        for (uint32_t x = 0; x < ours.size(); ++x)
            for (uint32_t y = heads_[ours[x]]; y != kNone; y = next_[y]) {
                poller_(1);
                if (x && y && ours[x - 1] == theirs_[y - 1]) continue;  // within a longer run
                const uint32_t length = run_at(ours, x, y);
                if (length >= shortest) runs_.push_back({length, x, y});
            }
        std::make_heap(runs_.begin(), runs_.end());
        while (!runs_.empty() && left_ > 0) {
            poller_(64);
            std::pop_heap(runs_.begin(), runs_.end());
            const Run run = runs_.back();
            runs_.pop_back();
            if (is_free(run)) take(run);
            else put_back_rest(run, shortest);
        }
    }
    bool is_free(const Run& run) const {
        for (uint32_t k = 0; k < run.length; ++k)
            if (!free(run.x + k, run.y + k)) return false;
        return true;
    }
    // What longer runs have left of this one.
    void put_back_rest(const Run& run, uint32_t shortest) {
        uint32_t start = 0;
        for (uint32_t k = 0; k <= run.length; ++k) {
            if (k < run.length && free(run.x + k, run.y + k)) continue;
            if (k - start >= shortest) {
                runs_.push_back({k - start, run.x + start, run.y + start});
                std::push_heap(runs_.begin(), runs_.end());
            }
            start = k + 1;
        }
    }
    // All free runs of this length, where none is longer.
    void take_scanned(WordNumbers ours, uint32_t length) {
        for (auto x = uint32_t(ours.size()); x-- > 0 && left_ > 0;) {
            if (!own_free_[x]) continue;
            for (uint32_t y = tails_[ours[x]]; y != kNone; y = previous_[y]) {
                if (!their_free_[y]) continue;
                uint32_t k = 0;
                while (k < length && x + k < ours.size() && y + k < theirs_.size() && ours[x + k] == theirs_[y + k] &&
                       free(x + k, y + k))
                    ++k;
                if (k < length) continue;
                take({length, x, y});
                break;
            }
        }
    }
    // Which single words are paired does not matter, only how many.
    void take_single(WordNumbers ours) {
        counts_.assign(words_.distinct() + 1, 0);
        for (size_t y = 0; y < theirs_.size(); ++y) counts_[theirs_[y]] += their_free_[y];
        for (size_t x = 0; x < ours.size() && left_ > 0; ++x)
            if (own_free_[x] && counts_[ours[x]] > 0) {
                --counts_[ours[x]];
                add(1);
            }
    }

    void take(const Run& run) {
        for (uint32_t k = 0; k < run.length; ++k) own_free_[run.x + k] = their_free_[run.y + k] = 0;
        add(run.length);
    }
    void add(uint32_t length) {
        while (powers_.size() <= length) powers_.push_back(std::pow(double(powers_.size()), exponent_));
        sum_ += double(length) <= left_ ? powers_[length] : std::pow(left_, exponent_);
        left_ -= double(length);
    }
    bool free(uint32_t x, uint32_t y) const { return own_free_[x] && their_free_[y]; }
    uint32_t run_at(WordNumbers ours, uint32_t x, uint32_t y) const {
        uint32_t k = 0;
        while (x + k < ours.size() && y + k < theirs_.size() && ours[x + k] == theirs_[y + k]) ++k;
        return k;
    }
    void link() {
        heads_.assign(words_.distinct() + 1, kNone);
        tails_.assign(words_.distinct() + 1, kNone);
        next_.resize(theirs_.size());
        previous_.resize(theirs_.size());
        for (auto y = uint32_t(theirs_.size()); y-- > 0;) {
            next_[y] = heads_[theirs_[y]];
            heads_[theirs_[y]] = y;
        }
        for (uint32_t y = 0; y < theirs_.size(); ++y) {
            previous_[y] = tails_[theirs_[y]];
            tails_[theirs_[y]] = y;
        }
    }

    Poller poller_;
    SegmentWords words_;
    double exponent_, left_ = 0, sum_ = 0;
    std::vector<uint32_t> theirs_, heads_, tails_, next_, previous_;
    std::vector<char> own_free_, their_free_;
    std::vector<int64_t> counts_;
    std::vector<double> powers_;
    std::vector<Run> runs_;
};

enum class Part { precision, recall, f };

inline double gtm_score(const int64_t* row, Part part) {
    const double matching = from_digits(row), reference = from_digits(row + kDigits + 1);
    const auto hypothesis = double(row[kDigits]);
    const double precision = hypothesis > 0 ? matching / hypothesis : 0;
    const double recall = reference > 0 ? matching / reference : 0;
    if (part == Part::precision) return 100 * precision;
    if (part == Part::recall) return 100 * recall;
    return precision + recall > 0 ? 100 * (2 * precision * recall / (precision + recall)) : 0;
}

}  // namespace tertium
