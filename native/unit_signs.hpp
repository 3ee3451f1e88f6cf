// What one scan of a unit's texts tells the checks of a memory: which of them need not look.
//
// Checks are regular expressions in Python, and most of them say nothing about most units. A sign is set wherever a check
// might say something, so that what is not set is never looked at; the checks themselves decide. Characters are classed, and
// made small, by tables that Python fills from its own, for the first 65,536 of them; a text that has others, or letters
// whose small form depends on what stands beside them, gets all the signs that depend on words.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "utf8.hpp"
#include "words.hpp"

namespace tertium {

struct CharacterTables {
    static constexpr size_t kCharacters = 0x10000;
    enum Class : uint8_t { other, letter, digit, space, underscore };
    std::vector<uint8_t> classes;  // as Python's re has them; `letter` is [^\W\d_]
    std::vector<uint16_t> small;   // 0: more than one character
};

// Words that mean something to a check, by hash.
class SignWords {
public:
    // What a word is: between white space, function words of its language or of another; between other characters than
    // those of words, denials, or beginnings of some; a run of letters, months and currencies.
    enum : uint8_t { own = 1, others = 2, denies = 4, may_deny = 8, begins_denial = 16, month = 32, currency = 64 };
    static constexpr uint64_t kSeed = 0x9E3779B97F4A7C15ull;
    static uint64_t step(uint64_t hash, char32_t c) {
        hash = (hash ^ c) * 0xFF51AFD7ED558CCDull;
        return hash ^ hash >> 32;
    }

    SignWords() : slots_(256) {}
    void add(std::string_view word, uint8_t kinds) {
        uint64_t hash = kSeed;
        size_t length = 0;
        for (const char *p = word.data(), *end = p + word.size(); p < end; ++length) hash = step(hash, utf8_next(p));
        if (kinds & begins_denial && length < 64) lengths_ |= uint64_t(1) << length;
        if (2 * ++used_ > slots_.size()) grow();
        put(hash, kinds);
    }
    uint8_t kinds(uint64_t hash) const {
        const size_t mask = slots_.size() - 1;
        for (size_t i = hash & mask;; i = (i + 1) & mask)
            if (slots_[i].kinds == 0 || slots_[i].hash == hash) return slots_[i].kinds;
    }
    bool may_begin(size_t length) const { return length < 64 && (lengths_ >> length & 1); }

private:
    struct Slot {
        uint64_t hash = 0;
        uint8_t kinds = 0;
    };
    void put(uint64_t hash, uint8_t kinds) {
        const size_t mask = slots_.size() - 1;
        size_t i = hash & mask;
        while (slots_[i].kinds != 0 && slots_[i].hash != hash) i = (i + 1) & mask;
        slots_[i].hash = hash;
        slots_[i].kinds |= kinds;
    }
    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before)
            if (slot.kinds != 0) put(slot.hash, slot.kinds);
    }
    std::vector<Slot> slots_;
    size_t used_ = 0;
    uint64_t lengths_ = 0;  // of beginnings
};

// A hash of a text without what differs for no reason: marks of keys, capitals, white space and marks at the ends.
inline uint64_t plain_hash(std::string_view text, const CharacterTables& tables) {
    const auto at_end = [](char32_t c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '.' || c == ':' || c == 0x2026 || c == 0xA0 ||
               c == 0x202F;
    };
    uint64_t hash = SignWords::kSeed, kept = hash;
    bool begun = false;
    for (const char *p = text.data(), *end = p + text.size(); p < end;) {
        const char32_t c = utf8_next(p);
        if (c == '&' || c == '_' || (!begun && at_end(c))) continue;
        begun = true;
        const char32_t small = c < CharacterTables::kCharacters ? tables.small[c] : c;
        hash = SignWords::step(hash, small == 0 ? c : small);
        if (!at_end(c)) kept = hash;
    }
    return kept;
}

// One side of a unit.
class SideScan {
public:
    // Signs of a side; see tertium/vetting/batches.py.
    enum : uint32_t {
        kDigit = 1u << 0,
        kSpecial = 1u << 1,  // % { < $, which begin placeholders
        kBrace = 1u << 2,
        kAddress = 1u << 3,
        kName = 1u << 4,
        kAcronym = 1u << 5,
        kCode = 1u << 6,
        kSuspect = 1u << 7,  // of a wrong encoding
        kAgain = 1u << 8,
        kBlank = 1u << 9,
        kSpaceFirst = 1u << 10,
        kSpaceLast = 1u << 11,
        kLanguage = 1u << 12,
        kMonth = 1u << 13,
        kClock = 1u << 14,
        kCurrency = 1u << 15,
        kMeasure = 1u << 16,
        kBreaksOff = 1u << 17,
    };
    uint32_t signs = 0;
    bool odd = false;  // has characters that the tables say nothing about
    bool denies = false, may_deny = false;
    uint8_t ending = 0;  // the class of the mark at the end; 0: none
    uint32_t characters = 0, ampersands = 0, underscores = 0, doubles = 0;
    std::array<uint16_t, 10> brackets{};
    std::vector<std::string_view> numbers;  // runs of digits and what may stand between them

