// What Python's str says of a character: whether it is a letter, in lower case, and so on. The stable ABI has no function
// for that, so a str is asked, once for each block of 256 characters that a text has.
#pragma once

#include <cstdio>  // nanobind's headers need it, and not every standard library gives it unasked

#include <nanobind/nanobind.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

namespace tertium {

// Of a character. Alphanumeric is what `\w` of Python's regular expressions is, but for the low line.
constexpr uint8_t kAlphabetic = 1, kAlphanumeric = 2, kLower = 4, kUpper = 8, kTitle = 16;

class PythonLetters {
public:
    static uint8_t of(char32_t c) {
        if (c > 0x10FFFF) return 0;
        const Block* block = places()[c >> 8].load(std::memory_order_acquire);
        return (block ? *block : ask(c >> 8))[c & 0xFF];
    }

private:
    using Block = std::array<uint8_t, 256>;

    static std::array<std::atomic<const Block*>, 0x1100>& places() {
        static std::array<std::atomic<const Block*>, 0x1100> blocks{};
        return blocks;
    }

    static const Block& ask(size_t number) {
        nanobind::gil_scoped_acquire locked;
        auto made = std::make_unique<Block>();
        for (size_t i = 0; i < made->size(); ++i) {
            const nanobind::object character = nanobind::steal(PyUnicode_FromOrdinal(int(number << 8 | i)));
            if (!character.is_valid()) nanobind::raise_python_error();
            const auto says = [&](const char* method) { return nanobind::cast<bool>(character.attr(method)()); };
            const bool upper = says("isupper");
            (*made)[i] =
                uint8_t((says("isalpha") ? kAlphabetic : 0) | (says("isalnum") ? kAlphanumeric : 0) |
                        (says("islower") ? kLower : 0) | (upper ? kUpper : 0) | (says("istitle") && !upper ? kTitle : 0));
        }
        const Block* there = nullptr;  // another thread may have asked meanwhile
        auto& place = places()[number];
        if (place.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) there = made.release();
        return *there;
    }
};

}  // namespace tertium
