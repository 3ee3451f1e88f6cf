// IBM model 1: links between the words of numbered lines, and the lexical model of a memory that is made of it.
#include "bind.hpp"
#include "ibm1.hpp"
#include "lexicon.hpp"
#include "travel.hpp"

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

using WordsOut = nb::ndarray<nb::memview, uint32_t, nb::ndim<1>>;

// Pairs of words that are likely enough, each with t(made | given): given words (`words` is the empty one), made ones, chances.
nb::tuple chances(const WordsIn& given, const GroupsIn& given_starts, const WordsIn& made, const GroupsIn& made_starts,
                  uint32_t words, int iterations, int64_t longest, int64_t most, double alike, double least) {
    same_length(given_starts.shape(0), made_starts.shape(0));
    if (most < 0 || words == 0xFFFFFFFFu) throw nb::value_error("too many words, or fewer lines than none");
    const WordLists ours = lines_of(given, given_starts, words), theirs = lines_of(made, made_starts, words);
    std::unique_ptr<uint32_t[]> from, to;
    std::unique_ptr<double[]> found;
    size_t n = 0;
    {
        Unlocked unlocked;
        Ibm1Settings settings;
        settings.iterations = iterations;
        settings.longest = longest;
        settings.most = most;
        settings.alike = alike;
        const Ibm1 model(ours, theirs, words, settings);
        const auto each = [&](auto&& visit) {
            model.each_of_nothing([&](uint32_t own, double chance) {
                if (chance >= least) visit(words, own, chance);
            });
            model.each([&](uint32_t other, uint32_t own, double chance) {
                if (chance >= least) visit(other, own, chance);
            });
        };
        size_t number = 0;
        each([&](uint32_t, uint32_t, double) { ++number; });
        from = std::make_unique_for_overwrite<uint32_t[]>(number + 1);
        to = std::make_unique_for_overwrite<uint32_t[]>(number + 1);
        found = std::make_unique_for_overwrite<double[]>(number + 1);
        each([&](uint32_t other, uint32_t own, double chance) {
            from[n] = other;
            to[n] = own;
            found[n++] = chance;
        });
    }
    uint32_t *const first = from.get(), *const second = to.get();
    double* const third = found.get();
    return nb::make_tuple(WordsOut(first, {n}, owned(from)), WordsOut(second, {n}, owned(to)),
                          ScoresOut(third, {n}, owned(found)));
}

using TableOut = nb::ndarray<nb::memview, double, nb::ndim<2>>;

void add(Lexicon& lexicon, const Lines& sources, const Lines& targets) {
    same_length(sources.size(), targets.size());
    if (lexicon.learnt()) throw nb::value_error("a model that has learnt takes no more units");
    Unlocked unlocked;
    for (size_t i = 0; i < sources.size(); ++i) {
        poll();
        lexicon.add(sources.texts[i], targets.texts[i]);
    }
}

void learn(Lexicon& lexicon) {
    if (lexicon.learnt()) throw nb::value_error("the model has learnt already");
    Unlocked unlocked;
    lexicon.learn();
}

TableOut numbers(Lexicon& lexicon, const Lines& sources, const Lines& targets) {
    same_length(sources.size(), targets.size());
    if (!lexicon.learnt()) throw nb::value_error("the model has not learnt yet");
    const size_t n = sources.size();
    auto memory = std::make_unique_for_overwrite<double[]>(n * Lexicon::kColumns + 1);
    {
        Unlocked unlocked;
        for (size_t i = 0; i < n; ++i) {
            poll();
            lexicon.numbers(sources.texts[i], targets.texts[i], memory.get() + i * Lexicon::kColumns);
        }
    }
    double* data = memory.get();
    return TableOut(data, {n, Lexicon::kColumns}, owned(memory));
}

