// How alike two phrases are: similarities of their words, weighted by what words say, n-gram by n-gram (YiSi, MEANT 2.0).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dots.hpp"
#include "interrupts.hpp"
#include "vector_table.hpp"
#include "word_weights.hpp"

namespace tertium {

// Bytes of the longest string that stands in both words.
inline size_t common_substring(std::string_view a, std::string_view b, std::vector<uint32_t>& row) {
    if (a.size() < b.size()) std::swap(a, b);
    row.assign(b.size() + 1, 0);
    uint32_t longest = 0;
    for (const char c : a) {
        uint32_t diagonal = 0;
        for (size_t j = 1; j <= b.size(); ++j) {
            const uint32_t above = row[j];
            row[j] = c == b[j - 1] ? diagonal + 1 : 0;
            longest = std::max(longest, row[j]);
            diagonal = above;
        }
    }
    return longest;
}

// What makes two words alike. `substring`: characters in common. `vectors`: 1 for words that differ in capitals only,
// else the cosine. `bilingual`: the same over two languages, where words that both tables know are compared by vectors.
struct WordSimilarity {
    enum class Kind { substring, vectors, bilingual } kind = Kind::substring;
    std::shared_ptr<VectorTable> own, other;  // of the hypothesis; of the reference or the source
    Fold fold = Fold::ascii;
};

struct Agreement {
    double precision = 0, recall = 0;
};

// Similarities of all words of a hypothesis with all of another text, and what words weigh: any of their phrases compare.
class WordMatrix {
public:
    explicit WordMatrix(size_t order) : order_(order) {}

    size_t hypothesis_size() const { return own_size_; }
    size_t other_size() const { return other_size_; }

    // P = sum over hypothesis n-grams of their best weighted similarity, over their weights; R the other way round.
    // The order is cut to the shorter phrase. A phrase without words agrees with nothing.
    Agreement agreement(size_t other_begin, size_t other_end, size_t own_begin, size_t own_end) {
        const size_t m = other_end - other_begin, n = own_end - own_begin;
        if (m == 0 || n == 0) return {};
        const size_t order = std::min({order_, m, n}), rows = m - order + 1, columns = n - order + 1;
        const double* wide = matrix_.data() + other_begin * own_size_ + own_begin;
        const double* own_weight = own_weights_ + own_begin;
        const double* other_weight = other_weights_ + other_begin;
        best_.assign(columns, 0);
        sums_.resize(2 * columns);
        double *by_own = sums_.data(), *by_other = by_own + columns;
        double recalled = 0, recall_weight = 0, precise = 0, precision_weight = 0;
        for (size_t i = 0; i < rows; ++i) {
            std::fill(sums_.begin(), sums_.end(), 0.0);
            double weight = 0;
            for (size_t k = 0; k < order; ++k) {
                const double* row = wide + (i + k) * own_size_ + k;
                const double w = other_weight[i + k];
                const double* own = own_weight + k;
                weight += w;
                for (size_t j = 0; j < columns; ++j) {
                    by_other[j] += w * row[j];
                    by_own[j] += own[j] * row[j];
                }
            }
            double most = 0;
            for (size_t j = 0; j < columns; ++j) {
                most = std::max(most, by_other[j]);
                best_[j] = std::max(best_[j], by_own[j]);
            }
            recalled += most;
            recall_weight += weight;
        }
        for (size_t j = 0; j < columns; ++j) {
            precise += best_[j];
            double weight = 0;
            for (size_t k = 0; k < order; ++k) weight += own_weight[j + k];
            precision_weight += weight;
        }
        return {precise / precision_weight, recalled / recall_weight};
    }
    Agreement agreement() { return agreement(0, other_size_, 0, own_size_); }

    // The similarity of a word of the other text and one of the hypothesis.
    double at(size_t other, size_t own) const { return matrix_[other * own_size_ + own]; }

protected:
    size_t order_, own_size_ = 0, other_size_ = 0;
    const double *own_weights_ = nullptr, *other_weights_ = nullptr;
    std::vector<double> matrix_;  // a row for each word of the other text

private:
    std::vector<double> best_, sums_;
};

// Words that have vectors of their own wherever they stand, as contextual encoders give them.
class ContextKernel : public WordMatrix {
public:
    using WordMatrix::WordMatrix;

    // Unit vectors of `width` numbers, a multiple of kLanes, and weights; they must outlive what is asked of them.
    void set(const float* own, const double* own_weights, size_t n, const float* other, const double* other_weights, size_t m,
             size_t width) {
        own_size_ = n, other_size_ = m, own_weights_ = own_weights, other_weights_ = other_weights;
        products_.resize(m * n);
        all_dots(other, m, own, n, width, products_.data());
        matrix_.resize(m * n);
        for (size_t i = 0; i < m * n; ++i)  // with itself 1, which single precision misses by a little
            matrix_[i] = products_[i] > 1 - 1e-6f ? 1 : std::max(0.0, double(products_[i]));
    }

private:
    std::vector<float> products_;
};

// Reads a hypothesis and another text, then compares any of their phrases. Kept from segment to segment.
class PhraseKernel : public WordMatrix {
public:
    PhraseKernel(const WordSimilarity& similarity, const WordWeights& own, const WordWeights& other, size_t order)
        : WordMatrix(order), similarity_(similarity), own_frequencies_(own), other_frequencies_(other) {
        if (similarity.own) width_ = padded(similarity.own->dimension());
    }

