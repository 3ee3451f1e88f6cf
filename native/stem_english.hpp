// The English Snowball stemmer ("Porter 2", Porter 2001, snowballstem.org), as it stood from 2002 until Snowball 3
// changed some words: the stems that METEOR 1.5 knows.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "utf8.hpp"

namespace tertium {

class EnglishStemmer {
public:
    // Sets `out` to the stem of a word in lower case.
    void stem(std::string_view text, std::string& out) {
        word_.clear();
        marked_ = false;
        for (const char* p = text.data(); p < text.data() + text.size();) word_.push_back(utf8_next(p));
        if (word_.size() > 2 && !exception()) reduce();
        out.clear();
        for (const char32_t c : word_) utf8_append(out, c == U'Y' && marked_ ? U'y' : c);
    }

private:
    using View = std::u32string_view;
    using Pair = std::pair<View, View>;

    static bool vowel(char32_t c) { return View(U"aeiouy").find(c) != View::npos; }
    bool ends(View suffix) const { return View(word_).ends_with(suffix); }
    void cut(size_t letters) { word_.resize(word_.size() - letters); }
    void replace(size_t letters, View instead) {
        cut(letters);
        word_.append(instead);
    }
    bool in_first(size_t suffix) const { return word_.size() - suffix >= first_; }
    bool in_second(size_t suffix) const { return word_.size() - suffix >= second_; }
    bool has_vowel(size_t letters) const {
        for (size_t i = 0; i < letters; ++i)
            if (vowel(word_[i])) return true;
        return false;
    }

    bool exception() {
        static constexpr std::array<Pair, 18> kWhole{{{U"skis", U"ski"},
                                                      {U"skies", U"sky"},
                                                      {U"dying", U"die"},
                                                      {U"lying", U"lie"},
                                                      {U"tying", U"tie"},
                                                      {U"idly", U"idl"},
                                                      {U"gently", U"gentl"},
                                                      {U"ugly", U"ugli"},
                                                      {U"early", U"earli"},
                                                      {U"only", U"onli"},
                                                      {U"singly", U"singl"},
                                                      {U"sky", U"sky"},
                                                      {U"news", U"news"},
                                                      {U"howe", U"howe"},
                                                      {U"atlas", U"atlas"},
                                                      {U"cosmos", U"cosmos"},
                                                      {U"bias", U"bias"},
                                                      {U"andes", U"andes"}}};
        for (const auto& [word, stem] : kWhole)
            if (word_ == word) {
                word_ = stem;
                return true;
            }
        return false;
    }

    void reduce() {
        if (word_.front() == U'\'') word_.erase(0, 1);
        for (size_t i = 0; i < word_.size(); ++i)  // a y that sounds as a consonant
            if (word_[i] == U'y' && (i == 0 || vowel(word_[i - 1]))) {
                word_[i] = U'Y';
                marked_ = true;
            }
        mark_regions();
        plural();
        for (const View kept : {View(U"inning"), View(U"outing"), View(U"canning"), View(U"herring"), View(U"earring"),
                                View(U"proceed"), View(U"exceed"), View(U"succeed")})
            if (word_ == kept) return;
        past();
        if (word_.size() > 2 && (word_.back() == U'y' || word_.back() == U'Y') && !vowel(word_[word_.size() - 2]))
            word_.back() = U'i';
        long_suffix();
        adjective();
        residue();
        last_letter();
    }

    // Behind the first consonant after a vowel, twice.
    void mark_regions() {
        first_ = word_.size();
        for (const View start : {View(U"gener"), View(U"commun"), View(U"arsen")})
            if (View(word_).starts_with(start)) {
                first_ = start.size();
                second_ = behind(first_);
                return;
            }
        first_ = behind(0);
        second_ = behind(first_);
    }
    size_t behind(size_t i) const {
        while (i < word_.size() && !vowel(word_[i])) ++i;
        while (i < word_.size() && vowel(word_[i])) ++i;
        return i < word_.size() ? i + 1 : word_.size();
    }

    void plural() {
        for (const View genitive : {View(U"'s'"), View(U"'s"), View(U"'")})
            if (ends(genitive)) {
                cut(genitive.size());
                break;
            }
        if (ends(U"sses")) return cut(2);
        if (ends(U"ied") || ends(U"ies")) return replace(3, word_.size() > 4 ? U"i" : U"ie");
        if (ends(U"us") || ends(U"ss") || !ends(U"s")) return;
        if (word_.size() > 2 && has_vowel(word_.size() - 2)) cut(1);
    }

