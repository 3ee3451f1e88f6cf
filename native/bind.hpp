// What the binding files share: threads without the interpreter lock, rows that Python sees as memoryviews.
#pragma once

#include <cstdio>  // nanobind's headers need it, and not every standard library gives it unasked

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/stl/pair.h>

#include <memory>

#include "interrupts.hpp"
#include "lines.hpp"
#include "parallel.hpp"
#include "references.hpp"
#include "tokenizers.hpp"

namespace tertium {

namespace nb = nanobind;

// Inputs: any contiguous buffer. Outputs: memoryviews, so that numpy need not be imported to add and to score.
using RowsIn = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using GroupsIn = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WeightsIn = nb::ndarray<const int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using MasksIn = nb::ndarray<const uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;  // bits, eight to a byte
using RowsOut = nb::ndarray<nb::memview, int64_t, nb::ndim<2>>;
using ScoresOut = nb::ndarray<nb::memview, double, nb::ndim<1>>;

// Runs what Python does on Ctrl-C (in the main thread; elsewhere nothing), and throws what comes of it.
inline void run_signal_handlers() {
    nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// As long as it lives, other threads may have the interpreter, and `poll` lets Ctrl-C through.
class Unlocked {
public:
    Unlocked() : before_(here()) { here() = {&run_, true}; }
    Unlocked(const Unlocked&) = delete;
    ~Unlocked() { here() = before_; }

private:
    nb::gil_scoped_release released_;
    Run run_{&run_signal_handlers};
    Place before_;
};

template <class T>
nb::capsule owned(std::unique_ptr<T[]>& memory) {
    T* raw = memory.release();
    return nb::capsule(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
}

inline RowsOut rows_out(std::unique_ptr<int64_t[]> memory, size_t n, size_t k) {
    int64_t* data = memory.get();
    return RowsOut(data, {n, k}, owned(memory));
}
inline ScoresOut scores_out(std::unique_ptr<double[]> memory, size_t n) {
    double* data = memory.get();
    return ScoresOut(data, {n}, owned(memory));
}

inline Tokenizer tokenizer_named(std::string_view name) {
    const Tokenizer tokenizer = find_tokenizer(name);
    if (!tokenizer) throw nb::value_error(("no native tokeniser is called " + std::string(name)).c_str());
    return tokenizer;
}

inline void same_length(size_t hypotheses, size_t references) {
    if (hypotheses != references) throw nb::value_error("hypotheses and references differ in number");
}

// Rows of a dense kernel: make_kernel() once a thread, kernel.row(segment, row) for every segment.
template <class Make>
RowsOut dense_rows(size_t n, size_t columns, int threads, Make&& make_kernel) {
    auto memory = std::make_unique_for_overwrite<int64_t[]>(n * columns + 1);
    {
        Unlocked unlocked;
        int64_t* rows = memory.get();
        parallel_parts(n, threads, [&](size_t, size_t begin, size_t end) {
            auto kernel = make_kernel();
            for (size_t i = begin; i < end; ++i) {
                poll();
                kernel(i, rows + i * columns);
            }
        });
    }
    return rows_out(std::move(memory), n, columns);
}

template <class Score>
ScoresOut scores_of(const RowsIn& totals, size_t columns, Score&& score) {
    if (totals.shape(1) != columns) throw nb::value_error("totals have the wrong number of columns");
    const size_t n = totals.shape(0);
    auto memory = std::make_unique_for_overwrite<double[]>(n + 1);
    {
        Unlocked unlocked;
        Poller poller;
        for (size_t i = 0; i < n; ++i) {
            poller(64);
            memory[i] = score(totals.data() + i * columns);
        }
    }
    return scores_out(std::move(memory), n);
}

void bind_lines(nb::module_& module);
void bind_sums(nb::module_& module);
void bind_bleu(nb::module_& module);
void bind_bleu_family(nb::module_& module);
void bind_bleu_originals(nb::module_& module);
void bind_nist(nb::module_& module);
void bind_chrf(nb::module_& module);
void bind_ter(nb::module_& module);
void bind_types(nb::module_& module);
void bind_errors(nb::module_& module);
void bind_character(nb::module_& module);
void bind_rouge(nb::module_& module);
void bind_overlap(nb::module_& module);
void bind_moses(nb::module_& module);
void bind_meteor(nb::module_& module);
void bind_aligner(nb::module_& module);
void bind_resample(nb::module_& module);
void bind_pairs(nb::module_& module);
void bind_vectors(nb::module_& module);
void bind_yisi(nb::module_& module);
void bind_fuzzy(nb::module_& module);
void bind_doctor(nb::module_& module);
void bind_ibm1(nb::module_& module);
void bind_tuning(nb::module_& module);
void bind_texts(nb::module_& module);
void bind_beads(nb::module_& module);

}  // namespace tertium
