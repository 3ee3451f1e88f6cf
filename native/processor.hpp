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

}  // namespace tertium
