// Pairs of items under two rankings: how many are ordered the same way, the other way, or tied. What Kendall's tau and
// all accuracies of pairs are made of. Two metric scores are tied when they differ by epsilon at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace tertium {

struct PairCounts {
    int64_t concordant = 0, discordant = 0;
    int64_t gold_ties = 0, metric_ties = 0;  // tied by one of the two only
    int64_t both_ties = 0;
};

// O(n log n): items in the order of gold, metric scores merged (Knight 1966, with a margin). `m - k > epsilon` is as
// monotone in floating point as it is on paper, so that a pointer that only moves forward finds every pair.
class PairCounter {
public:
    PairCounts count(const double* gold, const double* metric, size_t n, double epsilon) {
        if (n < kFew) return few(gold, metric, n, epsilon);
        items_.resize(n);
        for (size_t i = 0; i < n; ++i) items_[i] = {gold[i] + 0.0, metric[i] + 0.0};  // -0.0 is 0.0
        std::sort(items_.begin(), items_.end());
        values_.resize(n);
        spare_.resize(n);
        for (size_t i = 0; i < n; ++i) values_[i] = items_[i].second;
        PairCounts found;
        int64_t apart = 0;  // pairs that gold ties and the metric does not
        for (size_t begin = 0, end; begin < n; begin = end) {
            for (end = begin + 1; end < n && items_[end].first == items_[begin].first;) ++end;
            const int64_t size = int64_t(end - begin), pairs = size * (size - 1) / 2;
            int64_t tied = 0;
            for (size_t low = begin, i = begin; i < end; ++i) {
                while (values_[i] - values_[low] > epsilon) ++low;
                tied += int64_t(i - low);
            }
            found.both_ties += tied;
            apart += pairs - tied;
        }
        found.gold_ties = apart;
        const int64_t all = int64_t(n) * int64_t(n - 1) / 2;
        if (epsilon == 0) {  // the usual case: one pass a level, and ties are what stands together in the end
            found.discordant = inversions(0, n);
            int64_t tied = 0;
            for (size_t begin = 0, end; begin < n; begin = end) {
                for (end = begin + 1; end < n && values_[end] == values_[begin];) ++end;
                tied += int64_t(end - begin) * int64_t(end - begin - 1) / 2;
            }
            found.metric_ties = tied - found.both_ties;
            found.concordant = all - found.discordant - found.gold_ties - tied;
            return found;
        }
        merge_sort(0, n, epsilon, found);
        found.concordant -= apart;  // inside a class of gold items ascend, and were counted with the others
        found.metric_ties = all - found.concordant - found.discordant - found.gold_ties - found.both_ties;
        return found;
    }

private:
    static constexpr size_t kFew = 24;  // below this looking at every pair is faster

    static PairCounts few(const double* gold, const double* metric, size_t n, double epsilon) {
        PairCounts found;
        for (size_t i = 0; i < n; ++i)
            for (size_t j = 0; j < i; ++j) {
                const double m = metric[i] - metric[j];
                const int by_gold = (gold[i] > gold[j]) - (gold[i] < gold[j]), by_metric = (m > epsilon) - (-m > epsilon);
                const int both = by_gold * by_metric;
                found.concordant += both > 0;
                found.discordant += both < 0;
                found.gold_ties += by_gold == 0 && by_metric != 0;
                found.metric_ties += by_gold != 0 && by_metric == 0;
                found.both_ties += by_gold == 0 && by_metric == 0;
            }
        return found;
    }

    // Sorts values_[begin, end) and counts pairs of an earlier, larger and a later, smaller one.
    int64_t inversions(size_t begin, size_t end) {
        int64_t found = 0;
        if (end - begin < kFew) {
            for (size_t i = begin + 1; i < end; ++i) {
                const double value = values_[i];
                size_t place = i;
                for (; place > begin && values_[place - 1] > value; --place) values_[place] = values_[place - 1];
                values_[place] = value;
                found += int64_t(i - place);
            }
            return found;
        }
        const size_t middle = begin + (end - begin) / 2;
        found = inversions(begin, middle) + inversions(middle, end);
        if (!(values_[middle - 1] > values_[middle])) return found;
        std::copy(values_.begin() + begin, values_.begin() + middle, spare_.begin());
        const double* left = spare_.data();
        const double* const left_end = left + (middle - begin);
        const double* right = values_.data() + middle;
        const double* const right_end = values_.data() + end;
        double* out = values_.data() + begin;
        while (left != left_end && right != right_end) {
            const bool smaller = *right < *left;  // without a branch: it would be guessed wrong half of the time
            *out++ = smaller ? *right : *left;
            found += smaller ? left_end - left : 0;
            right += smaller;
            left += !smaller;
        }
        std::copy(left, left_end, out);
        return found;
    }

    // Sorts values_[begin, end) and counts pairs of an earlier and a later one that lie more than epsilon apart.
    void merge_sort(size_t begin, size_t end, double epsilon, PairCounts& found) {
        if (end - begin < kFew) {
            for (size_t i = begin + 1; i < end; ++i) {
                const double value = values_[i];
                size_t below = 0, above = 0, place = i;
                for (size_t j = begin; j < i; ++j) {
                    below += value - values_[j] > epsilon;
                    above += values_[j] - value > epsilon;
                }
                found.concordant += int64_t(below);
                found.discordant += int64_t(above);
                for (; place > begin && values_[place - 1] > value; --place) values_[place] = values_[place - 1];
                values_[place] = value;
            }
            return;
        }
        const size_t middle = begin + (end - begin) / 2;
        merge_sort(begin, middle, epsilon, found);
        merge_sort(middle, end, epsilon, found);
        for (size_t i = middle, below = begin, above = begin; i < end; ++i) {
            while (below < middle && values_[i] - values_[below] > epsilon) ++below;
            while (above < middle && !(values_[above] - values_[i] > epsilon)) ++above;
            found.concordant += int64_t(below - begin);
            found.discordant += int64_t(middle - above);
        }
        std::merge(values_.begin() + begin, values_.begin() + middle, values_.begin() + middle, values_.begin() + end,
                   spare_.begin() + begin);
        std::copy(spare_.begin() + begin, spare_.begin() + end, values_.begin() + begin);
    }

    std::vector<std::pair<double, double>> items_;
    std::vector<double> values_, spare_;
};

}  // namespace tertium
