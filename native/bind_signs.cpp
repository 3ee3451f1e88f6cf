// What one scan of a unit's texts tells the checks of a memory.
#include "bind.hpp"
#include "seen_translations.hpp"
#include "travel.hpp"
#include "string_numbers.hpp"
#include "unit_signs.hpp"

namespace tertium {

void bind_signs(nb::module_& module);  // not in bind.hpp: with that all files would be compiled again

namespace {

using SmallIn = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SignsOut = nb::ndarray<nb::memview, int64_t, nb::ndim<1>>;

SignsOut unit_signs(const Lines& sources, const Lines& targets, const CharacterTables& tables, const SignWords& ours,
                    const SignWords& theirs) {
    same_length(sources.size(), targets.size());
    const size_t n = sources.size();
    auto memory = std::make_unique_for_overwrite<int64_t[]>(n + 1);
    {
        Unlocked unlocked;
        UnitScan scan;
        for (size_t i = 0; i < n; ++i) {
            poll();
            sources.fetch(i + 4), targets.fetch(i + 4);
            memory[i] = scan.read(sources.texts[i], targets.texts[i], tables, ours, theirs);
        }
    }
    int64_t* data = memory.get();
    return SignsOut(data, {n}, owned(memory));
}

using KeysIn = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using KeysOut = nb::ndarray<nb::memview, uint64_t, nb::ndim<1>>;

template <class Hash>
KeysOut keys(const Lines& lines, Hash&& hash) {
    const size_t n = lines.size();
    auto memory = std::make_unique_for_overwrite<uint64_t[]>(n + 1);
    {
        Unlocked unlocked;
        for (size_t i = 0; i < n; ++i) {
            poll();
            lines.fetch(i + 4);
            memory[i] = hash(lines.texts[i]);
        }
    }
    uint64_t* data = memory.get();
    return KeysOut(data, {n}, owned(memory));
}

void add(SeenTranslations& seen, const KeysIn& sources, const KeysIn& targets) {
    same_length(sources.shape(0), targets.shape(0));
    for (size_t i = 0; i < sources.shape(0); ++i) seen.add(sources.data()[i], targets.data()[i]);
    seen.prune();
}

RowsOut counts(const SeenTranslations& seen, const KeysIn& sources, const KeysIn& targets) {
    same_length(sources.shape(0), targets.shape(0));
    const size_t n = sources.shape(0);
    auto memory = std::make_unique_for_overwrite<int64_t[]>(4 * n + 1);
    for (size_t i = 0; i < n; ++i) {
        const auto found = seen.counts(sources.data()[i], targets.data()[i]);
        const int64_t row[] = {found.targets, found.times, found.usual, found.own};
        std::copy(row, row + 4, memory.get() + 4 * i);
    }
    return rows_out(std::move(memory), n, 4);
}

}  // namespace

void bind_signs(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<CharacterTables>(module, "CharacterTables")
        .def(
            "__init__",
            [](CharacterTables* self, nb::bytes classes, const SmallIn& small) {
                constexpr size_t n = CharacterTables::kCharacters;
                if (classes.size() != n || small.shape(0) != n) throw nb::value_error("a class for each of 65,536 characters");
                const auto* begin = reinterpret_cast<const uint8_t*>(classes.c_str());
                new (self) CharacterTables{{begin, begin + n}, {small.data(), small.data() + n}};
            },
            "classes"_a, "small"_a);
    nb::class_<SignWords>(module, "SignWords")
        .def(nb::init<>())
        .def(
            "add", [](SignWords& self, std::string_view word, uint8_t kinds) { self.add(word, kinds); }, "word"_a, "kinds"_a);
    module.def("unit_signs", &unit_signs, "sources"_a, "targets"_a, "tables"_a, "ours"_a, "theirs"_a);
    module.def(
        "text_hashes", [](const Lines& lines) { return keys(lines, [](std::string_view text) { return string_hash(text); }); },
        "lines"_a);
    module.def(
        "plain_hashes",
        [](const Lines& lines, const CharacterTables& tables) {
            return keys(lines, [&](std::string_view text) { return plain_hash(text, tables); });
        },
        "lines"_a, "tables"_a);
    nb::class_<SeenTranslations>(module, "SeenTranslations")
        .def(nb::init<size_t>(), "most"_a)
        .def("__len__", &SeenTranslations::size)
        .def("add", &add, "sources"_a, "targets"_a)
        .def("counts", &counts, "sources"_a, "targets"_a)
        .def("__getstate__",
             [](SeenTranslations& self) {
                 BytesOut out;
                 self.travel(out);
                 return nb::bytes(out.bytes.data(), out.bytes.size());
             })
        .def("__setstate__", [](SeenTranslations& self, const nb::bytes& state) {
            BytesIn in({state.c_str(), state.size()});
            new (&self) SeenTranslations(0);
            self.travel(in);
        });
}

}  // namespace tertium
