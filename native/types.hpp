// Counts per word type: what MacroF and MicroF are made of (Gowda et al. 2021). A row is sparse: the types of one
// segment with how often each was predicted, stands in the reference, and matches.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "exact_sum.hpp"
#include "fetch.hpp"
#include "interrupts.hpp"
#include "large_memory.hpp"
#include "references.hpp"
#include "utf8.hpp"

namespace tertium {

// Numbers types 0, 1, 2... in the order they are first seen.
class Vocabulary {
public:
    Vocabulary() : slots_(1024) {}
    // Of distinct types that are numbered already; the table is made when another type comes.
    Vocabulary(std::vector<std::string_view> types, TextArena arena) : types_(std::move(types)), arena_(std::move(arena)) {}
    size_t size() const { return types_.size(); }
    std::string_view operator[](size_t i) const { return types_[i]; }

    uint32_t add(uint64_t key, std::string_view type) {
        if (slots_.empty()) index();
        size_t i = start(key);
        for (; slots_[i].number != kFree; i = (i + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[i];
            if (slot.key == key && slot.size == uint32_t(type.size()) &&
                (type.size() <= 8 || std::memcmp(types_[slot.number].data(), type.data(), type.size()) == 0))
                return slot.number;
        }
        const uint32_t number = uint32_t(types_.size());
        slots_[i] = {key, number, uint32_t(type.size())};
        types_.push_back(arena_.copy(type));
        if (4 * types_.size() > 3 * slots_.size()) grow();  // small: clearing a large table costs more than a probe
        return number;
    }
    void prefetch(uint64_t key) const { fetch_memory(&slots_[start(key)]); }
    uint32_t add(std::string_view type) { return add(key_of(type), type); }
    // Drops the table; it is made again should another type come.
    void settle() { LargeVector<Slot>().swap(slots_); }

private:
    static constexpr uint32_t kFree = 0xFFFFFFFFu;
    struct Slot {
        uint64_t key = 0;
        uint32_t number = kFree, size = 0;
    };
    static uint64_t key_of(std::string_view type) { return word_key(type.data(), type.size(), type.data() + type.size()); }
    size_t start(uint64_t key) const { return (key * 0x9E3779B97F4A7C15ull) >> (64 - std::countr_zero(slots_.size())); }
    void index() {
        slots_.resize(std::bit_ceil(std::max<size_t>(1024, 2 * types_.size())));
        for (uint32_t number = 0; number < types_.size(); ++number) {
            const uint64_t key = key_of(types_[number]);
            size_t i = start(key);
            while (slots_[i].number != kFree) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = {key, number, uint32_t(types_[number].size())};
        }
    }
    void grow() {
        LargeVector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number == kFree) continue;
            size_t i = start(slot.key);
            while (slots_[i].number != kFree) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = slot;
        }
    }
    LargeVector<Slot> slots_;
    std::vector<std::string_view> types_;
    TextArena arena_;
};

// Half the memory of int64 where millions of rows are kept; what does not fit is refused, not wrapped.
struct TypeCounts {
    uint32_t predicted = 0, reference = 0, matched = 0;

    void operator+=(const TypeCounts& other) {
        const bool full = __builtin_add_overflow(predicted, other.predicted, &predicted);
        if (__builtin_add_overflow(reference, other.reference, &reference) || full)
            throw std::overflow_error("a word type occurs more than 4,294,967,295 times");
        matched += other.matched;  // never more than the other two
    }
    void operator-=(const TypeCounts& other) {
        if (predicted < other.predicted || reference < other.reference || matched < other.matched)
            throw std::invalid_argument("rows can only be subtracted from a sum that holds them");
        predicted -= other.predicted;
        reference -= other.reference;
        matched -= other.matched;
    }
};

// A weighted sum of counts on the way; at its end it must be a count again.
struct TypeSum {
    int64_t predicted = 0, reference = 0, matched = 0;

