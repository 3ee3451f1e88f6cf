// Long work can be stopped: it asks now and then whether somebody wants it to end. The thread that was called from Python
// asks the interpreter, twenty times a second; the threads that it started look at what it found.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace tertium {

struct Stopped {};  // thrown in threads that were started; who started them knows why

struct Run {
    void (*ask)();  // throws if the work is to end
    std::atomic<bool> stopped{false};
};

// What a thread works at. Nobody to ask: kernels used outside Python run to their end.
struct Place {
    Run* run = nullptr;
    bool asks = false;
    int64_t next = 0;             // when to ask again
    int64_t looked = 0;           // at the clock, the last time
    uint32_t left = 1, each = 1;  // polls until the next look, and how many at a time: clocks are slow on some machines
};

inline Place& here() {
    static thread_local Place place;
    return place;
}

constexpr int64_t kBetweenAsking = 50;  // milliseconds

inline int64_t milliseconds() {
#if defined(CLOCK_MONOTONIC_COARSE)
    timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);  // a third of the price
    return int64_t(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
#else
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

// For loops whose steps take a microsecond or more.
inline void poll() {
    Place& place = here();
    if (place.run == nullptr) return;
    if (place.run->stopped.load(std::memory_order_relaxed)) throw Stopped();
    if (!place.asks || --place.left) return;
    const int64_t now = milliseconds(), passed = now - place.looked;
    if (passed < 2) place.each = place.each < 32 ? 2 * place.each : 32;
    else if (passed > 8) place.each = 1;
    place.left = place.each;
    place.looked = now;
    if (now < place.next) return;
    const bool first = place.next == 0;  // short work never asks: asking takes the interpreter's lock
    place.next = now + kBetweenAsking;
    if (first) return;
    try {
        place.run->ask();
    } catch (...) {
        place.run->stopped = true;
        throw;
    }
}

// For loops with smaller steps: told how much was done, in units of some nanoseconds, it polls often enough.
class Poller {
public:
    void operator()(size_t work) {
        done_ += work;
        if (done_ < kOften) return;
        done_ = 0;
        poll();
    }

private:
    static constexpr size_t kOften = size_t(1) << 15;
    size_t done_ = 0;
};

}  // namespace tertium
