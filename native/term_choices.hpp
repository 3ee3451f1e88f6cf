// What terms of documents become in a translation, as rows of counts (text/term_choices.py says the same with words for
// people, and knows glossaries).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sentence_links.hpp"
#include "terms.hpp"

namespace tertium {

// Folded forms: what makes forms of a word equal. Told from outside, and kept for all texts of one table.
class FoldedForms {
public:
    explicit FoldedForms(std::shared_ptr<Forms> forms) : forms_(std::move(forms)) {}

    Forms& forms() const { return *forms_; }
    uint32_t operator[](uint32_t word) const { return folds_[word]; }
    const std::u32string& letters(uint32_t fold) {
        if (fold >= letters_.size()) letters_.resize(forms_->size());
        std::u32string& found = letters_[fold];
        if (found.empty()) {
            const std::string_view text = (*forms_)[fold];
            for (const char *p = text.data(), *end = p + text.size(); p < end;) found.push_back(utf8_next(p));
        }
        return found;
    }

    // Words of these texts that nobody has told yet, each once.
    std::vector<uint32_t> wanted(const CutTexts& texts) {
        folds_.resize(forms_->size(), Forms::kUnknown);
        std::vector<uint32_t> found;
        for (const uint32_t word : texts.words)
            if (folds_[word] == Forms::kUnknown) {
                folds_[word] = word;
                found.push_back(word);
            }
        return found;
    }
    void tell(uint32_t word, std::string_view fold) { folds_[word] = forms_->add(fold); }

private:
    std::shared_ptr<Forms> forms_;
    std::vector<uint32_t> folds_;
    std::vector<std::u32string> letters_;
};

// Whether folded words are one choice: equal, one in the other, or a long beginning in common; in languages with compounds also
// a long end.
inline bool alike_forms(std::u32string_view one, std::u32string_view other, bool compounds) {
    if (one == other) return true;
    if (one.find(U'-') != one.npos || other.find(U'-') != other.npos) {
        const auto parts = [](std::u32string_view text) {
            std::vector<std::u32string_view> found;
            for (size_t begin = 0; begin <= text.size();) {
                const size_t end = std::min(text.find(U'-', begin), text.size());
                if (end > begin) found.push_back(text.substr(begin, end - begin));
                begin = end + 1;
            }
            return found;
        };
        for (const auto a : parts(one))
            for (const auto b : parts(other))
                if (alike_forms(a, b, compounds)) return true;
        return false;
    }
    const std::u32string_view shorter = other.size() < one.size() ? other : one,
                              longer = other.size() < one.size() ? one : other;
    if (shorter.size() >= 4 && longer.find(shorter) != longer.npos) return true;
    size_t shared = 0;
    while (shared < shorter.size() && one[shared] == other[shared]) ++shared;
    if (shared >= 6 && 10 * shared >= 6 * longer.size()) return true;
    if (!compounds) return false;
    size_t end = 0;
    while (end < shorter.size() && one[one.size() - 1 - end] == other[other.size() - 1 - end]) ++end;
    return end >= 6 && 2 * end >= shorter.size() && !one.substr(one.size() - end).ends_with(U"schaft");
}

class TermChoices {
public:
    static constexpr size_t kColumns = 7;  // pairs, same, terms, consistent, occurrences, translated, listed

    // `source_texts`: equal texts have one number.
    TermChoices(const CutTexts& sources, const CutTexts& targets, const TextLinks& links, FoldedForms& folds,
                const CommonForms& common, bool compounds, std::span<const uint32_t> source_texts)
        : sources_(sources), targets_(targets), links_(links), folds_(folds), common_(common), compounds_(compounds) {
        learn(source_texts);
    }

