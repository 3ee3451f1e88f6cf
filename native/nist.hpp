// NIST (Doddington 2002): matching n-grams weighted by their information in the references of the whole set.
#pragma once

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exact_sum.hpp"
#include "interrupts.hpp"
#include "segment_ngrams.hpp"
#include "types.hpp"

namespace tertium {

struct NistOptions {
    int order = 5;
    // How the originals differ. `zero_is_nothing`: after the one-word history "0" (false in Perl) mteval weighs a word
    // as if it had no history. `each_order_alone`: nltk takes, order by order, the reference that gives most
    // information. Which one that is may hang on the last bit of a sum, so there its arithmetic is followed to the bit.
    bool zero_is_nothing = true, each_order_alone = false;
};

// Counts of n-grams that travel: of a part of the references, or, added up by key, of all of them. A key is the words of
// an n-gram with a byte between them that no text has.
class KeyCounts {
public:
    static constexpr char kBetween = char(0xFF);

    KeyCounts() = default;
    KeyCounts(const KeyCounts&) = delete;

    uint64_t words = 0;  // in all

    void add(std::string_view key, uint64_t times) {
        const auto found = counts_.find(key);
        if (found != counts_.end()) found->second += times;
        else counts_.emplace(arena_.copy(key), times);
    }
    uint64_t find(std::string_view key) const {
        const auto found = counts_.find(key);
        return found == counts_.end() ? 0 : found->second;
    }
    const std::unordered_map<std::string_view, uint64_t>& counts() const { return counts_; }

private:
    TextArena arena_;
    std::unordered_map<std::string_view, uint64_t> counts_;
};

// The words of all references, and how often every n-gram of theirs occurs in all of them, which is its information:
// info(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)), for n = 1 log2(words / count(w1)).
class NistReferences {
public:
    // `whole`: the counts of a set that these references are a part of; without it they are all there is.
    NistReferences(std::vector<std::shared_ptr<Lines>> streams, Tokenizer tokenizer, NistOptions options, int threads,
                   const KeyCounts* whole = nullptr)
        : options(options), words(std::move(streams), tokenizer, threads) {
        size_t slots = 0;
        offsets_.reserve(words.all().size());
        for (const WordsView& view : words.all()) {
            offsets_.push_back(slots);
            slots += view.size + 1;  // and a mark of the end
            total_ += view.size;
        }
        if (slots >= kEnd) throw std::length_error("the references have too many words");
        counts_.resize(size_t(options.order));
        for (std::vector<uint32_t>& counts : counts_) counts.assign(slots, 0);
        if (whole == nullptr) count();
        else look_up(*whole);
    }
    NistReferences(const NistReferences&) = delete;

    // How often each n-gram occurs here.
    void add_to(KeyCounts& counts) const {
        counts.words += total_;
        each_ngram([&](size_t, size_t, std::string_view key) { counts.add(key, 1); });
    }

    const NistOptions options;
    const WordReferences words;

    // Of the n-gram that ends at word `end` of the reference at `place` (WordReferences::place).
    double weight(size_t place, size_t end, size_t n) const {
        const size_t at = offsets_[place] + end, count = counted(n, at);
        if (n == 1 || (n == 2 && options.zero_is_nothing && is_zero(place, end - 1))) return information(total_, count);
        return information(counted(n - 1, at - 1), count);
    }

private:
    static constexpr uint32_t kEnd = 0xFFFFFFFFu;
    struct Place {
        uint32_t at, follower;  // where an n-gram ends, and the word behind it
    };
    struct Group {
        uint32_t begin, size;
    };
    struct Follower {
        uint32_t count = 0, place = 0;
    };

    // N-grams of two words and more that occur once are not noted.
    size_t counted(size_t n, size_t at) const { return std::max<uint32_t>(1, counts_[n - 1][at]); }