    void read(std::string_view text, const CharacterTables& tables, const SignWords& words) {
        start();
        const char* number = nullptr;  // where one begins, and behind its last digit
        const char* number_end = nullptr;
        char32_t p1 = 0, p2 = 0, p3 = 0;  // the characters before
        bool after_slash = false;         // a word
        uint32_t slashes = 0;
        bool capitals = false;  // since a capital, capitals and digits only
        bool blank = true, pair_open = false;
        char32_t pair_mark = 0;  // ' or ` that may be the first of two
        Token spaced, word, run;
        bool run_open = false, word_open = false, spaced_open = false, word_plain = false;
        bool only_space = false, had_space = false;  // between the last word and here
        bool last_plain = false;
        uint64_t last_word = 0;
        uint32_t last_length = 0;
        const auto close_run = [&] {
            if (!run_open) return;
            run_open = false;
            const uint8_t kinds = words.kinds(run.hash);
            if (kinds & SignWords::month || run.length > 12) signs |= kMonth;
            if (kinds & SignWords::currency) signs |= kCurrency;
        };
        const auto close_word = [&] {
            if (!word_open) return;
            word_open = false;
            const uint8_t kinds = words.kinds(word.hash);
            if (kinds & SignWords::denies) denies = may_deny = true;
            if (kinds & SignWords::may_deny) may_deny = true;
            if (last_plain && only_space && had_space && word_plain && word.hash == last_word && word.length == last_length)
                signs |= kAgain;
            last_plain = word_plain && word.length >= 2;
            last_word = word.hash;
            last_length = word.length;
            only_space = true;
            had_space = false;
        };
        const auto close_spaced = [&] {
            if (!spaced_open) return;
            spaced_open = false;
            ++spaced_count_;
            last_kinds_ = words.kinds(spaced.hash);
            if (last_kinds_ & SignWords::own) note(own_, own_count_, spaced.hash);
            else if (last_kinds_ & SignWords::others) note(others_, others_count_, spaced.hash);
        };
        for (const char *p = text.data(), *end = p + text.size(); p < end; ++characters) {
            const char* here = p;
            const char32_t c = utf8_next(p);
            uint8_t kind = CharacterTables::other;
            char32_t small = c;
            if (c < CharacterTables::kCharacters) {
                kind = tables.classes[c];
                small = tables.small[c];
                if (small == 0) odd |= c != 0, small = c;
            } else {
                odd = true;
            }
            // runs of letters, words, and what stands between white space
            if (kind == CharacterTables::letter) {
                if (!run_open) run_open = true, run = Token();
                run.take(small);
            } else {
                close_run();
            }
            const bool in_word =
                kind == CharacterTables::letter || kind == CharacterTables::digit || kind == CharacterTables::underscore;
            if (in_word) {
                if (!word_open) word_open = true, word = Token(), word_plain = true;
                word.take(small);
                word_plain &= kind == CharacterTables::letter;
                if (words.may_begin(word.length) && words.kinds(word.hash) & SignWords::begins_denial) may_deny = true;
            } else {
                close_word();
            }
            if (kind == CharacterTables::space) {
                close_spaced();
                had_space = true;
                if (characters == 0) signs |= kSpaceFirst;
            } else {
                blank = false;
                if (!spaced_open) spaced_open = true, spaced = Token();
                spaced.take(small);
                if (!in_word) only_space = false;
            }
            // numbers
            if (kind == CharacterTables::digit) {
                signs |= kDigit;
                if (number == nullptr) number = here;
                number_end = p;
                if (is_letter(p1) || ((p1 == '-' || p1 == '_') && is_letter(p2))) signs |= kCode;
            } else if (number != nullptr && !separates(c)) {
                numbers.emplace_back(number, size_t(number_end - number));
                number = nullptr;
            }
            if (kind == CharacterTables::letter || c == '%' || c == 0xB0) {
                if (is_number(p1, tables) || (is_narrow_space(p1) && is_number(p2, tables))) signs |= kMeasure;
            }
            if ((c == 'm' || c == 'M') && is_half(p1, p2, p3)) signs |= kClock;
            if (in_word) {
                if ((p1 == '_' && is_word(p2, tables)) || (p1 == '-' && p2 == '-')) signs |= kCode;
                after_slash |= p1 == '/';
            }
            slashes += c == '/';
            // capitals
            if (c >= 'A' && c <= 'Z') {
                if (capitals) signs |= kAcronym;
                capitals = true;
            } else {
                capitals = capitals && c >= '0' && c <= '9';
                if (p2 == ' ' && p1 >= 'A' && p1 <= 'Z' && p3 != 0 && is_small(c)) signs |= kName;
            }
            if (c == 0xFFFD || (p1 >= 0xC2 && p1 <= 0xF4 && continues(c))) signs |= kSuspect;
            marks(c, p1, p2);
            // '' and `` are quotes
            if ((c == '\'' || c == '`') && pair_open && pair_mark == c) {
                ++doubles;
                pair_open = false;
            } else {
                pair_open = c == '\'' || c == '`';
                pair_mark = c;
            }
            if (c == 0x130 || c == 0x131 || c == 0x17F || c == 0x212A || c == 0x3A3) odd = true;
            p3 = p2, p2 = p1, p1 = c;
        }
        close_run(), close_word(), close_spaced();
        if (after_slash && slashes > 1) signs |= kCode;
        if (number != nullptr) numbers.emplace_back(number, size_t(number_end - number));
        finish(text, tables, blank);
    }

private:
    struct Token {
        uint64_t hash = SignWords::kSeed;
        uint32_t length = 0;
        void take(char32_t c) { hash = SignWords::step(hash, c), ++length; }
    };
    static constexpr uint32_t kOfWords = kDigit | kCode | kAgain | kLanguage | kMonth | kCurrency | kBreaksOff | kMeasure;

