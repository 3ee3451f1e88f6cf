// Exact line search over lists of candidates (Och 2003; Macherey et al. 2008). The score of a candidate along a line of
// weights is offset + x slope: of each sentence the highest such line counts, and where it turns into another one, the
// choice changes. Turns of all sentences in ascending order, and the sums of rows between them, give the score everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

struct Turn {
    double where;
    int64_t sentence, before, after;  // the candidates chosen on either side
};

// Of one sentence: the candidates of [begin, end) that are highest somewhere, from x = -infinity on.
class UpperEnvelope {
public:
    UpperEnvelope(std::span<const double> offsets, std::span<const double> slopes) : offsets_(offsets), slopes_(slopes) {}

    // The choice at -infinity; turns are added to `turns`. Of equal lines the first candidate is taken.
    int64_t operator()(int64_t sentence, int64_t begin, int64_t end, std::vector<Turn>& turns) {
        order_.clear();
        for (int64_t i = begin; i < end; ++i) order_.push_back(i);
        std::sort(order_.begin(), order_.end(), [this](int64_t a, int64_t b) {
            if (slopes_[a] != slopes_[b]) return slopes_[a] < slopes_[b];
            if (offsets_[a] != offsets_[b]) return offsets_[a] > offsets_[b];
            return a < b;
        });
        hull_.clear();
        double slope = 0;
        for (const int64_t candidate : order_) {
            if (!hull_.empty() && slopes_[candidate] == slope) continue;  // as steep as a higher one
            slope = slopes_[candidate];
            double from = -std::numeric_limits<double>::infinity();
            while (!hull_.empty()) {
                const int64_t top = hull_.back().candidate;
                from = (offsets_[top] - offsets_[candidate]) / (slopes_[candidate] - slopes_[top]);
                if (from > hull_.back().from) break;
                hull_.pop_back();
                from = -std::numeric_limits<double>::infinity();
            }
            if (from < std::numeric_limits<double>::infinity()) hull_.push_back({from, candidate});
        }
        for (size_t i = 1; i < hull_.size(); ++i)
            turns.push_back({hull_[i].from, sentence, hull_[i - 1].candidate, hull_[i].candidate});
        return hull_.front().candidate;
    }

private:
    struct Piece {
        double from;
        int64_t candidate;
    };
    std::span<const double> offsets_, slopes_;
    std::vector<int64_t> order_;
    std::vector<Piece> hull_;
};

inline std::vector<Turn> envelope_turns(std::span<const double> offsets, std::span<const double> slopes,
                                        std::span<const int64_t> starts, int64_t* first) {
    std::vector<Turn> turns;
    UpperEnvelope envelope(offsets, slopes);
    Poller poller;
    for (size_t s = 0; s + 1 < starts.size(); ++s) {
        first[s] = envelope(int64_t(s), starts[s], starts[s + 1], turns);
        poller(size_t(starts[s + 1] - starts[s]) * 16);
    }
    std::sort(turns.begin(), turns.end(),
              [](const Turn& a, const Turn& b) { return a.where != b.where ? a.where < b.where : a.sentence < b.sentence; });
    return turns;
}

}  // namespace tertium
