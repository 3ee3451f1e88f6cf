// Which stored texts are like a new one: an index of character trigrams. A query counts, text by text, how many of its
// trigrams each has, takes those that share most for their length, and measures these exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "char_distance.hpp"
#include "interrupts.hpp"
#include "match_block.hpp"

namespace tertium {

struct Match {
    uint64_t text;      // its number
    uint32_t distance;  // edits of characters
    uint32_t longer;    // characters of the longer text
    double likeness() const { return longer ? 1.0 - double(distance) / longer : 1.0; }
    // The more alike, of equals the later one.
    bool operator<(const Match& other) const {
        const uint64_t x = uint64_t(distance) * other.longer, y = uint64_t(other.distance) * longer;
        return x != y ? x < y : text > other.text;
    }
};

// Blocks of texts, all of them full but the last, and texts that no block has yet.
class MatchTexts {
public:
    MatchTexts() = default;
    explicit MatchTexts(std::string_view data) {
        while (!data.empty()) {
            if (size_ % kBlockTexts) throw std::invalid_argument("damaged");
            push(MatchBlock::in(data));
        }
    }

    const std::vector<MatchBlock>& blocks() const { return blocks_; }
    const std::vector<std::string>& tail() const { return tail_; }
    size_t size() const { return size_ + tail_.size(); }
    size_t in_blocks() const { return size_; }
    // How many texts in blocks have a trigram.
    size_t count(uint16_t hash) const { return counts_[hash]; }
    std::string_view text(uint64_t number) const {
        if (number < size_) return blocks_[number / kBlockTexts].text(number % kBlockTexts);
        return tail_.at(number - size_);
    }

    void add(std::string text) {
        tail_.push_back(std::move(text));
        if (size_ % kBlockTexts + tail_.size() == kBlockTexts) seal();
    }
    // Puts the tail into the last block.
    void seal() {
        if (tail_.empty()) return;
        std::vector<std::string_view> texts;
        MatchBlock last;
        if (size_ % kBlockTexts) {
            last = blocks_.back();
            for (size_t t = 0; t < last.size(); ++t) texts.push_back(last.text(t));
        }
        texts.insert(texts.end(), tail_.begin(), tail_.end());
        MatchBlock made = MatchBlock::of(texts);
        if (last.size()) {
            blocks_.pop_back();
            size_ -= last.size();
            last.count_into(counts_, -1);
        }
        push(std::move(made));
        tail_.clear();
    }

private:
    void push(MatchBlock block) {
        block.count_into(counts_, 1);
        size_ += block.size();
        blocks_.push_back(std::move(block));
    }

    std::vector<MatchBlock> blocks_;
    std::vector<std::string> tail_;
    size_t size_ = 0;  // in blocks
    std::vector<uint32_t> counts_ = std::vector<uint32_t>(kHashes, 0);
};

// How much each trigram tells: the logarithm of how few texts have it.
inline std::vector<float> trigram_rareness(const MatchTexts& texts) {
    std::vector<float> weights(kHashes);
    const double all = 1.0 + double(texts.in_blocks());
    for (size_t h = 0; h < kHashes; ++h) {
        const double own = 0.5 + double(texts.count(uint16_t(h)));
        weights[h] = float(std::max(0.0, std::log(all / own)));
    }
    return weights;
}

inline void characters_of(std::string_view text, Characters& out) {
    out.clear();
    for (const char *p = text.data(), *end = p + text.size(); p < end;) out.push_back(utf8_next(p));
}

// Asks; keep one for a thread.
class MatchSearch {
public:
    struct Limits {
        size_t candidates = 600;  // texts that are measured exactly
        double least = 0.6;       // likeness of what is found
        size_t found = 10;
        size_t rare = 0;                              // besides, so many that share most rare trigrams, however unlike
        size_t copies = SIZE_MAX;                     // of one text
        const std::vector<float>* weights = nullptr;  // of trigrams, by hash: needed for rare ones
    };