    void row(const TermLists& lists, size_t document, int64_t* row) {
        std::fill_n(row, kColumns, 0);
        for (size_t term = lists.documents[document]; term < lists.documents[document + 1]; ++term) {
            const std::span<const TermPlace> places(lists.places.data() + lists.terms[term],
                                                    lists.terms[term + 1] - lists.terms[term]);
            use(places);
            int64_t all = 0, same = 0;
            for (const int64_t size : sizes_) {
                all += size;
                same += size * (size - 1) / 2;
            }
            const int64_t pairs = all * (all - 1) / 2;
            const int64_t values[kColumns] = {pairs, same, pairs > 0, pairs > 0 && sizes_.size() < 2, int64_t(places.size()),
                                              all,   0};
            for (size_t column = 0; column < kColumns; ++column) row[column] += values[column];
        }
    }

private:
    using Key = std::vector<uint32_t>;  // folded words
    struct Linked {                     // what an occurrence is linked to
        Key key, forms;
        uint64_t offsets = 0;  // from which words of the term
        bool known = false;
    };
    struct Candidate {
        Key key;
        uint64_t offsets;
    };
    struct Context {
        uint32_t text;
        std::array<uint32_t, 5> window;
        bool operator==(const Context&) const = default;
    };

    // Pairs of a source word and a folded one that are linked in more than one place: another text, or other words around.
    void learn(std::span<const uint32_t> source_texts) {
        known_pairs_.clear(links_.ours.size() + 1);
        std::vector<Context> first;
        const Forms& forms = folds_.forms();
        for (size_t t = 0; t < links_.size(); ++t) {
            const auto source = sources_[t], target = targets_[t];
            for (int64_t k = links_.starts[t]; k < links_.starts[t + 1]; ++k) {
                const size_t j = links_.theirs[size_t(k)];
                const uint32_t pair = known_pairs_.add(forms.lower(source[links_.ours[size_t(k)]]), folds_[target[j]]);
                Context context{source_texts[t], {}};
                context.window.fill(Forms::kUnknown);
                size_t at = 0;
                for (size_t place = j < 2 ? 0 : j - 2; place < std::min(j + 3, target.size()); ++place)
                    context.window[at++] = target[place];
                if (pair == first.size()) {
                    first.push_back(context);
                    known_.push_back(0);
                } else if (!known_[pair]) {
                    known_[pair] = !(first[pair] == context);
                }
            }
        }
    }

    bool alike(uint32_t one, uint32_t other) {
        if (one == other) return true;
        folds_.letters(std::max(one, other));  // before a view of the other is taken
        return alike_forms(folds_.letters(one), folds_.letters(other), compounds_);
    }
    // Whether two choices are one: each word of the shorter is like a word of the other.
    bool one_choice(const Key& key, const Key& other) {
        const bool turned = other.size() < key.size();
        const Key &shorter = turned ? other : key, &longer = turned ? key : other;
        return std::all_of(shorter.begin(), shorter.end(), [&](uint32_t word) {
            return std::any_of(longer.begin(), longer.end(), [&](uint32_t own) { return alike(word, own); });
        });
    }

    // The words that an occurrence is linked to, common words left out.
    Linked linked(const TermPlace& place) {
        const Forms& forms = folds_.forms();
        const auto source = sources_[place.text], target = targets_[place.text];
        const auto begin = links_.ours.begin() + long(links_.starts[place.text]),
                   end = links_.ours.begin() + long(links_.starts[place.text + 1]);
        Linked found;
        std::vector<uint32_t> places;
        for (auto at = std::lower_bound(begin, end, place.begin); at != end && *at < place.begin + place.words; ++at) {
            const uint32_t j = links_.theirs[size_t(at - links_.ours.begin())], word = target[j];
            if (!(forms.kinds(word) & kHasLetters) || common_(forms.lower(word))) continue;
            places.push_back(j);
            found.offsets |= uint64_t(1) << (*at - place.begin);
            const uint32_t pair = known_pairs_.find(forms.lower(source[*at]), folds_[word]);
            found.known = found.known || (pair != PairTable::kUnknown && known_[pair]);
        }
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        for (const uint32_t j : places) {
            found.forms.push_back(target[j]);
            found.key.push_back(folds_[target[j]]);
        }
        return found;
    }

