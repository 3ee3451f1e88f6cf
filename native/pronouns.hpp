// What pronouns of sources become in a translation: the words linked to them, in lower case; listed pronouns among these, if
// any are. One without links is looked for among the free words between those linked to its neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cut_texts.hpp"
#include "sentence_links.hpp"

namespace tertium {

// Numbers of words in lower case with plain apostrophes, for each word of a table.
class PlainForms {
public:
    explicit PlainForms(Forms& forms) : forms_(forms) {}
    uint32_t operator[](uint32_t word) {
        if (word >= known_.size()) known_.resize(forms_.size(), Forms::kUnknown);
        if (known_[word] == Forms::kUnknown) known_[word] = plain(forms_.lower(word));
        return known_[word];
    }

private:
    uint32_t plain(uint32_t lower) {
        static constexpr std::string_view kCurly = "\u2019";
        const std::string_view text = forms_[lower];
        if (text.find(kCurly) == text.npos) return lower;
        std::string made;
        size_t at = 0;
        for (size_t next; (next = text.find(kCurly, at)) != text.npos; at = next + kCurly.size()) {
            made.append(text.substr(at, next - at));
            made.push_back('\'');
        }
        made.append(text.substr(at));
        return forms_.add(made);
    }
    Forms& forms_;
    std::vector<uint32_t> known_;
};

struct PronounTranslations {
    std::vector<int64_t> starts{0};  // of documents, in sets; and the end
    std::vector<uint8_t> missing;    // documents without a text
    std::vector<int64_t> ends{0};    // of sets
    std::vector<uint32_t> words;     // of sets, in order

    size_t size() const { return starts.size() - 1; }
    std::span<const uint32_t> set(size_t n) const { return {words.data() + ends[n], size_t(ends[n + 1] - ends[n])}; }
    void add_set(std::span<const uint32_t> set) {
        words.insert(words.end(), set.begin(), set.end());
        ends.push_back(int64_t(words.size()));
    }
    void end_document(bool is_missing) {
        missing.push_back(is_missing);
        starts.push_back(int64_t(ends.size() - 1));
    }
};

class PronounFinder {
public:
    PronounFinder(Forms& forms, const std::vector<std::string>& wanted, const std::vector<std::string>& listed)
        : plain_(forms), wanted_(marked(forms, wanted)), listed_(marked(forms, listed)) {}

    // Adds a set for each pronoun of text t.
    void add(const CutTexts& sources, const CutTexts& targets, const TextLinks& links, size_t t, PronounTranslations& out) {
        const auto ours = sources[t], theirs = targets[t];
        const size_t begin = size_t(links.starts[t]), end = size_t(links.starts[t + 1]);
        taken_.assign(theirs.size(), 0);
        for (size_t k = begin; k < end; ++k) taken_[links.theirs[k]] = 1;
        const auto first_link = [&](size_t place) {
            return size_t(std::lower_bound(links.ours.begin() + long(begin), links.ours.begin() + long(end), uint32_t(place)) -
                          links.ours.begin());
        };
        for (size_t place = 0; place < ours.size(); ++place) {
            if (!has(wanted_, plain_[ours[place]])) continue;
            found_.clear();
            for (size_t k = first_link(place); k < end && links.ours[k] == place; ++k)
                found_.push_back(plain_[theirs[links.theirs[k]]]);
            if (found_.empty()) {
                const size_t near = first_link(place > kNear ? place - kNear : 0);
                int64_t low = INT64_MAX, high = -1;
                for (size_t k = near; k < end && links.ours[k] <= place + kNear; ++k) {
                    low = std::min(low, int64_t(links.theirs[k]));
                    high = std::max(high, int64_t(links.theirs[k]));
                }
                const int64_t last = high < 0 ? -1 : std::min(high + 1, int64_t(theirs.size()) - 1);
                for (int64_t j = std::max<int64_t>(low - 1, 0); j <= last; ++j)
                    if (!taken_[size_t(j)] && has(listed_, plain_[theirs[size_t(j)]])) {
                        taken_[size_t(j)] = 1;
                        found_.push_back(plain_[theirs[size_t(j)]]);
                        break;
                    }
            }
            if (std::any_of(found_.begin(), found_.end(), [&](uint32_t word) { return has(listed_, word); }))
                std::erase_if(found_, [&](uint32_t word) { return !has(listed_, word); });
            std::sort(found_.begin(), found_.end());
            found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
            out.add_set(found_);
        }
    }

private:
    static constexpr size_t kNear = 3;  // words beside a pronoun whose links tell where its translation may stand

    static std::vector<uint8_t> marked(Forms& forms, const std::vector<std::string>& words) {
        std::vector<uint8_t> found;
        for (const std::string& word : words) {
            const uint32_t number = forms.add(word);
            if (number >= found.size()) found.resize(size_t(number) + 1, 0);
            found[number] = 1;
        }
        return found;
    }
    static bool has(const std::vector<uint8_t>& marks, uint32_t word) { return word < marks.size() && marks[word]; }

    PlainForms plain_;
    std::vector<uint8_t> wanted_, listed_;
    std::vector<uint8_t> taken_;
    std::vector<uint32_t> found_;
};

// What became of a pronoun, the best first.
enum Outcome : size_t { kSame, kDifferent, kMissing, kAdded, kNeither, kOutcomes };

inline Outcome pronoun_outcome(std::span<const uint32_t> own, std::span<const uint32_t> other) {
    if (own.empty()) return other.empty() ? kNeither : kMissing;
    if (other.empty()) return kAdded;
    for (auto a = own.begin(), b = other.begin(); a != own.end() && b != other.end();) {
        if (*a == *b) return kSame;
        if (*a < *b) ++a;
        else ++b;
    }
    return kDifferent;
}

// How many pronouns of a document there are of each outcome, with the best of several references.
inline void pronoun_row(const PronounTranslations& own, const std::vector<const PronounTranslations*>& references, size_t n,
                        int64_t* row) {
    std::fill_n(row, size_t(kOutcomes), 0);
    const int64_t first = own.starts[n], number = own.starts[n + 1] - first;
    for (int64_t k = 0; k < number; ++k) {
        Outcome best = kNeither;
        for (const PronounTranslations* reference : references)
            if (!reference->missing[n])
                best = std::min(best,
                                pronoun_outcome(own.set(size_t(first + k)), reference->set(size_t(reference->starts[n] + k))));
        ++row[best];
    }
}

}  // namespace tertium
