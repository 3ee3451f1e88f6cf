// Tables of paraphrases: which phrases stand for which. A table is built once from its text into one flat piece of
// memory, which is written to a file and mapped from then on, so that millions of pairs open at once and are shared
// by processes.
//
// Phrases are nodes of a tree of words. Children are found by hashing (parent, word); each phrase that stands first
// in a pair has the list of the phrases that stand second, in the order of the text, repetitions included. All of it
// is far larger than caches are, so what will be looked at is fetched ahead.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "string_numbers.hpp"
#include "words.hpp"

namespace tertium {

struct ParaphraseHeader {
    char magic[8];  // also says which version of this layout it is
    uint64_t bytes, pairs;
    uint32_t words, nodes, word_slots, node_slots;  // word_slots is a power of two
    char note[64];                                  // what the builder was told to remember: a hash of the text
};

class ParaphraseTable {
public:
    static constexpr char kMagic[9] = "tertpp02";
    static constexpr uint32_t kNone = 0xFFFFFFFFu;

    // A view of `memory`, which `owner` keeps alive.
    ParaphraseTable(std::string_view memory, std::shared_ptr<void> owner) : owner_(std::move(owner)) {
        if (memory.size() < sizeof(ParaphraseHeader)) throw std::invalid_argument("the file is too short");
        std::memcpy(&header_, memory.data(), sizeof header_);
        if (std::memcmp(header_.magic, kMagic, 8) != 0) throw std::invalid_argument("the file is of another kind");
        if (header_.bytes != memory.size()) throw std::invalid_argument("the file is not complete");
        const char* at = memory.data() + sizeof(ParaphraseHeader);
        const auto take = [&](size_t n) {
            const auto* found = reinterpret_cast<const uint32_t*>(at);
            at += n * sizeof(uint32_t);
            return found;
        };
        word_slots_ = take(header_.word_slots);
        word_starts_ = take(header_.words + 1);
        children_ = reinterpret_cast<const Child*>(take(3 * size_t(header_.node_slots)));
        target_starts_ = take(header_.nodes + 1);
        targets_ = take(target_starts_[header_.nodes]);
        letters_ = at;
    }
    uint64_t pairs() const { return header_.pairs; }
    uint32_t nodes() const { return header_.nodes; }
    std::string_view note() const { return {header_.note, strnlen(header_.note, sizeof header_.note)}; }

    uint32_t word(std::string_view text) const {
        const uint32_t mask = header_.word_slots - 1;
        for (uint32_t i = uint32_t(string_hash(text)) & mask;; i = (i + 1) & mask) {
            const uint32_t number = word_slots_[i];
            if (number == kNone) return kNone;
            const std::string_view known(letters_ + word_starts_[number], word_starts_[number + 1] - word_starts_[number]);
            if (known == text) return number;
        }
    }
    // The phrase that is `parent` and one more word; kNone is also the root's number.
    uint32_t child(uint32_t parent, uint32_t word) const {
        for (uint32_t i = place(parent, word, header_.node_slots);; i = i + 1 < header_.node_slots ? i + 1 : 0) {
            const Child& slot = children_[i];
            if (slot.node == kNone || (slot.parent == parent && slot.word == word)) return slot.node;
        }
    }
    const uint32_t* targets(uint32_t node) const { return targets_ + target_starts_[node]; }
    const uint32_t* targets_end(uint32_t node) const { return targets_ + target_starts_[node + 1]; }
    void fetch_child(uint32_t parent, uint32_t word) const {
        __builtin_prefetch(children_ + place(parent, word, header_.node_slots));
    }
    void fetch_starts(uint32_t node) const { __builtin_prefetch(target_starts_ + node); }
    void fetch_targets(uint32_t node) const { __builtin_prefetch(targets(node)); }

