// A lexical model of a memory, learnt from the memory itself, that says how well each word of a unit is explained by the
// other side.
//
// Units fall into folds by a hash of their source, so that all copies of a unit share one. For each fold, IBM model 1 is
// learnt in both directions from the other folds (`Ibm1`), and words are linked as strongly as both directions say,
// sqrt(t(f|e) t(e|f)). What a strength means is then counted: how often words of that kind have it among true pairs that
// no model has learnt from, and how often with a random other side of like length. The logarithm of the ratio is a word's
// evidence: above 0 the word is at home here, below 0 it is not. Evidence adds; the run of words with the
// least sum is what an omission leaves behind.
//
// Memory is flat: the model learns from a sample of the units, chosen by the same hash, each different unit once.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ibm1.hpp"
#include "interrupts.hpp"
#include "memory_words.hpp"
#include "string_numbers.hpp"

namespace tertium {

struct LexiconSettings {
    uint32_t folds = 4;
    uint32_t cut = 6;               // letters of a word that count
    size_t most_words = 3'000'000;  // of a side, that are learnt from
    int iterations = 4;
    int64_t longest = 80;   // words of a side that is learnt from
    double weakest = 1e-3;  // strength of a link worth keeping
    double own = 20.0;      // occurrences after which a word's own habits count as much as those of its kind
    uint32_t own_from = 8;  // occurrences below which it has none
    double often = 30.0;    // occurrences of a word from which on it has a usual translation,
    double usually = 0.95;  // if so many of them have it
    double alone = 0.7;     // evidence against a word that something else may have been translated as
};

class Lexicon {
public:
    // Numbers of a side of a unit; see kNames in tertium/vetting/lexicon.py.
    static constexpr size_t kPerSide = 11;
    static constexpr size_t kColumns = 2 * kPerSide;

    explicit Lexicon(const LexiconSettings& settings)
        : settings_(settings), models_(settings.folds), source_(settings.cut), target_(settings.cut) {}

    size_t sampled() const { return lines_.size(); }
    size_t words() const { return numbers_.size(); }
    bool learnt() const { return learnt_; }
    const LexiconSettings& settings() const { return settings_; }

    // The first pass: units as they come.
    void add(std::string_view source, std::string_view target) {
        const uint64_t hash = place_of(source);
        if ((hash & mask_) != 0) return;
        source_.read(source);
        target_.read(target);
        if (!fits(source_) || !fits(target_)) return;
        if (!known_.insert(mix(hash, string_hash(target))).second) return;
        lines_.push_back({hash, uint32_t(sides_[0].size()), uint32_t(sides_[1].size())});
        keep(source_, sides_[0]);
        keep(target_, sides_[1]);
        while (std::max(sides_[0].size(), sides_[1].size()) > settings_.most_words && mask_ < (uint64_t(1) << 40)) thin();
    }

    // What the second pass asks for, for a process that has not learnt.
    template <class Archive>
    void travel(Archive& archive) {
        archive(learnt_);
        numbers_.travel(archive);
        archive(models_.size());
        for (Model& model : models_) {
            archive(model.links);
            archive(model.bits);
            archive(model.words);
            archive(model.usual);
        }
        for (auto* habits : {&true_[0], &true_[1], &random_[0], &random_[1]}) {
            archive.each(*habits, [&](Habits& own) { archive(own.classes); });
        }
        for (auto& own : own_) archive(own);
    }

    // Between the passes.
    void learn() {
        std::unordered_set<uint64_t>().swap(known_);  // training needs the most memory of all
        lines_.push_back({0, uint32_t(sides_[0].size()), uint32_t(sides_[1].size())});
        for (uint32_t fold = 0; fold < settings_.folds; ++fold) train(fold);
        calibrate();
        for (auto& side : sides_) std::vector<uint32_t>().swap(side);
        lines_.resize(0);
        learnt_ = true;
    }

