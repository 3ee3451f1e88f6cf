#include <limits>

#include "bind.hpp"
#include "character.hpp"
#include "exact_sum.hpp"

namespace tertium {

void bind_character(nb::module_& module) {
    // Per segment: score x weight and weight, as digits. The weight is 1, or the characters of the reference.
    module.def(
        "character_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, bool by_length, bool capped,
           int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            return dense_rows(hypotheses.size(), 2 * kDigits, threads, [&] {
                return [&, kernel = CharacterKernel(function, capped)](size_t i, int64_t* row) mutable {
                    const auto [score, characters] = kernel.best(hypotheses.texts[i], references[i], references.count(i));
                    const double weight = by_length ? double(std::max<int64_t>(1, characters)) : 1.0;
                    to_digits(score * weight, row);
                    to_digits(weight, row + kDigits);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("by_length"), nb::arg("capped"),
        nb::arg("threads"));
    module.def(
        "weighted_means",
        [](const RowsIn& totals) {
            return scores_of(totals, 2 * kDigits, [](const int64_t* row) {
                const double weight = from_digits(row + kDigits);
                return weight > 0 ? from_digits(row) / weight : std::numeric_limits<double>::quiet_NaN();
            });
        },
        nb::arg("totals"));
}

}  // namespace tertium
