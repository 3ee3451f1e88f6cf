// Scores over types while one row after the other is exchanged: only the types of the two rows are touched, and sums are
// exact, so that the bits are those of adding up all types anew.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "interrupts.hpp"
#include "type_part.hpp"
#include "types.hpp"

namespace tertium {

class TypeExchanges {
public:
    TypeExchanges(const TypeRows& rows, const TypeOptions& options)
        : rows_(rows), options_(options), sums_(rows.vocabulary->size()), parts_(sums_.size()) {}

    void add(int64_t row) { change(row, 1); }
    void remove(int64_t row) { change(row, -1); }
    double score() const { return all_.quotient(); }  // in percent

private:
    void change(int64_t row, int64_t sign) {
        if (row < 0 || size_t(row) >= rows_.size()) throw std::out_of_range("there is no row with that number");
        poller_(size_t(rows_.starts[row + 1] - rows_.starts[row]) * 8);
        for (int64_t e = rows_.starts[row]; e < rows_.starts[row + 1]; ++e) {
            const uint32_t type = rows_.types[e];
            TypeCounts& sum = sums_[type];
            sum.predicted += sign * rows_.counts[e].predicted;
            sum.reference += sign * rows_.counts[e].reference;
            sum.matched += sign * rows_.counts[e].matched;
            all_ -= parts_[type];
            parts_[type] = sum.predicted + sum.reference ? type_part(sum, options_) : TypePart{};
            all_ += parts_[type];
        }
    }

    const TypeRows& rows_;
    TypeOptions options_;
    std::vector<TypeCounts> sums_;
    std::vector<TypePart> parts_;
    TypePart all_;
    Poller poller_;
};

}  // namespace tertium
