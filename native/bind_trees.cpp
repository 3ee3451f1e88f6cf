// Boosted trees over rows of numbers, fitted and applied; and numbers of how much two texts look alike.
#include "bind.hpp"
#include "boosting.hpp"
#include "likeness.hpp"
#include "repeats.hpp"
#include "trees.hpp"

namespace tertium {

void bind_trees(nb::module_& module);  // not in bind.hpp: with that all files would be compiled again

namespace {

using NumbersIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using PlacesIn = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ScoresOut tree_sums(const NumbersIn& rows, const PlacesIn& features, const NumbersIn& thresholds, const PlacesIn& left,
                    const PlacesIn& right, const NumbersIn& values) {
    const size_t trees = features.shape(0), nodes = features.shape(1), n = rows.shape(0), columns = rows.shape(1);
    for (const auto* own : {&left, &right})
        if (own->shape(0) != trees || own->shape(1) != nodes) throw nb::value_error("trees must have one shape");
    for (const auto* own : {&thresholds, &values})
        if (own->shape(0) != trees || own->shape(1) != nodes) throw nb::value_error("trees must have one shape");
    if (nodes > Trees::kMost || columns > Trees::kMost) throw nb::value_error("trees or rows are too large");
    for (size_t i = 0; i < trees * nodes; ++i) {
        const auto here = int32_t(i % nodes);
        const int32_t a = left.data()[i], b = right.data()[i], f = features.data()[i];
        if (f < 0 || size_t(f) >= columns) throw nb::value_error("a tree asks for a number that is not there");
        const bool leaf = a == here && b == here;
        const bool below = a > here && b > here && size_t(a) < nodes && size_t(b) < nodes;
        if (!leaf && !below) throw nb::value_error("a tree goes round, or out of itself");
    }
    auto memory = std::make_unique_for_overwrite<double[]>(n + 1);
    if (nodes > 0) {
        Unlocked unlocked;
        const Trees all(trees, nodes, features.data(), thresholds.data(), left.data(), right.data(), values.data());
        std::array<const double*, Trees::kTogether> together;
        std::array<double, Trees::kTogether> found;
        for (size_t i = 0; i < n; i += Trees::kTogether) {
            poll();
            for (size_t k = 0; k < Trees::kTogether; ++k) together[k] = rows.data() + std::min(i + k, n - 1) * columns;
            all.sums(together, found);
            std::copy_n(found.begin(), std::min(Trees::kTogether, n - i), memory.get() + i);
        }
    }
    double* data = memory.get();
    return ScoresOut(data, {n}, owned(memory));
}

using OneIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using TableOut = nb::ndarray<nb::memview, double, nb::ndim<2>>;
using PlacesOut = nb::ndarray<nb::memview, int32_t, nb::ndim<2>>;

template <class Out, class Value>
Out table(const std::vector<Value>& values, size_t trees, size_t nodes) {
    auto memory = std::make_unique_for_overwrite<Value[]>(values.size() + 1);
    std::copy(values.begin(), values.end(), memory.get());
    Value* data = memory.get();
    return Out(data, {trees, nodes}, owned(memory));
}

// The constant, and features, thresholds, left, right and values, as `tree_sums` takes them.
nb::tuple boosted_trees(const NumbersIn& rows, const OneIn& wrong, const OneIn& weights, size_t trees, size_t leaves,
                        double rate, size_t least) {
    const size_t n = rows.shape(0);
    same_length(n, wrong.shape(0));
    same_length(n, weights.shape(0));
    if (n == 0 || rows.shape(1) == 0 || leaves < 2 || leaves > 1000) throw nb::value_error("nothing to fit trees to");
    for (size_t i = 0; i < n * rows.shape(1); ++i)
        if (!std::isfinite(rows.data()[i])) throw nb::value_error("trees are fitted to finite numbers");
    std::unique_ptr<Boosting> made;
    {
        Unlocked unlocked;
        made = std::make_unique<Boosting>(rows.data(), n, rows.shape(1), wrong.data(), weights.data(),
                                          BoostingSettings{trees, leaves, rate, least});
    }
    return nb::make_tuple(made->bias, table<PlacesOut>(made->features, trees, made->nodes),
                          table<TableOut>(made->thresholds, trees, made->nodes),
                          table<PlacesOut>(made->left, trees, made->nodes), table<PlacesOut>(made->right, trees, made->nodes),
                          table<TableOut>(made->values, trees, made->nodes));
}

// A row of numbers for each pair of texts, by what makes them.
template <typename Numbers>
TableOut numbers_of(const Lines& sources, const Lines& targets) {
    same_length(sources.size(), targets.size());
    const size_t n = sources.size();
    auto memory = std::make_unique_for_overwrite<double[]>(n * Numbers::kColumns + 1);
    {
        Unlocked unlocked;
        Numbers own;
        for (size_t i = 0; i < n; ++i) {
            poll();
            own.numbers(sources.texts[i], targets.texts[i], memory.get() + i * Numbers::kColumns);
        }
    }
    double* data = memory.get();
    return TableOut(data, {n, Numbers::kColumns}, owned(memory));
}

}  // namespace

void bind_trees(nb::module_& module) {
    using namespace nb::literals;
    module.def("tree_sums", &tree_sums, "rows"_a, "features"_a, "thresholds"_a, "left"_a, "right"_a, "values"_a);
    module.def("boosted_trees", &boosted_trees, "rows"_a, "wrong"_a, "weights"_a, nb::kw_only(), "trees"_a, "leaves"_a,
               "rate"_a, "least"_a);
    module.def("likeness", &numbers_of<Likeness>, "sources"_a, "targets"_a);
    module.def("repeats", &numbers_of<Repeats>, "sources"_a, "targets"_a);
}

}  // namespace tertium
