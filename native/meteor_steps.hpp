// What a path of METEOR's search has used of both texts, and the steps it can take: once for texts of up to 64 words,
// where a text is one number and many paths are looked at together, and once for all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "processor.hpp"
#include "small_order.hpp"

namespace tertium {

inline constexpr uint32_t kNoMatch = 0xFFFFFFFFu;

struct MeteorMatch {
    uint32_t theirs, their_length, ours, our_length;  // in the reference, in the hypothesis
    uint32_t stage;                                   // which of the modules, by its place in their list
    bool exact;

    uint32_t covered() const { return exact ? our_length + their_length : our_length / 2 + their_length / 2; }
    int64_t distance() const { return std::abs(int64_t(theirs) - int64_t(ours)); }
};

class FewMeteorWords {
public:
    // From the left: words not covered (up to 128), chunks (up to 64), distance (of less than 2^10 matches, each below
    // 64).
    using Key = int32_t;
    static constexpr Key kChunk = 1 << 16, kCovered = 1 << 23, kWorst = 0x7FFFFFFF;
    using Order = SmallOrder;
    struct Candidate {
        uint64_t our_words, their_words;  // bits
        Key gain, distance;
        uint32_t next, last;  // where it begins in the hypothesis, and where that would go on
        uint32_t match;
    };
    static bool fits(uint32_t ours, uint32_t theirs, size_t matches, uint32_t beam) {
        return ours <= 64 && theirs <= 64 && matches < (size_t(1) << 10) && beam <= 1024;
    }

    void start(uint32_t, uint32_t) {
        resize_as(*this, 1);
        ours_[0] = theirs_[0] = 0;
    }
    Candidate candidate(const MeteorMatch& match, uint32_t number) const {
        return {run(match.ours, match.our_length),
                run(match.theirs, match.their_length),
                Key(match.covered()) * kCovered,
                Key(match.distance()),
                match.ours,
                match.ours + match.our_length,
                number};
    }
    static Candidate no_candidate() { return {0, 0, 0, 0, kNoMatch, kNoMatch, kNoMatch}; }
    void resize_as(const FewMeteorWords&, size_t paths) {
        if (ours_.size() >= paths) return;
        ours_.resize(2 * paths);
        theirs_.resize(2 * paths);
    }
    void copy(const FewMeteorWords& from, size_t parent, size_t path) {
        ours_[path] = from.ours_[parent];
        theirs_[path] = from.theirs_[parent];
    }
    void use(size_t path, const Candidate& candidate) {
        ours_[path] |= candidate.our_words;
        theirs_[path] |= candidate.their_words;
    }
    bool is_used(size_t path, uint32_t j) const { return theirs_[path] >> j & 1; }

    // For each path, the key with this candidate, the worst of all where it is not free. Where it is free, what comes
    // after it in the list is farther by its distance.
    void extend(const Candidate& candidate, const uint32_t* lasts, size_t paths, Key* keys, Key* out, Key* best) const {
        (has_avx2() ? extend_wide : extend_narrow)(candidate, ours_.data(), theirs_.data(), lasts, paths, keys, out, best);
    }

private:
    static uint64_t run(uint32_t begin, uint32_t length) { return (~uint64_t(0) >> (64 - length)) << begin; }
    static inline __attribute__((always_inline)) void extend_all(const Candidate& candidate, const uint64_t* ours,
                                                                 const uint64_t* theirs, const uint32_t* lasts, size_t paths,
                                                                 Key* __restrict keys, Key* __restrict out,
                                                                 Key* __restrict best) {
        const uint64_t our_words = candidate.our_words, their_words = candidate.their_words;
        const Key gain = candidate.gain, distance = candidate.distance;
        const uint32_t next = candidate.next;
        for (size_t p = 0; p < paths; ++p) {
            const bool free = ((ours[p] & our_words) | (theirs[p] & their_words)) == 0;
            const Key ended = ((lasts[p] != kNoMatch) & (lasts[p] != next)) ? kChunk : 0;
            const Key taken = free ? keys[p] - gain + ended : kWorst;
            out[p] = taken;
            best[p] = std::min(best[p], taken);
            keys[p] += free ? distance : 0;
        }
    }
    static void extend_narrow(const Candidate& candidate, const uint64_t* ours, const uint64_t* theirs, const uint32_t* lasts,
                              size_t paths, Key* keys, Key* out, Key* best) {
        extend_all(candidate, ours, theirs, lasts, paths, keys, out, best);
    }
    TERTIUM_AVX2 static void extend_wide(const Candidate& candidate, const uint64_t* ours, const uint64_t* theirs,
                                         const uint32_t* lasts, size_t paths, Key* keys, Key* out, Key* best) {
        extend_all(candidate, ours, theirs, lasts, paths, keys, out, best);
    }

