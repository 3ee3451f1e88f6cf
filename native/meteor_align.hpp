// METEOR 1.5's aligner (Denkowski and Lavie 2014). Every module proposes matches of words or phrases; matches that
// contend with no other are certain; a beam search from left to right over the reference decides the rest.
//
// A search path is better if it covers more words, then if it has fewer chunks, then by `distance`. Two things are as
// in the program rather than as in its paper, for its numbers' sake:
// - words count towards coverage in full for exact matches, and by half, rounded down for each match and side, for all
//   others. So an ambiguous stem or synonym is matched only where it costs no further chunk.
// - the distance of a match is added to the paths that come after it in the list, not to its own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "meteor_lexicon.hpp"

namespace tertium {

enum class MeteorModule : uint8_t { exact, stem, synonym, paraphrase };

struct MeteorMatch {
    uint32_t theirs, their_length, ours, our_length;  // in the reference, in the hypothesis
    uint32_t stage;                                   // which of the modules, by its place in their list
    bool exact;
};

class MeteorAligner {
public:
    MeteorAligner(const MeteorLexicon& lexicon, std::vector<MeteorModule> modules, uint32_t beam)
        : lexicon_(lexicon), modules_(std::move(modules)), beam_(std::max(1u, beam)) {}

    // Aligns; the matches are in `matches()` then, by their place in the reference. The number of chunks.
    uint32_t align(std::span<const uint32_t> ours, std::span<const uint32_t> theirs) {
        ours_ = ours;
        theirs_ = theirs;
        propose();
        settle_certain();
        return search();
    }
    const std::vector<MeteorMatch>& matches() const { return chosen_; }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

    void propose() {
        found_.clear();
        our_cover_.assign(ours_.size(), 0);
        their_cover_.assign(theirs_.size(), 0);
        look_up(ours_, our_forms_, our_stems_);
        look_up(theirs_, their_forms_, their_stems_);
        const bool equal = our_forms_ == their_forms_;  // the first module has to do then
        for (uint32_t stage = 0; stage < (equal ? 1 : modules_.size()); ++stage) propose(stage);
        // By place in the reference, otherwise in the order in which they were proposed.
        starts_.assign(theirs_.size() + 2, 0);
        for (const MeteorMatch& match : found_) ++starts_[match.theirs + 2];
        for (size_t j = 2; j < starts_.size(); ++j) starts_[j] += starts_[j - 1];
        matches_.resize(found_.size());
        for (const MeteorMatch& match : found_) matches_[starts_[match.theirs + 1]++] = match;
    }
    void propose(uint32_t stage) {
        switch (modules_[stage]) {
            case MeteorModule::exact: propose_equal(stage, true, our_forms_, their_forms_); break;
            case MeteorModule::stem: propose_equal(stage, false, our_stems_, their_stems_); break;
            case MeteorModule::synonym: propose_synonyms(stage); break;
            case MeteorModule::paraphrase: propose_phrases(stage);
        }
    }
    // What is known of words, side by side.
    void look_up(std::span<const uint32_t> words, std::vector<uint32_t>& forms, std::vector<uint32_t>& stems) const {
        forms.clear();
        stems.clear();
        for (const uint32_t number : words) {
            forms.push_back(lexicon_[number].form);
            stems.push_back(lexicon_[number].stem);
        }
    }
    void propose_equal(uint32_t stage, bool exact, const std::vector<uint32_t>& ours, const std::vector<uint32_t>& theirs) {
        for (uint32_t j = 0; j < theirs.size(); ++j)
            for (uint32_t block = 0; block < ours.size(); block += 64) {
                const auto n = uint32_t(std::min<size_t>(64, ours.size() - block));
                uint64_t same = 0;
                for (uint32_t k = 0; k < n; ++k) same |= uint64_t(ours[block + k] == theirs[j]) << k;
                add_words(stage, exact, j, block, same);
            }
    }
    void add_words(uint32_t stage, bool exact, uint32_t j, uint32_t block, uint64_t which) {
        for (; which; which &= which - 1) {
            const uint32_t i = block + uint32_t(std::countr_zero(which));
            if (exact || our_forms_[i] != their_forms_[j]) add({j, 1, i, 1, stage, exact});
        }
    }
    // Words with a common set. Our sets go into a table, where theirs are looked up.
    void propose_synonyms(uint32_t stage) {
        size_t number = 0;
        for (const uint32_t word : ours_) number += lexicon_.sets(lexicon_[word]).size();
        slots_.assign(std::bit_ceil(4 * number + 4), kNone);
        entries_.clear();
        const auto mask = uint32_t(slots_.size() - 1);
        for (auto i = uint32_t(ours_.size()); i-- > 0;)
            for (const uint32_t set : lexicon_.sets(lexicon_[ours_[i]])) {
                uint32_t& slot = slots_[slot_of(set, mask)];
                entries_.push_back({set, i, slot});
                slot = uint32_t(entries_.size() - 1);
            }
        const size_t blocks = (ours_.size() + 63) / 64;
        for (uint32_t j = 0; j < theirs_.size(); ++j) {
            alike_.assign(blocks, 0);
            for (const uint32_t set : lexicon_.sets(lexicon_[theirs_[j]]))
                for (uint32_t e = slots_[slot_of(set, mask)]; e != kNone; e = entries_[e].next)
                    alike_[entries_[e].word / 64] |= uint64_t(1) << (entries_[e].word % 64);
            for (uint32_t block = 0; block < blocks; ++block) add_words(stage, false, j, 64 * block, alike_[block]);
        }
    }
    uint32_t slot_of(uint32_t set, uint32_t mask) const {
        uint32_t i = set * 0x9E3779B1u >> 7 & mask;
        while (slots_[i] != kNone && entries_[slots_[i]].set != set) i = (i + 1) & mask;
        return i;
    }
    void add(const MeteorMatch& match) {
        found_.push_back(match);
        for (uint32_t k = 0; k < match.our_length; ++k) ++our_cover_[match.ours + k];
        for (uint32_t k = 0; k < match.their_length; ++k) ++their_cover_[match.theirs + k];
    }

