// Tables of paraphrases: which phrases stand for which. A table is built once from its text into one flat piece of
// memory, which is written to a file and mapped from then on, so that millions of pairs open at once and are shared
// by processes.
//
// Phrases are nodes of a tree of words (paraphrase_tree.hpp). Each phrase that stands first in a pair has the list of
// the phrases that stand second, in the order of the text, repetitions included; where its list begins is its number,
// so that one look at memory leads to it. Phrases without a list have the numbers after all lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checked_file.hpp"
#include "paraphrase_tree.hpp"
#include "real_numbers.hpp"
#include "string_numbers.hpp"
#include "words.hpp"

namespace tertium {

struct ParaphraseHeader {
    uint64_t pairs;
    uint32_t words, lists, nodes, word_slots, buckets;  // numbers in lists, and all numbers; word_slots: a power of two
    char room[100];                                     // so that the tree begins where a line of a cache does
};
static_assert(sizeof(ParaphraseHeader) == 128);

class ParaphraseTable {
public:
    static constexpr uint32_t kNone = ParaphraseTree::kNone;

    // Looks at the whole file once, so that no bounds need to be kept in mind afterwards, but those of lists.
    ParaphraseTable(std::string name, int file, size_t size, std::string_view sums)
        : file_(std::move(name), file, size, sums), header_(*file_.at<ParaphraseHeader>(0)) {
        file_.check_all();
        size_t at = sizeof header_;
        const auto take = [&]<class T>(const T*& part, size_t number) {
            part = file_.at<T>(at, number);
            at += number * sizeof(T);
        };
        const ParaphraseTree::Bucket* buckets = nullptr;
        take(buckets, header_.buckets);
        take(word_slots_, header_.word_slots);
        take(word_starts_, size_t(header_.words) + 1);
        take(lists_, header_.lists);
        take(letters_, word_starts_[header_.words]);
        const auto good = [&](uint32_t word) { return word < header_.words || word == kNone; };
        if (at != size || !header_.buckets || header_.lists > header_.nodes || !std::has_single_bit(header_.word_slots) ||
            !std::is_sorted(word_starts_, word_starts_ + header_.words + 1) ||
            !std::all_of(word_slots_, word_slots_ + header_.word_slots, good) ||
            std::find(word_slots_, word_slots_ + header_.word_slots, kNone) == word_slots_ + header_.word_slots)
            file_.damaged();
        tree_ = ParaphraseTree(header_.words, header_.nodes, header_.buckets, buckets);
    }
    uint64_t pairs() const { return header_.pairs; }

    uint32_t word(std::string_view text) const {
        const uint32_t mask = header_.word_slots - 1;
        for (uint32_t i = uint32_t(string_hash(text)) & mask;; i = (i + 1) & mask) {
            const uint32_t number = word_slots_[i];
            if (number == kNone) return kNone;
            const std::string_view known(letters_ + word_starts_[number], word_starts_[number + 1] - word_starts_[number]);
            if (known == text) return number;
        }
    }
    const ParaphraseTree& tree() const { return tree_; }
    // How many paraphrases a phrase has, and then which; null where it has none.
    const uint32_t* list(uint32_t node) const {
        return node < header_.lists && lists_[node] < header_.lists - node ? lists_ + node : nullptr;
    }

private:
    CheckedFile file_;
    ParaphraseHeader header_;
    const uint32_t *word_slots_, *word_starts_, *lists_;
    const char* letters_;
    ParaphraseTree tree_;
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
    std::string finish() {
        if (!rest_.empty()) {
            line(rest_);
            rest_.clear();
        }
        if (format_ == Format::meteor && lines_ % 3 != 0)
            fail("the file ends in the middle of an entry (three lines: probability, phrase, phrase)");
        if (pairs_.empty()) fail("there are no paraphrases");
        return flat();
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
        if (!real_number(text, value) || !std::isfinite(value)) fail("a probability was expected");
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
        const size_t mask = slots_.size() - 1;
        size_t i = mix(uint64_t(parent) << 32 | word, 0x2545F4914F6CDD1Dull) & mask;
        while (slots_[i] != ParaphraseTable::kNone && (parents_[slots_[i]] != parent || last_words_[slots_[i]] != word))
            i = (i + 1) & mask;
        return i;
    }
    void grow() {
        slots_.assign(2 * slots_.size(), ParaphraseTable::kNone);
        for (uint32_t node = 0; node < parents_.size(); ++node) slots_[place(parents_[node], last_words_[node])] = node;
    }

    std::string flat() {
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
        std::vector<uint32_t> sizes(n_nodes, 0), numbers(n_nodes);
        for (const Pair& pair : pairs_) ++sizes[pair.first];
        uint64_t number = 0;
        for (uint32_t node = 0; node < n_nodes; ++node)
            if (sizes[node]) numbers[node] = uint32_t(std::exchange(number, number + 1 + sizes[node]));
        std::vector<uint32_t> lists(number, 0);
        for (uint32_t node = 0; node < n_nodes; ++node)
            if (!sizes[node]) numbers[node] = uint32_t(number++);
        if (number >= ParaphraseTable::kNone) fail("there are more paraphrases than one table can have");
        for (const Pair& pair : pairs_) {
            uint32_t* const list = lists.data() + numbers[pair.first];
            list[++list[0]] = numbers[pair.second];
        }
        for (uint32_t& parent : parents_)
            if (parent != ParaphraseTable::kNone) parent = numbers[parent];
        const auto buckets = ParaphraseTree::built(n_words, uint32_t(number), numbers, parents_, last_words_);

        ParaphraseHeader header{};
        header.pairs = pairs_.size();
        header.words = n_words;
        header.lists = uint32_t(lists.size());
        header.nodes = uint32_t(number);
        header.word_slots = uint32_t(word_slots.size());
        header.buckets = uint32_t(buckets.size());
        std::string out(sizeof header, '\0');
        const auto append = [&](const auto& values) {
            out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
        };
        out.reserve(sizeof header + letters + buckets.size() * sizeof(buckets[0]) +
                    4 * (word_slots.size() + word_starts.size() + lists.size()));
        append(buckets);
        append(word_slots);
        append(word_starts);
        append(lists);
        for (uint32_t word = 0; word < n_words; ++word) out.append(words_[word]);
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
