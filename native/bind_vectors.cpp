// Word vectors, weights of words, and pairs between two sides.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "checked_file.hpp"
#include "dots.hpp"
#include "earlier.hpp"
#include "greedy.hpp"
#include "matching.hpp"
#include "phrases.hpp"
#include "vector_build.hpp"
#include "word_weights.hpp"

namespace tertium {

Fold fold_named(std::string_view name) {
    if (name == "exact") return Fold::exact;
    if (name == "ascii") return Fold::ascii;
    if (name == "unicode") return Fold::unicode;
    throw nb::value_error("folding is exact, ascii or unicode");
}

namespace {

using BytesIn = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MatrixIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatsOut = nb::ndarray<nb::memview, float, nb::ndim<1>>;
using MatrixOut = nb::ndarray<nb::memview, double, nb::ndim<2>>;

Storage storage_named(std::string_view name) {
    if (name == "float32") return Storage::float32;
    if (name == "float16") return Storage::float16;
    if (name == "int8") return Storage::int8;
    throw nb::value_error("storage is float32, float16 or int8");
}
std::string_view storage_name(Storage storage) {
    return storage == Storage::float32 ? "float32" : storage == Storage::float16 ? "float16" : "int8";
}
nb::bytes as_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }
std::string_view text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

std::vector<float> unit_rows(const VectorTable& table, const std::vector<nb::bytes>& words, Fold fold) {
    const size_t width = padded(table.dimension());
    std::vector<float> rows(words.size() * width, 0);
    std::string scratch;
    for (size_t i = 0; i < words.size(); ++i) {
        const int64_t row = table.find(text_of(words[i]), fold, scratch);
        if (row >= 0) table.unit(size_t(row), rows.data() + i * width);
    }
    return rows;
}

MatrixOut cosines(const VectorTable& left, const std::vector<nb::bytes>& rows, const VectorTable& right,
                  const std::vector<nb::bytes>& columns, std::string_view fold) {
    if (left.dimension() != right.dimension()) throw nb::value_error("the tables have vectors of different dimension");
    const size_t m = rows.size(), n = columns.size();
    const auto a = unit_rows(left, rows, fold_named(fold)), b = unit_rows(right, columns, fold_named(fold));
    std::vector<float> products(m * n);
    all_dots(a.data(), m, b.data(), n, padded(left.dimension()), products.data());
    auto memory = std::make_unique_for_overwrite<double[]>(m * n + 1);
    std::copy(products.begin(), products.end(), memory.get());
    double* data = memory.get();
    return MatrixOut(data, {m, n}, owned(memory));
}

using FloatsIn = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using VectorIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Texts whose units have vectors and weights, one behind the other; `starts` says where each begins.
struct UnitTexts {
    const FloatsIn& vectors;
    const VectorIn& weights;
    const GroupsIn& starts;