    void add(const TypeCounts& c, int64_t weight) {
        predicted += weight * int64_t(c.predicted);
        reference += weight * int64_t(c.reference);
        matched += weight * int64_t(c.matched);
    }
    bool empty() const { return predicted == 0 && reference == 0 && matched == 0; }
    TypeCounts counts() const {
        for (const int64_t count : {predicted, reference, matched})
            if (count < 0 || count > int64_t(UINT32_MAX))
                throw std::overflow_error("a weighted count of a word type is below 0 or above 4,294,967,295");
        return {uint32_t(predicted), uint32_t(reference), uint32_t(matched)};
    }
};

class TypeRows {
public:
    // Shared with the rows that ours were summed or taken from, so a sum costs no copy of the words.
    std::shared_ptr<Vocabulary> vocabulary = std::make_shared<Vocabulary>();
    std::vector<int64_t> starts{0};  // row i: entries starts[i] .. starts[i + 1]
    LargeVector<uint32_t> types;
    LargeVector<TypeCounts> counts;

    size_t size() const { return starts.size() - 1; }

    // Behind our rows, rows of another object, in our numbering of types. `number` maps its types to ours and is
    // kept by the caller between calls (empty at first).
    void append(const TypeRows& other, size_t first, size_t last, std::vector<uint32_t>& number) {
        number.resize(other.vocabulary->size(), kNone);
        for (size_t row = first; row < last; ++row) {
            for (int64_t e = other.starts[row]; e < other.starts[row + 1]; ++e) {
                uint32_t& mapped = number[other.types[e]];
                if (mapped == kNone) mapped = vocabulary->add((*other.vocabulary)[other.types[e]]);
                types.push_back(mapped);
                counts.push_back(other.counts[e]);
            }
            starts.push_back(int64_t(types.size()));
        }
    }
    void append(const TypeRows& other) {
        std::vector<uint32_t> number;
        append(other, 0, other.size(), number);
    }

    // Rows by their numbers; types keep theirs.
    void take(const int64_t* index, size_t m, TypeRows& out) const {
        size_t entries = 0;
        for (size_t i = 0; i < m; ++i) {
            if (index[i] < 0 || size_t(index[i]) >= size()) throw std::out_of_range("there is no row with that number");
            entries += size_t(starts[index[i] + 1] - starts[index[i]]);
        }
        out.vocabulary = vocabulary;
        out.starts.reserve(m + 1);
        out.types.reserve(entries);
        out.counts.reserve(entries);
        for (size_t i = 0; i < m; ++i) {
            poll();
            const int64_t begin = starts[index[i]], end = starts[index[i] + 1];
            out.types.insert(out.types.end(), types.begin() + begin, types.begin() + end);
            out.counts.insert(out.counts.end(), counts.begin() + begin, counts.begin() + end);
            out.starts.push_back(int64_t(out.types.size()));
        }
    }

    // Row g of the result is the sum of all rows i with group[i] == g; group[i] < 0 leaves row i out.
    void sum_groups(const int64_t* group, size_t n_groups, TypeRows& out) const {
        std::vector<std::vector<size_t>> members(n_groups);
        for (size_t i = 0; i < size(); ++i) {
            if (group[i] >= int64_t(n_groups)) throw std::invalid_argument("a group number is too large");
            if (group[i] >= 0) members[size_t(group[i])].push_back(i);
        }
        out.vocabulary = vocabulary;
        std::vector<int64_t> place(vocabulary->size(), -1);
        for (const auto& rows : members) {
            const int64_t begin = int64_t(out.types.size());
            for (const size_t row : rows) {
                for (int64_t e = starts[row]; e < starts[row + 1]; ++e) {
                    const uint32_t type = types[e];
                    if (place[type] < begin) {
                        place[type] = int64_t(out.types.size());
                        out.types.push_back(type);
                        out.counts.emplace_back();
                    }
                    out.counts[place[type]] += counts[e];
                }
            }
            out.starts.push_back(int64_t(out.types.size()));
        }
    }

