// Statistics over pairs of scores: Kendall's counts, tie calibration, shuffles of two metrics.
#include "bind.hpp"
#include "pair_counts.hpp"
#include "swap_counts.hpp"
#include "tie_calibration.hpp"

namespace tertium {

namespace {

using ScoresIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WordsIn = nb::ndarray<const uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

size_t checked_groups(const ScoresIn& gold, const ScoresIn& metric, const GroupsIn& starts) {
    if (gold.shape(0) != metric.shape(0)) throw nb::value_error("the numbers of gold and metric scores differ");
    if (starts.shape(0) == 0 || starts.data()[0] != 0) throw nb::value_error("groups must start at 0");
    const size_t groups = starts.shape(0) - 1;
    for (size_t g = 0; g < groups; ++g)
        if (starts.data()[g + 1] < starts.data()[g]) throw nb::value_error("groups must not overlap");
    if (size_t(starts.data()[groups]) != gold.shape(0)) throw nb::value_error("groups must end where the scores end");
    return groups;
}

}  // namespace

void bind_pairs(nb::module_& module) {
    module.def(
        "pair_counts",  // groups x (concordant, discordant, tied by gold, by the metric, by both)
        [](const ScoresIn& gold, const ScoresIn& metric, const GroupsIn& starts, double epsilon) {
            const size_t groups = checked_groups(gold, metric, starts);
            auto memory = std::make_unique<int64_t[]>(groups * 5 + 1);
            {
                Unlocked unlocked;
                PairCounter counter;
                for (size_t g = 0; g < groups; ++g) {
                    poll();
                    const int64_t begin = starts.data()[g], end = starts.data()[g + 1];
                    const PairCounts found =
                        counter.count(gold.data() + begin, metric.data() + begin, size_t(end - begin), epsilon);
                    int64_t* row = memory.get() + g * 5;
                    row[0] = found.concordant;
                    row[1] = found.discordant;
                    row[2] = found.gold_ties;
                    row[3] = found.metric_ties;
                    row[4] = found.both_ties;
                }
            }
            return rows_out(std::move(memory), groups, 5);
        },
        nb::arg("gold"), nb::arg("metric"), nb::arg("starts"), nb::arg("epsilon"));

    module.def(
        "calibrate_ties",  // (epsilon, right pairs with it, right pairs without), pairs of a group times its weight
        [](const ScoresIn& gold, const ScoresIn& metric, const GroupsIn& starts, const GroupsIn& weights) {
            const size_t groups = checked_groups(gold, metric, starts);
            same_length(weights.shape(0), groups);
            Calibration found;
            {
                Unlocked unlocked;
                found = TieCalibration(gold.data(), metric.data(), starts.data(), groups, weights.data()).search();
            }
            return nb::make_tuple(found.epsilon, found.best, found.exact);
        },
        nb::arg("gold"), nb::arg("metric"), nb::arg("starts"), nb::arg("weights"));

    module.def(
        "swap_counts",  // (shuffles x groups) rows of 2 metrics x (concordant, discordant, tied by both)
        [](const ScoresIn& gold, const ScoresIn& first, const ScoresIn& second, const GroupsIn& starts, double first_epsilon,
           double second_epsilon, const WordsIn& masks, size_t shuffles) {
            const size_t groups = checked_groups(gold, first, starts), words = masks.shape(1);
            checked_groups(gold, second, starts);
            if (masks.shape(0) != gold.shape(0)) throw nb::value_error("there must be a row of bits for each score");
            if (shuffles > 64 * words || shuffles + 64 <= 64 * words) throw nb::value_error("bits and shuffles do not match");
            constexpr size_t columns = 2 * kSwapColumns;
            auto memory = std::make_unique_for_overwrite<int64_t[]>(shuffles * groups * columns + 1);
            {
                Unlocked unlocked;
                swap_counts(gold.data(), first.data(), second.data(), starts.data(), groups, first_epsilon, second_epsilon,
                            masks.data(), words, shuffles, memory.get());
            }
            return rows_out(std::move(memory), shuffles * groups, columns);
        },
        nb::arg("gold"), nb::arg("first"), nb::arg("second"), nb::arg("starts"), nb::arg("first_epsilon"),
        nb::arg("second_epsilon"), nb::arg("masks"), nb::arg("shuffles"));
}

}  // namespace tertium