    // Phrases of a text that the table knows: where, how long, which.
    struct Phrase {
        uint32_t begin, length, node;
    };
    void phrases_of(std::span<const uint32_t> words, std::vector<Phrase>& out) {
        const ParaphraseTable& table = *lexicon_.paraphrases();
        out.clear();
        for (uint32_t begin = 0; begin < words.size(); ++begin)
            if (const uint32_t node = lexicon_[words[begin]].phrase; node != ParaphraseTable::kNone)
                out.push_back({begin, 1, node});
        // Longer by a word each time; all that is looked up in a round is fetched first.
        for (size_t from = 0; from < out.size();) {
            const size_t to = out.size();
            for (const bool ahead : {true, false})
                for (size_t k = from; k < to; ++k) {
                    const auto [begin, length, node] = out[k];
                    if (begin + length >= words.size()) continue;
                    const uint32_t word = lexicon_[words[begin + length]].phrase_word;
                    if (word == ParaphraseTable::kNone) continue;
                    if (ahead) {
                        table.fetch_child(node, word);
                    } else if (const uint32_t longer = table.child(node, word); longer != ParaphraseTable::kNone) {
                        table.fetch_starts(longer);
                        out.push_back({begin, length + 1, longer});
                    }
                }
            from = to;
        }
        std::sort(out.begin(), out.end(), [](const Phrase& a, const Phrase& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.length < b.length;
        });
    }
    void propose_phrases(uint32_t stage) {
        if (!lexicon_.paraphrases()) return;
        phrases_of(ours_, our_phrases_);
        phrases_of(theirs_, their_phrases_);
        pair_phrases(their_phrases_, our_phrases_, [&](const Phrase& first, const Phrase& second) {
            add({first.begin, first.length, second.begin, second.length, stage, false});
        });
        pair_phrases(our_phrases_, their_phrases_, [&](const Phrase& first, const Phrase& second) {
            add({second.begin, second.length, first.begin, first.length, stage, false});
        });
    }
    // For each phrase of `from`, in order, and each of its paraphrases: where that stands in `to`. Frequent words have
    // hundreds of paraphrases, so most are dismissed by one bit, and a phrase that comes again has its hits already.
    template <class Found>
    void pair_phrases(const std::vector<Phrase>& from, const std::vector<Phrase>& to, Found&& found) {
        const ParaphraseTable& table = *lexicon_.paraphrases();
        for (const Phrase& phrase : from) table.fetch_targets(phrase.node);
        by_node_.resize(to.size());
        bits_.fill(0);
        for (uint32_t k = 0; k < to.size(); ++k) {
            by_node_[k] = {to[k].node, k};
            bits_[to[k].node % kBits / 64] |= uint64_t(1) << (to[k].node % 64);
        }
        std::sort(by_node_.begin(), by_node_.end());
        hits_.clear();
        searched_.clear();
        for (const Phrase& phrase : from) {
            auto known = std::ranges::find(searched_, phrase.node, &Searched::node);
            if (known == searched_.end()) {
                const auto begin = uint32_t(hits_.size());
                search_targets(table, phrase.node);
                searched_.push_back({phrase.node, begin, uint32_t(hits_.size())});
                known = searched_.end() - 1;
            }
            for (uint32_t h = known->begin; h < known->end; ++h) found(phrase, to[hits_[h]]);
        }
    }
    void search_targets(const ParaphraseTable& table, uint32_t node) {
        for (const uint32_t *at = table.targets(node), *end = table.targets_end(node); at < end; ++at) {
            if (!(bits_[*at % kBits / 64] >> (*at % 64) & 1)) continue;
            auto place = std::lower_bound(by_node_.begin(), by_node_.end(), std::pair{*at, 0u});
            for (; place != by_node_.end() && place->first == *at; ++place) hits_.push_back(place->second);
        }
    }

