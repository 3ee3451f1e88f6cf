// What was learnt, as bytes for another process of the same version: `travel(archive)` of a class names its parts, and
// the same lines write and read them.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tertium {

class BytesOut {
public:
    std::string bytes;

    template <class Value>
    requires std::is_trivially_copyable_v<Value>
    void operator()(const Value& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void operator()(std::string_view text) {
        (*this)(uint64_t(text.size()));
        bytes.append(text);
    }
    template <class Value>
    void operator()(const std::vector<Value>& values) {
        (*this)(uint64_t(values.size()));
        if constexpr (is_plain<Value>)
            bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
        else
            for (const Value& value : values) (*this)(value);
    }
    template <class One, class Other>
    void operator()(const std::pair<One, Other>& pair) {
        (*this)(pair.first);
        (*this)(pair.second);
    }
    template <class Value, class Each>
    void each(std::vector<Value>& values, Each&& each) {
        (*this)(uint64_t(values.size()));
        for (Value& value : values) each(value);
    }
    template <class Value>
    static constexpr bool is_plain = std::is_trivially_copyable_v<Value> && !std::is_same_v<Value, std::string_view>;
};

// The texts that are read lie in the bytes.
class BytesIn {
public:
    explicit BytesIn(std::string_view bytes) : left_(bytes) {}

    template <class Value>
    requires(BytesOut::is_plain<Value>) void operator()(Value& value) { std::memcpy(&value, take(sizeof value), sizeof value); }
    void operator()(const size_t& expected) {
        size_t found = 0;
        (*this)(found);
        if (found != expected) throw std::invalid_argument("what was learnt was made by other settings");
    }
    void operator()(std::string_view& text) {
        const size_t size = length(1);
        text = {take(size), size};
    }
    template <class Value>
    void operator()(std::vector<Value>& values) {
        if constexpr (BytesOut::is_plain<Value>) {
            values.resize(length(sizeof(Value)));
            if (!values.empty()) std::memcpy(values.data(), take(values.size() * sizeof(Value)), values.size() * sizeof(Value));
        } else {
            values.resize(length(1));
            for (Value& value : values) (*this)(value);
        }
    }
    template <class One, class Other>
    void operator()(std::pair<One, Other>& pair) {
        (*this)(pair.first);
        (*this)(pair.second);
    }
    template <class Value, class Each>
    void each(std::vector<Value>& values, Each&& each) {
        values.resize(length(1));
        for (Value& value : values) each(value);
    }

private:
    const char* take(size_t size) {
        if (size > left_.size()) throw std::invalid_argument("what was learnt is cut off");
        const char* found = left_.data();
        left_.remove_prefix(size);
        return found;
    }
    size_t length(size_t each) {
        uint64_t found = 0;
        (*this)(found);
        if (found > left_.size() / each) throw std::invalid_argument("what was learnt is cut off");
        return size_t(found);
    }
    std::string_view left_;
};

}  // namespace tertium
