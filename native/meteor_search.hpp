// The search of METEOR 1.5's aligner: a beam from left to right over the reference chooses among the matches that were
// proposed.
//
// A path is better if it covers more words, then if it has fewer chunks, then by `distance`. Two things are as in the
// program rather than as in its paper, for its numbers' sake:
// - words count towards coverage in full for exact matches, and by half, rounded down for each match and side, for all
//   others. So an ambiguous stem or synonym is matched only where it costs no further chunk.
// - the distance of a match is added to the paths that come after it in the list, not to its own.
//
// The three numbers are kept as one key, the smaller the better. Most places of a reference leave no choice: all paths
// go on in the same way there, which changes keys but copies nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "interrupts.hpp"
#include "meteor_steps.hpp"

namespace tertium {

// What was proposed for two texts.
struct MeteorProposals {
    uint32_t our_length = 0, their_length = 0;
    std::vector<MeteorMatch> matches;              // by their place in the reference
    std::vector<uint32_t> starts;                  // of each place in the reference, and the end
    std::vector<uint32_t> our_cover, their_cover;  // how many matches a word is in
    std::vector<uint32_t> certain;                 // the match at a place that contends with no other, or kNone
};

template <class Words>
class MeteorSearch {
public:
    static bool fits(const MeteorProposals& given, uint32_t beam) {
        return Words::fits(given.our_length, given.their_length, given.matches.size(), beam);
    }

    // Sets `chosen` to the matches of the best path, by their place in the reference. The number of chunks.
    uint32_t run(const MeteorProposals& given, uint32_t beam, std::vector<MeteorMatch>& chosen) {
        given_ = &given;
        beam_ = beam;
        start();
        for (uint32_t j = 0; j < given.their_length; ++j) {
            if (const uint32_t match = given.certain[j]; match != kNone) take_all(candidate(match));
            else if (given.starts[j] < given.starts[j + 1]) branch(j);
            else if (given.their_cover[j] == 0) close_all();
            else close_free(j);
        }
        close_all();
        part();
        return finish(chosen);
    }

private:
    static constexpr uint32_t kNone = kNoMatch;
    using Key = typename Words::Key;
    using Candidate = typename Words::Candidate;
    static constexpr Key kChunk = Words::kChunk, kCovered = Words::kCovered, kWorst = Words::kWorst;

    struct Link {
        uint32_t match, before;
    };
    // Room for n; it only grows, because making it and clearing it costs more than many searches do.
    template <class T>
    static T* room(std::vector<T>& buffer, size_t n) {
        if (buffer.size() < n) buffer.resize(2 * n);
        return buffer.data();
    }

    Candidate candidate(uint32_t number) const { return words_.candidate(given_->matches[number], number); }
    void start() {
        paths_ = 1;
        links_number_ = 0;
        together_ = false;
        room(keys_, 1)[0] = Key(given_->our_length + given_->their_length) * kCovered;
        room(lasts_, 1)[0] = kNone;
        room(chains_, 1)[0] = kNone;
        words_.start(given_->our_length, given_->their_length);
        for (const uint32_t match : given_->certain)
            if (match != kNone) words_.use(0, candidate(match));
    }

    // All paths take a match; all paths end their chunk. Then all go on from the same word, and as long as they do,
    // their keys change by the same.
    void take_all(const Candidate& match) { move_all(match.next, match.last, match.gain); }
    void close_all() { move_all(kNone, kNone, 0); }
    void move_all(uint32_t next, uint32_t last, Key gained) {
        if (together_) {
            change_ += ended(last_, next) - gained;
            last_ = last;
            return;
        }
        for (size_t p = 0; p < paths_; ++p) keys_[p] += ended(lasts_[p], next) - gained;
        restore_order();
        together_ = true;
        last_ = last;
        change_ = 0;
    }
    void part() {
        if (!std::exchange(together_, false)) return;
        std::fill_n(lasts_.data(), paths_, last_);
        for (size_t p = 0; p < paths_; ++p) keys_[p] += change_;
    }
    // All paths end their chunk, but for those that are inside a match here.
    void close_free(uint32_t j) {
        part();
        const size_t n = paths_;
        for (size_t p = 0; p < n; ++p) {
            if (words_.is_used(p, j)) continue;
            keys_[p] += ended(lasts_[p], kNone);
            lasts_[p] = kNone;
        }
        restore_order();
    }
    static Key ended(uint32_t last, uint32_t next) { return last != kNone && last != next ? kChunk : Key(0); }
    void restore_order() {
        const size_t n = paths_;
        poller_(n);
        int inversions = 0;
        for (size_t p = 1; p < n; ++p) inversions |= keys_[p - 1] > keys_[p];
        if (!inversions) return;
        std::copy_n(keys_.data(), n, room(step_keys_, n));
        order_.smallest(step_keys_, n, n, places_);
        keep(n, [&](size_t k) {
            next_words_.copy(words_, places_[k], k);
            return Path{lasts_[places_[k]], chains_[places_[k]]};
        });
    }

