// Which stored texts are like a new one: an index of character trigrams over blocks of 65,536 texts, so that a place in
// a block is two bytes and the counts of a block stay in the processor's cache. A query counts, text by text, how many
// of its trigrams each has, takes those that share most for their length, and measures these exactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "case_folding.hpp"
#include "char_distance.hpp"
#include "interrupts.hpp"
#include "utf8.hpp"

namespace tertium {

struct Match {
    uint64_t text;      // its number
    uint32_t distance;  // edits of characters
    uint32_t longer;    // characters of the longer text
    double likeness() const { return longer ? 1.0 - double(distance) / longer : 1.0; }
};

// The trigrams of a text without its capitals, by 16-bit hashes, each once. Texts of fewer characters have one.
class Trigrams {
public:
    const std::vector<uint16_t>& operator()(std::string_view text) {
        found_.clear();
        uint64_t window = 0;
        size_t length = 0;
        for (const char *p = text.data(), *end = p + text.size(); p < end;) {
            char32_t c = small_letter(utf8_next(p));
            if (is_space(c)) c = ' ';
            window = (window << 21 | c) & ((uint64_t{1} << 63) - 1);
            if (++length >= 3) found_.push_back(hash(window));
        }
        if (length < 3) found_.push_back(hash(window));
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return found_;
    }

    const std::vector<uint16_t>& last() const { return found_; }

private:
    static uint16_t hash(uint64_t window) { return uint16_t(window * 0x9E3779B97F4A7C15u >> 48); }
    std::vector<uint16_t> found_;
};

inline constexpr size_t kBlockTexts = 65536, kHashes = 65536;

// Texts that were indexed together. All of it lies in one piece of memory, as on disk: numbers of texts and of bytes, where
// the places of each hash begin, where texts begin, how many trigrams each has, places, bytes of texts.
class MatchBlock {
public:
    static MatchBlock of(const std::vector<std::string_view>& texts) {
        Trigrams trigrams;
        std::vector<uint32_t> starts(kHashes + 1, 0), ends(texts.size() + 1, 0);
        std::vector<uint16_t> sizes(texts.size());
        for (size_t t = 0; t < texts.size(); ++t) {
            const auto& found = trigrams(texts[t]);
            for (const uint16_t h : found) ++starts[h + 1];
            sizes[t] = uint16_t(std::min<size_t>(found.size(), 65535));
            if (ends[t] + texts[t].size() > UINT32_MAX) throw std::length_error("texts of a block are too long");
            ends[t + 1] = ends[t] + uint32_t(texts[t].size());
        }
        for (size_t h = 0; h < kHashes; ++h) starts[h + 1] += starts[h];
        MatchBlock block;
        block.owned_ = std::make_shared<std::string>();
        std::string& out = *block.owned_;
        const auto put = [&out](const void* data, size_t bytes) {
            out.append(static_cast<const char*>(data), bytes);
            out.append((8 - out.size() % 8) % 8, '\0');
        };
        const uint64_t head[3] = {texts.size(), ends.back(), starts.back()};
        put(head, sizeof head);
        put(starts.data(), starts.size() * 4);
        put(ends.data(), ends.size() * 4);
        put(sizes.data(), sizes.size() * 2);
        std::vector<uint16_t> places(starts.back());
        for (size_t t = 0; t < texts.size(); ++t)
            for (const uint16_t h : trigrams(texts[t])) places[starts[h]++] = uint16_t(t);
        put(places.data(), places.size() * 2);
        for (const std::string_view text : texts) out.append(text);
        out.append((8 - out.size() % 8) % 8, '\0');
        block.view(out);
        return block;
    }
    // The block at the beginning of `data`, which is cut off; the memory must outlive it.
    static MatchBlock in(std::string_view& data) {
        MatchBlock block;
        data.remove_prefix(block.view(data));
        return block;
    }

