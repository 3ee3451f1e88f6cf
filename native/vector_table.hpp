// Word vectors as they lie on disk: mapped into memory, shared by all processes that use them, opened in no time.
// What the file holds, all little-endian: a header, a row of numbers for each word, two factors for each row, where
// words begin, their bytes, and a hash table from words to rows. Whatever is read is checked before, by its checksum
// and against the bounds of its part.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "case_folding.hpp"
#include "checked_file.hpp"
#include "fetch.hpp"
#include "words.hpp"

namespace tertium {

enum class Storage : uint32_t { float32 = 0, float16 = 1, int8 = 2 };

inline size_t bytes_per_number(Storage storage) {
    return storage == Storage::float32 ? 4 : storage == Storage::float16 ? 2 : 1;
}

struct VectorHeader {
    Storage storage;
    uint32_t dimension;
    uint64_t words, repeated;  // words that stood in the source, and how many stood there again and were left out
    uint64_t slots;
    uint64_t factors_at, offsets_at, bytes_at, index_at;
};
inline constexpr size_t kVectorsAt = 4096;  // a page for the header: rows lie aligned

struct Factors {
    float scale;         // stored number x scale = number
    float inverse_norm;  // stored number x scale x inverse_norm = number of the unit vector; 0 for a row of zeros
};

struct VectorSlot {
    uint32_t tag, next;  // next: number of the word, plus one; 0 is free
};

inline uint64_t vector_hash(std::string_view word) {
    const uint64_t key = word_key(word.data(), word.size(), word.data() + word.size());
    return mix(key, word.size());
}

inline float half_to_float(uint16_t half) {
    const uint32_t sign = uint32_t(half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 0x1F, mantissa = half & 0x3FF;
    if (exponent == 0) {  // zero and what is below the smallest normal number
        const float value = float(mantissa) * 0x1p-24f;
        return sign ? -value : value;
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}
// To the nearest, ties to even; what is too large becomes the largest.
inline uint16_t float_to_half(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint16_t sign = uint16_t(bits >> 16 & 0x8000);
    const float size = std::bit_cast<float>(bits & 0x7FFFFFFF);
    if (size >= 65504.0f) return sign | 0x7BFF;
    if (size < 0x1p-14f) return sign | uint16_t(__builtin_nearbyintf(size * 0x1p24f));
    uint32_t rest = bits & 0x7FFFFFFF;
    rest += 0xFFF + (rest >> 13 & 1);
    return sign | uint16_t((rest >> 13) - (112 << 10));
}

class VectorTable {
public:
    static constexpr int64_t kUnknown = -1;

    VectorTable(std::string name, int file, size_t size, std::string_view sums, bool check_all)
        : file_(std::move(name), file, size, sums), header_(*file_.at<VectorHeader>(0)) {
        if (check_all) file_.check_all();
        const auto [storage, dimension, words, repeated, slots, factors_at, offsets_at, bytes_at, index_at] = header_;
        row_bytes_ = dimension * bytes_per_number(storage);
        const auto part = [](uint64_t begin, uint64_t number, size_t each, uint64_t next) {
            return begin % 8 == 0 && begin <= next && number <= (next - begin) / each;
        };
        if (storage > Storage::int8 || !dimension || !words || words >= uint64_t(1) << 31 || !std::has_single_bit(slots) ||
            slots <= words || !part(kVectorsAt, words, row_bytes_, factors_at) ||
            !part(factors_at, words, sizeof(Factors), offsets_at) || !part(offsets_at, words + 1, sizeof(uint64_t), bytes_at) ||
            !part(bytes_at, 0, 1, index_at) || !part(index_at, slots, sizeof(VectorSlot), size))
            file_.damaged();
        unknown_ = exactly("<unk>");
    }

    const VectorHeader& header() const { return header_; }
    size_t size() const { return header_.words; }
    size_t dimension() const { return header_.dimension; }
    std::string_view word(size_t row) const {
        const uint64_t* const ends = file_.at<uint64_t>(header_.offsets_at + 8 * row, 2);
        const uint64_t begin = ends[0], end = ends[1];
        if (begin > end || end > header_.index_at - header_.bytes_at) file_.damaged();
        return {file_.at<char>(header_.bytes_at + begin, end - begin), size_t(end - begin)};
    }

    // The row of a word as it is spelt.
    int64_t exactly(std::string_view word) const {
        const uint64_t hash = vector_hash(word), mask = header_.slots - 1;
        for (uint64_t i = hash & mask, steps = 0; steps <= mask; i = (i + 1) & mask, ++steps) {
            const VectorSlot slot = *file_.at<VectorSlot>(header_.index_at + i * sizeof(VectorSlot));
            if (slot.next == 0) return kUnknown;
            if (slot.next > header_.words) file_.damaged();
            if (slot.tag == uint32_t(hash >> 32) && this->word(slot.next - 1) == word) return slot.next - 1;
        }
        file_.damaged();
    }
    // As it is spelt, else folded, else the row of <unk> where there is one.
    int64_t find(std::string_view word, Fold fold, std::string& scratch) const {
        int64_t row = exactly(word);
        if (row == kUnknown && fold != Fold::exact) row = exactly(folded(word, fold, scratch));
        return row == kUnknown ? unknown_ : row;
    }
    void fetch(int64_t row) const {
        const char* start = file_.start() + kVectorsAt + size_t(row) * row_bytes_;
        fetch_memory(file_.start() + header_.factors_at + size_t(row) * sizeof(Factors));
        for (size_t at = 0; at < row_bytes_; at += 64) fetch_memory(start + at);
    }
    // The numbers of a row as the source has them, and divided by their length.
    void numbers(size_t row, float* out) const { decode(row, factors(row).scale, out); }
    void unit(size_t row, float* out) const { decode(row, factors(row).scale * factors(row).inverse_norm, out); }

private:
    const Factors& factors(size_t row) const { return *file_.at<Factors>(header_.factors_at + row * sizeof(Factors)); }
    void decode(size_t row, float factor, float* out) const {
        const char* start = file_.at<char>(kVectorsAt + row * row_bytes_, row_bytes_);
        const size_t n = header_.dimension;
        if (header_.storage == Storage::float32) {
            const float* from = reinterpret_cast<const float*>(start);
            for (size_t i = 0; i < n; ++i) out[i] = from[i] * factor;
        } else if (header_.storage == Storage::float16) {
            const uint16_t* from = reinterpret_cast<const uint16_t*>(start);
            for (size_t i = 0; i < n; ++i) out[i] = half_to_float(from[i]) * factor;
        } else {
            const int8_t* from = reinterpret_cast<const int8_t*>(start);
            for (size_t i = 0; i < n; ++i) out[i] = float(from[i]) * factor;
        }
    }
    CheckedFile file_;
    VectorHeader header_;
    size_t row_bytes_ = 0;
    int64_t unknown_ = kUnknown;
};

}  // namespace tertium
