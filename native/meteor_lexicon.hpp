// What METEOR's aligner knows of words: equal words, equal stems, common sets of synonyms, function words, the
// words of the paraphrase table. Each word is looked up once, when it is first seen; texts are numbers after that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interrupts.hpp"
#include "lines.hpp"
#include "paraphrases.hpp"
#include "stem_english.hpp"
#include "string_numbers.hpp"
#include "synonyms.hpp"
#include "unicode_classes.hpp"
#include "unicode_letters.hpp"

namespace tertium {

// METEOR 1.5 knows words and stems by Java's hash of them only, so that for it "le" and "n'" are one word. Its numbers
// come out only with the same hash.
inline uint32_t java_hash(std::string_view text) {
    uint32_t hash = 0;
    for (const char* p = text.data(); p < text.data() + text.size();) {
        const char32_t c = utf8_next(p);
        if (c >= 0x10000) hash = 31 * hash + uint32_t(0xD800 + ((c - 0x10000) >> 10));
        hash = 31 * hash + uint32_t(c < 0x10000 ? c : 0xDC00 + ((c - 0x10000) & 0x3FF));
    }
    return hash;
}

struct MeteorWord {
    uint32_t form = 0, stem = 0;                                                     // hashes
    uint32_t phrase_word = ParaphraseTable::kNone, phrase = ParaphraseTable::kNone;  // in the paraphrase table
    uint32_t sets_begin = 0, sets_end = 0;
    uint32_t characters = 0;
    uint32_t stem_number = 0;  // equal stems have equal numbers
    bool function = false, stemmed = false;
    bool sign = false, digits = false;  // without any letter or digit; with a digit 0 to 9
};

// Segments as numbers of words.
struct MeteorTexts {
    std::vector<uint32_t> words;
    std::vector<size_t> starts;  // one more than there are segments
    std::vector<bool> missing;

    size_t size() const { return missing.size(); }
    std::span<const uint32_t> operator[](size_t i) const { return {words.data() + starts[i], starts[i + 1] - starts[i]}; }
};

class MeteorLexicon {
public:
    enum class Stems : uint8_t { none, english, given };  // given: by `set_stems`, from outside

    MeteorLexicon(Stems stems, const std::vector<std::string>& function_words, std::shared_ptr<SynonymTable> synonyms,
                  std::shared_ptr<ParaphraseTable> paraphrases)
        : stems_(stems), synonyms_(std::move(synonyms)), paraphrases_(std::move(paraphrases)) {
        for (const std::string& word : function_words) functions_.add(word);
    }

    std::shared_ptr<MeteorTexts> read(const Lines& lines) {
        auto out = std::make_shared<MeteorTexts>();
        const std::unique_lock lock(mutex_);
        out->starts.reserve(lines.size() + 1);
        out->missing.reserve(lines.size());
        for (const std::string_view text : lines.texts) {
            poll();
            out->starts.push_back(out->words.size());
            out->missing.push_back(text.data() == nullptr);
            found_.clear();
            const char* const end = text.data() + text.size();
            for (const char* at = text.data(); at < end;) {
                while (at < end && is_break(*at)) ++at;
                const char* const begin = at;
                while (at < end && !is_break(*at)) ++at;
                if (at == begin) break;
                const std::string_view word(begin, size_t(at - begin));
                found_.push_back({word, string_hash(word, end)});
                texts_.fetch(found_.back().hash);
            }
            for (const auto& [text, hash] : found_) out->words.push_back(word(text, hash));
        }
        out->starts.push_back(out->words.size());
        return out;
    }
    // Words without a stem so far; empty unless stems are given from outside.
    std::vector<std::string_view> unstemmed() const {
        const std::shared_lock lock(mutex_);
        std::vector<std::string_view> found;
        if (stems_ != Stems::given) return found;
        for (uint32_t i = 0; i < words_.size(); ++i)
            if (!words_[i].stemmed) found.push_back(texts_[i]);
        return found;
    }
    void set_stems(const std::vector<std::string>& words, const std::vector<std::string>& stems) {
        const std::unique_lock lock(mutex_);
        for (size_t i = 0; i < words.size(); ++i) {
            const uint32_t number = texts_.find(words[i]);
            if (number == StringNumbers::kNone) continue;
            words_[number].stem = java_hash(stems[i]);
            words_[number].stem_number = stem_texts_.add(stems[i]);
            words_[number].stemmed = true;
        }
    }