    size_t size() const { return size_; }
    std::string_view bytes() const { return data_; }
    std::string_view text(size_t t) const { return {texts_ + ends_[t], ends_[t + 1] - ends_[t]}; }
    uint16_t trigrams(size_t t) const { return sizes_[t]; }
    size_t count(uint16_t hash) const { return starts_[hash + 1] - starts_[hash]; }
    const uint16_t* places(uint16_t hash) const { return places_ + starts_[hash]; }

private:
    size_t view(std::string_view data) {
        uint64_t head[3];
        size_t at = 0;
        const auto take = [&](size_t bytes) {
            if (at > data.size() || bytes > data.size() - at) throw std::invalid_argument("cut short");
            const char* found = data.data() + at;
            at += (bytes + 7) / 8 * 8;
            return found;
        };
        std::memcpy(head, take(sizeof head), sizeof head);
        if (head[0] > kBlockTexts || head[1] > UINT32_MAX || head[2] > UINT32_MAX) throw std::invalid_argument("damaged");
        size_ = head[0];
        starts_ = reinterpret_cast<const uint32_t*>(take((kHashes + 1) * 4));
        ends_ = reinterpret_cast<const uint32_t*>(take((size_ + 1) * 4));
        sizes_ = reinterpret_cast<const uint16_t*>(take(size_ * 2));
        places_ = reinterpret_cast<const uint16_t*>(take(head[2] * 2));
        texts_ = take(head[1]);
        if (starts_[0] != 0 || starts_[kHashes] != head[2] || ends_[size_] != head[1]) throw std::invalid_argument("damaged");
        data_ = data.substr(0, std::min(at, data.size()));
        return data_.size();
    }

    std::shared_ptr<std::string> owned_;
    std::string_view data_;
    size_t size_ = 0;
    const uint32_t *starts_ = nullptr, *ends_ = nullptr;
    const uint16_t *sizes_ = nullptr, *places_ = nullptr;
    const char* texts_ = nullptr;
};

inline void characters_of(std::string_view text, Characters& out) {
    out.clear();
    for (const char *p = text.data(), *end = p + text.size(); p < end;) out.push_back(utf8_next(p));
}

// Asks blocks one after the other; keep one for a thread.
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

    // The most alike of all texts, best first; of equals the later one. `tail` are texts that no block has yet.
    std::vector<Match> operator()(std::string_view query, const std::vector<MatchBlock>& blocks,
                                  const std::vector<std::string>& tail, const Limits& limits) {
        choose(query, blocks);
        candidates_.clear();
        uint64_t first = 0;
        for (const MatchBlock& block : blocks) {
            poll();
            count(block, first);
            first += block.size();
        }
        const size_t kept = std::min(limits.candidates, candidates_.size());
        std::nth_element(candidates_.begin(), candidates_.begin() + ptrdiff_t(kept), candidates_.end());
        candidates_.resize(kept);
        characters_of(query, query_);
        std::vector<Match> found;
        const auto measure = [&](uint64_t number, std::string_view text) {
            characters_of(text, text_);
            const size_t longer = std::max(query_.size(), text_.size()), shorter = std::min(query_.size(), text_.size());
            if (double(shorter) < limits.least * double(longer)) return;
            const Match match{number, uint32_t(distance_(query_, text_)), uint32_t(longer)};
            if (match.likeness() >= limits.least) found.push_back(match);
        };
        for (const Candidate& one : candidates_) measure(one.text, text_of(blocks, one.text));
        for (size_t t = 0; t < tail.size(); ++t) measure(first + t, tail[t]);
        const auto better = [](const Match& a, const Match& b) {
            const uint64_t x = uint64_t(a.distance) * b.longer, y = uint64_t(b.distance) * a.longer;
            return x != y ? x < y : a.text > b.text;
        };
        if (limits.copies == SIZE_MAX) {
            const size_t n = std::min(limits.found, found.size());
            std::partial_sort(found.begin(), found.begin() + ptrdiff_t(n), found.end(), better);
            found.resize(n);
        } else {
            std::sort(found.begin(), found.end(), better);
            Copies copies(limits.copies);
            size_t n = 0;
            for (const Match& match : found) {
                if (n == limits.found) break;
                const std::string_view text = match.text < first ? text_of(blocks, match.text) : tail[match.text - first];
                if (copies.another(text)) found[n++] = match;
            }
            found.resize(n);
        }
        if (limits.rare) add_rare(found, blocks, limits);
        return found;
    }

    // How much each trigram tells: the logarithm of how few texts have it.
    static std::vector<float> rareness(const std::vector<MatchBlock>& blocks) {
        std::vector<float> weights(kHashes);
        double texts = 1.0;
        for (const MatchBlock& block : blocks) texts += double(block.size());
        for (size_t h = 0; h < kHashes; ++h) {
            double own = 0.5;
            for (const MatchBlock& block : blocks) own += double(block.count(uint16_t(h)));
            weights[h] = float(std::max(0.0, std::log(texts / own)));
        }
        return weights;
    }

