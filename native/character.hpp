// CharacTER (Wang et al. 2016): the hypothesis' words are shifted towards the reference as long as that lowers the word
// edit distance; the rest is edit distance in characters, plus what the shifts cost, per character of the hypothesis.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "char_distance.hpp"
#include "interrupts.hpp"
#include "processor.hpp"
#include "references.hpp"
#include "utf8.hpp"
#include "wide_rows.hpp"

namespace tertium {

// The table for references of more than 64 words, kept whole. Where each word of the hypothesis stands in the reference
// is spread out, so that four rows can be computed together, each one block behind the row above it.
class WideRows {
public:
    // Above some 64 MiB the table is not made.
    static bool fits(size_t n_hyp, size_t n_ref) { return (n_hyp + 1) * blocks_for(n_ref) <= size_t{1} << 22; }

    void start(const TerReference& reference, const TerWords& words) {
        reference_ = &reference;
        n_hyp_ = int32_t(words.size());
        n_blocks_ = blocks_for(size_t(reference.size()));
        rows_.resize((words.size() + 1) * n_blocks_);
        std::fill_n(rows_.begin(), n_blocks_, TerBits{~uint64_t{0}, 0});
        spread(words);
    }

    int32_t rerun(const TerWords& words, int32_t first) {
        for (int32_t i = first; i < n_hyp_; ++i) {
            std::copy_n(row(i), n_blocks_, row(i + 1));
            next_wide_row(row(i + 1), n_blocks_, *reference_, words[i], nullptr);
        }
        return distance_ = last_cell(row(n_hyp_));
    }

    int32_t swapped(const TerWords& words, const TerSwap& swap) {
        const int32_t moved = swap.begin + swap.end - swap.middle;
        const auto word = [&](int32_t i) {
            return words[i >= swap.end ? i : i < moved ? i - swap.begin + swap.middle : i - moved + swap.begin];
        };
        const auto four = has_avx2() ? &WideRows::four_wide : &WideRows::four_narrow;
        trial_.assign(row(swap.begin), row(swap.begin) + n_blocks_);
        int32_t i = swap.begin;
        for (; i + kLanes <= n_hyp_; i += kLanes) {
            if (i >= swap.end && std::equal(trial_.begin(), trial_.end(), row(i))) return distance_;
            const uint64_t* places[kLanes];
            for (int32_t k = 0; k < kLanes; ++k) places[k] = places_of(word(i + k));
            (this->*four)(places);
        }
        for (; i < n_hyp_; ++i) next_wide_row(trial_.data(), n_blocks_, *reference_, word(i), nullptr);
        return last_cell(trial_.data());
    }

private:
    static constexpr int32_t kLanes = 4;
    static constexpr size_t kMargin = kLanes - 1;  // zeros on both sides: lanes that have not begun, or are done
    typedef uint64_t Lanes __attribute__((vector_size(8 * kLanes)));

    void spread(const TerWords& words) {
        const size_t width = n_blocks_ + 2 * kMargin;
        line_.assign(size_t(reference_->unknown()) + 1, 0);  // line 0 is that of words which the reference lacks
        places_.assign(width, 0);
        for (const uint32_t word : words) {
            if (word == reference_->unknown() || line_[word]) continue;
            line_[word] = places_.size();
            places_.resize(places_.size() + width);
            for (const TerReference::Block& block : reference_->blocks(word))
                places_[line_[word] + kMargin + block.number] = block.mask;
        }
    }
    const uint64_t* places_of(uint32_t word) const { return places_.data() + line_[word] + kMargin; }

    // The next four rows of the trial: at step t lane k is at block t - k, under what the lane before it has just left there.
    // As in next_wide_row; nothing changes in a lane that sees nothing but zeros.
    inline __attribute__((always_inline)) void four_rows(const uint64_t* const* places) {
        const uint64_t *a = places[0], *b = places[1], *c = places[2], *d = places[3];
        TerBits* const row = trial_.data();
        const auto n = ptrdiff_t(n_blocks_);
        Lanes plus{}, minus{}, rises = Lanes{} + 1, falls{};
        for (ptrdiff_t t = 0; t < n + kLanes - 1; ++t) {
            const TerBits above = t < n ? row[t] : TerBits{0, 0};
            plus = TERTIUM_PUSHED(Lanes{above.plus}, plus);
            minus = TERTIUM_PUSHED(Lanes{above.minus}, minus);
            const Lanes equal = Lanes{a[t], b[t - 1], c[t - 2], d[t - 3]} | falls;
            const Lanes as_diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
            const Lanes above_plus = minus | ~(as_diagonal | plus);
            const Lanes above_minus = as_diagonal & plus;
            const Lanes before_plus = above_plus << 1 | rises;
            plus = above_minus << 1 | falls | ~(as_diagonal | before_plus);
            minus = before_plus & as_diagonal;
            rises = above_plus >> 63;
            falls = above_minus >> 63;
            if (t >= kLanes - 1) row[t - (kLanes - 1)] = {plus[kLanes - 1], minus[kLanes - 1]};
        }
    }
    TERTIUM_AVX2 void four_wide(const uint64_t* const* places) { four_rows(places); }
    void four_narrow(const uint64_t* const* places) { four_rows(places); }

