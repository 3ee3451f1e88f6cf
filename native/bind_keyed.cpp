// Words by their keys, models of texts over them, and what quality estimation sees of two texts.
#include <cmath>
#include <optional>

#include "best_links.hpp"
#include "bind.hpp"
#include "ibm1.hpp"
#include "keyed_words.hpp"
#include "letter_ngrams.hpp"
#include "ngram_model.hpp"
#include "surface_signs.hpp"

namespace tertium {

void bind_keyed(nb::module_& module);  // not in bind.hpp: with that all files would be compiled again

namespace {

template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using ArrayOut = nb::ndarray<nb::memview, T, nb::ndim<1>>;
using TableOut = nb::ndarray<nb::memview, double, nb::ndim<2>>;

template <class T>
ArrayOut<T> array_out(std::unique_ptr<T[]> memory, size_t n) {
    T* data = memory.get();
    return ArrayOut<T>(data, {n}, owned(memory));
}
TableOut table_out(std::unique_ptr<double[]> memory, size_t n, size_t columns) {
    double* data = memory.get();
    return TableOut(data, {n, columns}, owned(memory));
}

// Keys of words, their characters, and where the words of each line begin.
nb::tuple keyed_words(const Lines& lines, const WordCharacters& characters, int threads) {
    struct Part {
        std::vector<uint64_t> keys;
        std::vector<uint32_t> sizes;
    };
    const size_t n = lines.size();
    auto starts = std::make_unique_for_overwrite<int64_t[]>(n + 1);
    std::unique_ptr<uint64_t[]> keys;
    std::unique_ptr<uint32_t[]> sizes;
    size_t total = 0;
    {
        Unlocked unlocked;
        std::vector<Part> parts(thread_count(threads));
        starts[0] = 0;
        parallel_parts(n, threads, [&](size_t number, size_t begin, size_t end) {
            Part& own = parts[number];
            CutWords words(characters);
            WordKeys key(characters);
            for (size_t i = begin; i < end; ++i) {
                poll();
                lines.fetch(i + 4);
                const std::string_view text = lines.texts[i];
                words.read(text);
                for (const auto& part : words.parts) {
                    const std::span codes(words.codes.data() + part.begin, part.end - part.begin);
                    own.keys.push_back(key(codes, text.substr(part.byte, part.bytes)));
                    own.sizes.push_back(part.end - part.begin);
                }
                starts[i + 1] = int64_t(words.parts.size());
            }
        });
        for (size_t i = 0; i < n; ++i) starts[i + 1] += starts[i];
        total = size_t(starts[n]);
        keys = std::make_unique_for_overwrite<uint64_t[]>(total + 1);
        sizes = std::make_unique_for_overwrite<uint32_t[]>(total + 1);
        size_t at = 0;
        for (const Part& own : parts) {
            std::copy(own.keys.begin(), own.keys.end(), keys.get() + at);
            std::copy(own.sizes.begin(), own.sizes.end(), sizes.get() + at);
            at += own.keys.size();
        }
    }
    return nb::make_tuple(array_out(std::move(keys), total), array_out(std::move(sizes), total),
                          array_out(std::move(starts), n + 1));
}

TableOut surface_signs(const Lines& sources, const Lines& targets, const WordCharacters& characters,
                       const std::vector<std::string>& marks, int threads) {
    same_length(sources.size(), targets.size());
    const MarkKinds kinds(marks);
    const size_t n = sources.size(), columns = SurfaceSigns::kPlain + kinds.number;
    auto memory = std::make_unique_for_overwrite<double[]>(n * columns + 1);
    {
        Unlocked unlocked;
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            SurfaceSigns signs(characters, kinds);
            for (size_t i = begin; i < end; ++i) {
                poll();
                sources.fetch(i + 4), targets.fetch(i + 4);
                signs.read(sources.texts[i], targets.texts[i], memory.get() + i * columns);
            }
        });
    }
    return table_out(std::move(memory), n, columns);
}

void power_of_two(uint32_t buckets) {
    if (buckets == 0 || (buckets & (buckets - 1)) != 0) throw nb::value_error("buckets must be a power of two");
}

