// The module tertium._native: kernels only. Defaults, names and policies live in Python.
#include "bind.hpp"

namespace tertium {
void bind_kernels(nb::module_& module);  // not in bind.hpp: with that all files would be compiled again
void bind_trees(nb::module_& module);
void bind_signs(nb::module_& module);
void bind_tmx(nb::module_& module);
void bind_matching(nb::module_& module);
void bind_keyed(nb::module_& module);
}  // namespace tertium

NB_MODULE(_native, module) {
    module.doc() = "Native kernels of Tertium: text to rows, rows to sums, sums to scores.";
    nanobind::set_leak_warnings(false);  // tables that are kept for the next call live until the process ends
    tertium::bind_lines(module);
    tertium::bind_sums(module);
    tertium::bind_bleu(module);
    tertium::bind_bleu_family(module);
    tertium::bind_bleu_originals(module);
    tertium::bind_nist(module);
    tertium::bind_chrf(module);
    tertium::bind_ter(module);
    tertium::bind_types(module);
    tertium::bind_errors(module);
    tertium::bind_character(module);
    tertium::bind_rouge(module);
    tertium::bind_overlap(module);
    tertium::bind_moses(module);
    tertium::bind_meteor(module);
    tertium::bind_aligner(module);
    tertium::bind_resample(module);
    tertium::bind_pairs(module);
    tertium::bind_vectors(module);
    tertium::bind_yisi(module);
    tertium::bind_fuzzy(module);
    tertium::bind_doctor(module);
    tertium::bind_ibm1(module);
    tertium::bind_tuning(module);
    tertium::bind_texts(module);
    tertium::bind_kernels(module);
    tertium::bind_trees(module);
    tertium::bind_signs(module);
    tertium::bind_tmx(module);
    tertium::bind_matching(module);
    tertium::bind_beads(module);
    tertium::bind_keyed(module);
}
