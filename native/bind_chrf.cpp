#include "bind.hpp"
#include "chrf.hpp"
#include "exact_sum.hpp"

namespace tertium {

namespace {

// References as chrF needs them. Each thread filled a store of its own, for a range of segments.
class ChrfReferences {
public:
    ChrfReferences(const std::vector<std::shared_ptr<Lines>>& streams, const ChrfOptions& options, int threads)
        : options(options) {
        const size_t n = streams[0]->size();
        starts_.resize(n + 1);
        for (size_t i = 0; i < n; ++i) {
            starts_[i + 1] = starts_[i];
            for (const auto& stream : streams) starts_[i + 1] += !stream->missing(i);
        }
        for (size_t i = 0; i < thread_count(threads); ++i) stores_.emplace_back(options);
        firsts_.resize(stores_.size(), n);
        parallel_parts(n, threads, [&](size_t part, size_t begin, size_t end) {
            firsts_[part] = begin;
            size_t bytes = 0;
            for (size_t i = begin; i < end; ++i)
                for (const auto& stream : streams) bytes += stream->texts[i].size();
            stores_[part].reserve(starts_[end] - starts_[begin], bytes);
            for (size_t i = begin; i < end; ++i) {
                poll();
                for (const auto& stream : streams)
                    if (!stream->missing(i)) stores_[part].add(stream->texts[i]);
            }
        });
    }
    size_t size() const { return starts_.size() - 1; }
    void get(size_t segment, std::vector<ChrfReferenceView>& views) const {
        size_t part = 0;
        while (part + 1 < stores_.size() && firsts_[part + 1] <= segment) ++part;
        views.clear();
        const size_t offset = starts_[firsts_[part]];
        for (size_t at = starts_[segment]; at < starts_[segment + 1]; ++at) views.push_back(stores_[part].get(at - offset));
    }
    ChrfOptions options;

private:
    std::vector<size_t> starts_, firsts_;
    std::vector<ChrfStore> stores_;
};

ChrfOptions options_of(int char_order, int word_order, double beta, bool whitespace, bool eps, bool popovic) {
    ChrfOptions options;
    options.char_order = char_order;
    options.word_order = word_order;
    options.beta = beta;
    options.whitespace = whitespace;
    options.eps_smoothing = eps;
    options.popovic = popovic;
    return options;
}

// Beside the counts, chrF++.py's rows have the segment's score as digits and 1, for the mean that it prints too.
size_t columns_of(const ChrfOptions& options) { return 3 * options.orders() + (options.popovic ? kDigits + 1 : 0); }

}  // namespace

void bind_chrf(nb::module_& module) {
    nb::class_<ChrfReferences>(module, "ChrfReferences")
        .def(
            "__init__",
            [](ChrfReferences* self, const std::vector<std::shared_ptr<Lines>>& streams, int char_order, int word_order,
               double beta, bool whitespace, bool eps, bool popovic, int threads) {
                if (streams.empty()) throw nb::value_error("no reference streams");
                for (const auto& stream : streams) same_length(stream->size(), streams[0]->size());
                Unlocked unlocked;
                new (self) ChrfReferences(streams, options_of(char_order, word_order, beta, whitespace, eps, popovic), threads);
            },
            nb::arg("streams"), nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"), nb::arg("whitespace"),
            nb::arg("eps"), nb::arg("popovic"), nb::arg("threads"))
        .def("__len__", &ChrfReferences::size);

    module.def(
        "chrf_rows",
        [](const Lines& hypotheses, const ChrfReferences& references, int threads) {
            same_length(hypotheses.size(), references.size());
            const ChrfOptions& options = references.options;
            return dense_rows(hypotheses.size(), columns_of(options), threads, [&] {
                return [&, scratch = ChrfScratch(), views = std::vector<ChrfReferenceView>()](size_t i, int64_t* row) mutable {
                    references.get(i, views);
                    scratch.row(hypotheses.texts[i], views.data(), views.size(), options, row);
                    if (!options.popovic) return;
                    to_digits(chrf_score(row, options), row + 3 * options.orders());
                    row[columns_of(options) - 1] = 1;
                };
            });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("threads"));
    module.def(
        "chrf_scores",
        [](const RowsIn& totals, int char_order, int word_order, double beta, bool whitespace, bool eps, bool popovic) {
            const ChrfOptions options = options_of(char_order, word_order, beta, whitespace, eps, popovic);
            return scores_of(totals, columns_of(options), [&](const int64_t* row) { return chrf_score(row, options); });
        },
        nb::arg("totals"), nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"), nb::arg("whitespace"), nb::arg("eps"),
        nb::arg("popovic"));
}

}  // namespace tertium
