#include "bind.hpp"
#include "rouge.hpp"

namespace tertium {

namespace {

RougeKind kind_named(std::string_view name) {
    if (name == "ngrams") return RougeKind::ngrams;
    if (name == "subsequence") return RougeKind::subsequence;
    if (name == "summary") return RougeKind::summary;
    if (name == "weighted") return RougeKind::weighted;
    if (name == "skip") return RougeKind::skip;
    throw nb::value_error("unknown kind of ROUGE");
}

}  // namespace

void bind_rouge(nb::module_& module) {
    module.def(
        "rouge_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, std::string_view kind,
           int order, double beta, double weight, int64_t gap, bool original, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            if (order < 1) throw nb::value_error("the order must be at least 1");
            RougeOptions options{kind_named(kind), order, beta, weight, SkipBigrams::kAnyGap, original};
            if (gap >= 0) options.gap = uint64_t(gap);
            return dense_rows(hypotheses.size(), RougeKernel::columns(options.kind), threads, [&] {
                return [&, kernel = RougeKernel(function, options)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("kind"), nb::arg("order"), nb::arg("beta"),
        nb::arg("weight"), nb::arg("gap"), nb::arg("original"), nb::arg("threads"));
}

}  // namespace tertium