    struct Child {
        uint32_t parent, word, node;
    };
    static uint32_t place(uint32_t parent, uint32_t word, uint32_t slots) {
        const uint64_t hash = mix(uint64_t(parent) << 32 | word, 0x2545F4914F6CDD1Dull);
        return uint32_t(static_cast<__uint128_t>(hash) * slots >> 64);
    }

private:
    std::shared_ptr<void> owner_;
    ParaphraseHeader header_;
    const uint32_t *word_slots_, *word_starts_, *target_starts_, *targets_;
    const Child* children_;
    const char* letters_;
};

// Takes the text of a table piece by piece.
class ParaphraseBuilder {
public:
    enum class Format : uint8_t { meteor, ppdb };  // lines of probability, phrase, phrase; or fields between bars

    explicit ParaphraseBuilder(Format format) : format_(format), slots_(1 << 16, ParaphraseTable::kNone) {}

    void feed(std::string_view text) {
        while (true) {
            const size_t end = text.find('\n');
            if (end == std::string_view::npos) break;
            if (rest_.empty()) {
                line(text.substr(0, end));
            } else {
                rest_.append(text.substr(0, end));
                line(rest_);
                rest_.clear();
            }
            text.remove_prefix(end + 1);
        }
        rest_.append(text);
    }
    // The whole table as one piece of memory.
    std::string finish(std::string_view note) {
        if (!rest_.empty()) {
            line(rest_);
            rest_.clear();
        }
        if (format_ == Format::meteor && lines_ % 3 != 0)
            fail("the file ends in the middle of an entry (three lines: probability, phrase, phrase)");
        if (pairs_.empty()) fail("there are no paraphrases");
        return flat(note);
    }
    uint64_t skipped() const { return skipped_; }  // pairs with gaps in them, which no aligner here can use

private:
    struct Pair {
        uint32_t first, second;
    };
    [[noreturn]] void fail(const char* why) const {
        throw std::invalid_argument("line " + std::to_string(lines_) + ": " + why);
    }
    void line(std::string_view text) {
        ++lines_;
        if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
        if (format_ == Format::ppdb) return ppdb(text);
        switch (lines_ % 3) {
            case 1: probability(text); break;
            case 2: first_ = phrase(text); break;
            default: pairs_.push_back({first_, phrase(text)});
        }
    }
    void probability(std::string_view text) const {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
            fail("a probability was expected");
    }
    void ppdb(std::string_view text) {
        std::string_view fields[3];
        for (auto& field : fields) {
            const size_t bars = text.find("|||");
            if (bars == std::string_view::npos) fail("'[category] ||| phrase ||| paraphrase ||| ...' was expected");
            field = text.substr(0, bars);
            text.remove_prefix(bars + 3);
        }
        if (has_gap(fields[1]) || has_gap(fields[2])) {
            ++skipped_;
            return;
        }
        const uint32_t first = phrase(fields[1]);
        pairs_.push_back({first, phrase(fields[2])});
    }
    // A place for a phrase of some category, as [NP,1].
    static bool has_gap(std::string_view phrase) {
        for (size_t at = phrase.find('['); at != std::string_view::npos; at = phrase.find('[', at + 1)) {
            const size_t end = phrase.find(']', at), comma = phrase.find(',', at);
            if (end != std::string_view::npos && comma < end && comma + 2 == end && phrase[comma + 1] >= '1' &&
                phrase[comma + 1] <= '9')
                return true;
        }
        return false;
    }
    uint32_t phrase(std::string_view text) {
        uint32_t node = ParaphraseTable::kNone;
        for (size_t i = 0; i < text.size();) {
            const size_t begin = text.find_first_not_of(" \t", i);
            if (begin == std::string_view::npos) break;
            const size_t end = std::min(text.find_first_of(" \t", begin), text.size());
            node = child(node, words_.add(text.substr(begin, end - begin)));
            i = end;
        }
        if (node == ParaphraseTable::kNone) fail("a phrase was expected, there is no word");
        return node;
    }
    uint32_t child(uint32_t parent, uint32_t word) {
        if (2 * (parents_.size() + 1) > slots_.size()) grow();
        uint32_t& slot = slots_[place(parent, word)];
        if (slot == ParaphraseTable::kNone) {
            slot = uint32_t(parents_.size());
            parents_.push_back(parent);
            last_words_.push_back(word);
        }
        return slot;
    }
    size_t place(uint32_t parent, uint32_t word) const {
        const auto slots = uint32_t(slots_.size());
        uint32_t i = ParaphraseTable::place(parent, word, slots);
        while (slots_[i] != ParaphraseTable::kNone && (parents_[slots_[i]] != parent || last_words_[slots_[i]] != word))
            i = i + 1 < slots ? i + 1 : 0;
        return i;
    }
    void grow() { rehash(2 * slots_.size()); }
    void rehash(size_t slots) {
        slots_.assign(slots, ParaphraseTable::kNone);
        for (uint32_t node = 0; node < parents_.size(); ++node) slots_[place(parents_[node], last_words_[node])] = node;
    }

