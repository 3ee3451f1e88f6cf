// Word vectors, weights of words, and pairs between two sides.
#include <nanobind/stl/optional.h>

#include "bind.hpp"
#include "dots.hpp"
#include "greedy.hpp"
#include "matching.hpp"
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
void put(unsigned char* to, const nb::bytes& hash) {
    if (hash.size() != 32) throw nb::value_error("a hash has 32 bytes");
    std::memcpy(to, hash.c_str(), 32);
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

// Precision and recall of pairs of texts, whose units stand in rows one behind the other; `starts` says where.
MatrixOut greedy_agreements(const FloatsIn& own, const VectorIn& own_weights, const GroupsIn& own_starts, const FloatsIn& other,
                            const VectorIn& other_weights, const GroupsIn& other_starts, const RowsIn& pairs, int threads) {
    const size_t width = own.shape(1), n = pairs.shape(0);
    if (width != other.shape(1) || width % kLanes) throw nb::value_error("vectors need one width, a multiple of 8");
    if (own_weights.shape(0) != own.shape(0) || other_weights.shape(0) != other.shape(0))
        throw nb::value_error("every unit needs a weight");
    if (pairs.shape(1) != 2) throw nb::value_error("pairs have two numbers");
    const auto inside = [](const GroupsIn& starts, size_t rows) {
        for (size_t i = 0; i < starts.shape(0); ++i)
            if (starts.data()[i] < (i ? starts.data()[i - 1] : 0) || size_t(starts.data()[i]) > rows)
                throw nb::value_error("texts lie outside of their rows");
    };
    inside(own_starts, own.shape(0));
    inside(other_starts, other.shape(0));
    for (size_t i = 0; i < n; ++i) {
        const int64_t* pair = pairs.data() + 2 * i;
        if (pair[0] < 0 || pair[1] < 0 || size_t(pair[0]) + 1 >= own_starts.shape(0) ||
            size_t(pair[1]) + 1 >= other_starts.shape(0))
            throw nb::index_error();
    }
    auto memory = std::make_unique_for_overwrite<double[]>(2 * n + 1);
    {
        Unlocked unlocked;
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            GreedyKernel kernel;
            for (size_t i = begin; i < end; ++i) {
                poll();
                const int64_t* own_at = own_starts.data() + pairs.data()[2 * i];
                const int64_t* other_at = other_starts.data() + pairs.data()[2 * i + 1];
                const GreedyAgreement found =
                    kernel.agreement(own.data() + size_t(own_at[0]) * width, own_weights.data() + own_at[0],
                                     size_t(own_at[1] - own_at[0]), other.data() + size_t(other_at[0]) * width,
                                     other_weights.data() + other_at[0], size_t(other_at[1] - other_at[0]), width);
                memory[2 * i] = found.precision;
                memory[2 * i + 1] = found.recall;
            }
        });
    }
    double* data = memory.get();
    return MatrixOut(data, {n, size_t(2)}, owned(memory));
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
            "__init__", [](VectorTable* self, const std::string& path) { new (self) VectorTable(path); }, nb::arg("path"))
        .def("__len__", &VectorTable::size)
        .def_prop_ro("dimension", &VectorTable::dimension)
        .def_prop_ro("storage", [](const VectorTable& table) { return std::string(storage_name(table.header().storage)); })
        .def_prop_ro("repeated", [](const VectorTable& table) { return table.header().repeated; })
        .def_prop_ro("stamp",
                     [](const VectorTable& table) {
                         const VectorHeader& h = table.header();
                         return nb::make_tuple(h.source_size, h.source_time, nb::bytes(h.head, 32));
                     })
        .def_prop_ro("content", [](const VectorTable& table) { return nb::bytes(table.header().content, 32); })
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
        [](const std::string& source, const std::string& to, std::string_view storage, uint64_t size, int64_t time,
           const nb::bytes& head, const nb::bytes& content) {
            VectorHeader stamp{};
            stamp.source_size = size;
            stamp.source_time = time;
            put(stamp.head, head);
            put(stamp.content, content);
            const Storage kind = storage_named(storage);
            Unlocked unlocked;
            const MappedFile file(source);
            VectorBuilder(to, kind).read(file.text(), stamp);
        },
        nb::arg("source"), nb::arg("to"), nb::arg("storage"), nb::arg("size"), nb::arg("time"), nb::arg("head"),
        nb::arg("content"));
    module.def("cosines", &cosines, nb::arg("left"), nb::arg("rows"), nb::arg("right"), nb::arg("columns"), nb::arg("fold"));
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
    module.def(
        "fold_case",
        [](const nb::bytes& word, std::string_view fold) {
            std::string scratch;
            return as_bytes(folded(text_of(word), fold_named(fold), scratch));
        },
        nb::arg("word"), nb::arg("fold"));
}

}  // namespace tertium
