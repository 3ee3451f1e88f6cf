// Type rows on their way to another process: flat parts in which types stand in alphabetical order, so that equal rows
// are equal bytes however their types were numbered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "types.hpp"

namespace tertium {

struct TypeParts {
    std::vector<int64_t> starts, ends;  // of rows among entries; of names, where each ends
    std::vector<uint32_t> types;
    std::vector<TypeCounts> counts;
    std::string names;
};

inline TypeParts parts_of(const TypeRows& rows) {
    const Vocabulary& vocabulary = *rows.vocabulary;
    std::vector<uint32_t> used, rank(vocabulary.size(), TypeRows::kNone);
    for (const uint32_t type : rows.types) {
        if (rank[type] != TypeRows::kNone) continue;
        rank[type] = 0;
        used.push_back(type);
    }
    std::sort(used.begin(), used.end(), [&](uint32_t a, uint32_t b) { return vocabulary[a] < vocabulary[b]; });
    TypeParts parts;
    parts.starts = rows.starts;
    parts.ends.reserve(used.size());
    for (uint32_t i = 0; i < used.size(); ++i) {
        rank[used[i]] = i;
        parts.names += vocabulary[used[i]];
        parts.ends.push_back(int64_t(parts.names.size()));
    }
    parts.types.reserve(rows.types.size());
    parts.counts.reserve(rows.types.size());
    std::vector<int64_t> order;
    for (size_t row = 0; row < rows.size(); ++row) {
        order.resize(size_t(rows.starts[row + 1] - rows.starts[row]));
        std::iota(order.begin(), order.end(), rows.starts[row]);
        std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return rank[rows.types[a]] < rank[rows.types[b]]; });
        for (const int64_t e : order) {
            parts.types.push_back(rank[rows.types[e]]);
            parts.counts.push_back(rows.counts[e]);
        }
    }
    return parts;
}

// The opposite, for parts that may be anybody's: whatever does not fit together is refused.
inline std::shared_ptr<TypeRows> rows_from(const TypeParts& parts) {
    const auto refuse = [](bool wrong, const char* what) {
        if (wrong) throw std::invalid_argument(what);
    };
    auto rows = std::make_shared<TypeRows>();
    int64_t begin = 0;
    refuse(parts.ends.size() >= TypeRows::kNone, "there are too many types");
    for (size_t i = 0; i < parts.ends.size(); ++i) {
        const int64_t end = parts.ends[i];
        refuse(end < begin || end > int64_t(parts.names.size()), "a type ends outside the names");
        refuse(end - begin >= int64_t(UINT32_MAX), "a type is too long");
        refuse(begin < end && (parts.names[size_t(begin)] & 0xC0) == 0x80, "a type starts within a character");
        const std::string_view name(parts.names.data() + begin, size_t(end - begin));
        refuse(rows->vocabulary->add(name) != i, "a type has two numbers");
        begin = end;
    }
    refuse(begin != int64_t(parts.names.size()), "there are names behind the last type");
    refuse(parts.types.size() != parts.counts.size(), "types and counts differ in number");
    refuse(parts.starts.empty() || parts.starts[0] != 0 || parts.starts.back() != int64_t(parts.types.size()),
           "rows do not start and end with the entries");
    std::vector<int64_t> seen(parts.ends.size(), -1);  // the last row that had a type
    for (size_t row = 0; row + 1 < parts.starts.size(); ++row) {
        refuse(parts.starts[row + 1] < parts.starts[row] || parts.starts[row + 1] > parts.starts.back(),
               "a row ends before it starts");
        for (int64_t e = parts.starts[row]; e < parts.starts[row + 1]; ++e) {
            const uint32_t type = parts.types[size_t(e)];
            refuse(type >= seen.size(), "a row holds a type that does not exist");
            refuse(seen[type] == int64_t(row), "a row holds a type twice");
            seen[type] = int64_t(row);
        }
    }
    rows->starts = parts.starts;
    rows->types.assign(parts.types.begin(), parts.types.end());
    rows->counts.assign(parts.counts.begin(), parts.counts.end());
    return rows;
}

}  // namespace tertium