    void check() const {
        if (vectors.shape(1) % kLanes) throw nb::value_error("vectors need one width, a multiple of 8");
        if (weights.shape(0) != vectors.shape(0)) throw nb::value_error("every unit needs a weight");
        for (size_t i = 0; i < starts.shape(0); ++i)
            if (starts.data()[i] < (i ? starts.data()[i - 1] : 0) || size_t(starts.data()[i]) > vectors.shape(0))
                throw nb::value_error("texts lie outside of their rows");
    }
    void check(int64_t text) const {
        if (text < 0 || size_t(text) + 1 >= starts.shape(0)) throw nb::index_error();
    }
    void check(int64_t text, int64_t begin, int64_t end) const {
        check(text);
        if (begin < 0 || begin > end || size_t(end) > size(text)) throw nb::value_error("a phrase lies outside of its text");
    }
    const float* units(int64_t text) const { return vectors.data() + size_t(starts.data()[text]) * vectors.shape(1); }
    const double* weight(int64_t text) const { return weights.data() + starts.data()[text]; }
    size_t size(int64_t text) const { return size_t(starts.data()[text + 1] - starts.data()[text]); }
};

// `measure(kernel, ours, theirs, pair)` for each pair: its first numbers are a text of ours and one of theirs.
template <class Kernel, class Measure>
MatrixOut unit_agreements(const UnitTexts& own, const UnitTexts& other, const RowsIn& pairs, size_t columns, const Kernel& made,
                          int threads, Measure&& measure) {
    const size_t n = pairs.shape(0);
    own.check();
    other.check();
    if (own.vectors.shape(1) != other.vectors.shape(1)) throw nb::value_error("vectors need one width, a multiple of 8");
    if (pairs.shape(1) != columns) throw nb::value_error("pairs have another number of columns");
    for (size_t i = 0; i < n; ++i) own.check(pairs.data()[columns * i]), other.check(pairs.data()[columns * i + 1]);
    auto memory = std::make_unique_for_overwrite<double[]>(2 * n + 1);
    {
        Unlocked unlocked;
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            Kernel kernel = made;
            for (size_t i = begin; i < end; ++i) {
                poll();
                const auto found = measure(kernel, pairs.data() + columns * i);
                memory[2 * i] = found.precision;
                memory[2 * i + 1] = found.recall;
            }
        });
    }
    double* data = memory.get();
    return MatrixOut(data, {n, size_t(2)}, owned(memory));
}

// Precision and recall of pairs of texts, every unit with the most similar one of the other text.
MatrixOut greedy_agreements(const FloatsIn& own, const VectorIn& own_weights, const GroupsIn& own_starts, const FloatsIn& other,
                            const VectorIn& other_weights, const GroupsIn& other_starts, const RowsIn& pairs, int threads) {
    const UnitTexts ours{own, own_weights, own_starts}, theirs{other, other_weights, other_starts};
    return unit_agreements(ours, theirs, pairs, 2, GreedyKernel(), threads, [&](GreedyKernel& kernel, const int64_t* pair) {
        return kernel.agreement(ours.units(pair[0]), ours.weight(pair[0]), ours.size(pair[0]), theirs.units(pair[1]),
                                theirs.weight(pair[1]), theirs.size(pair[1]), own.shape(1));
    });
}

// The same of phrases, n-gram by n-gram; behind the texts a pair has (begin, end) of theirs and (begin, end) of ours.
MatrixOut context_agreements(const FloatsIn& own, const VectorIn& own_weights, const GroupsIn& own_starts,
                             const FloatsIn& other, const VectorIn& other_weights, const GroupsIn& other_starts,
                             const RowsIn& pairs, size_t order, int threads) {
    const UnitTexts ours{own, own_weights, own_starts}, theirs{other, other_weights, other_starts};
    if (order < 1) throw nb::value_error("the order is 1 or more");
    ours.check();
    theirs.check();
    if (pairs.shape(1) != 6) throw nb::value_error("pairs have 6 numbers");
    for (size_t i = 0; i < pairs.shape(0); ++i) {
        const int64_t* pair = pairs.data() + 6 * i;
        ours.check(pair[0], pair[4], pair[5]);
        theirs.check(pair[1], pair[2], pair[3]);
    }
    return unit_agreements(ours, theirs, pairs, 6, ContextKernel(order), threads,
                           [&](ContextKernel& kernel, const int64_t* pair) {
                               kernel.set(ours.units(pair[0]), ours.weight(pair[0]), ours.size(pair[0]), theirs.units(pair[1]),
                                          theirs.weight(pair[1]), theirs.size(pair[1]), own.shape(1));
                               return kernel.agreement(size_t(pair[2]), size_t(pair[3]), size_t(pair[4]), size_t(pair[5]));
                           });
}

using PairOut = std::pair<nb::ndarray<nb::memview, double, nb::ndim<1>>, nb::ndarray<nb::memview, int64_t, nb::ndim<1>>>;

