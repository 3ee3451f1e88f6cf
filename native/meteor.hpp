// METEOR 1.5's statistics and score (Denkowski and Lavie 2014), and METEOR over weighted links (seed 004, the paragraph
// form, d = 0.5 (chunks / matches)^3), both from the same alignments.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exact_sum.hpp"
#include "meteor_align.hpp"

namespace tertium {

struct MeteorParameters {
    double alpha, beta, gamma, delta;
    std::array<double, 4> weights;  // of the modules, by their place in the list
};

// The numbers of METEOR's own statistics line, and one more: whether all words of both texts are matched in one chunk.
// Such a segment's chunk is not counted, neither alone nor in a sum.
struct MeteorColumns {
    static constexpr size_t kLength = 0, kTheirLength = 1, kFunction = 2, kTheirFunction = 3, kStages = 4, kChunks = 20,
                            kMatched = 21, kTheirMatched = 22, kWhole = 23, kNumber = 24;
};

// In percent; 0 where nothing matches.
inline double meteor_score(const int64_t* row, const MeteorParameters& parameters) {
    using C = MeteorColumns;
    const double delta = parameters.delta;
    const auto rate = [&](size_t side) {
        double matched = 0;
        for (size_t stage = 0; stage < 4; ++stage) {
            const int64_t* counts = row + C::kStages + 4 * stage;
            matched += parameters.weights[stage] * (delta * double(counts[side]) + (1 - delta) * double(counts[side + 2]));
        }
        const auto functions = double(row[C::kFunction + side]);
        return matched / (delta * (double(row[C::kLength + side]) - functions) + (1 - delta) * functions);
    };
    const double precision = rate(0), recall = rate(1);
    const double mean = 1 / ((1 - parameters.alpha) / precision + parameters.alpha / recall);
    const double matched = double(row[C::kMatched] + row[C::kTheirMatched]) / 2;
    const double fragmentation = double(row[C::kChunks] - row[C::kWhole]) / matched;
    const double score = mean * (1 - parameters.gamma * std::pow(fragmentation, parameters.beta));
    return std::isfinite(score) ? 100 * score : 0;
}

// Prepared references: the words of each stream.
struct MeteorReferences {
    std::shared_ptr<MeteorLexicon> lexicon;
    std::vector<std::shared_ptr<MeteorTexts>> streams;
    size_t size() const { return streams.empty() ? 0 : streams[0]->size(); }
};

// Both sides as the aligner takes them. For one thread.
struct MeteorPairs {
    MeteorSegments hypotheses;
    std::vector<MeteorSegments> streams;

    MeteorPairs(const MeteorTexts& texts, const MeteorReferences& references, const std::vector<MeteorModule>& modules)
        : hypotheses(*references.lexicon, texts, with_phrases(modules)) {
        for (const auto& stream : references.streams) streams.emplace_back(*references.lexicon, *stream, with_phrases(modules));
    }

private:
    static bool with_phrases(const std::vector<MeteorModule>& modules) {
        return std::ranges::find(modules, MeteorModule::paraphrase) != modules.end();
    }
};

class MeteorKernel {
public:
    MeteorKernel(const MeteorTexts& hypotheses, const MeteorReferences& references, const std::vector<MeteorModule>& modules,
                 uint32_t beam, const MeteorParameters& parameters, bool characters)
        : lexicon_(*references.lexicon),
          aligner_(lexicon_, modules, beam),
          pairs_(hypotheses, references, modules),
          parameters_(parameters),
          characters_(characters) {}

