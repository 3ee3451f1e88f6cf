// What the input doctor asks of texts: a survey of their lines, their words as numbers, lines that are equal.
#include "bind.hpp"
#include "displacement.hpp"
#include "function_words.hpp"
#include "python_text.hpp"
#include "survey.hpp"
#include "word_lines.hpp"

namespace tertium {

namespace {

using CodesIn = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using KindsIn = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FlagsIn = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ClassesIn = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RealsIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::memview, T, nb::ndim<1>>;

template <class T>
Out<T> out(std::unique_ptr<T[]> memory, size_t n) {
    T* data = memory.get();
    return Out<T>(data, {n}, owned(memory));
}

template <class T>
Out<T> out(const std::vector<T>& values) {
    auto memory = std::make_unique_for_overwrite<T[]>(values.size() + 1);
    std::copy(values.begin(), values.end(), memory.get());
    return out(std::move(memory), values.size());
}

std::vector<std::string> as_utf8_list(const nb::list& strings) {
    std::vector<std::string> found;
    for (nb::handle string : strings) found.push_back(as_utf8(string));
    return found;
}

std::vector<uint32_t> codes_of(const CodesIn& codes, size_t values) {
    if (codes.shape(0) != values) throw nb::value_error("a value for each character is needed");
    std::vector<uint32_t> found(codes.data(), codes.data() + values);
    for (const uint32_t code : found)
        if (code >= kCharacters) throw nb::value_error("not a character");
    return found;
}

nb::tuple survey_lines(const Lines& lines, const CodesIn& codes, const KindsIn& kinds, const nb::list& needles,
                       const std::vector<uint64_t>& needle_kinds, uint64_t letter, uint64_t run) {
    const auto known = codes_of(codes, kinds.shape(0));
    const auto texts = as_utf8_list(needles);
    if (texts.size() != needle_kinds.size()) throw nb::value_error("a kind for each needle is needed");
    for (const std::string& needle : texts)
        if (needle.size() < 2) throw nb::value_error("a needle has two bytes or more");
    const Survey survey(PerCharacter<uint64_t>(known, kinds.data(), known.size()), texts, needle_kinds, letter, run);
    const size_t n = lines.size();
    auto all = std::make_unique_for_overwrite<uint64_t[]>(n + 1);
    auto first = std::make_unique_for_overwrite<uint32_t[]>(n + 1), last = std::make_unique_for_overwrite<uint32_t[]>(n + 1);
    auto characters = std::make_unique_for_overwrite<int32_t[]>(n + 1),
         stripped = std::make_unique_for_overwrite<int32_t[]>(n + 1), words = std::make_unique_for_overwrite<int32_t[]>(n + 1);
    {
        Unlocked unlocked;
        Poller poller;
        for (size_t i = 0; i < n; ++i) {
            poller(lines.texts[i].size());
            lines.fetch(i + 8);
            const LineFacts facts = survey(lines.texts[i]);
            all[i] = facts.kinds;
            first[i] = facts.first;
            last[i] = facts.last;
            characters[i] = lines.missing(i) ? -1 : facts.characters;
            stripped[i] = facts.stripped;
            words[i] = facts.words;
        }
    }
    return nb::make_tuple(out(std::move(all), n), out(std::move(first), n), out(std::move(last), n),
                          out(std::move(characters), n), out(std::move(stripped), n), out(std::move(words), n));
}

// Characters of each class (from 1) in each line: a row for each class.
nb::ndarray<nb::memview, int32_t, nb::ndim<2>> count_classes(const Lines& lines, const CodesIn& codes, const ClassesIn& classes,
                                                             size_t number) {
    const auto known = codes_of(codes, classes.shape(0));
    for (size_t i = 0; i < known.size(); ++i)
        if (classes.data()[i] > number) throw nb::value_error("there are not so many classes");
    const PerCharacter<uint16_t> table(known, classes.data(), known.size());
    const size_t n = lines.size();
    auto memory = std::make_unique<int32_t[]>(n * number + 1);
    int32_t* counts = memory.get();
    {
        Unlocked unlocked;
        Poller poller;
        std::vector<int32_t> here(number + 1);
        for (size_t i = 0; i < n; ++i) {
            const std::string_view text = lines.texts[i];
            poller(text.size());
            lines.fetch(i + 8);
            std::fill(here.begin(), here.end(), 0);
            const char* p = text.data();
            const char* const end = p + text.size();
            while (p < end) ++here[table[utf8_next(p)]];
            for (size_t k = 0; k < number; ++k) counts[k * n + i] = here[k + 1];
        }
    }
    return {counts, {number, n}, owned(memory)};
}

// The words of all lines. Python's str.lower() looks at the letters beside a capital sigma: such lines are lowered there.
NumberedLines number_words(const Lines& lines, WordNumbers& vocabulary, const CodesIn& codes, const nb::list& texts) {
    const Rewriting rewriting(codes_of(codes, nb::len(texts)), as_utf8_list(texts));
    NumberedLines found;
    Unlocked unlocked;
    Poller poller;
    std::string line, lowered;
    found.starts.reserve(lines.size() + 1);
    for (size_t i = 0; i < lines.size(); ++i) {
        std::string_view text = lines.texts[i];
        poller(4 * text.size());
        lines.fetch(i + 8);
        if (text.find("\xCE\xA3") != std::string_view::npos) {
            nb::gil_scoped_acquire locked;
            text = lowered = as_utf8(as_str(text).attr("lower")());
        }
        rewriting(text, line);
        add_words(line, vocabulary, found);
    }
    found.numbers.shrink_to_fit();
    return found;
}

// The first line that is equal to each, at most the line itself; texts that are missing are equal.
Out<int64_t> first_equal(const Lines& lines, bool stripped) {
    const size_t n = lines.size();
    auto memory = std::make_unique_for_overwrite<int64_t[]>(n + 1);
    {
        Unlocked unlocked;
        Poller poller;
        size_t capacity = 64;
        while (capacity < 2 * n) capacity *= 2;
        std::vector<uint32_t> slots(capacity);  // line + 1
        std::vector<uint32_t> checks(n);
        for (size_t i = 0; i < n; ++i) {
            poller(lines.texts[i].size() / 4);
            lines.fetch(i + 8);
            const auto of = [&](size_t k) { return stripped ? strip(lines.texts[k]) : lines.texts[k]; };
            const std::string_view text = of(i);
            const uint64_t hash = mix(string_hash(text), lines.missing(i));
            checks[i] = uint32_t(hash >> 32);
            size_t place = hash & (capacity - 1);
            for (;; place = (place + 1) & (capacity - 1)) {
                if (slots[place] == 0) break;
                const size_t k = slots[place] - 1;
                if (checks[k] == checks[i] && lines.missing(k) == lines.missing(i) && of(k) == text) break;
            }
            if (slots[place] == 0) slots[place] = uint32_t(i + 1);
            memory[i] = int64_t(slots[place] - 1);
        }
    }
    return out(std::move(memory), n);
}

// Whether lines are equal; one that is missing equals another that is missing.
Out<uint8_t> equal_lines(const Lines& one, const Lines& other, bool stripped) {
    same_length(one.size(), other.size());
    const size_t n = one.size();
    auto memory = std::make_unique_for_overwrite<uint8_t[]>(n + 1);
    {
        Unlocked unlocked;
        Poller poller;
        for (size_t i = 0; i < n; ++i) {
            const std::string_view a = one.texts[i], b = other.texts[i];
            poller(a.size() / 4);
            memory[i] = one.missing(i) == other.missing(i) && (a == b || (stripped && strip(a) == strip(b)));
        }
    }
    return out(std::move(memory), n);
}

nb::tuple languages(const NumberedLines& words, const KindsIn& of_words, int expected, const std::vector<int>& others,
                    int least, int settled) {
    for (const uint32_t number : words.numbers)
        if (number >= of_words.shape(0)) throw nb::value_error("languages of each word are needed");
    for (const int code : others)
        if (code < 0 || code > 63) throw nb::value_error("there are 64 languages at most");
    if (expected < 0 || expected > 63) throw nb::value_error("there are 64 languages at most");
    const size_t n = words.lines();
    auto best = std::make_unique_for_overwrite<int32_t[]>(n + 1);
    auto sure = std::make_unique_for_overwrite<uint8_t[]>(n + 1);
    {
        Unlocked unlocked;
        test_languages(words, of_words.data(), {expected, others, least, settled}, best.get(), sure.get());
    }
    return nb::make_tuple(out(std::move(best), n), out(std::move(sure), n));
}

}  // namespace

void bind_doctor(nb::module_& module) {
    module.def(
        "characters",  // of all lines, each once, in order
        [](const Lines& lines) {
            std::vector<uint32_t> found;
            {
                Unlocked unlocked;
                found = characters_of(lines);
            }
            return out(found);
        },
        nb::arg("lines"));
    module.def("survey_lines", &survey_lines, nb::arg("lines"), nb::arg("codes"), nb::arg("kinds"), nb::arg("needles"),
               nb::arg("needle_kinds"), nb::arg("letter"), nb::arg("run"));
    module.def("count_classes", &count_classes, nb::arg("lines"), nb::arg("codes"), nb::arg("classes"), nb::arg("number"));

    module.def("first_equal", &first_equal, nb::arg("lines"), nb::arg("stripped"));
    module.def("equal_lines", &equal_lines, nb::arg("one"), nb::arg("other"), nb::arg("stripped"));

    nb::class_<WordNumbers>(module, "WordNumbers")
        .def(nb::init<>())
        .def("__len__", [](const WordNumbers& own) { return own.numbers.size(); })
        .def(
            "learn",  // what kinds characters are of
            [](WordNumbers& own, const CodesIn& codes, const FlagsIn& flags) {
                const auto known = codes_of(codes, flags.shape(0));
                for (size_t i = 0; i < known.size(); ++i) own.learn(known[i], flags.data()[i]);
            },
            nb::arg("codes"), nb::arg("flags"))
        .def(
            "find",  // the number of a word; None for one that did not occur
            [](const WordNumbers& own, nb::str word) -> nb::object {
                const uint32_t number = own.numbers.find(as_utf8(word));
                return number == StringNumbers::kNone ? nb::none() : nb::object(nb::int_(number));
            },
            nb::arg("word"))
        .def(
            "name",
            [](const WordNumbers& own, uint32_t number) {
                if (number >= own.numbers.size()) throw nb::index_error();
                return as_str(own.numbers[number]);
            },
            nb::arg("number"))
        .def("kinds", [](const WordNumbers& own) { return out(own.kinds); });

    nb::class_<NumberedLines>(module, "NumberedLines")
        .def(nb::new_([](const Lines& lines, WordNumbers& vocabulary, const CodesIn& codes, const nb::list& texts) {
                 return std::make_shared<NumberedLines>(number_words(lines, vocabulary, codes, texts));
             }),
             nb::arg("lines"), nb::arg("vocabulary"), nb::arg("codes"), nb::arg("texts"))
        .def("__len__", &NumberedLines::lines)
        .def(
            "types",
            [](const NumberedLines& own, WordNumbers& vocabulary) {
                Unlocked unlocked;
                return std::make_shared<NumberedLines>(types_of(own, vocabulary));
            },
            nb::arg("vocabulary"))
        .def(
            "repeated",  // lines in which up to so many words are said so often in a row
            [](const NumberedLines& own, const WordNumbers& vocabulary, size_t longest, size_t times) {
                std::vector<int64_t> found;
                Unlocked unlocked;
                Poller poller;
                for (size_t i = 0; i < own.lines(); ++i) {
                    const auto n = size_t(own.starts[i + 1] - own.starts[i]);
                    poller(longest * n);
                    for (size_t period = 1; period <= longest && period * times <= n; ++period) {
                        if (is_repeated(own.numbers.data() + own.starts[i], n, vocabulary.kinds.data(), period, times)) {
                            found.push_back(int64_t(i));
                            break;
                        }
                    }
                }
                return found;
            },
            nb::arg("vocabulary"), nb::arg("longest"), nb::arg("times"))
        .def("languages", &languages, nb::arg("of_words"), nb::arg("expected"), nb::arg("others"), nb::arg("least"),
             nb::arg("settled"))
        .def(
            "displaced",  // lines of words in few lines each that belong elsewhere, where, and how many could be judged
            [](const NumberedLines& own, const NumberedLines& other, const WordNumbers& vocabulary,
               const std::vector<int64_t>& weights) {
                Displacements found;
                {
                    Unlocked unlocked;
                    found = displaced_lines(own, other, vocabulary.numbers.size(), weights);
                }
                return nb::make_tuple(out(found.lines), out(found.belong), found.judged);
            },
            nb::arg("other"), nb::arg("vocabulary"), nb::arg("weights"))
        .def(
            "gains",  // lines that fit better or worse so far away, by how much, and whether by more words
            [](const NumberedLines& own, const NumberedLines& other, const WordNumbers& vocabulary, const RealsIn& weights,
               int64_t distance) {
                if (weights.shape(0) <= other.lines()) throw nb::value_error("a weight for each number of lines is needed");
                Gains found;
                {
                    Unlocked unlocked;
                    found = gains_at(own, other, vocabulary.numbers.size(), weights.data(), distance);
                }
                return nb::make_tuple(out(found.lines), out(found.gains), out(found.more));
            },
            nb::arg("other"), nb::arg("vocabulary"), nb::arg("weights"), nb::arg("distance"))
        .def_prop_ro(
            "numbers",
            [](NumberedLines& own) {
                return nb::ndarray<nb::memview, const uint32_t, nb::ndim<1>>(own.numbers.data(), {own.numbers.size()},
                                                                             nb::handle());
            },
            nb::rv_policy::reference_internal)
        .def_prop_ro(
            "starts",
            [](NumberedLines& own) {
                return nb::ndarray<nb::memview, const int64_t, nb::ndim<1>>(own.starts.data(), {own.starts.size()},
                                                                            nb::handle());
            },
            nb::rv_policy::reference_internal);
}

}  // namespace tertium
