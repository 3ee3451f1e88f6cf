// What many checks of a text ask about its lines, in one pass: which kinds of characters they have, and how long they are.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "interrupts.hpp"
#include "lines.hpp"
#include "per_character.hpp"
#include "utf8.hpp"

namespace tertium {

// Every character of the texts once, in order.
inline std::vector<uint32_t> characters_of(const Lines& lines) {
    constexpr uint32_t kPage = 256;
    std::vector<uint8_t> seen(kCharacters), pages(kCharacters / kPage);
    Poller poller;
    for (const std::string_view text : lines.texts) {
        poller(text.size());
        const char* p = text.data();
        const char* const end = p + text.size();
        while (p < end) {
            const uint32_t code = utf8_next(p);
            seen[code] = pages[code / kPage] = 1;
        }
    }
    std::vector<uint32_t> found;
    for (uint32_t page = 0; page < pages.size(); ++page)
        for (uint32_t code = page * kPage; pages[page] && code < (page + 1) * kPage; ++code)
            if (seen[code]) found.push_back(code);
    return found;
}

struct LineFacts {
    uint64_t kinds = 0;      // of all its characters, and of the needles that it has
    uint32_t first = 0;      // character that is no space; 0 if there is none
    uint32_t last = 0;       // such character
    int32_t characters = 0;  // all of them
    int32_t stripped = 0;    // without spaces at either end
    int32_t words = 0;       // as Python's split() makes them
};

class Survey {
public:
    // A letter is of the kind `letter`; a line with six equal letters in a row is of the kind `run`.
    Survey(PerCharacter<uint64_t> kinds, std::vector<std::string> needles, std::vector<uint64_t> needle_kinds, uint64_t letter,
           uint64_t run)
        : kinds_(std::move(kinds)),
          needles_(std::move(needles)),
          needle_kinds_(std::move(needle_kinds)),
          letter_(letter),
          run_(run) {
        for (const std::string& needle : needles_) {
            starts_[static_cast<unsigned char>(needle[0])] = true;
            seconds_[static_cast<unsigned char>(needle[1])] = true;
        }
    }

    LineFacts operator()(std::string_view text) const {
        LineFacts facts;
        const char* p = text.data();
        const char* const end = p + text.size();
        uint32_t before = 0;
        int same = 0, at = 0, first_at = 0, last_at = 0;
        bool in_word = false;
        for (; p < end; ++at) {
            const char* const here = p;
            const uint32_t code = utf8_next(p);
            const uint64_t kinds = kinds_[code];
            facts.kinds |= kinds;
            if (starts_[static_cast<unsigned char>(*here)] && p < end && seconds_[static_cast<unsigned char>(here[1])])
                facts.kinds |= needles_at(here, size_t(end - here));
            if (code == before) {
                if (++same >= 5 && (kinds & letter_)) facts.kinds |= run_;
            } else {
                same = 0;
                before = code;
            }
            if (is_space(code)) {
                in_word = false;
                continue;
            }
            if (!in_word) ++facts.words;
            in_word = true;
            if (last_at == 0) facts.first = code, first_at = at;
            facts.last = code;
            last_at = at + 1;
        }
        facts.characters = at;
        facts.stripped = last_at - first_at;
        return facts;
    }

private:
    uint64_t needles_at(const char* p, size_t left) const {
        uint64_t found = 0;
        for (size_t k = 0; k < needles_.size(); ++k)
            if (needles_[k].size() <= left && std::memcmp(p, needles_[k].data(), needles_[k].size()) == 0)
                found |= needle_kinds_[k];
        return found;
    }

    PerCharacter<uint64_t> kinds_;
    std::vector<std::string> needles_;  // of two bytes or more
    std::vector<uint64_t> needle_kinds_;
    bool starts_[256] = {}, seconds_[256] = {};
    uint64_t letter_, run_;
};

}  // namespace tertium
