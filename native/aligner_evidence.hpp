// What speaks for a link between two words, and against it, as numbers: of the words themselves, of what stands around
// them, and, in the second round, of the links found in the first. The order is that of text/alignment_weights.py.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "aligner_candidates.hpp"

namespace tertium {

inline constexpr size_t kFirstEvidence = 25, kSecondEvidence = kFirstEvidence + 23;
inline constexpr size_t kTreeEvidence = 6;  // the last of both: 0 without trees
inline constexpr size_t kLinkClasses = 4;   // content, function, signs, content with function
inline constexpr uint32_t kUnlinked = 0xFFFFFFFFu;

// A class of pairs has weights of its own.
inline size_t link_class(WordClass a, WordClass b) {
    if (a == WordClass::sign || b == WordClass::sign) return 2;
    return a == b ? size_t(a) : 3;
}

class FirstEvidence {
public:
    void set(const AlignerSide& ours, const AlignerSide& theirs, const LinkCandidates& candidates) {
        a_ = &ours;
        b_ = &theirs;
        candidates_ = &candidates;
    }
    void of(const LinkCandidate& link, double* out) const {
        const AlignerSide &a = *a_, &b = *b_;
        const uint32_t i = link.ours, j = link.theirs;
        const auto n = uint32_t(a.size()), m = uint32_t(b.size());
        const bool equal = link.kind == LinkKind::equal, alike = equal || link.kind == LinkKind::stem;
        std::fill_n(out, kFirstEvidence, 0.0);
        if (link.kind != LinkKind::none) out[size_t(link.kind)] = 1;
        if (!equal) {
            const double shared = letters_shared(a, i, b, j), cosine = a.cosine(i, b, j);
            out[5] = shared > 0.3 ? shared : 0;
            out[6] = cosine;
            out[7] = std::max(0.0, cosine - 0.5);
        }
        out[8] = a.digits[i] != b.digits[j];
        out[9] = !equal && a.digits[i] && b.digits[j];
        const bool left = same(i, j, -1, -1), right = same(i, j, 1, 1);
        const bool left2 = same(i, j, -2, -2), right2 = same(i, j, 2, 2);
        out[10] = left || (i == 0 && j == 0);
        out[11] = right || (i + 1 == n && j + 1 == m);
        out[12] = left2 || same(i, j, -1, -2) || same(i, j, -2, -1);
        out[13] = right2 || same(i, j, 1, 2) || same(i, j, 2, 1);
        if (alike) {
            const int run = 1 + left + (left && left2) + right + (right && right2);
            out[14] = run == 2;
            out[15] = run >= 3;
            out[16] = logarithm(candidates_->their_count(i)) + logarithm(candidates_->our_count(i));
        }
        out[17] = std::abs((i + 0.5) / n - (j + 0.5) / m);
        out[18] = std::min(4u, around(i, j)) / 4.0;
        if (a.parsed() && b.parsed()) tree(i, j, out + 19);
    }

private:
    static constexpr std::array<double, 8> kLogarithms = {0,
                                                          0.6931471805599453,
                                                          1.0986122886681098,
                                                          1.3862943611198906,
                                                          1.6094379124341003,
                                                          1.791759469228055,
                                                          1.9459101090932196,
                                                          2.0794415416798357};

