// The sum of the type rows of many segments without the rows: one table of types, each with its counts beside its key,
// so that a word costs one look into memory. For one reference a segment; the numbers are those of TypeKernel's rows,
// summed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fetch.hpp"
#include "types.hpp"

namespace tertium {

class TypeCounter {
public:
    TypeCounter(Tokenizer tokenizer, int order, bool characters)
        : tokenizer_(tokenizer), order_(size_t(order)), characters_(characters), slots_(kFirst) {}

    void add(std::string_view hypothesis, const WordsView& reference) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        make_room(order_ * (reference.size + words_.size()));
        touched_.resize(order_ * reference.size);
        uint32_t* touched = touched_.data();
        each(reference, [&](Slot& slot) {
            ++slot.counts.reference;
            ++slot.open;
            *touched++ = uint32_t(&slot - slots_.data());
        });
        each({words_.data(), uint32_t(words_.size()), tokens_.text().data()}, [&](Slot& slot) {
            const uint32_t matches = slot.open > 0;
            slot.open -= matches;
            slot.counts.matched += matches;
            ++slot.counts.predicted;
        });
        for (const uint32_t* i = touched_.data(); i < touched; ++i) slots_[*i].open = 0;
    }

    // The sum, as one row; types are numbered in the order they were first seen. Empties the counter.
    std::shared_ptr<TypeRows> take() {
        auto rows = std::make_shared<TypeRows>();
        rows->types.resize(types_.size());
        rows->counts.resize(types_.size());
        for (uint32_t i = 0; i < types_.size(); ++i) rows->types[i] = i;
        for (const Slot& slot : slots_)
            if (slot.number != kFree) rows->counts[slot.number] = slot.counts;
        rows->starts.push_back(int64_t(types_.size()));
        rows->vocabulary = std::make_shared<Vocabulary>(std::move(types_), std::move(arena_));
        return rows;
    }

private:
    static constexpr uint32_t kFree = 0xFFFFFFFFu;
    static constexpr size_t kFirst = size_t(1) << 12;
    static constexpr uint32_t kAhead = 12;
    struct Slot {
        uint64_t key = 0;
        uint32_t number = kFree, size = 0;
        TypeCounts counts;
        uint32_t open = 0;  // words of this segment's reference that nothing has matched yet
    };
    static_assert(sizeof(Slot) == 32);

    size_t start(uint64_t key) const { return (key * 0x9E3779B97F4A7C15ull) >> shift_; }

    template <class Use>
    void each(const WordsView& words, Use&& use) {
        const WordsView view = order_ == 1 ? words : ngrams(words);
        for (uint32_t i = 0; i < view.size; ++i) {
            if (i + kAhead < view.size) fetch_memory(&slots_[start(view.words[i + kAhead].key)]);
            use(locate(view.words[i], view.base));
        }
    }
    // All n-grams, in the order of their first words: those that begin with one are prefixes of the longest.
    WordsView ngrams(const WordsView& view) {
        joined_.clear();
        ngrams_.clear();
        for (size_t i = 0; i < view.size; ++i) {
            const size_t begin = joined_.size();
            for (size_t n = 0; n < order_ && i + n < view.size; ++n) {
                if (n && !characters_) joined_.push_back(' ');
                joined_.append(view.base + view.words[i + n].begin, view.words[i + n].size);
                ngrams_.push_back({0, uint32_t(begin), uint32_t(joined_.size() - begin)});
            }
        }
        const char* end = joined_.data() + joined_.size();
        for (Word& own : ngrams_) own.key = word_key(joined_.data() + own.begin, own.size, end);
        return {ngrams_.data(), uint32_t(ngrams_.size()), joined_.data()};
    }
    Slot& locate(const Word& word, const char* base) {
        const char* text = base + word.begin;
        size_t i = start(word.key);
        for (; slots_[i].number != kFree; i = (i + 1) & (slots_.size() - 1)) {
            Slot& slot = slots_[i];
            if (slot.key == word.key && slot.size == word.size &&
                (word.size <= 8 || std::memcmp(types_[slot.number].data(), text, word.size) == 0))
                return slot;
        }
        slots_[i].key = word.key;
        slots_[i].size = word.size;
        slots_[i].number = uint32_t(types_.size());
        types_.push_back(arena_.copy({text, word.size}));
        return slots_[i];
    }
    void make_room(size_t words) {  // so that slots stay where they are within a segment
        size_t size = slots_.size();
        while (4 * (types_.size() + words) > 3 * size) size *= 2;
        if (size == slots_.size()) return;
        LargeVector<Slot> old(size);
        old.swap(slots_);
        shift_ = 64 - std::countr_zero(size);
        for (const Slot& slot : old) {
            if (slot.number == kFree) continue;
            size_t i = start(slot.key);
            while (slots_[i].number != kFree) i = (i + 1) & (size - 1);
            slots_[i] = slot;
        }
    }
    Tokenizer tokenizer_;
    size_t order_;
    bool characters_;
    Tokens tokens_;
    std::vector<Word> words_, ngrams_;
    std::string joined_;
    LargeVector<Slot> slots_;
    int shift_ = 64 - std::countr_zero(kFirst);
    std::vector<std::string_view> types_;
    TextArena arena_;
    std::vector<uint32_t> touched_;
};

}  // namespace tertium
