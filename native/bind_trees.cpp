// Boosted trees over rows of numbers.
#include "bind.hpp"
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
        const Trees all{trees, nodes, features.data(), thresholds.data(), left.data(), right.data(), values.data()};
        for (size_t i = 0; i < n; ++i) {
            poll();
            memory[i] = all.sum(rows.data() + i * columns);
        }
    }
    double* data = memory.get();
    return ScoresOut(data, {n}, owned(memory));
}

}  // namespace

void bind_trees(nb::module_& module) {
    using namespace nb::literals;
    module.def("tree_sums", &tree_sums, "rows"_a, "features"_a, "thresholds"_a, "left"_a, "right"_a, "values"_a);
}

}  // namespace tertium
