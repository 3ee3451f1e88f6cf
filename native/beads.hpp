// Two lists of sentences that say the same, taken apart into beads: so many sentences of the one, so many of the other.
//
// The best path is found by dynamic programming within a band of cells. A bead's score is a logarithm of odds: how much more
// likely its sentences are as translations of each other than as sentences that met by chance (after Moore 2002). Four things
// speak: how frequent beads of its kind are, lengths in characters (Gale and Church 1993), words (IBM model 1 in both
// directions, and spelling), and, where they are given, vectors of sentences. A sentence left alone has the odds of its kind and
// nothing else.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "interrupts.hpp"
#include "word_pairs.hpp"

namespace tertium {

struct BeadKind {
    uint32_t sources, targets;
};
constexpr std::array<BeadKind, 12> kBeads{
    {{1, 1}, {1, 0}, {0, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 1}, {1, 3}, {4, 1}, {1, 4}, {3, 2}, {2, 3}}};
constexpr size_t kMostJoined = 4;  // sentences of a side

struct BeadSettings {
    double ratio = 1.0;                         // characters of a target for one of its source
    double variance = 6.8;                      // of that, for each character
    double lengths = 1.0;                       // how much lengths count
    double words = 1.0;                         // how much words count
    double vectors = 0.0;                       // how much vectors count
    double usual = 0.0;                         // similarity of vectors of sentences that met by chance
    double unexplained = 0.2;                   // share of words that nothing explains
    double crossing = 3.0;                      // what it costs to join sentences of different paragraphs
    double breaks = 1.0;                        // what it earns to begin a paragraph on both sides, and costs on one
    std::array<double, kBeads.size()> kinds{};  // logarithm of the frequency of each kind
};

struct Bead {
    uint32_t source, target;  // where it begins
    uint8_t kind;
    float score;
};

// Cells that are looked at: of each row (so many sources) from `low` to `high` targets.
struct Band {
    std::vector<uint32_t> low, high;
};

// Sentences of one side, their words numbered within the document.
struct BeadSide {
    NumberedTexts texts;
    std::vector<uint32_t> vocabulary;  // numbers of the table
    std::vector<double> lengths;       // characters
    std::vector<uint8_t> breaks;       // 1: begins a paragraph
    std::vector<float> inverse;        // of each word's frequency
    std::vector<uint8_t> explicable;   // words that some word of the other side may explain
    std::vector<double> surprise;      // minus the logarithm of how likely a sentence's length is
    std::span<const float> vectors;    // of sentences, each of length 1; empty: none
    size_t dimensions = 0;

    size_t size() const { return texts.size(); }
};

class BeadFinder {
public:
    // Sentences must not be missing. `seen`: how often words of the table occurred in what it learnt from.
    BeadFinder(WordPairs& table, std::span<const std::string_view> sources, std::span<const std::string_view> targets)
        : source_(side(table, sources, 0)), target_(side(table, targets, 1)) {
        made_ = table.made_by(source_.vocabulary, target_.vocabulary);
        makers_ = table.makers_of(source_.vocabulary, target_.vocabulary);
        source_.explicable.assign(source_.vocabulary.size(), 0);
        target_.explicable.assign(target_.vocabulary.size(), 0);
        for (size_t n = 0; n < made_.size(); ++n) {
            if (!makers_[n].empty()) source_.explicable[n] = 1;
            for (const WordChance& pair : made_[n]) target_.explicable[pair.other] = 1;
        }
        postings_.resize(target_.vocabulary.size());
        for (uint32_t k = 0; k < target_.size(); ++k)
            for (const uint32_t word : target_.texts[k]) postings_[word].push_back(k);
    }

    BeadSide& source() { return source_; }
    BeadSide& target() { return target_; }