    // The second pass: numbers of a unit.
    void numbers(std::string_view source, std::string_view target, double* row) {
        source_.read(source);
        target_.read(target);
        const uint32_t fold = fold_of(place_of(source));
        const Model& model = models_[fold];
        found_[0].assign_words(source_, numbers_, model);
        found_[1].assign_words(target_, numbers_, model);
        for (size_t side = 0; side < 2; ++side)
            for (const uint32_t number : found_[side].numbers)
                if (number != kNone && model.words[number].rows[side] != kNone)
                    fetch_memory(&own_[side][fold][model.words[number].rows[side]]);
        link(fold, found_[0], found_[1]);
        for (size_t side = 0; side < 2; ++side) {
            weigh(fold, side, found_[side], found_[1 - side].numbers.size());
            summarise(found_[side], side == 0 ? source_ : target_, row + side * kPerSide);
            row[side * kPerSide + 10] = at_home(fold, side, found_[side]);
        }
    }

    // Evidence of each word, after `numbers`.
    const MemoryWords& words_of(size_t side) const { return side == 0 ? source_ : target_; }
    std::span<const float> evidence(size_t side) const { return found_[side].evidence; }

    // A word of the source that is nearly always translated alike, and not here; and the word of the target that nothing
    // explains, which may be what it was translated as.
    struct Rendering {
        size_t source, target;  // places among the words of both sides
        uint32_t usual;         // the number of the usual translation
        double times, alike;    // how often the word was seen, and how often with a link that is strong enough
    };
    // Those of a unit, after `numbers`.
    void renderings(std::string_view source, std::vector<Rendering>& out) const {
        out.clear();
        const Side &ours = found_[0], &theirs = found_[1];
        size_t alone = theirs.size();
        for (size_t j = 0; j < theirs.size(); ++j)
            if (theirs.bins[j] == 0 && !theirs.digits[j] && theirs.whole[j] != 0 &&
                (alone == theirs.size() || theirs.evidence[j] < theirs.evidence[alone]))
                alone = j;
        if (alone == theirs.size() || theirs.evidence[alone] > -settings_.alone) return;
        const uint32_t fold = fold_of(place_of(source));
        const Model& model = models_[fold];
        for (size_t i = 0; i < ours.size(); ++i) {
            const uint32_t number = ours.numbers[i];
            if (ours.bins[i] != 0 || ours.digits[i] || number == kNone || model.words[number].rows[0] == kNone) continue;
            const OwnHabits& habits = own_[0][fold][model.words[number].rows[0]];
            double alike = 0.0;
            for (size_t bin = kStrong; bin < kBins; ++bin) alike += habits.right[bin];
            const uint32_t usual = model.usual[number];
            if (usual == kNone || habits.right_sum < settings_.often || alike < settings_.usually * habits.right_sum) continue;
            out.push_back({i, alone, usual, habits.right_sum, alike});
        }
    }
    std::string_view text_of(uint32_t number) const { return numbers_[number]; }

private:
    static constexpr uint32_t kNone = StringNumbers::kNone;
    static constexpr size_t kStrong = 4;   // bins from here on are links that tell
    static constexpr size_t kBins = 10;    // no link, seven strengths, spelt alike, spelt nearly alike
    static constexpr size_t kKinds = 8;    // of words, by how often they occur; the last has digits
    static constexpr size_t kLengths = 4;  // of the other side
    static constexpr size_t kClasses = kKinds * kLengths;
    using Bins = std::array<float, kBins>;

    struct Line {
        uint64_t hash;
        uint32_t source, target;  // where its words begin
    };
    struct Word {
        uint32_t counts[2], rows[2];  // rows of habits; kNone: it has none of its own
    };
    // Strengths of links of one fold: open addressing, keys of two numbers. Most pairs of words have no link, which bits
    // that fit into a processor's cache mostly know.
    struct Model {
        struct Link {
            uint64_t key = kFree;
            float strength = 0.0f;
        };
        std::vector<Link> links;
        std::vector<uint64_t> bits;
        std::vector<uint32_t> counts[2];  // of words, in the lines that it learnt from
        std::vector<Word> words;          // the same, and more, side by side for the second pass
        std::vector<uint32_t> usual;      // the target word that each source word is linked to most strongly
        size_t used = 0;