// For each unit of texts, one behind the other, the most similar earlier unit of its text. `units(begin, end, scratch)` are
// the vectors of some.
template <class Units>
PairOut most_similar_earlier(const GroupsIn& starts, size_t n, size_t width, int threads, Units&& units) {
    for (size_t i = 0; i < starts.shape(0); ++i)
        if (starts.data()[i] < (i ? starts.data()[i - 1] : 0) || size_t(starts.data()[i]) > n)
            throw nb::value_error("texts lie outside of their rows");
    auto most = std::make_unique<double[]>(n + 1);
    auto earlier = std::make_unique<int64_t[]>(n + 1);
    std::fill_n(earlier.get(), n, -1);
    if (starts.shape(0) > 1) {
        Unlocked unlocked;
        parallel_parts(starts.shape(0) - 1, threads, [&](size_t, size_t first, size_t last) {
            EarlierKernel kernel;
            std::vector<float> scratch;
            for (size_t i = first; i < last; ++i) {
                poll();
                const size_t begin = size_t(starts.data()[i]), end = size_t(starts.data()[i + 1]);
                kernel.most_similar(units(begin, end, scratch), end - begin, width, most.get() + begin, earlier.get() + begin);
            }
        });
    }
    double* const values = most.get();
    int64_t* const places = earlier.get();
    return {{values, {n}, owned(most)}, {places, {n}, owned(earlier)}};
}

PairOut earlier_words(const VectorTable& table, const GroupsIn& rows, const GroupsIn& starts, int threads) {
    const size_t width = padded(table.dimension());
    for (size_t i = 0; i < rows.shape(0); ++i)
        if (rows.data()[i] >= int64_t(table.size())) throw nb::index_error();
    return most_similar_earlier(starts, rows.shape(0), width, threads,
                                [&](size_t begin, size_t end, std::vector<float>& scratch) {
                                    scratch.assign((end - begin) * width, 0);
                                    for (size_t i = begin; i < end; ++i) {
                                        const int64_t row = rows.data()[i];
                                        if (row >= 0) table.unit(size_t(row), scratch.data() + (i - begin) * width);
                                    }
                                    return scratch.data();
                                });
}

PairOut earlier_units(const FloatsIn& vectors, const GroupsIn& starts, int threads) {
    const size_t width = vectors.shape(1);
    if (width % kLanes) throw nb::value_error("vectors need one width, a multiple of 8");
    return most_similar_earlier(starts, vectors.shape(0), width, threads,
                                [&](size_t begin, size_t, std::vector<float>&) { return vectors.data() + begin * width; });
}

std::shared_ptr<WordWeights> count_references(const std::vector<std::shared_ptr<WordReferences>>& corpora) {
    size_t lines = 0;
    for (const auto& corpus : corpora) lines += corpus->all().size();
    auto weights = std::make_shared<WordWeights>(lines);
    Unlocked unlocked;
    for (const auto& corpus : corpora)
        for (const WordsView& text : corpus->all()) {
            poll();
            weights->count(text);
        }
    return weights;
}

}  // namespace