    bool is_zero(size_t place, size_t at) const {
        const WordsView& view = words.all()[place];
        return view.words[at].size == 1 && view.base[view.words[at].begin] == '0';
    }
    double information(size_t history, size_t count) const {
        if (history == count) return 0.0;
        if (options.each_order_alone) return std::log(double(history) / double(count)) / std::log(2.0);
        return binary_logarithm(history) - binary_logarithm(count);
    }
    static double binary_logarithm(size_t n) {
        static const std::vector<double> small = [] {
            std::vector<double> table(4096);
            for (size_t i = 1; i < table.size(); ++i) table[i] = std::log2(double(i));
            return table;
        }();
        return n < small.size() ? small[n] : std::log2(double(n));
    }

    // visit(order, where it ends, key) for each n-gram of each reference.
    template <class Visit>
    void each_ngram(Visit&& visit) const {
        std::string key;
        for (size_t place = 0; place < offsets_.size(); ++place) {
            poll();
            const WordsView& view = words.all()[place];
            for (size_t begin = 0; begin < view.size; ++begin) {
                key.clear();
                for (size_t n = 1; n <= counts_.size() && begin + n <= view.size; ++n) {
                    const Word& word = view.words[begin + n - 1];
                    if (n > 1) key.push_back(KeyCounts::kBetween);
                    key.append(view.base + word.begin, word.size);
                    visit(n, offsets_[place] + begin + n - 1, std::string_view(key));
                }
            }
        }
    }
    void look_up(const KeyCounts& whole) {
        total_ = whole.words;
        each_ngram([&](size_t n, size_t at, std::string_view key) {
            const uint64_t count = whole.find(key);
            if (count >= kEnd) throw std::length_error("an n-gram of the references occurs too often");
            counts_[n - 1][at] = uint32_t(count);
        });
    }

    // Places with the same word form a group. A group of n-1-grams falls into groups of n-grams by the words that follow;
    // what is alone stays alone and is left behind, so that little is left to do from order to order, and nothing hashed.
    void count() {
        number_words();
        std::vector<Place> places, longer;
        std::vector<Group> groups, subgroups;
        group_words(places, groups);
        for (size_t n = 2; n <= counts_.size() && !groups.empty(); ++n) {
            longer.resize(places.size());
            subgroups.clear();
            next_ = 0;
            for (const Group& group : groups) {
                poller_(group.size);
                if (group.size == 2) split_pair(places.data() + group.begin, n, longer, subgroups);
                else split(places.data() + group.begin, group.size, n, longer, subgroups);
            }
            places.swap(longer);
            groups.swap(subgroups);
        }
        text_ = {};
        followers_ = {};
    }
    void number_words() {
        Vocabulary vocabulary;
        text_.resize(counts_[0].size());
        constexpr uint32_t ahead = 6;
        for (size_t place = 0; place < offsets_.size(); ++place) {
            poll();
            const WordsView& view = words.all()[place];
            uint32_t* text = text_.data() + offsets_[place];
            for (uint32_t i = 0; i < view.size; ++i) {
                if (i + ahead < view.size) vocabulary.prefetch(view.words[i + ahead].key);
                const Word& word = view.words[i];
                text[i] = vocabulary.add(word.key, {view.base + word.begin, word.size});
            }
            text[view.size] = kEnd;
        }
        followers_.assign(vocabulary.size(), {});
    }
    void group_words(std::vector<Place>& places, std::vector<Group>& groups) {
        for (const uint32_t word : text_)
            if (word != kEnd) ++followers_[word].count;
        uint32_t next = 0;
        for (Follower& word : followers_) {
            word.place = next;
            if (word.count < 2) continue;
            groups.push_back({next, word.count});
            next += word.count;
        }
        places.resize(next);
        for (size_t at = 0; at < text_.size(); ++at) {
            if (text_[at] == kEnd) continue;
            Follower& word = followers_[text_[at]];
            counts_[0][at] = word.count;
            if (word.count > 1) places[word.place++] = {uint32_t(at), text_[at + 1]};
        }
        for (Follower& word : followers_) word.count = 0;
    }
    void split_pair(const Place* places, size_t n, std::vector<Place>& longer, std::vector<Group>& groups) {
        if (places[0].follower != places[1].follower || places[0].follower == kEnd) return;
        groups.push_back({next_, 2});
        keep(places[0], 2, n, longer[next_++]);
        keep(places[1], 2, n, longer[next_++]);
    }
    void split(const Place* places, uint32_t size, size_t n, std::vector<Place>& longer, std::vector<Group>& groups) {
        distinct_.clear();
        for (uint32_t i = 0; i < size; ++i) {
            const uint32_t word = places[i].follower;
            if (word != kEnd && followers_[word].count++ == 0) distinct_.push_back(word);
        }
        for (const uint32_t word : distinct_) {
            Follower& follower = followers_[word];
            if (follower.count < 2) continue;
            follower.place = next_;
            groups.push_back({next_, follower.count});
            next_ += follower.count;
        }
        for (uint32_t i = 0; i < size; ++i) {
            if (places[i].follower == kEnd) continue;
            Follower& follower = followers_[places[i].follower];
            if (follower.count > 1) keep(places[i], follower.count, n, longer[follower.place++]);
        }
        for (const uint32_t word : distinct_) followers_[word].count = 0;
    }
    void keep(const Place& shorter, uint32_t count, size_t n, Place& longer) {
        counts_[n - 1][shorter.at + 1] = count;
        longer = {shorter.at + 1, text_[shorter.at + 2]};
    }