    // Our rows less the other's, row by row; types of which nothing is left are gone.
    void subtract(const TypeRows& other, TypeRows& out) const {
        if (other.size() != size()) throw std::invalid_argument("the numbers of rows differ");
        std::vector<uint32_t> own, theirs(other.vocabulary->size(), kNone);
        std::vector<int64_t> place;
        TypeRows whole;
        for (size_t row = 0; row < size(); ++row) {
            const size_t begin = whole.types.size();
            whole.append(*this, row, row + 1, own);
            place.resize(whole.vocabulary->size() + size_t(other.starts[row + 1] - other.starts[row]), -1);
            for (size_t e = begin; e < whole.types.size(); ++e) place[whole.types[e]] = int64_t(e);
            for (int64_t e = other.starts[row]; e < other.starts[row + 1]; ++e) {
                uint32_t& mapped = theirs[other.types[e]];
                if (mapped == kNone) mapped = whole.vocabulary->add((*other.vocabulary)[other.types[e]]);
                if (place[mapped] < int64_t(begin)) {  // not in our row: refused below
                    place[mapped] = int64_t(whole.types.size());
                    whole.types.push_back(mapped);
                    whole.counts.emplace_back();
                }
                whole.counts[place[mapped]] -= other.counts[e];
            }
            for (size_t e = begin; e < whole.types.size(); ++e) {
                if ((whole.counts[e].predicted | whole.counts[e].reference) == 0) continue;
                out.types.push_back(whole.types[e]);
                out.counts.push_back(whole.counts[e]);
            }
            out.starts.push_back(int64_t(out.types.size()));
        }
        out.vocabulary = whole.vocabulary;
    }

    // The sum of all rows as the only row of `out`.
    void sum_all(TypeRows& out) const {
        out.vocabulary = vocabulary;
        std::vector<TypeCounts> sums(vocabulary->size());
        for (size_t e = 0; e < types.size(); ++e) {
            sums[types[e]] += counts[e];
        }
        for (size_t type = 0; type < sums.size(); ++type) {
            if (sums[type].predicted == 0 && sums[type].reference == 0) continue;  // a type of rows that were left out
            out.types.push_back(uint32_t(type));
            out.counts.push_back(sums[type]);
        }
        out.starts.push_back(int64_t(out.types.size()));
    }

    // Adds all rows of another object to our only row. For totals that grow batch by batch: what is there already is
    // neither copied nor looked at again.
    void absorb(const TypeRows& other) {
        if (size() != 1) throw std::invalid_argument("only a single row can absorb others");
        if (places_.empty()) own_vocabulary();
        std::vector<uint32_t> number(other.vocabulary->size(), kNone);
        for (size_t e = 0; e < other.types.size(); ++e) {
            uint32_t& mapped = number[other.types[e]];
            if (mapped == kNone) mapped = vocabulary->add((*other.vocabulary)[other.types[e]]);
            if (mapped >= places_.size()) places_.resize(std::max<size_t>(2 * places_.size(), mapped + 1), kNone);
            if (places_[mapped] == kNone) {
                places_[mapped] = uint32_t(types.size());
                types.push_back(mapped);
                counts.emplace_back();
            }
            counts[places_[mapped]] += other.counts[e];
        }
        starts.back() = int64_t(types.size());
    }

    // Row j of the result is the sum of our rows, each times its weight in row j (m x our size). A type whose counts all
    // come to nothing is not in the sum.
    void weigh(const int16_t* weights, size_t m, TypeRows& out) const {
        out.vocabulary = vocabulary;
        std::vector<TypeSum> sums(vocabulary->size());
        std::vector<uint32_t> seen;
        std::vector<char> known(vocabulary->size());
        for (size_t j = 0; j < m; ++j, weights += size()) {
            poll();
            seen.clear();
            for (size_t row = 0; row < size(); ++row) {
                if (weights[row] == 0) continue;
                for (int64_t e = starts[row]; e < starts[row + 1]; ++e) {
                    if (!known[types[e]]) {
                        known[types[e]] = 1;
                        seen.push_back(types[e]);
                    }
                    sums[types[e]].add(counts[e], weights[row]);
                }
            }
            for (const uint32_t type : seen) {
                if (!sums[type].empty()) {
                    out.types.push_back(type);
                    out.counts.push_back(sums[type].counts());
                }
                sums[type] = {};
                known[type] = 0;
            }
            out.starts.push_back(int64_t(out.types.size()));
        }
    }
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

private:
    void own_vocabulary() {  // ours may be shared with the rows that we are the sum of
        auto own = std::make_shared<Vocabulary>();
        for (uint32_t& type : types) {
            type = own->add((*vocabulary)[type]);
            places_.push_back(type);  // in a fresh vocabulary, type and entry have the same number
        }
        vocabulary = std::move(own);
    }
    std::vector<uint32_t> places_;  // of absorb: the entry of each type
};

