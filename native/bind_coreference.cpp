// Chains of mentions, and rows that compare them with those of references.
#include "bind.hpp"
#include "coreference.hpp"
#include "exact_sum.hpp"
#include "meteor.hpp"

namespace tertium {

namespace {

using Chains = std::vector<std::shared_ptr<MentionChains>>;

std::shared_ptr<MentionChains> chains_of(const nb::sequence& texts) {
    auto found = std::make_shared<MentionChains>();
    for (nb::handle text : texts) {
        for (nb::handle chain : text) {
            for (nb::handle mention : chain) {
                std::vector<uint32_t> words;
                for (nb::handle word : mention) words.push_back(nb::cast<uint32_t>(word));
                found->add_mention(words);
            }
            found->end_chain();
        }
        found->end_text();
    }
    return found;
}

nb::list shown(const MentionChains& chains) {
    nb::list texts;
    for (size_t t = 0; t < chains.size(); ++t) {
        nb::list own;
        for (size_t chain = chains.texts[t]; chain < chains.texts[t + 1]; ++chain) {
            nb::list mentions;
            for (size_t n = chains.chains[chain]; n < chains.chains[chain + 1]; ++n) {
                nb::list words;
                for (const uint32_t word : chains.mention(n)) words.append(word);
                mentions.append(nb::tuple(words));
            }
            own.append(nb::tuple(mentions));
        }
        texts.append(nb::tuple(own));
    }
    return texts;
}

std::shared_ptr<MentionChains> names(const CutTexts& texts, size_t least) {
    auto found = std::make_shared<MentionChains>();
    Poller poller;
    for (size_t t = 0; t < texts.size(); ++t) {
        poller(texts.length(t));
        add_repeated_names(texts, t, least, *found);
    }
    return found;
}

// Links of words that an aligner found; words of equal texts are their own counterparts.
std::shared_ptr<TextLinks> word_links(const MeteorLinks& links, const CutTexts& own, const CutTexts& reference) {
    same_length(own.size(), reference.size());
    same_length(own.size(), links.size());
    if (own.forms != reference.forms) throw nb::value_error("both sides need one table of forms");
    auto found = std::make_shared<TextLinks>();
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    for (size_t t = 0; t < own.size(); ++t) {
        pairs.clear();
        if (std::equal(own[t].begin(), own[t].end(), reference[t].begin(), reference[t].end())) {
            for (uint32_t i = 0; i < own.length(t); ++i) pairs.emplace_back(i, i);
        } else if (!links.alignments(t).empty()) {
            for (const MeteorMatch& match : links.alignments(t)[0].matches) pairs.emplace_back(match.ours, match.theirs);
            std::sort(pairs.begin(), pairs.end());
        }
        for (const auto& [ours, theirs] : pairs) {
            found->ours.push_back(ours);
            found->theirs.push_back(theirs);
        }
        found->end_text();
    }
    return found;
}

constexpr bool is_real(size_t measure) { return measure == 0 || measure == 3 || measure == 4; }  // b-cubed, ceaf-e, lea

constexpr size_t columns() {
    size_t found = 2;
    for (size_t measure = 0; measure < CoreferenceRow::kMeasures; ++measure) found += 2 * (is_real(measure) ? kDigits : 1) + 2;
    return found;
}

double f1(const double* row) {
    const double recall = row[1] != 0 ? row[0] / row[1] : 0.0, precision = row[3] != 0 ? row[2] / row[3] : 0.0;
    return recall + precision != 0 ? 2 * recall * precision / (recall + precision) : 0.0;
}

// Of several references the one with the best B-cubed F1; `missing` has a mark for each text that a reference lacks.
RowsOut rows(const MentionChains& own, const Chains& references, const std::vector<std::shared_ptr<TextLinks>>& links,
             const std::vector<std::vector<bool>>& missing, bool overlap) {
    same_length(references.size(), links.size());
    same_length(references.size(), missing.size());
    for (size_t s = 0; s < references.size(); ++s) {
        same_length(own.size(), references[s]->size());
        same_length(own.size(), links[s]->size());
        same_length(own.size(), missing[s].size());
    }
    return dense_rows(own.size(), columns(), 1, [&] {
        return [&, projection = Projection(), measured = CoreferenceRow()](size_t t, int64_t* row) mutable {
            double best[CoreferenceRow::kValues] = {}, found[CoreferenceRow::kValues], value = -1.0;
            for (size_t s = 0; s < references.size(); ++s) {
                if (missing[s][t]) continue;
                projection(own, *references[s], *links[s], t, overlap);
                measured(projection.key, projection.response, projection.numbers, found);
                if (const double own_value = f1(found); own_value > value) {
                    value = own_value;
                    std::copy_n(found, CoreferenceRow::kValues, best);
                }
            }
            for (size_t n = 0; n < CoreferenceRow::kValues; ++n) {
                if (n < 4 * CoreferenceRow::kMeasures && n % 2 == 0 && is_real(n / 4)) {
                    to_digits(best[n], row);
                    row += kDigits;
                } else {
                    *row++ = int64_t(best[n]);
                }
            }
        };
    });
}

}  // namespace

void bind_coreference(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<MentionChains>(module, "MentionChains")
        .def(nb::new_(&chains_of), "texts"_a)
        .def("__len__", &MentionChains::size)
        .def("shown", &shown);
    module.def("repeated_names", &names, "texts"_a, "least"_a);
    module.def("word_links", &word_links, "links"_a, "own"_a, "reference"_a);
    module.def("coreference_rows", &rows, "own"_a, "references"_a, "links"_a, "missing"_a, "overlap"_a);
}

}  // namespace tertium
