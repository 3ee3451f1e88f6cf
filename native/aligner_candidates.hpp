// Which words of two texts may be linked, and why. However long texts are, a word has few candidates: of words that come
// often, those between equal neighbours and those nearest to the diagonal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "aligner_side.hpp"

namespace tertium {

enum class LinkKind : uint8_t { equal, stem, synonym, paraphrase, phrase, none };

struct LinkCandidate {
    uint32_t ours, theirs;
    LinkKind kind;
    uint32_t known = 0;  // where its evidence of the first round is
    double score = 0;

    std::pair<uint32_t, uint32_t> place() const { return {ours, theirs}; }
    friend bool operator<(const LinkCandidate& a, const LinkCandidate& b) {
        return std::tie(a.ours, a.theirs, a.kind) < std::tie(b.ours, b.theirs, b.kind);
    }
};

class LinkCandidates {
public:
    static constexpr size_t kMany = 64;                 // pairs of occurrences of one stem that are all looked at
    static constexpr size_t kNearest = 4, kAround = 8;  // candidates of a word that comes often, of one kind
    static constexpr uint32_t kFar = 256;               // words from the diagonal

    explicit LinkCandidates(const MeteorLexicon& lexicon) : lexicon_(lexicon) {}

    // In order, each place once, with the best reason.
    const std::vector<LinkCandidate>& find(const AlignerSide& ours, const AlignerSide& theirs, bool synonyms) {
        ours_ = &ours;
        theirs_ = &theirs;
        found_.clear();
        phrases_.clear();
        propose_equal();
        if (synonyms) propose_synonyms();
        if (!ours.phrases.empty() && !theirs.phrases.empty()) propose_phrases();
        propose_beginnings();
        settle(found_);
        return found_;
    }
    // How often the stem of a word stands in both texts.
    uint32_t our_count(uint32_t i) const { return our_counts_[i]; }
    uint32_t their_count(uint32_t i) const { return their_counts_[i]; }

    // Why two words may be linked that were not found above.
    LinkKind kind(uint32_t i, uint32_t j, bool synonyms) const {
        if (ours_->words[i] == theirs_->words[j]) return LinkKind::equal;
        if (ours_->stems[i] == theirs_->stems[j]) return LinkKind::stem;
        if (synonyms && ours_->classes[i] != WordClass::sign && theirs_->classes[j] != WordClass::sign) {
            const auto a = lexicon_.sets(lexicon_[ours_->words[i]]), b = lexicon_.sets(lexicon_[theirs_->words[j]]);
            for (size_t x = 0, y = 0; x < a.size() && y < b.size();) {
                if (a[x] == b[y]) return LinkKind::synonym;
                a[x] < b[y] ? ++x : ++y;
            }
        }
        const auto at = std::lower_bound(phrases_.begin(), phrases_.end(), LinkCandidate{i, j, LinkKind::equal});
        return at != phrases_.end() && at->ours == i && at->theirs == j ? at->kind : LinkKind::none;
    }

private:
    struct At {
        uint32_t value, place;
    };