    // All that can begin at a place in the reference: each match that is free, or none.
    void branch(uint32_t j) {
        part();
        candidates_.clear();
        for (uint32_t m = given_->starts[j]; m < given_->starts[j + 1]; ++m) candidates_.push_back(candidate(m));
        const auto none = uint32_t(candidates_.size()), paths = uint32_t(paths_);
        Key* const table = room(table_, size_t(paths) * (none + 1));
        Key* const best = room(best_, paths);
        std::fill_n(best, paths, kWorst);
        for (uint32_t c = 0; c < none; ++c)
            words_.extend(candidates_[c], lasts_.data(), paths, keys_.data(), table + size_t(c) * paths, best);
        Key worst = 0;  // of the best steps of each path
        Key* const last_row = table + size_t(none) * paths;
        for (uint32_t p = 0; p < paths; ++p) {
            last_row[p] = keys_[p] + (words_.is_used(p, j) ? Key(0) : ended(lasts_[p], kNone));
            worst = std::max(worst, std::min(best[p], last_row[p]));
        }
        // A full beam has one step a path that is no worse than `worst`: those that are worse have no chance.
        const size_t n = gather(j, none, paths >= beam_ ? worst : kWorst - 1);
        const size_t kept = std::min<size_t>(beam_, n);
        order_.smallest(step_keys_, n, kept, places_);
        candidates_.push_back(words_.no_candidate());  // to end the chunk; to stay inside a longer match
        candidates_.push_back(words_.no_candidate());
        keep(kept, [&, links = room(links_, links_number_ + kept)](size_t k) {
            const auto [parent, c] = steps_[places_[k]];  // without branches: no one can guess them
            const Candidate& taken = candidates_[c];
            next_words_.copy(words_, parent, k);
            next_words_.use(k, taken);
            const auto number = uint32_t(links_number_);
            const uint32_t chain = chains_[parent], last = lasts_[parent];
            links[number] = {taken.match, chain};
            links_number_ += c < none;
            return Path{c > none ? last : taken.last, c < none ? number : chain};
        });
    }
    // The steps that are no worse than `worst`, path by path: equal ones stay in this order.
    size_t gather(uint32_t j, uint32_t none, Key worst) {
        room(step_keys_, paths_ * (none + 1));
        room(steps_, paths_ * (none + 1));
        switch (none) {  // a number that the compiler knows makes a loop of few steps half as long
            case 1: return gather_rows(j, std::integral_constant<uint32_t, 1>(), worst);
            case 2: return gather_rows(j, std::integral_constant<uint32_t, 2>(), worst);
            case 3: return gather_rows(j, std::integral_constant<uint32_t, 3>(), worst);
            default: return gather_rows(j, none, worst);
        }
    }
    template <class Number>
    size_t gather_rows(uint32_t j, Number none, Key worst) {
        const Key* const table = table_.data();
        Key* const keys = step_keys_.data();
        Step* const steps = steps_.data();
        const auto paths = uint32_t(paths_);
        size_t n = 0;
        const auto add = [&](Key key, uint32_t p, uint32_t c) {
            keys[n] = key;
            steps[n] = {p, c};
            n += key <= worst;
        };
        for (uint32_t p = 0; p < paths; ++p) {
            for (uint32_t c = 0; c < none; ++c) add(table[size_t(c) * paths + p], p, c);
            add(table[size_t(none) * paths + p], p, none + uint32_t(words_.is_used(p, j)));
        }
        return n;
    }

    struct Path {
        uint32_t last;   // where the hypothesis would go on within the same chunk; none: no chunk is open
        uint32_t chain;  // the last match that was chosen, in links_
    };
    struct Step {
        uint32_t parent, candidate;
    };
    // The best steps become the paths, each made by `path` from what was before.
    template <class Made>
    void keep(size_t kept, Made&& path) {
        Key* const keys = room(keys_, kept);
        uint32_t* const lasts = room(next_lasts_, kept);
        uint32_t* const chains = room(next_chains_, kept);
        const Key* const step_keys = step_keys_.data();
        const uint32_t* const places = places_.data();
        next_words_.resize_as(words_, kept);
        for (size_t k = 0; k < kept; ++k) {
            keys[k] = step_keys[places[k]];
            const Path made = path(k);
            lasts[k] = made.last;
            chains[k] = made.chain;
        }
        paths_ = kept;
        lasts_.swap(next_lasts_);
        chains_.swap(next_chains_);
        std::swap(words_, next_words_);
    }
    // The best path is the first. What it chose, and what was certain.
    uint32_t finish(std::vector<MeteorMatch>& chosen) {
        chosen.clear();
        uint32_t at = chains_[0];
        for (uint32_t j = given_->their_length; j-- > 0;) {
            uint32_t match = given_->certain[j];
            if (match == kNone && at != kNone && given_->matches[links_[at].match].theirs == j) {
                match = links_[at].match;
                at = links_[at].before;
            }
            if (match != kNone) chosen.push_back(given_->matches[match]);
        }
        std::reverse(chosen.begin(), chosen.end());
        return uint32_t(keys_[0] / kChunk % (kCovered / kChunk));
    }

    const MeteorProposals* given_ = nullptr;
    size_t beam_ = 1, paths_ = 0, links_number_ = 0;
    bool together_ = false;  // all paths go on from last_, and all keys are to be changed by change_
    uint32_t last_ = kNone;
    Key change_ = 0;
    // Of each path; and the same of what comes after.
    Poller poller_;
    std::vector<Key> keys_;
    std::vector<uint32_t> lasts_, chains_, next_lasts_, next_chains_;
    Words words_, next_words_;
    std::vector<Link> links_;
    std::vector<Candidate> candidates_;
    std::vector<Key> table_, best_, step_keys_;  // by candidate and path; by path; of the steps that are left
    std::vector<Step> steps_;
    typename Words::Order order_;
    std::vector<uint32_t> places_;
};

}  // namespace tertium
