#include "bind.hpp"
#include "exact_sum.hpp"
#include "ter.hpp"

namespace tertium {

namespace {

// Per segment: [insertions, deletions, substitutions, shifts] of the reference with the fewest edits (the first of
// several), then the mean reference length as digits.
constexpr size_t kKinds = 4, kColumns = kKinds + kDigits;

class TerKernel {
public:
    explicit TerKernel(Tokenizer tokenizer) : tokenizer_(tokenizer) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        size_t distinct = words_.size();
        for (size_t r = 0; r < n_references; ++r) distinct += references[r].size;
        table_.clear(distinct);
        hypothesis_.clear();
        for (const Word& word : words_) hypothesis_.push_back(table_.add(word, tokens_.text().data()));
        int64_t lengths = 0;
        TerOperations best;
        for (size_t r = 0; r < n_references; ++r) {
            const WordsView& view = references[r];
            reference_.clear();
            for (uint32_t i = 0; i < view.size; ++i) reference_.push_back(table_.add(view.words[i], view.base));
            const TerOperations found = ter_operations(hypothesis_.data(), hypothesis_.size(), reference_.data(),
                                                       reference_.size(), scratch_);
            if (r == 0 || found.total() < best.total()) best = found;
            lengths += view.size;
        }
        row[0] = best.insertions;
        row[1] = best.deletions;
        row[2] = best.substitutions;
        row[3] = best.shifts;
        to_digits(double(lengths) / double(std::max<size_t>(1, n_references)), row + kKinds);
    }

private:
    Tokenizer tokenizer_;
    Tokens tokens_;
    std::vector<Word> words_;
    WordTable table_;
    std::vector<uint32_t> hypothesis_, reference_;
    TerScratch scratch_;
};

}  // namespace

void bind_ter(nb::module_& module) {
    module.def(
        "ter_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            return dense_rows(hypotheses.size(), kColumns, threads, [&] {
                return [&, kernel = TerKernel(function)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));
    module.def(
        "ter_scores",
        [](const RowsIn& totals) {
            return scores_of(totals, kColumns, [](const int64_t* row) {
                const double edits = double(row[0] + row[1] + row[2] + row[3]);
                const double length = from_digits(row + kKinds);
                return 100.0 * (length > 0 ? edits / length : edits > 0 ? 1.0 : 0.0);
            });
        },
        nb::arg("totals"));
}

}  // namespace tertium