    // Sentences that share a word which nothing else on either side has, in an order that both sides keep.
    std::vector<std::pair<uint32_t, uint32_t>> anchors() const {
        const auto only = [](const BeadSide& side) {
            std::vector<uint32_t> found(side.vocabulary.size(), kMany);
            std::vector<uint32_t> times(side.vocabulary.size(), 0);
            for (uint32_t n = 0; n < side.size(); ++n)
                for (const uint32_t word : side.texts[n])
                    if (found[word] != n || times[word] == 0) found[word] = n, ++times[word];
            for (size_t word = 0; word < found.size(); ++word)
                if (times[word] != 1) found[word] = kMany;
            return found;
        };
        const auto ours = only(source_), theirs = only(target_);
        std::vector<std::pair<uint32_t, uint32_t>> points;
        for (size_t word = 0; word < made_.size(); ++word)
            if (ours[word] != kMany)
                for (const WordChance& pair : made_[word])
                    if (source_.vocabulary[word] == target_.vocabulary[pair.other] && theirs[pair.other] != kMany)
                        points.push_back({ours[word], theirs[pair.other]});
        std::sort(points.begin(), points.end());
        return supported(rising(points));
    }

    // Around points in order; between them straight lines.
    Band band(const std::vector<std::pair<uint32_t, uint32_t>>& points, uint32_t half) const {
        const size_t n = source_.size(), m = target_.size();
        Band found;
        found.low.resize(n + 1), found.high.resize(n + 1);
        size_t next = 0;
        double from_i = 0, from_j = 0;
        const auto point = [&](size_t at) {
            return at < points.size() ? std::pair<double, double>(points[at]) : std::pair<double, double>(n, m);
        };
        const auto centre = [&](double i) {
            while (next < points.size() && point(next).first < i) {
                from_i = point(next).first, from_j = point(next).second;
                ++next;
            }
            const auto [to_i, to_j] = point(next);
            return to_i > from_i ? from_j + (to_j - from_j) * (i - from_i) / (to_i - from_i) : to_j;
        };
        double before = 0;
        for (size_t i = 0; i <= n; ++i) {
            const double here = i == 0 ? 0 : centre(double(i));
            found.low[i] = uint32_t(std::max(0.0, std::floor(std::min(before, here)) - half));
            found.high[i] = uint32_t(std::min(double(m), std::ceil(here) + half));
            before = here;
        }
        found.low[0] = 0;
        found.high[n] = uint32_t(m);
        for (size_t i = 1; i <= n; ++i) {
            found.low[i] = std::max(found.low[i], found.low[i - 1]);
            found.high[i] = std::max(found.high[i], found.high[i - 1]);
        }
        for (size_t i = 0; i <= n; ++i) found.low[i] = std::min(found.low[i], i == 0 ? 0 : found.high[i - 1]);
        return found;
    }

