// Resamples: seeded draws, weighted and masked sums of rows.
#include "bind.hpp"
#include "masked_rows.hpp"
#include "masked_sums.hpp"
#include "pcg64.hpp"
#include "weighted_sums.hpp"

namespace tertium {

namespace {

using ColumnsIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
using TableOut = nb::ndarray<nb::memview, T, nb::ndim<2>>;

template <class T>
TableOut<T> table_out(std::unique_ptr<T[]> memory, size_t n, size_t k) {
    T* data = memory.get();
    return TableOut<T>(data, {n, k}, owned(memory));
}

unsigned __int128 joined(uint64_t high, uint64_t low) { return static_cast<unsigned __int128>(high) << 64 | low; }

}  // namespace

void bind_resample(nb::module_& module) {
    nb::class_<Pcg64>(module, "Pcg64")
        .def(
            "__init__",
            [](Pcg64* self, uint64_t state_high, uint64_t state_low, uint64_t increment_high, uint64_t increment_low) {
                new (self) Pcg64(joined(state_high, state_low), joined(increment_high, increment_low));
            },
            nb::arg("state_high"), nb::arg("state_low"), nb::arg("increment_high"), nb::arg("increment_low"))
        .def(
            "draws",  // resamples x n
            [](Pcg64& stream, uint32_t n, size_t resamples) {
                auto memory = std::make_unique_for_overwrite<uint32_t[]>(size_t(n) * resamples + 1);
                {
                    Unlocked unlocked;
                    for (size_t j = 0; j < resamples; ++j) {
                        poll();
                        stream.draws(n, n, memory.get() + j * n);
                    }
                }
                return table_out(std::move(memory), resamples, n);
            },
            nb::arg("n"), nb::arg("resamples"))
        .def(
            "counts",  // resamples x n
            [](Pcg64& stream, uint32_t n, size_t resamples) {
                auto memory = std::make_unique_for_overwrite<int16_t[]>(size_t(n) * resamples + 1);
                {
                    Unlocked unlocked;
                    for (size_t j = 0; j < resamples; ++j) {
                        poll();
                        stream.counts(n, memory.get() + j * n);
                    }
                }
                return table_out(std::move(memory), resamples, n);
            },
            nb::arg("n"), nb::arg("resamples"))
        .def(
            "subsets",  // resamples x n
            [](Pcg64& stream, uint32_t n, uint32_t size, size_t resamples) {
                if (size > n) throw nb::value_error("a subset is not larger than the whole");
                auto memory = std::make_unique_for_overwrite<int16_t[]>(size_t(n) * resamples + 1);
                {
                    Unlocked unlocked;
                    for (size_t j = 0; j < resamples; ++j) {
                        poll();
                        stream.subset(n, size, memory.get() + j * n);
                    }
                }
                return table_out(std::move(memory), resamples, n);
            },
            nb::arg("n"), nb::arg("size"), nb::arg("resamples"))
        .def(
            "coins",  // trials x bytes
            [](Pcg64& stream, size_t n, size_t trials) {
                const size_t width = (n + 7) / 8;
                auto memory = std::make_unique_for_overwrite<uint8_t[]>(width * trials + 1);
                {
                    Unlocked unlocked;
                    for (size_t j = 0; j < trials; ++j) {
                        poll();
                        stream.coins(n, 1, memory.get() + j * width);
                    }
                }
                return table_out(std::move(memory), trials, width);
            },
            nb::arg("n"), nb::arg("trials"));

    nb::class_<WeightedSums>(module, "WeightedSums")
        .def(
            "__init__",
            [](WeightedSums* self, const std::vector<RowsIn>& tables) {
                const size_t n = tables.empty() ? 0 : tables[0].shape(0);
                std::vector<DenseTable> found;
                for (const RowsIn& rows : tables) {
                    if (rows.shape(0) != n) throw nb::value_error("the tables differ in their number of rows");
                    found.push_back({rows.data(), rows.shape(1)});
                }
                Unlocked unlocked;
                new (self) WeightedSums(found, n);
            },
            nb::arg("tables"))
        .def(
            "__call__",  // of each table
            [](const WeightedSums& sums, const WeightsIn& weights, int threads) {
                const size_t m = weights.shape(0);
                if (weights.shape(1) != sums.rows()) throw nb::value_error("there must be a weight for each row");
                std::vector<std::unique_ptr<int64_t[]>> memory;
                std::vector<int64_t*> out;
                for (size_t t = 0; t < sums.tables(); ++t)
                    out.push_back(
                        memory.emplace_back(std::make_unique_for_overwrite<int64_t[]>(m * sums.columns(t) + 1)).get());
                {
                    Unlocked unlocked;
                    sums(weights.data(), m, threads, out);
                }
                nb::list found;
                for (size_t t = 0; t < sums.tables(); ++t) found.append(rows_out(std::move(memory[t]), m, sums.columns(t)));
                return found;
            },
            nb::arg("weights"), nb::arg("threads"));

    module.def(
        "swapped_rows",  // sums of two systems after swapping the segments whose bit is set
        [](const RowsIn& left, const RowsIn& right, const MasksIn& masks, int threads) {
            const size_t n = left.shape(0), k = left.shape(1), m = masks.shape(0);
            if (right.shape(0) != n || right.shape(1) != k) throw nb::value_error("the rows have different shapes");
            if (masks.shape(1) != (n + 7) / 8) throw nb::value_error("there must be a bit for each row");
            auto ours = std::make_unique<int64_t[]>(m * k + 1), theirs = std::make_unique<int64_t[]>(m * k + 1);
            {
                Unlocked unlocked;
                std::vector<int64_t> change(n * k), left_total(k), right_total(k);
                for (size_t i = 0; i < n; ++i)
                    for (size_t c = 0; c < k; ++c) {
                        const int64_t a = left.data()[i * k + c], b = right.data()[i * k + c];
                        if (__builtin_sub_overflow(b, a, &change[i * k + c]))
                            throw std::overflow_error("a difference does not fit into 64 bits");
                        left_total[c] += a;
                        right_total[c] += b;
                    }
                masked_rows(change.data(), n, k, masks.data(), m, threads, ours.get());
                for (size_t j = 0; j < m; ++j)
                    for (size_t c = 0; c < k; ++c) {
                        const int64_t moved = ours[j * k + c];
                        ours[j * k + c] = left_total[c] + moved;
                        theirs[j * k + c] = right_total[c] - moved;
                    }
            }
            return nb::make_tuple(rows_out(std::move(ours), m, k), rows_out(std::move(theirs), m, k));
        },
        nb::arg("left"), nb::arg("right"), nb::arg("masks"), nb::arg("threads"));

    module.def(
        "masked_sums",  // columns x shuffles: sums of real numbers over the places whose bit is set
        [](const ColumnsIn& columns, const MasksIn& masks) {
            const size_t k = columns.shape(0), n = columns.shape(1), m = masks.shape(0);
            if (masks.shape(1) != (n + 7) / 8) throw nb::value_error("there must be a bit for each place");
            auto memory = std::make_unique_for_overwrite<double[]>(k * m + 1);
            {
                Unlocked unlocked;
                masked_sums(columns.data(), n, k, masks.data(), m, memory.get());
            }
            return table_out(std::move(memory), k, m);
        },
        nb::arg("columns"), nb::arg("masks"));

    module.def(
        "not_above",  // (matrices x systems) x systems: in how many trials a system's sum is not above another's
        [](const ColumnsIn& sums, size_t systems, const std::vector<double>& slacks) {
            const size_t m = sums.shape(1);
            if (sums.shape(0) != systems * slacks.size()) throw nb::value_error("there must be a slack for each matrix");
            auto memory = std::make_unique<int64_t[]>(sums.shape(0) * systems + 1);
            {
                Unlocked unlocked;
                for (size_t g = 0; g < slacks.size(); ++g)
                    not_above(sums.data() + g * systems * m, systems, m, slacks[g], memory.get() + g * systems * systems);
            }
            return rows_out(std::move(memory), sums.shape(0), systems);
        },
        nb::arg("sums"), nb::arg("systems"), nb::arg("slacks"));
}

}  // namespace tertium
