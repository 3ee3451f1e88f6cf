// BLEU with fuzzy matches by vectors of words and n-grams.
#include "bind.hpp"
#include "fuzzy_bleu.hpp"

namespace tertium {

Fold fold_named(std::string_view name);

void bind_fuzzy(nb::module_& module) {
    module.def(
        "fuzzy_bleu_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer,
           const std::vector<std::pair<std::shared_ptr<VectorTable>, bool>>& orders, const std::string& joiner,
           double threshold, double unknown, bool types, std::string_view fold, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            FuzzyOptions options{{}, joiner, threshold, unknown, types, fold_named(fold)};
            for (const auto& [table, summed] : orders) {
                if (!table) throw nb::value_error("every order needs vectors");
                options.orders.push_back({table, summed});
            }
            return dense_rows(hypotheses.size(), FuzzyBleuKernel::columns(orders.size()), threads, [&] {
                return [&, kernel = FuzzyBleuKernel(options, function)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("orders"), nb::arg("joiner"),
        nb::arg("threshold"), nb::arg("unknown"), nb::arg("types"), nb::arg("fold"), nb::arg("threads"));
    module.def(
        "fuzzy_bleu_scores",
        [](const RowsIn& totals, const std::vector<double>& weights) {
            const size_t orders = weights.size();
            return scores_of(totals, FuzzyBleuKernel::columns(orders),
                             [&](const int64_t* row) { return fuzzy_bleu_score(row, orders, weights); });
        },
        nb::arg("totals"), nb::arg("weights"));
}

}  // namespace tertium
