// Probabilities of words by an n-gram model with absolute discounting, from tables of counts (tertium/text/ngrams.py).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "key_table.hpp"

namespace tertium {

class NgramModel {
public:
    struct Order {  // of n-grams of one length
        KeyTable ngrams, contexts;
        const uint32_t *counts, *context_counts, *followers;
    };
    static constexpr uint64_t kEdge = 1;  // the key of what stands before the first word

    NgramModel(std::vector<Order> orders, double words, double discount)
        : orders_(std::move(orders)), words_(words), discount_(discount) {}

    // The probability of each word of a text, and how often it was counted by itself.
    void read(std::span<const uint64_t> keys, double* probabilities, double* counts) const {
        for (size_t i = 0; i < keys.size(); ++i) {
            double found = 1.0 / (words_ + 1.0);
            for (size_t size = 1; size <= orders_.size(); ++size) {
                const Order& order = orders_[size - 1];
                const auto [whole, context] = keys_at(keys, i, size);
                const size_t ngram = order.ngrams.find(whole), before = order.contexts.find(context);
                const double own = ngram == KeyTable::kNone ? 0.0 : double(order.counts[ngram]);
                if (size == 1) counts[i] = own;
                if (before == KeyTable::kNone || order.context_counts[before] == 0) continue;
                const auto all = double(order.context_counts[before]);
                const double rest = discount_ * double(order.followers[before]) / all;
                found = std::max(own - discount_, 0.0) / all + rest * found;
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
    std::vector<Order> orders_;
    double words_, discount_;
};

}  // namespace tertium