// The buckets of all lines, and where those of each begin.
nb::tuple letter_buckets(const Lines& lines, const WordCharacters& characters, uint32_t buckets) {
    power_of_two(buckets);
    const size_t n = lines.size();
    auto starts = std::make_unique_for_overwrite<int64_t[]>(n + 1);
    std::vector<uint32_t> all, own;
    {
        Unlocked unlocked;
        LetterNgrams letters(characters);
        starts[0] = 0;
        for (size_t i = 0; i < n; ++i) {
            poll();
            letters.read(lines.texts[i], buckets, own);
            all.insert(all.end(), own.begin(), own.end());
            starts[i + 1] = int64_t(all.size());
        }
    }
    auto memory = std::make_unique_for_overwrite<uint32_t[]>(all.size() + 1);
    std::copy(all.begin(), all.end(), memory.get());
    return nb::make_tuple(array_out(std::move(memory), all.size()), array_out(std::move(starts), n + 1));
}

using WeightTable = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// For each line and each row of weights: the sum of the weights of its n-grams over the square root of how many there are.
TableOut letter_sums(const Lines& lines, const WordCharacters& characters, const WeightTable& weights, int threads) {
    const size_t n = lines.size(), kinds = weights.shape(0), buckets = weights.shape(1);
    if (buckets > 0xFFFFFFFFu) throw nb::value_error("too many weights");
    power_of_two(uint32_t(buckets));
    auto memory = std::make_unique_for_overwrite<double[]>(n * kinds + 1);
    {
        Unlocked unlocked;
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            LetterNgrams letters(characters);
            std::vector<uint32_t> own;
            for (size_t i = begin; i < end; ++i) {
                poll();
                lines.fetch(i + 4);
                letters.read(lines.texts[i], uint32_t(buckets), own);
                const double value = 1.0 / std::sqrt(double(std::max<size_t>(1, own.size())));
                for (size_t kind = 0; kind < kinds; ++kind) {
                    const float* const row = weights.data() + kind * buckets;
                    double sum = 0.0;
                    for (const uint32_t bucket : own) sum += value * double(row[bucket]);
                    memory[i * kinds + kind] = sum;
                }
            }
        });
    }
    return table_out(std::move(memory), n, kinds);
}

// Keys of words line by line, as Python gives them.
struct KeyLines {
    std::span<const uint64_t> keys;
    std::span<const int64_t> starts;

    KeyLines(const ArrayIn<uint64_t>& words, const ArrayIn<int64_t>& lines)
        : keys(words.data(), words.shape(0)), starts(lines.data(), lines.shape(0)) {
        if (starts.empty() || starts.front() != 0 || starts.back() != int64_t(keys.size()))
            throw nb::value_error("lines must cover their words");
        for (size_t i = 1; i < starts.size(); ++i)
            if (starts[i] < starts[i - 1]) throw nb::value_error("lines must be in order");
    }
    size_t size() const { return starts.size() - 1; }
    std::span<const uint64_t> operator[](size_t i) const {
        return keys.subspan(size_t(starts[i]), size_t(starts[i + 1] - starts[i]));
    }
};

// A model and the arrays that it looks into.
struct HeldNgrams {
    std::vector<ArrayIn<uint32_t>> arrays;
    std::optional<NgramModel> model;

    // For each length, nothing first: keys, counts, how often a word follows, how many different ones.
    HeldNgrams(std::vector<ArrayIn<uint32_t>> given, double words, double discount) : arrays(std::move(given)) {
        if (arrays.size() < 8 || arrays.size() % 4 != 0) throw nb::value_error("four arrays for each length");
        std::vector<NgramModel::Length> lengths;
        for (size_t i = 0; i < arrays.size(); i += 4) {
            const size_t n = arrays[i].shape(0);
            for (size_t k = 1; k < 4; ++k)
                if (arrays[i + k].shape(0) != n) throw nb::value_error("numbers of keys and counts differ");
            if (n > 0xFFFFFFFEu) throw nb::value_error("too many n-grams");
            lengths.push_back(
                {KeyTable(arrays[i].data(), n), arrays[i + 1].data(), arrays[i + 2].data(), arrays[i + 3].data()});
        }
        model.emplace(std::move(lengths), words, discount);
    }
};

