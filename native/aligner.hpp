// The monolingual aligner: links between the words of two texts in one language, one to one, wherever their sentences end.
// It stands on the rules of Sultan et al. (2014) as seed 004 uses them: what is equal or known to be alike, what stands
// between equal neighbours, what hangs on linked words in the tree or next to them. Each rule's evidence is a number; a
// logistic weighs them (learned from people's links, tools/aligner.py), twice: over what words and neighbours say, and again
// over the links that come of it. Cost grows with the length of texts, not with its square.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "aligner_evidence.hpp"
#include "interrupts.hpp"
#include "meteor_steps.hpp"

namespace tertium {

// For each class of pairs a weight for each kind of evidence, and a constant behind them; of both rounds, and the least
// score of a link.
struct AlignerWeights {
    std::array<std::array<double, kFirstEvidence + 1>, kLinkClasses> first;
    std::array<std::array<double, kSecondEvidence + 1>, kLinkClasses> second;
    double least;

    static constexpr size_t kNumber = kLinkClasses * (kFirstEvidence + kSecondEvidence + 2) + 1;
    explicit AlignerWeights(std::span<const double> numbers) {
        if (numbers.size() != kNumber) throw std::invalid_argument("the aligner has " + std::to_string(kNumber) + " weights");
        const double* at = numbers.data();
        const auto take = [&](auto& rows) {
            for (auto& row : rows) {
                std::copy_n(at, row.size(), row.begin());
                at += row.size();
            }
        };
        take(first);
        take(second);
        least = *at;
    }
};

class WordAligner {
public:
    // `alike`: only links between words that are alike are listed, not those that their places alone speak for.
    WordAligner(const MeteorLexicon& lexicon, const AlignerWeights& weights, bool synonyms, const VectorTable* vectors,
                bool alike)
        : lexicon_(lexicon), weights_(weights), synonyms_(synonyms), vectors_(vectors), alike_(alike), candidates_(lexicon) {}

    struct Text {
        MeteorSide side;
        const AlignerLayers* layers;
        size_t offset;  // of its first word, in the layers
    };
    // Aligns; the links are in `matches()` then, by their place in the reference. The number of chunks.
    uint32_t align(const Text& ours, const Text& theirs) {
        start(ours, theirs);
        first_round();
        second_round();
        return list();
    }
    const std::vector<MeteorMatch>& matches() const { return chosen_; }

    // For training: calls found(link, class, evidence) for every candidate of a round.
    template <class Found>
    void evidence(const Text& ours, const Text& theirs, bool second, Found&& found) {
        start(ours, theirs);
        first_round();
        std::array<double, kSecondEvidence> numbers;
        if (second) widen();
        for (const LinkCandidate& link : links_) {
            first_.of(link, numbers.data());
            if (second) second_.of(link, numbers.data() + kFirstEvidence);
            found(link, class_of(link), numbers.data());
        }
    }

private:
    static constexpr double kAlike = 0.5;  // least cosine of words that are alike
    static constexpr uint32_t kNoStem = 0xFFFFFFFEu;