    std::vector<uint64_t> ours_, theirs_;  // of each path
};

class ManyMeteorWords {
public:
    using Key = unsigned __int128;
    static constexpr Key kChunk = Key(1) << 64, kCovered = Key(1) << 96, kWorst = ~Key(0);
    struct Candidate {
        MeteorMatch words;
        Key gain, distance;
        uint32_t next, last;
        uint32_t match;
    };
    struct Order {
        void smallest(const std::vector<Key>& keys, size_t n, size_t kept, std::vector<uint32_t>& order) {
            order.resize(n);
            std::iota(order.begin(), order.end(), 0u);
            const auto first = [&](uint32_t a, uint32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; };
            if (n > kept) std::nth_element(order.begin(), order.begin() + ptrdiff_t(kept), order.end(), first);
            std::sort(order.begin(), order.begin() + ptrdiff_t(kept), first);
        }
    };
    static bool fits(uint32_t, uint32_t, size_t, uint32_t) { return true; }

    void start(uint32_t ours, uint32_t theirs) {
        our_width_ = (ours + 63) / 64;
        width_ = our_width_ + (theirs + 63) / 64;
        used_.assign(width_, 0);
    }
    Candidate candidate(const MeteorMatch& match, uint32_t number) const {
        return {match,      Key(match.covered()) * kCovered, Key(match.distance()),
                match.ours, match.ours + match.our_length,   number};
    }
    static Candidate no_candidate() { return {{0, 0, 0, 0, 0, false}, 0, 0, kNoMatch, kNoMatch, kNoMatch}; }
    void resize_as(const ManyMeteorWords& other, size_t paths) {
        our_width_ = other.our_width_;
        width_ = other.width_;
        used_.resize(paths * width_);
    }
    void copy(const ManyMeteorWords& from, size_t parent, size_t path) {
        std::copy_n(from.used_.data() + parent * width_, width_, used_.data() + path * width_);
    }
    void use(size_t path, const Candidate& candidate) {
        uint64_t* const bits = used_.data() + path * width_;
        each_bit(candidate.words, [&](size_t w, uint64_t bit) {
            bits[w] |= bit;
            return true;
        });
    }
    bool is_used(size_t path, uint32_t j) const { return used_[path * width_ + our_width_ + j / 64] >> (j % 64) & 1; }
    void extend(const Candidate& candidate, const uint32_t* lasts, size_t paths, Key* keys, Key* out, Key* best) const {
        for (size_t p = 0; p < paths; ++p) {
            const uint64_t* const bits = used_.data() + p * width_;
            out[p] = kWorst;
            if (!each_bit(candidate.words, [&](size_t w, uint64_t bit) { return !(bits[w] & bit); })) continue;
            const Key ended = lasts[p] != kNoMatch && lasts[p] != candidate.next ? kChunk : Key(0);
            out[p] = keys[p] - candidate.gain + ended;
            best[p] = std::min(best[p], out[p]);
            keys[p] += candidate.distance;
        }
    }

private:
    // Calls found(which number, which of its bits) for each word of a match, as long as it returns true.
    template <class Found>
    bool each_bit(const MeteorMatch& match, Found&& found) const {
        for (uint32_t k = match.ours; k < match.ours + match.our_length; ++k)
            if (!found(k / 64, uint64_t(1) << (k % 64))) return false;
        for (uint32_t k = match.theirs; k < match.theirs + match.their_length; ++k)
            if (!found(our_width_ + k / 64, uint64_t(1) << (k % 64))) return false;
        return true;
    }

    size_t our_width_ = 0, width_ = 0;
    std::vector<uint64_t> used_;  // of each path, the words of both texts
};

}  // namespace tertium