    // The best beads in a band; `touched`: the path runs along its edge, so a wider one may have a better path.
    std::vector<Bead> find(const Band& band, const BeadSettings& settings, bool& touched) {
        start(settings);
        const size_t n = source_.size(), m = target_.size();
        std::vector<size_t> offsets(n + 2, 0);
        for (size_t i = 0; i <= n; ++i) offsets[i + 1] = offsets[i] + band.high[i] - band.low[i] + 1;
        if (offsets[n + 1] > kMostCells) throw std::length_error("the documents are too long and too different");
        std::vector<uint8_t> came(offsets[n + 1], kNowhere);
        std::vector<float> gains(offsets[n + 1], 0.0f);
        std::array<std::vector<double>, kMostJoined + 1> rows;
        Poller poller;
        for (size_t i = 0; i <= n; ++i) {
            const uint32_t low = band.low[i], high = band.high[i];
            if (i > 0) look_at(i - 1, low, band.high[std::min(n, i + kMostJoined - 1)]);
            auto& row = rows[i % rows.size()];
            row.assign(high - low + 1, kImpossible);
            if (i == 0) row[0] = 0.0;
            for (uint32_t j = low; j <= high; ++j) {
                poller(4);
                const size_t cell = offsets[i] + j - low;
                double& best = row[j - low];
                for (uint8_t kind = 0; kind < kBeads.size(); ++kind) {
                    const auto [a, b] = kBeads[kind];
                    if (a > i || b > j) continue;
                    const size_t above = i - a;
                    if (j - b < band.low[above] || j - b > band.high[above]) continue;
                    const double until = rows[above % rows.size()][j - b - band.low[above]];
                    if (until == kImpossible) continue;
                    const double gain = score(kind, i, j);
                    if (until + gain > best) {
                        best = until + gain;
                        came[cell] = kind;
                        gains[cell] = float(gain);
                    }
                }
            }
        }
        std::vector<Bead> path;
        touched = false;
        size_t i = n, j = m;
        while (i > 0 || j > 0) {
            const size_t cell = offsets[i] + j - band.low[i];
            const uint8_t kind = came[cell];
            if (kind == kNowhere) throw std::length_error("no path through the band");
            if ((band.low[i] > 0 && j <= band.low[i] + kEdge) || (band.high[i] < m && j + kEdge >= band.high[i]))
                touched = true;
            i -= kBeads[kind].sources;
            j -= kBeads[kind].targets;
            path.push_back({uint32_t(i), uint32_t(j), kind, gains[cell]});
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    static constexpr uint8_t kNowhere = 255;
    static constexpr uint32_t kMany = 0xFFFFFFFFu;
    static constexpr uint32_t kEdge = 2;
    static constexpr size_t kMostCells = 500'000'000;
    static constexpr double kImpossible = -std::numeric_limits<double>::infinity();
    static constexpr double kOutliers = 0.03;  // lengths that follow nothing

    static BeadSide side(WordPairs& table, std::span<const std::string_view> texts, size_t which) {
        BeadSide found;
        NumberedTexts read;
        for (const std::string_view text : texts) {
            table.read(text, read);
            found.lengths.push_back(double(table.characters()) + 1.0);
        }
        std::vector<uint32_t>& words = found.vocabulary;
        words = read.words;
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        std::vector<double> counts(words.size());
        double all = 0;
        for (size_t n = 0; n < words.size(); ++n) all += counts[n] = double(table.seen(which, words[n]));
        for (uint32_t& word : read.words) {
            word = uint32_t(std::lower_bound(words.begin(), words.end(), word) - words.begin());
            counts[word] += 1;
        }
        all = double(table.seen_words(which)) + double(read.words.size());
        found.inverse.resize(words.size());
        for (size_t n = 0; n < words.size(); ++n) found.inverse[n] = float(all / counts[n]);
        found.texts = std::move(read);
        found.breaks.assign(texts.size(), 0);
        double sum = 0, squares = 0;
        for (const double length : found.lengths) sum += std::log(length), squares += std::log(length) * std::log(length);
        const double n = std::max<double>(1, double(texts.size())), mean = sum / n;
        const double deviation = std::sqrt(std::max(0.25, squares / n - mean * mean));
        for (const double length : found.lengths) {
            const double z = (std::log(length) - mean) / deviation;
            found.surprise.push_back(0.5 * z * z + std::log(length * deviation * kRootTwoPi));
        }
        return found;
    }

    // The longest run of points that rises on both sides.
    static std::vector<std::pair<uint32_t, uint32_t>> rising(const std::vector<std::pair<uint32_t, uint32_t>>& points) {
        std::vector<size_t> tails, before(points.size());
        for (size_t p = 0; p < points.size(); ++p) {
            const auto less = [&](size_t tail, uint32_t value) { return points[tail].second < value; };
            const auto at = std::lower_bound(tails.begin(), tails.end(), points[p].second, less);
            before[p] = at == tails.begin() ? points.size() : *(at - 1);
            if (at == tails.end()) tails.push_back(p);
            else *at = p;
        }
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (size_t p = tails.empty() ? points.size() : tails.back(); p < points.size(); p = before[p])
            found.push_back(points[p]);
        std::reverse(found.begin(), found.end());
        return found;
    }
    // Those that have another nearby, about as far along on both sides.
    static std::vector<std::pair<uint32_t, uint32_t>> supported(const std::vector<std::pair<uint32_t, uint32_t>>& points) {
        const auto near = [](const auto& one, const auto& other) {
            const double rows = double(other.first) - one.first, columns = double(other.second) - one.second;
            return rows <= 40 && columns <= 40 && std::abs(rows - columns) <= 8;
        };
        std::vector<std::pair<uint32_t, uint32_t>> found;
        for (size_t p = 0; p < points.size(); ++p)
            if ((p > 0 && near(points[p - 1], points[p])) || (p + 1 < points.size() && near(points[p], points[p + 1])))
                found.push_back(points[p]);
        return found;
    }

    void start(const BeadSettings& settings) {
        settings_ = settings;
        missing_ = std::log(settings.unexplained);
        for (auto& sums : spread_) sums.assign(target_.vocabulary.size(), 0.0f);
        touched_.clear();
        for (auto& row : backward_) row.values.clear();
    }

    // The source that is last now: what it and those before it say about targets from `low` - 4 to `high`.
    void look_at(size_t last, uint32_t low, uint32_t high) {
        low = low > kMostJoined ? low - uint32_t(kMostJoined) : 0;
        explain_targets(last, low, high);
        explain_source(last, low, high);
        if (!source_.vectors.empty()) compare_vectors(last, low, high);
    }

    // forward_[a - 1][k]: how well words of target k are explained by the last a sources.
    void explain_targets(size_t last, uint32_t low, uint32_t high) {
        for (const uint32_t word : touched_)
            for (auto& sums : spread_) sums[word] = 0.0f;
        touched_.clear();
        std::array<double, kMostJoined> scale{};
        double words = 0;
        for (size_t a = 0; a < kMostJoined; ++a) {
            if (a <= last)
                for (const uint32_t word : source_.texts[last - a]) {
                    words += 1;
                    for (const WordChance& pair : made_[word]) {
                        touched_.push_back(pair.other);
                        for (size_t wider = a; wider < kMostJoined; ++wider) spread_[wider][pair.other] += pair.chance;
                    }
                }
            scale[a] = words > 0 ? (1.0 - settings_.unexplained) / words : 0.0;
        }
        first_ = low;
        for (auto& row : forward_) row.assign(high - low + 1, 0.0);
        for (uint32_t k = low; k < high && k < target_.size(); ++k)
            for (const uint32_t word : target_.texts[k]) {
                if (!target_.explicable[word]) continue;
                const bool any = spread_[kMostJoined - 1][word] > 0.0f;
                for (size_t a = 0; a < kMostJoined; ++a)
                    forward_[a][k - low] +=
                        any ? std::log(settings_.unexplained + scale[a] * spread_[a][word] * target_.inverse[word]) : missing_;
            }
    }

    // How well words of the last source are explained by b targets, the last of which is k.
    void explain_source(size_t last, uint32_t low, uint32_t high) {
        Backward& row = backward_[last % kMostJoined];
        const size_t width = high - low + 1;
        row.first = low;
        row.values.assign(width * kMostJoined, 0.0);
        here_.assign(width, 0.0f);
        std::vector<double> lengths(width * kMostJoined, 0.0);
        for (size_t k = 0; k < width; ++k)
            for (size_t b = 0; b < kMostJoined; ++b) {
                const size_t target = low + k;
                const double before = b == 0 ? 0.0 : lengths[k * kMostJoined + b - 1];
                lengths[k * kMostJoined + b] =
                    before + (target >= b && target - b < target_.size() ? double(target_.texts[target - b].size()) : 0.0);
            }
        double base = 0;
        for (const uint32_t word : source_.texts[last]) {
            if (!source_.explicable[word]) continue;
            base += missing_;
            bool any = false;
            for (const WordChance& pair : makers_[word]) {
                const auto& posts = postings_[pair.other];
                for (auto at = std::lower_bound(posts.begin(), posts.end(), low); at != posts.end() && *at < low + width;
                     ++at) {
                    here_[*at - low] += pair.chance;
                    any = true;
                }
            }
            if (!any) continue;
            const double inverse = (1.0 - settings_.unexplained) * source_.inverse[word];
            for (size_t k = 0; k < width; ++k) {
                double sum = 0;
                for (size_t b = 0; b < kMostJoined; ++b) {
                    if (k >= b) sum += here_[k - b];
                    if (sum <= 0) continue;
                    const double length = lengths[k * kMostJoined + b];
                    row.values[k * kMostJoined + b] += std::log(settings_.unexplained + inverse * sum / length) - missing_;
                }
            }
            std::fill(here_.begin(), here_.end(), 0.0f);
        }
        for (double& value : row.values) value += base;
    }

    // similar_[a - 1][k][b - 1]: cosine of the sums of vectors.
    void compare_vectors(size_t last, uint32_t low, uint32_t high) {
        const size_t d = source_.dimensions, width = high - low + 1;
        std::vector<float> ours(d, 0.0f), theirs(d);
        for (size_t a = 0; a < kMostJoined && a <= last; ++a) {
            add(ours, source_.vectors.subspan((last - a) * d, d));
            const double length = norm(ours);
            similar_[a].assign(width * kMostJoined, 0.0);
            for (size_t k = 0; k < width && low + k < target_.size(); ++k) {
                std::fill(theirs.begin(), theirs.end(), 0.0f);
                for (size_t b = 0; b < kMostJoined && low + k >= b; ++b) {
                    if (a > 0 && b > 2) break;  // no such beads
                    add(theirs, target_.vectors.subspan((low + k - b) * d, d));
                    double dot = 0;
                    for (size_t x = 0; x < d; ++x) dot += double(ours[x]) * theirs[x];
                    const double lengths = length * norm(theirs);
                    similar_[a][k * kMostJoined + b] = lengths > 0 ? dot / lengths : 0.0;
                }
            }
        }
    }
    static void add(std::vector<float>& sum, std::span<const float> more) {
        for (size_t x = 0; x < sum.size(); ++x) sum[x] += more[x];
    }
    static double norm(const std::vector<float>& vector) {
        double sum = 0;
        for (const float x : vector) sum += double(x) * x;
        return std::sqrt(sum);
    }

    // Of the bead that ends with the first i sources and j targets.
    double score(uint8_t kind, size_t i, size_t j) const {
        const auto [a, b] = kBeads[kind];
        double sum = settings_.kinds[kind];
        if (a == 0 || b == 0) return sum;
        double words = 0, length = 0, other = 0, surprise = 0;
        for (size_t k = j - b; k < j; ++k) {
            words += forward_[a - 1][k - first_];
            other += target_.lengths[k];
            surprise += target_.surprise[k];
        }
        for (size_t r = i - a; r < i; ++r) {
            words += backward_[r % kMostJoined].at(j - 1, b);
            length += source_.lengths[r];
        }
        sum += settings_.words * 0.5 * words;
        const double variance = settings_.variance * settings_.ratio * 0.5 * (length * settings_.ratio + other);
        const double away = other - settings_.ratio * length;
        const double likely = -0.5 * away * away / variance - 0.5 * std::log(variance) - kLogRootTwoPi;
        const double split = b > 1 ? std::log(other) * double(b - 1) : 0.0;
        sum +=
            settings_.lengths * std::log((1.0 - kOutliers) * std::exp(std::min(50.0, likely - split + surprise)) + kOutliers);
        if (!source_.vectors.empty())
            sum += settings_.vectors * (similar_[a - 1][(j - 1 - first_) * kMostJoined + b - 1] - settings_.usual);
        for (size_t r = i - a + 1; r < i; ++r) sum -= settings_.crossing * source_.breaks[r];
        for (size_t k = j - b + 1; k < j; ++k) sum -= settings_.crossing * target_.breaks[k];
        const int begins = source_.breaks[i - a] + target_.breaks[j - b];
        return sum + (begins == 2 ? settings_.breaks : begins == 1 ? -settings_.breaks : 0.0);
    }

    static constexpr double kRootTwoPi = 2.5066282746310002;
    static constexpr double kLogRootTwoPi = 0.9189385332046727;

    struct Backward {
        size_t first = 0;
        std::vector<double> values;  // of each target, kMostJoined
        double at(size_t target, size_t targets) const { return values[(target - first) * kMostJoined + targets - 1]; }
    };

    BeadSide source_, target_;
    std::vector<std::vector<WordChance>> made_, makers_;  // of source words
    std::vector<std::vector<uint32_t>> postings_;         // targets that have a word, in order
    BeadSettings settings_;
    double missing_ = 0;
    size_t first_ = 0;  // target of the first cell of forward_ and similar_
    std::array<std::vector<float>, kMostJoined> spread_;
    std::vector<uint32_t> touched_;
    std::array<std::vector<double>, kMostJoined> forward_, similar_;
    std::array<Backward, kMostJoined> backward_;
    std::vector<float> here_;
};

}  // namespace tertium
