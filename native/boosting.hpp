// Boosted trees fitted to rows of numbers: logistic loss, numbers in bins, trees that grow at their best leaf.
//
// What comes out is what `Trees` applies. Nothing is drawn: the same rows give the same trees.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

struct BoostingSettings {
    size_t trees = 60;
    size_t leaves = 10;  // of a tree
    double rate = 0.1;   // share of a leaf's own best value that is taken
    size_t least = 40;   // rows of a leaf
    double ridge = 1.0;  // pulls values of leaves towards 0, in weight
};

class Boosting {
public:
    // Trees side by side, 2 * leaves - 1 places each, as `Trees` takes them.
    std::vector<int32_t> features, left, right;
    std::vector<double> thresholds, values;
    double bias = 0.0;
    size_t nodes = 0;

    Boosting(const double* rows, size_t n, size_t columns, const double* wrong, const double* weights,
             const BoostingSettings& settings)
        : n_(n), columns_(columns), settings_(settings) {
        nodes = 2 * settings.leaves - 1;
        cut(rows);
        double all = 0.0, bad = 0.0;
        for (size_t i = 0; i < n; ++i) all += weights[i], bad += weights[i] * wrong[i];
        const double share = all > 0.0 ? std::clamp(bad / all, 1e-6, 1.0 - 1e-6) : 0.5;
        bias = std::log(share / (1.0 - share));
        odds_.assign(n, bias);
        slopes_.resize(n), curves_.resize(n);
        for (size_t t = 0; t < settings.trees; ++t) {
            poll();
            for (size_t i = 0; i < n; ++i) {
                const double chance = 1.0 / (1.0 + std::exp(-odds_[i]));
                slopes_[i] = weights[i] * (chance - wrong[i]);
                curves_[i] = weights[i] * chance * (1.0 - chance);
            }
            grow();
        }
    }

private:
    static constexpr size_t kBins = 64;
    struct Bin {
        double slope = 0.0, curve = 0.0;
        uint32_t rows = 0;
    };
    struct Split {
        double gain = 0.0;
        size_t column = 0, bin = 0;
    };
    struct Leaf {
        size_t begin, end;  // rows, in `order_`
        int32_t place;      // node
        std::vector<Bin> bins;
        Bin sum;
        Split best;
    };

    // Edges of bins: numbers that are as often exceeded as not, or between all that occur where these are few.
    void cut(const double* rows) {
        edges_.resize(columns_);
        bins_.resize(n_ * columns_);
        std::vector<double> own(n_), different;
        for (size_t c = 0; c < columns_; ++c) {
            poll();
            for (size_t i = 0; i < n_; ++i) own[i] = rows[i * columns_ + c];
            std::sort(own.begin(), own.end());
            different.clear();
            for (const double value : own)
                if (different.empty() || value != different.back()) different.push_back(value);
            auto& edges = edges_[c];
            if (different.size() <= kBins)
                for (size_t k = 1; k < different.size(); ++k) edges.push_back(different[k - 1] / 2 + different[k] / 2);
            else
                for (size_t k = 1; k < kBins; ++k) {
                    const double edge = own[k * n_ / kBins];
                    if ((edges.empty() || edge > edges.back()) && edge < own.back()) edges.push_back(edge);
                }
            for (size_t i = 0; i < n_; ++i)
                bins_[c * n_ + i] =
                    uint8_t(std::lower_bound(edges.begin(), edges.end(), rows[i * columns_ + c]) - edges.begin());
        }
    }