    // The most alike of all texts, best first; of equals the later one.
    std::vector<Match> operator()(std::string_view query, const MatchTexts& texts, const Limits& limits) {
        choose(query, texts);
        candidates_.clear();
        floor_ = 0.0;
        for (size_t b = 0; b < texts.blocks().size(); ++b) {
            poll();
            count(texts.blocks()[b], b * kBlockTexts, limits.candidates);
        }
        keep_best(limits.candidates);
        std::sort(candidates_.begin(), candidates_.end());
        characters_of(query, query_);
        std::vector<Match> found;
        if (limits.copies == SIZE_MAX) most_alike(texts, limits, found);
        else most_alike_but_copies(texts, limits, found);
        if (limits.rare) add_rare(found, texts, limits);
        return found;
    }

private:
    struct Candidate {
        float share;
        uint32_t shared;
        uint64_t text;
        bool operator<(const Candidate& other) const { return share != other.share ? share > other.share : text > other.text; }
    };

    // Whether a text has not been seen too often.
    class Copies {
    public:
        explicit Copies(size_t most) : most_(most) {}
        bool another(std::string_view text) { return ++seen_[text] <= most_; }

    private:
        size_t most_;
        std::unordered_map<std::string_view, size_t> seen_;
    };

    Match measured(uint64_t number, std::string_view text) {
        characters_of(text, text_);
        return {number, uint32_t(distance_(query_, text_)), uint32_t(std::max(query_.size(), text_.size()))};
    }

    // Measures only what can still be among the best: whoever lacks n trigrams of the query needs n/3 edits, and a
    // shorter or longer text as many as it is shorter or longer.
    void most_alike(const MatchTexts& texts, const Limits& limits, std::vector<Match>& found) {
        if (limits.found == 0) return;
        const auto look = [&](uint64_t number, std::string_view text, size_t lacking) {
            const auto good = [&](const Match& match) {
                if (match.likeness() < limits.least) return false;
                return found.size() < limits.found || match < found.front();
            };
            characters_of(text, text_);
            const size_t longer = std::max(query_.size(), text_.size()), shorter = std::min(query_.size(), text_.size());
            if (!good({number, uint32_t(std::max((lacking + 2) / 3, longer - shorter)), uint32_t(longer)})) return;
            const Match match{number, uint32_t(distance_(query_, text_)), uint32_t(longer)};
            if (!good(match)) return;
            if (found.size() == limits.found) {
                std::pop_heap(found.begin(), found.end());
                found.pop_back();
            }
            found.push_back(match);
            std::push_heap(found.begin(), found.end());
        };
        for (const Candidate& one : candidates_) look(one.text, texts.text(one.text), chosen_.size() - one.shared);
        for (size_t t = 0; t < texts.tail().size(); ++t) look(texts.in_blocks() + t, texts.tail()[t], 0);
        std::sort_heap(found.begin(), found.end());
    }

    void most_alike_but_copies(const MatchTexts& texts, const Limits& limits, std::vector<Match>& found) {
        const auto look = [&](uint64_t number, std::string_view text) {
            const Match match = measured(number, text);
            if (match.likeness() >= limits.least) found.push_back(match);
        };
        for (const Candidate& one : candidates_) look(one.text, texts.text(one.text));
        for (size_t t = 0; t < texts.tail().size(); ++t) look(texts.in_blocks() + t, texts.tail()[t]);
        std::sort(found.begin(), found.end());
        Copies copies(limits.copies);
        size_t n = 0;
        for (const Match& match : found) {
            if (n == limits.found) break;
            if (copies.another(texts.text(match.text))) found[n++] = match;
        }
        found.resize(n);
    }

