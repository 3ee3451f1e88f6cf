// Words and the sets of synonyms they belong to, read from the two-line form of METEOR's files: a word, then the
// numbers of its sets; a base form, then its irregular forms. Inflected English words are led back to base forms by
// WordNet's rules of detachment.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "string_numbers.hpp"

namespace tertium {

class SynonymTable {
public:
    SynonymTable(std::string_view sets, std::string_view exceptions, bool english) : english_(english) {
        starts_.push_back(0);
        in_pairs(sets, "the synonym sets", [&](std::string_view word, std::string_view numbers, size_t line) {
            if (words_.add(word) + 1 < starts_.size()) fail("the synonym sets", line, "the word stands here twice");
            each_field(numbers, [&](std::string_view field) { sets_.push_back(number(field, line + 1)); });
            starts_.push_back(uint32_t(sets_.size()));
        });
        in_pairs(exceptions, "the exceptions", [&](std::string_view base, std::string_view forms, size_t) {
            const uint32_t number = words_.find(base);
            each_field(forms, [&](std::string_view form) {
                const uint32_t place = forms_.add(form);
                if (place == bases_.size()) bases_.emplace_back();
                if (number != StringNumbers::kNone) bases_[place].push_back(number);
            });
        });
    }
    size_t size() const { return words_.size(); }

    // Appends the sets of a word and of its base forms, in order, each once.
    void sets_of(std::string_view word, std::vector<uint32_t>& out) const {
        const size_t begin = out.size();
        add(words_.find(word), out);
        if (const uint32_t form = forms_.find(word); form != StringNumbers::kNone)
            for (const uint32_t base : bases_[form]) add(base, out);
        else if (english_) add(detached(word), out);
        std::sort(out.begin() + ptrdiff_t(begin), out.end());
        out.erase(std::unique(out.begin() + ptrdiff_t(begin), out.end()), out.end());
    }

private:
    template <class Found>
    static void in_pairs(std::string_view text, const char* what, Found&& found) {
        size_t line = 0;
        while (!text.empty()) {
            const std::string_view first = next_line(text);
            ++line;
            if (first.empty()) fail(what, line, "a word was expected, the line is empty");
            if (text.empty()) fail(what, line, "the file ends between a word and what belongs to it");
            found(first, next_line(text), line);
            ++line;
        }
    }
    static std::string_view next_line(std::string_view& text) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }
    template <class Found>
    static void each_field(std::string_view line, Found&& found) {
        for (size_t i = 0; i < line.size();) {
            const size_t begin = line.find_first_not_of(" \t", i);
            if (begin == std::string_view::npos) return;
            const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
            found(line.substr(begin, end - begin));
            i = end;
        }
    }
    static uint32_t number(std::string_view field, size_t line) {
        uint64_t value = 0;
        for (const char c : field) {
            if (c < '0' || c > '9') fail("the synonym sets", line, "numbers of sets were expected");
            value = value * 10 + uint64_t(c - '0');
            if (value > 0xFFFFFFFFu) fail("the synonym sets", line, "the number of a set is too large");
        }
        return uint32_t(value);
    }
    [[noreturn]] static void fail(const char* what, size_t line, const char* why) {
        throw std::invalid_argument(std::string(what) + ", line " + std::to_string(line) + ": " + why);
    }
    void add(uint32_t word, std::vector<uint32_t>& out) const {
        if (word == StringNumbers::kNone) return;
        out.insert(out.end(), sets_.begin() + starts_[word], sets_.begin() + starts_[word + 1]);
    }
    // The first form that is a word of ours: nouns, then verbs, then adjectives.
    uint32_t detached(std::string_view word) const {
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kRules{{{"s", ""},
                                                                                               {"ses", "s"},
                                                                                               {"xes", "x"},
                                                                                               {"zes", "z"},
                                                                                               {"ches", "ch"},
                                                                                               {"shes", "sh"},
                                                                                               {"men", "man"},
                                                                                               {"ies", "y"},
                                                                                               {"es", "e"},
                                                                                               {"es", ""},
                                                                                               {"ed", "e"},
                                                                                               {"ed", ""},
                                                                                               {"ing", "e"},
                                                                                               {"ing", ""},
                                                                                               {"er", ""},
                                                                                               {"est", ""},
                                                                                               {"er", "e"},
                                                                                               {"est", "e"}}};
        if (word.size() <= 2 || word.ends_with("ss")) return StringNumbers::kNone;
        std::string base;
        for (const auto& [ending, instead] : kRules) {
            if (!word.ends_with(ending)) continue;
            base.assign(word.substr(0, word.size() - ending.size())).append(instead);
            if (const uint32_t found = words_.find(base); found != StringNumbers::kNone) return found;
        }
        return StringNumbers::kNone;
    }

    bool english_;
    StringNumbers words_, forms_;
    std::vector<uint32_t> starts_, sets_;
    std::vector<std::vector<uint32_t>> bases_;
};

}  // namespace tertium