    static double logarithm(uint32_t count) { return kLogarithms[std::clamp(count, 1u, 8u) - 1]; }
    bool same(uint32_t i, uint32_t j, int di, int dj) const {
        const uint32_t x = i + uint32_t(di), y = j + uint32_t(dj);  // below 0 is beyond the end
        return x < a_->size() && y < b_->size() && a_->stems[x] == b_->stems[y];
    }
    // Pairs of content words with equal stems within three words.
    uint32_t around(uint32_t i, uint32_t j) const {
        const uint32_t i_begin = i < 3 ? 0 : i - 3, i_end = std::min(uint32_t(a_->size()), i + 4);
        const uint32_t j_begin = j < 3 ? 0 : j - 3, j_end = std::min(uint32_t(b_->size()), j + 4);
        const uint32_t *ours = a_->content_stems.data(), *theirs = b_->content_stems.data();
        uint32_t count = 0;
        for (uint32_t x = i_begin; x < i_end; ++x) {
            if (x == i || a_->classes[x] != WordClass::content) continue;
            for (uint32_t y = j_begin; y < j_end; ++y) count += y != j && ours[x] == theirs[y];
        }
        return count;
    }
    void tree(uint32_t i, uint32_t j, double* out) const {
        const AlignerSide &a = *a_, &b = *b_;
        const bool same = a.relations[i] == b.relations[j] && a.relations[i] != AlignerSide::kNone;
        const int32_t x = a.heads[i], y = b.heads[j];
        const bool heads = x >= 0 && y >= 0
                               ? a.stems[size_t(x)] == b.stems[size_t(y)]
                               : x < 0 && y < 0 && a.classes[i] != WordClass::sign && b.classes[j] != WordClass::sign;
        uint32_t other = 0, equivalent = 0;
        for (const uint32_t p : a.kids(i))
            for (const uint32_t q : b.kids(j))
                if (a.stems[p] == b.stems[q]) ++(a.relations[p] == b.relations[q] ? equivalent : other);
        out[0] = a.tags[i] == b.tags[j] && a.tags[i] != AlignerSide::kNone;
        out[1] = same;
        out[2] = heads && !same;
        out[3] = heads && same;
        out[4] = std::min(3u, other) / 3.0;
        out[5] = std::min(3u, equivalent) / 3.0;
    }

    const AlignerSide *a_ = nullptr, *b_ = nullptr;
    const LinkCandidates* candidates_ = nullptr;
};

// Links one to one, seen from both sides.
struct LinkedWords {
    std::vector<uint32_t> theirs, ours;  // of each word of the hypothesis, of the reference; kUnlinked
};

class SecondEvidence {
public:
    void set(const AlignerSide& ours, const AlignerSide& theirs, const LinkedWords& links,
             const std::vector<LinkCandidate>& scored) {
        a_ = &ours;
        b_ = &theirs;
        links_ = &links;
        neighbours(links.theirs, our_left_, our_right_);
        neighbours(links.ours, their_left_, their_right_);
        our_best_.assign(ours.size(), {});
        their_best_.assign(theirs.size(), {});
        for (const LinkCandidate& link : scored) {
            our_best_[link.ours].add(link.score, link.theirs);
            their_best_[link.theirs].add(link.score, link.ours);
        }
    }
    void of(const LinkCandidate& link, double* out) const {
        const uint32_t i = link.ours, j = link.theirs;
        const auto n = int64_t(a_->size()), m = int64_t(b_->size());
        const auto &theirs = links_->theirs, &ours = links_->ours;
        std::fill_n(out, kSecondEvidence - kFirstEvidence, 0.0);
        out[0] = bounded(link.score);
        out[1] = theirs[i] == j;
        out[2] = theirs[i] != kUnlinked && theirs[i] != j;
        out[3] = ours[j] != kUnlinked && ours[j] != i;
        out[4] = bounded(our_best_[i].rival(j));
        out[5] = bounded(their_best_[j].rival(i));
        out[6] = i && j ? theirs[i - 1] == j - 1 : i == j;
        out[7] = i + 1 < n && j + 1 < m ? theirs[i + 1] == j + 1 : i + 1 == n && j + 1 == m;
        // The linked words next to either, as if there were links before the first and behind the last words.
        const int64_t il = our_left_[i], ir = our_right_[i], jl = their_left_[j], jr = their_right_[j];
        const int64_t to_left = il < 0 ? -1 : int64_t(theirs[size_t(il)]), to_right = ir >= n ? m : int64_t(theirs[size_t(ir)]);
        const int64_t left = std::min<int64_t>(6, std::abs((int64_t(j) - to_left) - (int64_t(i) - il)));
        const int64_t right = std::min<int64_t>(6, std::abs((to_right - int64_t(j)) - (ir - int64_t(i))));
        out[8] = double(left) / 6;
        out[9] = double(right) / 6;
        out[10] = double(std::min(left, right)) / 6;
        out[11] = to_left < int64_t(j) && int64_t(j) < to_right;
        const bool from_left = (jl < 0 ? -1 : int64_t(ours[size_t(jl)])) == il;
        const bool from_right = (jr >= m ? n : int64_t(ours[size_t(jr)])) == ir;
        const int64_t our_gap = ir - il - 1, their_gap = jr - jl - 1;
        const bool gap = from_left && from_right;
        out[12] = gap;
        out[13] = from_left != from_right;
        out[14] = gap && our_gap == 1 && their_gap == 1;
        out[15] = gap && our_gap == their_gap;
        out[16] = gap ? double(std::min<int64_t>(8, our_gap + their_gap - 2)) / 8 : 0;
        if (a_->parsed() && b_->parsed()) tree(i, j, out + 17);
    }

private:
    struct Best {  // the two highest scores of a word
        double first = -6, second = -6;
        uint32_t with = kUnlinked;
        void add(double score, uint32_t other) {
            if (score > first) {
                second = first;
                first = score;
                with = other;
            } else {
                second = std::max(second, score);
            }
        }
        double rival(uint32_t other) const { return other == with ? second : first; }
    };
    static double bounded(double score) { return std::clamp(score, -6.0, 6.0) / 3; }