    void start() {
        signs = 0, odd = denies = may_deny = false, ending = 0;
        characters = ampersands = underscores = doubles = 0;
        brackets.fill(0);
        numbers.clear();
        own_count_ = others_count_ = spaced_count_ = 0;
        last_kinds_ = 0;
    }
    // Different words, as many as make a difference.
    static void note(std::array<uint64_t, 3>& seen, uint32_t& count, uint64_t hash) {
        for (uint32_t i = 0; i < count; ++i)
            if (seen[i] == hash) return;
        if (count < seen.size()) seen[count++] = hash;
    }
    static bool is_letter(char32_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
    static bool is_small(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 0xE0 && c <= 0xFF && c != 0xF7); }
    static bool is_number(char32_t c, const CharacterTables& tables) {
        return c < CharacterTables::kCharacters && tables.classes[c] == CharacterTables::digit;
    }
    static bool is_word(char32_t c, const CharacterTables& tables) {
        if (c >= CharacterTables::kCharacters) return true;
        const uint8_t kind = tables.classes[c];
        return kind != CharacterTables::other && kind != CharacterTables::space;
    }
    static bool is_narrow_space(char32_t c) { return c == ' ' || c == 0xA0 || c == 0x202F || c == 0x2009; }
    static bool separates(char32_t c) { return is_narrow_space(c) || c == '\'' || c == 0x2019 || c == '.' || c == ','; }
    // Whether a or p stands right before an m, or before a full stop and a space between them.
    static bool is_half(char32_t p1, char32_t p2, char32_t p3) {
        const auto half = [](char32_t c) { return (c | 32) == 'a' || (c | 32) == 'p'; };
        return half(p1) || half(p2) || half(p3);
    }
    static bool continues(char32_t c) {
        return (c >= 0x80 && c <= 0xBF) || (c >= 0x152 && c <= 0x178) || c == 0x2C6 || c == 0x2DC ||
               (c >= 0x2013 && c <= 0x2122);
    }
    void marks(char32_t c, char32_t p1, char32_t p2) {
        switch (c) {
            case '{':
                signs |= kBrace | kSpecial;
                ++brackets[4];
                break;
            case '%':
            case '<':
            case '$':
                signs |= kSpecial;
                if (c == '$') signs |= kCurrency;
                break;
            case '@': signs |= kAddress; break;
            case '/':
                if (p1 == '/' && p2 == ':') signs |= kAddress;
                break;
            case '.':
                if (p1 == 'w' && p2 == 'w') signs |= kAddress;
                break;
            case '&': ++ampersands; break;
            case '_': ++underscores; break;
            case '(': ++brackets[0]; break;
            case ')':
                ++brackets[1];
                if (p1 == '(') signs |= kCode;
                break;
            case '[': ++brackets[2]; break;
            case ']': ++brackets[3]; break;
            case '}': ++brackets[5]; break;
            case 0xFF08: ++brackets[6]; break;
            case 0xFF09: ++brackets[7]; break;
            case 0xFF3B: ++brackets[8]; break;
            case 0xFF3D: ++brackets[9]; break;
            case '"':
            case 0x201C:
            case 0x201D:
            case 0x201E:
            case 0xAB:
            case 0xBB:
            case 0x300C:
            case 0x300D: ++doubles; break;
            case 0x20AC:
            case 0xA3:
            case 0xA5:
            case 0x20B9:
            case 0x20BD: signs |= kCurrency; break;
            default: break;
        }
    }
    void finish(std::string_view text, const CharacterTables&, bool blank) {
        if (blank) signs |= kBlank;
        const std::string_view bare = rstrip(text);
        if (bare.size() != text.size()) signs |= kSpaceLast;
        const char32_t last = last_of(bare);
        if (last == ',' || last == '-' || last == '(' || last == '[' || last == 0xAB || last == 0x201C || last == 0x201E ||
            last_kinds_ & SignWords::own)
            signs |= kBreaksOff;
        ending = ending_of(bare);
        if (characters >= 25 && spaced_count_ >= 4 &&
            ((own_count_ == 0 && others_count_ >= 1) || (own_count_ < 3 && others_count_ >= 2)))
            signs |= kLanguage;
        if (odd) signs |= kOfWords, may_deny = true, denies = false;
    }
    static char32_t last_of(std::string_view text) {
        if (text.empty()) return 0;
        size_t i = text.size() - 1;
        while (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
        const char* p = text.data() + i;
        return utf8_next(p);
    }
    // Behind closing quotes and brackets: ? and ; (Greek), !, :, ., … in all their forms.
    static uint8_t ending_of(std::string_view text) {
        for (;;) {
            const char32_t c = last_of(text);
            const bool closes =
                c == '"' || c == '\'' || c == 0x201D || c == 0xBB || c == 0x2019 || c == ')' || c == 0x300D || c == 0x300F;
            if (!closes) break;
            text.remove_suffix(size_t(c < 0x80 ? 1 : c < 0x800 ? 2 : 3));
        }
        if (text.ends_with("...")) return 5;
        switch (last_of(text)) {
            case '?':
            case 0xFF1F:
            case 0x61F:
            case ';': return 1;
            case '!':
            case 0xFF01: return 2;
            case ':':
            case 0xFF1A: return 3;
            case '.':
            case 0x3002: return 4;
            case 0x2026: return 5;
            default: return 0;
        }
    }

    std::array<uint64_t, 3> own_{}, others_{};
    uint32_t own_count_ = 0, others_count_ = 0, spaced_count_ = 0;
    uint8_t last_kinds_ = 0;
};

// Both sides, and what they are together: signs of the source from bit 0, of the target from bit 20, of both from bit 40.
class UnitScan {
public:
    enum : int64_t {
        kSame = int64_t(1) << 40,
        kNumbers = int64_t(1) << 41,
        kEnding = int64_t(1) << 42,
        kQuotes = int64_t(1) << 43,
        kKeys = int64_t(1) << 44,
        kDenial = int64_t(1) << 45,
    };

    int64_t read(std::string_view source, std::string_view target, const CharacterTables& tables, const SignWords& ours,
                 const SignWords& theirs) {
        source_.read(source, tables, ours);
        target_.read(target, tables, theirs);
        const SideScan &a = source_, &b = target_;
        int64_t signs = int64_t(a.signs) | int64_t(b.signs) << 20;
        if (source == target) signs |= kSame;
        const uint32_t either = a.signs | b.signs;
        if (either & SideScan::kDigit && (either & SideScan::kSpecial || a.odd || b.odd || a.numbers != b.numbers))
            signs |= kNumbers;
        if (a.ending != b.ending) signs |= kEnding;
        if (a.brackets != b.brackets || (a.doubles >= 2 && (b.doubles == 0 || b.doubles % 2))) signs |= kQuotes;
        if ((a.ampersands == 1 && b.ampersands != 1) || (a.underscores == 1 && b.underscores != 1)) signs |= kKeys;
        if ((a.may_deny || b.may_deny) && !(a.denies && b.denies)) signs |= kDenial;
        return signs;
    }

private:
    SideScan source_, target_;
};

}  // namespace tertium
