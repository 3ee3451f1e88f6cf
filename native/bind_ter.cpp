#include <type_traits>

#include "bind.hpp"
#include "exact_sum.hpp"
#include "ter.hpp"
#include "ter_cost_beam.hpp"

namespace tertium {

namespace {

// Per segment: [insertions, deletions, substitutions, shifts] of the reference with the fewest edits (the first of
// several), then the mean reference length as digits.
constexpr size_t kKinds = 4, kColumns = kKinds + kDigits;

// How to search, and the length that edits are divided by.
struct Sacrebleu {
    TerScratch scratch;
    TerOperations operator()(const std::vector<uint32_t>& hypothesis, const std::vector<uint32_t>& reference) {
        return ter_operations(hypothesis.data(), hypothesis.size(), reference.data(), reference.size(), scratch);
    }
    static double length(int64_t sum, int64_t n) { return double(sum) / double(n); }
};

template <class Rules>
struct CostBeam {
    CostBeamTer<Rules> search;
    TerOperations operator()(const std::vector<uint32_t>& hypothesis, const std::vector<uint32_t>& reference) {
        return search.operations(hypothesis.data(), hypothesis.size(), reference.data(), reference.size());
    }
    static double length(int64_t sum, int64_t n) {
        if constexpr (std::is_same_v<Rules, MosesRules>) return double(100 * sum / n) / 100.0;  // hundredths, cut off
        return double(sum) / double(n);
    }
};

template <class Search>
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
            const TerOperations found = search_(hypothesis_, reference_);
            if (r == 0 || found.total() < best.total()) best = found;
            lengths += view.size;
        }
        row[0] = best.insertions;
        row[1] = best.deletions;
        row[2] = best.substitutions;
        row[3] = best.shifts;
        to_digits(Search::length(lengths, int64_t(std::max<size_t>(1, n_references))), row + kKinds);
    }

private:
    Tokenizer tokenizer_;
    Tokens tokens_;
    std::vector<Word> words_;
    WordTable table_;
    std::vector<uint32_t> hypothesis_, reference_;
    Search search_;
};

template <class Search>
RowsOut ter_rows(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
    const Tokenizer function = tokenizer_named(tokenizer);
    same_length(hypotheses.size(), references.size());
    return dense_rows(hypotheses.size(), kColumns, threads, [&] {
        return [&, kernel = TerKernel<Search>(function)](size_t i, int64_t* row) mutable {
            kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
        };
    });
}

}  // namespace

void bind_ter(nb::module_& module) {
    module.def("ter_rows", ter_rows<Sacrebleu>, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"),
               nb::arg("threads"));
    module.def("ter_moses_rows", ter_rows<CostBeam<MosesRules>>, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("tokenizer"), nb::arg("threads"));
    module.def("ter_tercom_rows", ter_rows<CostBeam<TercomRules>>, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("tokenizer"), nb::arg("threads"));
    // `wordless`: the score of edits without any reference length.
    module.def(
        "ter_scores",
        [](const RowsIn& totals, double wordless) {
            return scores_of(totals, kColumns, [=](const int64_t* row) {
                const double edits = double(row[0] + row[1] + row[2] + row[3]);
                const double length = from_digits(row + kKinds);
                return length > 0 ? 100.0 * (edits / length) : edits > 0 ? wordless : 0.0;
            });
        },
        nb::arg("totals"), nb::arg("wordless"));
}

}  // namespace tertium
