// Fetching memory into caches before it is needed.
#pragma once

namespace tertium {

// GCC takes a function that does nothing else for one without effect, and drops calls of it: the empty statement is
// an effect that costs nothing.
inline __attribute__((always_inline)) void fetch_memory(const void* place) {
    __builtin_prefetch(place);
    asm volatile("");
}

}  // namespace tertium
