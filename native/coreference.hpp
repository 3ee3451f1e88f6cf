// Rows of coreference: chains of a hypothesis, projected to its reference through links between words, against the chains of
// the reference, by all measures (stats/coreference.py says what they are). Sums are taken in the order that it has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "mention_chains.hpp"
#include "sentence_links.hpp"

namespace tertium {

// The greatest sum of gains, each row and each column used at most once (Kuhn 1955, by shortest paths).
inline double best_assignment(std::vector<std::vector<double>> gains) {
    if (gains.size() > gains[0].size()) {
        std::vector<std::vector<double>> turned(gains[0].size(), std::vector<double>(gains.size()));
        for (size_t i = 0; i < gains.size(); ++i)
            for (size_t j = 0; j < gains[0].size(); ++j) turned[j][i] = gains[i][j];
        gains = std::move(turned);
    }
    const size_t n = gains.size(), m = gains[0].size();
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::vector<double> rows(n + 1, 0.0), columns(m + 1, 0.0);  // prices
    std::vector<size_t> owner(m + 1, 0);
    for (size_t i = 1; i <= n; ++i) {
        size_t column = 0;
        owner[0] = i;
        std::vector<double> least(m + 1, kFar);
        std::vector<size_t> before(m + 1, 0);
        std::vector<uint8_t> used(m + 1, 0);
        while (owner[column]) {
            used[column] = 1;
            const size_t row = owner[column];
            double delta = kFar;
            size_t following = 0;
            for (size_t j = 1; j <= m; ++j) {
                if (used[j]) continue;
                const double cost = -gains[row - 1][j - 1] - rows[row] - columns[j];
                if (cost < least[j]) {
                    least[j] = cost;
                    before[j] = column;
                }
                if (least[j] < delta) {
                    delta = least[j];
                    following = j;
                }
            }
            for (size_t j = 0; j <= m; ++j)
                if (used[j]) {
                    rows[owner[j]] += delta;
                    columns[j] -= delta;
                } else {
                    least[j] -= delta;
                }
            column = following;
        }
        for (; column; column = before[column]) owner[column] = owner[before[column]];
    }
    double sum = 0.0;
    for (size_t j = 1; j <= m; ++j)
        if (owner[j]) sum += gains[owner[j] - 1][j - 1];
    return sum;
}

// Chains of mentions that have numbers: equal mentions have one.
using NumberedChains = std::vector<std::vector<uint32_t>>;

class CoreferenceRow {
public:
    // b-cubed, muc, ceaf-m, ceaf-e, lea, mentions, links, non-links: each as part and whole of recall and of precision; then
    // whether there is anything, and whether both sides are one and the same mention.
    static constexpr size_t kMeasures = 8, kValues = 4 * kMeasures + 2;