struct TypeOptions {
    double beta = 1.0;
    bool micro = false;  // weigh types by reference count + k
    double k = 1.0;
};

// F of one type: 0 unless it matches somewhere.
inline double type_f(const TypeCounts& c, double beta_squared) {
    if (c.matched == 0) return 0.0;
    return (1.0 + beta_squared) * double(c.matched) / (beta_squared * double(c.reference) + double(c.predicted));
}

// In percent. NaN for a row without any type: the mean over no types is undefined.
inline double type_score(const TypeRows& rows, size_t row, const TypeOptions& options) {
    const double beta_squared = options.beta * options.beta;
    __int128 sum = 0, weights = 0;  // exact, so that the order of types cannot matter
    for (int64_t e = rows.starts[row]; e < rows.starts[row + 1]; ++e) {
        const TypeCounts& c = rows.counts[e];
        const double weight = options.micro ? double(c.reference) + options.k : 1.0;
        sum += to_fixed(weight * type_f(c, beta_squared));
        weights += to_fixed(weight);
    }
    return weights > 0 ? 100.0 * (from_fixed(sum) / from_fixed(weights)) : std::nan("");
}

// Makes the rows of a range of segments.
class TypeKernel {
public:
    TypeKernel(Tokenizer tokenizer, int order, bool characters)
        : tokenizer_(tokenizer), order_(order), characters_(characters) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, TypeRows& out) {
        begin_ = int64_t(out.types.size());
        for (size_t r = 0; r < n_references; ++r) {
            repeats_.assign(repeats_.size(), 0);
            const WordsView& reference = references[r];
            each_type(reference.words, reference.size, reference.base, out, [&](size_t entry) {
                if (n_references == 1) {
                    ++out.counts[entry].reference;
                    return;
                }
                const size_t local = entry - size_t(begin_);  // clip at the largest count of any reference
                if (local >= repeats_.size()) repeats_.resize(local + 1, 0);
                out.counts[entry].reference = std::max(out.counts[entry].reference, ++repeats_[local]);
            });
        }
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        each_type(words_.data(), words_.size(), tokens_.text().data(), out,
                  [&](size_t entry) { ++out.counts[entry].predicted; });
        for (size_t e = size_t(begin_); e < out.types.size(); ++e)
            out.counts[e].matched = std::min(out.counts[e].predicted, out.counts[e].reference);
        out.starts.push_back(int64_t(out.types.size()));
    }

private:
    template <class Use>
    void each_type(const Word* words, size_t size, const char* base, TypeRows& out, Use&& use) {
        Vocabulary& vocabulary = *out.vocabulary;
        for (size_t i = 0; i < size; ++i) {
            if (i + 4 < size) vocabulary.prefetch(words[i + 4].key);
            const std::string_view word(base + words[i].begin, words[i].size);
            use(entry_of(vocabulary.add(words[i].key, word), out));
            if (order_ < 2) continue;
            joined_.assign(word);
            for (size_t n = 1; n < size_t(order_) && i + n < size; ++n) {
                if (!characters_) joined_.push_back(' ');
                joined_.append(base + words[i + n].begin, words[i + n].size);
                use(entry_of(vocabulary.add(joined_), out));
            }
        }
    }
    size_t entry_of(uint32_t type, TypeRows& out) {
        if (type >= place_.size()) place_.resize(std::max<size_t>(2 * place_.size(), type + 1), -1);
        if (place_[type] < begin_) {
            place_[type] = int64_t(out.types.size());
            out.types.push_back(type);
            out.counts.emplace_back();
        }
        return size_t(place_[type]);
    }
    Tokenizer tokenizer_;
    int order_;
    bool characters_;
    Tokens tokens_;
    std::vector<Word> words_;
    std::vector<int64_t> place_;     // entry of each type in this row
    std::vector<uint32_t> repeats_;  // counts of one reference
    std::string joined_;
    int64_t begin_ = 0;
};

}  // namespace tertium