    size_t total_ = 0;
    std::vector<size_t> offsets_;                // where the words of each reference begin in what follows
    std::vector<std::vector<uint32_t>> counts_;  // by order, of the n-gram that ends there
    std::vector<uint32_t> text_, distinct_;      // numbers of words; the last three serve for counting only
    Poller poller_;
    std::vector<Follower> followers_;
    uint32_t next_ = 0;
};

// A row: hypothesis n-grams of each order, information of the matching ones (digits), mean reference length (digits).
class NistKernel {
public:
    NistKernel(Tokenizer tokenizer, const NistReferences& references)
        : tokenizer_(tokenizer),
          references_(references),
          order_(size_t(references.options.order)),
          best_(order_),
          sums_(order_) {}

    static size_t columns(size_t order) { return order + kDigits * (order + 1); }

    void row(std::string_view hypothesis, size_t segment, int64_t* row) {
        tokenizer_(hypothesis, tokens_);
        words_.clear();
        words_of(tokens_, words_);
        for (size_t n = 0; n < order_; ++n) row[n] = std::max<int64_t>(0, int64_t(words_.size()) - int64_t(n));
        const WordsView* views = references_.words[segment];
        const size_t n_references = references_.words.count(segment), place = references_.words.place(segment);
        double length = 0.0;
        if (references_.options.each_order_alone) {
            length = best_of_each(views, n_references, place);
        } else {
            match(views, n_references, place);
            best_ = sums_;
            for (size_t r = 0; r < n_references; ++r) length += views[r].size;
            length /= double(std::max<size_t>(1, n_references));
        }
        for (size_t n = 0; n < order_; ++n) to_digits(best_[n], row + order_ + kDigits * n);
        to_digits(length, row + order_ + kDigits * order_);
    }

private:
    // Per order the reference with most information, of equals the longest; the mean of their lengths is the length.
    double best_of_each(const WordsView* views, size_t n_references, size_t place) {
        lengths_.assign(order_, 0);
        std::fill(best_.begin(), best_.end(), 0.0);
        for (size_t r = 0; r < n_references; ++r) {
            match_by_numbers(views + r, 1, place + r);
            for (size_t n = 0; n < order_; ++n) {
                if (r > 0 && (sums_[n] < best_[n] || (sums_[n] == best_[n] && views[r].size <= lengths_[n]))) continue;
                best_[n] = sums_[n];
                lengths_[n] = views[r].size;
            }
        }
        double total = 0.0;
        for (const uint32_t length : lengths_) total += length;
        return total / double(order_);
    }