    void start(const Text& ours, const Text& theirs) {
        ours_.set(lexicon_, ours.side, ours.layers, ours.offset, kNoStem, vectors_);
        theirs_.set(lexicon_, theirs.side, theirs.layers, theirs.offset, kNoStem + 1, vectors_);
    }
    size_t class_of(const LinkCandidate& link) const {
        return link_class(ours_.classes[link.ours], theirs_.classes[link.theirs]);
    }
    // The sum of evidence by weight, after what was summed before.
    double weighed(double sum, const double* weights, const double* evidence, size_t count) const {
        if (!ours_.parsed() || !theirs_.parsed()) count -= kTreeEvidence;
        for (size_t k = 0; k < count; ++k) sum += weights[k] * evidence[k];
        return sum;
    }
    void score(LinkCandidate& link) {
        link.known = uint32_t(evidence_.size());
        double* const numbers = evidence_.emplace_back().data();
        first_.of(link, numbers);
        const auto& weights = weights_.first[class_of(link)];
        link.score = weighed(weights[kFirstEvidence], weights.data(), numbers, kFirstEvidence);
    }
    void first_round() {
        links_ = candidates_.find(ours_, theirs_, synonyms_);
        first_.set(ours_, theirs_, candidates_);
        evidence_.clear();
        Poller poller;
        for (LinkCandidate& link : links_) {
            poller(4);
            score(link);
        }
        choose(0);
    }
    // Best first, one to one. Ties: in the order of places.
    void choose(double least) {
        linked_.theirs.assign(ours_.size(), kUnlinked);
        linked_.ours.assign(theirs_.size(), kUnlinked);
        kinds_.resize(theirs_.size());
        order_.clear();
        for (uint32_t k = 0; k < links_.size(); ++k)
            if (links_[k].score >= least) order_.push_back(k);
        std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
            return links_[a].score != links_[b].score ? links_[a].score > links_[b].score : a < b;
        });
        for (const uint32_t k : order_) {
            const auto [i, j] = links_[k].place();
            if (linked_.theirs[i] != kUnlinked || linked_.ours[j] != kUnlinked) continue;
            linked_.theirs[i] = j;
            linked_.ours[j] = i;
            kinds_[j] = links_[k].kind;
        }
    }
    void second_round() {
        widen();
        constexpr size_t kMore = kSecondEvidence - kFirstEvidence;
        std::array<double, kMore> numbers;
        Poller poller;
        scores_.resize(links_.size());
        for (size_t k = 0; k < links_.size(); ++k) {
            poller(4);
            second_.of(links_[k], numbers.data());
            const auto& weights = weights_.second[class_of(links_[k])];
            const double known =
                weighed(weights[kSecondEvidence], weights.data(), evidence_[links_[k].known].data(), kFirstEvidence);
            scores_[k] = weighed(known, weights.data() + kFirstEvidence, numbers.data(), kMore);
        }
        for (size_t k = 0; k < links_.size(); ++k) links_[k].score = scores_[k];
        choose(weights_.least);
    }
    // Words next to linked words, in the text or in the tree, are candidates, too, whether they are alike or not.
    void widen() {
        second_.set(ours_, theirs_, linked_, links_);
        const size_t known = links_.size();
        const auto n = uint32_t(ours_.size()), m = uint32_t(theirs_.size());
        constexpr std::array<std::pair<int, int>, 6> kNear{{{1, -1}, {-1, 1}, {-1, 2}, {1, -2}, {-2, 1}, {2, -1}}};
        const bool parsed = ours_.parsed() && theirs_.parsed();
        near_.clear();
        const auto add = [&](uint32_t i, uint32_t j) { near_.push_back(uint64_t(i) << 32 | j); };
        const auto add_alike = [&](uint32_t i, uint32_t j) {
            if ((ours_.classes[i] == WordClass::sign) == (theirs_.classes[j] == WordClass::sign)) add(i, j);
        };
        for (uint32_t i = 0; i < n; ++i) {
            for (const auto& [di, dj] : kNear) {
                const uint32_t x = i + uint32_t(di);
                if (x >= n || linked_.theirs[x] == kUnlinked) continue;
                if (const uint32_t j = linked_.theirs[x] + uint32_t(dj); j < m) add_alike(i, j);
            }
            if (parsed) near_in_tree(i, add);
        }
        std::sort(near_.begin(), near_.end());
        near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
        size_t at = 0;
        for (const uint64_t key : near_) {
            const auto i = uint32_t(key >> 32), j = uint32_t(key);
            while (at < known && links_[at].place() < std::pair(i, j)) ++at;
            if (at < known && links_[at].place() == std::pair(i, j)) continue;
            links_.push_back({i, j, candidates_.kind(i, j, synonyms_)});
            score(links_.back());
        }
        std::inplace_merge(links_.begin(), links_.begin() + ptrdiff_t(known), links_.end(),
                           [](const auto& a, const auto& b) { return a.place() < b.place(); });
    }
    template <class Add>
    void near_in_tree(uint32_t i, Add&& add) const {
        const auto same = [&](uint32_t x, uint32_t y) {
            return ours_.relations[x] == theirs_.relations[y] && ours_.relations[x] != AlignerSide::kNone;
        };
        if (const int32_t head = ours_.heads[i]; head >= 0 && linked_.theirs[size_t(head)] != kUnlinked)
            for (const uint32_t j : theirs_.kids(linked_.theirs[size_t(head)]))
                if (same(i, j)) add(i, j);
        for (const uint32_t kid : ours_.kids(i)) {
            const uint32_t y = linked_.theirs[kid];
            if (y != kUnlinked && theirs_.heads[y] >= 0 && same(kid, y)) add(i, uint32_t(theirs_.heads[y]));
        }
    }
    uint32_t list() {
        chosen_.clear();
        uint32_t chunks = 0, before = kUnlinked;
        for (uint32_t j = 0; j < linked_.ours.size(); ++j) {
            uint32_t i = linked_.ours[j];
            if (alike_ && i != kUnlinked && kinds_[j] == LinkKind::none && ours_.cosine(i, theirs_, j) < kAlike) i = kUnlinked;
            if (i != kUnlinked) {
                chosen_.push_back({j, 1, i, 1, uint32_t(kinds_[j]), kinds_[j] == LinkKind::equal});
                chunks += before == kUnlinked || i != before + 1;
            }
            before = i;
        }
        return chunks;
    }

    const MeteorLexicon& lexicon_;
    const AlignerWeights& weights_;
    bool synonyms_;
    const VectorTable* vectors_;
    bool alike_;
    AlignerSide ours_, theirs_;
    LinkCandidates candidates_;
    FirstEvidence first_;
    SecondEvidence second_;
    LinkedWords linked_;
    std::vector<LinkKind> kinds_;  // of links, by their place in the reference
    std::vector<LinkCandidate> links_;
    std::vector<std::array<double, kFirstEvidence>> evidence_;  // of links, in the order in which they were found
    std::vector<double> scores_;
    std::vector<uint32_t> order_;
    std::vector<uint64_t> near_;
    std::vector<MeteorMatch> chosen_;
};

}  // namespace tertium
