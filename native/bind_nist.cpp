#include <limits>
#include <memory>

#include "bind.hpp"
#include "nist.hpp"

namespace tertium {

namespace {

// Keys one behind the other, where each begins, and their counts: as Arrow has them.
nb::tuple parts_of(const KeyCounts& counts) {
    std::string keys;
    std::vector<int32_t> starts{0};
    std::vector<int64_t> times;
    for (const auto& [key, count] : counts.counts()) {
        keys.append(key);
        if (keys.size() > size_t(std::numeric_limits<int32_t>::max())) throw std::length_error("there are too many n-grams");
        starts.push_back(int32_t(keys.size()));
        times.push_back(int64_t(count));
    }
    const auto bytes = [](const auto& values) {
        return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    };
    return nb::make_tuple(nb::bytes(keys.data(), keys.size()), bytes(starts), bytes(times));
}

void add_parts(KeyCounts& counts, const nb::bytes& keys, const nb::bytes& starts, const nb::bytes& times) {
    const size_t n = times.size() / sizeof(int64_t);
    if (starts.size() != (n + 1) * sizeof(int32_t)) throw nb::value_error("as many keys as counts");
    const auto* where = reinterpret_cast<const int32_t*>(starts.c_str());
    const auto* count = reinterpret_cast<const int64_t*>(times.c_str());
    for (size_t i = 0; i < n; ++i) {
        if (where[i] < 0 || where[i + 1] < where[i] || size_t(where[i + 1]) > keys.size() || count[i] < 0)
            throw nb::value_error("counts of n-grams are damaged");
        counts.add({keys.c_str() + where[i], size_t(where[i + 1] - where[i])}, uint64_t(count[i]));
    }
}

}  // namespace

void bind_nist(nb::module_& module) {
    nb::class_<KeyCounts>(module, "KeyCounts")
        .def(nb::init<>())
        .def_rw("words", &KeyCounts::words)
        .def("__len__", [](const KeyCounts& counts) { return counts.counts().size(); })
        .def("parts", &parts_of)
        .def("add", &add_parts, nb::arg("keys"), nb::arg("starts"), nb::arg("times"));
    nb::class_<NistReferences>(module, "NistReferences")
        .def(
            "__init__",
            [](NistReferences* self, std::vector<std::shared_ptr<Lines>> streams, std::string_view tokenizer, int order,
               bool zero_is_nothing, bool each_order_alone, int threads, const KeyCounts* whole) {
                const Tokenizer function = tokenizer_named(tokenizer);
                if (streams.empty()) throw nb::value_error("no reference streams");
                if (order < 1) throw nb::value_error("the order is out of range");
                for (const auto& stream : streams) same_length(stream->size(), streams[0]->size());
                Unlocked unlocked;
                new (self)
                    NistReferences(std::move(streams), function, {order, zero_is_nothing, each_order_alone}, threads, whole);
            },
            nb::arg("streams"), nb::arg("tokenizer"), nb::arg("order"), nb::arg("zero_is_nothing"), nb::arg("each_order_alone"),
            nb::arg("threads"), nb::arg("whole").none() = nb::none())
        .def("__len__", [](const NistReferences& references) { return references.words.size(); })
        .def("counts", [](const NistReferences& references) {
            auto found = std::make_shared<KeyCounts>();
            Unlocked unlocked;
            references.add_to(*found);
            return found;
        });

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