    // The nearest linked words to the left and to the right of each: -1 and the number of words where there are none.
    static void neighbours(const std::vector<uint32_t>& links, std::vector<int32_t>& left, std::vector<int32_t>& right) {
        const auto n = int32_t(links.size());
        left.resize(links.size());
        right.resize(links.size());
        int32_t last = -1;
        for (int32_t i = 0; i < n; ++i) {
            left[size_t(i)] = last;
            if (links[size_t(i)] != kUnlinked) last = i;
        }
        last = n;
        for (int32_t i = n; i-- > 0;) {
            right[size_t(i)] = last;
            if (links[size_t(i)] != kUnlinked) last = i;
        }
    }
    void tree(uint32_t i, uint32_t j, double* out) const {
        const AlignerSide &a = *a_, &b = *b_;
        const auto &theirs = links_->theirs, &ours = links_->ours;
        const bool same = a.relations[i] == b.relations[j] && a.relations[i] != AlignerSide::kNone;
        const int32_t x = a.heads[i], y = b.heads[j];
        const uint32_t of_head = x < 0 ? kUnlinked : theirs[size_t(x)], of_their_head = y < 0 ? kUnlinked : ours[size_t(y)];
        const bool heads = y >= 0 && of_head == uint32_t(y);
        uint32_t other = 0, equivalent = 0;
        for (const uint32_t kid : a.kids(i))
            if (const uint32_t q = theirs[kid]; q != kUnlinked && b.heads[q] == int32_t(j))
                ++(a.relations[kid] == b.relations[q] ? equivalent : other);
        out[0] = heads && !same;
        out[1] = heads && same;
        out[2] = y >= 0 && of_head != kUnlinked && !heads;
        out[3] = std::min(3u, other) / 3.0;
        out[4] = std::min(3u, equivalent) / 3.0;
        out[5] = (of_head != kUnlinked && b.heads[of_head] == int32_t(j)) ||
                 (of_their_head != kUnlinked && a.heads[of_their_head] == int32_t(i));
    }

    const AlignerSide *a_ = nullptr, *b_ = nullptr;
    const LinkedWords* links_ = nullptr;
    std::vector<int32_t> our_left_, our_right_, their_left_, their_right_;
    std::vector<Best> our_best_, their_best_;
};

}  // namespace tertium
