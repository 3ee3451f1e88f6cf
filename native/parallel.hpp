// Splitting a range over threads. What a thread computes never depends on how the range was split.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "interrupts.hpp"

namespace tertium {

// How many threads are meant: 0 is one for each core. More than any machine needs are not started.
inline size_t thread_count(int threads) {
    constexpr size_t most = 64;
    if (threads < 0)
        throw std::invalid_argument("threads must be a number, or 0 for all cores, not " + std::to_string(threads));
    const size_t cores = std::max(1u, std::thread::hardware_concurrency());
    return threads == 0 ? cores : std::min(size_t(threads), std::max(most, cores));
}

// Calls work(part, begin, end) for contiguous parts of [0, n), one a thread; the first exception is rethrown. The calling
// thread does the first part and those for which no thread could be had, and then waits, still ready to be interrupted.
template <class Work>
void parallel_parts(size_t n, int threads, Work&& work) {
    const size_t parts = std::max<size_t>(1, std::min<size_t>(thread_count(threads), n));
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
    pool.reserve(parts);
    size_t started = 1;
    try {
        for (; started < parts; ++started)
            pool.emplace_back([&, part = started] {
                here() = {run, false};
                guarded(part, [&] { do_part(part); });
                const std::lock_guard lock(mutex);
                if (--working == 0) ended.notify_one();
            });
    } catch (const std::exception&) {  // the system gives no more threads, or no memory for them
        const std::lock_guard lock(mutex);
        working -= parts - started;
    }
    guarded(0, [&] { do_part(0); });
    for (size_t part = started; part < parts && !failures[0]; ++part) guarded(0, [&] { do_part(part); });
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
