// Texts that were indexed together, by their trigrams: 65,536 at most, so that a place is two bytes and the counts of a
// block stay in the processor's cache. All of a block lies in one piece of memory, as on disk.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "case_folding.hpp"
#include "utf8.hpp"

namespace tertium {

// The trigrams of a text without its capitals, by 16-bit hashes, each once. Texts of fewer characters have one.
class Trigrams {
public:
    const std::vector<uint16_t>& operator()(std::string_view text) {
        found_.clear();
        uint64_t window = 0;
        size_t length = 0;
        for (const char *p = text.data(), *end = p + text.size(); p < end;) {
            char32_t c = small_letter(utf8_next(p));
            if (is_space(c)) c = ' ';
            window = (window << 21 | c) & ((uint64_t{1} << 63) - 1);
            if (++length >= 3) found_.push_back(hash(window));
        }
        if (length < 3) found_.push_back(hash(window));
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return found_;
    }

    const std::vector<uint16_t>& last() const { return found_; }

private:
    static uint16_t hash(uint64_t window) { return uint16_t(window * 0x9E3779B97F4A7C15u >> 48); }
    std::vector<uint16_t> found_;
};

inline constexpr size_t kBlockTexts = 65536, kHashes = 65536;

// The places of a hash, in the shortest of three forms; its bytes alone say which. Up to 512: places of two bytes each.
// 8192: a bit for each text. Else: what each place is more than the one before it, in a byte; 255 adds and is no place.
// Whatever the bytes say, no place lies outside a block's counts.
class PlaceList {
public:
    PlaceList(const uint8_t* begin, const uint8_t* end) : begin_(begin), end_(end) {}

    static void append(std::string& out, const uint16_t* places, size_t n) {
        if (n <= kFew) {
            for (size_t i = 0; i < n; ++i) out.append({char(places[i] & 255), char(places[i] >> 8)});
            return;
        }
        const size_t begin = out.size();
        for (size_t i = 0, at = 0; i < n && out.size() - begin < kBits; ++i) {
            size_t more = places[i] - at;
            for (; more >= kMore; more -= kMore) out.push_back(char(kMore));
            out.push_back(char(more));
            at = places[i];
        }
        const size_t used = out.size() - begin;
        if (used <= 2 * kFew) out.append(2 * kFew + 1 - used, char(kMore));
        if (used < kBits) return;
        out.resize(begin);
        out.append(kBits, '\0');
        for (size_t i = 0; i < n; ++i) out[begin + places[i] / 8] |= char(1 << places[i] % 8);
    }

    bool is_long() const { return size() > 2 * kFew; }
    size_t few() const { return size() / 2; }  // how many places, if it is not long
    void prefetch() const { __builtin_prefetch(begin_); }

    // One more for each place.
    void count(uint8_t* counts) const {
        const uint8_t *p = begin_, *const end = end_;
        if (!is_long())
            for (; p + 1 < end; p += 2) ++counts[size_t(p[0] | p[1] << 8)];
        else if (size() == kBits) count_bits(counts);
        else
            for (size_t at = 0; p < end; ++p) {
                const size_t more = *p;
                at = (at + more) % kBlockTexts;
                counts[at] = uint8_t(counts[at] + (more != kMore));
            }
    }

private:
    static constexpr size_t kFew = 256, kMore = 255, kBits = kBlockTexts / 8;
    size_t size() const { return size_t(end_ - begin_); }
    void count_bits(uint8_t* counts) const {  // eight at a time: no count is above 255
        static const std::array<uint64_t, 256> spread = [] {
            std::array<uint64_t, 256> made{};
            for (size_t bits = 0; bits < 256; ++bits) {
                std::array<uint8_t, 8> bytes{};
                for (size_t b = 0; b < 8; ++b) bytes[b] = bits >> b & 1;
                std::memcpy(&made[bits], bytes.data(), 8);
            }
            return made;
        }();
        for (size_t i = 0; i < kBits; ++i) {
            uint64_t eight;
            std::memcpy(&eight, counts + 8 * i, 8);
            eight += spread[begin_[i]];
            std::memcpy(counts + 8 * i, &eight, 8);
        }
    }

