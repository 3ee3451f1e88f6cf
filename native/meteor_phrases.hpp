// The phrases of texts that the paraphrase table knows. The table is far larger than caches are, so phrases are looked
// for in many segments at once, a word longer each time, and what will be looked at is fetched some steps ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "meteor_lexicon.hpp"

namespace tertium {

struct MeteorPhrase {
    uint32_t begin, length, node;  // where, how many words, which
    const uint32_t* paraphrases;   // how many, and which; or null
};

// A segment as the aligner takes it.
struct MeteorSide {
    std::span<const uint32_t> words;
    std::span<const MeteorPhrase> phrases;
};

// Segments one after the other, with their phrases. For one thread.
class MeteorSegments {
public:
    MeteorSegments(const MeteorLexicon& lexicon, const MeteorTexts& texts, bool phrases)
        : lexicon_(lexicon), texts_(texts), table_(phrases ? lexicon.paraphrases() : nullptr) {}

    bool missing(size_t segment) const { return texts_.missing[segment]; }
    MeteorSide operator[](size_t segment) {
        fetch(segment);
        if (!table_) return {texts_[segment], {}};
        if (segment < first_ || segment >= first_ + starts_.size()) find(segment, std::min(segment + kBatch, texts_.size()));
        const size_t at = segment - first_;
        const size_t end = at + 1 < starts_.size() ? starts_[at + 1] : phrases_.size();
        return {texts_[segment], {phrases_.data() + starts_[at], end - starts_[at]}};
    }

private:
    static constexpr size_t kBatch = 16, kAhead = 24;

    // What will be known of the words of the next segments.
    void fetch(size_t segment) const {
        if (segment + 2 >= texts_.size()) return;
        for (const uint32_t word : texts_[segment + 2]) fetch_memory(&lexicon_[word]);
        for (const uint32_t word : texts_[segment + 1]) lexicon_.fetch_sets(lexicon_[word]);
    }

    struct Found {
        uint32_t place, end;  // of the first word, and of the segment, in the batch
        uint32_t length, node;
    };
    struct Question {
        uint64_t key;   // the phrase that may go on and the word it may go on with, as the tree takes them
        uint32_t from;  // that phrase
    };

    void find(size_t begin, size_t end) {
        const size_t offset = texts_.starts[begin];
        const uint32_t* const words = texts_.words.data() + offset;
        const auto n = uint32_t(texts_.starts[end] - offset);
        found_.clear();
        next_words_.clear();
        for (size_t segment = begin; segment < end; ++segment) {
            const auto last = uint32_t(texts_.starts[segment + 1] - offset);
            for (auto place = uint32_t(texts_.starts[segment] - offset); place < last; ++place) {
                if (place + kAhead < n) fetch_memory(&lexicon_[words[place + kAhead]]);
                const MeteorWord& word = lexicon_[words[place]];
                next_words_.push_back(word.phrase_word);
                if (word.phrase != ParaphraseTable::kNone) found_.push_back({place, last, 1, word.phrase});
            }
        }
        for (size_t from = 0; from < found_.size();) {
            const size_t to = found_.size();
            lengthen(from, to);
            from = to;
        }
        arrange(begin, end, n);
    }
    // Phrases that are longer by a word than those from `from` to `to`.
    void lengthen(size_t from, size_t to) {
        const ParaphraseTree& tree = table_->tree();
        questions_.clear();
        for (size_t k = from; k < to; ++k) {
            const Found& shorter = found_[k];
            if (shorter.place + shorter.length >= shorter.end) continue;
            const uint32_t word = next_words_[shorter.place + shorter.length];
            if (word != ParaphraseTable::kNone) questions_.push_back({tree.key(shorter.node, word), uint32_t(k)});
        }
        const auto fetch_question = [&](size_t q) {
            if (q < questions_.size()) tree.fetch(questions_[q].key);
        };
        for (size_t q = 0; q < kAhead; ++q) fetch_question(q);
        for (size_t q = 0; q < questions_.size(); ++q) {
            fetch_question(q + kAhead);
            const Found shorter = found_[questions_[q].from];
            const uint32_t node = tree.find(questions_[q].key);
            if (node != ParaphraseTable::kNone) found_.push_back({shorter.place, shorter.end, shorter.length + 1, node});
        }
    }
    // By segment, place and length; that they were found by length, then place, makes counting do for sorting.
    void arrange(size_t begin, size_t end, uint32_t n) {
        counts_.assign(n + 1, 0);
        for (const Found& phrase : found_) ++counts_[phrase.place];
        uint32_t sum = 0;
        for (uint32_t& count : counts_) sum += std::exchange(count, sum);
        const size_t offset = texts_.starts[begin];
        first_ = begin;
        starts_.clear();
        for (size_t segment = begin; segment < end; ++segment) starts_.push_back(counts_[texts_.starts[segment] - offset]);
        phrases_.resize(found_.size());
        for (const Found& phrase : found_) {
            const uint32_t* const list = table_->list(phrase.node);
            if (list) fetch_memory(list);
            phrases_[counts_[phrase.place]++] = {phrase.place, phrase.length, phrase.node, list};
        }
        for (size_t at = 0; at < starts_.size(); ++at) {  // places in the segment, no longer in the batch
            const auto from = uint32_t(texts_.starts[begin + at] - offset);
            const size_t stop = at + 1 < starts_.size() ? starts_[at + 1] : phrases_.size();
            for (size_t k = starts_[at]; k < stop; ++k) phrases_[k].begin -= from;
        }
    }

    const MeteorLexicon& lexicon_;
    const MeteorTexts& texts_;
    const ParaphraseTable* table_;
    size_t first_ = 0;
    std::vector<size_t> starts_;  // of each segment of the batch, in phrases_
    std::vector<MeteorPhrase> phrases_;
    std::vector<Found> found_;
    std::vector<Question> questions_;
    std::vector<uint32_t> next_words_;  // the words of the batch, as the table numbers them
    std::vector<uint32_t> counts_;
};

}  // namespace tertium
