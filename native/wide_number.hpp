// Numbers that are not negative and never too large: kernels over trees grow with the number of subtrees, 2^n and more.
#pragma once

#include <cmath>
#include <cstdint>

namespace tertium {

// m times 2^(512 e), m from 2^-256 to 2^256, or nothing at all. As exact as a double.
struct WideNumber {
    double m = 0;
    int64_t e = 0;

    WideNumber() = default;
    WideNumber(double value) : m(value) { settle(); }

    WideNumber operator*(const WideNumber& other) const {
        WideNumber made;
        made.m = m * other.m;
        made.e = e + other.e;
        made.settle();
        return made;
    }
    WideNumber operator+(const WideNumber& other) const {
        if (m == 0) return other;
        if (other.m == 0) return *this;
        const WideNumber &large = e < other.e ? other : *this, &small = e < other.e ? *this : other;
        WideNumber made = large;
        if (large.e == small.e) made.m += small.m;
        else if (large.e == small.e + 1) made.m += small.m * kDown;
        made.settle();
        return made;
    }

private:
    static constexpr double kUp = 0x1p512, kDown = 0x1p-512, kMost = 0x1p256, kLeast = 0x1p-256;
    void settle() {
        if (m >= kMost) m *= kDown, ++e;
        else if (m != 0 && m < kLeast) m *= kUp, --e;
    }
};

inline double log_of(double value) { return std::log(value); }
inline double log_of(const WideNumber& value) { return std::log(value.m) + double(value.e) * 512 * std::log(2.0); }

inline bool overflown(double value) { return !(value < 0x1p1000); }
inline bool overflown(const WideNumber&) { return false; }

}  // namespace tertium