    void operator()(const NumberedChains& key, const NumberedChains& response, uint32_t numbers, double* row) {
        const NumberedChains* const sides[2] = {&key, &response};
        std::vector<uint32_t> of[2];  // the chain of every mention, the last where one is in several
        for (size_t side = 0; side < 2; ++side) {
            of[side].assign(numbers, kNone);
            for (uint32_t chain = 0; chain < sides[side]->size(); ++chain)
                for (const uint32_t mention : (*sides[side])[chain]) of[side][mention] = chain;
        }
        Shared shared[2];
        for (size_t side = 0; side < 2; ++side)
            for (const auto& chain : *sides[side]) {
                auto& own = shared[side].emplace_back();
                for (const uint32_t mention : chain)
                    if (const uint32_t place = of[1 - side][mention]; place != kNone) {
                        const auto known = std::find_if(own.begin(), own.end(), [&](auto& one) { return one.first == place; });
                        if (known == own.end()) own.emplace_back(place, 1);
                        else ++known->second;
                    }
            }
        double sizes[2] = {0, 0};
        for (size_t side = 0; side < 2; ++side)
            for (const auto& chain : *sides[side]) sizes[side] += double(chain.size());
        double by_mentions = 0.0, by_entities = 0.0;
        ceaf(key, response, shared[0], by_mentions, by_entities);
        int64_t common = 0, known[2] = {0, 0};
        std::vector<std::pair<uint32_t, uint32_t>> both;
        for (uint32_t mention = 0; mention < numbers; ++mention) {
            const bool here = of[0][mention] != kNone, there = of[1][mention] != kNone;
            known[0] += here;
            known[1] += there;
            if (!here || !there) continue;
            ++common;
            both.emplace_back(of[0][mention], of[1][mention]);
        }
        std::sort(both.begin(), both.end());
        const int64_t linked = groups(both, [](auto& one) { return one; });
        const int64_t ours = groups(both, [](auto& one) { return one.first; });
        std::sort(both.begin(), both.end(), [](auto& a, auto& b) { return a.second < b.second; });
        const int64_t theirs = groups(both, [](auto& one) { return one.second; });
        const int64_t unlinked = links(common) - ours - theirs + linked;
        for (size_t side = 0; side < 2; ++side) {
            const NumberedChains& chains = *sides[side];
            const auto put = [&](size_t measure, double part, double whole) {
                row[4 * measure + 2 * side] = part;
                row[4 * measure + 2 * side + 1] = whole;
            };
            double cubed = 0.0, lea = 0.0;
            int64_t muc = 0, corefer = 0;
            for (size_t chain = 0; chain < chains.size(); ++chain) {
                const int64_t length = int64_t(chains[chain].size());
                int64_t squares = 0, pairs = 0;
                bool single = false;
                for (const auto& [place, n] : shared[side][chain]) {
                    squares += n * n;
                    pairs += links(n);
                    muc += n - 1;
                    single = single || (*sides[1 - side])[place].size() == 1;
                }
                cubed += double(squares) / double(length);
                lea += length == 1 ? double(single) : double(length * pairs) / double(links(length));
                corefer += links(distinct(chains[chain]));
            }
            put(0, cubed, sizes[side]);
            put(1, double(muc), sizes[side] - double(chains.size()));
            put(2, by_mentions, sizes[side]);
            put(3, by_entities, double(chains.size()));
            put(4, lea, sizes[side]);
            put(5, double(common), double(known[side]));
            put(6, double(linked), double(corefer));
            put(7, double(unlinked), double(links(known[side]) - corefer));
        }
        row[4 * kMeasures] = !key.empty() || !response.empty();
        row[4 * kMeasures + 1] = known[0] == 1 && known[1] == 1 && common == 1;
    }

private:
    static constexpr uint32_t kNone = 0xFFFFFFFFu;
    using Shared = std::vector<std::vector<std::pair<uint32_t, int64_t>>>;  // of each chain: a chain of the others, how many

    static int64_t links(int64_t n) { return n * (n - 1) / 2; }
    static int64_t distinct(std::vector<uint32_t> chain) {
        std::sort(chain.begin(), chain.end());
        return std::unique(chain.begin(), chain.end()) - chain.begin();
    }
    // Pairs of mentions in one group, of sorted ones.
    template <class Group>
    static int64_t groups(const std::vector<std::pair<uint32_t, uint32_t>>& sorted, Group&& group) {
        int64_t sum = 0;
        for (size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
            while (end < sorted.size() && group(sorted[end]) == group(sorted[begin])) ++end;
            sum += links(int64_t(end - begin));
        }
        return sum;
    }

    // Each connected group of chains is a problem of its own, and most are small.
    static void ceaf(const NumberedChains& key, const NumberedChains& response, const Shared& shared, double& by_mentions,
                     double& by_entities) {
        std::vector<std::vector<uint32_t>> of_column(response.size());
        for (uint32_t row = 0; row < shared.size(); ++row)
            for (const auto& [column, n] : shared[row]) of_column[column].push_back(row);
        std::vector<uint8_t> seen(shared.size(), 0);
        for (uint32_t first = 0; first < shared.size(); ++first) {
            if (seen[first] || shared[first].empty()) continue;
            std::vector<uint32_t> rows{first}, columns;
            seen[first] = 1;
            for (size_t at = 0; at < rows.size(); ++at)
                for (const auto& [column, n] : shared[rows[at]]) {
                    columns.push_back(column);
                    for (const uint32_t other : of_column[column])
                        if (!seen[other]) {
                            seen[other] = 1;
                            rows.push_back(other);
                        }
                }
            std::sort(rows.begin(), rows.end());
            std::sort(columns.begin(), columns.end());
            columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
            std::vector<std::vector<double>> counts, dice;
            for (const uint32_t row : rows) {
                auto& own = counts.emplace_back(columns.size(), 0.0);
                for (const auto& [column, n] : shared[row])
                    own[size_t(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin())] = double(n);
                auto& alike = dice.emplace_back();
                for (size_t k = 0; k < columns.size(); ++k)
                    alike.push_back(2 * own[k] / double(key[row].size() + response[columns[k]].size()));
            }
            const bool single = rows.size() == 1 && columns.size() == 1;
            by_mentions += single ? counts[0][0] : best_assignment(counts);
            by_entities += single ? dice[0][0] : best_assignment(dice);
        }
    }
};

// The chains of both texts with numbers for their mentions. A mention of the hypothesis stands for the one of the reference
// that has exactly the words its own are linked to; with `overlap`, for the one with which these have most in common (Dice's
// coefficient; the largest first, one to one). One without such a counterpart stands for itself.
class Projection {
public:
    NumberedChains key, response;
    uint32_t numbers = 0;

