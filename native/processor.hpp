// What the processor at hand can do, asked once.
#pragma once

namespace tertium {

#if defined(__x86_64__)
inline bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
}
#define TERTIUM_AVX2 __attribute__((target("avx2")))
#else
inline bool has_avx2() { return false; }
#define TERTIUM_AVX2
#endif

// Four lanes, each with what the lane before it had; the first gets the first of `in`. The compilers have it under two names.
#if defined(__clang__)
#define TERTIUM_PUSHED(in, lanes) __builtin_shufflevector(in, lanes, 0, 4, 5, 6)
#else
#define TERTIUM_PUSHED(in, lanes) __builtin_shuffle(in, lanes, decltype(lanes){0, 4, 5, 6})
#endif

}  // namespace tertium