    void count(Leaf& leaf) const {
        leaf.bins.assign(columns_ * kBins, Bin{});
        for (size_t c = 0; c < columns_; ++c) {
            const uint8_t* bins = bins_.data() + c * n_;
            Bin* into = leaf.bins.data() + c * kBins;
            for (size_t k = leaf.begin; k < leaf.end; ++k) {
                const uint32_t i = order_[k];
                Bin& bin = into[bins[i]];
                bin.slope += slopes_[i], bin.curve += curves_[i], ++bin.rows;
            }
        }
    }
    double worth(double slope, double curve) const { return slope * slope / (curve + settings_.ridge); }
    void seek(Leaf& leaf) const {
        leaf.best = Split{};
        const double before = worth(leaf.sum.slope, leaf.sum.curve);
        for (size_t c = 0; c < columns_; ++c) {
            Bin below;
            const Bin* bins = leaf.bins.data() + c * kBins;
            for (size_t b = 0; b < edges_[c].size(); ++b) {
                below.slope += bins[b].slope, below.curve += bins[b].curve, below.rows += bins[b].rows;
                if (below.rows < settings_.least) continue;
                if (leaf.sum.rows - below.rows < settings_.least) break;
                const double gain = worth(below.slope, below.curve) +
                                    worth(leaf.sum.slope - below.slope, leaf.sum.curve - below.curve) - before;
                if (gain > leaf.best.gain + 1e-12) leaf.best = {gain, c, b};
            }
        }
    }
    void total(Leaf& leaf) const {
        leaf.sum = Bin{};
        for (size_t k = leaf.begin; k < leaf.end; ++k)
            leaf.sum.slope += slopes_[order_[k]], leaf.sum.curve += curves_[order_[k]], ++leaf.sum.rows;
    }

    void grow() {
        const size_t first = features.size();
        features.resize(first + nodes, 0), thresholds.resize(first + nodes, 0.0), values.resize(first + nodes, 0.0);
        left.resize(first + nodes), right.resize(first + nodes);
        for (size_t k = 0; k < nodes; ++k) left[first + k] = right[first + k] = int32_t(k);
        order_.resize(n_);
        for (size_t i = 0; i < n_; ++i) order_[i] = uint32_t(i);
        std::vector<Leaf> leaves(1);
        leaves[0].begin = 0, leaves[0].end = n_, leaves[0].place = 0;
        total(leaves[0]), count(leaves[0]), seek(leaves[0]);
        int32_t used = 1;
        while (leaves.size() < settings_.leaves) {
            size_t at = 0;
            for (size_t k = 1; k < leaves.size(); ++k)
                if (leaves[k].best.gain > leaves[at].best.gain) at = k;
            Leaf parent = std::move(leaves[at]);
            if (parent.best.gain <= 0.0) {
                leaves[at] = std::move(parent);
                break;
            }
            poll();
            const uint8_t* bins = bins_.data() + parent.best.column * n_;
            const auto middle = std::stable_partition(order_.begin() + std::ptrdiff_t(parent.begin),
                                                      order_.begin() + std::ptrdiff_t(parent.end),
                                                      [&](uint32_t i) { return bins[i] <= parent.best.bin; });
            const size_t split = size_t(middle - order_.begin());
            Leaf low{parent.begin, split, used, {}, {}, {}}, high{split, parent.end, used + 1, {}, {}, {}};
            const size_t place = first + size_t(parent.place);
            features[place] = int32_t(parent.best.column);
            thresholds[place] = edges_[parent.best.column][parent.best.bin];
            left[place] = used, right[place] = used + 1;
            used += 2;
            total(low), total(high);
            Leaf &few = low.sum.rows <= high.sum.rows ? low : high, &many = &few == &low ? high : low;
            count(few);
            many.bins = std::move(parent.bins);
            for (size_t k = 0; k < many.bins.size(); ++k) {
                many.bins[k].slope -= few.bins[k].slope;
                many.bins[k].curve -= few.bins[k].curve;
                many.bins[k].rows -= few.bins[k].rows;
            }
            seek(low), seek(high);
            leaves[at] = std::move(low);
            leaves.push_back(std::move(high));
        }
        for (const Leaf& leaf : leaves) {
            const double value = -settings_.rate * leaf.sum.slope / (leaf.sum.curve + settings_.ridge);
            values[first + size_t(leaf.place)] = value;
            for (size_t k = leaf.begin; k < leaf.end; ++k) odds_[order_[k]] += value;
        }
    }

    size_t n_, columns_;
    BoostingSettings settings_;
    std::vector<std::vector<double>> edges_;
    std::vector<uint8_t> bins_;  // column by column
    std::vector<uint32_t> order_;
    std::vector<double> odds_, slopes_, curves_;
};

}  // namespace tertium