    // While `lock` lives, words can be looked at.
    std::shared_lock<std::shared_mutex> reading() const { return std::shared_lock(mutex_); }
    const MeteorWord& operator[](uint32_t number) const { return words_[number]; }
    std::string_view text(uint32_t number) const { return texts_[number]; }
    const ParaphraseTable* paraphrases() const { return paraphrases_.get(); }

    // The sets of synonyms that a word belongs to.
    std::span<const uint32_t> sets(const MeteorWord& word) const {
        return {sets_.data() + word.sets_begin, word.sets_end - word.sets_begin};
    }
    void fetch_sets(const MeteorWord& word) const {
        if (word.sets_begin < word.sets_end) fetch_memory(sets_.data() + word.sets_begin);
    }

private:
    // Java's StringTokenizer: white space is ASCII's, without the vertical tab.
    static bool is_break(char c) {
        constexpr uint64_t breaks = uint64_t(1) << ' ' | 1 << '\t' | 1 << '\n' | 1 << '\r' | 1 << '\f';
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ' ' && (breaks >> byte & 1);
    }

    // Latin and Cyrillic letters in lower case, as far as lists of function words have them.
    static char32_t lower(char32_t c) {
        if (c < 0x80) return c >= U'A' && c <= U'Z' ? c + 0x20 : c;
        if (c < 0x100) return c >= 0xC0 && c <= 0xDE && c != 0xD7 ? c + 0x20 : c;
        if (c < 0x180) {
            const bool odd_capitals = (c >= 0x139 && c <= 0x148) || c >= 0x179;
            return c == 0x178 ? 0xFF : (c % 2 == 1) == odd_capitals ? c + 1 : c;
        }
        if (c >= 0x410 && c <= 0x42F) return c + 0x20;
        return c >= 0x400 && c <= 0x40F ? c + 0x50 : c;
    }
    bool is_function(std::string_view text) {
        lowered_.clear();
        for (const char* p = text.data(); p < text.data() + text.size();) utf8_append(lowered_, lower(utf8_next(p)));
        return functions_.find(lowered_) != StringNumbers::kNone;
    }
    static bool is_sign(std::string_view text) {
        for (const char* p = text.data(); p < text.data() + text.size();) {
            const char32_t c = utf8_next(p);
            if (unicode::letter_of(c) != unicode::Letter::none || unicode::class_of(c) == unicode::Class::number) return false;
        }
        return true;
    }
    uint32_t word(std::string_view text, uint64_t hash) {
        const uint32_t number = texts_.add(text, hash);
        if (number < words_.size()) return number;
        MeteorWord& word = words_.emplace_back();
        word.form = java_hash(text);
        word.function = is_function(text);
        word.sign = is_sign(text);
        word.digits = std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        for (const char c : text) {  // UTF-16 units, as Java counts them
            const auto byte = static_cast<unsigned char>(c);
            word.characters += (byte & 0xC0) != 0x80;
            word.characters += byte >= 0xF0;
        }
        if (stems_ == Stems::english) {
            stemmer_.stem(text, stem_);
            word.stem = java_hash(stem_);
            word.stem_number = stem_texts_.add(stem_);
            word.stemmed = true;
        } else {
            word.stem_number = stem_texts_.add(text);  // until there is one
        }
        if (synonyms_) {
            word.sets_begin = uint32_t(sets_.size());
            synonyms_->sets_of(text, sets_);
            word.sets_end = uint32_t(sets_.size());
        }
        if (paraphrases_ && (word.phrase_word = paraphrases_->word(text)) != ParaphraseTable::kNone)
            word.phrase = paraphrases_->tree().child(ParaphraseTable::kNone, word.phrase_word);
        return number;
    }

    mutable std::shared_mutex mutex_;
    Stems stems_;
    std::shared_ptr<SynonymTable> synonyms_;
    std::shared_ptr<ParaphraseTable> paraphrases_;
    StringNumbers texts_, functions_, stem_texts_;
    std::vector<MeteorWord> words_;
    std::vector<uint32_t> sets_;
    struct Found {
        std::string_view text;
        uint64_t hash;
    };
    std::vector<Found> found_;  // words of the segment that is being read
    EnglishStemmer stemmer_;
    std::string stem_, lowered_;
};

}  // namespace tertium
