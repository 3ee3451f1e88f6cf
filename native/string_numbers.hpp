// Strings numbered 0, 1, 2... in the order in which they first appear; the strings are kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lines.hpp"
#include "words.hpp"

namespace tertium {

inline uint64_t string_hash(std::string_view text) {
    return mix(word_key(text.data(), text.size(), text.data() + text.size()), text.size());
}

class StringNumbers {
public:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

    uint32_t size() const { return uint32_t(texts_.size()); }
    std::string_view operator[](uint32_t number) const { return texts_[number]; }

    uint32_t find(std::string_view text) const {
        return slots_.empty() ? kNone : slots_[place(text, string_hash(text))].number;
    }
    uint32_t add(std::string_view text) {
        if (2 * (texts_.size() + 1) > slots_.size()) grow();
        const uint64_t hash = string_hash(text);
        Slot& slot = slots_[place(text, hash)];
        if (slot.number == kNone) {
            slot = {uint32_t(hash >> 32), size()};
            texts_.push_back(arena_.copy(text));
        }
        return slot.number;
    }

private:
    struct Slot {
        uint32_t check = 0, number = kNone;
    };
    size_t place(std::string_view text, uint64_t hash) const {
        const size_t mask = slots_.size() - 1;
        for (size_t i = hash & mask;; i = (i + 1) & mask) {
            const Slot& slot = slots_[i];
            if (slot.number == kNone || (slot.check == uint32_t(hash >> 32) && texts_[slot.number] == text)) return i;
        }
    }
    void grow() {
        slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), Slot{});
        for (uint32_t number = 0; number < size(); ++number) {
            const uint64_t hash = string_hash(texts_[number]);
            slots_[place(texts_[number], hash)] = {uint32_t(hash >> 32), number};
        }
    }
    std::vector<Slot> slots_;
    std::vector<std::string_view> texts_;
    TextArena arena_;
};

}  // namespace tertium