    void operator()(const MentionChains& own, const MentionChains& reference, const TextLinks& links, size_t t, bool overlap) {
        Mentions theirs(reference, t, key), ours(own, t, response);
        std::unordered_map<uint32_t, uint32_t> target;
        for (int64_t k = links.starts[t]; k < links.starts[t + 1]; ++k) target[links.ours[size_t(k)]] = links.theirs[size_t(k)];
        std::unordered_map<uint32_t, std::vector<uint32_t>> of_word;
        for (uint32_t other = 0; other < theirs.list.size(); ++other)
            for (const uint32_t word : theirs.list[other]) of_word[word].push_back(other);
        struct Pair {
            double alike;
            uint32_t rank, other_rank, mention, other;
        };
        std::vector<Pair> pairs;
        std::vector<uint32_t> shared;
        for (uint32_t mention = 0; mention < ours.list.size(); ++mention) {
            shared.clear();
            for (const uint32_t word : ours.list[mention]) {
                const auto linked = target.find(word);
                if (linked == target.end()) continue;
                const auto found = of_word.find(linked->second);
                if (found != of_word.end()) shared.insert(shared.end(), found->second.begin(), found->second.end());
            }
            std::sort(shared.begin(), shared.end());
            for (size_t begin = 0, end = 0; begin < shared.size(); begin = end) {
                const uint32_t other = shared[begin];
                while (end < shared.size() && shared[end] == other) ++end;
                const double alike = 2 * double(end - begin) / double(ours.list[mention].size() + theirs.list[other].size());
                if (overlap || alike == 1) pairs.push_back({alike, ours.ranks[mention], theirs.ranks[other], mention, other});
            }
        }
        std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
            if (a.alike != b.alike) return a.alike > b.alike;
            return a.rank != b.rank ? a.rank < b.rank : a.other_rank < b.other_rank;
        });
        const uint32_t n = uint32_t(theirs.list.size());
        std::vector<uint32_t> found(ours.list.size());
        std::vector<uint8_t> placed(ours.list.size(), 0), taken(n, 0);
        for (uint32_t mention = 0; mention < found.size(); ++mention) found[mention] = n + mention;
        for (const Pair& pair : pairs)
            if (!placed[pair.mention] && !taken[pair.other]) {
                placed[pair.mention] = taken[pair.other] = 1;
                found[pair.mention] = pair.other;
            }
        for (auto& chain : response)
            for (uint32_t& mention : chain) mention = found[mention];
        numbers = n + uint32_t(found.size());
    }

private:
    // Distinct mentions of a text, in the order in which they first occur, and their order as lists of words.
    struct Mentions {
        std::vector<std::span<const uint32_t>> list;
        std::vector<uint32_t> ranks;

        Mentions(const MentionChains& chains, size_t t, NumberedChains& numbered) {
            const size_t first = chains.chains[chains.texts[t]], end = chains.chains[chains.texts[t + 1]];
            const auto less = [&](uint32_t a, uint32_t b) {
                const auto one = chains.mention(first + a), other = chains.mention(first + b);
                return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
            };
            std::vector<uint32_t> order(end - first), number(end - first);
            for (uint32_t n = 0; n < order.size(); ++n) order[n] = n;
            std::stable_sort(order.begin(), order.end(), less);
            std::vector<uint32_t> earliest(order.size());  // the first of those that are equal
            for (size_t n = 0; n < order.size(); ++n)
                earliest[order[n]] = n > 0 && !less(order[n - 1], order[n]) ? earliest[order[n - 1]] : order[n];
            for (uint32_t n = 0; n < order.size(); ++n) {
                if (earliest[n] == n) {
                    number[n] = uint32_t(list.size());
                    list.push_back(chains.mention(first + n));
                } else {
                    number[n] = number[earliest[n]];
                }
            }
            ranks.resize(list.size());
            uint32_t rank = 0;
            for (const uint32_t n : order)
                if (earliest[n] == n) ranks[number[n]] = rank++;
            numbered.clear();
            for (size_t chain = chains.texts[t]; chain < chains.texts[t + 1]; ++chain) {
                auto& own = numbered.emplace_back();
                for (size_t mention = chains.chains[chain]; mention < chains.chains[chain + 1]; ++mention)
                    own.push_back(number[mention - first]);
            }
        }
    };
};

}  // namespace tertium
