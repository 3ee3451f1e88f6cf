// Rows to sums, and real numbers as digits that add exactly.
#include <cstring>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "bind.hpp"
#include "exact_sum.hpp"

namespace tertium {

namespace {

void same_shape(size_t rows, size_t other_rows, size_t columns, size_t other_columns) {
    if (rows != other_rows || columns != other_columns) throw nb::value_error("the rows have different shapes");
}

// Counts of real text stay far from the ends of 64 bits; those of damaged rows may not, and then wrap around.
int64_t plus(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
int64_t minus(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }

// Gives memory that was freed back to the system, between large pieces of work: the next one needs other sizes, and what
// lies between blocks that are still in use would add to its own.
void give_back_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace

void bind_sums(nb::module_& module) {
    module.def("thread_count", &thread_count, nb::arg("threads"));
    module.def("give_back_memory", &give_back_memory);
    module.attr("DIGITS") = kDigits;
    module.def(
        "sum_rows",
        [](const RowsIn& rows) {
            const size_t n = rows.shape(0), k = rows.shape(1);
            auto memory = std::make_unique<int64_t[]>(k + 1);
            {
                Unlocked unlocked;
                const int64_t* row = rows.data();
                for (size_t i = 0; i < n; ++i, row += k)
                    for (size_t j = 0; j < k; ++j) memory[j] = plus(memory[j], row[j]);
            }
            return rows_out(std::move(memory), 1, k);
        },
        nb::arg("rows"));
    module.def(
        "rows_of_bytes",  // which may stand anywhere in memory, aligned or not
        [](const nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>& bytes, size_t columns) {
            const size_t row = columns * sizeof(int64_t);
            if (columns == 0 || columns > SIZE_MAX / sizeof(int64_t) || bytes.shape(0) % row)
                throw nb::value_error("the bytes do not fill whole rows");
            const size_t n = bytes.shape(0) / row;
            auto memory = std::make_unique_for_overwrite<int64_t[]>(n * columns + 1);
            if (n) std::memcpy(memory.get(), bytes.data(), n * row);
            return rows_out(std::move(memory), n, columns);
        },
        nb::arg("bytes"), nb::arg("columns"));
    module.def(
        "add_rows",
        [](const RowsIn& left, const RowsIn& right) {
            const size_t n = left.shape(0), k = left.shape(1);
            same_shape(n, right.shape(0), k, right.shape(1));
            auto memory = std::make_unique_for_overwrite<int64_t[]>(n * k + 1);
            {
                Unlocked unlocked;
                for (size_t i = 0; i < n * k; ++i) memory[i] = plus(left.data()[i], right.data()[i]);
            }
            return rows_out(std::move(memory), n, k);
        },
        nb::arg("left"), nb::arg("right"));
    module.def(
        "rows_without_each",  // row i: the sum of all rows but row i
        [](const RowsIn& rows) {
            const size_t n = rows.shape(0), k = rows.shape(1);
            auto memory = std::make_unique_for_overwrite<int64_t[]>(n * k + 1);
            {
                Unlocked unlocked;
                std::vector<int64_t> total(k, 0);
                for (size_t i = 0; i < n * k; i += k)
                    for (size_t j = 0; j < k; ++j) total[j] = plus(total[j], rows.data()[i + j]);
                for (size_t i = 0; i < n * k; i += k)
                    for (size_t j = 0; j < k; ++j) memory[i + j] = minus(total[j], rows.data()[i + j]);
            }
            return rows_out(std::move(memory), n, k);
        },
        nb::arg("rows"));
    module.def(
        "concat_rows",
        [](const RowsIn& first, const RowsIn& second) {
            const size_t n = first.shape(0), m = second.shape(0), k = first.shape(1);
            same_shape(0, 0, k, second.shape(1));
            auto memory = std::make_unique_for_overwrite<int64_t[]>((n + m) * k + 1);
            {
                Unlocked unlocked;
                std::copy_n(first.data(), n * k, memory.get());
                std::copy_n(second.data(), m * k, memory.get() + n * k);
            }
            return rows_out(std::move(memory), n + m, k);
        },
        nb::arg("first"), nb::arg("second"));
    module.def(
        "take_rows",
        [](const RowsIn& rows, const GroupsIn& index) {
            const size_t n = index.shape(0), k = rows.shape(1);
            auto memory = std::make_unique_for_overwrite<int64_t[]>(n * k + 1);
            {
                Unlocked unlocked;
                for (size_t i = 0; i < n; ++i) {
                    const int64_t row = index.data()[i];
                    if (row < 0 || size_t(row) >= rows.shape(0)) throw std::out_of_range("there is no row with that number");
                    std::copy_n(rows.data() + size_t(row) * k, k, memory.get() + i * k);
                }
            }
            return rows_out(std::move(memory), n, k);
        },
        nb::arg("rows"), nb::arg("index"));
    module.def(
        "sum_groups",
        [](const RowsIn& rows, const GroupsIn& groups, size_t n_groups) {
            const size_t n = rows.shape(0), k = rows.shape(1);
            same_length(groups.shape(0), n);
            auto memory = std::make_unique<int64_t[]>(n_groups * k + 1);
            {
                Unlocked unlocked;
                for (size_t i = 0; i < n; ++i) {
                    const int64_t group = groups.data()[i];
                    if (group < 0) continue;
                    if (size_t(group) >= n_groups) throw std::invalid_argument("a group number is too large");
                    for (size_t j = 0; j < k; ++j) {
                        int64_t& sum = memory[size_t(group) * k + j];
                        sum = plus(sum, rows.data()[i * k + j]);
                    }
                }
            }
            return rows_out(std::move(memory), n_groups, k);
        },
        nb::arg("rows"), nb::arg("groups"), nb::arg("n_groups"));
    module.def(
        "to_digits",
        [](const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& values) {
            const size_t n = values.shape(0);
            auto memory = std::make_unique<int64_t[]>(n * kDigits + 1);
            {
                Unlocked unlocked;
                for (size_t i = 0; i < n; ++i) to_digits(values.data()[i], memory.get() + i * kDigits);
            }
            return rows_out(std::move(memory), n, kDigits);
        },
        nb::arg("values"));
    module.def(
        "from_digits",
        [](const RowsIn& rows, size_t column) {
            const size_t n = rows.shape(0), k = rows.shape(1);
            if (column + kDigits > k) throw nb::index_error();
            auto memory = std::make_unique_for_overwrite<double[]>(n + 1);
            {
                Unlocked unlocked;
                for (size_t i = 0; i < n; ++i) memory[i] = from_digits(rows.data() + i * k + column);
            }
            return scores_out(std::move(memory), n);
        },
        nb::arg("rows"), nb::arg("column"));
}

}  // namespace tertium
