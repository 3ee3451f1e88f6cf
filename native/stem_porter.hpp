// Porter's stemmer of 1980, in two editions: as published, and with the changes that nltk made and that rouge-score
// therefore has. Words are ASCII letters in lower case and digits; digits count as consonants.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace tertium {

class PorterStem {
public:
    // Stems the word in place and returns its new length, which is never greater.
    static size_t stem(char* word, size_t size, bool nltk) {
        PorterStem stem(word, size, nltk);
        if (nltk && stem.irregular()) return stem.size_;
        stem.plural();
        stem.past_and_progressive();
        stem.final_y();
        stem.double_suffixes();
        stem.replace_first(kThird, 0);
        stem.long_suffixes();
        stem.final_e();
        if (stem.ends("ll") && stem.measure(stem.size_ - 1) > 1) --stem.size_;
        return stem.size_;
    }

private:
    struct Rule {
        std::string_view suffix, replacement;
    };
    static constexpr Rule kSecond[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"},   {"izer", "ize"},
        {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},     {"ousli", "ous"},   {"ization", "ize"},
        {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},  {"iveness", "ive"}, {"fulness", "ful"},
        {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"}, {"biliti", "ble"},
    };
    static constexpr Rule kThird[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                      {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
    static constexpr Rule kFourth[] = {{"al", ""},   {"ance", ""}, {"ence", ""}, {"er", ""},    {"ic", ""},
                                       {"able", ""}, {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""},
                                       {"ent", ""},  {"ion", ""},  {"ou", ""},   {"ism", ""},   {"ate", ""},
                                       {"iti", ""},  {"ous", ""},  {"ive", ""},  {"ize", ""}};
    // What nltk looks up instead of stemming.
    static constexpr Rule kIrregular[] = {
        {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
        {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
        {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
        {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"}};

    PorterStem(char* word, size_t size, bool nltk) : word_(word), size_(size), nltk_(nltk) {}

    std::string_view view() const { return {word_, size_}; }
    bool ends(std::string_view suffix) const { return view().ends_with(suffix); }
    void replace(std::string_view suffix, std::string_view by) {
        size_ -= suffix.size();
        std::memcpy(word_ + size_, by.data(), by.size());
        size_ += by.size();
    }

    static bool is_vowel_letter(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }
    // y is a consonant at the start and behind a vowel; a run of y alternates.
    bool consonant(size_t i) const {
        size_t ys = 0;
        while (word_[i] == 'y') {
            if (i == 0) return ys % 2 == 0;
            --i;
            ++ys;
        }
        return is_vowel_letter(word_[i]) == (ys % 2 == 1);
    }
    // How many times a vowel is followed by a consonant in the first `size` letters.
    int measure(size_t size) const {
        int found = 0;
        bool before = true;  // whether the letter before is a consonant
        for (size_t i = 0; i < size; ++i) {
            const bool now = word_[i] == 'y' ? (i == 0 || !before) : !is_vowel_letter(word_[i]);
            found += i > 0 && !before && now;
            before = now;
        }
        return found;
    }
    bool has_vowel(size_t size) const {
        for (size_t i = 0; i < size; ++i)
            if (is_vowel_letter(word_[i]) || (word_[i] == 'y' && i > 0)) {
                if (word_[i] != 'y' || !consonant(i)) return true;
            }
        return false;
    }
    bool short_syllable(size_t size) const {  // consonant, vowel, consonant but w, x, y
        if (nltk_ && size == 2 && !consonant(0) && consonant(1)) return true;
        if (size < 3 || !consonant(size - 3) || consonant(size - 2) || !consonant(size - 1)) return false;
        const char last = word_[size - 1];
        return last != 'w' && last != 'x' && last != 'y';
    }

    bool irregular() {
        for (const auto& [form, base] : kIrregular)
            if (view() == form) {
                replace(form, base);
                return true;
            }
        return false;
    }
    void plural() {
        if (word_[size_ - 1] != 's') return;
        if (ends("sses") || ends("ies")) size_ -= nltk_ && size_ == 4 && ends("ies") ? 1 : 2;
        else if (!ends("ss")) --size_;
    }
    void past_and_progressive() {
        if (nltk_ && ends("ied")) {
            size_ -= size_ == 4 ? 1 : 2;
            return;
        }
        if (ends("eed")) {
            if (measure(size_ - 3) > 0) --size_;
            return;
        }
        const size_t cut = ends("ed") ? 2 : ends("ing") ? 3 : 0;
        if (cut == 0 || !has_vowel(size_ - cut)) return;
        size_ -= cut;
        if (ends("at") || ends("bl") || ends("iz")) {
            word_[size_++] = 'e';
        } else if (size_ >= 2 && word_[size_ - 1] == word_[size_ - 2] && consonant(size_ - 1)) {
            const char last = word_[size_ - 1];
            if (last != 'l' && last != 's' && last != 'z') --size_;
        } else if (measure(size_) == 1 && short_syllable(size_)) {
            word_[size_++] = 'e';
        }
    }
    void final_y() {
        if (!ends("y")) return;
        const size_t stem = size_ - 1;
        if (nltk_ ? stem > 1 && consonant(stem - 1) : has_vowel(stem)) word_[stem] = 'i';
    }
    void double_suffixes() {
        if (nltk_)
            while (ends("alli") && measure(size_ - 4) > 0) size_ -= 2;
        const std::string_view able = nltk_ ? "bli" : "abli";
        if (ends(able)) {
            if (measure(size_ - able.size()) > 0) word_[size_ - 1] = 'e';
        } else if (!replace_first(kSecond, 0) && nltk_) {
            if (ends("fulli")) {
                if (measure(size_ - 5) > 0) size_ -= 2;
            } else if (ends("logi") && measure(size_ - 3) > 0) {  // the l counts with the stem
                --size_;
            }
        }
    }
    void long_suffixes() {
        if (ends("ion") && (size_ == 3 || (word_[size_ - 4] != 's' && word_[size_ - 4] != 't'))) return;
        replace_first(kFourth, 1);
    }
    // The first rule whose suffix fits decides; it is applied if the stem's measure is above `least`.
    template <size_t n>
    bool replace_first(const Rule (&rules)[n], int least) {
        for (const auto& [suffix, replacement] : rules)
            if (ends(suffix)) {
                if (measure(size_ - suffix.size()) > least) replace(suffix, replacement);
                return true;
            }
        return false;
    }
    void final_e() {
        if (!ends("e")) return;
        const int m = measure(size_ - 1);
        if (m > 1 || (m == 1 && !short_syllable(size_ - 1))) --size_;
    }

    char* word_;
    size_t size_;
    bool nltk_;
};

}  // namespace tertium