    // The occurrences that a choice explains: linked to it, in a segment that has it often enough, or linked from other words of
    // the term only, which says nothing.
    void covered(const Candidate& choice, std::span<const TermPlace> places, std::vector<uint8_t>& found) {
        found.assign(places.size(), 0);
        std::vector<size_t> own;
        for (size_t first = 0; first < places.size(); ++first) {
            if (!left_[first] || (first > 0 && seen_before(places, first))) continue;
            own.clear();
            for (size_t i = first; i < places.size(); ++i)
                if (left_[i] && places[i].text == places[first].text) own.push_back(i);
            size_t sure = 0;
            for (const size_t i : own)
                if (!linked_[i].key.empty() &&
                    (one_choice(linked_[i].key, choice.key) || (choice.offsets && !(linked_[i].offsets & choice.offsets)))) {
                    found[i] = 1;
                    ++sure;
                }
            if (sure == own.size()) continue;
            size_t number = SIZE_MAX;
            for (const uint32_t part : choice.key) {
                size_t times = 0;
                for (const uint32_t word : targets_[places[first].text]) times += alike(folds_[word], part);
                number = std::min(number, times);
            }
            size_t more = number > sure ? number - sure : 0;
            for (const size_t i : own)
                if (!found[i] && more > 0) {
                    found[i] = 1;
                    --more;
                }
        }
    }
    bool seen_before(std::span<const TermPlace> places, size_t i) const {
        for (size_t k = 0; k < i; ++k)
            if (left_[k] && places[k].text == places[i].text) return true;
        return false;
    }

    // Choices one after the other: the one that explains most of what is left. A choice of a single segment counts only if its
    // words are linked to those of the term elsewhere, too, and if it is written with a capital where the first one is.
    void use(std::span<const TermPlace> places) {
        sizes_.clear();
        linked_.clear();
        for (const TermPlace& place : places) linked_.push_back(linked(place));
        std::vector<Candidate> candidates;
        for (const Linked& one : linked_) {
            if (one.key.empty()) continue;
            const auto same = std::find_if(candidates.begin(), candidates.end(), [&](auto& own) { return own.key == one.key; });
            if (same == candidates.end()) candidates.push_back({one.key, one.offsets});
            else same->offsets |= one.offsets;
        }
        left_.assign(places.size(), 1);
        size_t left = places.size();
        bool first_capital = false;
        std::vector<uint8_t> own, best_own;
        while (left > 0 && !candidates.empty()) {
            size_t best = 0, most = 0;
            for (size_t n = 0; n < candidates.size(); ++n) {
                covered(candidates[n], places, own);
                const size_t size = size_t(std::count(own.begin(), own.end(), 1));
                if (n == 0 || size > most) {
                    best = n;
                    most = size;
                    best_own = own;
                }
            }
            const Key chosen = candidates[best].key;
            std::erase_if(candidates, [&](const Candidate& one) { return one_choice(one.key, chosen); });
            if (most == 0) continue;
            std::vector<const Linked*> links;
            bool several = false, known = false;
            uint32_t text = Forms::kUnknown;
            for (size_t i = 0; i < places.size(); ++i) {
                if (!best_own[i]) continue;
                several = several || (text != Forms::kUnknown && text != places[i].text);
                text = places[i].text;
                if (linked_[i].key.empty() || !one_choice(linked_[i].key, chosen)) continue;
                links.push_back(&linked_[i]);
                known = known || linked_[i].known;
            }
            if (!(!links.empty() && several) && !known) continue;  // one link in one place: rather a mistake of the aligner
            const bool capital = folds_.forms().kinds(usual(links).back()) & kCapital;
            if (!sizes_.empty() && first_capital && !capital) continue;
            if (sizes_.empty()) first_capital = capital;
            sizes_.push_back(int64_t(most));
            for (size_t i = 0; i < places.size(); ++i)
                if (best_own[i]) left_[i] = 0;
            left -= most;
        }
    }
    // The words that are written most often; of several the first.
    static const Key& usual(const std::vector<const Linked*>& links) {
        size_t best = 0, most = 0;
        for (size_t n = 0; n < links.size(); ++n) {
            const size_t times = size_t(
                std::count_if(links.begin(), links.end(), [&](const Linked* one) { return one->forms == links[n]->forms; }));
            if (times > most) {
                best = n;
                most = times;
            }
        }
        return links[best]->forms;
    }

    const CutTexts &sources_, &targets_;
    const TextLinks& links_;
    FoldedForms& folds_;
    const CommonForms& common_;
    bool compounds_;
    PairTable known_pairs_;
    std::vector<uint8_t> known_, left_;
    std::vector<Linked> linked_;
    std::vector<int64_t> sizes_;  // of the choices of a term
};

}  // namespace tertium