    void settle_certain() {
        certain_.assign(theirs_.size(), kNone);
        our_words_ = (ours_.size() + 63) / 64;
        width_ = our_words_ + (theirs_.size() + 63) / 64;
        mask_matches();
        paths_.assign(1, Path{});
        used_.assign(width_, 0);
        for (uint32_t j = 0; j < theirs_.size(); ++j) {
            if (starts_[j + 1] - starts_[j] != 1) continue;
            const MeteorMatch& match = matches_[starts_[j]];
            bool alone = true;
            for (uint32_t k = 0; k < match.our_length; ++k) alone &= our_cover_[match.ours + k] == 1;
            for (uint32_t k = 0; k < match.their_length; ++k) alone &= their_cover_[match.theirs + k] == 1;
            if (!alone) continue;
            certain_[j] = starts_[j];
            use(starts_[j], used_.data());
        }
    }
    // Where no text has more than 64 words, the words of a match are two masks.
    void mask_matches() {
        short_ = ours_.size() <= 64 && theirs_.size() <= 64 && !ours_.empty();
        masks_.clear();
        if (!short_) return;
        const auto run = [](uint32_t begin, uint32_t length) {
            return (length == 64 ? ~uint64_t(0) : (uint64_t(1) << length) - 1) << begin;
        };
        for (const MeteorMatch& match : matches_)
            masks_.push_back({run(match.ours, match.our_length), run(match.theirs, match.their_length)});
    }

    struct Path {
        uint32_t covered = 0, chunks = 0;
        uint64_t distance = 0;
        uint32_t last = kNone;   // where the hypothesis would go on within the same chunk; none: no chunk is open
        uint32_t chain = kNone;  // the last match that was chosen, in chain_
    };
    struct Step {  // a path that might be: its parent, and the match it adds
        Path path;
        uint32_t parent, match;
    };
    struct Link {
        uint32_t match, before;
    };

