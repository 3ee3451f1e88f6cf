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
        : lexicon_(lexicon), modules_(std::move(modules)), beam_(std::max(1u, beam)) {
        if (lexicon_.paraphrases()) marks_.resize(lexicon_.paraphrases()->nodes() / 64 + 1, 0);
    }

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
        our_known_.clear();
        for (const uint32_t word : ours_) our_known_.push_back(lexicon_[word]);
        their_known_.clear();
        for (const uint32_t word : theirs_) their_known_.push_back(lexicon_[word]);
        const bool equal = std::ranges::equal(our_known_, their_known_, same_form);  // the first module has to do then
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
            case MeteorModule::exact: propose_words(stage, true, same_form); break;
            case MeteorModule::stem:
                propose_words(stage, false, [](const MeteorWord& a, const MeteorWord& b) {
                    return a.stem == b.stem && !same_form(a, b);
                });
                break;
            case MeteorModule::synonym:
                propose_words(stage, false, [&](const MeteorWord& a, const MeteorWord& b) {
                    return lexicon_.synonyms(a, b) && !same_form(a, b);
                });
                break;
            case MeteorModule::paraphrase: propose_phrases(stage);
        }
    }
    static bool same_form(const MeteorWord& a, const MeteorWord& b) { return a.form == b.form; }
    template <class Same>
    void propose_words(uint32_t stage, bool exact, Same same) {
        for (uint32_t j = 0; j < theirs_.size(); ++j)
            for (uint32_t i = 0; i < ours_.size(); ++i)
                if (same(our_known_[i], their_known_[j])) add({j, 1, i, 1, stage, exact});
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
    void phrases_of(std::span<const uint32_t> words, std::vector<Phrase>& out) const {
        const ParaphraseTable& table = *lexicon_.paraphrases();
        out.clear();
        for (uint32_t begin = 0; begin < words.size(); ++begin) {
            uint32_t node = ParaphraseTable::kNone;
            for (uint32_t end = begin; end < words.size(); ++end) {
                const uint32_t word = lexicon_[words[end]].phrase_word;
                if (word == ParaphraseTable::kNone) break;
                node = table.child(node, word);
                if (node == ParaphraseTable::kNone) break;
                out.push_back({begin, end + 1 - begin, node});
            }
        }
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
    // For each phrase of `from`, in order, and each of its paraphrases: where that stands in `to`.
    template <class Found>
    void pair_phrases(const std::vector<Phrase>& from, std::vector<Phrase>& to, Found&& found) {
        const ParaphraseTable& table = *lexicon_.paraphrases();
        by_node_.resize(to.size());
        for (uint32_t k = 0; k < to.size(); ++k) {
            by_node_[k] = {to[k].node, k};
            marks_[to[k].node / 64] |= uint64_t(1) << (to[k].node % 64);
        }
        std::sort(by_node_.begin(), by_node_.end());
        for (const Phrase& phrase : from)
            for (const uint32_t *at = table.targets(phrase.node), *end = table.targets_end(phrase.node); at < end; ++at) {
                if (!(marks_[*at / 64] >> (*at % 64) & 1)) continue;
                auto place = std::lower_bound(by_node_.begin(), by_node_.end(), std::pair{*at, 0u});
                for (; place != by_node_.end() && place->first == *at; ++place) found(phrase, to[place->second]);
            }
        for (const Phrase& phrase : to) marks_[phrase.node / 64] = 0;
    }

    void settle_certain() {
        certain_.assign(theirs_.size(), kNone);
        our_words_ = (ours_.size() + 63) / 64;
        width_ = our_words_ + (theirs_.size() + 63) / 64;
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
            use(match, used_.data());
        }
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

    void use(const MeteorMatch& match, uint64_t* bits) const {
        for (uint32_t k = match.ours; k < match.ours + match.our_length; ++k) bits[k / 64] |= uint64_t(1) << (k % 64);
        bits += our_words_;
        for (uint32_t k = match.theirs; k < match.theirs + match.their_length; ++k)
            bits[k / 64] |= uint64_t(1) << (k % 64);
    }
    bool is_free(const MeteorMatch& match, const uint64_t* bits) const {
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
    static bool better(const Path& a, const Path& b) {
        if (a.covered != b.covered) return a.covered > b.covered;
        if (a.chunks != b.chunks) return a.chunks < b.chunks;
        return a.distance < b.distance;
    }

    uint32_t search() {
        chain_.clear();
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
            if (!is_free(match, bits)) continue;
            Step step{path, p, m};
            take(match, step.path);
            steps_.push_back(step);
            path.distance += uint64_t(std::abs(int64_t(match.theirs) - int64_t(match.ours)));
        }
        close(path);
        steps_.push_back({path, p, kNone});
    }
    // The best of the steps become the paths; equal ones in the order in which they were made.
    void keep_best() {
        order_.resize(steps_.size());
        for (uint32_t k = 0; k < order_.size(); ++k) order_[k] = k;
        const auto first = [&](uint32_t a, uint32_t b) {
            if (better(steps_[a].path, steps_[b].path)) return true;
            if (better(steps_[b].path, steps_[a].path)) return false;
            return a < b;
        };
        const size_t kept = std::min<size_t>(beam_, order_.size());
        if (order_.size() > kept) std::nth_element(order_.begin(), order_.begin() + ptrdiff_t(kept), order_.end(), first);
        std::sort(order_.begin(), order_.begin() + ptrdiff_t(kept), first);
        next_paths_.resize(kept);
        next_used_.resize(kept * width_);
        for (size_t k = 0; k < kept; ++k) {
            const Step& step = steps_[order_[k]];
            next_paths_[k] = step.path;
            uint64_t* bits = next_used_.data() + k * width_;
            std::copy_n(used_.data() + step.parent * width_, width_, bits);
            if (step.match == kNone) continue;
            use(matches_[step.match], bits);
            next_paths_[k].chain = uint32_t(chain_.size());
            chain_.push_back({step.match, step.path.chain});
        }
        paths_.swap(next_paths_);
        used_.swap(next_used_);
    }

    const MeteorLexicon& lexicon_;
    std::vector<MeteorModule> modules_;
    uint32_t beam_;
    std::span<const uint32_t> ours_, theirs_;
    std::vector<MeteorWord> our_known_, their_known_;  // what is known of the words, side by side
    std::vector<MeteorMatch> found_, matches_, chosen_;
    std::vector<uint32_t> our_cover_, their_cover_, starts_, certain_, order_;
    std::vector<Phrase> our_phrases_, their_phrases_;
    std::vector<std::pair<uint32_t, uint32_t>> by_node_;
    std::vector<uint64_t> marks_;  // of the table's phrases, those that the text at hand has
    size_t our_words_ = 0, width_ = 0;
    std::vector<Path> paths_, next_paths_;
    std::vector<uint64_t> used_, next_used_;  // for each path, the words of both texts that are matched
    std::vector<Step> steps_;
    std::vector<Link> chain_;
};

}  // namespace tertium
