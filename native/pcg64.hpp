// A seeded stream of draws: the PCG64 generator (O'Neill 2014: a 128-bit linear congruential state, whose halves are
// xored and rotated by its top bits) with draws made from it as numpy's Generator makes them, so that the same seed
// gives the resamples that programs built on numpy report.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace tertium {

class Pcg64 {
public:
    Pcg64(unsigned __int128 state, unsigned __int128 increment) : state_(state), increment_(increment) {}

    uint64_t next() {
        state_ = state_ * kMultiplier + increment_;
        return word(state_);
    }

    // The next `number` words, by two states that each step over the other's words and so do not wait for each other.
    void words(size_t number, uint8_t* out) {
        const unsigned __int128 multiplier = kMultiplier * kMultiplier, increment = increment_ * kMultiplier + increment_;
        unsigned __int128 first = state_ * kMultiplier + increment_, second = first * kMultiplier + increment_;
        for (; number >= 2; number -= 2, out += 16) {
            const uint64_t bits[2] = {word(first), word(second)};
            std::memcpy(out, bits, 16);
            state_ = second;
            first = first * multiplier + increment;
            second = second * multiplier + increment;
        }
        if (number == 0) return;
        const uint64_t bits = next();
        std::memcpy(out, &bits, 8);
    }

    // Half a word; the other half is kept for the next call.
    uint32_t next_half() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        const uint64_t word = next();
        has_half_ = true;
        half_ = uint32_t(word >> 32);
        return uint32_t(word);
    }

    // A number below n, all equally likely: the upper half of a product; products whose lower half falls into the
    // uneven rest, 2**32 modulo n, are drawn again (Lemire 2019).
    uint32_t below(uint32_t n, uint32_t uneven) {
        if (n == 1) return 0;
        uint64_t product = uint64_t(next_half()) * n;
        while (uint32_t(product) < uneven) product = uint64_t(next_half()) * n;
        return uint32_t(product >> 32);
    }

    // Numbers below n, one after the other.
    void draws(uint32_t n, size_t number, uint32_t* out) {
        drop_coins();
        const uint32_t uneven = n > 1 ? uint32_t(-n) % n : 0;
        for (size_t i = 0; i < number; ++i) out[i] = below(n, uneven);
    }

    // How often each of n things is drawn in n draws.
    void counts(uint32_t n, int16_t* counts) {
        drop_coins();
        std::fill_n(counts, n, int16_t(0));
        const uint32_t uneven = n > 1 ? uint32_t(-n) % n : 0;
        Pcg64 stream = *this;  // in registers
        for (uint32_t i = 0; i < n; ++i) ++counts[stream.below(n, uneven)];
        *this = stream;
        if (n > INT16_MAX && *std::min_element(counts, counts + n) < 0)
            throw std::overflow_error("a resample draws one item too often to be counted");
    }

    // `size` of n things, all choices equally likely: 1 for those taken, one after the other (Fan et al. 1962).
    void subset(uint32_t n, uint32_t size, int16_t* taken) {
        drop_coins();
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t left = n - i;
            taken[i] = int16_t(below(left, uint32_t(-left) % left) < size);
            size -= uint32_t(taken[i]);
        }
    }

    // Coins for `rows` rows of n, packed eight to a byte from the lowest bit on. Each row starts a byte, but the coins
    // run on from row to row and from call to call: blocks of rows are the same as all rows at once.
    void coins(size_t n, size_t rows, uint8_t* packed) {
        const size_t width = (n + 7) / 8;
        for (size_t row = 0; row < rows; ++row, packed += width) {
            size_t byte = 0;
            if (coins_left_ == 0 && !has_half_ && std::endian::native == std::endian::little) {
                words(n / 64, packed);  // as they come
                byte = n / 64 * 8;
            }
            for (; 8 * byte + 32 <= n; byte += 4) {
                const uint64_t bits = coins_ | uint64_t(next_half()) << coins_left_;
                for (int i = 0; i < 4; ++i) packed[byte + i] = uint8_t(bits >> 8 * i);
                coins_ = uint32_t(bits >> 32);
            }
            for (; byte < width; ++byte) {
                const int wanted = int(std::min<size_t>(8, n - 8 * byte));
                uint64_t bits = coins_;
                if (coins_left_ < wanted) {
                    bits |= uint64_t(next_half()) << coins_left_;
                    coins_left_ += 32;
                }
                packed[byte] = uint8_t(bits & ((1u << wanted) - 1));
                coins_ = uint32_t(bits >> wanted);
                coins_left_ -= wanted;
            }
        }
    }

private:
    static constexpr unsigned __int128 kMultiplier =
        static_cast<unsigned __int128>(0x2360ED051FC65DA4ull) << 64 | 0x4385DF649FCCF645ull;
    static uint64_t word(unsigned __int128 state) {
        return std::rotr(uint64_t(state >> 64) ^ uint64_t(state), int(state >> 122));
    }
    void drop_coins() { coins_left_ = int(coins_ = 0); }

    unsigned __int128 state_, increment_;
    uint32_t half_ = 0;
    bool has_half_ = false;
    uint32_t coins_ = 0;  // what is left of a half word
    int coins_left_ = 0;
};

}  // namespace tertium
