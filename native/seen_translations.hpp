// How often each source had each target, by hash, in flat memory: when there are too many sources, those that were seen
// least go (lossy counting), so that a count may be too low, but never too high.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "words.hpp"

namespace tertium {

class SeenTranslations {
public:
    // What is known of a source that was seen more than once: different targets, times it was seen, times it had its most
    // frequent target, times it had this one.
    struct Counts {
        int64_t targets = 0, times = 0, usual = 0, own = 0;
    };

    explicit SeenTranslations(size_t most) : most_(most), slots_(1024) {}

    size_t size() const { return used_; }

    // Everything, for a process that looks at units where none were counted.
    template <class Archive>
    void travel(Archive& archive) {
        archive(most_);
        archive(used_);
        archive(slots_);
        archive(rests_);
    }

    void add(uint64_t source, uint64_t target) {
        if (5 * (used_ + 1) > 4 * slots_.size()) rebuild(2 * slots_.size(), 0);
        Slot& slot = slots_[place(source)];
        if (slot.count == 0) {
            slot = {source, target, 1, kNone};
            ++used_;
        } else if (slot.target == target) {
            ++slot.count;
        } else {
            if (slot.rest == kNone) {
                slot.rest = uint32_t(rests_.size());
                rests_.emplace_back();
            }
            auto& rest = rests_[slot.rest];
            const auto found = std::find_if(rest.begin(), rest.end(), [&](const auto& own) { return own.first == target; });
            if (found != rest.end()) ++found->second;
            else rest.emplace_back(target, 1);
        }
    }

    // Forget what was seen least, if there is too much; what was seen once goes first.
    void prune() {
        uint32_t least = 2;
        while (used_ > (least == 2 ? most_ : most_ / 2)) {
            rebuild(slots_.size(), least);
            least *= 2;
        }
    }

    Counts counts(uint64_t source, uint64_t target) const {
        const Slot& slot = slots_[place(source)];
        const uint32_t times = times_of(slot);
        if (times < 2) return {};
        Counts found{1, times, slot.count, slot.target == target ? slot.count : 0};
        if (slot.rest != kNone)
            for (const auto& [other, count] : rests_[slot.rest]) {
                ++found.targets;
                found.usual = std::max(found.usual, int64_t(count));
                if (other == target) found.own = count;
            }
        return found;
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    using Rest = std::vector<std::pair<uint64_t, uint32_t>>;
    struct Slot {
        uint64_t source = 0, target = 0;
        uint32_t count = 0, rest = kNone;  // count 0: free
    };
    size_t place(uint64_t source) const {
        const size_t mask = slots_.size() - 1;
        size_t i = mix(source, 11) & mask;
        while (slots_[i].count != 0 && slots_[i].source != source) i = (i + 1) & mask;
        return i;
    }
    uint32_t times_of(const Slot& slot) const {
        uint32_t times = slot.count;
        if (slot.rest != kNone)
            for (const auto& own : rests_[slot.rest]) times += own.second;
        return times;
    }
    // Slots of what was seen so often.
    void rebuild(size_t capacity, uint32_t least) {
        std::vector<Slot> before(capacity);
        before.swap(slots_);
        std::vector<Rest> rests;
        rests.swap(rests_);
        used_ = 0;
        for (Slot slot : before) {
            if (slot.count == 0) continue;
            uint32_t times = slot.count;
            if (slot.rest != kNone) {
                for (const auto& own : rests[slot.rest]) times += own.second;
                if (times >= least) {
                    rests_.push_back(std::move(rests[slot.rest]));
                    slot.rest = uint32_t(rests_.size() - 1);
                }
            }
            if (times < least) continue;
            slots_[place(slot.source)] = slot;
            ++used_;
        }
    }

    size_t most_, used_ = 0;
    std::vector<Slot> slots_;
    std::vector<Rest> rests_;
};

}  // namespace tertium
