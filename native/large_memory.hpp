// Memory for large arrays that are made and dropped often: asks the system for huge pages, as NumPy does, because
// touching fresh memory four kilobytes at a time costs more than filling it.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tertium {

template <class T>
struct LargeMemory {
    using value_type = T;
    LargeMemory() = default;
    template <class U>
    LargeMemory(const LargeMemory<U>&) {}

    static constexpr size_t kPage = size_t(1) << 21, kLarge = size_t(1) << 22;

    T* allocate(size_t n) {
        const size_t bytes = n * sizeof(T);
        void* memory = nullptr;
        if (bytes < kLarge) {
            memory = std::malloc(bytes ? bytes : 1);
        } else {
            const size_t rounded = (bytes + kPage - 1) / kPage * kPage;
            memory = std::aligned_alloc(kPage, rounded);
#if defined(__linux__)
            if (memory) madvise(memory, rounded, MADV_HUGEPAGE);  // a wish: nothing is lost if it is not granted
#endif
        }
        if (!memory) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, size_t) { std::free(memory); }
    bool operator==(const LargeMemory&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeMemory<T>>;

}  // namespace tertium