        static constexpr uint64_t kFree = ~uint64_t(0);
        static constexpr size_t kBits = size_t(1) << 22;
        void reserve(size_t n) {
            size_t capacity = 1024;
            while (capacity < 2 * n) capacity *= 2;
            links.assign(capacity, Link());
            bits.assign(kBits / 64, 0);
        }
        size_t slot(uint64_t key, uint64_t hash) const {
            const size_t mask = links.size() - 1;
            size_t i = size_t(hash) & mask;
            while (links[i].key != kFree && links[i].key != key) i = (i + 1) & mask;
            return i;
        }
        void put(uint64_t key, float strength) {
            const uint64_t hash = mix(key, 7), bit = hash >> 40 & (kBits - 1);
            links[slot(key, hash)] = {key, strength};
            bits[bit / 64] |= uint64_t(1) << bit % 64;
        }
        float strength(uint32_t source, uint32_t target) const {
            const uint64_t key = uint64_t(source) << 32 | target, hash = mix(key, 7), bit = hash >> 40 & (kBits - 1);
            if ((bits[bit / 64] >> bit % 64 & 1) == 0) return 0.0f;
            return links[slot(key, hash)].strength;
        }
    };
    struct Side {
        std::vector<uint32_t> numbers;
        std::vector<uint64_t> heads;  // the first letters, for words spelt nearly alike; 0: too short
        std::vector<uint64_t> whole;
        std::vector<float> strengths;
        std::vector<uint8_t> bins, digits;
        std::vector<float> evidence;

        void assign_words(const MemoryWords& words, const StringNumbers& known, const Model& model) {
            numbers.clear(), heads.clear(), whole.clear(), digits.clear();
            for (size_t i = 0; i < words.words.size(); ++i) {
                const std::string_view text = words[i];
                const uint64_t hash = string_hash(text);
                numbers.push_back(known.find(text, hash));
                if (numbers.back() != kNone) fetch_memory(&model.words[numbers.back()]);
                whole.push_back(hash);
                heads.push_back(head(text));
                digits.push_back(words.words[i].digits);
            }
        }
        static uint64_t head(std::string_view text) { return text.size() >= 4 ? load_bytes(text.data(), 4) : 0; }
        size_t size() const { return numbers.size(); }
    };
    struct Habits {  // how often each bin was seen
        std::vector<Bins> classes = std::vector<Bins>(kClasses, Bins{});
        std::vector<Bins> own;  // of frequent words
    };
    struct OwnHabits {  // of a frequent word, in true pairs and in random ones, side by side for the second pass
        Bins right, random;
        double right_sum, random_sum;
    };

    static uint64_t place_of(std::string_view source) { return mix(string_hash(source), 0x51ED270B); }
    uint32_t fold_of(uint64_t hash) const { return uint32_t((hash >> 44) % settings_.folds); }
    bool fits(const MemoryWords& words) const {
        return !words.words.empty() && int64_t(words.words.size()) <= settings_.longest;
    }
    void keep(const MemoryWords& words, std::vector<uint32_t>& side) {
        for (size_t i = 0; i < words.words.size(); ++i) {
            const uint32_t before = numbers_.size(), number = numbers_.add(words[i]);
            if (number == before) {
                heads_.push_back(Side::head(words[i]));
                whole_.push_back(string_hash(words[i]));
                digits_.push_back(words.words[i].digits);
            }
            side.push_back(number);
        }
    }
    // Half of the sample stays.
    void thin() {
        mask_ = mask_ << 1 | 1;
        size_t kept = 0, at[2] = {0, 0};
        lines_.push_back({0, uint32_t(sides_[0].size()), uint32_t(sides_[1].size())});
        for (size_t n = 0; n + 1 < lines_.size(); ++n) {
            const Line line = lines_[n], next = lines_[n + 1];
            if ((line.hash & mask_) != 0) continue;
            lines_[kept++] = {line.hash, uint32_t(at[0]), uint32_t(at[1])};
            for (uint32_t i = line.source; i < next.source; ++i) sides_[0][at[0]++] = sides_[0][i];
            for (uint32_t i = line.target; i < next.target; ++i) sides_[1][at[1]++] = sides_[1][i];
        }
        lines_.resize(kept);
        sides_[0].resize(at[0]);
        sides_[1].resize(at[1]);
    }

