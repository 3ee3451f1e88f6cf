// Texts cut into words by rule, links to sources that are learnt from them, and what is read off these links.
#include "bind.hpp"
#include "cut_texts.hpp"
#include "python_text.hpp"
#include "word_letters.hpp"
#include "pronouns.hpp"
#include "sentence_links.hpp"
#include "word_counts.hpp"

namespace tertium {

void bind_coreference(nb::module_& module);
void bind_terms(nb::module_& module);

namespace {

std::vector<std::string> as_utf8_list(nb::handle strings) {
    std::vector<std::string> found;
    for (nb::handle string : strings) found.push_back(as_utf8(string));
    return found;
}

// Tables of forms are changed only while we hold the interpreter; Python says what lower case is beyond ASCII.
void settle(Forms& forms) {
    const std::vector<uint32_t> waiting = forms.waiting();
    forms.all_told();
    for (const uint32_t number : waiting)
        if (forms.lower(number) == Forms::kUnknown) forms.tell(number, as_utf8(as_str(forms[number]).attr("lower")()));
    forms.all_told();
}

std::shared_ptr<CutTexts> cut(std::shared_ptr<Forms> forms, const Lines& lines) {
    auto texts = std::make_shared<CutTexts>();
    texts->forms = std::move(forms);
    size_t bytes = 0;
    for (size_t t = 0; t < lines.size(); ++t) {
        texts->add(lines.texts[t]);
        bytes += lines.texts[t].size() + 1;
        if (bytes < (size_t(1) << 20)) continue;
        bytes = 0;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    settle(*texts->forms);
    return texts;
}

std::shared_ptr<CutTexts> of_words(std::shared_ptr<Forms> forms, const nb::sequence& words, const nb::sequence& sentences) {
    auto texts = std::make_shared<CutTexts>();
    texts->forms = std::move(forms);
    if (nb::len(words) != nb::len(sentences)) throw nb::value_error("texts and their sentences differ in number");
    nb::iterator starts = nb::iter(sentences);
    for (nb::handle text : words) {
        for (nb::handle word : text) texts->words.push_back(texts->forms->add(as_utf8(word)));
        const size_t length = texts->words.size() - size_t(texts->starts.back());
        size_t before = 0;
        for (nb::handle start : *starts) {
            const auto place = nb::cast<size_t>(start);
            if (place >= length || place < before) throw nb::value_error("sentences must begin in their text, in order");
            before = place;
            texts->sentences.push_back(uint32_t(place));
        }
        texts->end_text();
        ++starts;
    }
    settle(*texts->forms);
    return texts;
}

// The words of all texts; equal words are one string.
nb::list all_words(const CutTexts& texts) {
    std::vector<nb::object> strings(texts.forms->size());
    nb::list found;
    for (size_t t = 0; t < texts.size(); ++t) {
        nb::object words = nb::steal(PyTuple_New(Py_ssize_t(texts.length(t))));
        if (!words.is_valid()) nb::raise_python_error();
        Py_ssize_t place = 0;
        for (const uint32_t word : texts[t]) {
            if (!strings[word].is_valid()) strings[word] = as_str((*texts.forms)[word]);
            PyTuple_SetItem(words.ptr(), place++, Py_NewRef(strings[word].ptr()));
        }
        found.append(words);
    }
    return found;
}

// Words in lower case with a blank between, as lines.
std::shared_ptr<Lines> lowered(const CutTexts& texts) {
    auto lines = std::make_shared<Lines>();
    std::string line;
    for (size_t t = 0; t < texts.size(); ++t) {
        line.clear();
        for (const uint32_t word : texts[t]) {
            if (!line.empty()) line.push_back(' ');
            line.append((*texts.forms)[texts.forms->lower(word)]);
        }
        lines->texts.push_back(lines->arena.copy(line));
    }
    return lines;
}

nb::list all_sentences(const CutTexts& texts) {
    nb::list found;
    for (size_t t = 0; t < texts.size(); ++t) {
        nb::list starts;
        for (const uint32_t start : texts.sentences_of(t)) starts.append(start);
        found.append(nb::tuple(starts));
    }
    return found;
}

nb::ndarray<nb::memview, int64_t, nb::ndim<1>> numbers_out(const auto& values) {
    auto memory = std::make_unique_for_overwrite<int64_t[]>(values.size() + 1);
    std::copy(values.begin(), values.end(), memory.get());
    int64_t* first = memory.get();
    return {first, {values.size()}, owned(memory)};
}

// Words by number, and where texts begin (and the last ends).
nb::tuple word_numbers(const CutTexts& texts) { return nb::make_tuple(numbers_out(texts.words), numbers_out(texts.starts)); }

// The buckets of all words one behind the other, and where words begin (and the last ends).
nb::tuple word_letters(const Lines& words, size_t least, size_t most, uint32_t buckets) {
    if (least < 1 || most < least || buckets < 1) throw nb::value_error("runs of one letter or more, and a bucket, are needed");
    WordLetters kernel(least, most, buckets);
    std::vector<int64_t> found, starts{0};
    for (const std::string_view word : words.texts) {
        kernel.add(word, found);
        starts.push_back(int64_t(found.size()));
    }
    return nb::make_tuple(numbers_out(found), numbers_out(starts));
}

RowsOut counts(const CutTexts& texts, RowsIn rows) {
    if (rows.shape(0) < texts.forms->size() * kPlaces || rows.shape(1) <= kSentenceColumn)
        throw nb::value_error("rows of counts are needed for every form and place");
    const size_t columns = rows.shape(1);
    auto memory = std::make_unique_for_overwrite<int64_t[]>(texts.size() * columns + 1);
    const WordCounts counted(texts, rows.data(), columns);
    for (size_t t = 0; t < texts.size(); ++t) counted.row(t, memory.get() + t * columns);
    return rows_out(std::move(memory), texts.size(), columns);
}

void check_pairs(const CutTexts& sources, const CutTexts& targets) {
    same_length(sources.size(), targets.size());
    if (sources.forms != targets.forms) throw nb::value_error("both sides need one table of forms");
}

std::shared_ptr<TextLinks> learnt(const CutTexts& sources, const CutTexts& targets, int iterations, int64_t longest,
                                  int64_t most, double alike, double floor, double empty, double tension) {
    check_pairs(sources, targets);
    if (most < 0) throw nb::value_error("fewer lines than none");
    SentencePairs pairs(sources, targets);
    Unlocked unlocked;
    return std::make_shared<TextLinks>(pairs.links({iterations, longest, most, alike, floor, empty, tension}));
}

std::shared_ptr<TextLinks> given(const nb::sequence& texts) {
    auto links = std::make_shared<TextLinks>();
    for (nb::handle text : texts) {
        std::pair<uint32_t, uint32_t> before{0, 0};
        for (nb::handle link : text) {
            const auto pair = nb::cast<std::pair<uint32_t, uint32_t>>(link);
            if (pair < before) throw nb::value_error("links must be in order");
            before = pair;
            links->ours.push_back(pair.first);
            links->theirs.push_back(pair.second);
        }
        links->end_text();
    }
    return links;
}

nb::object links_of(const TextLinks& links, size_t t) {
    if (t >= links.size()) throw nb::index_error();
    nb::list found;
    for (int64_t k = links.starts[t]; k < links.starts[t + 1]; ++k)
        found.append(nb::make_tuple(links.ours[size_t(k)], links.theirs[size_t(k)]));
    return nb::tuple(found);
}

void check_links(const CutTexts& sources, const CutTexts& targets, const TextLinks& links) {
    check_pairs(sources, targets);
    same_length(sources.size(), links.size());
    for (size_t t = 0; t < links.size(); ++t)
        for (int64_t k = links.starts[t]; k < links.starts[t + 1]; ++k)
            if (links.ours[size_t(k)] >= sources.length(t) || links.theirs[size_t(k)] >= targets.length(t))
                throw nb::value_error("a link leads out of its text");
}

// `segments`: how many texts each document has, -1 where there is no document.
std::shared_ptr<PronounTranslations> pronouns(const CutTexts& sources, const CutTexts& targets, const TextLinks& links,
                                              const std::vector<int64_t>& segments, nb::handle wanted, nb::handle listed) {
    check_links(sources, targets, links);
    int64_t all = 0;
    for (const int64_t number : segments) all += std::max<int64_t>(number, 0);
    if (all != int64_t(sources.size())) throw nb::value_error("documents must have all texts");
    auto found = std::make_shared<PronounTranslations>();
    PronounFinder finder(*sources.forms, as_utf8_list(wanted), as_utf8_list(listed));
    size_t t = 0;
    for (const int64_t number : segments) {
        for (int64_t k = 0; k < number; ++k) finder.add(sources, targets, links, t++, *found);
        found->end_document(number < 0);
    }
    settle(*sources.forms);
    return found;
}

nb::list sets_of(const PronounTranslations& found, size_t n) {
    if (n >= found.size()) throw nb::index_error();
    nb::list sets;
    for (int64_t k = found.starts[n]; k < found.starts[n + 1]; ++k) {
        const auto set = found.set(size_t(k));
        sets.append(std::vector<uint32_t>(set.begin(), set.end()));
    }
    return sets;
}

// Documents of several translations, one translation after the other.
std::vector<std::shared_ptr<PronounTranslations>> parts_of(const PronounTranslations& all, size_t number) {
    if (number == 0 || all.size() % number) throw nb::value_error("translations must have the same documents");
    std::vector<std::shared_ptr<PronounTranslations>> found;
    const size_t size = all.size() / number;
    for (size_t part = 0; part < number; ++part) {
        found.push_back(std::make_shared<PronounTranslations>());
        for (size_t n = part * size; n < (part + 1) * size; ++n) {
            for (int64_t k = all.starts[n]; k < all.starts[n + 1]; ++k) found.back()->add_set(all.set(size_t(k)));
            found.back()->end_document(all.missing[n]);
        }
    }
    return found;
}

RowsOut pronoun_rows(const PronounTranslations& own, const std::vector<std::shared_ptr<PronounTranslations>>& references) {
    std::vector<const PronounTranslations*> others;
    for (const auto& reference : references) {
        same_length(own.size(), reference->size());
        for (size_t n = 0; n < own.size(); ++n)
            if (!reference->missing[n] && reference->starts[n + 1] - reference->starts[n] != own.starts[n + 1] - own.starts[n])
                throw nb::value_error("a document must have the same pronouns in all translations");
        others.push_back(reference.get());
    }
    return dense_rows(own.size(), kOutcomes, 1,
                      [&] { return [&](size_t n, int64_t* row) { pronoun_row(own, others, n, row); }; });
}

}  // namespace

void bind_texts(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Forms>(module, "Forms")
        .def(nb::new_([] { return std::make_shared<Forms>(); }))
        .def("__len__", &Forms::size)
        .def("__getitem__", [](const Forms& forms, uint32_t number) {
            if (number >= forms.size()) throw nb::index_error();
            return as_str(forms[number]);
        });
    nb::class_<CutTexts>(module, "CutTexts")
        .def(nb::new_(&cut), "forms"_a, "lines"_a)
        .def_static("of_words", &of_words, "forms"_a, "words"_a, "sentences"_a)
        .def("__len__", &CutTexts::size)
        .def("words", &all_words)
        .def("sentences", &all_sentences)
        .def("numbers", &word_numbers)
        .def("counts", &counts, "rows"_a)
        .def("lowered", &lowered);
    nb::class_<TextLinks>(module, "TextLinks")
        .def(nb::new_(&given), "texts"_a)
        .def("__len__", &TextLinks::size)
        .def("__getitem__", &links_of, "text"_a);
    module.def("learnt_links", &learnt, "sources"_a, "targets"_a, nb::kw_only(), "iterations"_a, "longest"_a, "most"_a,
               "alike"_a, "floor"_a, "empty"_a, "tension"_a);
    nb::class_<PronounTranslations>(module, "PronounTranslations")
        .def("__len__", &PronounTranslations::size)
        .def("__getitem__", &sets_of, "document"_a)
        .def("parts", &parts_of, "number"_a);
    module.def("pronoun_translations", &pronouns, "sources"_a, "targets"_a, "links"_a, "segments"_a, "wanted"_a, "listed"_a);
    module.def("word_letters", &word_letters, "words"_a, "least"_a, "most"_a, "buckets"_a);
    module.def("pronoun_rows", &pronoun_rows, "own"_a, "references"_a);
    bind_coreference(module);
    bind_terms(module);
}

}  // namespace tertium
