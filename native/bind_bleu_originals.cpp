#include "bind.hpp"
#include "bleu.hpp"
#include "bleu_originals.hpp"
#include "exact_sum.hpp"

namespace tertium {

namespace {

// A row of sentence-bleu: BLEU's counts, the sum of segment scores as digits, the number of segments.
constexpr int kSentenceOrder = 4;
constexpr size_t kSentenceScore = 2 + 2 * kSentenceOrder, kSentenceColumns = kSentenceScore + kDigits + 1;

}  // namespace

void bind_bleu_originals(nb::module_& module) {
    module.def(
        "mteval_bleu_scores",
        [](const RowsIn& totals, int order, bool smooth) {
            return scores_of(totals, size_t(2 + 2 * order),
                             [&](const int64_t* row) { return mteval_bleu_score(row, order, smooth, nullptr); });
        },
        nb::arg("totals"), nb::arg("order"), nb::arg("smooth"));
    module.def(
        "mteval_bleu_precisions",
        [](const std::vector<int64_t>& total, int order, bool smooth) {
            if (total.size() != size_t(2 + 2 * order)) throw nb::value_error("the total has the wrong number of columns");
            std::vector<double> precisions(size_t(order), 0.0);
            mteval_bleu_score(total.data(), order, smooth, precisions.data());
            return precisions;
        },
        nb::arg("total"), nb::arg("order"), nb::arg("smooth"));
    module.def(
        "sentence_bleu_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            return dense_rows(hypotheses.size(), kSentenceColumns, threads, [&] {
                return [&, kernel = BleuKernel(function, kSentenceOrder)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                    to_digits(sentence_bleu_score(row, kSentenceOrder), row + kSentenceScore);
                    row[kSentenceColumns - 1] = 1;
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));
    module.def(
        "sentence_bleu_scores",  // the mean of segment scores
        [](const RowsIn& totals) {
            return scores_of(totals, kSentenceColumns, [](const int64_t* row) {
                const int64_t segments = row[kSentenceColumns - 1];
                return segments > 0 ? from_digits(row + kSentenceScore) / double(segments) : std::nan("");
            });
        },
        nb::arg("totals"));
}

}  // namespace tertium
