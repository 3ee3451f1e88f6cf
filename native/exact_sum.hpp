// Real numbers that add exactly. A double becomes four 32-bit digits of a fixed-point number with
// 80 bits behind the point, each held in an int64: sums of digits are sums of integers, so any
// grouping, thread count or shard order gives the same bits, and the total is rounded once, at the end.
// Bits below 2^-80 (8e-25) are rounded away on the way in.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace tertium {

constexpr int kDigits = 4;

inline __int128 to_fixed(double value) {
    if (!(std::fabs(value) < 0x1p46)) throw std::invalid_argument("a statistic is not a finite number below 2**46");
    const uint64_t bits = std::bit_cast<uint64_t>(value);
    const int exponent = int(bits >> 52 & 0x7FF);
    const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFull) | uint64_t(exponent != 0) << 52;
    const int shift = (exponent ? exponent : 1) - 1075 + 80;
    __int128 fixed = 0;
    if (shift >= 0) fixed = static_cast<__int128>(mantissa) << shift;
    else if (shift > -54)
        fixed = (mantissa + (uint64_t(1) << (-shift - 1))) >> -shift;  // to the nearest, halves away from zero
    return bits >> 63 ? -fixed : fixed;
}
inline double from_fixed(__int128 value) { return std::ldexp(static_cast<double>(value), -80); }

inline void to_digits(double value, int64_t* digits) {
    __int128 fixed = to_fixed(value);
    for (int i = 0; i < kDigits - 1; ++i) {
        digits[i] = int64_t(uint32_t(fixed));
        fixed = (fixed - digits[i]) >> 32;
    }
    digits[kDigits - 1] = int64_t(fixed);
}
inline double from_digits(const int64_t* digits) {
    __int128 carry = 0;
    uint64_t low[kDigits - 1];
    for (int i = 0; i < kDigits - 1; ++i) {
        carry += digits[i];
        low[i] = uint32_t(carry);
        carry >>= 32;
    }
    const __int128 top = carry + digits[kDigits - 1];
    if (top >= -(__int128(1) << 62) && top < (__int128(1) << 62)) {  // all digits but the lowest fit, with a sign
        const __int128 high = top * (__int128(1) << 64) + __int128(low[2] << 32 | low[1]);
        if (top >= -(1 << 30) && top < (1 << 30)) return from_fixed(high * (__int128(1) << 32) + low[0]);
        // Large: what the lowest digit holds only decides which way a tie is rounded, so one bit of it is enough.
        return std::ldexp(static_cast<double>(high | (low[0] != 0)), -48);
    }
    throw std::overflow_error("a total is too large to be summed exactly");
}

}  // namespace tertium
