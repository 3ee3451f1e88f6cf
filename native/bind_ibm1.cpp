// IBM model 1: links between the words of numbered lines.
#include "bind.hpp"
#include "ibm1.hpp"

namespace tertium {

namespace {

using WordsIn = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using LinksOut = nb::ndarray<nb::memview, int32_t, nb::ndim<1>>;

WordLists lines_of(const WordsIn& words, const GroupsIn& starts, uint32_t most) {
    const size_t n = starts.shape(0), length = words.shape(0);
    if (n == 0 || starts.data()[0] != 0 || starts.data()[n - 1] != int64_t(length))
        throw nb::value_error("lines must cover their words");
    for (size_t i = 1; i < n; ++i)
        if (starts.data()[i] < starts.data()[i - 1]) throw nb::value_error("lines must be in order");
    for (size_t i = 0; i < length; ++i)
        if (words.data()[i] >= most) throw nb::value_error("a word has a greater number than there are words");
    return {{words.data(), length}, {starts.data(), n}};
}

LinksOut links(const WordsIn& sources, const GroupsIn& source_starts, const WordsIn& targets, const GroupsIn& target_starts,
               uint32_t words, int iterations, int64_t longest, int64_t most, double alike, double floor, double empty,
               double tension) {
    same_length(source_starts.shape(0), target_starts.shape(0));
    if (most < 0 || words == 0xFFFFFFFFu) throw nb::value_error("too many words, or fewer lines than none");
    const WordLists ours = lines_of(sources, source_starts, words), theirs = lines_of(targets, target_starts, words);
    auto memory = std::make_unique_for_overwrite<int32_t[]>(ours.words.size() + 1);
    {
        Unlocked unlocked;
        ibm1_links(ours, theirs, words, {iterations, longest, most, alike, floor, empty, tension}, memory.get());
    }
    int32_t* data = memory.get();
    return LinksOut(data, {ours.words.size()}, owned(memory));
}

}  // namespace

void bind_ibm1(nb::module_& module) {
    using namespace nb::literals;
    module.def("ibm1_links", &links, "sources"_a, "source_starts"_a, "targets"_a, "target_starts"_a, "words"_a, nb::kw_only(),
               "iterations"_a, "longest"_a, "most"_a, "alike"_a, "floor"_a, "empty"_a, "tension"_a);
}

}  // namespace tertium
