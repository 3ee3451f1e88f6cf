// Kernels of sequences and trees, text by text.
#include "bind.hpp"
#include "structure_kernels.hpp"

namespace tertium {

namespace {

using NumbersIn = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr size_t kSteps = size_t(1) << 28, kHeld = size_t(1) << 24;

// Texts one behind the other: where each begins, and where the last one ends.
std::vector<size_t> begins_of(const GroupsIn& begins, size_t length) {
    const size_t n = begins.shape(0);
    if (n == 0 || begins.data()[0] != 0 || begins.data()[n - 1] != int64_t(length))
        throw nb::value_error("texts must cover their parts");
    for (size_t i = 1; i < n; ++i)
        if (begins.data()[i] < begins.data()[i - 1]) throw nb::value_error("texts must be in order");
    return {begins.data(), begins.data() + n};
}

std::vector<int32_t> copied(const NumbersIn& numbers) { return {numbers.data(), numbers.data() + numbers.shape(0)}; }

class TreeTexts {
public:
    TreeTexts(const NumbersIn& labels, const NumbersIn& rules, const NumbersIn& parents, const GroupsIn& begins)
        : labels_(copied(labels)),
          rules_(copied(rules)),
          parents_(copied(parents)),
          begins_(begins_of(begins, labels_.size())) {
        if (rules_.size() != labels_.size() || parents_.size() != labels_.size())
            throw nb::value_error("nodes have a label, a rule and a parent each");
        for (size_t t = 0; t < size(); ++t)
            for (size_t i = begins_[t]; i < begins_[t + 1]; ++i)
                if (parents_[i] < -1 || parents_[i] >= int64_t(i - begins_[t]) || labels_[i] < 0)
                    throw nb::value_error("parents stand before their children, and labels are numbers");
    }
    size_t size() const { return begins_.size() - 1; }
    TreeNodes nodes(size_t t) const {
        const size_t begin = begins_[t], n = begins_[t + 1] - begin;
        return {{labels_.data() + begin, n}, {rules_.data() + begin, n}, {parents_.data() + begin, n}};
    }

private:
    std::vector<int32_t> labels_, rules_, parents_;
    std::vector<size_t> begins_;
};

// The logarithm of each pair's kernel; no number where it would take too long or too much memory.
template <class Kernel>
ScoresOut logarithms(size_t n, int threads, Kernel&& kernel) {
    auto memory = std::make_unique_for_overwrite<double[]>(n + 1);
    {
        Unlocked unlocked;
        double* values = memory.get();
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                poll();
                values[i] = kernel(i);
            }
        });
    }
    return scores_out(std::move(memory), n);
}

ScoresOut tree_kernels(const TreeTexts& ours, const TreeTexts& theirs, bool partial, double decay, double height, int threads) {
    same_length(ours.size(), theirs.size());
    return logarithms(ours.size(), threads, [&](size_t i) {
        const TreeNodes a = ours.nodes(i), b = theirs.nodes(i);
        const KernelCosts costs = partial ? tree_costs(a.labels, b.labels) : tree_costs(a.rules, b.rules);
        if (costs.steps > kSteps || costs.held > kHeld) return std::numeric_limits<double>::quiet_NaN();
        return partial ? partial_tree_kernel(a, b, decay, height) : subset_tree_kernel(a, b, decay);
    });
}

ScoresOut sequence_kernels(const NumbersIn& ours, const GroupsIn& begins, const NumbersIn& theirs, const GroupsIn& other_begins,
                           size_t longest, double decay, int threads) {
    const auto a = begins_of(begins, ours.shape(0)), b = begins_of(other_begins, theirs.shape(0));
    same_length(a.size(), b.size());
    if (longest == 0) throw nb::value_error("subsequences have a word at least");
    const int32_t *words = ours.data(), *other_words = theirs.data();
    return logarithms(a.size() - 1, threads, [&](size_t i) {
        const size_t n = a[i + 1] - a[i], m = b[i + 1] - b[i];
        if (m != 0 && n > kSteps / m) return std::numeric_limits<double>::quiet_NaN();
        return sequence_kernel({words + a[i], n}, {other_words + b[i], m}, longest, decay);
    });
}

}  // namespace

void bind_kernels(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<TreeTexts>(module, "TreeTexts")
        .def(nb::init<const NumbersIn&, const NumbersIn&, const NumbersIn&, const GroupsIn&>(), "labels"_a, "rules"_a,
             "parents"_a, "begins"_a)
        .def("__len__", &TreeTexts::size);
    module.def("tree_kernels", &tree_kernels, "ours"_a, "theirs"_a, "partial"_a, "decay"_a, "height"_a, "threads"_a = 1);
    module.def("sequence_kernels", &sequence_kernels, "ours"_a, "begins"_a, "theirs"_a, "other_begins"_a, "longest"_a,
               "decay"_a, "threads"_a = 1);
}

}  // namespace tertium
