// Words of one segment pair for TER: small numbers for the reference's words, and where each of them stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tertium {

// The reference of one call. Its distinct words are numbered from 0; any other word is `unknown()` and stands nowhere.
class TerReference {
public:
    // A stretch of 64 positions in which a word occurs: bit j says that it stands at 64 * number + j.
    struct Block {
        uint32_t number;
        uint64_t mask;
    };

    void assign(const uint32_t* ref, size_t n_ref) {
        start_table(n_ref);
        counts_.clear();
        words_.resize(n_ref);
        for (size_t j = 0; j < n_ref; ++j) {
            Slot& slot = find(ref[j]);
            if (slot.stamp != stamp_) {
                slot = {ref[j], stamp_, uint32_t(counts_.size())};
                counts_.push_back(0);
            }
            words_[j] = slot.word;
            ++counts_[slot.word];
        }
        index_positions();
    }

    int32_t size() const { return int32_t(words_.size()); }
    uint32_t operator[](size_t j) const { return words_[j]; }
    const uint32_t* data() const { return words_.data(); }
    uint32_t unknown() const { return uint32_t(counts_.size()); }

    // Numbers the hypothesis; returns how many of its words the reference can match at best, order aside.
    int32_t number_hypothesis(const uint32_t* hyp, size_t n_hyp, std::vector<uint32_t>& words) {
        words.resize(n_hyp);
        int32_t common = 0;
        for (size_t i = 0; i < n_hyp; ++i) {
            const Slot& slot = find(hyp[i]);
            const bool known = slot.stamp == stamp_;
            words[i] = known ? slot.word : unknown();
            if (known && counts_[slot.word] > 0) {
                --counts_[slot.word];
                ++common;
            }
        }
        return common;
    }

    bool fits_one_block() const { return words_.size() <= 64; }

    // Bit j: the word stands at position j. For references that fit one block.
    uint64_t positions(uint32_t word) const { return masks_[word]; }

    // All stretches in which the word occurs, in order. For references that do not fit one block.
    std::span<const Block> blocks(uint32_t word) const {
        return {blocks_.data() + block_begin_[word], blocks_.data() + block_begin_[word + 1]};
    }

    // Bit t: the word stands at position `from + t`.
    uint64_t positions(uint32_t word, uint32_t from) const {
        if (fits_one_block()) return from < 64 ? masks_[word] >> from : 0;
        const uint32_t block = from / 64, offset = from % 64;
        const Block* const end = blocks_.data() + block_begin_[word + 1];
        const Block* it = std::lower_bound(blocks_.data() + block_begin_[word], end, block,
                                           [](const Block& b, uint32_t wanted) { return b.number < wanted; });
        uint64_t bits = 0;
        if (it != end && it->number == block) bits = (it++)->mask >> offset;
        if (offset && it != end && it->number == block + 1) bits |= it->mask << (64 - offset);
        return bits;
    }

private:
    struct Slot {
        uint32_t id = 0, stamp = 0, word = 0;
    };

    // Slots of earlier calls carry older stamps, so that the table need not be cleared.
    void start_table(size_t n_ref) {
        size_t capacity = std::max<size_t>(table_.size(), 64);
        while (capacity < 2 * n_ref) capacity *= 2;
        if (capacity != table_.size() || ++stamp_ == 0) {
            table_.assign(capacity, Slot{});
            stamp_ = 1;
        }
    }

    Slot& find(uint32_t id) {
        const size_t last = table_.size() - 1;
        size_t at = (id * uint64_t{0x9E3779B97F4A7C15}) >> 32 & last;
        while (table_[at].stamp == stamp_ && table_[at].id != id) at = (at + 1) & last;
        return table_[at];
    }

    // Memory stays linear: a word has one block for each stretch of 64 positions in which it occurs.
    void index_positions() {
        const uint32_t n_words = unknown();
        if (fits_one_block()) {
            masks_.assign(n_words + 1, 0);
            for (size_t j = 0; j < words_.size(); ++j) masks_[words_[j]] |= uint64_t{1} << j;
            return;
        }
        constexpr uint32_t none = UINT32_MAX;
        block_begin_.assign(n_words + 2, 0);
        latest_.assign(n_words, none);
        for (size_t j = 0; j < words_.size(); ++j)
            if (latest_[words_[j]] != j / 64) {
                latest_[words_[j]] = uint32_t(j / 64);
                ++block_begin_[words_[j] + 1];
            }
        for (uint32_t w = 0; w <= n_words; ++w) block_begin_[w + 1] += block_begin_[w];
        blocks_.resize(block_begin_[n_words]);
        std::copy_n(block_begin_.begin(), n_words, latest_.begin());  // from here on: the word's next free block
        for (size_t j = 0; j < words_.size(); ++j) {
            const uint32_t w = words_[j], number = uint32_t(j / 64);
            if (latest_[w] == block_begin_[w] || blocks_[latest_[w] - 1].number != number) blocks_[latest_[w]++] = {number, 0};
            blocks_[latest_[w] - 1].mask |= uint64_t{1} << j % 64;
        }
    }

    std::vector<Slot> table_;
    uint32_t stamp_ = 0;
    std::vector<uint32_t> words_;
    std::vector<int32_t> counts_;
    std::vector<uint64_t> masks_;
    std::vector<Block> blocks_;
    std::vector<uint32_t> block_begin_, latest_;
};

}  // namespace tertium