    void use(uint32_t number, uint64_t* bits) const {
        if (short_) {
            bits[0] |= masks_[number].ours;
            bits[1] |= masks_[number].theirs;
            return;
        }
        const MeteorMatch& match = matches_[number];
        for (uint32_t k = match.ours; k < match.ours + match.our_length; ++k) bits[k / 64] |= uint64_t(1) << (k % 64);
        bits += our_words_;
        for (uint32_t k = match.theirs; k < match.theirs + match.their_length; ++k)
            bits[k / 64] |= uint64_t(1) << (k % 64);
    }
    bool is_free(uint32_t number, const uint64_t* bits) const {
        if (short_) return !((bits[0] & masks_[number].ours) | (bits[1] & masks_[number].theirs));
        const MeteorMatch& match = matches_[number];
        for (uint32_t k = match.ours; k < match.ours + match.our_length; ++k)
            if (bits[k / 64] >> (k % 64) & 1) return false;
        bits += our_words_;
        for (uint32_t k = match.theirs; k < match.theirs + match.their_length; ++k)
            if (bits[k / 64] >> (k % 64) & 1) return false;
        return true;
    }
    static void take(const MeteorMatch& match, Path& path) {
        path.covered += match.exact ? match.our_length + match.their_length
                                    : match.our_length / 2 + match.their_length / 2;
        if (path.last != kNone && path.last != match.ours) ++path.chunks;
        path.last = match.ours + match.our_length;
    }
    static void close(Path& path) {
        if (path.last != kNone) ++path.chunks;
        path.last = kNone;
    }
    // The order of paths in one number, where the numbers are small enough.
    static constexpr uint64_t kSmallDistance = uint64_t(1) << 22;
    static constexpr size_t kFewSteps = 1024, kShort = 8000;
    static uint64_t packed(const Path& path, uint64_t place) {
        return uint64_t(0xFFFF - path.covered) << 48 | uint64_t(path.chunks) << 32 | path.distance << 10 | place;
    }
    static bool better(const Path& a, const Path& b) {
        if (a.covered != b.covered) return a.covered > b.covered;
        if (a.chunks != b.chunks) return a.chunks < b.chunks;
        return a.distance < b.distance;
    }

    uint32_t search() {
        chain_.clear();
        largest_ = 0;
        for (uint32_t j = 0; j < theirs_.size(); ++j) {
            steps_.clear();
            for (uint32_t p = 0; p < paths_.size(); ++p) extend(j, p);
            keep_best();
        }
        for (Path& path : paths_) close(path);
        const Path* best = &paths_[0];
        for (const Path& path : paths_)
            if (better(path, *best)) best = &path;
        chosen_.clear();
        for (uint32_t at = best->chain; at != kNone; at = chain_[at].before) chosen_.push_back(matches_[chain_[at].match]);
        std::reverse(chosen_.begin(), chosen_.end());
        return best->chunks;
    }
    void extend(uint32_t j, uint32_t p) {
        Path path = paths_[p];
        const uint64_t* bits = used_.data() + p * width_;
        if (bits[our_words_ + j / 64] >> (j % 64) & 1) {
            if (certain_[j] != kNone) {
                take(matches_[certain_[j]], path);
                steps_.push_back({path, p, certain_[j]});
            } else {
                steps_.push_back({path, p, kNone});  // inside a longer match
            }
            return;
        }
        for (uint32_t m = starts_[j]; m < starts_[j + 1]; ++m) {
            const MeteorMatch& match = matches_[m];
            if (!is_free(m, bits)) continue;
            Step step{path, p, m};
            take(match, step.path);
            steps_.push_back(step);
            path.distance += uint64_t(std::abs(int64_t(match.theirs) - int64_t(match.ours)));
            largest_ = std::max(largest_, path.distance);
        }
        close(path);
        steps_.push_back({path, p, kNone});
    }
    // The best of the steps become the paths; equal ones in the order in which they were made.
    void keep_best() {
        const size_t kept = std::min<size_t>(beam_, steps_.size());
        order_.resize(steps_.size());
        if (steps_.size() <= kFewSteps && ours_.size() + theirs_.size() <= kShort && largest_ < kSmallDistance)
            sort_packed(kept);
        else
            sort_steps(kept);
        next_paths_.resize(kept);
        next_used_.resize(kept * width_);
        for (size_t k = 0; k < kept; ++k) {
            const Step& step = steps_[order_[k]];
            next_paths_[k] = step.path;
            uint64_t* bits = next_used_.data() + k * width_;
            const uint64_t* parent = used_.data() + step.parent * width_;
            for (size_t w = 0; w < width_; ++w) bits[w] = parent[w];
            if (step.match == kNone) continue;
            use(step.match, bits);
            next_paths_[k].chain = uint32_t(chain_.size());
            chain_.push_back({step.match, step.path.chain});
        }
        paths_.swap(next_paths_);
        used_.swap(next_used_);
    }