    // Words of a line.
    std::span<const uint32_t> side(size_t which, size_t n) const {
        const auto at = [&](size_t i) { return which == 0 ? lines_[i].source : lines_[i].target; };
        return std::span<const uint32_t>(sides_[which]).subspan(at(n), at(n + 1) - at(n));
    }

    void train(uint32_t fold) {
        Model& model = models_[fold];
        const size_t vocabulary = numbers_.size(), lines = lines_.size() - 1;
        std::vector<uint32_t> words[2];
        std::vector<int64_t> starts[2];
        for (size_t s = 0; s < 2; ++s) {
            model.counts[s].assign(vocabulary, 0);
            for (size_t n = 0; n < lines; ++n)
                if (fold_of(lines_[n].hash) != fold)
                    for (const uint32_t word : side(s, n)) ++model.counts[s][word];
            starts[s].push_back(0);
            for (size_t n = 0; n < lines; ++n) {
                if (fold_of(lines_[n].hash) == fold) continue;
                for (const uint32_t word : side(s, n))
                    if (model.counts[s][word] > 1) words[s].push_back(word);
                starts[s].push_back(int64_t(words[s].size()));
            }
        }
        const WordLists sources{words[0], starts[0]}, targets{words[1], starts[1]};
        Ibm1Settings settings;
        settings.iterations = settings_.iterations;
        settings.longest = settings_.longest;
        settings.most = int64_t(starts[0].size());
        const double weakest = settings_.weakest;
        struct Kept {
            uint64_t key;
            float chance;
        };
        std::vector<Kept> kept;
        {
            const Ibm1 there(sources, targets, uint32_t(vocabulary), settings);
            size_t chances = 0;
            there.each([&](uint32_t, uint32_t, double chance) { chances += chance > weakest * weakest; });
            kept.reserve(chances);
            there.each([&](uint32_t given, uint32_t made, double chance) {
                if (chance > weakest * weakest) kept.push_back({uint64_t(given) << 32 | made, float(chance)});
            });
        }
        std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.key < b.key; });
        size_t strong = 0;
        {
            const Ibm1 back(targets, sources, uint32_t(vocabulary), settings);
            back.each([&](uint32_t given, uint32_t made, double chance) {
                const uint64_t key = uint64_t(made) << 32 | given;
                const auto found = std::lower_bound(kept.begin(), kept.end(), key,
                                                    [](const Kept& own, uint64_t other) { return own.key < other; });
                if (found == kept.end() || found->key != key) return;
                const double strength = std::sqrt(double(found->chance) * chance);
                found->chance = strength > weakest ? -float(strength) : 0.0f;
                strong += strength > weakest;
            });
        }
        model.reserve(strong);
        for (const Kept& own : kept)
            if (own.chance < 0.0f) model.put(own.key, -own.chance);
        model.used = strong;
    }

    static uint8_t bin_of(float strength) {
        if (strength <= 0.0f) return 0;
        constexpr float edges[] = {0.004f, 0.012f, 0.035f, 0.1f, 0.25f, 0.5f};
        uint8_t bin = 1;
        for (const float edge : edges) bin += strength > edge;
        return bin;
    }

    // The strongest link of each word.
    void link(uint32_t fold, Side& source, Side& target) const {
        const Model& model = models_[fold];
        const size_t n = source.size(), m = target.size();
        source.strengths.assign(n, 0.0f), target.strengths.assign(m, 0.0f);
        source.bins.assign(n, 0), target.bins.assign(m, 0);
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < m; ++j) {
                if (source.numbers[i] != kNone && target.numbers[j] != kNone) {
                    const float strength = model.strength(source.numbers[i], target.numbers[j]);
                    source.strengths[i] = std::max(source.strengths[i], strength);
                    target.strengths[j] = std::max(target.strengths[j], strength);
                }
                const uint8_t alike = source.whole[i] == target.whole[j]                           ? 8
                                      : source.heads[i] != 0 && source.heads[i] == target.heads[j] ? 9
                                                                                                   : 0;
                if (alike) {
                    if (source.bins[i] != 8) source.bins[i] = alike;
                    if (target.bins[j] != 8) target.bins[j] = alike;
                }
            }
        for (Side* own : {&source, &target})
            for (size_t i = 0; i < own->size(); ++i) {
                const uint8_t bin = bin_of(own->strengths[i]);
                if (bin >= 4 || own->bins[i] == 0) own->bins[i] = bin;
            }
    }

    static size_t length_class(size_t words) { return words <= 4 ? 0 : words <= 10 ? 1 : words <= 25 ? 2 : 3; }
    static size_t class_of(uint32_t count, bool known, bool digits, size_t other) {
        size_t kind = 0;
        if (digits) kind = kKinds - 1;
        else if (known) {
            kind = count < 1 ? 0 : count < 3 ? 1 : count < 8 ? 2 : count < 30 ? 3 : count < 150 ? 4 : count < 1000 ? 5 : 6;
        }
        return kind * kLengths + length_class(other);
    }

    void assign_line(Side& side, std::span<const uint32_t> words) const {
        side.numbers.assign(words.begin(), words.end());
        side.heads.clear(), side.whole.clear(), side.digits.clear();
        for (const uint32_t word : words) {
            side.heads.push_back(heads_[word]);
            side.whole.push_back(whole_[word]);
            side.digits.push_back(digits_[word]);
        }
    }

    void count(uint32_t fold, size_t s, const Side& own, size_t other, std::vector<Habits>& habits) {
        const Model& model = models_[fold];
        for (size_t i = 0; i < own.size(); ++i) {
            const size_t kind = class_of(model.counts[s][own.numbers[i]], true, own.digits[i], other);
            habits[fold].classes[kind][own.bins[i]] += 1.0f;
            const uint32_t row = rows_[s][own.numbers[i]];
            if (row != kNone) habits[fold].own[row][own.bins[i]] += 1.0f;
        }
    }

    // True pairs, and pairs with another target of like length, each in the fold of its source.
    void calibrate() {
        const size_t lines = lines_.size() - 1, folds = settings_.folds;
        for (size_t s = 0; s < 2; ++s) {
            std::vector<uint32_t> counts(numbers_.size(), 0);
            for (const uint32_t word : sides_[s]) ++counts[word];
            rows_[s].assign(numbers_.size(), kNone);
            uint32_t rows = 0;
            for (size_t i = 0; i < counts.size(); ++i)
                if (counts[i] >= settings_.own_from) rows_[s][i] = rows++;
            for (auto* habits : {&true_[s], &random_[s]}) {
                habits->assign(folds + 1, Habits{});
                for (auto& own : *habits) own.own.assign(rows, Bins{});
            }
        }
        std::vector<uint32_t> order(lines);
        for (uint32_t n = 0; n < lines; ++n) order[n] = n;
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const size_t x = side(1, a).size(), y = side(1, b).size();
            return x != y ? x < y : lines_[a].hash < lines_[b].hash;
        });
        Poller poller;
        for (size_t n = 0; n < lines; ++n) {
            poller(1000);
            const uint32_t line = order[n], other = order[(n + 1) % lines];
            const uint32_t fold = fold_of(lines_[line].hash);
            for (const bool right : {true, false}) {
                assign_line(found_[0], side(0, line));
                assign_line(found_[1], side(1, right ? line : other));
                link(fold, found_[0], found_[1]);
                auto& habits = right ? true_ : random_;
                for (size_t s = 0; s < 2; ++s) count(fold, s, found_[s], found_[1 - s].size(), habits[s]);
            }
        }
        for (auto* sides : {&true_, &random_})  // each fold by what the others say
            for (auto& habits : *sides) {
                for (size_t fold = 0; fold < folds; ++fold) {
                    add_to(habits[folds].classes, habits[fold].classes, 1.0f);
                    add_to(habits[folds].own, habits[fold].own, 1.0f);
                }
                for (size_t fold = 0; fold < folds; ++fold) {
                    subtract_from(habits[folds].classes, habits[fold].classes);
                    subtract_from(habits[folds].own, habits[fold].own);
                }
                habits.pop_back();
            }
        for (uint32_t fold = 0; fold < folds; ++fold)
            for (size_t s = 0; s < 2; ++s) shares(true_[s][fold], random_[s][fold]);
        for (uint32_t fold = 0; fold < folds; ++fold) put_together(fold);
        for (auto& rows : rows_) std::vector<uint32_t>().swap(rows);
    }
    // What the second pass asks of a word lies in one place.
    void put_together(uint32_t fold) {
        const auto sum_of = [](const Bins& bins) {
            double sum = 0.0;
            for (const float value : bins) sum += value;
            return sum;
        };
        for (size_t s = 0; s < 2; ++s) {
            auto &right = true_[s][fold].own, &random = random_[s][fold].own;
            std::vector<OwnHabits> made;
            made.reserve(right.size());
            for (size_t row = 0; row < right.size(); ++row)
                made.push_back({right[row], random[row], sum_of(right[row]), sum_of(random[row])});
            own_[s].push_back(std::move(made));
            std::vector<Bins>().swap(right);
            std::vector<Bins>().swap(random);
        }
        Model& model = models_[fold];
        model.words.reserve(numbers_.size());
        for (uint32_t i = 0; i < numbers_.size(); ++i)
            model.words.push_back({{model.counts[0][i], model.counts[1][i]}, {rows_[0][i], rows_[1][i]}});
        for (auto& counts : model.counts) std::vector<uint32_t>().swap(counts);
        model.usual.assign(numbers_.size(), kNone);
        std::vector<float> best(numbers_.size(), kLeast);
        for (const auto& link : model.links) {
            if (link.key == Model::kFree) continue;
            const auto source = uint32_t(link.key >> 32), target = uint32_t(link.key);
            const bool better = link.strength > best[source] || (link.strength == best[source] && target < model.usual[source]);
            if (better) best[source] = link.strength, model.usual[source] = target;
        }
    }
    static constexpr float kLeast = 0.1f;  // strength of a usual translation
    static void add_to(std::vector<Bins>& sums, const std::vector<Bins>& more, float) {
        for (size_t i = 0; i < sums.size(); ++i)
            for (size_t b = 0; b < kBins; ++b) sums[i][b] += more[i][b];
    }
    static void subtract_from(const std::vector<Bins>& sums, std::vector<Bins>& part) {
        for (size_t i = 0; i < sums.size(); ++i)
            for (size_t b = 0; b < kBins; ++b) part[i][b] = sums[i][b] - part[i][b];
    }
    // Counts of classes become shares; those that were seen little lean on the sum of all.
    static void shares(Habits& right, Habits& random) {
        for (Habits* habits : {&right, &random}) {
            Bins all{};
            for (const Bins& bins : habits->classes)
                for (size_t b = 0; b < kBins; ++b) all[b] += bins[b];
            double total = 0.0;
            for (const float value : all) total += value;
            for (Bins& bins : habits->classes) {
                double sum = 0.0;
                for (const float value : bins) sum += value;
                for (size_t b = 0; b < kBins; ++b)
                    bins[b] = float((bins[b] + 30.0 * (all[b] + 1.0) / (total + kBins)) / (sum + 30.0));
            }
        }
    }

    // log P(bin | a true pair) - log P(bin | a random one).
    void weigh(uint32_t fold, size_t s, Side& own, size_t other) const {
        own.evidence.resize(own.size());
        const Model& model = models_[fold];
        for (size_t i = 0; i < own.size(); ++i) {
            const uint32_t number = own.numbers[i];
            const bool known = number != kNone;
            const uint32_t count = known ? model.words[number].counts[s] : 0, row = known ? model.words[number].rows[s] : kNone;
            const size_t kind = class_of(count, known, own.digits[i], other), bin = own.bins[i];
            double right = true_[s][fold].classes[kind][bin], random = random_[s][fold].classes[kind][bin];
            if (row != kNone) {
                const double k = settings_.own;
                const OwnHabits& habits = own_[s][fold][row];
                right = (habits.right[bin] + k * right) / (habits.right_sum + k);
                random = (habits.random[bin] + k * random) / (habits.random_sum + k);
            }
            own.evidence[i] = float(std::log(right / random));
        }
    }

    void summarise(const Side& own, const MemoryWords& words, double* row) const {
        const size_t n = own.size();
        double sum = 0.0, run = 0.0, best = 0.0, tail = 0.0, last = 0.0, worst = 0.0, second = 0.0;
        size_t begin = 0, best_begin = 0, best_end = 0, against = 0;
        for (size_t i = 0; i < n; ++i) {
            const double doubt = -double(own.evidence[i]);
            sum -= doubt;
            against += doubt > 0.5;
            if (run <= 0.0) run = 0.0, begin = i;
            run += doubt;
            if (run > best) best = run, best_begin = begin, best_end = i + 1;
            if (doubt > worst) second = worst, worst = doubt;
            else if (doubt > second) second = doubt;
        }
        for (size_t i = n; i-- > 0;) {
            last -= double(own.evidence[i]);
            tail = std::max(tail, last);
        }
        row[0] = double(n);
        row[1] = sum;
        row[2] = n ? sum / double(n) : 0.0;
        row[3] = best;
        row[4] = double(best_end - best_begin);
        row[5] = tail;
        row[6] = worst;
        row[7] = second;
        row[8] = n ? double(against) / double(n) : 0.0;
        row[9] = double(words.marks);
    }

    // How much more often the words occur on their own side than on the other: below 0, the text is in the wrong language.
    double at_home(uint32_t fold, size_t s, const Side& own) const {
        const Model& model = models_[fold];
        double sum = 0.0;
        size_t n = 0;
        for (size_t i = 0; i < own.size(); ++i) {
            const uint32_t number = own.numbers[i];
            if (number == kNone || own.digits[i]) continue;
            const double here = model.words[number].counts[s] + 0.5, there = model.words[number].counts[1 - s] + 0.5;
            sum += std::clamp(std::log(here / there), -4.0, 4.0);
            ++n;
        }
        return sum / (double(n) + 1.0);
    }

    LexiconSettings settings_;
    StringNumbers numbers_;  // of the sample's words; both sides share them
    std::vector<uint64_t> heads_, whole_;
    std::vector<uint8_t> digits_;
    std::vector<Line> lines_;
    std::vector<uint32_t> sides_[2];
    std::unordered_set<uint64_t> known_;
    uint64_t mask_ = 0;
    bool learnt_ = false;
    std::vector<Model> models_;
    std::vector<uint32_t> rows_[2];
    std::vector<Habits> true_[2], random_[2];     // by side and fold
    std::vector<std::vector<OwnHabits>> own_[2];  // by side and fold
    MemoryWords source_, target_;
    Side found_[2];
};

}  // namespace tertium
