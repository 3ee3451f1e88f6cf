// Kernels of structures: how many parts two sequences or two trees share, weighed by size and gaps, without listing them.
//
// Sequences: gap-weighted subsequences (Lodhi et al. 2002). Trees: subset trees (Collins and Duffy 2002), whole rules
// only, and partial trees (Moschitti 2006), where children may be left out. What is returned is the logarithm.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interrupts.hpp"
#include "wide_number.hpp"

namespace tertium {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Nodes in preorder: numbers of labels, of rules (label and labels of children; -1: a leaf), and the parent's place.
struct TreeNodes {
    std::span<const int32_t> labels, rules, parents;
    size_t size() const { return labels.size(); }
};

struct KernelCosts {
    size_t steps = 0;  // as many at most
    size_t held = 0;   // numbers that are held
};

// What comparing two trees takes: pairs of nodes of one kind, and of children.
inline KernelCosts tree_costs(std::span<const int32_t> ours, std::span<const int32_t> theirs) {
    std::vector<int32_t> a(ours.begin(), ours.end()), b(theirs.begin(), theirs.end());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    KernelCosts found{ours.size() * theirs.size(), 0};
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const int32_t kind = std::min(a[i], b[j]);
        const size_t i0 = i, j0 = j;
        while (i < a.size() && a[i] == kind) ++i;
        while (j < b.size() && b[j] == kind) ++j;
        if (kind >= 0) found.held += (i - i0) * (j - j0);
    }
    return found;
}

namespace structure_kernels {

// Nodes by kind: nodes of equal kinds of two trees are the pairs that count.
class Kinds {
public:
    Kinds(std::span<const int32_t> kinds) : place_(kinds.size()), order_(kinds.size()), kinds_(kinds) {
        for (size_t i = 0; i < kinds.size(); ++i) order_[i] = uint32_t(i);
        std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return kinds[a] < kinds[b]; });
        for (size_t n = 0; n < order_.size(); ++n)
            place_[order_[n]] = n > 0 && kinds[order_[n]] == kinds[order_[n - 1]] ? place_[order_[n - 1]] + 1 : 0;
    }
    // Nodes of a kind, in order; `place` of each is where it stands among them.
    std::span<const uint32_t> of(int32_t kind) const {
        const auto low = std::lower_bound(order_.begin(), order_.end(), kind,
                                          [&](uint32_t node, int32_t wanted) { return kinds_[node] < wanted; });
        auto high = low;
        while (high != order_.end() && kinds_[*high] == kind) ++high;
        return {order_.data() + (low - order_.begin()), size_t(high - low)};
    }
    uint32_t place(size_t node) const { return place_[node]; }

private:
    std::vector<uint32_t> place_, order_;
    std::span<const int32_t> kinds_;
};

// The children of each node, in order.
class Children {
public:
    Children(std::span<const int32_t> parents) : begins_(parents.size() + 1), nodes_(parents.size()) {
        for (const int32_t parent : parents)
            if (parent >= 0) ++begins_[size_t(parent) + 1];
        for (size_t i = 0; i < parents.size(); ++i) begins_[i + 1] += begins_[i];
        std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
        for (size_t i = 0; i < parents.size(); ++i)
            if (parents[i] >= 0) nodes_[next[size_t(parents[i])]++] = uint32_t(i);
    }
    std::span<const uint32_t> of(size_t node) const {
        return {nodes_.data() + begins_[node], begins_[node + 1] - begins_[node]};
    }

private:
    std::vector<size_t> begins_;
    std::vector<uint32_t> nodes_;
};

// Delta of all pairs of nodes of one kind; `combine(node, other, delta)` makes one of those of their children. Parents
// stand before children, so that going backwards meets children first.
template <class Number, class Combine>
double summed_deltas(std::span<const int32_t> ours, std::span<const int32_t> theirs, Combine&& combine, bool& too_large) {
    const Kinds kinds(theirs);
    std::vector<size_t> begins(ours.size(), 0);
    std::vector<std::span<const uint32_t>> partners(ours.size());
    size_t held = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
        begins[i] = held;
        if (ours[i] >= 0) partners[i] = kinds.of(ours[i]);
        held += partners[i].size();
    }
    std::vector<Number> deltas(held);
    const auto delta = [&](size_t node, size_t other) -> Number {
        return ours[node] == theirs[other] && ours[node] >= 0 ? deltas[begins[node] + kinds.place(other)] : Number(0.0);
    };
    Number sum(0.0);
    Poller poller;
    for (size_t i = ours.size(); i-- > 0;)
        for (size_t k = 0; k < partners[i].size(); ++k) {
            deltas[begins[i] + k] = combine(i, partners[i][k], delta, poller);
            sum = sum + deltas[begins[i] + k];
        }
    too_large = overflown(sum);
    return log_of(sum);
}