    void sort_packed(size_t kept) {
        keys_.resize(steps_.size());
        for (size_t k = 0; k < keys_.size(); ++k) keys_[k] = packed(steps_[k].path, k);
        if (!std::is_sorted(keys_.begin(), keys_.end())) {
            if (keys_.size() > kept) std::nth_element(keys_.begin(), keys_.begin() + ptrdiff_t(kept), keys_.end());
            std::sort(keys_.begin(), keys_.begin() + ptrdiff_t(kept));
        }
        for (size_t k = 0; k < kept; ++k) order_[k] = uint32_t(keys_[k] & (kFewSteps - 1));
    }
    void sort_steps(size_t kept) {
        for (uint32_t k = 0; k < order_.size(); ++k) order_[k] = k;
        const auto first = [&](uint32_t a, uint32_t b) {
            if (better(steps_[a].path, steps_[b].path)) return true;
            if (better(steps_[b].path, steps_[a].path)) return false;
            return a < b;
        };
        if (order_.size() > kept) std::nth_element(order_.begin(), order_.begin() + ptrdiff_t(kept), order_.end(), first);
        std::sort(order_.begin(), order_.begin() + ptrdiff_t(kept), first);
    }

    const MeteorLexicon& lexicon_;
    std::vector<MeteorModule> modules_;
    uint32_t beam_;
    std::span<const uint32_t> ours_, theirs_;
    std::vector<uint32_t> our_forms_, our_stems_, their_forms_, their_stems_;
    struct Entry {
        uint32_t set, word, next;
    };
    std::vector<Entry> entries_;
    std::vector<uint32_t> slots_;
    std::vector<uint64_t> alike_;
    std::vector<MeteorMatch> found_, matches_, chosen_;
    std::vector<uint32_t> our_cover_, their_cover_, starts_, certain_, order_;
    std::vector<Phrase> our_phrases_, their_phrases_;
    std::vector<std::pair<uint32_t, uint32_t>> by_node_;
    static constexpr uint32_t kBits = 1 << 13;
    std::array<uint64_t, kBits / 64> bits_{};  // phrases of the text at hand, by the last digits of their numbers
    struct Searched {
        uint32_t node, begin, end;
    };
    std::vector<Searched> searched_;
    std::vector<uint32_t> hits_;
    size_t our_words_ = 0, width_ = 0;
    struct Masks {
        uint64_t ours, theirs;
    };
    std::vector<Masks> masks_;
    bool short_ = false;
    std::vector<Path> paths_, next_paths_;
    std::vector<uint64_t> used_, next_used_;  // for each path, the words of both texts that are matched
    std::vector<Step> steps_;
    std::vector<Link> chain_;
    std::vector<uint64_t> keys_;
    uint64_t largest_ = 0;  // distance of any path so far
};

}  // namespace tertium
