#include "bind.hpp"
#include "bleu.hpp"

namespace tertium {

namespace {

Smoothing smoothing_named(std::string_view name) {
    if (name == "none") return Smoothing::none;
    if (name == "floor") return Smoothing::floor;
    if (name == "add-k") return Smoothing::add_k;
    if (name == "exp") return Smoothing::exp;
    throw nb::value_error("unknown smoothing method");
}

ReferenceLength reference_length_named(std::string_view name) {
    if (name == "closest") return ReferenceLength::closest;
    if (name == "shortest") return ReferenceLength::shortest;
    if (name == "average") return ReferenceLength::average;
    throw nb::value_error("unknown reference length");
}

}  // namespace

void bind_bleu(nb::module_& module) {
    nb::class_<WordReferences>(module, "WordReferences")
        .def(
            "__init__",
            [](WordReferences* self, std::vector<std::shared_ptr<Lines>> streams, std::string_view tokenizer, int threads) {
                const Tokenizer function = tokenizer_named(tokenizer);
                if (streams.empty()) throw nb::value_error("no reference streams");
                for (const auto& stream : streams) same_length(stream->size(), streams[0]->size());
                Unlocked unlocked;
                new (self) WordReferences(std::move(streams), function, threads);
            },
            nb::arg("streams"), nb::arg("tokenizer"), nb::arg("threads"))
        .def("count_wordless", &WordReferences::count_wordless)
        .def("__len__", &WordReferences::size);

    module.def(
        "bleu_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int order, int threads,
           std::string_view reference_length) {
            const Tokenizer function = tokenizer_named(tokenizer);
            const ReferenceLength length = reference_length_named(reference_length);
            same_length(hypotheses.size(), references.size());
            return dense_rows(hypotheses.size(), size_t(2 + 2 * order), threads, [&] {
                return [&, kernel = BleuKernel(function, order, length)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("order"), nb::arg("threads"),
        nb::arg("reference_length") = "closest");

    module.def(
        "bleu_scores",
        [](const RowsIn& totals, int order, std::string_view smoothing, double value, bool effective_order) {
            const BleuOptions options{order, smoothing_named(smoothing), value, effective_order};
            return scores_of(totals, size_t(2 + 2 * order),
                             [&](const int64_t* row) { return bleu_score(row, options, nullptr); });
        },
        nb::arg("totals"), nb::arg("order"), nb::arg("smoothing"), nb::arg("value"), nb::arg("effective_order"));

    module.def(
        "bleu_precisions",
        [](const std::vector<int64_t>& total, int order, std::string_view smoothing, double value, bool effective_order) {
            if (total.size() != size_t(2 + 2 * order)) throw nb::value_error("the total has the wrong number of columns");
            std::vector<double> precisions(order);
            bleu_score(total.data(), {order, smoothing_named(smoothing), value, effective_order}, precisions.data());
            return precisions;
        },
        nb::arg("total"), nb::arg("order"), nb::arg("smoothing"), nb::arg("value"), nb::arg("effective_order"));
}

}  // namespace tertium