    void row(size_t segment, int64_t* row) {
        double best = -1;
        std::array<int64_t, MeteorColumns::kNumber> one;
        const MeteorSide ours = pairs_.hypotheses[segment];
        for (MeteorSegments& stream : pairs_.streams) {
            if (stream.missing(segment)) continue;
            statistics(ours, stream[segment], one.data());
            const double score = meteor_score(one.data(), parameters_);
            if (score <= best) continue;  // the first of equally good ones
            best = score;
            std::copy(one.begin(), one.end(), row);
        }
    }

private:
    void statistics(const MeteorSide& our_side, const MeteorSide& their_side, int64_t* row) {
        using C = MeteorColumns;
        std::fill_n(row, C::kNumber, 0);
        const uint32_t chunks = aligner_.align(our_side, their_side);
        const std::span<const uint32_t> ours = our_side.words, theirs = their_side.words;
        length(ours, row, 0);
        length(theirs, row, 1);
        for (const MeteorMatch& match : aligner_.matches()) {
            int64_t* stage = row + C::kStages + 4 * match.stage;
            count(ours.subspan(match.ours, match.our_length), stage, 0);
            count(theirs.subspan(match.theirs, match.their_length), stage, 1);
            row[C::kMatched] += match.our_length;
            row[C::kTheirMatched] += match.their_length;
        }
        row[C::kChunks] = chunks;
        row[C::kWhole] =
            chunks == 1 && row[C::kMatched] == int64_t(ours.size()) && row[C::kTheirMatched] == int64_t(theirs.size());
    }
    int64_t size(const MeteorWord& word) const { return characters_ ? word.characters : 1; }
    void length(std::span<const uint32_t> words, int64_t* row, size_t side) const {
        for (const uint32_t number : words) {
            const MeteorWord& word = lexicon_[number];
            row[MeteorColumns::kLength + side] += size(word);
            if (word.function) row[MeteorColumns::kFunction + side] += size(word);
        }
    }
    void count(std::span<const uint32_t> words, int64_t* stage, size_t side) const {
        for (const uint32_t number : words) {
            const MeteorWord& word = lexicon_[number];
            stage[side + (word.function ? 2 : 0)] += size(word);
        }
    }

    const MeteorLexicon& lexicon_;
    MeteorAligner aligner_;
    MeteorPairs pairs_;
    MeteorParameters parameters_;
    bool characters_;
};

// The alignments of a column of segments with all their references, as links between words that can be weighted.
class MeteorLinks {
public:
    static constexpr size_t kColumns = 2 * kDigits + 5;  // weights of both sides; matched words, lengths, chunks

    struct Alignment {
        size_t segment;
        uint32_t length, their_length, chunks;
        std::vector<MeteorMatch> matches;
        std::span<const uint32_t> ours, theirs;
    };

    MeteorLinks(std::shared_ptr<MeteorTexts> hypotheses, std::shared_ptr<MeteorReferences> references)
        : hypotheses_(std::move(hypotheses)), references_(std::move(references)), by_segment_(hypotheses_->size()) {}

    MeteorPairs sides(const std::vector<MeteorModule>& modules) const { return {*hypotheses_, *references_, modules}; }
    void align(size_t segment, MeteorPairs& sides, MeteorAligner& aligner) {  // different segments on different threads
        const MeteorSide ours = sides.hypotheses[segment];
        for (MeteorSegments& stream : sides.streams) {
            if (stream.missing(segment)) continue;
            const MeteorSide theirs = stream[segment];
            const uint32_t chunks = aligner.align(ours, theirs);
            add(segment, ours, theirs, chunks, aligner.matches());
        }
    }
    // What an aligner found for a segment and one of its references.
    void add(size_t segment, const MeteorSide& ours, const MeteorSide& theirs, uint32_t chunks,
             const std::vector<MeteorMatch>& matches) {
        by_segment_[segment].push_back(
            {segment, uint32_t(ours.words.size()), uint32_t(theirs.words.size()), chunks, matches, ours.words, theirs.words});
    }
    // Numbers the pairs of different words that are linked, in the order of segments.
    void number_pairs() {
        for (const auto& alignments : by_segment_)
            for (const Alignment& alignment : alignments)
                for (const MeteorMatch& match : alignment.matches)
                    each_pair(alignment, match, [&](uint32_t a, uint32_t b) {
                        if (a != b && numbers_.try_emplace(key(a, b), uint32_t(pairs_.size())).second)
                            pairs_.emplace_back(a, b);
                    });
    }
    size_t size() const { return by_segment_.size(); }
    const std::vector<std::pair<uint32_t, uint32_t>>& pairs() const { return pairs_; }
    const MeteorLexicon& lexicon() const { return *references_->lexicon; }
    const std::vector<Alignment>& alignments(size_t segment) const { return by_segment_[segment]; }