    std::string flat(std::string_view note) {
        rehash(parents_.size() + parents_.size() / 2 + 1);  // two thirds full
        const auto n_words = words_.size(), n_nodes = uint32_t(parents_.size());
        std::vector<uint32_t> word_slots(std::bit_ceil(size_t(2) * n_words + 2), ParaphraseTable::kNone);
        std::vector<uint32_t> word_starts(1, 0);
        size_t letters = 0;
        for (uint32_t word = 0; word < n_words; ++word) {
            letters += words_[word].size();
            word_starts.push_back(uint32_t(letters));
            const size_t mask = word_slots.size() - 1;
            size_t i = uint32_t(string_hash(words_[word])) & mask;
            while (word_slots[i] != ParaphraseTable::kNone) i = (i + 1) & mask;
            word_slots[i] = word;
        }
        std::vector<uint32_t> target_starts(n_nodes + 1, 0), targets(pairs_.size());
        for (const Pair& pair : pairs_) ++target_starts[pair.first + 1];
        for (uint32_t node = 0; node < n_nodes; ++node) target_starts[node + 1] += target_starts[node];
        std::vector<uint32_t> next(target_starts.begin(), target_starts.end() - 1);
        for (const Pair& pair : pairs_) targets[next[pair.first]++] = pair.second;

        ParaphraseHeader header{};
        std::memcpy(header.magic, ParaphraseTable::kMagic, 8);
        header.pairs = pairs_.size();
        header.words = n_words;
        header.nodes = n_nodes;
        header.word_slots = uint32_t(word_slots.size());
        header.node_slots = uint32_t(slots_.size());
        std::memcpy(header.note, note.data(), std::min(note.size(), sizeof header.note - 1));
        std::string out(sizeof header, '\0');
        const auto append = [&](const std::vector<uint32_t>& values) {
            out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(uint32_t));
        };
        out.reserve(sizeof header + letters +
                    4 * (word_slots.size() + word_starts.size() + 3 * slots_.size() + size_t(n_nodes) + targets.size() + 1));
        append(word_slots);
        append(word_starts);
        for (const uint32_t node : slots_) {
            const bool free = node == ParaphraseTable::kNone;
            const ParaphraseTable::Child slot{free ? 0 : parents_[node], free ? 0 : last_words_[node], node};
            out.append(reinterpret_cast<const char*>(&slot), sizeof slot);
        }
        append(target_starts);
        append(targets);
        for (uint32_t word = 0; word < n_words; ++word) out.append(words_[word]);
        header.bytes = out.size();
        std::memcpy(out.data(), &header, sizeof header);
        return out;
    }

    Format format_;
    StringNumbers words_;
    std::vector<uint32_t> slots_, parents_, last_words_;
    std::vector<Pair> pairs_;
    std::string rest_;
    uint32_t first_ = 0;
    uint64_t lines_ = 0, skipped_ = 0;
};

}  // namespace tertium