    TerBits* row(int32_t i) { return rows_.data() + size_t(i) * n_blocks_; }
    int32_t last_cell(const TerBits* bits) const {
        int32_t value = n_hyp_;
        for (size_t b = 0; b < n_blocks_; ++b) value += sum_bits(bits[b], low_bits(reference_->size() - int32_t(64 * b)));
        return value;
    }

    const TerReference* reference_ = nullptr;
    int32_t n_hyp_ = 0, distance_ = 0;
    size_t n_blocks_ = 0;
    std::vector<TerBits> rows_, trial_;
    std::vector<size_t> line_;      // by word: where its line begins
    std::vector<uint64_t> places_;  // a line for each word of the hypothesis
};

class CharacterKernel {
public:
    CharacterKernel(Tokenizer tokenizer, bool capped) : tokenizer_(tokenizer), capped_(capped) {}

    struct Result {
        double score;
        int64_t reference_characters;
    };

    // The lowest score over the references, the first of equals.
    Result best(std::string_view hypothesis, const WordsView* references, size_t n_references) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        Result best{};
        for (size_t r = 0; r < n_references; ++r) {
            const Result found = against(references[r]);
            if (r == 0 || found.score < best.score) best = found;
        }
        return best;
    }

private:
    // Bounds for lines so long that the original would not come to an end: then no further shift is made. The distance in
    // characters, whose steps take as long, is paid first: a line takes less than a second, whatever it holds.
    static constexpr int64_t kMostWork = int64_t{1} << 29;
    static constexpr size_t kMostCandidates = size_t{1} << 20;

    struct Candidate {
        int32_t bound;  // what it can gain at most
        TerSwap swap;
    };

    Result against(const WordsView& reference) {
        reference_text_.clear();
        for (uint32_t j = 0; j < reference.size; ++j)
            append({reference.base + reference.words[j].begin, reference.words[j].size}, reference_text_);
        const auto characters = int64_t(reference_text_.size());
        if (words_.empty()) return {1.0, characters};
        number(reference);
        if (reference.size) shift();
        hypothesis_text_.clear();
        for (const uint32_t position : order_) append(tokens_[position], hypothesis_text_);
        const double edits = double(distance_(hypothesis_text_, reference_text_)) + shift_cost();
        const double score = edits / double(hypothesis_text_.size());
        return {capped_ ? std::min(1.0, score) : score, characters};
    }

    // Words apart by one space, as code points.
    static void append(std::string_view word, Characters& text) {
        if (!text.empty()) text.push_back(' ');
        for (const char *p = word.data(), *end = p + word.size(); p < end;) text.push_back(utf8_next(p));
    }

    void number(const WordsView& reference) {
        table_.clear(words_.size() + reference.size);
        const char* base = tokens_.text().data();
        hypothesis_.clear();
        for (const Word& word : words_) hypothesis_.push_back(table_.add(word, base));
        numbers_.clear();
        for (uint32_t j = 0; j < reference.size; ++j) numbers_.push_back(table_.add(reference.words[j], reference.base));
        reference_.assign(numbers_.data(), numbers_.size());
        order_.resize(words_.size());
        for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    }

    void shift() {
        const int32_t common = reference_.number_hypothesis(hypothesis_.data(), hypothesis_.size(), moved_);
        least_distance_ = std::max(int32_t(moved_.size()), reference_.size()) - common;
        work_left_ = kMostWork;
        if (reference_.fits_one_block()) {
            short_rows_.start(reference_, TerBeam(int32_t(moved_.size()), reference_.size(), 0));
            search(short_rows_);
        } else if (WideRows::fits(moved_.size(), size_t(reference_.size()))) {
            int64_t characters = 0;
            for (size_t i = 0; i < tokens_.size(); ++i) characters += length(tokens_[i]) + 1;
            work_left_ -= characters * int64_t(reference_text_.size()) / 64;
            if (work_left_ < 0) return;
            wide_rows_.start(reference_, moved_);
            search(wide_rows_);
        }
    }

    template <class Rows>
    void search(Rows& rows) {
        int32_t distance = rows.rerun(moved_, 0);
        while (distance > least_distance_) {
            if (!collect_candidates(distance)) return;
            const Candidate* best = best_candidate(rows, distance);
            if (!best) return;
            const TerSwap swap = best->swap;
            std::rotate(moved_.begin() + swap.begin, moved_.begin() + swap.middle, moved_.begin() + swap.end);
            std::rotate(order_.begin() + swap.begin, order_.begin() + swap.middle, order_.begin() + swap.end);
            distance = rows.rerun(moved_, swap.begin);
        }
    }

