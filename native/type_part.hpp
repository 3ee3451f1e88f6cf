// What a type adds to a mean over types, in fixed point: sums are exact, so that the order of types cannot matter.
#pragma once

#include "exact_sum.hpp"
#include "types.hpp"

namespace tertium {

struct TypePart {
    __int128 f = 0, weight = 0;
    TypePart& operator+=(const TypePart& other) { return f += other.f, weight += other.weight, *this; }
    TypePart& operator-=(const TypePart& other) { return f -= other.f, weight -= other.weight, *this; }
    double quotient() const { return weight > 0 ? 100.0 * (from_fixed(f) / from_fixed(weight)) : std::nan(""); }
};

inline TypePart type_part(const TypeCounts& c, const TypeOptions& options) {
    const double weight = options.micro ? double(c.reference) + options.k : 1.0;
    return {to_fixed(weight * type_f(c, options.beta * options.beta)), to_fixed(weight)};
}

}  // namespace tertium
