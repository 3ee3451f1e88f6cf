// Boosted trees: the sum of the leaves that a row of numbers falls into.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// Trees side by side, `nodes` places each. A leaf has itself on both sides; its number is its value, elsewhere 0.
class Trees {
public:
    static constexpr size_t kTogether = 8;   // rows that go down a tree side by side: none waits for another's guess
    static constexpr size_t kMost = 32'000;  // nodes of a tree, and numbers of a row

    Trees(size_t trees, size_t nodes, const int32_t* features, const double* thresholds, const int32_t* left,
          const int32_t* right, const double* values)
        : nodes_(nodes), all_(trees * nodes), depths_(trees) {
        std::vector<size_t> depths(nodes);
        for (size_t t = 0; t < trees; ++t) {
            std::fill(depths.begin(), depths.end(), 0);
            for (size_t i = 0; i < nodes; ++i) {  // children stand behind their parents
                const size_t place = t * nodes + i;
                const bool leaf = left[place] == int32_t(i);
                all_[place] = {leaf ? values[place] : thresholds[place],
                               int16_t(features[place]),
                               {int16_t(right[place]), int16_t(left[place])}};
                if (leaf) continue;
                for (const int16_t child : all_[place].next) depths[size_t(child)] = depths[i] + 1;
                depths_[t] = std::max(depths_[t], depths[i] + 1);
            }
        }
    }

    // The sums of so many rows, which may be the same.
    void sums(const std::array<const double*, kTogether>& rows, std::array<double, kTogether>& out) const {
        out.fill(0.0);
        const Node* tree = all_.data();
        for (const size_t depth : depths_) {
            std::array<int16_t, kTogether> at{};
            for (size_t level = 0; level < depth; ++level)
                for (size_t i = 0; i < kTogether; ++i) {
                    const Node& node = tree[at[i]];
                    at[i] = node.next[rows[i][node.feature] <= node.number];
                }
            for (size_t i = 0; i < kTogether; ++i) out[i] += tree[at[i]].number;
            tree += nodes_;
        }
    }

private:
    struct Node {
        double number;  // the threshold, or the value of a leaf
        int16_t feature;
        std::array<int16_t, 2> next;  // right, left
    };
    size_t nodes_;
    std::vector<Node> all_;
    std::vector<size_t> depths_;
};

}  // namespace tertium
