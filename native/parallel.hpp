// Splitting a range over threads. What a thread computes never depends on how the range was split.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

// Calls work(part, begin, end) for contiguous parts of [0, n), one a thread; the first exception is rethrown. The calling
// thread does the first part and then waits, still ready to be interrupted.
template <class Work>
void parallel_parts(size_t n, int threads, Work&& work) {
    const size_t parts = std::max<size_t>(1, std::min<size_t>(threads < 1 ? 1 : size_t(threads), n));
    if (parts == 1) {
        work(size_t(0), size_t(0), n);
        return;
    }
    std::vector<std::exception_ptr> failures(parts);
    const auto guarded = [&](size_t part, auto&& step) {
        try {
            step();
        } catch (...) {
            failures[part] = std::current_exception();
        }
    };
    const auto do_part = [&](size_t part) { work(part, n * part / parts, n * (part + 1) / parts); };
    Run* run = here().run;
    std::mutex mutex;
    std::condition_variable ended;
    size_t working = parts - 1;
    std::vector<std::thread> pool;
    for (size_t part = 1; part < parts; ++part)
        pool.emplace_back([&, part] {
            here() = {run, false};
            guarded(part, [&] { do_part(part); });
            const std::lock_guard lock(mutex);
            if (--working == 0) ended.notify_one();
        });
    guarded(0, [&] { do_part(0); });
    const auto all_ended = [&] { return working == 0; };
    for (std::unique_lock lock(mutex); !ended.wait_for(lock, std::chrono::milliseconds(kBetweenAsking), all_ended);) {
        lock.unlock();
        if (!failures[0]) guarded(0, [] { poll(); });
        lock.lock();
    }
    for (auto& thread : pool) thread.join();
    for (auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace tertium