void bind_vectors(nb::module_& module) {
    nb::class_<VectorTable>(module, "VectorTable")
        .def(
            "__init__",
            [](VectorTable* self, std::string name, int file, size_t size, const nb::bytes& sums, bool whole) {
                new (self) VectorTable(std::move(name), file, size, text_of(sums), whole);
            },
            nb::arg("name"), nb::arg("file"), nb::arg("size"), nb::arg("sums"), nb::arg("whole"))
        .def("__len__", &VectorTable::size)
        .def_prop_ro("dimension", &VectorTable::dimension)
        .def_prop_ro("storage", [](const VectorTable& table) { return std::string(storage_name(table.header().storage)); })
        .def_prop_ro("repeated", [](const VectorTable& table) { return table.header().repeated; })
        .def("word",
             [](const VectorTable& table, size_t row) {
                 if (row >= table.size()) throw nb::index_error();
                 return as_bytes(table.word(row));
             })
        .def(
            "find",
            [](const VectorTable& table, const nb::bytes& word, std::string_view fold) {
                std::string scratch;
                return table.find(text_of(word), fold_named(fold), scratch);
            },
            nb::arg("word"), nb::arg("fold"))
        .def("numbers", [](const VectorTable& table, size_t row) {
            if (row >= table.size()) throw nb::index_error();
            auto memory = std::make_unique_for_overwrite<float[]>(table.dimension());
            table.numbers(row, memory.get());
            float* data = memory.get();
            return FloatsOut(data, {table.dimension()}, owned(memory));
        });
    nb::class_<WordWeights>(module, "WordWeights")
        .def(nb::init<>())
        .def(
            "__init__",
            [](WordWeights* self, uint64_t lines, const std::vector<nb::bytes>& words, const std::vector<uint64_t>& counts) {
                if (words.size() != counts.size()) throw nb::value_error("as many counts as words are needed");
                new (self) WordWeights(lines);
                for (size_t i = 0; i < words.size(); ++i) self->add(text_of(words[i]), counts[i]);
            },
            nb::arg("lines"), nb::arg("words"), nb::arg("counts"))
        .def_prop_ro("lines", &WordWeights::lines)
        .def_prop_ro("alike", &WordWeights::alike)
        .def(
            "weight",
            [](const WordWeights& weights, const nb::bytes& word, std::string_view fold) {
                std::string scratch;
                return weights.weight(text_of(word), fold_named(fold), scratch);
            },
            nb::arg("word"), nb::arg("fold"))
        .def("counts", [](const WordWeights& weights) {
            nb::dict counts;
            for (const auto& [word, count] : weights.counts()) counts[as_bytes(word)] = count;
            return counts;
        });
    module.def("count_words", &count_references, nb::arg("corpora"));
    module.def(
        "build_vectors",
        [](int source, const std::string& to, std::string_view storage) {
            const Storage kind = storage_named(storage);
            Unlocked unlocked;
            const MappedFile file(source);
            VectorBuilder(to, kind).read(file.text());
        },
        nb::arg("source"), nb::arg("to"), nb::arg("storage"));
    nb::exception<DamagedFile>(module, "DamagedFile", PyExc_OSError);
    module.def(
        "block_sums",
        [](const BytesIn& data) {
            const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
            const size_t blocks = (text.size() + kBlock - 1) / kBlock;
            auto sums = std::make_unique_for_overwrite<uint32_t[]>(blocks + 1);
            {
                Unlocked unlocked;
                block_sums(text, sums.get());
            }
            return nb::bytes(reinterpret_cast<const char*>(sums.get()), 4 * blocks);
        },
        nb::arg("data"));
    module.def("cosines", &cosines, nb::arg("left"), nb::arg("rows"), nb::arg("right"), nb::arg("columns"), nb::arg("fold"));
    module.def("earlier_words", &earlier_words, nb::arg("table"), nb::arg("rows"), nb::arg("starts"), nb::arg("threads"));
    module.def("earlier_units", &earlier_units, nb::arg("vectors"), nb::arg("starts"), nb::arg("threads"));
    module.def(
        "heaviest_matching",
        [](const MatrixIn& weights) {
            const size_t columns = weights.shape(1);
            return heaviest_matching(weights.shape(0), columns,
                                     [&](size_t i, size_t j) { return weights.data()[i * columns + j]; });
        },
        nb::arg("weights"));
    module.def("greedy_agreements", &greedy_agreements, nb::arg("own"), nb::arg("own_weights"), nb::arg("own_starts"),
               nb::arg("other"), nb::arg("other_weights"), nb::arg("other_starts"), nb::arg("pairs"), nb::arg("threads"));
    module.def("context_agreements", &context_agreements, nb::arg("own"), nb::arg("own_weights"), nb::arg("own_starts"),
               nb::arg("other"), nb::arg("other_weights"), nb::arg("other_starts"), nb::arg("pairs"), nb::arg("order"),
               nb::arg("threads"));
    module.def(
        "fold_case",
        [](const nb::bytes& word, std::string_view fold) {
            std::string scratch;
            return as_bytes(folded(text_of(word), fold_named(fold), scratch));
        },
        nb::arg("word"), nb::arg("fold"));
}

}  // namespace tertium