    // For each word and each other place of it in the reference: the longest block from there that both texts share
    // moves to that place. Two blocks that change places can save twice the smaller one at most, by deleting it here
    // and inserting it there. False if there are too many.
    bool collect_candidates(int32_t distance) {
        candidates_.clear();
        const auto n_hyp = int32_t(moved_.size()), n_ref = reference_.size();
        const int32_t most = distance - least_distance_;
        for (int32_t i = 0; i < n_hyp; ++i) {
            if (moved_[i] == reference_.unknown()) continue;
            for_each_place(moved_[i], [&](int32_t j) {
                if (j == i || work_left_ < 0) return;
                int32_t size = 1;
                while (i + size < n_hyp && j + size < n_ref && moved_[i + size] == reference_[j + size]) ++size;
                const TerSwap swap = j < i ? TerSwap{j, i, i + size} : TerSwap{i, i + size, std::min(n_hyp, j + size)};
                work_left_ -= size;
                if (swap.middle == swap.end) return;
                candidates_.push_back({std::min(most, WholeRows::most_saved_by(swap)), swap});
            });
            if (work_left_ < 0 || candidates_.size() > kMostCandidates) return false;
        }
        return true;
    }

    template <class Visit>
    void for_each_place(uint32_t word, Visit visit) const {
        if (reference_.fits_one_block()) {
            for (uint64_t bits = reference_.positions(word); bits; bits &= bits - 1) visit(std::countr_zero(bits));
            return;
        }
        for (const TerReference::Block& block : reference_.blocks(word))
            for (uint64_t bits = block.mask; bits; bits &= bits - 1) visit(int32_t(64 * block.number) + std::countr_zero(bits));
    }

    // The original compares quotients of single precision by sums of double precision: those are exact, so integers do.
    // The largest gain; among equals the order of words that is lexicographically last. None if nothing gains, or if
    // the work for one segment has grown beyond all bounds.
    template <class Rows>
    const Candidate* best_candidate(Rows& rows, int32_t distance) {
        const Candidate* best = nullptr;
        int32_t best_gain = 1;
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
        const auto cost = int64_t(moved_.size() * blocks_for(size_t(reference_.size())));
        for (auto first = candidates_.begin(); first != candidates_.end() && first->bound >= best_gain;) {
            const int32_t bound = first->bound;  // no candidate with this bound keeps another with the same from its turn
            const auto end = std::find_if(first, candidates_.end(), [=](const Candidate& c) { return c.bound != bound; });
            if ((work_left_ -= cost * (end - first)) < 0) return nullptr;
            for (; first != end; ++first) {
                // An equal gain, the most that is possible here, wins by the order alone, which is known sooner.
                if (best && bound == best_gain && !is_after(first->swap, best->swap)) continue;
                poller_(size_t(cost));
                const int32_t gain = distance - rows.swapped(moved_, first->swap);
                if (gain < best_gain || (best && gain == best_gain && !is_after(first->swap, best->swap))) continue;
                best_gain = gain;
                best = &*first;
            }
        }
        return best;
    }

    static int32_t place_after(const TerSwap& swap, int32_t i) {
        if (i < swap.begin || i >= swap.end) return i;
        const int32_t second = swap.end - swap.middle;
        return i < swap.begin + second ? i + (swap.middle - swap.begin) : i - second;
    }

    // Whether the words after swap `a` come behind those after swap `b`; words compare by code points.
    bool is_after(const TerSwap& a, const TerSwap& b) const {
        const int32_t end = std::max(a.end, b.end);
        for (int32_t i = std::min(a.begin, b.begin); i < end; ++i) {
            const uint32_t x = order_[place_after(a, i)], y = order_[place_after(b, i)];
            if (hypothesis_[x] != hypothesis_[y]) return tokens_[x] > tokens_[y];
        }
        return false;
    }

    // Read off the two orders of words: where they differ, the original's block from there on as far as it stands
    // together further behind in the new order was shifted, and costs the mean length of its words.
    double shift_cost() const {
        double cost = 0;
        const size_t n = order_.size();
        for (size_t i = 0; i < n;) {
            size_t size = 1;
            if (hypothesis_[order_[i]] != hypothesis_[i]) {
                size_t there = i + 1;
                while (there < n && hypothesis_[order_[there]] != hypothesis_[i]) ++there;
                if (there < n) {
                    while (there + size < n && hypothesis_[order_[there + size]] == hypothesis_[i + size]) ++size;
                    int64_t characters = 0;
                    for (size_t k = i; k < i + size; ++k) characters += length(tokens_[k]);
                    cost += double(characters) / double(size);
                }
            }
            i += size;
        }
        return cost;
    }

    static int64_t length(std::string_view word) {
        return std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; });
    }

    Tokenizer tokenizer_;
    bool capped_;  // at 1
    Tokens tokens_;
    std::vector<Word> words_;
    WordTable table_;
    std::vector<uint32_t> hypothesis_, numbers_;  // words of the two texts, equal numbers for equal words
    std::vector<uint32_t> order_;                 // the hypothesis' words as shifted so far, by their first positions
    TerReference reference_;
    TerWords moved_;  // the same order, in the reference's numbers
    int32_t least_distance_ = 0;
    int64_t work_left_ = 0;
    Poller poller_;
    WholeRows short_rows_;
    WideRows wide_rows_;
    std::vector<Candidate> candidates_;
    Characters hypothesis_text_, reference_text_;
    CharDistance distance_;
};

}  // namespace tertium
