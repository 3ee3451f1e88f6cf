#include "bind.hpp"
#include "nist.hpp"

namespace tertium {

void bind_nist(nb::module_& module) {
    nb::class_<NistReferences>(module, "NistReferences")
        .def(
            "__init__",
            [](NistReferences* self, std::vector<std::shared_ptr<Lines>> streams, std::string_view tokenizer, int order,
               bool zero_is_nothing, bool each_order_alone, int threads) {
                const Tokenizer function = tokenizer_named(tokenizer);
                if (streams.empty()) throw nb::value_error("no reference streams");
                if (order < 1) throw nb::value_error("the order is out of range");
                for (const auto& stream : streams) same_length(stream->size(), streams[0]->size());
                Unlocked unlocked;
                new (self) NistReferences(std::move(streams), function, {order, zero_is_nothing, each_order_alone}, threads);
            },
            nb::arg("streams"), nb::arg("tokenizer"), nb::arg("order"), nb::arg("zero_is_nothing"), nb::arg("each_order_alone"),
            nb::arg("threads"))
        .def("__len__", [](const NistReferences& references) { return references.words.size(); });

    module.def(
        "nist_rows",
        [](const Lines& hypotheses, const NistReferences& references, std::string_view tokenizer, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.words.size());
            const size_t columns = NistKernel::columns(size_t(references.options.order));
            return dense_rows(hypotheses.size(), columns, threads, [&] {
                return [&, kernel = NistKernel(function, references)](size_t i, int64_t* row) mutable {
                    kernel.row(hypotheses.texts[i], i, row);
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));

    module.def(
        "nist_scores",
        [](const RowsIn& totals, int order) {
            return scores_of(totals, NistKernel::columns(size_t(order)),
                             [&](const int64_t* row) { return nist_score(row, size_t(order)); });
        },
        nb::arg("totals"), nb::arg("order"));
}

}  // namespace tertium
