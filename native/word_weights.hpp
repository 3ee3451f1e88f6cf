// How much a word says: its inverse document frequency in a corpus where every line is a document.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "case_folding.hpp"
#include "lines.hpp"
#include "references.hpp"

namespace tertium {

// weight(w) = log2(1 + (N + 1) / (c(w) + 1)), c(w): lines of N that hold the word. Without counts every word
// weighs 1.
class WordWeights {
public:
    WordWeights() = default;  // all alike
    explicit WordWeights(uint64_t lines) : alike_(false), lines_(lines) {}

    void count(const WordsView& text) {
        table_.clear(text.size);
        for (uint32_t i = 0; i < text.size; ++i) {
            const uint32_t before = table_.size();
            if (table_.add(text.words[i], text.base) == before) add({text.base + text.words[i].begin, text.words[i].size}, 1);
        }
    }
    void add(std::string_view word, uint64_t times) {
        const auto found = counts_.find(word);
        if (found != counts_.end()) found->second += times;
        else counts_.emplace(arena_.copy(word), times);
    }
    double weight(std::string_view word, Fold fold, std::string& scratch) const {
        if (alike_) return 1;
        auto found = counts_.find(word);
        if (found == counts_.end() && fold != Fold::exact) found = counts_.find(folded(word, fold, scratch));
        const uint64_t count = found == counts_.end() ? 0 : found->second;
        return std::log2(1 + (double(lines_) + 1) / (double(count) + 1));
    }
    bool alike() const { return alike_; }
    uint64_t lines() const { return lines_; }
    const std::unordered_map<std::string_view, uint64_t>& counts() const { return counts_; }

private:
    bool alike_ = true;
    uint64_t lines_ = 0;
    TextArena arena_;
    std::unordered_map<std::string_view, uint64_t> counts_;
    WordTable table_;
};

}  // namespace tertium
