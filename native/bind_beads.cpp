// Sentences of two documents, aligned: a table of words that learns, and the beads of a document.
#include "beads.hpp"
#include "bind.hpp"

namespace tertium {

namespace {

using BreaksIn = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using VectorsIn = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using KindsIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Points = std::vector<std::pair<uint32_t, uint32_t>>;

void check_present(const Lines& lines) {
    for (size_t i = 0; i < lines.size(); ++i)
        if (lines.missing(i)) throw nb::value_error("a sentence is missing");
}

void learn(WordPairs& table, const Lines& sources, const Lines& targets, int iterations, int64_t longest, int64_t most) {
    same_length(sources.size(), targets.size());
    check_present(sources), check_present(targets);
    Unlocked unlocked;
    NumberedTexts ours, theirs;
    for (size_t i = 0; i < sources.size(); ++i) {
        poll();
        table.read(sources.texts[i], ours);
        table.read(targets.texts[i], theirs);
    }
    table.learn(ours, theirs, iterations, longest, most);
}

void open_finder(BeadFinder* self, WordPairs& table, const Lines& sources, const Lines& targets) {
    check_present(sources), check_present(targets);
    Unlocked unlocked;
    new (self) BeadFinder(table, sources.texts, targets.texts);
}

void set_breaks(BeadFinder& finder, const BreaksIn& sources, const BreaksIn& targets) {
    if (sources.shape(0) != finder.source().size() || targets.shape(0) != finder.target().size())
        throw nb::value_error("a mark for each sentence");
    finder.source().breaks.assign(sources.data(), sources.data() + sources.shape(0));
    finder.target().breaks.assign(targets.data(), targets.data() + targets.shape(0));
}

// The arrays must live as long as they are used.
void set_vectors(BeadFinder& finder, const VectorsIn& sources, const VectorsIn& targets) {
    if (sources.shape(0) != finder.source().size() || targets.shape(0) != finder.target().size() ||
        sources.shape(1) != targets.shape(1))
        throw nb::value_error("a vector for each sentence, all of one length");
    finder.source().vectors = {sources.data(), sources.size()};
    finder.target().vectors = {targets.data(), targets.size()};
    finder.source().dimensions = finder.target().dimensions = sources.shape(1);
}

nb::tuple find(BeadFinder& finder, const Points& points, uint32_t half, const KindsIn& kinds, double ratio, double variance,
               double lengths, double words, double vectors, double usual, double unexplained, double crossing, double breaks) {
    if (kinds.shape(0) != kBeads.size()) throw nb::value_error("a number for each kind of bead");
    BeadSettings settings{ratio, variance, lengths, words, vectors, usual, unexplained, crossing, breaks, {}};
    std::copy_n(kinds.data(), kBeads.size(), settings.kinds.begin());
    std::vector<Bead> path;
    bool touched = false;
    {
        Unlocked unlocked;
        path = finder.find(finder.band(points, half), settings, touched);
    }
    auto rows = std::make_unique_for_overwrite<int64_t[]>(3 * path.size() + 1);
    auto scores = std::make_unique_for_overwrite<double[]>(path.size() + 1);
    for (size_t n = 0; n < path.size(); ++n) {
        rows[3 * n] = path[n].source, rows[3 * n + 1] = path[n].target, rows[3 * n + 2] = path[n].kind;
        scores[n] = double(path[n].score);
    }
    return nb::make_tuple(rows_out(std::move(rows), path.size(), 3), scores_out(std::move(scores), path.size()), touched);
}

}  // namespace

void bind_beads(nb::module_& module) {
    using namespace nb::literals;
    nb::list kinds;
    for (const BeadKind kind : kBeads) kinds.append(nb::make_tuple(kind.sources, kind.targets));
    module.attr("BEAD_KINDS") = nb::tuple(kinds);
    nb::class_<WordPairs>(module, "WordPairs")
        .def(nb::init<>())
        .def("learn", &learn, "sources"_a, "targets"_a, nb::kw_only(), "iterations"_a, "longest"_a, "most"_a)
        .def("words", &WordPairs::size);
    nb::class_<BeadFinder>(module, "BeadFinder")
        .def("__init__", &open_finder, "table"_a, "sources"_a, "targets"_a)
        .def("set_breaks", &set_breaks, "sources"_a, "targets"_a)
        .def("set_vectors", &set_vectors, "sources"_a, "targets"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("anchors", &BeadFinder::anchors)
        .def("find", &find, "points"_a, "half"_a, nb::kw_only(), "kinds"_a, "ratio"_a, "variance"_a, "lengths"_a, "words"_a,
             "vectors"_a, "usual"_a, "unexplained"_a, "crossing"_a, "breaks"_a);
}

}  // namespace tertium
