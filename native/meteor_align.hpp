// METEOR 1.5's aligner (Denkowski and Lavie 2014). Every module proposes matches of words or phrases; matches that
// contend with no other are certain; a search decides the rest (meteor_search.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "meteor_phrases.hpp"
#include "meteor_search.hpp"

namespace tertium {

enum class MeteorModule : uint8_t { exact, stem, synonym, paraphrase };

class MeteorAligner {
public:
    MeteorAligner(const MeteorLexicon& lexicon, std::vector<MeteorModule> modules, uint32_t beam)
        : lexicon_(lexicon), modules_(std::move(modules)), beam_(std::max(1u, beam)) {}

    // Aligns; the matches are in `matches()` then, by their place in the reference. The number of chunks.
    uint32_t align(const MeteorSide& ours, const MeteorSide& theirs) {
        ours_ = ours.words;
        theirs_ = theirs.words;
        our_phrases_ = ours.phrases;
        their_phrases_ = theirs.phrases;
        propose();
        settle_certain();
        if (few_.fits(found_, beam_)) return few_.run(found_, beam_, chosen_);
        return many_.run(found_, beam_, chosen_);
    }
    const std::vector<MeteorMatch>& matches() const { return chosen_; }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

    // Where numbers stand in a list: chains by their last digits, each from left to right.
    class Places {
    public:
        template <class Numbers, class Number = std::identity>
        void set(const Numbers& list, Number number = {}) {
            const auto n = uint32_t(list.size());
            mask_ = std::bit_ceil(4 * n + 1) - 1;
            heads_.assign(mask_ + 1, kNone);
            entries_.resize(n);
            for (uint32_t i = n; i-- > 0;) {
                const uint32_t value = std::invoke(number, list[i]);
                entries_[i] = {value, std::exchange(heads_[value & mask_], i)};
            }
        }
        struct Entry {
            uint32_t value, next;
        };
        struct View {  // by value, so that it stays in registers
            const uint32_t* heads;
            const Entry* entries;
            uint32_t mask;

            template <class Found>
            void each(uint32_t value, Found&& found) const {
                for (uint32_t i = heads[value & mask]; i != kNone; i = entries[i].next)
                    if (entries[i].value == value) found(i);
            }
            uint32_t first(uint32_t value) const {  // it is there
                uint32_t i = heads[value & mask];
                while (entries[i].value != value) i = entries[i].next;
                return i;
            }
        };
        View view() const { return {heads_.data(), entries_.data(), mask_}; }

    private:
        uint32_t mask_ = 0;
        std::vector<uint32_t> heads_;
        std::vector<Entry> entries_;
    };

    void propose() {
        proposed_.clear();
        found_.our_length = uint32_t(ours_.size());
        found_.their_length = uint32_t(theirs_.size());
        found_.our_cover.assign(ours_.size(), 0);
        found_.their_cover.assign(theirs_.size(), 0);
        look_up(ours_, our_forms_, our_stems_);
        look_up(theirs_, their_forms_, their_stems_);
        const bool equal = our_forms_ == their_forms_;  // the first module has to do then
        for (uint32_t stage = 0; stage < (equal ? 1 : modules_.size()); ++stage) propose(stage);
        // By place in the reference, otherwise in the order in which they were proposed.
        std::vector<uint32_t>& starts = found_.starts;
        starts.assign(theirs_.size() + 2, 0);
        for (const MeteorMatch& match : proposed_) ++starts[match.theirs + 2];
        for (size_t j = 2; j < starts.size(); ++j) starts[j] += starts[j - 1];
        found_.matches.resize(proposed_.size());
        for (const MeteorMatch& match : proposed_) found_.matches[starts[match.theirs + 1]++] = match;
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
        equal_.set(ours);
        const Places::View equal = equal_.view();
        for (uint32_t j = 0; j < theirs.size(); ++j) equal.each(theirs[j], [&](uint32_t i) { add_words(stage, exact, j, i); });
    }
    void add_words(uint32_t stage, bool exact, uint32_t j, uint32_t i) {
        if (exact || our_forms_[i] != their_forms_[j]) add({j, 1, i, 1, stage, exact});
    }
    // Words with a common set.
    void propose_synonyms(uint32_t stage) {
        our_sets_.clear();
        for (uint32_t i = 0; i < ours_.size(); ++i)
            for (const uint32_t set : lexicon_.sets(lexicon_[ours_[i]])) our_sets_.push_back({set, i});
        with_set_.set(our_sets_, &SetOf::set);
        const Places::View with_set = with_set_.view();
        alike_.assign((ours_.size() + 63) / 64, 0);
        for (uint32_t j = 0; j < theirs_.size(); ++j) {
            bool any = false;
            for (const uint32_t set : lexicon_.sets(lexicon_[theirs_[j]]))
                with_set.each(set, [&](uint32_t place) {
                    const uint32_t i = our_sets_[place].word;
                    alike_[i / 64] |= uint64_t(1) << (i % 64);
                    any = true;
                });
            if (!any) continue;
            for (uint32_t block = 0; block < alike_.size(); ++block)
                for (uint64_t left = std::exchange(alike_[block], 0); left; left &= left - 1)
                    add_words(stage, false, j, 64 * block + uint32_t(std::countr_zero(left)));
        }
    }
    void add(const MeteorMatch& match) {
        proposed_.push_back(match);
        for (uint32_t k = 0; k < match.our_length; ++k) ++found_.our_cover[match.ours + k];
        for (uint32_t k = 0; k < match.their_length; ++k) ++found_.their_cover[match.theirs + k];
    }

