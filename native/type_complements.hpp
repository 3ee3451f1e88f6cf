// The sum of all type rows but one, for every row: what MacroF and MicroF would be without a segment. Only the types of
// the left-out segment are touched, so that all of it takes time linear in the corpus.
#pragma once

#include <memory>
#include <utility>

#include "interrupts.hpp"
#include "types.hpp"

namespace tertium {

class TypeComplements {
public:
    explicit TypeComplements(std::shared_ptr<const TypeRows> rows) : rows_(std::move(rows)), sums_(rows_->vocabulary->size()) {
        for (size_t e = 0; e < rows_->types.size(); ++e) {
            TypeCounts& sum = sums_[rows_->types[e]];
            sum.predicted += rows_->counts[e].predicted;
            sum.reference += rows_->counts[e].reference;
            sum.matched += rows_->counts[e].matched;
        }
    }
    size_t size() const { return rows_->size(); }

    // In percent, as type_score has it. Sums are exact, so taking a type's part out and putting another in leaves the
    // same bits as adding up all types anew.
    void scores(const TypeOptions& options, double* out) const {
        Parts all;
        std::vector<Parts> of_type(sums_.size());
        for (size_t type = 0; type < sums_.size(); ++type) {
            of_type[type] = part(sums_[type], options);
            all.sum += of_type[type].sum;
            all.weights += of_type[type].weights;
        }
        for (size_t row = 0; row < size(); ++row) {
            poll();
            Parts rest = all;
            for (int64_t e = rows_->starts[row]; e < rows_->starts[row + 1]; ++e) {
                const uint32_t type = rows_->types[e];
                TypeCounts left = sums_[type];
                left.predicted -= rows_->counts[e].predicted;
                left.reference -= rows_->counts[e].reference;
                left.matched -= rows_->counts[e].matched;
                const Parts now = part(left, options);
                rest.sum += now.sum - of_type[type].sum;
                rest.weights += now.weights - of_type[type].weights;
            }
            out[row] = rest.weights > 0 ? 100.0 * (from_fixed(rest.sum) / from_fixed(rest.weights)) : std::nan("");
        }
    }

private:
    struct Parts {
        __int128 sum = 0, weights = 0;
    };
    // What a type adds to the mean; nothing when it stands nowhere any more: it has left the vocabulary.
    static Parts part(const TypeCounts& c, const TypeOptions& options) {
        if (c.predicted + c.reference == 0) return {};
        const double weight = options.micro ? double(c.reference) + options.k : 1.0;
        return {to_fixed(weight * type_f(c, options.beta * options.beta)), to_fixed(weight)};
    }
    std::shared_ptr<const TypeRows> rows_;
    std::vector<TypeCounts> sums_;
};

}  // namespace tertium
