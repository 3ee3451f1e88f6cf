// Metrics of word overlap and order that are not BLEU: GTM, GLEU, lexical overlap, RIBES, BEER; and EED.
#include "bags.hpp"
#include "beer.hpp"
#include "bind.hpp"
#include "eed.hpp"
#include "gtm.hpp"
#include "rare_words.hpp"
#include "ribes.hpp"

namespace tertium {

namespace {

// Rows of a kernel that compares words.
template <class Kernel, class... Options>
RowsOut word_rows(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads,
                  Options... options) {
    const Tokenizer function = tokenizer_named(tokenizer);
    same_length(hypotheses.size(), references.size());
    return dense_rows(hypotheses.size(), Kernel::kColumns, threads, [&] {
        return [&, kernel = Kernel(function, options...)](size_t i, int64_t* row) mutable {
            kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
        };
    });
}

Part part_named(std::string_view name) {
    if (name == "P") return Part::precision;
    if (name == "R") return Part::recall;
    if (name == "F") return Part::f;
    throw nb::value_error("the part must be P, R or F");
}

// Numbers of each hypothesis against each of its references, one behind the other.
template <class Features>
ScoresOut features_of(const Lines& hypotheses, const WordReferences& references, int threads, auto make) {
    same_length(hypotheses.size(), references.size());
    constexpr size_t width = Features::kFeatures;
    const size_t n = references.place(references.size());
    auto memory = std::make_unique_for_overwrite<double[]>(n * width + 1);
    {
        Unlocked unlocked;
        parallel_parts(hypotheses.size(), threads, [&](size_t, size_t begin, size_t end) {
            Features features = make();
            for (size_t i = begin; i < end; ++i) {
                poll();
                features.read(hypotheses.texts[i], references[i], references.count(i));
                double* out = memory.get() + references.place(i) * width;
                for (size_t r = 0; r < references.count(i); ++r) features(r, out + r * width);
            }
        });
    }
    return scores_out(std::move(memory), n * width);
}

EedLike eed_named(std::string_view name) {
    if (name == "paper") return EedLike::paper;
    if (name == "original") return EedLike::original;
    throw nb::value_error("unknown kind of EED");
}

}  // namespace

void bind_overlap(nb::module_& module) {
    module.def(
        "gtm_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, double exponent,
           int threads) { return word_rows<GtmKernel>(hypotheses, references, tokenizer, threads, exponent); },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("exponent"), nb::arg("threads"));
    module.def(
        "gtm_scores",
        [](const RowsIn& totals, std::string_view part) {
            return scores_of(totals, GtmKernel::kColumns,
                             [part = part_named(part)](const int64_t* row) { return gtm_score(row, part); });
        },
        nb::arg("totals"), nb::arg("part"));
    module.def(
        "gleu_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int least, int most,
           int threads) {
            if (least < 1 || most < least) throw nb::value_error("orders must be at least 1, the smallest first");
            return word_rows<GleuKernel>(hypotheses, references, tokenizer, threads, least, most);
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("least"), nb::arg("most"),
        nb::arg("threads"));
    module.def(
        "gleu_scores",
        [](const RowsIn& totals) {
            return scores_of(totals, GleuKernel::kColumns,
                             [](const int64_t* row) { return row[1] ? 100 * (double(row[0]) / double(row[1])) : 0; });
        },
        nb::arg("totals"));
    module.def(
        "overlap_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
            return word_rows<OverlapKernel>(hypotheses, references, tokenizer, threads);
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));
    module.def(
        "ribes_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, double alpha, double beta,
           int threads) { return word_rows<RibesKernel>(hypotheses, references, tokenizer, threads, alpha, beta); },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("alpha"), nb::arg("beta"),
        nb::arg("threads"));
    module.def(
        "beer_features",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
            return features_of<BeerFeatures>(hypotheses, references, threads,
                                             [&] { return BeerFeatures(tokenizer_named(tokenizer)); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("threads"));
    nb::class_<WordRanks>(module, "WordRanks")
        .def("__init__",
             [](WordRanks* self, const std::vector<nb::bytes>& words) {
                 new (self) WordRanks();
                 for (const nb::bytes& word : words) self->add({word.c_str(), word.size()});
             })
        .def("__len__", &WordRanks::size);
    module.def(
        "rare_word_features",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, const WordRanks& ranks,
           int threads) {
            return features_of<RareWordFeatures>(hypotheses, references, threads,
                                                 [&] { return RareWordFeatures(tokenizer_named(tokenizer), ranks); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("ranks"), nb::arg("threads"));
    module.def(
        "beer_rows",
        [](const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer,
           const std::vector<double>& weights, double intercept, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            same_length(hypotheses.size(), references.size());
            if (weights.size() != BeerFeatures::kFeatures) throw nb::value_error("a weight for each feature is needed");
            return dense_rows(hypotheses.size(), kDigits + 1, threads, [&] {
                return [&, features = BeerFeatures(function)](size_t i, int64_t* row) mutable {
                    features.read(hypotheses.texts[i], references[i], references.count(i));
                    double best = 0, found[BeerFeatures::kFeatures];
                    for (size_t r = 0; r < references.count(i); ++r) {
                        features(r, found);
                        double sum = intercept;
                        for (size_t k = 0; k < weights.size(); ++k) sum += weights[k] * found[k];
                        best = std::max(best, std::min(sum, 1.0));
                    }
                    to_digits(best, row);
                    row[kDigits] = 1;
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"), nb::arg("weights"), nb::arg("intercept"),
        nb::arg("threads"));
    module.def(
        "eed_rows",
        [](const Lines& hypotheses, const std::vector<std::shared_ptr<Lines>>& streams, double alpha, double rho,
           double deletion, double insertion, std::string_view like, int threads) {
            for (const auto& stream : streams) same_length(hypotheses.size(), stream->size());
            const EedOptions options{alpha, rho, deletion, insertion, eed_named(like)};
            return dense_rows(hypotheses.size(), kDigits + 1, threads, [&] {
                return [&, eed = Eed(options)](size_t i, int64_t* row) mutable {
                    eed.set_hypothesis(hypotheses.texts[i]);
                    double best = 1;
                    for (const auto& stream : streams)
                        if (!stream->missing(i)) best = std::min(best, eed.distance(stream->texts[i]));
                    to_digits(best, row);
                    row[kDigits] = 1;
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("streams"), nb::arg("alpha"), nb::arg("rho"), nb::arg("deletion"), nb::arg("insertion"),
        nb::arg("like"), nb::arg("threads"));
    module.def(
        "mean_scores",
        [](const RowsIn& totals, size_t column, double scale) {
            const size_t last = totals.shape(1) - 1;  // how many segments there are
            if (totals.shape(1) == 0 || column + kDigits > last) throw nb::index_error();
            return scores_of(totals, totals.shape(1), [=](const int64_t* row) {
                return row[last] ? scale * (from_digits(row + column) / double(row[last])) : std::nan("");
            });
        },
        nb::arg("totals"), nb::arg("column"), nb::arg("scale") = 100.0);
}

}  // namespace tertium
