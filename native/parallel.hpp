// Splitting a range over threads. What a thread computes never depends on how the range was split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tertium {

// Calls work(part, begin, end) for contiguous parts of [0, n), one a thread; the first exception is rethrown.
template <class Work>
void parallel_parts(size_t n, int threads, Work&& work) {
    const size_t parts = std::max<size_t>(1, std::min<size_t>(threads < 1 ? 1 : size_t(threads), n));
    if (parts == 1) {
        work(size_t(0), size_t(0), n);
        return;
    }
    std::vector<std::exception_ptr> failures(parts);
    auto guarded = [&](size_t part) {
        try {
            work(part, n * part / parts, n * (part + 1) / parts);
        } catch (...) {
            failures[part] = std::current_exception();
        }
    };
    std::vector<std::thread> pool;
    for (size_t part = 1; part < parts; ++part) pool.emplace_back(guarded, part);
    guarded(0);
    for (auto& thread : pool) thread.join();
    for (auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace tertium
