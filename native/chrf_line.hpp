// What a line of text is to chrF: its characters without white space as small symbols, and where its words
// start among them. References are kept in this form, packed into one arena for a whole corpus.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "despace.hpp"
#include "symbol_ids.hpp"
#include "utf8.hpp"

namespace tertium {

struct ChrfOptions {
    int char_order = 6;
    int word_order = 0;
    double beta = 2;
    bool whitespace = false;
    bool eps_smoothing = false;
    bool popovic = false;  // as chrF++.py: eps_smoothing, and of white space only the blank is no character

    size_t char_orders() const { return size_t(std::max(char_order, 0)); }
    size_t word_orders() const { return size_t(std::max(word_order, 0)); }
    size_t orders() const { return char_orders() + word_orders(); }
};

// A symbol is one byte: itself if it is ASCII, else 128 + its place in the line's alphabet. The rare lines
// with more than 127 other characters are `wide`: their symbols are code points.
// Words follow each other without gaps in `word_symbols`, which are `symbols` unless chrF counts white space;
// a bit of `word_starts` says where each begins. Behind either array `padding` bytes may be read.
struct ChrfLineView {
    static constexpr size_t max_alphabet = 127;
    static constexpr size_t padding = 16;

    const unsigned char* symbols = nullptr;
    const unsigned char* word_symbols = nullptr;
    const char32_t* alphabet = nullptr;
    const uint64_t* word_starts = nullptr;
    uint32_t length = 0;
    uint32_t word_length = 0;  // symbols in all words
    uint32_t words = 0;
    uint8_t alphabet_size = 0;
    bool wide = false;
};
using ChrfReferenceView = ChrfLineView;

// One analysed line with its buffers; analyse many lines with the same object and nothing is allocated.
class ChrfLine {
public:
    // Good until the next analyse().
    ChrfLineView view() const {
        ChrfLineView view;
        view.symbols = reinterpret_cast<const unsigned char*>(text_.symbols.data());
        view.length = uint32_t(text_.length);
        const Symbols& words = words_apart_ ? words_ : text_;
        view.word_symbols = reinterpret_cast<const unsigned char*>(words.symbols.data());
        view.word_length = has_words_ ? uint32_t(words.length) : 0;
        view.word_starts = starts_.data();
        view.words = uint32_t(word_count_);
        view.alphabet = alphabet_;
        view.alphabet_size = uint8_t(alphabet_size_);
        view.wide = wide_;
        return view;
    }

    void analyse(std::string_view text, const ChrfOptions& options) {
        if (text.size() > 0x7FFFFFFF) throw std::length_error("chrF: a line of more than 2 GiB");
        std::string_view characters = text;
        bool whitespace = options.whitespace;
        if (options.popovic && other_space(text = characters = strip(text))) {
            blankless_.assign(text);
            std::erase(blankless_, ' ');
            characters = blankless_;
            whitespace = true;
        }
        has_words_ = options.word_order > 0;
        words_apart_ = has_words_ && whitespace;
        word_count_ = 0;
        wide_ = !analyse_as<unsigned char>(text, characters, whitespace);
        for (size_t i = 0; i < alphabet_size_; ++i) ids_.set(alphabet_[i], 0);
        if (wide_) analyse_as<char32_t>(text, characters, whitespace);
    }

private:
    static constexpr uint32_t no_symbol = 0x100;

    struct Symbols {
        std::vector<char32_t> symbols;  // or bytes, four in each
        size_t length = 0;
    };

    // White space other than the blank: rare, so that looking for it must be cheap.
    static bool other_space(std::string_view text) {
        for (size_t i = 0; i < text.size(); ++i)
            if (text[i] != ' ' && space_at(text, i)) return true;
        return false;
    }

    // The words of `text` and, where white space is kept, the symbols of `characters`; otherwise the two are the same.
    // False if the line has more characters than bytes can name.
    template <class Symbol>
    bool analyse_as(std::string_view text, std::string_view characters, bool whitespace) {
        alphabet_size_ = 0;
        if (has_words_) {
            bounds_.assign(text.size() / 64 + 2, 0);
            starts_.assign(text.size() / 64 + 2, 0);
        }
        Symbols& despaced = words_apart_ ? words_ : text_;
        if (whitespace && !keep<Symbol, true, false>(characters, text_)) return false;
        if (whitespace && !words_apart_) return true;
        if (!has_words_) return keep<Symbol, false, false>(text, despaced);
        if (!keep<Symbol, false, true>(text, despaced)) return false;
        split_punctuation(reinterpret_cast<const Symbol*>(despaced.symbols.data()), despaced.length);
        return true;
    }

