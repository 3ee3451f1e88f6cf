// BLEU as older programs compute it from the same counts: mteval-v13a, and Moses' sentence-bleu. All in percent.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tertium {

// The k-th order without a match counts 1/2^k matches; an order without hypothesis n-grams counts as precision 1, and
// still takes part in the mean. So a hypothesis that matches nothing scores above 0. `precisions` may be null.
inline double mteval_bleu_score(const int64_t* totals, int order, bool smooth, double* precisions) {
    const double length = double(totals[0]), reference = double(totals[1]);
    const int64_t* matches = totals + 2;
    const int64_t* counts = matches + order;
    double logs = 0.0, halvings = 1.0;
    for (int n = 0; n < order; ++n) {
        double precision = 1.0;
        if (!smooth) {
            precision = matches[n] > 0 ? double(matches[n]) / double(counts[n]) : 0.0;
        } else if (counts[n] > 0) {
            if (matches[n] == 0) halvings *= 2.0;
            precision = matches[n] > 0 ? double(matches[n]) / double(counts[n]) : 1.0 / (halvings * double(counts[n]));
        }
        if (precisions) precisions[n] = 100.0 * precision;
        logs += std::log(precision);  // log 0 is -inf, and the score 0
    }
    if (length == 0) return 0.0;
    return 100.0 * std::exp(logs / order) * std::exp(std::min(0.0, 1.0 - reference / length));
}

// One is added to matches and counts of all orders; the brevity penalty is the plain one. Of an empty hypothesis the
// penalty is 0, except that nothing against nothing is a full match.
inline double sentence_bleu_score(const int64_t* row, int order) {
    const double length = double(row[0]), reference = double(row[1]);
    const int64_t* matches = row + 2;
    const int64_t* counts = matches + order;
    if (length == 0 && reference > 0) return 0.0;
    double logs = 0.0;
    for (int n = 0; n < order; ++n) logs += std::log((double(matches[n]) + 1.0) / (double(counts[n]) + 1.0));
    logs /= order;
    if (length > 0) logs += std::min(0.0, 1.0 - reference / length);
    return 100.0 * std::exp(logs);
}

}  // namespace tertium
