// A value for each character, zero unless one was set; the tables are made in Python, whose Unicode data decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

constexpr uint32_t kCharacters = 0x110000;

template <class T>
class PerCharacter {
public:
    PerCharacter() : pages_(kCharacters >> kBits), values_(kPage) {}  // page 0 of the values is that of all others
    template <class Codes, class Values>
    PerCharacter(const Codes& codes, const Values& values, size_t n) : PerCharacter() {
        for (size_t i = 0; i < n; ++i) set(codes[i], T(values[i]));
    }
    T operator[](uint32_t code) const { return values_[size_t(pages_[code >> kBits]) << kBits | (code & (kPage - 1))]; }
    void set(uint32_t code, T value) {
        uint32_t& page = pages_[code >> kBits];
        if (page == 0) {
            page = uint32_t(values_.size() >> kBits);
            values_.resize(values_.size() + kPage);
        }
        values_[size_t(page) << kBits | (code & (kPage - 1))] = value;
    }

private:
    static constexpr uint32_t kBits = 7, kPage = 1 << kBits;
    std::vector<uint32_t> pages_;
    std::vector<T> values_;
};

}  // namespace tertium