    template <class Symbol, bool keep_spaces, bool find_words>
    bool keep(std::string_view text, Symbols& out) {
        // Room for what vectors write or read behind the end.
        const size_t room = (text.size() + 64) * sizeof(Symbol) / sizeof(char32_t) + 1;
        if (out.symbols.size() < room) out.symbols.resize(room);
        Symbol* const symbols = reinterpret_cast<Symbol*>(out.symbols.data());
        const char* p = text.data();
        const char* const end = p + text.size();
        size_t length = 0;
        bool after_space = true;
        while (p < end) {
            if constexpr (sizeof(Symbol) == 1) {  // ASCII in blocks
                const size_t ahead = std::min<size_t>(16, size_t(end - p));
                char tail[16] = {};
                const char* block = p;
                if (ahead < 16) block = static_cast<const char*>(std::memcpy(tail, p, ahead));
                if (const size_t plain = std::min(ascii_prefix16(block), ahead)) {
                    if constexpr (keep_spaces) {
                        std::memcpy(symbols + length, block, 16);
                        length += plain;
                    } else {
                        length += despace16<find_words>(block, plain, symbols, length, bounds_.data(), after_space);
                    }
                    p += plain;
                    if (plain == ahead) continue;
                }
            }
            do {
                const char32_t c = utf8_next(p);
                if constexpr (!keep_spaces) {
                    const bool blank = is_space(c);
                    if constexpr (find_words) {
                        if (after_space && !blank) bounds_[length >> 6] |= uint64_t{1} << (length & 63);
                        after_space = blank;
                    }
                    if (blank) continue;
                }
                if constexpr (sizeof(Symbol) == 1) {
                    const uint32_t symbol = symbol_of(c);
                    if (symbol == no_symbol) return false;
                    symbols[length++] = Symbol(symbol);
                } else {
                    symbols[length++] = c;
                }
            } while (p < end && static_cast<unsigned char>(*p) >= 0x80);
        }
        out.length = length;
        return true;
    }

    // The symbol of a character above ASCII, or `no_symbol` when the alphabet is full.
    uint32_t symbol_of(char32_t c) {
        if (const uint32_t known = ids_.find(c)) return known;
        if (alphabet_size_ == ChrfLineView::max_alphabet) return no_symbol;
        const auto symbol = uint32_t(0x80 + alphabet_size_);
        alphabet_[alphabet_size_++] = c;
        ids_.set(c, symbol);
        return symbol;
    }

    // chrF+ parts a word from the punctuation mark at its end, or else from the one at its start, never both.
    // `bounds_` has a bit where each stretch between white space starts; `starts_` gets one for each word.
    template <class Symbol>
    void split_punctuation(const Symbol* symbols, size_t length) {
        bounds_[length >> 6] |= uint64_t{1} << (length & 63);  // so that the last one ends like the others
        for (size_t block = 0; 64 * block < length; ++block) {
            const uint64_t first = bounds_[block];
            const uint64_t last = first >> 1 | bounds_[block + 1] << 63;
            const uint64_t marks = punctuation64(symbols + 64 * block);
            starts_[block] |= first | (last & ~first & marks);
            for (uint64_t at = first & ~last & marks; at; at &= at - 1) {  // rare: opening quotes and brackets
                const size_t i = 64 * block + size_t(std::countr_zero(at));
                if (i >= length || is_ascii_punctuation(symbols[next_bound(i + 1) - 1])) continue;
                starts_[(i + 1) >> 6] |= uint64_t{1} << ((i + 1) & 63);
            }
        }
        starts_[length >> 6] &= ~(uint64_t{1} << (length & 63));
        for (size_t block = 0; 64 * block < length; ++block) word_count_ += size_t(std::popcount(starts_[block]));
    }

    size_t next_bound(size_t i) const {
        size_t block = i >> 6;
        uint64_t bits = bounds_[block] & ~uint64_t{0} << (i & 63);
        while (!bits) bits = bounds_[++block];
        return 64 * block + size_t(std::countr_zero(bits));
    }

