// Chains of mentions of texts; a mention is its words, which need not stand together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cut_texts.hpp"

namespace tertium {

struct MentionChains {
    std::vector<size_t> texts{0};     // where the chains of each text begin, and the end
    std::vector<size_t> chains{0};    // where the mentions of each chain begin
    std::vector<size_t> mentions{0};  // where the words of each mention begin
    std::vector<uint32_t> words;      // places in the text

    size_t size() const { return texts.size() - 1; }
    size_t length(size_t chain) const { return chains[chain + 1] - chains[chain]; }
    std::span<const uint32_t> mention(size_t n) const { return {words.data() + mentions[n], mentions[n + 1] - mentions[n]}; }
    template <class Words>
    void add_mention(const Words& own) {
        words.insert(words.end(), own.begin(), own.end());
        mentions.push_back(words.size());
    }
    void end_chain() { chains.push_back(mentions.size() - 1); }
    void end_text() { texts.push_back(chains.size() - 1); }
};

// Names without parses: runs of words with capitals, chained where they are the same. The first word of a sentence belongs to
// a name only if it has its capital elsewhere, too. `least` mentions make a chain.
inline void add_repeated_names(const CutTexts& texts, size_t t, size_t least, MentionChains& out) {
    const Forms& forms = *texts.forms;
    const auto words = texts[t], starts = texts.sentences_of(t);
    std::vector<uint8_t> begins(words.size(), 0);
    for (const uint32_t start : starts) begins[start] = 1;
    std::unordered_set<uint32_t> inside;
    for (size_t place = 0; place < words.size(); ++place)
        if (!begins[place] && (forms.kinds(words[place]) & kCapital)) inside.insert(words[place]);
    std::vector<std::vector<uint32_t>> runs;
    for (size_t place = 0; place < words.size(); ++place) {
        if (!(forms.kinds(words[place]) & kCapital) || !inside.contains(words[place])) continue;
        if (!runs.empty() && runs.back().back() + 1 == place && !begins[place]) runs.back().push_back(uint32_t(place));
        else runs.push_back({uint32_t(place)});
    }
    std::map<std::vector<uint32_t>, size_t> known;  // of forms
    std::vector<std::vector<size_t>> chains;        // of runs
    std::vector<uint32_t> name;
    for (size_t run = 0; run < runs.size(); ++run) {
        name.clear();
        for (const uint32_t place : runs[run]) name.push_back(words[place]);
        const auto [found, fresh] = known.try_emplace(name, chains.size());
        if (fresh) chains.emplace_back();
        chains[found->second].push_back(run);
    }
    for (const auto& chain : chains) {
        if (chain.size() < least) continue;
        for (const size_t run : chain) out.add_mention(runs[run]);
        out.end_chain();
    }
    out.end_text();
}

}  // namespace tertium