    // sums_[n] becomes the information of the n+1-grams that match, clipped at the largest count of any reference.
    void match(const WordsView* views, size_t n_references, size_t place) {
        if (!NgramEnds::fits(views, n_references)) {
            match_by_numbers(views, n_references, place);
            return;
        }
        std::fill(sums_.begin(), sums_.end(), 0.0);
        ends_.index(views, n_references);
        free_.assign(n_references * order_, ~uint64_t(0));
        taken_.assign(order_, 0);
        ends_.walk(words_, tokens_.text().data(), order_, [&](size_t i, size_t r, size_t n, uint64_t ends) {
            uint64_t& free = free_[r * order_ + n];
            const uint64_t open = ends & free;
            if (!open) return;
            free ^= open & (~open + 1);
            if (taken_[n] == i + 1) return;
            taken_[n] = i + 1;
            sums_[n] += references_.weight(place + r, size_t(std::countr_zero(open)), n + 1);
        });
    }
    void match_by_numbers(const WordsView* views, size_t n_references, size_t place) {
        std::fill(sums_.begin(), sums_.end(), 0.0);
        numbers_.start(views, n_references, words_, tokens_.text().data());
        for (size_t n = 0; n < order_; ++n) {
            if (n > 0) numbers_.next();
            numbers_.clipped_at(most_);
            where_.resize(numbers_.distinct());
            for (size_t r = 0; r < n_references; ++r) {
                const std::vector<uint32_t>& numbers = numbers_.of_reference(r);
                for (size_t i = 0; i < numbers.size(); ++i) where_[numbers[i]] = {place + r, i + n};
            }
            if (references_.options.each_order_alone) {
                sum_by_type(n);
                continue;
            }
            for (const uint32_t id : numbers_.of_hypothesis())
                if (id != NgramNumbers::kUnknown && most_[id]-- > 0) sums_[n] += weight(id, n + 1);
        }
    }
    double weight(uint32_t id, size_t n) const { return references_.weight(where_[id].place, where_[id].end, n); }

    // As nltk sums: each distinct n-gram once, in the order of the hypothesis, weight times matches.
    void sum_by_type(size_t n) {
        numbers_.count(numbers_.of_hypothesis(), ours_);
        for (const uint32_t id : numbers_.of_hypothesis()) {
            if (id == NgramNumbers::kUnknown || ours_[id] == 0) continue;
            sums_[n] += weight(id, n + 1) * double(std::min(ours_[id], most_[id]));
            ours_[id] = 0;
        }
    }

    Tokenizer tokenizer_;
    const NistReferences& references_;
    size_t order_;
    Tokens tokens_;
    std::vector<Word> words_;
    NgramEnds ends_;
    NgramNumbers numbers_;
    struct Where {
        size_t place, end;
    };
    std::vector<Where> where_;  // of each n-gram by number, one of its occurrences
    std::vector<double> best_, sums_;
    std::vector<uint64_t> free_;
    std::vector<size_t> taken_;
    std::vector<uint32_t> lengths_;
    std::vector<int64_t> most_, ours_;
};

// exp(-beta ln(ratio)^2) for short output: a half at two thirds of the reference length.
inline double nist_penalty(double ratio) {
    if (ratio >= 1.0) return 1.0;
    if (!(ratio > 0.0)) return 0.0;
    const double beta = -std::log(0.5) / std::log(1.5) / std::log(1.5);
    return std::exp(-beta * std::log(ratio) * std::log(ratio));
}

inline double nist_score(const int64_t* row, size_t order) {
    double sum = 0.0;
    for (size_t n = 0; n < order; ++n) sum += from_digits(row + order + kDigits * n) / double(std::max<int64_t>(1, row[n]));
    return sum * nist_penalty(double(row[0]) / from_digits(row + order + kDigits * order));
}

}  // namespace tertium
