// Clipped n-gram matches by bit masks, for a sequence of at most 2048 symbols against one of any length.
//
// One side is written as masks: for each symbol, the bits of the positions where it stands. The other side
// streams past. The positions where the n-gram that ends at the current symbol ends in the masked side are
//     ends(n) = (ends(n - 1) of the symbol before, shifted by one) AND mask(symbol)
// and each occurrence takes one position that no earlier occurrence has taken. When the stream is over, the
// taken positions are the sum over all n-grams of min(count here, count there). Nothing is hashed.
//
// The vector kernels give each order a lane of 64 bits, so that the orders advance together. (The maskz
// intrinsics with full masks are plain instructions; GCC 12 warns about the plain intrinsics.)
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TERTIUM_X86 1
#include <immintrin.h>
#ifdef __clang__
#define TERTIUM_UNROLL _Pragma("unroll")
#else
#define TERTIUM_UNROLL _Pragma("GCC unroll 8")
#endif
#endif

namespace tertium {

// How n-grams are matched. All ways give the same numbers; `automatic` takes the fastest that this
// processor has, the others are for tests. `interned` is the way of long lines (ngram_intern.hpp).
enum class NgramPath { automatic, scalar, avx2, avx512, interned };

namespace ngram_masks {

constexpr size_t max_words = 32;        // 64-bit words in a mask: beyond, hash tables are faster
constexpr size_t max_order = 32;        // of the scalar kernel
constexpr size_t max_vector_order = 8;  // one lane per order

// There are kernels for these numbers of words per mask: every one that is common, then steps.
constexpr size_t width(size_t words) {
    return words <= 8 ? words : words <= 12 ? 12 : words <= 16 ? 16 : words <= 24 ? 24 : 32;
}

// `masks` has width(words) words per symbol; taken[n] becomes the number of matches of order n + 1.
using Kernel = void (*)(const uint64_t* masks, const uint16_t* stream, size_t length, size_t order, int64_t* taken);

// Only as many orders are advanced as the stream's longest running match can reach.
template <int words>
void scalar_kernel(const uint64_t* masks, const uint16_t* stream, size_t length, size_t order, int64_t* taken) {
    uint64_t ends[max_order][words] = {};
    uint64_t open[max_order][words];
    for (size_t n = 0; n < order; ++n) {
        for (int w = 0; w < words; ++w) open[n][w] = ~uint64_t{0};
    }
    size_t running = 0;  // the order of the longest n-gram that matched at the symbol before
    for (size_t i = 0; i < length; ++i) {
        const uint64_t* mask = masks + size_t{stream[i]} * words;
        size_t matched = 0;
        for (size_t n = std::min(running + 1, order); n-- > 0;) {  // downwards: order n reads the old n - 1
            uint64_t carry = n == 0, any = 0, wanted = ~uint64_t{0};
            for (int w = 0; w < words; ++w) {
                const uint64_t shorter = n ? ends[n - 1][w] : ~uint64_t{0};
                const uint64_t here = (shorter << 1 | carry) & mask[w];
                carry = shorter >> 63;
                ends[n][w] = here;
                any |= here;
                const uint64_t free = here & open[n][w];
                open[n][w] ^= free & (~free + 1) & wanted;
                if (free) wanted = 0;
            }
            if (any) matched = std::max(matched, n + 1);
        }
        running = matched;
    }
    for (size_t n = 0; n < order; ++n) {
        int left = 0;
        for (int w = 0; w < words; ++w) left += std::popcount(open[n][w]);
        taken[n] = 64 * words - left;
    }
}

#ifdef TERTIUM_X86

// `lanes` is 4 or 8: with 8 there are two registers per word, orders 1-4 and 5-8.
template <int words, int lanes>
__attribute__((target("avx2"))) void avx2_kernel(const uint64_t* masks, const uint16_t* stream, size_t length, size_t order,
                                                 int64_t* taken) {
    constexpr int parts = lanes / 4;
    const __m256i ones = _mm256_set1_epi64x(-1);
    const __m256i zero = _mm256_setzero_si256();
    __m256i ends[parts][words], open[parts][words];
    for (int part = 0; part < parts; ++part) {
        for (int w = 0; w < words; ++w) {
            ends[part][w] = zero;
            open[part][w] = ones;
        }
    }
    for (size_t i = 0; i < length; ++i) {
        const uint64_t* row = masks + size_t{stream[i]} * words;
        __m256i carry[parts], wanted[parts];
        for (int part = 0; part < parts; ++part) carry[part] = zero;
        carry[0] = _mm256_set_epi64x(0, 0, 0, 1);
        TERTIUM_UNROLL
        for (int w = 0; w < words; ++w) {
            const __m256i mask = _mm256_set1_epi64x(int64_t(row[w]));
            __m256i below = ones;  // its highest lane enters the lowest lane of this part
            TERTIUM_UNROLL
            for (int part = 0; part < parts; ++part) {
                const __m256i across = _mm256_permute2x128_si256(below, ends[part][w], 0x21);
                const __m256i shorter = _mm256_alignr_epi8(ends[part][w], across, 8);
                below = ends[part][w];
                const __m256i here = _mm256_and_si256(_mm256_or_si256(_mm256_add_epi64(shorter, shorter), carry[part]), mask);
                carry[part] = _mm256_srli_epi64(shorter, 63);
                ends[part][w] = here;
                const __m256i free = _mm256_and_si256(here, open[part][w]);
                __m256i lowest = _mm256_and_si256(free, _mm256_sub_epi64(zero, free));
                if (w > 0) lowest = _mm256_and_si256(lowest, wanted[part]);
                open[part][w] = _mm256_xor_si256(open[part][w], lowest);
                if (w + 1 < words) {
                    const __m256i none = _mm256_cmpeq_epi64(free, zero);
                    wanted[part] = w > 0 ? _mm256_and_si256(wanted[part], none) : none;
                }
            }
        }
    }
    alignas(32) uint64_t left[parts][words][4];
    for (int part = 0; part < parts; ++part) {
        for (int w = 0; w < words; ++w) _mm256_store_si256(reinterpret_cast<__m256i*>(left[part][w]), open[part][w]);
    }
    for (size_t n = 0; n < order; ++n) {
        int free = 0;
        for (int w = 0; w < words; ++w) free += std::popcount(left[n / 4][w][n % 4]);
        taken[n] = 64 * words - free;
    }
}

template <int words>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void avx512_kernel(const uint64_t* masks, const uint16_t* stream,
                                                                                 size_t length, size_t order, int64_t* taken) {
    const __m512i ones = _mm512_set1_epi64(-1);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i first = _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, 1);
    __m512i ends[words], open[words];
    for (int w = 0; w < words; ++w) {
        ends[w] = zero;
        open[w] = ones;
    }
    for (size_t i = 0; i < length; ++i) {
        const uint64_t* row = masks + size_t{stream[i]} * words;
        __m512i carry = first;
        __mmask8 wanted = 0xFF;
        TERTIUM_UNROLL
        for (int w = 0; w < words; ++w) {
            const __m512i mask = _mm512_set1_epi64(int64_t(row[w]));
            const __m512i shorter = _mm512_maskz_alignr_epi64(0xFF, ends[w], ones, 7);
            // (doubled | carry) & mask
            ends[w] = _mm512_ternarylogic_epi64(_mm512_add_epi64(shorter, shorter), carry, mask, 0xA8);
            carry = _mm512_maskz_srli_epi64(0xFF, shorter, 63);
            const __m512i free = _mm512_and_si512(ends[w], open[w]);
            // open & ~(free & -free)
            open[w] = _mm512_mask_ternarylogic_epi64(open[w], wanted, free, _mm512_sub_epi64(zero, free), 0x70);
            if (w + 1 < words) wanted = _mm512_mask_testn_epi64_mask(wanted, free, free);
        }
    }
    alignas(64) uint64_t left[words][8];
    for (int w = 0; w < words; ++w) _mm512_store_si512(left[w], open[w]);
    for (size_t n = 0; n < order; ++n) {
        int free = 0;
        for (int w = 0; w < words; ++w) free += std::popcount(left[w][n]);
        taken[n] = 64 * words - free;
    }
}

#endif  // TERTIUM_X86

template <int words>
Kernel kernel_of_width(NgramPath path, [[maybe_unused]] size_t order) {
#ifdef TERTIUM_X86
    if (path == NgramPath::avx512 && order <= max_vector_order) return avx512_kernel<words>;
    if (path == NgramPath::avx2 && order <= 4) return avx2_kernel<words, 4>;
    if (path == NgramPath::avx2 && order <= max_vector_order) return avx2_kernel<words, 8>;
#endif
    static_cast<void>(path);
    return scalar_kernel<words>;
}

inline Kernel kernel(NgramPath path, size_t order, size_t width) {
    switch (width) {
        case 1: return kernel_of_width<1>(path, order);
        case 2: return kernel_of_width<2>(path, order);
        case 3: return kernel_of_width<3>(path, order);
        case 4: return kernel_of_width<4>(path, order);
        case 5: return kernel_of_width<5>(path, order);
        case 6: return kernel_of_width<6>(path, order);
        case 7: return kernel_of_width<7>(path, order);
        case 8: return kernel_of_width<8>(path, order);
        case 12: return kernel_of_width<12>(path, order);
        case 16: return kernel_of_width<16>(path, order);
        case 24: return kernel_of_width<24>(path, order);
        default: return kernel_of_width<32>(path, order);
    }
}

// The fastest kernels of this processor.
inline NgramPath best_path() {
#ifdef TERTIUM_X86
    static const NgramPath best = [] {
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl")) {
            return NgramPath::avx512;
        }
        return __builtin_cpu_supports("avx2") ? NgramPath::avx2 : NgramPath::scalar;
    }();
    return best;
#else
    return NgramPath::scalar;
#endif
}

// What `wanted` comes to here: a test may ask for vectors that this processor lacks.
inline NgramPath usable_path(NgramPath wanted) {
    const NgramPath best = best_path();
    if (wanted == NgramPath::automatic) return best;
    if (wanted == NgramPath::interned || wanted == NgramPath::scalar) return wanted;
    return wanted < best ? wanted : best;
}

}  // namespace ngram_masks
}  // namespace tertium
