// Word vectors as they lie on disk: mapped into memory, shared by all processes that use them, opened in no time.
// What the file holds, all little-endian: a header, a row of numbers for each word, two factors for each row, where
// words begin, their bytes, and a hash table from words to rows.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

#include "case_folding.hpp"
#include "fetch.hpp"
#include "words.hpp"

namespace tertium {

enum class Storage : uint32_t { float32 = 0, float16 = 1, int8 = 2 };

inline size_t bytes_per_number(Storage storage) {
    return storage == Storage::float32 ? 4 : storage == Storage::float16 ? 2 : 1;
}

struct VectorHeader {
    char magic[8];
    Storage storage;
    uint32_t dimension;
    uint64_t words, repeated;  // words that stood in the source, and how many stood there again and were left out
    uint64_t slots;
    uint64_t factors_at, offsets_at, bytes_at, index_at, size;
    uint64_t source_size;
    int64_t source_time;
    unsigned char head[32], content[32];  // of the source: hash of its beginning, hash of all of it
};
inline constexpr char kVectorMagic[9] = "TERTVEC1";
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

// A file in memory, read only.
class MappedFile {
public:
    explicit MappedFile(const std::string& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0) throw std::runtime_error("cannot be opened");
        struct stat info;
        if (::fstat(file, &info) != 0) {
            ::close(file);
            throw std::runtime_error("cannot be read");
        }
        size_ = size_t(info.st_size);
        void* memory = size_ ? ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0) : nullptr;
        ::close(file);
        if (memory == MAP_FAILED) throw std::runtime_error("cannot be mapped into memory");
        data_ = static_cast<const char*>(memory);
    }
    MappedFile(const MappedFile&) = delete;
    ~MappedFile() {
        if (data_) ::munmap(const_cast<char*>(data_), size_);
    }
    const char* data() const { return data_; }
    size_t size() const { return size_; }
    std::string_view text() const { return {data_, size_}; }

private:
    const char* data_ = nullptr;
    size_t size_ = 0;
};

class VectorTable {
public:
    static constexpr int64_t kUnknown = -1;

    explicit VectorTable(const std::string& path) : file_(path) {
        if (file_.size() < kVectorsAt) throw std::runtime_error("is no table of vectors");
        std::memcpy(&header_, file_.data(), sizeof header_);
        if (std::memcmp(header_.magic, kVectorMagic, 8) != 0) throw std::runtime_error("is no table of vectors");
        if (header_.size != file_.size()) throw std::runtime_error("is cut off");
        factors_ = at<Factors>(header_.factors_at);
        offsets_ = at<uint64_t>(header_.offsets_at);
        bytes_ = file_.data() + header_.bytes_at;
        index_ = at<VectorSlot>(header_.index_at);
        row_bytes_ = header_.dimension * bytes_per_number(header_.storage);
        unknown_ = exactly("<unk>");
    }

    const VectorHeader& header() const { return header_; }
    size_t size() const { return header_.words; }
    size_t dimension() const { return header_.dimension; }
    std::string_view word(size_t row) const { return {bytes_ + offsets_[row], size_t(offsets_[row + 1] - offsets_[row])}; }

    // The row of a word as it is spelt.
    int64_t exactly(std::string_view word) const {
        if (header_.words == 0) return kUnknown;
        const uint64_t hash = vector_hash(word), mask = header_.slots - 1;
        for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
            const VectorSlot slot = index_[i];
            if (slot.next == 0) return kUnknown;
            if (slot.tag == uint32_t(hash >> 32) && this->word(slot.next - 1) == word) return slot.next - 1;
        }
    }
    // As it is spelt, else folded, else the row of <unk> where there is one.
    int64_t find(std::string_view word, Fold fold, std::string& scratch) const {
        int64_t row = exactly(word);
        if (row == kUnknown && fold != Fold::exact) row = exactly(folded(word, fold, scratch));
        return row == kUnknown ? unknown_ : row;
    }
    void fetch(int64_t row) const {
        const char* start = file_.data() + kVectorsAt + size_t(row) * row_bytes_;
        fetch_memory(factors_ + row);
        for (size_t at = 0; at < row_bytes_; at += 64) fetch_memory(start + at);
    }
    // The numbers of a row as the source has them, and divided by their length.
    void numbers(size_t row, float* out) const { decode(row, factors_[row].scale, out); }
    void unit(size_t row, float* out) const { decode(row, factors_[row].scale * factors_[row].inverse_norm, out); }

private:
    template <class T>
    const T* at(uint64_t offset) const {
        return reinterpret_cast<const T*>(file_.data() + offset);
    }
    void decode(size_t row, float factor, float* out) const {
        const char* start = file_.data() + kVectorsAt + row * row_bytes_;
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
    MappedFile file_;
    VectorHeader header_;
    const Factors* factors_ = nullptr;
    const uint64_t* offsets_ = nullptr;
    const char* bytes_ = nullptr;
    const VectorSlot* index_ = nullptr;
    size_t row_bytes_ = 0;
    int64_t unknown_ = kUnknown;
};

}  // namespace tertium
