// A column of texts, as every kernel takes it: views of UTF-8, some of them missing.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "fetch.hpp"
#include "large_memory.hpp"

namespace tertium {

// Memory that texts are copied into when they cannot be viewed in place. Addresses stay valid.
class TextArena {
public:
    TextArena() = default;
    TextArena(TextArena&&) = default;
    TextArena& operator=(TextArena&&) = default;
    char* reserve(size_t bytes) {
        if (bytes > left_) {
            const size_t size = bytes > block_ ? bytes : block_;
            if (block_ < kLargest) block_ *= 2;
            next_ = LargeMemory<char>().allocate(size);
            blocks_.emplace_back(next_);
            left_ = size;
        }
        return next_;
    }
    std::string_view keep(size_t bytes) {  // the first `bytes` of the last reserve()
        if (bytes == 0) return {"", 0};    // never a null pointer: that means missing
        std::string_view view(next_, bytes);
        next_ += bytes;
        left_ -= bytes;
        return view;
    }
    std::string_view copy(std::string_view text);

private:
    struct Free {
        void operator()(char* memory) const { LargeMemory<char>().deallocate(memory, 0); }
    };
    static constexpr size_t kLargest = size_t(1) << 23;
    std::vector<std::unique_ptr<char, Free>> blocks_;
    size_t block_ = size_t(1) << 18;
    char* next_ = nullptr;
    size_t left_ = 0;
};

inline std::string_view TextArena::copy(std::string_view text) {
    char* to = reserve(text.size());
    if (!text.empty()) std::char_traits<char>::copy(to, text.data(), text.size());
    return keep(text.size());
}

class Lines {
public:
    std::vector<std::string_view> texts;  // data() == nullptr: missing
    TextArena arena;                      // texts that are not viewed in place
    std::shared_ptr<void> owner;          // keeps alive what is viewed in place

    size_t size() const { return texts.size(); }
    bool missing(size_t i) const { return texts[i].data() == nullptr; }
    // Texts lie all over memory: a loop that reads them says which it will want soon. Any number will do.
    void fetch(size_t i) const {
        if (i >= texts.size()) return;
        const std::string_view text = texts[i];
        const size_t most = text.size() < kFetched ? text.size() : kFetched;
        for (size_t at = 0; at < most; at += 64) fetch_memory(text.data() + at);
        fetch_end(i);
    }
    void fetch_end(size_t i) const {
        if (i < texts.size()) fetch_memory(texts[i].data() + texts[i].size());
    }

private:
    static constexpr size_t kFetched = 512;
};

}  // namespace tertium
