// What two texts show on the surface: lengths, numbers and marks of one that the other lacks, names and copied words, and how
// often the commonest words and phrases are said.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keyed_words.hpp"
#include "words.hpp"

namespace tertium {

// Kinds of marks by character: none (0), or the number of a kind, from 1.
class MarkKinds {
public:
    explicit MarkKinds(const std::vector<std::string>& kinds) : number(kinds.size()) {
        for (size_t kind = 0; kind < kinds.size(); ++kind)
            for (const char *p = kinds[kind].data(), *end = p + kinds[kind].size(); p < end;) {
                const char32_t c = utf8_next(p);
                if (c >= kinds_.size()) kinds_.resize(c + 1);
                kinds_[c] = uint8_t(kind + 1);
            }
    }
    uint8_t operator[](char32_t c) const { return c < kinds_.size() ? kinds_[c] : uint8_t(0); }

    size_t number;

private:
    std::vector<uint8_t> kinds_;
};

class SurfaceSigns {
public:
    // characters of both; numbers kept, given and of the source; names kept, of source and of target; copied; the most times
    // that a word, a pair and three words are said in the source, and in the target; different words of both; same end; and
    // for each kind of marks how many more the target has.
    static constexpr size_t kPlain = 18;

    SurfaceSigns(const WordCharacters& characters, const MarkKinds& marks)
        : characters_(characters), marks_(marks), sides_{CutWords(characters), CutWords(characters)} {}

    size_t columns() const { return kPlain + marks_.number; }

    void read(std::string_view source, std::string_view target, double* row) {
        sides_[0].read(source);
        sides_[1].read(target);
        row[0] = double(sides_[0].codes.size());
        row[1] = double(sides_[1].codes.size());
        numbers(row + 2);
        number_words(source, target);
        names(row + 5);
        for (size_t side = 0; side < 2; ++side) repeats(ids_[side], row + 9 + 3 * side);
        for (size_t side = 0; side < 2; ++side) row[15 + side] = share(kinds_[side], ids_[side].size());
        const auto &ours = sides_[0].codes, &theirs = sides_[1].codes;
        row[17] =
            ours.empty() || theirs.empty() ? double(ours.empty() && theirs.empty()) : double(ours.back() == theirs.back());
        count_marks(row + kPlain);
    }

private:
    enum : uint8_t { kOurs = 1, kTheirs = 2, kName = 4, kTheirName = 8, kLong = 16 };

    static double share(size_t part, size_t of) { return double(part) / double(std::max<size_t>(1, of)); }
    static double found(size_t part, size_t of) { return of == 0 ? 1.0 : double(part) / double(of); }

    // Digits of both sides, marks inside them left out; each different number counts once.
    void numbers(double* row) {
        digits_.clear();
        spans_.clear();
        size_t ours = 0;
        for (size_t side = 0; side < 2; ++side) {
            const auto& codes = sides_[side].codes;
            const auto is_digit = [&](size_t i) {
                return i < codes.size() && (characters_[codes[i]] & WordCharacters::kDigit);
            };
            for (size_t i = 0; i < codes.size();) {
                if (!is_digit(i)) {
                    ++i;
                    continue;
                }
                const size_t begin = digits_.size();
                for (;;) {
                    for (; is_digit(i); ++i) utf8_append(digits_, codes[i]);
                    const bool inside = i < codes.size() && (codes[i] == '.' || codes[i] == ',' || codes[i] == ':');
                    if (!inside || !is_digit(i + 1)) break;
                    ++i;
                }
                spans_.push_back({begin, digits_.size() - begin});
            }
            if (side == 0) ours = spans_.size();
        }
        const char* const base = digits_.data();
        table_.clear(spans_.size());
        uint32_t different = 0;
        size_t theirs = 0, both = 0;
        seen_.clear();
        for (size_t k = 0; k < spans_.size(); ++k) {
            const auto [begin, size] = spans_[k];
            const Word word{word_key(base + begin, size, base + digits_.size()), uint32_t(begin), uint32_t(size)};
            const uint32_t number = table_.add(word, base);
            if (number == seen_.size()) seen_.push_back(0);
            if (k < ours) {
                different += seen_[number] == 0;
                seen_[number] = kOurs;
            } else if (!(seen_[number] & kTheirs)) {
                both += (seen_[number] & kOurs) != 0;
                ++theirs;
                seen_[number] |= kTheirs;
            }
        }
        row[0] = found(both, different);
        row[1] = found(both, theirs);
        row[2] = double(different);
    }

