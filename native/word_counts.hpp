// Counts of texts: sums over their words of what each form adds where it stands.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cut_texts.hpp"

namespace tertium {

// Where a word stands: a form adds one row of counts inside a sentence, another where it begins one, a third behind an
// apostrophe.
constexpr size_t kInside = 0, kFirst = 1, kBehindApostrophe = 2, kPlaces = 3;
constexpr size_t kWordColumn = 0, kSentenceColumn = 1;

class WordCounts {
public:
    // `rows`: for each form of the table, `kPlaces` rows of `columns` numbers.
    WordCounts(const CutTexts& texts, const int64_t* rows, size_t columns)
        : texts_(texts), rows_(rows), columns_(columns), apostrophes_(texts.forms->size()) {
        for (uint32_t form = 0; form < texts.forms->size(); ++form)
            apostrophes_[form] = ends_with_apostrophe((*texts.forms)[form]);
    }

    // What the words of a text add; sentences are those with a word in them.
    void row(size_t t, int64_t* out) const {
        std::fill_n(out, columns_, 0);
        const std::span<const uint32_t> words = texts_[t], starts = texts_.sentences_of(t);
        int64_t sentences = 0;
        for (size_t s = 0; s < starts.size(); ++s) {
            const int64_t before = out[kWordColumn];
            const size_t end = s + 1 < starts.size() ? starts[s + 1] : words.size();
            size_t place = kFirst;
            for (size_t w = starts[s]; w < end; ++w) {
                const int64_t* added = rows_ + (words[w] * kPlaces + place) * columns_;
                for (size_t c = 0; c < columns_; ++c) out[c] += added[c];
                place = apostrophes_[words[w]] ? kBehindApostrophe : kInside;
            }
            sentences += out[kWordColumn] > before;
        }
        out[kSentenceColumn] = sentences;
    }

private:
    static bool ends_with_apostrophe(std::string_view form) { return form.ends_with('\'') || form.ends_with("\u2019"); }

    const CutTexts& texts_;
    const int64_t* rows_;
    size_t columns_;
    std::vector<uint8_t> apostrophes_;
};

}  // namespace tertium
