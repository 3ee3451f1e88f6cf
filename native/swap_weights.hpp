// What each segment adds to the difference of two systems by a mean over word types, for tests that swap outputs. A
// segment is seen from halfway between the two: all other segments have the mean of both systems' counts, which no swap
// changes. So what a segment adds only changes its sign when its outputs change sides, whatever the other segments do, and
// a thousand shuffles of all pairs of systems are sums of signed numbers.
#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "interrupts.hpp"
#include "types.hpp"

namespace tertium {

class SwapWeights {
public:
    static constexpr int kBits = 40;  // after the binary point: whole numbers add exactly

    SwapWeights(const std::vector<std::shared_ptr<TypeRows>>& systems, const TypeOptions& options)
        : options_(options), beta_squared_(options.beta * options.beta) {
        Vocabulary all;
        for (const auto& rows : systems) {
            if (rows->size() != systems[0]->size()) throw std::invalid_argument("the numbers of rows differ");
            std::vector<uint32_t> number(rows->vocabulary->size(), TypeRows::kNone);
            System& own = systems_.emplace_back(System{rows.get(), {}, {}});
            own.types.reserve(rows->types.size());
            for (size_t e = 0; e < rows->types.size(); ++e) {
                uint32_t& mapped = number[rows->types[e]];
                if (mapped == TypeRows::kNone) mapped = all.add((*rows->vocabulary)[rows->types[e]]);
                own.types.push_back(mapped);
                if (mapped >= own.totals.size()) own.totals.resize(mapped + 1);
                own.totals[mapped].add(rows->counts[e], 1);
            }
        }
        for (System& own : systems_) own.totals.resize(all.size());
        beside_.resize(all.size());
    }

    // For each segment, in units of 2**-kBits: the first of two systems minus the second; `step` apart.
    void pair(size_t first, size_t second, int64_t* out, size_t step) {
        const System &a = systems_.at(first), &b = systems_.at(second);
        Part whole;
        for (size_t type = 0; type < beside_.size(); ++type) whole += part(halfway(a.totals[type], b.totals[type]));
        std::vector<uint32_t> seen;
        for (size_t i = 0; i < a.rows->size(); ++i, out += step) {
            poll();
            seen.clear();
            for (int64_t e = a.rows->starts[i]; e < a.rows->starts[i + 1]; ++e) {
                beside_[a.types[e]].first = a.rows->counts[e];
                seen.push_back(a.types[e]);
            }
            for (int64_t e = b.rows->starts[i]; e < b.rows->starts[i + 1]; ++e) {
                Both& both = beside_[b.types[e]];
                both.second = b.rows->counts[e];
                if ((both.first.predicted | both.first.reference) == 0) seen.push_back(b.types[e]);
            }
            Part change;
            for (const uint32_t type : seen) {
                const auto [left, right] = std::exchange(beside_[type], {});
                if (left.predicted == right.predicted && left.matched == right.matched) continue;
                Counts others = halfway(a.totals[type], b.totals[type]);
                others.add(left, -0.5), others.add(right, -0.5);
                Counts ours = others, theirs = others;
                ours.add(left, 1), theirs.add(right, 1);
                change += part(ours) -= part(theirs);
            }
            const double moved = whole.weight > 0 ? (change.f - whole.f / whole.weight * change.weight) / whole.weight : 0.0;
            *out = std::llround(std::ldexp(100.0 * moved, kBits));
        }
    }

private:
    struct System {
        const TypeRows* rows;
        std::vector<uint32_t> types;  // in the numbering of all systems
        std::vector<TypeSum> totals;
    };
    struct Both {
        TypeCounts first, second;
    };
    struct Counts {
        double predicted = 0, reference = 0, matched = 0;
        void add(const TypeCounts& c, double times) {
            predicted += times * c.predicted, reference += times * c.reference, matched += times * c.matched;
        }
    };
    struct Part {
        double f = 0, weight = 0;
        Part& operator+=(const Part& other) { return f += other.f, weight += other.weight, *this; }
        Part& operator-=(const Part& other) { return f -= other.f, weight -= other.weight, *this; }
    };
    static Counts halfway(const TypeSum& a, const TypeSum& b) {
        return {0.5 * double(a.predicted + b.predicted), 0.5 * double(a.reference + b.reference),
                0.5 * double(a.matched + b.matched)};
    }
    // As `type_score`'s, where half a word is half there.
    Part part(const Counts& c) const {
        const double there = std::min(1.0, c.predicted + c.reference);
        const double weight = options_.micro ? c.reference + options_.k * there : there;
        const double among = beta_squared_ * c.reference + c.predicted;
        return {c.matched > 0 ? weight * (1.0 + beta_squared_) * c.matched / among : 0.0, weight};
    }

    TypeOptions options_;
    double beta_squared_;
    std::vector<System> systems_;
    std::vector<Both> beside_;  // of the segment that is looked at
};

}  // namespace tertium
