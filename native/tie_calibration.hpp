// The margin within which a metric's scores should count as tied, so that its verdicts on pairs agree with gold as often
// as possible (Deutsch, Foster and Freitag 2023). Every difference of two scores is a candidate. Pairs are never held:
// a first pass adds them up by bins of their difference, a second one looks only into bins that can hold the best.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

struct Calibration {
    double epsilon = 0;
    int64_t best = 0;   // weighted number of pairs judged as gold judges them
    int64_t exact = 0;  // the same with a margin of 0
};

class TieCalibration {
public:
    // Items of a group lie between two starts; a pair of group g counts weights[g].
    TieCalibration(const double* gold, const double* metric, const int64_t* starts, size_t groups, const int64_t* weights)
        : gold_(gold), metric_(metric), starts_(starts), groups_(groups), weights_(weights) {}

    Calibration search() const {
        double widest = 0;
        int64_t pairs = 0;
        for (size_t g = 0; g < groups_; ++g) {
            if (starts_[g] == starts_[g + 1]) continue;
            const auto [low, high] = std::minmax_element(metric_ + starts_[g], metric_ + starts_[g + 1]);
            widest = std::max(widest, *high - *low);
            const int64_t size = starts_[g + 1] - starts_[g];
            pairs += size * (size - 1) / 2;
        }
        const size_t bins = size_t(std::clamp<int64_t>(pairs / 64, 64, 1 << 16));
        const double scale = double(bins) / widest;
        const bool spread = scale > 0 && std::isfinite(scale);  // else scores lie too near or too far apart for bins
        auto bin_of = [&](double distance) { return spread ? std::min(bins - 1, size_t(distance * scale)) : 0; };

        std::vector<int64_t> gain(bins), loss(bins);  // pairs that become right or wrong when the margin reaches them
        Calibration found;
        each_pair([&](double distance, int verdict, int64_t weight) {
            if (distance == 0) {
                found.exact += verdict == 0 ? weight : 0;
                return;
            }
            const size_t bin = bin_of(distance);
            if (verdict == 0) gain[bin] += weight;
            if (verdict > 0) loss[bin] += weight, found.exact += weight;
        });
        found.best = found.exact;
        int64_t value = found.exact;
        size_t best_bin = 0;
        bool at_zero = true;
        for (size_t b = 0; b < bins; ++b) {
            value += gain[b] - loss[b];
            if (value > found.best) found.best = value, best_bin = b, at_zero = false;
        }
        // A bin may hold the best inside: more than what its ends show, or as much at a smaller margin.
        std::vector<char> open(bins, 0);
        value = found.exact;
        for (size_t b = 0; b < bins; ++b) {
            const int64_t most = value + gain[b];
            open[b] = gain[b] > 0 && (most > found.best || (most == found.best && !at_zero && b <= best_bin));
            value += gain[b] - loss[b];
        }
        struct Event {
            double distance;
            int64_t change;
        };
        std::vector<Event> events;
        each_pair([&](double distance, int verdict, int64_t weight) {
            if (distance > 0 && verdict >= 0 && open[bin_of(distance)])
                events.push_back({distance, verdict ? -weight : weight});
        });
        std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.distance < b.distance; });
        found.best = found.exact;
        value = found.exact;
        size_t at = 0;
        for (size_t b = 0; b < bins; ++b) {
            if (!open[b]) {
                value += gain[b] - loss[b];
                continue;
            }
            while (at < events.size() && bin_of(events[at].distance) == b) {
                const double distance = events[at].distance;
                for (; at < events.size() && events[at].distance == distance; ++at) value += events[at].change;
                if (value > found.best) found.best = value, found.epsilon = distance;
            }
        }
        return found;
    }

private:
    // Verdict: 1 the metric orders the pair as gold does, -1 the other way, 0 gold ties it. With a distance of 0 the
    // verdict is 0 or -1: a tie of the metric is right only where gold ties too.
    template <class See>
    void each_pair(See&& see) const {
        for (size_t g = 0; g < groups_; ++g) {
            const int64_t weight = weights_[g];
            for (int64_t i = starts_[g]; i < starts_[g + 1]; ++i) {
                poll();
                for (int64_t j = starts_[g]; j < i; ++j) {
                    const double difference = metric_[i] - metric_[j];
                    const int by_gold = (gold_[i] > gold_[j]) - (gold_[i] < gold_[j]);
                    const int by_metric = (difference > 0) - (difference < 0);
                    see(std::fabs(difference), by_gold == 0 ? 0 : by_gold == by_metric ? 1 : -1, weight);
                }
            }
        }
    }

    const double *gold_, *metric_;
    const int64_t* starts_;
    size_t groups_;
    const int64_t* weights_;
};

}  // namespace tertium
