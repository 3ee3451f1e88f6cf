// METEOR: its normaliser, what it knows of words, its aligner, and both scores.
#include "bind.hpp"
#include "meteor.hpp"
#include "meteor_normalize.hpp"
#include "python_text.hpp"

namespace tertium {

namespace {

MeteorNormalizer::Apostrophes apostrophes_named(std::string_view name) {
    if (name == "apart") return MeteorNormalizer::Apostrophes::apart;
    if (name == "english") return MeteorNormalizer::Apostrophes::english;
    if (name == "french") return MeteorNormalizer::Apostrophes::french;
    throw nb::value_error("apostrophes must be apart, english or french");
}

MeteorLexicon::Stems stems_named(std::string_view name) {
    if (name == "none") return MeteorLexicon::Stems::none;
    if (name == "english") return MeteorLexicon::Stems::english;
    if (name == "given") return MeteorLexicon::Stems::given;
    throw nb::value_error("stems must be none, english or given");
}

std::vector<MeteorModule> modules_named(const std::vector<std::string>& names) {
    std::vector<MeteorModule> modules;
    for (const std::string& name : names) {
        if (name == "exact") modules.push_back(MeteorModule::exact);
        else if (name == "stem") modules.push_back(MeteorModule::stem);
        else if (name == "synonym") modules.push_back(MeteorModule::synonym);
        else if (name == "paraphrase") modules.push_back(MeteorModule::paraphrase);
        else throw nb::value_error("a module must be exact, stem, synonym or paraphrase");
    }
    if (modules.empty() || modules.size() > 4) throw nb::value_error("there must be one to four modules");
    return modules;
}

MeteorParameters parameters_of(const std::vector<double>& parameters, const std::vector<double>& weights) {
    if (parameters.size() != 4 || weights.size() > 4) throw nb::value_error("expected four parameters and up to four weights");
    MeteorParameters made{parameters[0], parameters[1], parameters[2], parameters[3], {0, 0, 0, 0}};
    std::copy(weights.begin(), weights.end(), made.weights.begin());
    return made;
}

// Strings with lone surrogates too, as everywhere.
std::vector<std::string> strings_of(const nb::list& list) {
    std::vector<std::string> strings;
    strings.reserve(list.size());
    for (nb::handle item : list) strings.push_back(as_utf8(item));
    return strings;
}

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// The words of every line, with spaces between them; in lower case, as Python's str.lower() makes it, if so wanted.
std::shared_ptr<Lines> normalized(const MeteorNormalizer& normalizer, const Lines& lines, bool lower) {
    auto out = std::make_shared<Lines>();
    std::vector<size_t> beyond_ascii;
    {
        Unlocked unlocked;
        out->texts.reserve(lines.size());
        MeteorNormalizer::Scratch scratch;
        std::string words;
        for (const std::string_view text : lines.texts) {
            poll();
            if (text.data() == nullptr) {
                out->texts.emplace_back();
                continue;
            }
            normalizer.cut(text, scratch, words);
            unsigned char all = 0;
            for (const char c : words) all |= static_cast<unsigned char>(c);
            if (lower && all < 0x80)
                for (char& c : words) c = char(c + (static_cast<unsigned char>(c - 'A') < 26 ? 32 : 0));
            else if (lower) beyond_ascii.push_back(out->texts.size());
            out->texts.push_back(out->arena.copy(words));
        }
    }
    for (const size_t i : beyond_ascii) {
        const nb::object lowered = as_str(out->texts[i]).attr("lower")();
        out->texts[i] = out->arena.copy(as_utf8(lowered));
    }
    return out;
}

void bind_knowledge(nb::module_& module) {
    nb::class_<MeteorNormalizer>(module, "MeteorNormalizer")
        .def(nb::new_([](std::string_view apostrophes, bool punctuation, const std::vector<std::string>& prefixes,
                         const std::vector<std::string>& before_numbers) {
                 return std::make_shared<MeteorNormalizer>(apostrophes_named(apostrophes), punctuation, prefixes,
                                                           before_numbers);
             }),
             nb::arg("apostrophes"), nb::arg("punctuation"), nb::arg("prefixes"), nb::arg("before_numbers"))
        .def("cut", &normalized, nb::arg("lines"), nb::arg("lower") = false);
    module.def(
        "stem_english",
        [](const nb::list& list) {
            EnglishStemmer stemmer;
            nb::list stems;
            std::string stem;
            for (const std::string& word : strings_of(list)) {
                stemmer.stem(word, stem);
                stems.append(as_str(stem));
            }
            return stems;
        },
        nb::arg("words"));
    nb::class_<SynonymTable>(module, "SynonymTable")
        .def(nb::new_([](const nb::bytes& sets, const nb::bytes& exceptions, bool english) {
                 return std::make_shared<SynonymTable>(view_of(sets), view_of(exceptions), english);
             }),
             nb::arg("sets"), nb::arg("exceptions"), nb::arg("english"))
        .def("__len__", &SynonymTable::size)
        .def(
            "sets_of",
            [](const SynonymTable& table, std::string_view word) {
                std::vector<uint32_t> sets;
                table.sets_of(word, sets);
                return sets;
            },
            nb::arg("word"));
    nb::class_<ParaphraseBuilder>(module, "ParaphraseBuilder")
        .def(nb::new_([](bool ppdb) {
                 return std::make_shared<ParaphraseBuilder>(ppdb ? ParaphraseBuilder::Format::ppdb
                                                                 : ParaphraseBuilder::Format::meteor);
             }),
             nb::arg("ppdb"))
        .def(
            "feed",
            [](ParaphraseBuilder& builder, const nb::bytes& text) {
                const std::string_view view = view_of(text);
                Unlocked unlocked;
                builder.feed(view);
            },
            nb::arg("text"))
        .def("finish",
             [](ParaphraseBuilder& builder) {
                 const std::string memory = builder.finish();
                 return nb::bytes(memory.data(), memory.size());
             })
        .def("skipped", &ParaphraseBuilder::skipped);
    nb::class_<ParaphraseTable>(module, "ParaphraseTable")
        .def(nb::new_([](std::string name, int file, size_t size, const nb::bytes& sums) {
                 return std::make_shared<ParaphraseTable>(std::move(name), file, size, view_of(sums));
             }),
             nb::arg("name"), nb::arg("file"), nb::arg("size"), nb::arg("sums"))
        .def("__len__", &ParaphraseTable::pairs);
}

}  // namespace

void bind_meteor(nb::module_& module) {
    bind_knowledge(module);
    nb::class_<MeteorTexts>(module, "MeteorTexts").def("__len__", &MeteorTexts::size);
    nb::class_<MeteorLexicon>(module, "MeteorLexicon")
        .def(nb::new_([](std::string_view stems, const std::vector<std::string>& function_words,
                         std::shared_ptr<SynonymTable> synonyms, std::shared_ptr<ParaphraseTable> paraphrases) {
                 return std::make_shared<MeteorLexicon>(stems_named(stems), function_words, std::move(synonyms),
                                                        std::move(paraphrases));
             }),
             nb::arg("stems"), nb::arg("function_words"), nb::arg("synonyms").none(), nb::arg("paraphrases").none())
        .def(
            "read",
            [](MeteorLexicon& lexicon, const Lines& lines) {
                Unlocked unlocked;
                return lexicon.read(lines);
            },
            nb::arg("lines"))
        .def("unstemmed",
             [](const MeteorLexicon& lexicon) {
                 nb::list words;
                 for (const std::string_view word : lexicon.unstemmed()) words.append(as_str(word));
                 return words;
             })
        .def(
            "set_stems",
            [](MeteorLexicon& lexicon, const nb::list& given_words, const nb::list& given_stems) {
                const auto words = strings_of(given_words), stems = strings_of(given_stems);
                same_length(words.size(), stems.size());
                Unlocked unlocked;  // who reads the lexicon may need the interpreter to come to an end
                lexicon.set_stems(words, stems);
            },
            nb::arg("words"), nb::arg("stems"));
    nb::class_<MeteorReferences>(module, "MeteorReferences")
        .def(nb::new_([](std::shared_ptr<MeteorLexicon> lexicon, std::vector<std::shared_ptr<MeteorTexts>> streams) {
                 for (const auto& stream : streams) same_length(stream->size(), streams[0]->size());
                 return std::make_shared<MeteorReferences>(MeteorReferences{std::move(lexicon), std::move(streams)});
             }),
             nb::arg("lexicon"), nb::arg("streams"))
        .def("__len__", &MeteorReferences::size);
    module.def(
        "meteor_rows",
        [](const MeteorTexts& hypotheses, const MeteorReferences& references, const std::vector<std::string>& modules,
           const std::vector<double>& parameters, const std::vector<double>& weights, bool characters, int beam, int threads) {
            same_length(hypotheses.size(), references.size());
            const auto kinds = modules_named(modules);
            const auto made = parameters_of(parameters, weights);
            const auto lock = references.lexicon->reading();
            return dense_rows(hypotheses.size(), MeteorColumns::kNumber, threads, [&] {
                return [kernel = MeteorKernel(hypotheses, references, kinds, uint32_t(beam), made, characters)](
                           size_t i, int64_t* row) mutable { kernel.row(i, row); };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("modules"), nb::arg("parameters"), nb::arg("weights"),
        nb::arg("characters"), nb::arg("beam"), nb::arg("threads"));
    module.def(
        "meteor_scores",
        [](const RowsIn& totals, const std::vector<double>& parameters, const std::vector<double>& weights) {
            return scores_of(totals, MeteorColumns::kNumber, [made = parameters_of(parameters, weights)](const int64_t* row) {
                return meteor_score(row, made);
            });
        },
        nb::arg("totals"), nb::arg("parameters"), nb::arg("weights"));
    nb::class_<MeteorLinks>(module, "MeteorLinks")
        .def(nb::new_([](std::shared_ptr<MeteorTexts> hypotheses, std::shared_ptr<MeteorReferences> references,
                         const std::vector<std::string>& modules, int beam, int threads) {
                 same_length(hypotheses->size(), references->size());
                 const auto kinds = modules_named(modules);
                 auto links = std::make_shared<MeteorLinks>(std::move(hypotheses), std::move(references));
                 Unlocked unlocked;
                 const auto lock = links->lexicon().reading();
                 parallel_parts(links->size(), threads, [&](size_t, size_t begin, size_t end) {
                     MeteorAligner aligner(links->lexicon(), kinds, uint32_t(beam));
                     MeteorPairs sides = links->sides(kinds);
                     for (size_t i = begin; i < end; ++i) {
                         poll();
                         links->align(i, sides, aligner);
                     }
                 });
                 links->number_pairs();
                 return links;
             }),
             nb::arg("hypotheses"), nb::arg("references"), nb::arg("modules"), nb::arg("beam"), nb::arg("threads"))
        .def("pairs",
             [](const MeteorLinks& links) {
                 const auto lock = links.lexicon().reading();
                 nb::list pairs;
                 for (const auto& [ours, theirs] : links.pairs())
                     pairs.append(nb::make_tuple(as_str(links.lexicon().text(ours)), as_str(links.lexicon().text(theirs))));
                 return pairs;
             })
        .def(
            "matches",
            [](const MeteorLinks& links, size_t segment) {
                if (segment >= links.size()) throw nb::index_error();
                nb::list all;
                for (const auto& alignment : links.alignments(segment)) {
                    nb::list matches;
                    for (const MeteorMatch& m : alignment.matches)
                        matches.append(nb::make_tuple(m.ours, m.our_length, m.theirs, m.their_length, m.stage));
                    all.append(nb::make_tuple(matches, alignment.chunks));
                }
                return all;
            },
            nb::arg("segment"))
        .def(
            "rows",
            [](const MeteorLinks& links, const std::vector<double>& weights, int threads) {
                if (!weights.empty() && weights.size() != links.pairs().size())
                    throw nb::value_error("there must be a weight for each pair");
                return dense_rows(links.size(), MeteorLinks::kColumns, threads,
                                  [&] { return [&](size_t i, int64_t* row) { links.row(i, weights, row); }; });
            },
            nb::arg("weights"), nb::arg("threads"));
    module.def(
        "meteor_link_scores",
        [](const RowsIn& totals) {
            return scores_of(totals, MeteorLinks::kColumns, [](const int64_t* row) { return MeteorLinks::score(row); });
        },
        nb::arg("totals"));
}

}  // namespace tertium