    static void settle(std::vector<LinkCandidate>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.place() == b.place(); }),
                   list.end());
    }
    int64_t diagonal(uint32_t i) const {
        return int64_t((2 * uint64_t(i) + 1) * theirs_->size() / (2 * uint64_t(ours_->size())));
    }
    bool far(uint32_t i, uint32_t j) const { return std::abs(int64_t(j) - diagonal(i)) > int64_t(kFar); }

    // Calls found(j) for the `most` places nearest to the diagonal; places rise.
    template <class Found>
    void nearest(uint32_t i, std::span<const uint32_t> places, size_t most, Found&& found) const {
        const int64_t wanted = diagonal(i);
        auto right = std::lower_bound(places.begin(), places.end(), wanted, [](uint32_t j, int64_t e) { return j < e; });
        auto left = right;
        for (; most && (left != places.begin() || right != places.end()); --most) {
            const bool back =
                left != places.begin() && (right == places.end() || wanted - int64_t(left[-1]) <= *right - wanted);
            found(back ? *--left : *right++);
        }
    }
    void add(uint32_t i, uint32_t j) {
        const bool equal = ours_->words[i] == theirs_->words[j];
        found_.push_back({i, j, equal ? LinkKind::equal : LinkKind::stem});
    }
    bool same_neighbour(uint32_t i, uint32_t j) const {
        return (i && j && ours_->stems[i - 1] == theirs_->stems[j - 1]) ||
               (i + 1 < ours_->size() && j + 1 < theirs_->size() && ours_->stems[i + 1] == theirs_->stems[j + 1]);
    }
    static void by_value(const std::vector<uint32_t>& values, std::vector<uint64_t>& out) {
        out.resize(values.size());
        for (uint32_t i = 0; i < values.size(); ++i) out[i] = uint64_t(values[i]) << 32 | i;
        std::sort(out.begin(), out.end());
    }
    void propose_equal() {
        by_value(ours_->stems, our_order_);
        by_value(theirs_->stems, their_order_);
        our_counts_.assign(ours_->size(), 0);
        their_counts_.assign(ours_->size(), 0);
        const auto end_of = [](const std::vector<uint64_t>& order, size_t from) {
            size_t to = from + 1;
            while (to < order.size() && order[to] >> 32 == order[from] >> 32) ++to;
            return to;
        };
        for (size_t a = 0, b = 0; a < our_order_.size() && b < their_order_.size();) {
            const uint64_t x = our_order_[a] >> 32, y = their_order_[b] >> 32;
            if (x < y) ++a;
            else if (y < x) ++b;
            else {
                const size_t a_end = end_of(our_order_, a), b_end = end_of(their_order_, b);
                places_.clear();
                for (size_t k = b; k < b_end; ++k) places_.push_back(uint32_t(their_order_[k]));
                for (size_t k = a; k < a_end; ++k) propose_group(uint32_t(our_order_[k]), uint32_t(a_end - a));
                a = a_end;
                b = b_end;
            }
        }
    }
    // The occurrences of one stem in the other text are in places_.
    void propose_group(uint32_t i, uint32_t occurrences) {
        our_counts_[i] = occurrences;
        their_counts_[i] = uint32_t(places_.size());
        if (places_.size() * occurrences <= kMany) {
            for (const uint32_t j : places_) add(i, j);
            return;
        }
        size_t seen = 0, between = 0;
        nearest(i, places_, kMany, [&](uint32_t j) {
            if (seen++ < kNearest) add(i, j);
            else if (between < kAround && same_neighbour(i, j)) {
                ++between;
                add(i, j);
            }
        });
    }
    // The places of a word that may be linked to it for this reason: not those with its stem, and not too many.
    template <class Kind>
    void add_nearest(uint32_t i, size_t most, Kind&& kind) {
        std::erase_if(places_, [&](uint32_t j) { return ours_->stems[i] == theirs_->stems[j]; });
        nearest(i, places_, most, [&](uint32_t j) { found_.push_back({i, j, kind(j)}); });
    }
    void propose_synonyms() {
        sets_.clear();
        for (uint32_t j = 0; j < theirs_->size(); ++j)
            if (theirs_->classes[j] != WordClass::sign)
                for (const uint32_t set : lexicon_.sets(lexicon_[theirs_->words[j]])) sets_.push_back({set, j});
        const auto less = [](const At& a, const At& b) { return std::tie(a.value, a.place) < std::tie(b.value, b.place); };
        std::sort(sets_.begin(), sets_.end(), less);
        for (uint32_t i = 0; i < ours_->size(); ++i) {
            if (ours_->classes[i] == WordClass::sign) continue;
            places_.clear();
            const auto first = uint32_t(std::max<int64_t>(0, diagonal(i) - kFar));
            for (const uint32_t set : lexicon_.sets(lexicon_[ours_->words[i]]))
                for (auto at = std::lower_bound(sets_.begin(), sets_.end(), At{set, first}, less);
                     at != sets_.end() && at->value == set && !far(i, at->place); ++at)
                    places_.push_back(at->place);
            std::sort(places_.begin(), places_.end());
            places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
            add_nearest(i, kAround, [](uint32_t) { return LinkKind::synonym; });
        }
    }
    void propose_phrases() {
        pair_phrases(ours_->phrases, theirs_->phrases, false);
        pair_phrases(theirs_->phrases, ours_->phrases, true);
        settle(phrases_);
        for (size_t begin = 0; begin < phrases_.size();) {
            const uint32_t i = phrases_[begin].ours;
            size_t end = begin;
            places_.clear();
            for (; end < phrases_.size() && phrases_[end].ours == i; ++end) places_.push_back(phrases_[end].theirs);
            add_nearest(i, kAround, [&](uint32_t j) {
                return std::lower_bound(phrases_.begin() + ptrdiff_t(begin), phrases_.begin() + ptrdiff_t(end),
                                        LinkCandidate{i, j, LinkKind::equal})
                    ->kind;
            });
            begin = end;
        }
    }
    void pair_phrases(std::span<const MeteorPhrase> from, std::span<const MeteorPhrase> others, bool turned) {
        nodes_.clear();
        for (uint32_t k = 0; k < others.size(); ++k) nodes_.push_back({others[k].node, k});
        const auto less = [](const At& a, const At& b) { return std::tie(a.value, a.place) < std::tie(b.value, b.place); };
        std::sort(nodes_.begin(), nodes_.end(), less);
        for (const MeteorPhrase& phrase : from) {
            if (!phrase.paraphrases) continue;
            for (uint32_t t = 1; t <= phrase.paraphrases[0]; ++t) {
                const uint32_t node = phrase.paraphrases[t];
                for (auto at = std::lower_bound(nodes_.begin(), nodes_.end(), At{node, 0}, less);
                     at != nodes_.end() && at->value == node; ++at)
                    turned ? add_phrases(others[at->place], phrase) : add_phrases(phrase, others[at->place]);
            }
        }
    }
    // Words of two phrases that stand for each other, where their middles are not further apart than half a phrase.
    void add_phrases(const MeteorPhrase& a, const MeteorPhrase& b) {
        if (far(a.begin, b.begin)) return;
        const auto n = int64_t(a.length), m = int64_t(b.length);
        for (uint32_t x = 0; x < a.length; ++x)
            for (uint32_t y = 0; y < b.length; ++y)
                if (std::abs((2 * int64_t(x) + 1) * m - (2 * int64_t(y) + 1) * n) <= n * m)
                    phrases_.push_back({a.begin + x, b.begin + y, n * m == 1 ? LinkKind::paraphrase : LinkKind::phrase});
    }
    // Long words that begin alike.
    void propose_beginnings() {
        beginnings_.clear();
        for (uint32_t j = 0; j < theirs_->size(); ++j)
            if (theirs_->is_long(j) && theirs_->classes[j] != WordClass::sign)
                beginnings_.emplace_back(theirs_->beginning(j), j);
        std::sort(beginnings_.begin(), beginnings_.end());
        for (uint32_t i = 0; i < ours_->size(); ++i) {
            if (!ours_->is_long(i)) continue;
            const auto beginning = ours_->beginning(i);
            places_.clear();
            for (auto at = std::lower_bound(beginnings_.begin(), beginnings_.end(), std::pair(beginning, uint32_t(0)));
                 at != beginnings_.end() && at->first == beginning; ++at)
                places_.push_back(at->second);
            add_nearest(i, kNearest, [](uint32_t) { return LinkKind::none; });
        }
    }

    const MeteorLexicon& lexicon_;
    const AlignerSide *ours_ = nullptr, *theirs_ = nullptr;
    std::vector<LinkCandidate> found_, phrases_;
    std::vector<uint64_t> our_order_, their_order_;
    std::vector<uint32_t> our_counts_, their_counts_, places_;
    std::vector<At> sets_, nodes_;
    std::vector<std::pair<std::pair<uint64_t, uint64_t>, uint32_t>> beginnings_;
};

}  // namespace tertium
