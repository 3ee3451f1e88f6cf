// YiSi and MEANT 2.0: agreement of phrases by similarities of words.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "exact_sum.hpp"
#include "phrases.hpp"

namespace tertium {

Fold fold_named(std::string_view name);

namespace {

using Structure = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
constexpr size_t kColumns = 4 * kDigits;  // score, precision and recall, each times the weight, and the weight

WordSimilarity::Kind kind_named(std::string_view name) {
    if (name == "substring") return WordSimilarity::Kind::substring;
    if (name == "vectors") return WordSimilarity::Kind::vectors;
    if (name == "bilingual") return WordSimilarity::Kind::bilingual;
    throw nb::value_error("words must be compared by substring, vectors or bilingual");
}

double f_score(double precision, double recall, double alpha) {
    if (precision <= 0 || recall <= 0) return 0;
    return precision * recall / (alpha * precision + (1 - alpha) * recall);
}

WordsView words_view(const Tokens& tokens, std::vector<Word>& words) {
    words.clear();
    words_of(tokens, words);
    return {words.data(), uint32_t(words.size()), tokens.text().data()};
}

// Precision and recall are each the best over the references. `structure` has what frames add to both, with weight beta.
RowsOut yisi_rows(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer,
                  const WordSimilarity& similarity, const WordWeights& own, const WordWeights& other, size_t order,
                  double alpha, bool by_length, double beta, const std::optional<Structure>& structure, int threads) {
    const Tokenizer function = tokenizer_named(tokenizer);
    same_length(hypotheses.size(), references.size());
    if (order < 1) throw nb::value_error("the order must be at least 1");
    if (structure && (structure->shape(0) != hypotheses.size() || structure->shape(1) != 2))
        throw nb::value_error("structure needs two numbers per segment");
    return dense_rows(hypotheses.size(), kColumns, threads, [&] {
        return [&, kernel = PhraseKernel(similarity, own, other, order), tokens = Tokens(), words = std::vector<Word>()](
                   size_t i, int64_t* row) mutable {
            function(hypotheses.texts[i], tokens);
            kernel.set_hypothesis(words_view(tokens, words));
            Agreement best;
            double length = 0;
            const size_t n = references.count(i);
            for (size_t r = 0; r < n; ++r) {
                kernel.set_other(references[i][r]);
                const Agreement found = kernel.agreement();
                best.precision = std::max(best.precision, found.precision);
                best.recall = std::max(best.recall, found.recall);
                length += double(references[i][r].size);
            }
            if (structure) {
                const double* added = structure->data() + 2 * i;
                best.precision = beta * added[0] + (1 - beta) * best.precision;
                best.recall = beta * added[1] + (1 - beta) * best.recall;
            }
            const double weight = by_length ? length / double(n) : 1;
            to_digits(f_score(best.precision, best.recall, alpha) * weight, row);
            to_digits(best.precision * weight, row + kDigits);
            to_digits(best.recall * weight, row + 2 * kDigits);
            to_digits(weight, row + 3 * kDigits);
        };
    });
}

// The agreement of phrases of one pair of texts; a phrase pair is (begin, end) of the other text, (begin, end) of ours.
using PhrasePair = std::tuple<size_t, size_t, size_t, size_t>;
std::vector<std::pair<double, double>> phrase_agreements(const Lines& texts, std::string_view tokenizer,
                                                         const WordSimilarity& similarity, const WordWeights& own,
                                                         const WordWeights& other, size_t order,
                                                         const std::vector<PhrasePair>& pairs) {
    if (texts.size() != 2) throw nb::value_error("expected two texts, the hypothesis and the other");
    const Tokenizer function = tokenizer_named(tokenizer);
    PhraseKernel kernel(similarity, own, other, order);
    Tokens ours, theirs;
    std::vector<Word> our_words, their_words;
    function(texts.texts[0], ours);
    function(texts.texts[1], theirs);
    kernel.set_hypothesis(words_view(ours, our_words));
    kernel.set_other(words_view(theirs, their_words));
    std::vector<std::pair<double, double>> found;
    for (const auto& [other_begin, other_end, own_begin, own_end] : pairs) {
        if (other_begin > other_end || other_end > kernel.other_size() || own_begin > own_end ||
            own_end > kernel.hypothesis_size())
            throw nb::value_error("a phrase is outside its text");
        const Agreement agreement = kernel.agreement(other_begin, other_end, own_begin, own_end);
        found.emplace_back(agreement.precision, agreement.recall);
    }
    return found;
}

}  // namespace

void bind_yisi(nb::module_& module) {
    nb::class_<WordSimilarity>(module, "WordSimilarity")
        .def(
            "__init__",
            [](WordSimilarity* self, std::string_view kind, std::shared_ptr<VectorTable> own,
               std::shared_ptr<VectorTable> other, std::string_view fold) {
                const WordSimilarity::Kind made = kind_named(kind);
                if (made != WordSimilarity::Kind::substring) {
                    if (!own || !other) throw nb::value_error("vectors are needed on both sides");
                    if (own->dimension() != other->dimension())
                        throw nb::value_error("the tables have vectors of different dimension");
                }
                new (self) WordSimilarity{made, std::move(own), std::move(other), fold_named(fold)};
            },
            nb::arg("kind"), nb::arg("own").none(), nb::arg("other").none(), nb::arg("fold"));
    module.def("yisi_rows", &yisi_rows, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"),
               nb::arg("similarity"), nb::arg("own"), nb::arg("other"), nb::arg("order"), nb::arg("alpha"),
               nb::arg("by_length"), nb::arg("beta"), nb::arg("structure").none(), nb::arg("threads"));
    module.def(
        "yisi_scores",
        [](const RowsIn& totals, size_t part) {
            if (part > 2) throw nb::index_error();
            return scores_of(totals, kColumns, [part](const int64_t* row) {
                const double weight = from_digits(row + 3 * kDigits);
                return weight > 0 ? 100 * (from_digits(row + part * kDigits) / weight) : std::nan("");
            });
        },
        nb::arg("totals"), nb::arg("part"));
    module.def("phrase_agreements", &phrase_agreements, nb::arg("texts"), nb::arg("tokenizer"), nb::arg("similarity"),
               nb::arg("own"), nb::arg("other"), nb::arg("order"), nb::arg("pairs"));
}

}  // namespace tertium
