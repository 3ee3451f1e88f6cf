// Line search over n-best lists.
#include "bind.hpp"
#include "envelopes.hpp"
#include "type_exchanges.hpp"

namespace tertium {

namespace {

using RealsIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NumbersOut = nb::ndarray<nb::memview, int64_t, nb::ndim<1>>;

NumbersOut numbers_out(std::unique_ptr<int64_t[]> memory, size_t n) {
    int64_t* data = memory.get();
    return NumbersOut(data, {n}, owned(memory));
}

// The choices at -infinity; then where they change, the candidate before and the one after.
nb::tuple envelopes(const RealsIn& offsets, const RealsIn& slopes, const GroupsIn& starts) {
    const size_t n = offsets.shape(0), sentences = starts.shape(0);
    same_length(n, slopes.shape(0));
    if (sentences == 0 || starts.data()[0] != 0 || starts.data()[sentences - 1] != int64_t(n))
        throw nb::value_error("sentences must cover their candidates");
    for (size_t i = 1; i < sentences; ++i)
        if (starts.data()[i] <= starts.data()[i - 1]) throw nb::value_error("every sentence needs a candidate");
    for (size_t i = 0; i < n; ++i)
        if (!std::isfinite(offsets.data()[i]) || !std::isfinite(slopes.data()[i]))
            throw nb::value_error("scores of candidates must be finite");
    auto first = std::make_unique_for_overwrite<int64_t[]>(sentences);
    std::vector<Turn> turns;
    std::unique_ptr<double[]> where;
    std::unique_ptr<int64_t[]> before, after;
    {
        Unlocked unlocked;
        turns = envelope_turns({offsets.data(), n}, {slopes.data(), n}, {starts.data(), sentences}, first.get());
        where = std::make_unique_for_overwrite<double[]>(turns.size() + 1);
        before = std::make_unique_for_overwrite<int64_t[]>(turns.size() + 1);
        after = std::make_unique_for_overwrite<int64_t[]>(turns.size() + 1);
        for (size_t i = 0; i < turns.size(); ++i) {
            where[i] = turns[i].where;
            before[i] = turns[i].before;
            after[i] = turns[i].after;
        }
    }
    const size_t k = turns.size();
    return nb::make_tuple(numbers_out(std::move(first), sentences - 1), scores_out(std::move(where), k),
                          numbers_out(std::move(before), k), numbers_out(std::move(after), k));
}

// Walks through the exchanges, row before[j] for row after[j], and stops after the first ends[i] of them; `ends` ascend.
template <class Exchange, class Stop>
void walk(const GroupsIn& before, const GroupsIn& after, const GroupsIn& ends, Exchange&& exchange, Stop&& stop) {
    size_t done = 0;
    for (size_t i = 0; i < ends.shape(0); ++i) {
        const int64_t end = ends.data()[i];
        if (end < int64_t(done) || end > int64_t(before.shape(0))) throw std::out_of_range("there are fewer exchanges");
        for (; done < size_t(end); ++done) exchange(before.data()[done], after.data()[done]);
        stop(i);
    }
}

// The sums of the rows `first` after exchanges.
RowsOut exchanged(const RowsIn& rows, const GroupsIn& first, const GroupsIn& before, const GroupsIn& after,
                  const GroupsIn& ends) {
    const size_t n = rows.shape(0), k = rows.shape(1), wanted = ends.shape(0);
    same_length(before.shape(0), after.shape(0));
    auto memory = std::make_unique_for_overwrite<int64_t[]>(wanted * k + 1);
    {
        Unlocked unlocked;
        Poller poller;
        std::vector<uint64_t> sum(k, 0);
        const auto row = [&](int64_t i) {
            if (i < 0 || size_t(i) >= n) throw std::out_of_range("there is no row with that number");
            poller(k);
            return rows.data() + size_t(i) * k;
        };
        for (size_t i = 0; i < first.shape(0); ++i) {
            const int64_t* more = row(first.data()[i]);
            for (size_t j = 0; j < k; ++j) sum[j] += uint64_t(more[j]);
        }
        walk(
            before, after, ends,
            [&](int64_t gone, int64_t come) {
                const int64_t *less = row(gone), *more = row(come);
                for (size_t j = 0; j < k; ++j) sum[j] += uint64_t(more[j]) - uint64_t(less[j]);
            },
            [&](size_t i) {
                for (size_t j = 0; j < k; ++j) memory[i * k + j] = int64_t(sum[j]);
            });
    }
    return rows_out(std::move(memory), wanted, k);
}

ScoresOut exchanged_type_scores(const TypeRows& rows, const GroupsIn& first, const GroupsIn& before, const GroupsIn& after,
                                const GroupsIn& ends, double beta, bool micro, double k) {
    same_length(before.shape(0), after.shape(0));
    const size_t wanted = ends.shape(0);
    auto memory = std::make_unique_for_overwrite<double[]>(wanted + 1);
    {
        Unlocked unlocked;
        TypeExchanges sums(rows, {beta, micro, k});
        for (size_t i = 0; i < first.shape(0); ++i) sums.add(first.data()[i]);
        walk(
            before, after, ends,
            [&](int64_t gone, int64_t come) {
                sums.remove(gone);
                sums.add(come);
            },
            [&](size_t i) { memory[i] = sums.score(); });
    }
    return scores_out(std::move(memory), wanted);
}

}  // namespace

void bind_tuning(nb::module_& module) {
    using namespace nb::literals;
    module.def("envelopes", &envelopes, "offsets"_a, "slopes"_a, "starts"_a);
    module.def("exchanged", &exchanged, "rows"_a, "first"_a, "before"_a, "after"_a, "ends"_a);
    module.def("exchanged_type_scores", &exchanged_type_scores, "rows"_a, "first"_a, "before"_a, "after"_a, "ends"_a, "beta"_a,
               "micro"_a, "k"_a);
}

}  // namespace tertium