    // Equal words of both sides, as they are written, have equal numbers.
    void number_words(std::string_view source, std::string_view target) {
        table_.clear(sides_[0].parts.size() + sides_[1].parts.size());
        seen_.clear();
        for (size_t side = 0; side < 2; ++side) {
            const std::string_view text = side == 0 ? source : target;
            const uint8_t own = side == 0 ? kOurs : kTheirs, name = side == 0 ? kName : kTheirName;
            const CutWords& words = sides_[side];
            ids_[side].clear();
            kinds_[side] = 0;
            for (size_t i = 0; i < words.parts.size(); ++i) {
                const auto& part = words.parts[i];
                const Word word{word_key(text.data() + part.byte, part.bytes, text.data() + text.size()), part.byte,
                                part.bytes};
                const uint32_t number = table_.add(word, text.data());
                if (number == seen_.size()) seen_.push_back(0);
                uint8_t& seen = seen_[number];
                kinds_[side] += (seen & own) == 0;
                seen |= own;
                if (i > 0 && (characters_[words.codes[part.begin]] & WordCharacters::kUpper)) seen |= name;
                if (side == 0 && part.end - part.begin > 3) seen |= kLong;
                ids_[side].push_back(number);
            }
        }
    }

    void names(double* row) const {
        size_t ours = 0, theirs = 0, kept = 0, large = 0, copied = 0;
        for (const uint8_t seen : seen_) {
            const bool there = seen & kTheirs;
            ours += (seen & kName) != 0;
            kept += (seen & kName) && there;
            theirs += (seen & kTheirName) != 0;
            large += (seen & kLong) != 0;
            copied += (seen & kLong) && there;
        }
        row[0] = found(kept, ours);
        row[1] = share(ours, ids_[0].size());
        row[2] = share(theirs, ids_[1].size());
        row[3] = share(copied, large);
    }

    // How often the commonest word, pair and three words are said.
    void repeats(const std::vector<uint32_t>& ids, double* row) {
        phrases_ = ids;
        for (size_t size = 1; size <= 3; ++size) {
            if (ids.size() < size) {
                row[size - 1] = 0.0;
                continue;
            }
            const size_t n = ids.size() + 1 - size;
            if (size > 1) {
                pairs_.clear(n);
                for (size_t i = 0; i < n; ++i) phrases_[i] = pairs_.add(phrases_[i], ids[i + size - 1]);
            }
            uint32_t most = 0;
            times_.assign(size == 1 ? seen_.size() : pairs_.size(), 0);
            for (size_t i = 0; i < n; ++i) most = std::max(most, ++times_[phrases_[i]]);
            row[size - 1] = double(most);
        }
    }

    void count_marks(double* row) const {
        std::fill_n(row, marks_.number, 0.0);
        for (size_t side = 0; side < 2; ++side)
            for (const char32_t c : sides_[side].codes)
                if (const uint8_t kind = marks_[c]) row[kind - 1] += side == 0 ? -1.0 : 1.0;
    }

    struct Digits {
        size_t begin, size;
    };
    const WordCharacters& characters_;
    const MarkKinds& marks_;
    CutWords sides_[2];
    std::vector<uint32_t> ids_[2], phrases_, times_;
    std::vector<uint8_t> seen_;
    size_t kinds_[2] = {0, 0};
    std::string digits_;
    std::vector<Digits> spans_;
    WordTable table_;
    PairTable pairs_;
};

}  // namespace tertium
