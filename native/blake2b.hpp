// BLAKE2b (RFC 7693) with eight bytes of digest, as one number: keys of words that are the same on every machine, and in
// Python those of hashlib.blake2b(text, digest_size=8).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tertium {

namespace blake2b {

inline constexpr uint64_t kStart[8] = {
    0x6A09E667F3BCC908ull, 0xBB67AE8584CAA73Bull, 0x3C6EF372FE94F82Bull, 0xA54FF53A5F1D36F1ull,
    0x510E527FADE682D1ull, 0x9B05688C2B3E6C1Full, 0x1F83D9ABFB41BD6Bull, 0x5BE0CD19137E2179ull,
};
inline constexpr uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};
inline constexpr size_t kBlock = 128, kRounds = 12;
inline constexpr uint64_t kDigest = 8;

// One block into the state; `length`: bytes so far, with those of this block.
inline void take(std::array<uint64_t, 8>& state, const std::array<uint64_t, 16>& block, uint64_t length, bool last) {
    uint64_t v[16];
    std::copy(state.begin(), state.end(), v);
    std::copy(kStart, kStart + 8, v + 8);
    v[12] ^= length;
    if (last) v[14] = ~v[14];
    const auto mix = [&v](size_t a, size_t b, size_t c, size_t d, uint64_t x, uint64_t y) {
        v[a] += v[b] + x;
        v[d] = std::rotr(v[d] ^ v[a], 32);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 24);
        v[a] += v[b] + y;
        v[d] = std::rotr(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 63);
    };
    for (size_t round = 0; round < kRounds; ++round) {
        const uint8_t* const s = kOrder[round % 10];
        mix(0, 4, 8, 12, block[s[0]], block[s[1]]);
        mix(1, 5, 9, 13, block[s[2]], block[s[3]]);
        mix(2, 6, 10, 14, block[s[4]], block[s[5]]);
        mix(3, 7, 11, 15, block[s[6]], block[s[7]]);
        mix(0, 5, 10, 15, block[s[8]], block[s[9]]);
        mix(1, 6, 11, 12, block[s[10]], block[s[11]]);
        mix(2, 7, 8, 13, block[s[12]], block[s[13]]);
        mix(3, 4, 9, 14, block[s[14]], block[s[15]]);
    }
    for (size_t i = 0; i < 8; ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace blake2b

inline uint64_t blake2b_key(std::string_view text) {
    static_assert(std::endian::native == std::endian::little);
    std::array<uint64_t, 8> state;
    std::copy(blake2b::kStart, blake2b::kStart + 8, state.begin());
    state[0] ^= 0x01010000 ^ blake2b::kDigest;
    std::array<uint64_t, 16> block;
    size_t at = 0;
    do {
        const size_t n = std::min(blake2b::kBlock, text.size() - at);
        block.fill(0);
        if (n > 0) std::memcpy(block.data(), text.data() + at, n);
        at += n;
        blake2b::take(state, block, at, at == text.size());
    } while (at < text.size());
    return state[0];
}

}  // namespace tertium
