// WER, PER and CDER: text to rows, rows to scores. The last column is always the reference length.
#include "bind.hpp"
#include "word_errors.hpp"

namespace tertium {

namespace {

// Which of several references counts: the first of those with the lowest error rate. A reference without words has a
// rate only if the hypothesis has none either.
struct LowestRate {
    static bool prefers(int64_t edits, int64_t length, int64_t best_edits, int64_t best_length) {
        return edits * best_length < best_edits * length || (edits == 0 && best_edits > 0);
    }
};

// The Moses evaluator compares 1 - rate cut off to an integer, and calls that 1 for a reference without words.
struct LikeMoses {
    static bool prefers(int64_t edits, int64_t length, int64_t best_edits, int64_t best_length) {
        return cut(edits, length) > cut(best_edits, best_length);
    }
    static int64_t cut(int64_t edits, int64_t length) {
        return length == 0 || edits == 0 ? 1 : edits < length ? 0 : -((edits - length) / length);
    }
};

// The rows of one metric. Each writes row(hypothesis, reference) and says how many errors it stands for.
struct WerRow {
    static constexpr size_t columns = 4;
    WerKernel kernel;
    int64_t operator()(const HypothesisWords& hypothesis, const WordsView& reference, int64_t* row) {
        const WordEdits edits = kernel.edits(hypothesis, reference);
        row[0] = edits.insertions;
        row[1] = edits.deletions;
        row[2] = edits.substitutions;
        return edits.total();
    }
};

struct PerRow {
    static constexpr size_t columns = 4;
    PerKernel kernel;
    int64_t operator()(const HypothesisWords& hypothesis, const WordsView& reference, int64_t* row) {
        const auto n_hyp = int64_t(hypothesis.size()), n_ref = int64_t(reference.size);
        const int64_t matches = kernel.matches(hypothesis, reference);
        row[0] = std::max<int64_t>(0, n_ref - n_hyp);
        row[1] = std::max<int64_t>(0, n_hyp - n_ref);
        row[2] = std::min(n_hyp, n_ref) - matches;
        return row[0] + row[1] + row[2];
    }
};

struct PerMosesRow {
    static constexpr size_t columns = 3;
    PerKernel kernel;
    int64_t operator()(const HypothesisWords& hypothesis, const WordsView& reference, int64_t* row) {
        row[0] = kernel.matches(hypothesis, reference);
        row[1] = int64_t(hypothesis.size());
        return std::max<int64_t>(row[1], reference.size) - row[0];
    }
};

struct CderRow {
    static constexpr size_t columns = 2;
    CderKernel kernel;
    int64_t operator()(const HypothesisWords& hypothesis, const WordsView& reference, int64_t* row) {
        return row[0] = kernel.edits(hypothesis, reference);
    }
};

template <class Row, class Choice>
class ErrorKernel {
public:
    explicit ErrorKernel(Tokenizer tokenizer) : hypothesis_(tokenizer) {}

    void row(std::string_view hypothesis, const WordsView* references, size_t n_references, int64_t* row) {
        std::fill_n(row, Row::columns, 0);
        if (n_references == 0) return;
        hypothesis_.read(hypothesis);
        int64_t best = errors_(hypothesis_, references[0], row), length = references[0].size;
        for (size_t r = 1; r < n_references; ++r) {
            int64_t other[Row::columns];
            const int64_t errors = errors_(hypothesis_, references[r], other);
            if (!Choice::prefers(errors, references[r].size, best, length)) continue;
            best = errors;
            length = references[r].size;
            std::copy_n(other, Row::columns - 1, row);
        }
        row[Row::columns - 1] = length;
    }

private:
    HypothesisWords hypothesis_;
    Row errors_;
};

template <class Row, class Choice>
RowsOut error_rows(const Lines& hypotheses, const WordReferences& references, std::string_view tokenizer, int threads) {
    const Tokenizer function = tokenizer_named(tokenizer);
    same_length(hypotheses.size(), references.size());
    return dense_rows(hypotheses.size(), Row::columns, threads, [&] {
        return [&, kernel = ErrorKernel<Row, Choice>(function)](size_t i, int64_t* row) mutable {
            kernel.row(hypotheses.texts[i], references[i], references.count(i), row);
        };
    });
}

}  // namespace

void bind_errors(nb::module_& module) {
    module.def("wer_rows", error_rows<WerRow, LowestRate>, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"),
               nb::arg("threads"));
    module.def("wer_moses_rows", error_rows<WerRow, LikeMoses>, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("tokenizer"), nb::arg("threads"));
    module.def("per_rows", error_rows<PerRow, LowestRate>, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"),
               nb::arg("threads"));
    module.def("per_moses_rows", error_rows<PerMosesRow, LowestRate>, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("tokenizer"), nb::arg("threads"));
    module.def("cder_rows", error_rows<CderRow, LowestRate>, nb::arg("hypotheses"), nb::arg("references"), nb::arg("tokenizer"),
               nb::arg("threads"));
    module.def("cder_moses_rows", error_rows<CderRow, LikeMoses>, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("tokenizer"), nb::arg("threads"));
    // 100 * errors / length, where all columns but the last count errors; `wordless` for errors without any length.
    module.def(
        "error_scores",
        [](const RowsIn& totals, double wordless) {
            const size_t columns = totals.shape(1);
            if (columns < 2) throw nb::value_error("totals have the wrong number of columns");
            return scores_of(totals, columns, [=](const int64_t* row) {
                int64_t errors = 0;
                for (size_t c = 0; c + 1 < columns; ++c) errors += row[c];
                const int64_t length = row[columns - 1];
                return errors == 0 ? 0.0 : length > 0 ? 100.0 * (double(errors) / double(length)) : wordless;
            });
        },
        nb::arg("totals"), nb::arg("wordless"));
    // 1 - (matches - surplus words) / reference length, on sums; 100 without reference words.
    module.def(
        "per_moses_scores",
        [](const RowsIn& totals) {
            return scores_of(totals, PerMosesRow::columns, [](const int64_t* row) {
                const int64_t right = row[0] - std::max<int64_t>(0, row[1] - row[2]);
                return row[2] > 0 ? 100.0 * (double(row[2] - right) / double(row[2])) : 100.0;
            });
        },
        nb::arg("totals"));
}

}  // namespace tertium
