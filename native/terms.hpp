// Terms of documents without parses: words and runs of words that a document repeats (text/terms.py says what may be one).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cut_texts.hpp"
#include "pronouns.hpp"
#include "words.hpp"

namespace tertium {

struct TermPlace {
    uint32_t text, begin, words;
};

struct TermLists {
    std::vector<size_t> documents{0};  // where the terms of each begin, and the end
    std::vector<size_t> terms{0};      // where the places of each begin
    std::vector<TermPlace> places;
};

// Marks for words in lower case: those of a list, and those in more than `most` documents.
class CommonForms {
public:
    CommonForms(const CutTexts& texts, const std::vector<int64_t>& segments, double most,
                const std::vector<std::string>& listed) {
        Forms& forms = *texts.forms;
        std::vector<uint32_t> last(forms.size(), 0), number(forms.size(), 0);
        uint32_t document = 0;
        size_t t = 0;
        for (const int64_t n : segments) {
            ++document;
            for (int64_t k = 0; k < n; ++k)
                for (const uint32_t word : texts[t++]) {
                    const uint32_t lower = forms.lower(word);
                    number[lower] += last[lower] != document;
                    last[lower] = document;
                }
        }
        marks_.resize(forms.size());
        for (size_t lower = 0; lower < number.size(); ++lower) marks_[lower] = double(number[lower]) > most;
        for (const std::string& word : listed) {
            const uint32_t found = forms.add(word);
            if (found >= marks_.size()) marks_.resize(size_t(found) + 1, 0);
            marks_[found] = 1;
        }
    }
    bool operator()(uint32_t lower) const { return lower < marks_.size() && marks_[lower]; }

private:
    std::vector<uint8_t> marks_;
};

inline size_t characters(std::string_view text) {
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

struct TermSettings {
    size_t least = 2;                         // occurrences that make a term
    size_t words = 4;                         // of the longest term
    bool names = true;                        // a capital inside a sentence makes another word of one that is there without
    std::vector<std::string> plurals, verbs;  // endings: of plurals, and of words that are hardly ever nouns
};

class TermFinder {
public:
    TermFinder(const CutTexts& texts, const CommonForms& common, TermSettings settings)
        : texts_(texts), forms_(*texts.forms), common_(common), settings_(std::move(settings)), plain_(forms_) {}

    // The terms of the document that has these texts, in the order in which they first occur; words inside longer terms do not
    // count.
    void add(size_t first, size_t end, TermLists& out) {
        ++document_;
        size_t all = 0;
        for (size_t t = first; t < end; ++t)
            for (const uint32_t word : texts_[t]) {
                ++all;
                if (word >= small_.size()) small_.resize(forms_.size(), 0);
                if (forms_.kinds(word) & kLowerCase) small_[word] = document_;
            }
        runs_.clear();
        lengths_.clear();
        table_.clear(all * settings_.words + 1);
        for (size_t t = first; t < end; ++t) runs_of(t);
        choose(first, end, out);
    }

private:
    struct Kind {
        uint32_t group = Forms::kUnknown;
        bool word, end, alone;
    };
    struct Run {
        uint32_t key;
        TermPlace place;
    };
    struct Repeated {
        uint32_t words;
        std::vector<TermPlace> places;
    };

    const Kind& kind(uint32_t word) {
        if (word >= kinds_.size()) kinds_.resize(forms_.size());
        if (kinds_[word].group == Forms::kUnknown) {
            const std::string text(forms_[word]);
            const uint8_t flags = forms_.kinds(word);
            const size_t length = characters(text);
            const bool letters = flags & kHasLetters, acronym = length > 1 && (flags & kUpperCase);
            bool alone = length < kShort ? acronym : true;
            if (length >= kShort)
                for (const std::string& ending : settings_.verbs) alone = alone && !text.ends_with(ending);
            const uint32_t group = grouped(word);
            kinds_[word] = {group, letters, letters && (acronym || !common_(forms_.lower(word))), alone};
        }
        return kinds_[word];
    }

    // Lower case, without the ending of a plural.
    uint32_t grouped(uint32_t word) {
        std::string plain(forms_[plain_[word]]);
        if (plain.ends_with("'s")) plain.resize(plain.size() - 2);
        for (const std::string& ending : settings_.plurals)
            if (plain.ends_with(ending) && characters(plain) >= characters(ending) + 3 && !plain.ends_with("ss")) {
                plain.resize(plain.size() - ending.size());
                break;
            }
        return forms_.add(plain);
    }

    void runs_of(size_t t) {
        const auto words = texts_[t], starts = texts_.sentences_of(t);
        const size_t n = words.size();
        begins_.assign(n + 1, 0);
        begins_[n] = 1;
        for (const uint32_t start : starts) begins_[start] = 1;
        found_.clear();
        for (size_t place = 0; place < n; ++place) {
            const uint32_t word = words[place], lower = forms_.lower(word);
            found_.push_back(kind(word));
            const bool name = settings_.names && (forms_.kinds(word) & kCapital) && !begins_[place] && lower < small_.size() &&
                              small_[lower] == document_;
            found_.back().group = 2 * found_.back().group + name;
        }
        for (size_t begin = 0; begin < n; ++begin) {
            if (!found_[begin].end) continue;
            uint32_t key = 0xFFFFFFFFu;
            for (uint32_t length = 1; length <= settings_.words; ++length) {
                const size_t end = begin + length - 1;
                if (end >= n || !found_[end].word) break;
                key = table_.add(key, found_[end].group);
                if (key >= lengths_.size()) lengths_.resize(size_t(key) + 1, 0);
                if (found_[end].end && (length > 1 || found_[end].alone)) {
                    ++lengths_[key];
                    runs_.push_back({key, {uint32_t(t), uint32_t(begin), length}});
                }
                if (begins_[end + 1]) break;
            }
        }
    }

    void choose(size_t first, size_t end, TermLists& out) {
        std::vector<uint32_t> which(lengths_.size(), Forms::kUnknown);
        std::vector<Repeated> repeated;
        for (const Run& run : runs_) {
            if (lengths_[run.key] < settings_.least) continue;
            if (which[run.key] == Forms::kUnknown) {
                which[run.key] = uint32_t(repeated.size());
                repeated.push_back({run.place.words, {}});
            }
            repeated[which[run.key]].places.push_back(run.place);
        }
        std::sort(repeated.begin(), repeated.end(), [](const Repeated& a, const Repeated& b) {
            return a.words != b.words ? a.words > b.words : before(a.places[0], b.places[0]);
        });
        const size_t base = size_t(texts_.starts[first]);
        taken_.assign(size_t(texts_.starts[end]) - base, 0);
        std::vector<std::vector<TermPlace>> found;
        for (const Repeated& one : repeated) {
            std::vector<TermPlace> free;
            uint32_t text = Forms::kUnknown, behind = 0;
            for (const TermPlace& place : one.places) {
                if (place.text == text && place.begin < behind) continue;  // overlaps the one before
                text = place.text;
                behind = place.begin + place.words;
                const auto at = taken_.begin() + long(size_t(texts_.starts[place.text]) - base + place.begin);
                if (std::none_of(at, at + place.words, [](uint8_t is) { return is; })) free.push_back(place);
            }
            if (free.size() < settings_.least) continue;
            for (const TermPlace& place : free)
                std::fill_n(taken_.begin() + long(size_t(texts_.starts[place.text]) - base + place.begin), place.words, 1);
            found.push_back(std::move(free));
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return before(a[0], b[0]); });
        for (const auto& term : found) {
            out.places.insert(out.places.end(), term.begin(), term.end());
            out.terms.push_back(out.places.size());
        }
        out.documents.push_back(out.terms.size() - 1);
    }
    static bool before(const TermPlace& a, const TermPlace& b) {
        return a.text != b.text ? a.text < b.text : a.begin != b.begin ? a.begin < b.begin : a.words < b.words;
    }

    static constexpr size_t kShort = 4;  // letters: shorter words are terms only in capitals
    const CutTexts& texts_;
    Forms& forms_;
    const CommonForms& common_;
    TermSettings settings_;
    PlainForms plain_;
    std::vector<Kind> kinds_, found_;
    std::vector<uint32_t> small_;  // the last document that has a word in lower case
    uint32_t document_ = 0;
    PairTable table_;
    std::vector<Run> runs_;
    std::vector<uint32_t> lengths_;  // how often each key occurs
    std::vector<uint8_t> begins_, taken_;
};

}  // namespace tertium
