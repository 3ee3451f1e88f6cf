// Probabilities of words by an n-gram model with absolute discounting, from tables of counts (tertium/text/ngrams.py).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "key_table.hpp"

namespace tertium {

class NgramModel {
public:
    struct Length {  // n-grams of one length: how often they were seen, how often a word follows, how many different ones
        KeyTable keys;
        const uint32_t *counts, *contexts, *followers;
    };
    static constexpr uint64_t kEdge = 1;  // the key of what stands before the first word

    // `lengths`: those of nothing first, which is what stands before a word by itself.
    NgramModel(std::vector<Length> lengths, double words, double discount)
        : lengths_(std::move(lengths)), words_(words), discount_(discount) {}

    // The probability of each word of a text, and how often it was counted by itself.
    void read(std::span<const uint64_t> keys, double* probabilities, double* counts) const {
        for (size_t i = 0; i < keys.size(); ++i) {
            double found = 1.0 / (words_ + 1.0);
            for (size_t size = 1; size < lengths_.size(); ++size) {
                const Length &own = lengths_[size], &shorter = lengths_[size - 1];
                const auto [whole, context] = keys_at(keys, i, size);
                const size_t place = own.keys.find(whole), before = shorter.keys.find(context);
                const double times = place == KeyTable::kNone ? 0.0 : double(own.counts[place]);
                if (size == 1) counts[i] = times;
                if (before == KeyTable::kNone || shorter.contexts[before] == 0) continue;
                const auto all = double(shorter.contexts[before]);
                const double rest = discount_ * double(shorter.followers[before]) / all;
                found = std::max(times - discount_, 0.0) / all + rest * found;
            }
            probabilities[i] = found;
        }
    }

    struct Keys {
        uint32_t whole, context;
    };
    // Of the n-gram of `size` words that ends at word i, and of what stands before the word in it.
    static Keys keys_at(std::span<const uint64_t> keys, size_t i, size_t size) {
        if (size == 1) return {MixedKey(keys[i]).small(), 0};
        const auto at = [&](size_t back) { return i >= back ? keys[i - back] : kEdge; };
        MixedKey context(at(size - 1));
        for (size_t back = size - 2; back > 0; --back) context = context.with(at(back));
        return {context.with(keys[i]).small(), context.small()};
    }

private:
    std::vector<Length> lengths_;
    double words_, discount_;
};

}  // namespace tertium
