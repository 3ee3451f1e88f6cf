// Links between words of sources and their translations, learnt from the texts themselves: sentences of both, where there are
// as many, or else everything, are the lines that IBM model 1 learns from. Lines are sorted and each counts once, so that the
// order of texts does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cut_texts.hpp"
#include "ibm1.hpp"

namespace tertium {

// Pairs of places in the texts, those of a text in order.
struct TextLinks {
    std::vector<int64_t> starts{0};  // of texts, and the end
    std::vector<uint32_t> ours, theirs;

    size_t size() const { return starts.size() - 1; }
    void end_text() { starts.push_back(int64_t(ours.size())); }
};

class SentencePairs {
public:
    // Reads what it needs of the table of forms, which may grow afterwards.
    SentencePairs(const CutTexts& sources, const CutTexts& targets) : sources_(sources), targets_(targets) {
        pair();
        rank();
    }

    TextLinks links(const Ibm1Settings& settings) {
        std::vector<uint32_t> order(parts_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            const int found = compare(parts_[a].ours, parts_[b].ours, ours_);
            return found < 0 || (found == 0 && compare(parts_[a].theirs, parts_[b].theirs, theirs_) < 0);
        });
        std::vector<uint32_t> distinct, which(parts_.size());
        for (const uint32_t part : order) {
            if (distinct.empty() || compare(parts_[distinct.back()].ours, parts_[part].ours, ours_) != 0 ||
                compare(parts_[distinct.back()].theirs, parts_[part].theirs, theirs_) != 0)
                distinct.push_back(part);
            which[part] = uint32_t(distinct.size() - 1);
        }
        std::vector<uint32_t> numbers(ranks_, kNone), words, other_words;
        std::vector<int64_t> starts{0}, other_starts{0};
        uint32_t known = 0;
        const auto fill = [&](const std::vector<uint32_t>& from, Span Part::*side, std::vector<uint32_t>& to,
                              std::vector<int64_t>& ends) {
            for (const uint32_t part : distinct) {
                const Span span = parts_[part].*side;
                for (size_t i = span.begin; i < span.end; ++i) {
                    uint32_t& number = numbers[from[i]];
                    if (number == kNone) number = known++;
                    to.push_back(number);
                }
                ends.push_back(int64_t(to.size()));
            }
        };
        fill(ours_, &Part::ours, words, starts);
        fill(theirs_, &Part::theirs, other_words, other_starts);
        std::vector<int32_t> best(words.size() + 1);
        ibm1_links({words, starts}, {other_words, other_starts}, known, settings, best.data());
        TextLinks found;
        size_t next = 0;
        for (size_t t = 0; t < sources_.size(); ++t) {
            for (; next < parts_.size() && parts_[next].text == t; ++next) {
                const Part& part = parts_[next];
                const uint32_t ours = uint32_t(part.ours.begin - size_t(sources_.starts[t]));
                const uint32_t theirs = uint32_t(part.theirs.begin - size_t(targets_.starts[t]));
                const int32_t* const line = best.data() + starts[which[next]];
                for (uint32_t i = 0; i < part.ours.size(); ++i)
                    if (line[i] >= 0) {
                        found.ours.push_back(ours + i);
                        found.theirs.push_back(theirs + uint32_t(line[i]));
                    }
            }
            found.end_text();
        }
        return found;
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    struct Span {
        size_t begin, end;  // among all words
        uint32_t size() const { return uint32_t(end - begin); }
    };
    struct Part {
        size_t text;
        Span ours, theirs;
    };

    void pair() {
        for (size_t t = 0; t < sources_.size(); ++t) {
            const auto ours = sources_.sentences_of(t), theirs = targets_.sentences_of(t);
            if (ours.empty() || theirs.empty()) continue;
            const size_t n = ours.size() == theirs.size() ? ours.size() : 1;
            for (size_t s = 0; s < n; ++s) parts_.push_back({t, span(sources_, t, s, n), span(targets_, t, s, n)});
        }
    }
    static Span span(const CutTexts& texts, size_t t, size_t s, size_t n) {
        const auto sentences = texts.sentences_of(t);
        const size_t first = size_t(texts.starts[t]);
        return {s == 0 ? first : first + sentences[s], s + 1 < n ? first + sentences[s + 1] : size_t(texts.starts[t + 1])};
    }

    // Words in lower case by their place in the alphabet of characters, which UTF-8 keeps.
    void rank() {
        const Forms& forms = *sources_.forms;
        std::vector<uint32_t> ranks(forms.size(), kNone), seen;
        for (const CutTexts* side : {&sources_, &targets_})
            for (const uint32_t word : side->words)
                if (const uint32_t lower = forms.lower(word); ranks[lower] == kNone) {
                    ranks[lower] = 0;
                    seen.push_back(lower);
                }
        std::sort(seen.begin(), seen.end(), [&](uint32_t a, uint32_t b) { return forms[a] < forms[b]; });
        for (size_t n = 0; n < seen.size(); ++n) ranks[seen[n]] = uint32_t(n);
        ranks_ = seen.size();
        for (const uint32_t word : sources_.words) ours_.push_back(ranks[forms.lower(word)]);
        for (const uint32_t word : targets_.words) theirs_.push_back(ranks[forms.lower(word)]);
    }

    static int compare(Span a, Span b, const std::vector<uint32_t>& words) {
        const size_t n = std::min(a.size(), b.size());
        for (size_t i = 0; i < n; ++i)
            if (words[a.begin + i] != words[b.begin + i]) return words[a.begin + i] < words[b.begin + i] ? -1 : 1;
        return a.size() < b.size() ? -1 : a.size() > b.size();
    }

    const CutTexts &sources_, &targets_;
    std::vector<Part> parts_;
    std::vector<uint32_t> ours_, theirs_;  // ranks of all words
    size_t ranks_ = 0;
};

}  // namespace tertium
