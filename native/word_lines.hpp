// Lower-cased words and punctuation marks of lines, as numbers that several texts share. What a character becomes, and what
// kind it is of, is told by tables.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "interrupts.hpp"
#include "lines.hpp"
#include "per_character.hpp"
#include "string_numbers.hpp"
#include "utf8.hpp"

namespace tertium {

// Of a word: only letters; long enough to tell lines apart; a character of a script without spaces.
constexpr uint8_t kLetters = 1, kTelling = 2, kDense = 4;
// Of a character.
constexpr uint8_t kAlphabetic = 1, kAlphanumeric = 2, kDenseCharacter = 4;

class WordNumbers {
public:
    StringNumbers numbers;
    std::vector<uint8_t> kinds;  // of each number

    void learn(uint32_t code, uint8_t flags) { flags_.set(code, flags); }
    uint32_t add(std::string_view word) { return known(numbers.add(word), word); }
    uint32_t add(std::string_view word, uint64_t hash) { return known(numbers.add(word, hash), word); }

private:
    uint32_t known(uint32_t number, std::string_view word) {
        if (number == kinds.size()) kinds.push_back(kind_of(word));
        return number;
    }
    uint8_t kind_of(std::string_view word) const {
        const char* p = word.data();
        const char* const end = p + word.size();
        size_t length = 0;
        uint8_t all = 0xFF, first = 0;
        for (; p < end; ++length) {
            const uint8_t flags = flags_[utf8_next(p)];
            if (length == 0) first = flags;
            all &= flags;
        }
        const bool dense = first & kDenseCharacter, telling = (first & kAlphanumeric) && length > (dense ? 1 : 2);
        return uint8_t((dense ? kDense : 0) | (telling ? kTelling : 0) | (length && (all & kAlphabetic) ? kLetters : 0));
    }
    PerCharacter<uint8_t> flags_;
};

struct NumberedLines {
    std::vector<uint32_t> numbers;
    std::vector<int64_t> starts{0};  // of each line, and the end

    size_t lines() const { return starts.size() - 1; }
};

// What each character becomes: text in which spaces part words.
class Rewriting {
public:
    Rewriting(const std::vector<uint32_t>& codes, const std::vector<std::string>& texts) : texts_(texts) {
        for (size_t i = 0; i < codes.size(); ++i) {
            const uint32_t code = codes[i];
            if (code < 0x80 && texts[i].size() == 1 && texts[i][0]) bytes_[code] = texts[i][0];
            else places_.set(code, uint32_t(i + 1));
        }
    }
    void operator()(std::string_view line, std::string& out) const {
        out.clear();
        const char* p = line.data();
        const char* const end = p + line.size();
        while (p < end) {
            const auto lead = static_cast<unsigned char>(*p);
            if (lead < 0x80 && bytes_[lead]) {
                out.push_back(bytes_[lead]);
                ++p;
            } else if (const uint32_t place = places_[utf8_next(p)]) {
                out.append(texts_[place - 1]);
            }
        }
    }

private:
    std::vector<std::string> texts_;
    PerCharacter<uint32_t> places_;
    char bytes_[128] = {};
};

// Adds the words of a line that was rewritten.
inline void add_words(std::string_view line, WordNumbers& vocabulary, NumberedLines& out) {
    const char* const end = line.data() + line.size();
    for (size_t begin = 0; begin < line.size();) {
        if (line[begin] == ' ') {
            ++begin;
            continue;
        }
        size_t stop = begin + 1;
        while (stop < line.size() && line[stop] != ' ') ++stop;
        const std::string_view word = line.substr(begin, stop - begin);
        out.numbers.push_back(vocabulary.add(word, string_hash(word, end)));
        begin = stop;
    }
    out.starts.push_back(int64_t(out.numbers.size()));
}

// Whether in a line as many words as `period`, one of them of letters, are said so often in a row; dense characters once more.
inline bool is_repeated(const uint32_t* words, size_t n, const uint8_t* kinds, size_t period, size_t times) {
    if (n < times * period) return false;
    for (size_t begin = 0; begin + times * period <= n;) {
        size_t run = 0;
        while (begin + run + period < n && words[begin + run] == words[begin + run + period]) ++run;
        const bool dense = kinds[words[begin]] & kDense;
        if (run >= (dense ? times : times - 1) * period)
            for (size_t k = begin; k < begin + period; ++k)
                if (kinds[words[k]] & kLetters) return true;
        begin += run + 1;
    }
    return false;
}

// The words that tell the lines apart, each once a line, in order of their numbers; dense characters go in pairs.
inline NumberedLines types_of(const NumberedLines& words, WordNumbers& vocabulary) {
    NumberedLines out;
    out.numbers.reserve(words.numbers.size() / 2);
    out.starts.reserve(words.starts.size());
    std::string pair;
    Poller poller;
    for (size_t i = 0; i < words.lines(); ++i) {
        const auto begin = size_t(words.starts[i]), end = size_t(words.starts[i + 1]), first = out.numbers.size();
        poller(8 * (end - begin));
        for (size_t k = begin; k < end; ++k)
            if (vocabulary.kinds[words.numbers[k]] & kTelling) out.numbers.push_back(words.numbers[k]);
        for (size_t k = begin; k + 1 < end; ++k) {
            const uint32_t a = words.numbers[k], b = words.numbers[k + 1];
            if (!(vocabulary.kinds[a] & vocabulary.kinds[b] & kDense)) continue;
            pair.assign(vocabulary.numbers[a]).append(vocabulary.numbers[b]);
            out.numbers.push_back(vocabulary.add(pair));
        }
        const auto from = out.numbers.begin() + ptrdiff_t(first);
        std::sort(from, out.numbers.end());
        out.numbers.erase(std::unique(from, out.numbers.end()), out.numbers.end());
        out.starts.push_back(int64_t(out.numbers.size()));
    }
    return out;
}

}  // namespace tertium
