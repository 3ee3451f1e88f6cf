// Clipped n-gram matches between two sequences of small numbers: the sum over all n-grams of
// min(count in one, count in the other), for every order at once. chrF asks for characters and for words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ngram_intern.hpp"
#include "ngram_masks.hpp"

namespace tertium {

class NgramMatcher {
public:
    NgramPath path = NgramPath::automatic;

    // All symbols are below `alphabet`. matches[n] becomes the number of matches of order n + 1.
    template <class Symbol>
    void match(const Symbol* one, size_t one_length, const Symbol* other, size_t other_length, size_t alphabet, size_t order,
               int64_t* matches) {
        if (one_length == 0 || other_length == 0 || order == 0) {
            std::fill_n(matches, order, 0);
            return;
        }
        // Matching is symmetric: mask the side that leaves less to do.
        size_t one_words = (one_length + 63) / 64, other_words = (other_length + 63) / 64;
        if (one_words * other_length > other_words * one_length) {
            std::swap(one, other);
            std::swap(one_length, other_length);
            std::swap(one_words, other_words);
        }
        const NgramPath way = ngram_masks::usable_path(path);
        if (way == NgramPath::interned || one_words > ngram_masks::max_words || order > ngram_masks::max_order ||
            alphabet > max_alphabet) {
            interner_.match(widened(one, one_length, first_), one_length, widened(other, other_length, second_), other_length,
                            order, matches);
            return;
        }
        const size_t width = ngram_masks::width(one_words);
        set_masks(one, one_length, width, alphabet);
        if (stream_.size() < other_length) stream_.resize(other_length);
        for (size_t i = 0; i < other_length; ++i) stream_[i] = uint16_t(other[i]);
        ngram_masks::kernel(way, order, width)(masks_.data(), stream_.data(), other_length, order, matches);
    }

private:
    static constexpr size_t max_alphabet = 4096;

    template <class Symbol>
    static const uint32_t* widened(const Symbol* symbols, size_t length, std::vector<uint32_t>& out) {
        out.assign(symbols, symbols + length);
        return out.data();
    }

    template <class Symbol>
    void set_masks(const Symbol* symbols, size_t length, size_t width, size_t alphabet) {
        if (masks_.size() < alphabet * width) masks_.resize(alphabet * width);
        std::fill_n(masks_.data(), alphabet * width, 0);
        for (size_t w = 0; 64 * w < length; ++w) {
            const size_t end = std::min<size_t>(length - 64 * w, 64);
            uint64_t* column = masks_.data() + w;
            const Symbol* from = symbols + 64 * w;
            for (size_t b = 0; b < end; ++b) column[from[b] * width] |= uint64_t{1} << b;
        }
    }

    std::vector<uint64_t> masks_;
    std::vector<uint16_t> stream_;
    std::vector<uint32_t> first_, second_;
    NgramInterner interner_;
};

}  // namespace tertium
