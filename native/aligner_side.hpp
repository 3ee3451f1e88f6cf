// A text as the monolingual aligner looks at it: words by number, stem, class and letters; its tree where there is one;
// vectors where they are given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dots.hpp"
#include "meteor_phrases.hpp"
#include "utf8.hpp"
#include "vector_table.hpp"

namespace tertium {

enum class WordClass : uint8_t { content, function, sign };

// What a parser knows of the words of texts, one text after the other; what it does not know is empty. Heads are places
// in the text, -1 for none; a relation or tag of 255 is none.
struct AlignerLayers {
    std::vector<uint8_t> classes, tags, relations;
    std::vector<int32_t> heads;
    std::vector<uint32_t> lemmas;
};

class AlignerSide {
public:
    static constexpr size_t kKids = 8;      // dependents that are looked at
    static constexpr size_t kLetters = 24;  // letters of a word that are looked at
    static constexpr uint8_t kNone = 255;

    std::span<const uint32_t> words;
    std::span<const MeteorPhrase> phrases;
    std::vector<uint32_t> stems, content_stems;  // the second: of content words only, else a number of no stem
    std::vector<WordClass> classes;
    std::vector<uint8_t> digits;
    std::span<const uint8_t> tags, relations;
    std::span<const int32_t> heads;

    size_t size() const { return words.size(); }
    bool parsed() const { return !heads.empty(); }

    // `none` stands for the stems of words that are not content words: another number on each side.
    void set(const MeteorLexicon& lexicon, const MeteorSide& side, const AlignerLayers* layers, size_t offset, uint32_t none,
             const VectorTable* vectors) {
        words = side.words;
        phrases = side.phrases;
        const size_t n = words.size();
        stems.resize(n);
        content_stems.resize(n);
        classes.resize(n);
        digits.resize(n);
        letter_starts_.assign(1, 0);
        letter_pairs_.clear();
        const auto part = [&](const auto& all) {
            return std::span(all).subspan(all.empty() ? 0 : offset, all.empty() ? 0 : n);
        };
        std::span<const uint8_t> known_classes;
        std::span<const uint32_t> lemmas;
        tags = relations = {};
        heads = {};
        if (layers) {
            known_classes = part(layers->classes);
            lemmas = part(layers->lemmas);
            tags = part(layers->tags);
            relations = part(layers->relations);
            heads = part(layers->heads);
        }
        for (size_t i = 0; i < n; ++i) {
            const MeteorWord& word = lexicon[words[i]];
            stems[i] = lemmas.empty() ? word.stem_number : lemmas[i];
            classes[i] = word.sign               ? WordClass::sign
                         : known_classes.empty() ? (word.function ? WordClass::function : WordClass::content)
                         : known_classes[i] == 0 ? WordClass::content
                                                 : WordClass::function;
            content_stems[i] = classes[i] == WordClass::content ? stems[i] : none;
            digits[i] = word.digits;
            read_letters(lexicon.text(words[i]));
        }
        list_kids();
        width_ = 0;
        if (vectors) read_vectors(lexicon, *vectors);
    }
    std::span<const uint32_t> kids(size_t i) const {
        return {kids_.data() + kid_starts_[i], std::min<size_t>(kKids, kid_starts_[i + 1] - kid_starts_[i])};
    }
    std::span<const uint64_t> letter_pairs(size_t i) const {
        return {letter_pairs_.data() + letter_starts_[i], letter_starts_[i + 1] - letter_starts_[i]};
    }
    bool is_long(size_t i) const { return letter_starts_[i + 1] - letter_starts_[i] >= 4; }  // five letters or more
    std::pair<uint64_t, uint64_t> beginning(size_t i) const {                                // of long words: four letters
        const uint64_t* const pairs = letter_pairs_.data() + letter_starts_[i];
        return {pairs[0], pairs[2]};
    }
    double cosine(size_t i, const AlignerSide& other, size_t j) const {
        if (!width_) return 0;
        float found;
        dots_detail::block<1, 1>(numbers_.data() + i * width_, other.numbers_.data() + j * other.width_, width_, &found, 1);
        return std::max(0.0, double(found));
    }

private:
    void read_letters(std::string_view text) {
        const char *p = text.data(), *const end = p + text.size();
        char32_t last = utf8_next(p);
        if (p >= end) letter_pairs_.push_back(last);
        for (size_t k = 1; k < kLetters && p < end; ++k) {
            const char32_t c = utf8_next(p);
            letter_pairs_.push_back(uint64_t(last) << 32 | c);
            last = c;
        }
        letter_starts_.push_back(uint32_t(letter_pairs_.size()));
    }
    void list_kids() {
        const size_t n = size();
        kid_starts_.assign(n + 2, 0);
        for (const int32_t head : heads)
            if (head >= 0) ++kid_starts_[size_t(head) + 2];
        for (size_t i = 2; i < kid_starts_.size(); ++i) kid_starts_[i] += kid_starts_[i - 1];
        kids_.resize(heads.size());
        for (uint32_t i = 0; i < heads.size(); ++i)
            if (heads[i] >= 0) kids_[kid_starts_[size_t(heads[i]) + 1]++] = i;
    }
    void read_vectors(const MeteorLexicon& lexicon, const VectorTable& vectors) {
        width_ = padded(vectors.dimension());
        numbers_.assign(size() * width_, 0);
        for (size_t i = 0; i < size(); ++i) {
            const int64_t row = vectors.find(lexicon.text(words[i]), Fold::ascii, scratch_);
            if (row != VectorTable::kUnknown) vectors.unit(size_t(row), numbers_.data() + i * width_);
        }
    }

    std::vector<uint32_t> kid_starts_, kids_, letter_starts_;
    std::vector<uint64_t> letter_pairs_;
    std::vector<float> numbers_;
    size_t width_ = 0;
    std::string scratch_;
};

// Dice's coefficient of pairs of neighbouring letters.
inline double letters_shared(const AlignerSide& a, size_t i, const AlignerSide& b, size_t j) {
    const auto ours = a.letter_pairs(i), theirs = b.letter_pairs(j);
    uint32_t used = 0, shared = 0;
    for (const uint64_t pair : ours)
        for (uint32_t k = 0; k < theirs.size(); ++k)
            if (theirs[k] == pair && !(used >> k & 1)) {
                used |= 1u << k;
                ++shared;
                break;
            }
    return 2.0 * shared / double(ours.size() + theirs.size());
}

}  // namespace tertium