    // `weights` of the pairs, or empty: all links weigh 1. Of several references the best.
    void row(size_t segment, std::span<const double> weights, int64_t* row) const {
        double best = -1;
        std::array<int64_t, kColumns> one;
        for (const Alignment& alignment : by_segment_[segment]) {
            statistics(alignment, weights, one.data());
            const double score = MeteorLinks::score(one.data());
            if (score <= best) continue;
            best = score;
            std::copy(one.begin(), one.end(), row);
        }
    }
    // a (1 - d): a = 10 P R / (R + 9 P), d = 0.5 (chunks / matched words)^3. In percent; 0 where nothing matches.
    static double score(const int64_t* row) {
        const int64_t* counts = row + 2 * kDigits;
        const double precision = from_digits(row) / double(counts[2]);
        const double recall = from_digits(row + kDigits) / double(counts[3]);
        const double matched = double(counts[0] + counts[1]) / 2;
        const double adequacy = 10 * precision * recall / (recall + 9 * precision);
        const double disfluency = 0.5 * std::pow(double(counts[4]) / matched, 3);
        const double score = adequacy * (1 - disfluency);
        return std::isfinite(score) ? 100 * score : 0;
    }

private:
    static uint64_t key(uint32_t a, uint32_t b) { return uint64_t(a) << 32 | b; }
    template <class Found>
    static void each_pair(const Alignment& alignment, const MeteorMatch& match, Found&& found) {
        for (uint32_t i = 0; i < match.our_length; ++i)
            for (uint32_t j = 0; j < match.their_length; ++j)
                found(alignment.ours[match.ours + i], alignment.theirs[match.theirs + j]);
    }
    double weight(uint32_t a, uint32_t b, std::span<const double> weights) const {
        return a == b || weights.empty() ? 1.0 : weights[numbers_.at(key(a, b))];
    }
    // In a link of phrases each word weighs as its most similar partner says.
    void statistics(const Alignment& alignment, std::span<const double> weights, int64_t* row) const {
        double ours = 0, theirs = 0;
        int64_t* counts = row + 2 * kDigits;
        std::fill_n(row, kColumns, 0);
        for (const MeteorMatch& match : alignment.matches) {
            counts[0] += match.our_length;
            counts[1] += match.their_length;
            for (uint32_t i = 0; i < match.our_length; ++i) {
                double most = 0;
                for (uint32_t j = 0; j < match.their_length; ++j)
                    most = std::max(most, weight(alignment.ours[match.ours + i], alignment.theirs[match.theirs + j], weights));
                ours += most;
            }
            for (uint32_t j = 0; j < match.their_length; ++j) {
                double most = 0;
                for (uint32_t i = 0; i < match.our_length; ++i)
                    most = std::max(most, weight(alignment.ours[match.ours + i], alignment.theirs[match.theirs + j], weights));
                theirs += most;
            }
        }
        to_digits(ours, row);
        to_digits(theirs, row + kDigits);
        counts[2] = alignment.length;
        counts[3] = alignment.their_length;
        counts[4] = alignment.chunks;
    }

    std::shared_ptr<MeteorTexts> hypotheses_;
    std::shared_ptr<MeteorReferences> references_;
    std::vector<std::vector<Alignment>> by_segment_;
    std::unordered_map<uint64_t, uint32_t> numbers_;
    std::vector<std::pair<uint32_t, uint32_t>> pairs_;
};

}  // namespace tertium
