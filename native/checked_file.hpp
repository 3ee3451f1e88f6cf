// Files of ours in memory, with a checksum (CRC-32C) for every block of 4096 bytes: looked at when a block is first used,
// so that a large file opens at once and nothing damaged is ever used. tertium/io/caches.py writes and describes them.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tertium {

inline constexpr size_t kBlock = 4096;

// What a file of ours holds cannot be right. The message is the file's name.
struct DamagedFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Crc32c {
public:
    uint32_t value() const { return ~uint32_t(state_); }
    void add_eight(const char* data) {
        uint64_t eight;
        std::memcpy(&eight, data, 8);
#if defined(__SSE4_2__)
        state_ = __builtin_ia32_crc32di(state_, eight);
#else
        for (size_t i = 0; i < 8; ++i) add_one(char(eight >> 8 * i));
#endif
    }
    void add_one(char data) {
        static constexpr auto table = [] {
            std::array<uint32_t, 256> made{};
            for (uint32_t i = 0; i < 256; ++i) {
                uint32_t c = i;
                for (int k = 0; k < 8; ++k) c = c >> 1 ^ (c & 1 ? 0x82F63B78u : 0);
                made[i] = c;
            }
            return made;
        }();
        state_ = uint32_t(state_) >> 8 ^ table[(uint32_t(state_) ^ static_cast<unsigned char>(data)) & 0xFF];
    }

private:
    uint64_t state_ = 0xFFFFFFFFu;
};

// The checksums of as many blocks as `sums` has room for; the last block may be short. Four at a time: one waits for the
// instruction of before.
inline void block_sums(std::string_view data, uint32_t* sums) {
    const size_t blocks = (data.size() + kBlock - 1) / kBlock;
    size_t i = 0;
    for (; (i + 4) * kBlock <= data.size(); i += 4) {
        std::array<Crc32c, 4> four;
        const char* const start = data.data() + i * kBlock;
        for (size_t at = 0; at < kBlock; at += 8)
            for (size_t k = 0; k < 4; ++k) four[k].add_eight(start + k * kBlock + at);
        for (size_t k = 0; k < 4; ++k) sums[i + k] = four[k].value();
    }
    for (; i < blocks; ++i) {
        const std::string_view block = data.substr(i * kBlock, kBlock);
        Crc32c sum;
        size_t at = 0;
        for (; at + 8 <= block.size(); at += 8) sum.add_eight(block.data() + at);
        for (; at < block.size(); ++at) sum.add_one(block[at]);
        sums[i] = sum.value();
    }
}

// A file in memory, read only. Whoever opened the file may close it.
class MappedFile {
public:
    explicit MappedFile(int file) : MappedFile(file, file_size(file)) {}
    MappedFile(int file, size_t size) : size_(size) {
        void* memory = size_ ? ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0) : nullptr;
        if (memory == MAP_FAILED) throw std::runtime_error("cannot be mapped into memory");
        data_ = static_cast<const char*>(memory);
    }
    MappedFile(const MappedFile&) = delete;
    ~MappedFile() {
        if (data_) ::munmap(const_cast<char*>(data_), size_);
    }
    std::string_view text() const { return {data_, size_}; }

    static size_t file_size(int file) {
        struct stat info;
        if (::fstat(file, &info) != 0) throw std::runtime_error("cannot be read");
        return size_t(info.st_size);
    }

private:
    const char* data_ = nullptr;
    size_t size_ = 0;
};

// The content of a file of ours: its first `size` bytes, with their checksums.
class CheckedFile {
public:
    CheckedFile(std::string name, int file, size_t size, std::string_view sums)
        : name_(std::move(name)), mapped_(file, fits(name_, file, size, sums)), sums_(sums) {
        known_ = std::make_unique<std::atomic<bool>[]>(sums.size() / 4);
    }
    size_t size() const { return mapped_.text().size(); }
    [[noreturn]] void damaged() const { throw DamagedFile(name_); }

    void check_all() const { check(0, size()); }
    // Throws unless these bytes are as they were written.
    void check(size_t begin, size_t bytes) const {
        if (begin > size() || bytes > size() - begin) damaged();
        if (bytes == 0) return;
        for (size_t block = begin / kBlock; block <= (begin + bytes - 1) / kBlock; ++block)
            if (!known_[block].load(std::memory_order_relaxed)) check_block(block);
    }
    // Numbers somewhere in the file, once they are known to be there and right.
    template <class T>
    const T* at(size_t begin, size_t number = 1) const {
        if (number > size() / sizeof(T) || begin % alignof(T)) damaged();
        check(begin, number * sizeof(T));
        return reinterpret_cast<const T*>(mapped_.text().data() + begin);
    }
    const char* start() const { return mapped_.text().data(); }

private:
    static size_t fits(const std::string& name, int file, size_t size, std::string_view sums) {
        if (size > MappedFile::file_size(file) || sums.size() != (size + kBlock - 1) / kBlock * 4) throw DamagedFile(name);
        return size;
    }
    void check_block(size_t first) const {
        constexpr size_t together = 4;  // what is read next to it is likely to be used next
        const size_t blocks = sums_.size() / 4, last = std::min(blocks, first / together * together + together);
        first = first / together * together;
        std::array<uint32_t, together> found;
        block_sums(mapped_.text().substr(first * kBlock, (last - first) * kBlock), found.data());
        if (std::memcmp(found.data(), sums_.data() + 4 * first, 4 * (last - first)) != 0) damaged();
        for (size_t block = first; block < last; ++block) known_[block].store(true, std::memory_order_relaxed);
    }

    std::string name_;
    MappedFile mapped_;
    std::string sums_;
    std::unique_ptr<std::atomic<bool>[]> known_;
};

}  // namespace tertium
