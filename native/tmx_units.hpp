// Units of TMX as most of them are: a head that was seen before, a source and a target without tags. All others are left to
// Python, which can read them all (io/memories/tmx.py).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tertium {

// Where the texts of such a unit stand, in bytes of its part of the file.
struct TmxUnit {
    std::string_view head, first, second;  // what stands before the texts, each without its texts
    std::string_view source, target;
    std::string_view raw;  // from <tu on, without </tu>

    // Whether a part is such a unit; it ends before </tu>.
    bool read(std::string_view part) {
        const size_t one = part.find("<tuv");
        if (one == std::string_view::npos) return false;
        const size_t two = part.find("<tuv", one + 4);
        if (two == std::string_view::npos || part.find("<tuv", two + 4) != std::string_view::npos) return false;
        const size_t begin = part.substr(0, one).rfind("<tu");
        if (begin == std::string_view::npos) return false;
        head = part.substr(begin, one - begin);
        raw = part.substr(begin);
        return segment(part.substr(one + 4, two - one - 4), first, source) && segment(part.substr(two + 4), second, target);
    }

private:
    // The head and the text of a variant, if that needs no work.
    static bool segment(std::string_view variant, std::string_view& head, std::string_view& text) {
        const size_t begin = variant.find("<seg>");
        if (begin == std::string_view::npos) return false;
        head = variant.substr(0, begin);
        const std::string_view rest = variant.substr(begin + 5);
        const size_t end = rest.find('<');
        if (end == std::string_view::npos || rest.substr(end, 5) != "</seg" ||
            rest.find("</seg", end + 5) != std::string_view::npos)
            return false;
        text = rest.substr(0, end);
        return text.find('&') == std::string_view::npos && text.find('\r') == std::string_view::npos;
    }
};

}  // namespace tertium