    const uint8_t *begin_, *end_;
};

// In memory and on disk: five numbers (texts, their bytes, bytes of places, hashes with long lists, long texts); where the
// lists of every eighth hash begin, and each after that; how many places the long lists have; lengths of texts and how
// many trigrams each has, in a byte (255: look among the long texts); where every sixteenth text begins; the long texts:
// length, trigrams, place; lists of places; bytes of texts. Each part begins at a multiple of eight bytes.
class MatchBlock {
public:
    static MatchBlock of(const std::vector<std::string_view>& texts) {
        MatchBlock block;
        block.owned_ = std::make_shared<const std::string>(Builder(texts).bytes());
        std::string_view data = *block.owned_;
        block.view(data);
        return block;
    }
    // The block at the beginning of `data`, which is cut off; the memory must outlive it.
    static MatchBlock in(std::string_view& data) {
        MatchBlock block;
        data.remove_prefix(block.view(data));
        return block;
    }

    size_t size() const { return size_; }
    std::string_view bytes() const { return data_; }
    std::string_view text(size_t t) const {
        size_t begin = text_begins_[t / kTextGroup];
        for (size_t i = t / kTextGroup * kTextGroup; i < t; ++i) begin += length(i);
        return {texts_ + begin, length(t)};
    }
    size_t trigrams(size_t t) const { return sizes_[t] < kLong ? sizes_[t] : long_sizes_[long_text(t)]; }
    PlaceList places(size_t hash) const { return {lists_ + begin(hash), lists_ + begin(hash + 1)}; }
    void prefetch(size_t hash) const {
        __builtin_prefetch(list_groups_ + hash / kListGroup);
        __builtin_prefetch(list_begins_ + hash);
    }

    // Adds how many texts have each hash, so many times.
    void count_into(std::vector<uint32_t>& counts, int32_t times) const {
        size_t long_one = 0;
        for (size_t h = 0; h < kHashes; ++h) {
            const PlaceList list = places(h);
            const auto n = uint32_t(list.is_long() ? long_counts_[long_one++] + 1u : list.few());
            counts[h] += n * uint32_t(times);
        }
    }

private:
    static constexpr size_t kListGroup = 8, kTextGroup = 16, kLong = 255, kHead = 5;

    class Builder {
    public:
        explicit Builder(const std::vector<std::string_view>& texts) : texts_(texts) {
            Trigrams trigrams;
            starts_.assign(kHashes + 1, 0);
            size_t bytes = 0;
            for (size_t t = 0; t < texts.size(); ++t) {
                const auto& found = trigrams(texts[t]);
                hashes_.insert(hashes_.end(), found.begin(), found.end());
                ends_.push_back(hashes_.size());
                for (const uint16_t h : found) ++starts_[h + 1];
                if (t % kTextGroup == 0) text_begins_.push_back(uint32_t(bytes));
                bytes += texts[t].size();
                if (bytes > UINT32_MAX) throw std::length_error("texts of a block are too long");
                lengths_.push_back(uint8_t(std::min(texts[t].size(), kLong)));
                sizes_.push_back(uint8_t(std::min(found.size(), kLong)));
                if (texts[t].size() < kLong) continue;
                long_lengths_.push_back(uint32_t(texts[t].size()));
                long_sizes_.push_back(uint16_t(std::min<size_t>(found.size(), 65535)));
                long_places_.push_back(uint16_t(t));
            }
            for (size_t h = 0; h < kHashes; ++h) starts_[h + 1] += starts_[h];
            code_lists();
            head_ = {texts.size(), bytes, lists_.size(), long_counts_.size(), long_places_.size()};
        }

        std::string bytes() const {
            std::string out;
            const auto put = [&out](const auto& values) {
                out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
                out.append((8 - out.size() % 8) % 8, '\0');
            };
            put(head_), put(list_groups_), put(list_begins_), put(long_counts_), put(lengths_), put(sizes_);
            put(text_begins_), put(long_lengths_), put(long_sizes_), put(long_places_), put(lists_);
            out.reserve(out.size() + head_[1] + 8);
            for (const std::string_view text : texts_) out.append(text);
            out.append((8 - out.size() % 8) % 8, '\0');
            return out;
        }

    private:
        void code_lists() {
            std::vector<uint16_t> places(hashes_.size());
            std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
            for (size_t t = 0, i = 0; t < texts_.size(); ++t)
                for (; i < ends_[t]; ++i) places[next[hashes_[i]]++] = uint16_t(t);
            for (size_t h = 0; h < kHashes; ++h) {
                if (h % kListGroup == 0) list_groups_.push_back(uint32_t(lists_.size()));
                list_begins_.push_back(uint16_t(lists_.size() - list_groups_.back()));
                const size_t begin = lists_.size(), n = starts_[h + 1] - starts_[h];
                PlaceList::append(lists_, places.data() + starts_[h], n);
                const auto* data = reinterpret_cast<const uint8_t*>(lists_.data());
                if (PlaceList(data + begin, data + lists_.size()).is_long()) long_counts_.push_back(uint16_t(n - 1));
            }
        }