    static std::string_view text_of(const std::vector<MatchBlock>& blocks, uint64_t number) {
        for (const MatchBlock& block : blocks) {
            if (number < block.size()) return block.text(number);
            number -= block.size();
        }
        throw std::out_of_range("there is no such text");
    }

private:
    struct Candidate {
        float share;
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

    // Of the candidates that are not found by then, those that share most of what is rare, in both texts.
    void add_rare(std::vector<Match>& found, const std::vector<MatchBlock>& blocks, const Limits& limits) {
        const std::vector<float>& weights = *limits.weights;
        std::unordered_set<uint64_t> known;
        for (const Match& match : found) known.insert(match.text);
        const std::vector<uint16_t> asked = trigrams_.last();
        double total = 0.0;
        for (const uint16_t h : asked) total += weights[h];
        std::vector<Candidate> ranked;
        Trigrams trigrams;
        for (const Candidate& one : candidates_) {
            if (known.contains(one.text)) continue;
            double own = 0.0, shared = 0.0;
            size_t at = 0;
            for (const uint16_t h : trigrams(text_of(blocks, one.text))) {
                own += weights[h];
                while (at < asked.size() && asked[at] < h) ++at;
                if (at < asked.size() && asked[at] == h) shared += weights[h];
            }
            ranked.push_back({float(shared / (own + total + 1e-9)), one.text});
        }
        std::sort(ranked.begin(), ranked.end());
        Copies copies(limits.copies);
        size_t n = 0;
        for (const Candidate& one : ranked) {
            if (n == limits.rare) break;
            const std::string_view text = text_of(blocks, one.text);
            if (!copies.another(text)) continue;
            characters_of(text, text_);
            found.push_back({one.text, uint32_t(distance_(query_, text_)), uint32_t(std::max(query_.size(), text_.size()))});
            ++n;
        }
    }

    // The trigrams that are looked up: the rarest first, as many as a count can tell, and no more places than needed.
    void choose(std::string_view query, const std::vector<MatchBlock>& blocks) {
        const auto& all = trigrams_(query);
        total_ = all.size();
        std::vector<std::pair<size_t, uint16_t>> order;
        size_t texts = 0;
        for (const MatchBlock& block : blocks) texts += block.size();
        for (const uint16_t h : all) {
            size_t n = 0;
            for (const MatchBlock& block : blocks) n += block.count(h);
            order.emplace_back(n, h);
        }
        std::sort(order.begin(), order.end());
        chosen_.clear();
        size_t places = 0;
        for (const auto& [n, h] : order) {
            if (chosen_.size() == 255 || (chosen_.size() >= std::max(kFewest, total_ / 2) && places + n > texts)) break;
            places += n;
            chosen_.push_back(h);
        }
    }

    void count(const MatchBlock& block, uint64_t first) {
        counts_.assign(kBlockTexts, 0);
        for (const uint16_t h : chosen_) {
            const uint16_t* places = block.places(h);
            for (size_t i = 0, n = block.count(h); i < n; ++i) ++counts_[places[i]];
        }
        const size_t least = std::max<size_t>(1, chosen_.size() / 6);
        for (size_t begin = 0; begin < block.size(); begin += 32) {
            const size_t end = std::min(begin + 32, block.size());
            bool any = false;
            for (size_t t = begin; t < end; ++t) any |= counts_[t] >= least;
            if (!any) continue;
            for (size_t t = begin; t < end; ++t) {
                if (counts_[t] < least) continue;
                const double own = block.trigrams(t), longer = std::max(own, double(total_));
                if (std::min(own, double(total_)) < 0.3 * longer) continue;  // too short or too long to be alike
                candidates_.push_back({float(counts_[t] / (own + double(total_))), first + t});
            }
        }
    }

    static constexpr size_t kFewest = 8;
    Trigrams trigrams_;
    std::vector<uint16_t> chosen_;
    size_t total_ = 0;
    std::vector<uint8_t> counts_;
    std::vector<Candidate> candidates_;
    Characters query_, text_;
    CharDistance distance_;
};

}  // namespace tertium
