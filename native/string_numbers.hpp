// Strings numbered 0, 1, 2... in the order in which they first appear; the strings are kept.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fetch.hpp"
#include "lines.hpp"
#include "words.hpp"

namespace tertium {

// `end`: how far memory may be read, which makes it faster.
inline uint64_t string_hash(std::string_view text, const char* end) {
    return mix(word_key(text.data(), text.size(), end), text.size());
}
inline uint64_t string_hash(std::string_view text) { return string_hash(text, text.data() + text.size()); }

class StringNumbers {
public:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

    uint32_t size() const { return uint32_t(texts_.size()); }
    std::string_view operator[](uint32_t number) const { return texts_[number]; }

    uint32_t find(std::string_view text) const {
        return slots_.empty() ? kNone : slots_[place(text, string_hash(text))].number;
    }
    uint32_t find(std::string_view text, uint64_t hash) const {
        return slots_.empty() ? kNone : slots_[place(text, hash)].number;
    }
    uint32_t add(std::string_view text) { return add(text, string_hash(text)); }
    uint32_t add(std::string_view text, uint64_t hash) {
        if (2 * (texts_.size() + 1) > slots_.size()) grow();
        Slot& slot = slots_[place(text, hash)];
        if (slot.number == kNone) {
            slot = {uint32_t(hash >> 32), size()};
            texts_.push_back(arena_.copy(text));
        }
        return slot.number;
    }

    template <class Archive>
    void travel(Archive& archive) {
        std::vector<std::string_view> texts = texts_;
        archive(texts);
        if (texts_.empty())
            for (const std::string_view text : texts) add(text);
    }

    void fetch(uint64_t hash) const {
        if (!slots_.empty()) fetch_memory(&slots_[hash & (slots_.size() - 1)]);
    }

private:
    struct Slot {
        uint32_t check = 0, number = kNone;
    };
    size_t place(std::string_view text, uint64_t hash) const {
        const size_t mask = slots_.size() - 1;
        for (size_t i = hash & mask;; i = (i + 1) & mask) {
            const Slot& slot = slots_[i];
            if (slot.number == kNone || (slot.check == uint32_t(hash >> 32) && is_same(texts_[slot.number], text))) return i;
        }
    }
    // Without a call for short ones, which most words are.
    static bool is_same(std::string_view a, std::string_view b) {
        if (a.size() != b.size()) return false;
        if (a.size() < 4 || a.size() > 16) return a == b;
        const size_t half = a.size() < 8 ? 4 : 8;
        return load_bytes(a.data(), half) == load_bytes(b.data(), half) &&
               load_bytes(a.data() + a.size() - half, half) == load_bytes(b.data() + b.size() - half, half);
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
