// BLEU with fuzzy matches (Tättar and Fishel 2017): n-grams that have no equal are paired by the similarity of their
// vectors, the most similar first.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dots.hpp"
#include "exact_sum.hpp"
#include "matching.hpp"
#include "segment_words.hpp"
#include "vector_table.hpp"

namespace tertium {

// Where the vectors of n-grams of one order come from: a table that has them as words with `joiner` between, or, where
// there is none, the sum of the words' vectors in the table of words.
struct NgramVectors {
    std::shared_ptr<VectorTable> table;
    bool summed = false;
};

struct FuzzyOptions {
    std::vector<NgramVectors> orders;
    std::string joiner = "_";
    double threshold = -1;   // pairs that are not more similar do not match
    double unknown = 0.001;  // the similarity of a pair without vectors
    bool types = false;      // a pair uses up all n-grams like its own, as in the authors' script
    Fold fold = Fold::exact;
};

class FuzzyBleuKernel {
public:
    FuzzyBleuKernel(const FuzzyOptions& options, Tokenizer tokenizer) : options_(options), words_(tokenizer) {}

    // matches (real) and n-grams of each order, then both lengths. The first reference counts.
    static size_t columns(size_t orders) { return orders * (kDigits + 1) + 2; }

    void row(std::string_view hypothesis, const WordsView* references, size_t, int64_t* row) {
        words_.read(hypothesis, references, 1);
        const WordNumbers own = words_.hypothesis(), other = words_.reference(0);
        const WordsView own_view = words_.hypothesis_view();
        const size_t orders = options_.orders.size();
        for (size_t order = 1; order <= orders; ++order) {
            to_digits(matches(order, own, own_view, other, references[0]), row + (order - 1) * kDigits);
            row[orders * kDigits + order - 1] = own.size() >= order ? int64_t(own.size() - order + 1) : 0;
        }
        row[columns(orders) - 2] = int64_t(own.size());
        row[columns(orders) - 1] = int64_t(other.size());
    }

private:
    struct Left {
        size_t place, type;
    };

    double matches(size_t order, WordNumbers own, const WordsView& own_view, WordNumbers other, const WordsView& other_view) {
        // N-grams that are left when equal ones have been taken away, type by type in the order in which they appear.
        leave(order, own, other, own_left_);
        leave(order, other, own, other_left_);
        const size_t all = own.size() >= order ? own.size() - order + 1 : 0;
        double sum = double(all - own_left_.size());
        if (own_left_.empty() || other_left_.empty()) return sum;
        const NgramVectors& from = options_.orders[order - 1];
        const size_t width = padded(from.table->dimension());
        read(order, own_view, own_left_, from, width, own_units_, own_known_);
        read(order, other_view, other_left_, from, width, other_units_, other_known_);
        const size_t m = own_left_.size(), n = other_left_.size();
        products_.resize(m * n);
        all_dots(own_units_.data(), m, other_units_.data(), n, width, products_.data());
        const auto weight = [&](size_t i, size_t j) {
            return own_known_[i] && other_known_[j] ? double(products_[i * n + j]) : options_.unknown;
        };
        greedy_pairs(m, n, options_.threshold, weight,
                     [&](size_t i, size_t j, double value, std::vector<char>& own_used, std::vector<char>& other_used) {
                         sum += value;
                         if (!options_.types) return;
                         for (size_t k = 0; k < m; ++k) own_used[k] |= own_left_[k].type == own_left_[i].type;
                         for (size_t k = 0; k < n; ++k) other_used[k] |= other_left_[k].type == other_left_[j].type;
                     });
        return sum;
    }

