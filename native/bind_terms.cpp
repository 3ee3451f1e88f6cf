// Terms of documents, and rows that say whether their translations are the same.
#include "bind.hpp"
#include "python_text.hpp"
#include "term_choices.hpp"

namespace tertium {

namespace {

nb::object as_str(std::string_view text) {
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "surrogatepass"));
}

void check_documents(const CutTexts& texts, const std::vector<int64_t>& segments) {
    size_t all = 0;
    for (const int64_t number : segments) {
        if (number < 0) throw nb::value_error("a document has fewer texts than none");
        all += size_t(number);
    }
    if (all != texts.size()) throw nb::value_error("documents must have all texts");
}

std::shared_ptr<TermLists> terms(const CutTexts& texts, const std::vector<int64_t>& segments, const CommonForms& common,
                                 size_t least, size_t words, bool names, const std::vector<std::string>& plurals,
                                 const std::vector<std::string>& verbs) {
    check_documents(texts, segments);
    if (least < 1 || words > 64) throw nb::value_error("a term occurs once or more, and has not too many words");
    auto found = std::make_shared<TermLists>();
    TermFinder finder(texts, common, {least, words, names, plurals, verbs});
    size_t first = 0;
    for (const int64_t number : segments) {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        finder.add(first, first + size_t(number), *found);
        first += size_t(number);
    }
    return found;
}

// Of each document, of each term: text, first word, words.
nb::list shown(const TermLists& lists) {
    nb::list documents;
    for (size_t d = 0; d + 1 < lists.documents.size(); ++d) {
        nb::list own;
        for (size_t term = lists.documents[d]; term < lists.documents[d + 1]; ++term) {
            nb::list places;
            for (size_t n = lists.terms[term]; n < lists.terms[term + 1]; ++n)
                places.append(nb::make_tuple(lists.places[n].text, lists.places[n].begin, lists.places[n].words));
            own.append(nb::tuple(places));
        }
        documents.append(own);
    }
    return documents;
}

nb::object wanted(FoldedForms& folds, const CutTexts& texts) {
    if (texts.forms.get() != &folds.forms()) throw nb::value_error("both need one table of forms");
    nb::list numbers, words;
    for (const uint32_t word : folds.wanted(texts)) {
        numbers.append(word);
        words.append(as_str((*texts.forms)[word]));
    }
    return nb::make_tuple(numbers, words);
}

RowsOut rows(const TermLists& lists, const CutTexts& sources, const CutTexts& targets, const TextLinks& links,
             FoldedForms& folds, const CommonForms& common, bool compounds, const std::vector<uint32_t>& source_texts) {
    for (const size_t size : {targets.size(), links.size(), source_texts.size()}) same_length(sources.size(), size);
    if (sources.forms != targets.forms || sources.forms.get() != &folds.forms())
        throw nb::value_error("both sides need one table of forms");
    for (const TermPlace& place : lists.places)
        if (place.text >= sources.size() || place.begin + place.words > sources.length(place.text) || place.words > 64)
            throw nb::value_error("a term is not in its text");
    const size_t n = lists.documents.size() - 1;
    auto memory = std::make_unique_for_overwrite<int64_t[]>(n * TermChoices::kColumns + 1);
    TermChoices choices(sources, targets, links, folds, common, compounds, source_texts);
    for (size_t document = 0; document < n; ++document) {
        if (document % 64 == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        choices.row(lists, document, memory.get() + document * TermChoices::kColumns);
    }
    return rows_out(std::move(memory), n, TermChoices::kColumns);
}

}  // namespace

void bind_terms(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<CommonForms>(module, "CommonForms")
        .def(nb::new_([](const CutTexts& texts, const std::vector<int64_t>& segments, double most,
                         const std::vector<std::string>& listed) {
                 check_documents(texts, segments);
                 return std::make_shared<CommonForms>(texts, segments, most, listed);
             }),
             "texts"_a, "segments"_a, "most"_a, "listed"_a);
    nb::class_<TermLists>(module, "TermLists").def("shown", &shown);
    nb::class_<FoldedForms>(module, "FoldedForms")
        .def(nb::new_([](std::shared_ptr<Forms> forms) { return std::make_shared<FoldedForms>(std::move(forms)); }), "forms"_a)
        .def("wanted", &wanted, "texts"_a)
        .def(
            "tell",
            [](FoldedForms& folds, const std::vector<uint32_t>& words, const nb::sequence& texts) {
                size_t n = 0;
                for (nb::handle text : texts) {
                    if (n >= words.size() || words[n] >= folds.forms().size()) throw nb::value_error("not a word");
                    folds.tell(words[n++], as_utf8(text));
                }
            },
            "words"_a, "texts"_a);
    module.def("repeated_terms", &terms, "texts"_a, "segments"_a, "common"_a, "least"_a, "words"_a, "names"_a, "plurals"_a,
               "verbs"_a);
    module.def("term_rows", &rows, "terms"_a, "sources"_a, "targets"_a, "links"_a, "folds"_a, "common"_a, "compounds"_a,
               "source_texts"_a);
}

}  // namespace tertium
