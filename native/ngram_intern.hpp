// Clipped n-gram matches for lines of any length, in time and memory proportional to the line: the n-grams
// of order n are numbered by (number of the n-gram of order n - 1, next symbol) in one flat hash table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

class NgramInterner {
public:
    // matches[n] becomes the sum over the n-grams of order n + 1 of min(count in one, count in the other).
    void match(const uint32_t* reference, size_t reference_length, const uint32_t* hypothesis, size_t hypothesis_length,
               size_t order, int64_t* matches) {
        std::fill_n(matches, order, 0);
        reference_.assign(reference_length, 0);  // per position, the number of the n-gram that starts there
        hypothesis_.assign(hypothesis_length, 0);
        const size_t slots = std::bit_ceil(std::max<size_t>(2 * reference_length, 16));
        shift_ = 64 - std::countr_zero(slots);
        for (size_t n = 1; n <= order && n <= reference_length && n <= hypothesis_length; ++n) {
            slots_.assign(slots, Slot{});
            left_.clear();
            for (size_t i = 0; i + n <= reference_length; ++i) {
                if (reference_[i] == absent) continue;
                Slot& slot = find(reference_[i], reference[i + n - 1]);
                if (slot.id == absent) {
                    slot = {reference_[i], reference[i + n - 1], uint32_t(left_.size())};
                    left_.push_back({0, false});
                }
                ++left_[slot.id].count;
                reference_[i] = slot.id;
            }
            bool any = false;
            for (size_t i = 0; i + n <= hypothesis_length; ++i) {
                if (hypothesis_[i] == absent) continue;
                hypothesis_[i] = find(hypothesis_[i], hypothesis[i + n - 1]).id;
                if (hypothesis_[i] == absent) continue;
                any = true;
                Left& left = left_[hypothesis_[i]];
                left.shared = true;
                if (left.count > 0) {
                    --left.count;
                    ++matches[n - 1];
                }
            }
            if (!any) return;  // what does not match cannot match when it grows
            for (size_t i = 0; i + n <= reference_length; ++i) {
                if (reference_[i] != absent && !left_[reference_[i]].shared) reference_[i] = absent;
            }
        }
    }

private:
    static constexpr uint32_t absent = ~uint32_t{0};
    struct Slot {
        uint32_t shorter = 0, symbol = 0, id = absent;
    };
    struct Left {
        uint32_t count;
        bool shared;  // the hypothesis has it too
    };

    Slot& find(uint32_t shorter, uint32_t symbol) {
        uint64_t hash = (uint64_t{shorter} << 32 | symbol) * 0x9E3779B97F4A7C15u;
        hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
        for (size_t i = hash >> shift_;; i = (i + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[i];
            if (slot.id == absent || (slot.shorter == shorter && slot.symbol == symbol)) return slot;
        }
    }

    std::vector<uint32_t> reference_, hypothesis_;
    std::vector<Slot> slots_;
    std::vector<Left> left_;
    int shift_ = 0;
};

}  // namespace tertium