    // The places of n-grams of `text` beyond those that `against` has too.
    void leave(size_t order, WordNumbers text, WordNumbers against, std::vector<Left>& left) {
        left.clear();
        if (text.size() < order) return;
        counts_.clear();
        types_.clear();
        for (size_t i = 0; i + order <= against.size(); ++i) ++counts_[key(against, i, order)];
        for (size_t i = 0; i + order <= text.size(); ++i) {
            const std::u32string gram = key(text, i, order);
            const size_t type = types_.emplace(gram, types_.size()).first->second;
            const auto found = counts_.find(gram);
            if (found != counts_.end() && found->second > 0) --found->second;
            else left.push_back({i, type});
        }
        std::stable_sort(left.begin(), left.end(), [](const Left& a, const Left& b) { return a.type < b.type; });
    }
    static std::u32string key(WordNumbers words, size_t i, size_t order) {
        return std::u32string(words.begin() + std::ptrdiff_t(i), words.begin() + std::ptrdiff_t(i + order));
    }

    void read(size_t order, const WordsView& text, const std::vector<Left>& left, const NgramVectors& from, size_t width,
              std::vector<float>& units, std::vector<char>& known) {
        units.assign(left.size() * width, 0);
        known.assign(left.size(), 0);
        for (size_t i = 0; i < left.size(); ++i) {
            float* to = units.data() + i * width;
            known[i] = from.summed && order > 1 ? summed(order, text, left[i].place, *from.table, width, to)
                                                : joined(order, text, left[i].place, *from.table, to);
        }
    }
    bool joined(size_t order, const WordsView& text, size_t place, const VectorTable& table, float* to) {
        gram_.clear();
        for (size_t k = 0; k < order; ++k) {
            if (k) gram_ += options_.joiner;
            gram_ += word(text, place + k);
        }
        const int64_t row = table.find(gram_, options_.fold, scratch_);
        if (row >= 0) table.unit(size_t(row), to);
        return row >= 0;
    }
    bool summed(size_t order, const WordsView& text, size_t place, const VectorTable& table, size_t width, float* to) {
        word_.resize(width);
        for (size_t k = 0; k < order; ++k) {
            const int64_t row = table.find(word(text, place + k), options_.fold, scratch_);
            if (row < 0) return false;
            table.unit(size_t(row), word_.data());
            for (size_t d = 0; d < table.dimension(); ++d) to[d] += word_[d];
        }
        double squares = 0;
        for (size_t d = 0; d < table.dimension(); ++d) squares += double(to[d]) * double(to[d]);
        const float factor = squares > 0 ? float(1 / std::sqrt(squares)) : 0;
        for (size_t d = 0; d < table.dimension(); ++d) to[d] *= factor;
        return true;
    }
    static std::string_view word(const WordsView& text, size_t i) {
        return {text.base + text.words[i].begin, text.words[i].size};
    }

    const FuzzyOptions& options_;
    SegmentWords words_;
    std::unordered_map<std::u32string, uint32_t> counts_;
    std::unordered_map<std::u32string, size_t> types_;
    std::vector<Left> own_left_, other_left_;
    std::vector<float> own_units_, other_units_, products_, word_;
    std::vector<char> own_known_, other_known_;
    std::string gram_, scratch_;
};

// BP x prod p_n^w_n. An order whose precision is 0 or less is dropped, with all that are higher; without words in common
// and without anything similar the score is 0.
inline double fuzzy_bleu_score(const int64_t* row, size_t orders, const std::vector<double>& weights) {
    const double length = double(row[FuzzyBleuKernel::columns(orders) - 2]);
    const double reference = double(row[FuzzyBleuKernel::columns(orders) - 1]);
    double sum = 0;
    for (size_t i = 0; i < orders; ++i) {
        const double matched = from_digits(row + i * kDigits), total = double(row[orders * kDigits + i]);
        if (total == 0 || matched <= 0) {
            if (i == 0) return 0;
            break;
        }
        sum += weights[i] * std::log(matched / total);
    }
    const double penalty = length > reference ? 0 : length > 0 ? 1 - reference / length : 0;
    return 100 * std::exp(sum + penalty);
}

}  // namespace tertium