    Symbols text_, words_;
    std::string blankless_;
    std::vector<uint64_t> bounds_, starts_;
    SymbolIds ids_;
    char32_t alphabet_[ChrfLineView::max_alphabet] = {};
    size_t alphabet_size_ = 0, word_count_ = 0;
    bool wide_ = false, has_words_ = false, words_apart_ = false;
};
using ChrfReference = ChrfLine;

inline void chrf_analyse(std::string_view text, const ChrfOptions& options, ChrfReference& out) { out.analyse(text, options); }

// The analysed references of a corpus, one after the other in one arena. Views are good until the next add().
class ChrfStore {
public:
    explicit ChrfStore(const ChrfOptions& options) : options_(options) {}

    // Room for that much text, to spare growing. Only a hint: lines with many other characters take more.
    void reserve(size_t lines, size_t text_bytes) {
        records_.reserve(lines);
        const size_t starts = options_.word_order > 0 ? text_bytes / 64 + lines : 0;
        arena_.reserve(text_bytes / 8 + lines + starts + ChrfLineView::padding);
    }

    void add(std::string_view text) {
        line_.analyse(text, options_);
        const ChrfLineView line = line_.view();
        const bool apart = line.word_symbols != line.symbols;
        const Record record{used_, line.length, line.word_length, line.words, line.alphabet_size, line.wide, apart};
        const Layout layout(record);
        const size_t needed = used_ + (layout.end + ChrfLineView::padding + 7) / 8;
        if (arena_.size() < needed) arena_.resize(needed);  // grows in steps, as push_back does
        auto* base = reinterpret_cast<unsigned char*>(arena_.data() + used_);
        copy(base, line.word_starts, layout.alphabet);
        copy(base + layout.alphabet, line.alphabet, layout.symbols - layout.alphabet);
        copy(base + layout.symbols, line.symbols, layout.word_symbols - layout.symbols);
        if (apart) copy(base + layout.word_symbols, line.word_symbols, layout.end - layout.word_symbols);
        used_ += (layout.end + 7) / 8;
        records_.push_back(record);
    }

    ChrfReferenceView get(size_t i) const {
        const Record& record = records_[i];
        const Layout layout(record);
        const auto* base = reinterpret_cast<const unsigned char*>(arena_.data() + record.offset);
        ChrfLineView line;
        line.word_starts = arena_.data() + record.offset;
        line.alphabet = reinterpret_cast<const char32_t*>(base + layout.alphabet);
        line.symbols = base + layout.symbols;
        line.word_symbols = record.words_apart ? base + layout.word_symbols : line.symbols;
        line.length = record.length;
        line.word_length = record.word_length;
        line.words = record.words;
        line.alphabet_size = record.alphabet_size;
        line.wide = record.wide;
        return line;
    }

    size_t size() const { return records_.size(); }
    size_t bytes() const { return 8 * arena_.capacity() + sizeof(Record) * records_.capacity(); }
    void shrink_to_fit() {
        arena_.resize(used_ + ChrfLineView::padding / 8);
        arena_.shrink_to_fit();
        records_.shrink_to_fit();
    }

private:
    struct Record {
        size_t offset;  // in the arena
        uint32_t length, word_length, words;
        uint8_t alphabet_size;
        bool wide, words_apart;
    };

    // Where the parts of a record lie, in bytes from its start; the starts of words come first.
    struct Layout {
        size_t alphabet, symbols, word_symbols, end;
        explicit Layout(const Record& record) {
            const size_t size = record.wide ? sizeof(char32_t) : 1;
            alphabet = (size_t{record.word_length} + 63) / 64 * 8;
            symbols = alphabet + record.alphabet_size * sizeof(char32_t);
            word_symbols = symbols + record.length * size;
            end = word_symbols + (record.words_apart ? record.word_length * size : 0);
        }
    };

    static void copy(unsigned char* to, const void* from, size_t bytes) {
        if (bytes) std::memcpy(to, from, bytes);
    }

    ChrfOptions options_;
    ChrfLine line_;
    std::vector<uint64_t> arena_;
    size_t used_ = 0;
    std::vector<Record> records_;
};

}  // namespace tertium