    void set_hypothesis(const WordsView& text) {
        read(own_, text, similarity_.own.get(), own_frequencies_);
        own_size_ = own_.numbers.size(), own_weights_ = own_.weights.data();
    }
    void set_other(const WordsView& text) {
        read(other_, text, similarity_.other.get(), other_frequencies_);
        other_size_ = other_.numbers.size(), other_weights_ = other_.weights.data();
        compare();
    }

private:
    struct Side {
        std::vector<uint32_t> numbers;        // of its distinct words, for each place
        std::vector<double> weights;          // for each place
        std::vector<std::string_view> words;  // distinct
        std::vector<int64_t> rows;            // of their vectors
        std::vector<char> exact;              // whether the table has the word as it is spelt
        std::vector<std::string> folded;
        std::vector<float> units;
        WordTable table;
    };

    void read(Side& side, const WordsView& text, const VectorTable* vectors, const WordWeights& weights) {
        side.numbers.resize(text.size);
        side.weights.resize(text.size);
        side.words.clear();
        distinct_weights_.clear();
        side.table.clear(text.size);
        for (uint32_t i = 0; i < text.size; ++i) {
            const uint32_t number = side.table.add(text.words[i], text.base);
            if (number == side.words.size()) {
                side.words.emplace_back(text.base + text.words[i].begin, text.words[i].size);
                distinct_weights_.push_back(weights.weight(side.words.back(), similarity_.fold, scratch_));
            }
            side.numbers[i] = number;
            side.weights[i] = distinct_weights_[number];
        }
        if (similarity_.kind == WordSimilarity::Kind::substring) return;
        const size_t n = side.words.size();
        side.rows.resize(n);
        side.exact.resize(n);
        if (side.folded.size() < n) side.folded.resize(n);
        for (size_t i = 0; i < n; ++i) {
            const std::string_view low = folded(side.words[i], similarity_.fold, scratch_);
            side.folded[i].assign(low.data(), low.size());
            side.rows[i] = vectors->find(side.words[i], similarity_.fold, scratch_);
            if (similarity_.kind == WordSimilarity::Kind::bilingual)
                side.exact[i] = vectors->exactly(side.words[i]) != VectorTable::kUnknown;
            if (side.rows[i] >= 0) vectors->fetch(side.rows[i]);
        }
        side.units.assign(n * width_, 0);
        for (size_t i = 0; i < n; ++i)
            if (side.rows[i] >= 0) vectors->unit(size_t(side.rows[i]), side.units.data() + i * width_);
    }

    void compare() {
        const size_t m = other_.words.size(), n = own_.words.size();
        distinct_.resize(m * n);
        if (similarity_.kind == WordSimilarity::Kind::substring) {
            Poller poller;
            for (size_t i = 0; i < m; ++i) {
                for (size_t j = 0; j < n; ++j) distinct_[i * n + j] = characters(other_.words[i], own_.words[j]);
                poller(64 * n);
            }
        } else {
            products_.resize(m * n);
            all_dots(other_.units.data(), m, own_.units.data(), n, width_, products_.data());
            for (size_t i = 0; i < m; ++i)
                for (size_t j = 0; j < n; ++j) distinct_[i * n + j] = std::max(0.0, double(products_[i * n + j]));
            for (size_t i = 0; i < m; ++i)
                for (size_t j = 0; j < n; ++j)
                    if (other_.folded[i] == own_.folded[j] &&
                        (similarity_.kind == WordSimilarity::Kind::vectors || !other_.exact[i] || !own_.exact[j]))
                        distinct_[i * n + j] = 1;
        }
        const size_t columns = own_.numbers.size();
        matrix_.resize(other_.numbers.size() * columns);
        double* to = matrix_.data();
        for (const uint32_t i : other_.numbers) {
            const double* from = distinct_.data() + i * n;
            for (size_t j = 0; j < columns; ++j) *to++ = from[own_.numbers[j]];
        }
    }
    double characters(std::string_view a, std::string_view b) {
        if (a == b) return 1;
        return 2.0 * double(common_substring(a, b, row_)) / double(a.size() + b.size());
    }

    const WordSimilarity& similarity_;
    const WordWeights &own_frequencies_, &other_frequencies_;
    size_t width_ = 0;
    Side own_, other_;
    std::vector<double> distinct_weights_, distinct_;
    std::vector<float> products_;
    std::vector<uint32_t> row_;
    std::string scratch_;
};

}  // namespace tertium