// For each side: where each word stands, and its evidence.
nb::list evidence(Lexicon& lexicon, const Lines& sources, const Lines& targets) {
    if (sources.size() != 1 || targets.size() != 1) throw nb::value_error("one unit at a time");
    if (!lexicon.learnt()) throw nb::value_error("the model has not learnt yet");
    double row[Lexicon::kColumns];
    lexicon.numbers(sources.texts[0], targets.texts[0], row);
    nb::list both;
    for (size_t side = 0; side < 2; ++side) {
        nb::list words;
        const auto& found = lexicon.words_of(side).words;
        for (size_t i = 0; i < found.size(); ++i)
            words.append(nb::make_tuple(found[i].begin, found[i].end, lexicon.evidence(side)[i]));
        both.append(words);
    }
    return both;
}

// Words of the source that are not translated as usual: where they stand, where the word stands that they may have become,
// the usual translation, how often they were seen, and how often so translated.
nb::list renderings(Lexicon& lexicon, const Lines& sources, const Lines& targets) {
    if (sources.size() != 1 || targets.size() != 1) throw nb::value_error("one unit at a time");
    if (!lexicon.learnt()) throw nb::value_error("the model has not learnt yet");
    double row[Lexicon::kColumns];
    lexicon.numbers(sources.texts[0], targets.texts[0], row);
    std::vector<Lexicon::Rendering> found;
    lexicon.renderings(sources.texts[0], found);
    nb::list all;
    for (const auto& own : found) {
        const auto &ours = lexicon.words_of(0).words[own.source], &theirs = lexicon.words_of(1).words[own.target];
        const std::string_view text = lexicon.text_of(own.usual);
        all.append(nb::make_tuple(ours.begin, ours.end, theirs.begin, theirs.end, nb::str(text.data(), text.size()),
                                  size_t(own.times), size_t(own.alike)));
    }
    return all;
}

}  // namespace

void bind_ibm1(nb::module_& module) {
    using namespace nb::literals;
    module.def("ibm1_links", &links, "sources"_a, "source_starts"_a, "targets"_a, "target_starts"_a, "words"_a, nb::kw_only(),
               "iterations"_a, "longest"_a, "most"_a, "alike"_a, "floor"_a, "empty"_a, "tension"_a);
    module.def("ibm1_chances", &chances, "given"_a, "given_starts"_a, "made"_a, "made_starts"_a, "words"_a, nb::kw_only(),
               "iterations"_a, "longest"_a, "most"_a, "alike"_a, "least"_a);
    nb::class_<Lexicon>(module, "Lexicon")
        .def(
            "__init__",
            [](Lexicon* self, uint32_t folds, uint32_t cut, size_t most_words, int iterations, double own) {
                if (folds < 2 || folds > 64) throw nb::value_error("two folds or more, and not too many");
                LexiconSettings settings;
                settings.folds = folds;
                settings.cut = cut;
                settings.most_words = most_words;
                settings.iterations = iterations;
                settings.own = own;
                new (self) Lexicon(settings);
            },
            nb::kw_only(), "folds"_a, "cut"_a, "most_words"_a, "iterations"_a, "own"_a)
        .def("add", &add, "sources"_a, "targets"_a)
        .def("learn", &learn)
        .def("numbers", &numbers, "sources"_a, "targets"_a)
        .def("evidence", &evidence, "sources"_a, "targets"_a)
        .def("renderings", &renderings, "sources"_a, "targets"_a)
        .def("sampled", &Lexicon::sampled)
        .def("words", &Lexicon::words)
        .def("__getstate__",
             [](Lexicon& self) {
                 if (!self.learnt()) throw nb::value_error("a lexicon travels when it has learnt");
                 BytesOut out;
                 out(self.settings());
                 self.travel(out);
                 return nb::bytes(out.bytes.data(), out.bytes.size());
             })
        .def("__setstate__", [](Lexicon& self, const nb::bytes& state) {
            BytesIn in({state.c_str(), state.size()});
            LexiconSettings settings;
            in(settings);
            new (&self) Lexicon(settings);
            self.travel(in);
        });
}

}  // namespace tertium
