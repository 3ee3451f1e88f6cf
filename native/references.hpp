// Tokenised references, analysed once and shared by all systems that are scored against them.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "interrupts.hpp"
#include "large_memory.hpp"
#include "lines.hpp"
#include "parallel.hpp"
#include "words.hpp"

namespace tertium {

// The words of one reference of one segment.
struct WordsView {
    const Word* words = nullptr;
    uint32_t size = 0;
    const char* base = nullptr;
};

class WordReferences {
public:
    WordReferences(const WordReferences&) = delete;
    WordReferences(std::vector<std::shared_ptr<Lines>> streams, Tokenizer tokenizer, int threads)
        : streams_(std::move(streams)) {
        const size_t n = streams_[0]->size();
        starts_.reserve(n + 1);
        size_t entries = 0;
        for (size_t i = 0; i < n; ++i) {  // where the references of a segment stand; missing ones have no entry
            starts_.push_back(entries);
            for (const auto& stream : streams_) entries += !stream->missing(i);
        }
        starts_.push_back(entries);
        views_.resize(entries);
        parts_.resize(thread_count(threads));
        parallel_parts(n, threads,
                       [&](size_t part, size_t begin, size_t end) { analyse(parts_[part], tokenizer, begin, end); });
    }
    size_t size() const { return starts_.size() - 1; }
    // References without any word, over all segments.
    size_t count_wordless() const {
        return size_t(std::count_if(views_.begin(), views_.end(), [](const WordsView& view) { return view.size == 0; }));
    }
    size_t count(size_t segment) const { return starts_[segment + 1] - starts_[segment]; }
    const WordsView* operator[](size_t segment) const { return views_.data() + starts_[segment]; }
    // All references of all segments stand in one row; this is the place of a segment's first.
    size_t place(size_t segment) const { return starts_[segment]; }
    const std::vector<WordsView>& all() const { return views_; }

private:
    struct Part {
        LargeVector<Word> words;
        TextArena arena;
    };
    void analyse(Part& part, Tokenizer tokenizer, size_t begin, size_t end) {
        Tokens tokens;
        size_t bytes = 0;
        for (const auto& stream : streams_)
            for (size_t i = begin; i < end; ++i) bytes += stream->texts[i].size();
        part.words.reserve(bytes / 4);
        for (size_t i = begin; i < end; ++i) {
            poll();
            size_t at = starts_[i];
            for (const auto& stream : streams_) {
                if (stream->missing(i)) continue;
                stream->fetch(i + 3);
                tokenizer(stream->texts[i], tokens);
                const bool rewritten = tokens.text().data() == tokens.rewritten.data() && !tokens.rewritten.empty();
                views_[at].base = rewritten ? part.arena.copy(tokens.text()).data() : tokens.text().data();
                views_[at].size = uint32_t(tokens.size());
                words_of(tokens, part.words);
                ++at;
            }
        }
        const Word* next = part.words.data();  // only now is the vector's address final
        for (size_t at = starts_[begin]; at < starts_[end]; ++at) {
            views_[at].words = next;
            next += views_[at].size;
        }
    }
    std::vector<std::shared_ptr<Lines>> streams_;
    std::vector<size_t> starts_;
    std::vector<WordsView> views_;
    std::vector<Part> parts_;
};

}  // namespace tertium
