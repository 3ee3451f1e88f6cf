// Which words translate which: learnt from pairs of texts by IBM model 1 in both directions, beside what spelling says.
//
// A pair of words counts only if it is expected more than once and a half in what was learnt from: one pair of texts by itself
// teaches nothing, so a wrong pair cannot justify itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ibm1.hpp"
#include "memory_words.hpp"
#include "string_numbers.hpp"

namespace tertium {

struct WordChance {
    uint32_t other;
    float chance;
};

// Lists of numbers of words, one after the other.
struct NumberedTexts {
    std::vector<uint32_t> words;
    std::vector<int64_t> starts{0};

    size_t size() const { return starts.size() - 1; }
    std::span<const uint32_t> operator[](size_t n) const {
        return std::span<const uint32_t>(words).subspan(size_t(starts[n]), size_t(starts[n + 1] - starts[n]));
    }
    WordLists lists() const { return {words, starts}; }
};

class WordPairs {
public:
    static constexpr uint32_t kCut = 6;        // letters of a word that count
    static constexpr double kExpected = 1.5;   // times that a pair of words is expected, at least
    static constexpr double kWeakest = 0.004;  // chance worth keeping
    static constexpr float kSame = 0.7f;       // of words spelt alike
    static constexpr float kNear = 0.15f;      // of words that begin alike

    // One more text, to a side.
    void read(std::string_view text, NumberedTexts& side) {
        reader_.read(text);
        for (size_t i = 0; i < reader_.words.size(); ++i) {
            const uint32_t before = numbers_.size(), number = numbers_.add(reader_[i]);
            if (number == before) kinds_.push_back(kind(reader_[i], reader_.words[i].digits));
            side.words.push_back(number);
        }
        side.starts.push_back(int64_t(side.words.size()));
    }
    uint32_t characters() const { return reader_.characters; }
    uint32_t size() const { return numbers_.size(); }

    // How often a word, and how many words, were in what it learnt from.
    uint32_t seen(size_t side, uint32_t word) const { return word < seen_[side].size() ? seen_[side][word] : 0; }
    size_t seen_words(size_t side) const { return all_[side]; }

    void learn(const NumberedTexts& sources, const NumberedTexts& targets, int iterations, int64_t longest, int64_t most) {
        Ibm1Settings settings;
        settings.iterations = iterations;
        settings.longest = longest;
        settings.most = most;
        const NumberedTexts* sides[2] = {&sources, &targets};
        for (size_t side = 0; side < 2; ++side) {
            seen_[side].assign(numbers_.size(), 0);
            for (const uint32_t word : sides[side]->words) ++seen_[side][word];
            all_[side] = sides[side]->words.size();
        }
        forward_ = learnt(sources, targets, settings);
        backward_ = learnt(targets, sources, settings);
    }

    // For each of `words` the places in `others` of words it makes, with t(other | word): from the table, and from spelling.
    std::vector<std::vector<WordChance>> made_by(const std::vector<uint32_t>& words, const std::vector<uint32_t>& others) {
        return chances(forward_.made, words, others);
    }
    // For each of `words` the places in `others` of words that make it, with t(word | other); `others` are targets.
    std::vector<std::vector<WordChance>> makers_of(const std::vector<uint32_t>& words, const std::vector<uint32_t>& others) {
        return chances(backward_.makers, words, others);
    }

private:
    struct Kind {
        uint64_t head = 0;   // the first letters; 0: too short
        bool alike = false;  // worth something if spelt alike
    };
    struct Rows {
        std::vector<uint32_t> starts;
        std::vector<WordChance> pairs;

        std::span<const WordChance> operator[](uint32_t word) const {
            if (size_t(word) + 1 >= starts.size()) return {};
            return std::span<const WordChance>(pairs).subspan(starts[word], starts[word + 1] - starts[word]);
        }
    };
    struct Direction {
        Rows made, makers;  // t(made | given) by given word, and by made word
    };
    struct Triple {
        uint32_t given, made;
        float chance;
    };

    static Kind kind(std::string_view text, bool digits) {
        return {!digits && text.size() >= 5 ? load_bytes(text.data(), 4) : 0, digits || text.size() >= 3};
    }

    Direction learnt(const NumberedTexts& given, const NumberedTexts& made, const Ibm1Settings& settings) const {
        std::vector<uint32_t> counts(numbers_.size(), 0);
        for (const uint32_t word : given.words) ++counts[word];
        std::vector<Triple> found;
        Ibm1(given.lists(), made.lists(), numbers_.size(), settings).each([&](uint32_t from, uint32_t to, double chance) {
            if (chance >= kWeakest && chance * counts[from] >= kExpected) found.push_back({from, to, float(chance)});
        });
        const auto rows = [&](auto key, auto other) {
            Rows made_rows;
            made_rows.starts.assign(size_t(numbers_.size()) + 1, 0);
            for (const Triple& one : found) ++made_rows.starts[key(one) + 1];
            for (size_t n = 1; n < made_rows.starts.size(); ++n) made_rows.starts[n] += made_rows.starts[n - 1];
            made_rows.pairs.resize(found.size());
            std::vector<uint32_t> next(made_rows.starts.begin(), made_rows.starts.end());
            for (const Triple& one : found) made_rows.pairs[next[key(one)]++] = {other(one), one.chance};
            return made_rows;
        };
        const auto from = [](const Triple& one) { return one.given; };
        const auto to = [](const Triple& one) { return one.made; };
        return {rows(from, to), rows(to, from)};
    }

    std::vector<std::vector<WordChance>> chances(const Rows& rows, const std::vector<uint32_t>& words,
                                                 const std::vector<uint32_t>& others) {
        places_.resize(numbers_.size(), kNone);
        std::unordered_map<uint64_t, std::vector<uint32_t>> heads;
        for (uint32_t place = 0; place < others.size(); ++place) {
            const uint32_t other = others[place];
            places_[other] = place;
            if (kinds_[other].head != 0) heads[kinds_[other].head].push_back(place);
        }
        std::vector<std::vector<WordChance>> found(words.size());
        for (size_t n = 0; n < words.size(); ++n) {
            const uint32_t word = words[n];
            auto& own = found[n];
            for (const WordChance& pair : rows[word])
                if (places_[pair.other] != kNone) own.push_back({places_[pair.other], pair.chance});
            const auto raise = [&](uint32_t place, float chance) {
                const auto same = [&](const WordChance& pair) { return pair.other == place; };
                const auto at = std::find_if(own.begin(), own.end(), same);
                if (at == own.end()) own.push_back({place, chance});
                else at->chance = std::max(at->chance, chance);
            };
            if (places_[word] != kNone && kinds_[word].alike) raise(places_[word], kSame);
            if (const uint64_t head = kinds_[word].head; head != 0)
                if (const auto near = heads.find(head); near != heads.end() && near->second.size() <= kMostNear)
                    for (const uint32_t place : near->second)
                        if (others[place] != word) raise(place, kNear);
        }
        for (const uint32_t other : others) places_[other] = kNone;
        return found;
    }

    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    static constexpr size_t kMostNear = 8;  // words that begin alike: more say nothing

    MemoryWords reader_{kCut};
    StringNumbers numbers_;
    std::vector<Kind> kinds_;
    std::vector<uint32_t> places_;  // of words among those of the other side; kNone between calls
    std::vector<uint32_t> seen_[2];
    size_t all_[2] = {0, 0};
    Direction forward_, backward_;  // sources make targets, and the other way round
};

}  // namespace tertium