        const std::vector<std::string_view>& texts_;
        std::array<uint64_t, kHead> head_{};
        std::vector<uint16_t> hashes_;       // of all texts, one after the other
        std::vector<size_t> ends_, starts_;  // of texts in these; of hashes among places
        std::vector<uint32_t> list_groups_, text_begins_, long_lengths_;
        std::vector<uint16_t> list_begins_, long_counts_, long_sizes_, long_places_;
        std::vector<uint8_t> lengths_, sizes_;
        std::string lists_;
    };

    size_t view(std::string_view data) {
        size_t at = 0;
        const auto take = [&]<class T>(const T*& part, size_t n) {
            if (at > data.size() || n > (data.size() - at) / sizeof(T)) throw std::invalid_argument("cut short");
            part = reinterpret_cast<const T*>(data.data() + at);
            at += (n * sizeof(T) + 7) / 8 * 8;
        };
        const uint64_t* head = nullptr;
        take(head, kHead);
        const auto [texts, text_bytes, list_bytes, long_lists, long_texts] =
            std::array{head[0], head[1], head[2], head[3], head[4]};
        size_ = texts, text_bytes_ = text_bytes, list_bytes_ = list_bytes, n_long_ = long_texts;
        if (size_ > kBlockTexts || text_bytes_ > UINT32_MAX || n_long_ > size_ || long_lists > kHashes) damaged();
        take(list_groups_, kHashes / kListGroup), take(list_begins_, kHashes), take(long_counts_, long_lists);
        take(lengths_, size_), take(sizes_, size_), take(text_begins_, (size_ + kTextGroup - 1) / kTextGroup);
        take(long_lengths_, n_long_), take(long_sizes_, n_long_), take(long_places_, n_long_);
        take(lists_, list_bytes_), take(texts_, text_bytes_);
        check(long_lists);
        data_ = data.substr(0, std::min(at, data.size()));
        return data_.size();
    }
    // Nothing that is looked up later lies outside.
    void check(size_t long_lists) const {
        for (size_t h = 0; h < kHashes; ++h) {
            if (begin(h) > begin(h + 1) || begin(h + 1) > list_bytes_) damaged();
            long_lists -= places(h).is_long();
        }
        if (long_lists != 0 || !std::is_sorted(long_places_, long_places_ + n_long_)) damaged();
        size_t bytes = 0, long_one = 0;
        for (size_t t = 0; t < size_; ++t) {
            if (t % kTextGroup == 0 && text_begins_[t / kTextGroup] != bytes) damaged();
            const bool is_long = long_one < n_long_ && long_places_[long_one] == t;
            if (is_long != (lengths_[t] == kLong) || (sizes_[t] == kLong && !is_long)) damaged();
            bytes += is_long ? long_lengths_[long_one++] : lengths_[t];
        }
        if (bytes != text_bytes_) damaged();
    }
    [[noreturn]] static void damaged() { throw std::invalid_argument("damaged"); }

    size_t begin(size_t hash) const {
        return hash == kHashes ? list_bytes_ : list_groups_[hash / kListGroup] + size_t(list_begins_[hash]);
    }
    size_t length(size_t t) const { return lengths_[t] < kLong ? lengths_[t] : long_lengths_[long_text(t)]; }
    size_t long_text(size_t t) const {
        return size_t(std::lower_bound(long_places_, long_places_ + n_long_, uint16_t(t)) - long_places_);
    }

    std::shared_ptr<const std::string> owned_;
    std::string_view data_;
    size_t size_ = 0, text_bytes_ = 0, list_bytes_ = 0, n_long_ = 0;
    const uint32_t *list_groups_ = nullptr, *text_begins_ = nullptr, *long_lengths_ = nullptr;
    const uint16_t *list_begins_ = nullptr, *long_counts_ = nullptr, *long_sizes_ = nullptr, *long_places_ = nullptr;
    const uint8_t *lengths_ = nullptr, *sizes_ = nullptr, *lists_ = nullptr;
    const char* texts_ = nullptr;
};

}  // namespace tertium
