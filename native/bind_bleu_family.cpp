#include "bind.hpp"
#include "bleu_family.hpp"

namespace tertium {

namespace {

FamilyOptions family_options(std::string_view measure, bool geometric, bool brevity, bool clipped, int order, double alpha,
                             int smoothed_from, double brevity_alpha) {
    if (order < 1 || size_t(order) > kFamilyOrder) throw nb::value_error("the order is out of range");
    if (measure != "P" && measure != "R" && measure != "F") throw nb::value_error("the measure must be P, R or F");
    const Measure kind = measure == "P" ? Measure::precision : measure == "R" ? Measure::recall : Measure::f;
    return {kind, geometric, brevity, clipped, order, alpha, smoothed_from, brevity_alpha};
}

}  // namespace

void bind_bleu_family(nb::module_& module) {
    module.attr("FAMILY_ORDER") = kFamilyOrder;
    module.def(
        "bleu_family_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            return dense_rows(hypotheses.size(), FamilyRow::columns, threads, [&] {
                return [&, kernel = FamilyKernel(function)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));

    module.def(
        "bleu_family_scores",
        [](const RowsIn& totals, std::string_view measure, bool geometric, bool brevity, bool clipped, int order, double alpha,
           int smoothed_from, double brevity_alpha) {
            const FamilyOptions options =
                family_options(measure, geometric, brevity, clipped, order, alpha, smoothed_from, brevity_alpha);
            return scores_of(totals, FamilyRow::columns,
                             [&](const int64_t* row) { return family_score(row, options, nullptr); });
        },
        nb::arg("totals"), nb::arg("measure"), nb::arg("geometric"), nb::arg("brevity"), nb::arg("clipped"), nb::arg("order"),
        nb::arg("alpha"), nb::arg("smoothed_from"), nb::arg("brevity_alpha"));

    module.def(
        "bleu_family_terms",
        [](const RowsIn& total, std::string_view measure, bool clipped, int order, double alpha, int smoothed_from) {
            const FamilyOptions options = family_options(measure, true, false, clipped, order, alpha, smoothed_from, 0.0);
            if (total.shape(0) != 1 || total.shape(1) != FamilyRow::columns)
                throw nb::value_error("expected one row of the BLEU family");
            std::vector<double> terms(size_t(order), 0.0);
            family_score(total.data(), options, terms.data());
            return terms;
        },
        nb::arg("total"), nb::arg("measure"), nb::arg("clipped"), nb::arg("order"), nb::arg("alpha"), nb::arg("smoothed_from"));
}

}  // namespace tertium
