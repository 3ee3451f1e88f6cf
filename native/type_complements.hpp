// The sum of all type rows but one, for every row: what MacroF and MicroF would be without a segment. Only the types of
// the left-out segment are touched, so that all of it takes time linear in the corpus.
#pragma once

#include <memory>
#include <utility>

#include "interrupts.hpp"
#include "type_part.hpp"
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
        TypePart all;
        std::vector<TypePart> of_type(sums_.size());
        for (size_t type = 0; type < sums_.size(); ++type) {
            of_type[type] = part(sums_[type], options);
            all += of_type[type];
        }
        for (size_t row = 0; row < size(); ++row) {
            poll();
            TypePart rest = all;
            for (int64_t e = rows_->starts[row]; e < rows_->starts[row + 1]; ++e) {
                const uint32_t type = rows_->types[e];
                TypeCounts left = sums_[type];
                left.predicted -= rows_->counts[e].predicted;
                left.reference -= rows_->counts[e].reference;
                left.matched -= rows_->counts[e].matched;
                rest += part(left, options);
                rest -= of_type[type];
            }
            out[row] = rest.quotient();
        }
    }

private:
    // What a type adds to the mean; nothing when it stands nowhere any more: it has left the vocabulary.
    static TypePart part(const TypeCounts& c, const TypeOptions& options) {
        return c.predicted + c.reference ? type_part(c, options) : TypePart{};
    }
    std::shared_ptr<const TypeRows> rows_;
    std::vector<TypeCounts> sums_;
};

}  // namespace tertium