template <class Number>
double subset_trees(const TreeNodes& ours, const TreeNodes& theirs, double decay, bool& too_large) {
    const Children below(ours.parents), other_below(theirs.parents);
    return summed_deltas<Number>(
        ours.rules, theirs.rules,
        [&](size_t node, size_t other, const auto& delta, Poller& poller) {
            const auto a = below.of(node), b = other_below.of(other);
            poller(a.size() + 1);
            Number product(decay);
            for (size_t c = 0; c < a.size(); ++c) product = product * (Number(1.0) + delta(a[c], b[c]));
            return product;
        },
        too_large);
}

// Runs of children of both nodes, of any length: `ending[j]` is the sum of those that end at a child and at j, each with
// decay for every step from its first to its last child on either side; `before[j]` that of all that end before both.
template <class Number>
double partial_trees(const TreeNodes& ours, const TreeNodes& theirs, double decay, double height, bool& too_large) {
    const Children below(ours.parents), other_below(theirs.parents);
    std::vector<Number> before;
    return summed_deltas<Number>(
        ours.labels, theirs.labels,
        [&](size_t node, size_t other, const auto& delta, Poller& poller) {
            const auto a = below.of(node), b = other_below.of(other);
            Number sum(decay * decay);
            before.assign(b.size() + 1, Number(0.0));
            for (const uint32_t child : a) {
                poller(b.size() + 1);
                Number row(0.0), left = before[0];
                for (size_t j = 0; j < b.size(); ++j) {
                    const Number up = before[j + 1], own = delta(child, b[j]);
                    const Number ending = own * (Number(1.0) + Number(decay * decay) * left);
                    sum = sum + ending;
                    row = ending + Number(decay) * row;
                    left = up;
                    before[j + 1] = row + Number(decay) * up;
                }
            }
            return Number(height) * sum;
        },
        too_large);
}

template <class Number>
double subsequences(std::span<const int32_t> ours, std::span<const int32_t> theirs, size_t longest, double decay,
                    bool& too_large) {
    const size_t m = theirs.size();
    const Number step(decay), both(decay * decay);
    std::vector<std::vector<Number>> before(longest, std::vector<Number>(m + 1, Number(0.0)));
    std::vector<Number> row(longest), left(longest);
    Number sum(0.0);
    Poller poller;
    for (const int32_t word : ours) {
        poller(m * longest);
        std::fill(row.begin(), row.end(), Number(0.0));
        std::fill(left.begin(), left.end(), Number(0.0));
        for (size_t j = 0; j < m; ++j) {
            Number shorter(1.0);  // what a run that ends here can follow: for runs of one, nothing
            for (size_t n = 0; n < longest; ++n) {
                const Number ending = word == theirs[j] ? both * shorter : Number(0.0);
                sum = sum + ending;
                row[n] = ending + step * row[n];
                shorter = left[n];
                left[n] = before[n][j + 1];
                before[n][j + 1] = row[n] + step * before[n][j + 1];
            }
        }
    }
    too_large = overflown(sum);
    return log_of(sum);
}

// Doubles first; what they cannot hold is computed again with wide numbers.
template <class Narrow, class Wide>
double either(Narrow&& narrow, Wide&& wide) {
    bool too_large = false;
    const double found = narrow(too_large);
    return too_large ? wide(too_large) : found;
}

}  // namespace structure_kernels

inline double subset_tree_kernel(const TreeNodes& ours, const TreeNodes& theirs, double decay) {
    using namespace structure_kernels;
    return either([&](bool& large) { return subset_trees<double>(ours, theirs, decay, large); },
                  [&](bool& large) { return subset_trees<WideNumber>(ours, theirs, decay, large); });
}

inline double partial_tree_kernel(const TreeNodes& ours, const TreeNodes& theirs, double decay, double height) {
    using namespace structure_kernels;
    return either([&](bool& large) { return partial_trees<double>(ours, theirs, decay, height, large); },
                  [&](bool& large) { return partial_trees<WideNumber>(ours, theirs, decay, height, large); });
}

inline double sequence_kernel(std::span<const int32_t> ours, std::span<const int32_t> theirs, size_t longest, double decay) {
    using namespace structure_kernels;
    if (ours.empty() || theirs.empty()) return kNothing;
    return either([&](bool& large) { return subsequences<double>(ours, theirs, longest, decay, large); },
                  [&](bool& large) { return subsequences<WideNumber>(ours, theirs, longest, decay, large); });
}

}  // namespace tertium