    // Of the candidates that are not found by then, those that share most of what is rare, in both texts.
    void add_rare(std::vector<Match>& found, const MatchTexts& texts, const Limits& limits) {
        const std::vector<float>& weights = *limits.weights;
        std::unordered_set<uint64_t> known;
        for (const Match& match : found) known.insert(match.text);
        const std::vector<uint16_t>& asked = trigrams_.last();
        double total = 0.0;
        for (const uint16_t h : asked) total += weights[h];
        std::vector<Candidate> ranked;
        for (const Candidate& one : candidates_) {
            if (known.contains(one.text)) continue;
            double own = 0.0, shared = 0.0;
            size_t at = 0;
            for (const uint16_t h : other_trigrams_(texts.text(one.text))) {
                own += weights[h];
                while (at < asked.size() && asked[at] < h) ++at;
                if (at < asked.size() && asked[at] == h) shared += weights[h];
            }
            ranked.push_back({float(shared / (own + total + 1e-9)), one.shared, one.text});
        }
        std::sort(ranked.begin(), ranked.end());
        Copies copies(limits.copies);
        size_t n = 0;
        for (const Candidate& one : ranked) {
            if (n == limits.rare) break;
            const std::string_view text = texts.text(one.text);
            if (!copies.another(text)) continue;
            found.push_back(measured(one.text, text));
            ++n;
        }
    }

    // The trigrams that are looked up: the rarest first, as many as a count can tell, and no more places than needed.
    void choose(std::string_view query, const MatchTexts& texts) {
        const auto& all = trigrams_(query);
        total_ = all.size();
        std::vector<std::pair<size_t, uint16_t>> order;
        for (const uint16_t h : all) order.emplace_back(texts.count(h), h);
        std::sort(order.begin(), order.end());
        chosen_.clear();
        size_t places = 0;
        for (const auto& [n, h] : order) {
            if (chosen_.size() == 255) break;
            if (chosen_.size() >= std::max(kFewest, total_ / 2) && places + n > texts.in_blocks()) break;
            places += n;
            chosen_.push_back(h);
        }
    }

    void count(const MatchBlock& block, uint64_t first, size_t kept) {
        lists_.clear();
        for (const uint16_t h : chosen_) block.prefetch(h);
        for (const uint16_t h : chosen_) lists_.push_back(block.places(h)), lists_.back().prefetch();
        counts_.assign(kBlockTexts, 0);
        for (const PlaceList& list : lists_) list.count(counts_.data());
        const size_t least = fewest_shared();
        if (least > 255) return;
        const auto few = uint8_t(least);
        const uint8_t* const counts = counts_.data();
        for (size_t begin = 0; begin < block.size(); begin += 32) {
            const size_t end = std::min(begin + 32, block.size());
            uint8_t most = 0;
            for (size_t t = 0; t < 32; ++t) most = std::max(most, counts[begin + t]);
            if (most < few) continue;
            for (size_t t = begin; t < end; ++t) {
                if (counts[t] < few) continue;
                const double own = double(block.trigrams(t)), longer = std::max(own, double(total_));
                if (std::min(own, double(total_)) < kLikeLength * longer) continue;  // too short or too long to be alike
                const auto share = float(counts[t] / (own + double(total_)));
                if (share >= floor_) candidates_.push_back({share, counts[t], first + t});
            }
        }
        if (candidates_.size() > 4 * kept + 1024) {
            keep_best(kept);
            if (kept) floor_ = std::max_element(candidates_.begin(), candidates_.end())->share;
        }
    }

    // Trigrams that a candidate has to share: a sixth, and enough for a place among those that are kept, since it has at
    // least as many as it shares and is not too short.
    size_t fewest_shared() const {
        const double floor = floor_ * (1.0 - 1e-6), total = double(total_);
        const double needed = std::max(floor * total / (1.0 - floor), floor * total * (1.0 + kLikeLength));
        return std::max({size_t(1), chosen_.size() / 6, size_t(std::ceil(needed * (1.0 - 1e-6)))});
    }

    void keep_best(size_t kept) {
        if (candidates_.size() <= kept) return;
        std::nth_element(candidates_.begin(), candidates_.begin() + ptrdiff_t(kept), candidates_.end());
        candidates_.resize(kept);
    }

    static constexpr size_t kFewest = 8;
    static constexpr double kLikeLength = 0.3;
    Trigrams trigrams_, other_trigrams_;
    std::vector<uint16_t> chosen_;
    std::vector<PlaceList> lists_;
    size_t total_ = 0;
    std::vector<uint8_t> counts_;
    std::vector<Candidate> candidates_;
    float floor_ = 0.0;  // what a candidate has to share to be kept
    Characters query_, text_;
    CharDistance distance_;
};

}  // namespace tertium