    void propose_phrases(uint32_t stage) {
        our_nodes_.set(our_phrases_, &MeteorPhrase::node);
        their_nodes_.set(their_phrases_, &MeteorPhrase::node);
        pair_phrases(their_phrases_, their_nodes_.view(), our_nodes_.view(), [&](const MeteorPhrase& first, uint32_t second) {
            const MeteorPhrase& ours = our_phrases_[second];
            add({first.begin, first.length, ours.begin, ours.length, stage, false});
        });
        pair_phrases(our_phrases_, our_nodes_.view(), their_nodes_.view(), [&](const MeteorPhrase& first, uint32_t second) {
            const MeteorPhrase& theirs = their_phrases_[second];
            add({theirs.begin, theirs.length, first.begin, first.length, stage, false});
        });
    }
    // For each phrase of `from`, in order, and each of its paraphrases: where that stands in the other text. Frequent
    // words have hundreds of paraphrases, so a phrase that comes again has its hits already.
    template <class Found>
    void pair_phrases(std::span<const MeteorPhrase> from, Places::View own, Places::View others, Found&& found) {
        hits_.clear();
        ranges_.resize(from.size());
        for (uint32_t k = 0; k < from.size(); ++k) {
            const uint32_t* const list = from[k].paraphrases;
            if (!list) continue;
            if (const uint32_t before = own.first(from[k].node); before < k) {
                ranges_[k] = ranges_[before];
            } else {
                const auto begin = uint32_t(hits_.size());
                for (uint32_t t = 1; t <= list[0]; ++t) others.each(list[t], [&](uint32_t place) { hits_.push_back(place); });
                ranges_[k] = {begin, uint32_t(hits_.size())};
            }
            for (uint32_t h = ranges_[k].first; h < ranges_[k].second; ++h) found(from[k], hits_[h]);
        }
    }

    void settle_certain() {
        found_.certain.assign(theirs_.size(), kNone);
        for (uint32_t j = 0; j < theirs_.size(); ++j) {
            if (found_.starts[j + 1] - found_.starts[j] != 1) continue;
            const MeteorMatch& match = found_.matches[found_.starts[j]];
            bool alone = true;
            for (uint32_t k = 0; k < match.our_length; ++k) alone &= found_.our_cover[match.ours + k] == 1;
            for (uint32_t k = 0; k < match.their_length; ++k) alone &= found_.their_cover[match.theirs + k] == 1;
            if (alone) found_.certain[j] = found_.starts[j];
        }
    }

    const MeteorLexicon& lexicon_;
    std::vector<MeteorModule> modules_;
    uint32_t beam_;
    std::span<const uint32_t> ours_, theirs_;
    std::span<const MeteorPhrase> our_phrases_, their_phrases_;
    std::vector<uint32_t> our_forms_, our_stems_, their_forms_, their_stems_;
    struct SetOf {
        uint32_t set, word;
    };
    std::vector<SetOf> our_sets_;
    std::vector<uint64_t> alike_;
    std::vector<MeteorMatch> proposed_, chosen_;
    MeteorProposals found_;
    MeteorSearch<FewMeteorWords> few_;
    MeteorSearch<ManyMeteorWords> many_;
    Places equal_, with_set_, our_nodes_, their_nodes_;
    std::vector<uint32_t> hits_;
    std::vector<std::pair<uint32_t, uint32_t>> ranges_;  // of each phrase, in hits_
};

}  // namespace tertium