// Of each word its probability, and how often it was counted by itself.
nb::tuple ngram_probabilities(const HeldNgrams& held, const ArrayIn<uint64_t>& keys, const ArrayIn<int64_t>& starts,
                              int threads) {
    const KeyLines lines(keys, starts);
    const size_t total = lines.keys.size();
    auto found = std::make_unique_for_overwrite<double[]>(total + 1),
         counts = std::make_unique_for_overwrite<double[]>(total + 1);
    {
        Unlocked unlocked;
        parallel_parts(lines.size(), threads, [&](size_t, size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) {
                poll();
                held.model->read(lines[i], found.get() + lines.starts[i], counts.get() + lines.starts[i]);
            }
        });
    }
    return nb::make_tuple(array_out(std::move(found), total), array_out(std::move(counts), total));
}

struct HeldChances {
    ArrayIn<uint32_t> keys;
    ArrayIn<float> chances;
    std::optional<PairChances> table;

    HeldChances(ArrayIn<uint32_t> given, ArrayIn<float> values) : keys(std::move(given)), chances(std::move(values)) {
        if (keys.shape(0) != chances.shape(0)) throw nb::value_error("numbers of keys and counts differ");
        if (keys.shape(0) > 0xFFFFFFFEu) throw nb::value_error("too many pairs");
        table.emplace(keys.data(), chances.data(), keys.shape(0));
    }
};

// Of each made word the chance of its best link, and the mean over all given words.
nb::tuple best_links(const HeldChances& held, const ArrayIn<uint64_t>& made, const ArrayIn<int64_t>& made_starts,
                     const ArrayIn<uint64_t>& given, const ArrayIn<int64_t>& given_starts, size_t longest, int threads) {
    const KeyLines ours(made, made_starts), theirs(given, given_starts);
    same_length(ours.size(), theirs.size());
    const size_t total = ours.keys.size();
    auto best = std::make_unique_for_overwrite<double[]>(total + 1), mean = std::make_unique_for_overwrite<double[]>(total + 1);
    {
        Unlocked unlocked;
        parallel_parts(ours.size(), threads, [&](size_t, size_t begin, size_t end) {
            std::vector<MixedKey> scratch;
            for (size_t i = begin; i < end; ++i) {
                poll();
                held.table->read(ours[i], theirs[i], longest, scratch, best.get() + ours.starts[i],
                                 mean.get() + ours.starts[i]);
            }
        });
    }
    return nb::make_tuple(array_out(std::move(best), total), array_out(std::move(mean), total));
}

}  // namespace

void bind_keyed(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<WordCharacters>(module, "WordCharacters")
        .def(
            "__init__",
            [](WordCharacters* self, const ArrayIn<uint8_t>& kinds, const ArrayIn<uint32_t>& small) {
                const size_t n = kinds.shape(0);
                if (n != small.shape(0)) throw nb::value_error("a kind and a small letter for each character");
                new (self) WordCharacters({kinds.data(), kinds.data() + n}, {small.data(), small.data() + n});
            },
            "kinds"_a, "small"_a);
    module.def("keyed_words", &keyed_words, "lines"_a, "characters"_a, "threads"_a = 1);
    module.def("surface_signs", &surface_signs, "sources"_a, "targets"_a, "characters"_a, "marks"_a, "threads"_a = 1);
    module.def("letter_buckets", &letter_buckets, "lines"_a, "characters"_a, "buckets"_a);
    module.def("letter_sums", &letter_sums, "lines"_a, "characters"_a, "weights"_a, "threads"_a = 1);
    nb::class_<HeldNgrams>(module, "NgramTables")
        .def(nb::init<std::vector<ArrayIn<uint32_t>>, double, double>(), "arrays"_a, "words"_a, "discount"_a)
        .def("probabilities", &ngram_probabilities, "keys"_a, "starts"_a, "threads"_a = 1);
    nb::class_<HeldChances>(module, "PairChances")
        .def(nb::init<ArrayIn<uint32_t>, ArrayIn<float>>(), "keys"_a, "chances"_a)
        .def("best", &best_links, "made"_a, "made_starts"_a, "given"_a, "given_starts"_a, "longest"_a, "threads"_a = 1);
}

}  // namespace tertium
