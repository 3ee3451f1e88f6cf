#include "bind.hpp"
#include "swap_weights.hpp"
#include "type_complements.hpp"
#include "type_counter.hpp"
#include "type_lookup.hpp"
#include "type_parts.hpp"
#include "type_resamples.hpp"
#include "type_totals.hpp"
#include "types.hpp"

namespace tertium {

namespace {

std::shared_ptr<TypeRows> type_rows(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer,
                                    int order, bool characters, int threads) {
    const Tokenizer function = tokenizer_named(tokenizer);
    same_length(hypotheses.size(), references.size());
    Unlocked unlocked;
    const size_t n = hypotheses.size();
    std::vector<std::shared_ptr<TypeRows>> parts(thread_count(threads));
    parallel_parts(n, threads, [&](size_t part, size_t begin, size_t end) {
        TypeKernel kernel(function, order, characters);
        auto rows = std::make_shared<TypeRows>();
        size_t expected = 0;  // growing by copying would cost more than counting first
        for (size_t i = begin; i < end; ++i) {
            expected += hypotheses.texts[i].size() / 12;
            for (size_t r = 0; r < references.count(i); ++r) expected += references[i][r].size;
        }
        rows->types.reserve(expected);
        rows->counts.reserve(expected);
        rows->starts.reserve(end - begin + 1);
        for (size_t i = begin; i < end; ++i) {
            poll();
            kernel.row(hypotheses.texts[i], references[i], references.count(i), *rows);
        }
        parts[part] = std::move(rows);
    });
    // Parts are in the order of the segments, so types keep the numbers that one thread would have given them.
    for (size_t part = 1; part < parts.size(); ++part)
        if (parts[part]) parts[0]->append(*parts[part]);
    parts[0]->vocabulary->settle();
    return parts[0];
}

// The sum of what type_rows gives, as one row.
std::shared_ptr<TypeRows> type_total(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer,
                                     int order, bool characters, int threads) {
    const size_t n = hypotheses.size();
    bool single = n < size_t(UINT32_MAX) && references.size() == n && references.all().size() == n;
    for (size_t i = 0; single && i < n; ++i) single = references.count(i) == 1;
    if (!single) {
        const auto rows = type_rows(hypotheses, references, tokenizer, order, characters, threads);
        auto out = std::make_shared<TypeRows>();
        Unlocked unlocked;
        rows->sum_all(*out);
        return out;
    }
    const Tokenizer function = tokenizer_named(tokenizer);
    Unlocked unlocked;
    std::vector<std::shared_ptr<TypeRows>> parts(thread_count(threads));
    parallel_parts(n, threads, [&](size_t part, size_t begin, size_t end) {
        TypeCounter counter(function, order, characters);
        for (size_t i = begin; i < end; ++i) {
            poll();
            hypotheses.fetch(i + 3);
            counter.add(hypotheses.texts[i], *references[i]);
        }
        parts[part] = counter.take();
    });
    for (size_t part = 1; part < parts.size(); ++part)
        if (parts[part]) parts[0]->absorb(*parts[part]);
    return parts[0];
}

template <class T>
nb::bytes as_bytes(const std::vector<T>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
void fill(const nb::bytes& from, std::vector<T>& to) {
    if (from.size() % sizeof(T)) throw nb::value_error("the rows are truncated");
    to.resize(from.size() / sizeof(T));
    if (!to.empty()) std::memcpy(to.data(), from.c_str(), from.size());
}

std::shared_ptr<TypeRows> rows_of_parts(const nb::bytes& starts, const nb::bytes& types, const nb::bytes& counts,
                                        const nb::bytes& ends, const nb::bytes& names) {
    TypeParts parts;
    fill(starts, parts.starts);
    fill(types, parts.types);
    fill(counts, parts.counts);
    fill(ends, parts.ends);
    parts.names.assign(names.c_str(), names.size());
    if (!nb::steal(PyUnicode_DecodeUTF8(names.c_str(), Py_ssize_t(names.size()), "surrogatepass")).is_valid())
        nb::raise_python_error();
    Unlocked unlocked;
    return rows_from(parts);
}

using NarrowOut = nb::ndarray<nb::memview, uint32_t, nb::ndim<2>>;
NarrowOut narrow_out(std::unique_ptr<uint32_t[]> memory, size_t n, size_t k) {
    uint32_t* data = memory.get();
    return NarrowOut(data, {n, k}, owned(memory));
}

void check_weights(const TypeRows& rows, const WeightsIn& weights) {
    if (weights.shape(1) != rows.size()) throw nb::value_error("there must be a weight for each row");
}

// Scores of mixtures of the first and the second half of the rows, and of their opposites.
auto mixtures(const TypeRows& rows, const MasksIn& masks, const TypeOptions& options, bool both, int threads) {
    const size_t m = masks.shape(0), n = rows.size() / 2, width = (n + 7) / 8;
    if (rows.size() % 2 || masks.shape(1) != width) throw nb::value_error("there must be a bit for each row");
    for (size_t j = 0; n % 8 && j < m; ++j)
        if (masks.data()[(j + 1) * width - 1] >> n % 8) throw nb::value_error("there is a bit beyond the last row");
    auto ours = std::make_unique_for_overwrite<double[]>(m + 1), theirs = std::make_unique_for_overwrite<double[]>(m + 1);
    {
        Unlocked unlocked;
        const TypeTotals totals(rows, options);
        const TypeTotals::Mixtures mixed(totals);
        parallel_parts(m, threads, [&](size_t, size_t begin, size_t end) {
            double* others = both ? theirs.get() + begin : nullptr;
            mixed.scores(masks.data() + begin * width, end - begin, ours.get() + begin, others);
        });
    }
    return std::pair(scores_out(std::move(ours), m), scores_out(std::move(theirs), both ? m : 0));
}

nb::object type_name(const TypeRows& rows, size_t i) {
    const std::string_view type = (*rows.vocabulary)[i];
    return nb::steal(PyUnicode_DecodeUTF8(type.data(), Py_ssize_t(type.size()), "surrogatepass"));
}

}  // namespace

void bind_types(nb::module_& module) {
    nb::class_<TypeRows>(module, "TypeRows")
        .def(nb::new_([] { return std::make_shared<TypeRows>(); }))
        .def(nb::new_(&rows_of_parts), nb::arg("starts"), nb::arg("types"), nb::arg("counts"), nb::arg("ends"),
             nb::arg("names"))
        .def("__len__", &TypeRows::size)
        .def("parts",  // starts and ends as int64, types and counts as uint32, all little-endian; names in UTF-8
             [](const TypeRows& rows) {
                 TypeParts parts;
                 {
                     Unlocked unlocked;
                     parts = parts_of(rows);
                 }
                 return nb::make_tuple(as_bytes(parts.starts), as_bytes(parts.types), as_bytes(parts.counts),
                                       as_bytes(parts.ends), nb::bytes(parts.names.data(), parts.names.size()));
             })
        .def("types",
             [](const TypeRows& rows) {
                 nb::list out;
                 for (size_t i = 0; i < rows.vocabulary->size(); ++i) out.append(type_name(rows, i));
                 return out;
             })
        .def(
            "named",  // some of them: not every one of millions is shown
            [](const TypeRows& rows, const std::vector<size_t>& places) {
                nb::list out;
                for (const size_t place : places) {
                    if (place >= rows.vocabulary->size()) throw nb::index_error("there is no such type");
                    out.append(type_name(rows, place));
                }
                return out;
            },
            nb::arg("places"))
        .def("counted",  // types and counts of all entries, as narrow as they are
             [](const TypeRows& rows) {
                 const size_t n = rows.types.size();
                 auto types = std::make_unique_for_overwrite<uint32_t[]>(n + 1),
                      counts = std::make_unique_for_overwrite<uint32_t[]>(3 * n + 1);
                 std::copy(rows.types.begin(), rows.types.end(), types.get());
                 std::memcpy(counts.get(), rows.counts.data(), n * sizeof(TypeCounts));
                 return nb::make_tuple(narrow_out(std::move(types), n, 1), narrow_out(std::move(counts), n, 3));
             })
        .def("orders",  // of the only row: how many words each of its n-grams has
             [](const TypeRows& rows) {
                 auto orders = std::make_unique_for_overwrite<uint32_t[]>(rows.types.size() + 1);
                 for (size_t e = 0; e < rows.types.size(); ++e) {
                     const std::string_view type = (*rows.vocabulary)[rows.types[e]];
                     orders[e] = uint32_t(1 + std::count(type.begin(), type.end(), ' '));
                 }
                 return narrow_out(std::move(orders), rows.types.size(), 1);
             })
        .def(
            "matched_in",  // for each type of our rows, how often it matches in another's
            [](const TypeRows& rows, const TypeRows& other) {
                auto matched = std::make_unique<int64_t[]>(rows.types.size() + 1);
                {
                    Unlocked unlocked;
                    matched_in(rows, other, matched.get());
                }
                return rows_out(std::move(matched), rows.types.size(), 1);
            },
            nb::arg("other"))
        .def("entries",  // (starts, types, counts): compressed sparse rows
             [](const TypeRows& rows) {
                 const size_t n = rows.types.size();
                 auto starts = std::make_unique<int64_t[]>(rows.starts.size());
                 std::copy(rows.starts.begin(), rows.starts.end(), starts.get());
                 auto types = std::make_unique<int64_t[]>(n + 1);
                 std::copy(rows.types.begin(), rows.types.end(), types.get());
                 auto counts = std::make_unique<int64_t[]>(3 * n + 1);
                 for (size_t e = 0; e < n; ++e) {
                     counts[3 * e] = rows.counts[e].predicted;
                     counts[3 * e + 1] = rows.counts[e].reference;
                     counts[3 * e + 2] = rows.counts[e].matched;
                 }
                 return nb::make_tuple(rows_out(std::move(starts), rows.starts.size(), 1), rows_out(std::move(types), n, 1),
                                       rows_out(std::move(counts), n, 3));
             })
        .def(
            "sum_groups",
            [](const TypeRows& rows, const GroupsIn& groups, size_t n_groups) {
                same_length(groups.shape(0), rows.size());
                auto out = std::make_shared<TypeRows>();
                Unlocked unlocked;
                rows.sum_groups(groups.data(), n_groups, *out);
                return out;
            },
            nb::arg("groups"), nb::arg("n_groups"))
        .def("sum",
             [](const TypeRows& rows) {
                 auto out = std::make_shared<TypeRows>();
                 Unlocked unlocked;
                 rows.sum_all(*out);
                 return out;
             })
        .def(
            "absorb",
            [](TypeRows& rows, const TypeRows& other) {
                Unlocked unlocked;
                rows.absorb(other);
            },
            nb::arg("other"))
        .def(
            "take",
            [](const TypeRows& rows, const GroupsIn& index) {
                auto out = std::make_shared<TypeRows>();
                Unlocked unlocked;
                rows.take(index.data(), index.shape(0), *out);
                return out;
            },
            nb::arg("index"))
        .def(
            "concat",
            [](const TypeRows& rows, const TypeRows& other) {
                auto out = std::make_shared<TypeRows>();
                Unlocked unlocked;
                out->append(rows);
                out->append(other);
                return out;
            },
            nb::arg("other"))
        .def(
            "subtract",
            [](const TypeRows& rows, const TypeRows& other) {
                auto out = std::make_shared<TypeRows>();
                Unlocked unlocked;
                rows.subtract(other, *out);
                return out;
            },
            nb::arg("other"))
        .def(
            "scores",
            [](const TypeRows& rows, double beta, bool micro, double k) {
                const TypeOptions options{beta, micro, k};
                auto memory = std::make_unique_for_overwrite<double[]>(rows.size() + 1);
                {
                    Unlocked unlocked;
                    for (size_t i = 0; i < rows.size(); ++i) memory[i] = type_score(rows, i, options);
                }
                return scores_out(std::move(memory), rows.size());
            },
            nb::arg("beta"), nb::arg("micro"), nb::arg("k"))
        .def(
            "weighted",
            [](const TypeRows& rows, const WeightsIn& weights) {
                check_weights(rows, weights);
                auto out = std::make_shared<TypeRows>();
                Unlocked unlocked;
                rows.weigh(weights.data(), weights.shape(0), *out);
                return out;
            },
            nb::arg("weights"))
        .def(
            "mixed_scores",  // of mixtures of the first and the second half of the rows
            [](const TypeRows& rows, const MasksIn& masks, double beta, bool micro, double k, int threads) {
                return mixtures(rows, masks, {beta, micro, k}, false, threads).first;
            },
            nb::arg("masks"), nb::arg("beta"), nb::arg("micro"), nb::arg("k"), nb::arg("threads"))
        .def(
            "swapped_scores",  // and of what is left of the two halves
            [](const TypeRows& rows, const MasksIn& masks, double beta, bool micro, double k, int threads) {
                auto [ours, theirs] = mixtures(rows, masks, {beta, micro, k}, true, threads);
                return nb::make_tuple(ours, theirs);
            },
            nb::arg("masks"), nb::arg("beta"), nb::arg("micro"), nb::arg("k"), nb::arg("threads"));

    nb::class_<TypeResamples>(module, "TypeResamples")
        .def(nb::new_([](std::shared_ptr<TypeRows> rows, double beta, bool micro, double k) {
                 Unlocked unlocked;
                 return std::make_shared<TypeResamples>(std::move(rows), TypeOptions{beta, micro, k});
             }),
             nb::arg("rows"), nb::arg("beta"), nb::arg("micro"), nb::arg("k"))
        .def(
            "scores",  // of weighted sums that are never held
            [](const TypeResamples& resamples, const WeightsIn& weights, int threads) {
                const size_t m = weights.shape(0), n = resamples.size();
                if (weights.shape(1) != n) throw nb::value_error("there must be a weight for each row");
                auto memory = std::make_unique_for_overwrite<double[]>(m + 1);
                {
                    Unlocked unlocked;
                    parallel_parts(m, threads, [&](size_t, size_t begin, size_t end) {
                        resamples.scores(weights.data() + begin * n, end - begin, memory.get() + begin);
                    });
                }
                return scores_out(std::move(memory), m);
            },
            nb::arg("weights"), nb::arg("threads"));

    nb::class_<TypeComplements>(module, "TypeComplements")
        .def(nb::new_([](std::shared_ptr<TypeRows> rows) {
                 Unlocked unlocked;
                 return std::make_shared<TypeComplements>(std::move(rows));
             }),
             nb::arg("rows"))
        .def("__len__", &TypeComplements::size)
        .def(
            "scores",
            [](const TypeComplements& rows, double beta, bool micro, double k) {
                auto memory = std::make_unique_for_overwrite<double[]>(rows.size() + 1);
                {
                    Unlocked unlocked;
                    rows.scores({beta, micro, k}, memory.get());
                }
                return scores_out(std::move(memory), rows.size());
            },
            nb::arg("beta"), nb::arg("micro"), nb::arg("k"));

    module.def(
        "swap_weights",  // segments x pairs: what each segment adds to the difference of two systems
        [](const std::vector<std::shared_ptr<TypeRows>>& systems, const std::vector<std::pair<size_t, size_t>>& pairs,
           double beta, bool micro, double k) {
            const size_t n = systems.empty() ? 0 : systems[0]->size(), columns = pairs.size();
            auto memory = std::make_unique<int64_t[]>(n * columns + 1);
            {
                Unlocked unlocked;
                SwapWeights weights(systems, {beta, micro, k});
                for (size_t p = 0; p < columns; ++p) weights.pair(pairs[p].first, pairs[p].second, memory.get() + p, columns);
            }
            return rows_out(std::move(memory), n, columns);
        },
        nb::arg("systems"), nb::arg("pairs"), nb::arg("beta"), nb::arg("micro"), nb::arg("k"));

    module.def("type_total", &type_total, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("order"),
               nb::arg("characters"), nb::arg("threads"));
    module.def("type_rows", &type_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("order"),
               nb::arg("characters"), nb::arg("threads"));
}

}  // namespace tertium