    void past() {
        for (const View suffix : {View(U"eedly"), View(U"eed")})
            if (ends(suffix)) {
                if (in_first(suffix.size())) replace(suffix.size(), U"ee");
                return;
            }
        for (const View suffix : {View(U"ingly"), View(U"edly"), View(U"ing"), View(U"ed")}) {
            if (!ends(suffix)) continue;
            if (!has_vowel(word_.size() - suffix.size())) return;
            cut(suffix.size());
            if (ends(U"at") || ends(U"bl") || ends(U"iz")) word_.push_back(U'e');
            else if (doubled()) cut(1);
            else if (word_.size() == first_ && short_syllable()) word_.push_back(U'e');
            return;
        }
    }
    bool doubled() const {
        const size_t n = word_.size();
        return n > 1 && word_[n - 1] == word_[n - 2] && View(U"bdfgmnprt").find(word_[n - 1]) != View::npos;
    }
    // At the end of the word: consonant, vowel, consonant (no w, x, Y); or a word of vowel and consonant.
    bool short_syllable() const {
        const size_t n = word_.size();
        if (n < 2 || vowel(word_[n - 1]) || !vowel(word_[n - 2])) return false;
        if (n == 2) return true;
        return !vowel(word_[n - 3]) && View(U"wxY").find(word_[n - 1]) == View::npos;
    }

    // The longest suffix of the list; it is replaced where it lies behind the first consonant after a vowel.
    template <size_t N>
    const Pair* longest(const std::array<Pair, N>& list) const {
        const Pair* found = nullptr;
        for (const Pair& pair : list)
            if (ends(pair.first) && (!found || pair.first.size() > found->first.size())) found = &pair;
        return found;
    }
    void long_suffix() {
        static constexpr std::array<Pair, 24> kSuffixes{
            {{U"tional", U"tion"}, {U"enci", U"ence"},   {U"anci", U"ance"},   {U"abli", U"able"},   {U"entli", U"ent"},
             {U"izer", U"ize"},    {U"ization", U"ize"}, {U"ational", U"ate"}, {U"ation", U"ate"},   {U"ator", U"ate"},
             {U"alism", U"al"},    {U"aliti", U"al"},    {U"alli", U"al"},     {U"fulness", U"ful"}, {U"ousli", U"ous"},
             {U"ousness", U"ous"}, {U"iveness", U"ive"}, {U"iviti", U"ive"},   {U"biliti", U"ble"},  {U"bli", U"ble"},
             {U"ogi", U"og"},      {U"fulli", U"ful"},   {U"lessli", U"less"}, {U"li", U""}}};
        const Pair* found = longest(kSuffixes);
        if (!found || !in_first(found->first.size())) return;
        const size_t left = word_.size() - found->first.size();
        const char32_t before = left ? word_[left - 1] : 0;
        if (found->first == U"ogi" && before != U'l') return;
        if (found->first == U"li" && View(U"cdeghkmnrt").find(before) == View::npos) return;
        replace(found->first.size(), found->second);
    }
    void adjective() {
        static constexpr std::array<Pair, 9> kSuffixes{{{U"tional", U"tion"},
                                                        {U"ational", U"ate"},
                                                        {U"alize", U"al"},
                                                        {U"icate", U"ic"},
                                                        {U"iciti", U"ic"},
                                                        {U"ical", U"ic"},
                                                        {U"ful", U""},
                                                        {U"ness", U""},
                                                        {U"ative", U""}}};
        const Pair* found = longest(kSuffixes);
        if (!found || !in_first(found->first.size())) return;
        if (found->first == U"ative" && !in_second(found->first.size())) return;
        replace(found->first.size(), found->second);
    }
    void residue() {
        static constexpr std::array<Pair, 18> kSuffixes{{{U"al", U""},
                                                         {U"ance", U""},
                                                         {U"ence", U""},
                                                         {U"er", U""},
                                                         {U"ic", U""},
                                                         {U"able", U""},
                                                         {U"ible", U""},
                                                         {U"ant", U""},
                                                         {U"ement", U""},
                                                         {U"ment", U""},
                                                         {U"ent", U""},
                                                         {U"ism", U""},
                                                         {U"ate", U""},
                                                         {U"iti", U""},
                                                         {U"ous", U""},
                                                         {U"ive", U""},
                                                         {U"ize", U""},
                                                         {U"ion", U""}}};
        const Pair* found = longest(kSuffixes);
        if (!found || !in_second(found->first.size())) return;
        if (found->first == U"ion") {
            const size_t left = word_.size() - 3;
            if (left == 0 || (word_[left - 1] != U's' && word_[left - 1] != U't')) return;
        }
        cut(found->first.size());
    }
    void last_letter() {
        if (word_.empty()) return;
        if (word_.back() == U'e') {
            if (in_second(1)) return cut(1);
            if (!in_first(1)) return;
            cut(1);
            if (short_syllable()) word_.push_back(U'e');
        } else if (word_.back() == U'l' && in_second(1) && word_.size() > 1 && word_[word_.size() - 2] == U'l') {
            cut(1);
        }
    }

    std::u32string word_;
    size_t first_ = 0, second_ = 0;  // where the regions begin
    bool marked_ = false;            // a Y stands for a y
};

}  // namespace tertium
