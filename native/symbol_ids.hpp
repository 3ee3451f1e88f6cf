// A number for each of a few code points: a direct table in pages of 256, made as scripts turn up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tertium {

// All numbers are 0 until set. Who sets numbers also sets them back to 0, which is cheaper than clearing
// a table for every line.
class SymbolIds {
public:
    uint32_t find(char32_t c) const { return entries_[size_t{pages_[c >> 8]} << 8 | (c & 0xFF)]; }

    void set(char32_t c, uint32_t id) {
        uint16_t& page = pages_[c >> 8];
        if (page == 0) {  // so far this range shares the page of zeros
            page = uint16_t(entries_.size() >> 8);
            entries_.resize(entries_.size() + 256);
        }
        entries_[size_t{page} << 8 | (c & 0xFF)] = id;
    }

private:
    // As many pages as four bytes of UTF-8 can name, even malformed ones.
    std::vector<uint16_t> pages_ = std::vector<uint16_t>(0x2000);
    std::vector<uint32_t> entries_ = std::vector<uint32_t>(256);
};

}  // namespace tertium
