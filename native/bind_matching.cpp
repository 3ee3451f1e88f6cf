// An index of texts for finding those that are like a new one.
#include "bind.hpp"
#include "match_index.hpp"

namespace tertium {

namespace {

std::string as_utf8(nb::handle string) {
    nb::object bytes = nb::steal(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "surrogatepass"));
    if (!bytes.is_valid()) nb::raise_python_error();
    return {PyBytes_AS_STRING(bytes.ptr()), size_t(PyBytes_GET_SIZE(bytes.ptr()))};
}

// Blocks, the last of which may have room, and texts that came since; what blocks were read from is kept.
class TextIndex {
public:
    TextIndex() = default;
    explicit TextIndex(nb::object buffer) : buffer_(std::move(buffer)) {
        nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> bytes = nb::cast<decltype(bytes)>(buffer_);
        std::string_view data(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
        if (reinterpret_cast<uintptr_t>(data.data()) % 8) throw nb::value_error("an index must lie aligned");
        while (!data.empty()) {
            blocks_.push_back(MatchBlock::in(data));
            size_ += blocks_.back().size();
        }
    }

    size_t size() const { return size_ + tail_.size(); }
    void add(const nb::list& texts) {
        for (nb::handle text : texts) {
            tail_.push_back(as_utf8(text));
            if (tail_.size() + room() >= kBlockTexts) seal();
        }
        if (tail_.size() > kTail) seal();
    }
    // Puts texts that came since into blocks, with those of the last one if that has room.
    void seal() {
        if (tail_.empty()) return;
        std::vector<std::string_view> texts;
        MatchBlock last;
        if (room()) {
            last = blocks_.back();
            blocks_.pop_back();
            size_ -= last.size();
            for (size_t t = 0; t < last.size(); ++t) texts.push_back(last.text(t));
        }
        texts.insert(texts.end(), tail_.begin(), tail_.end());
        for (size_t begin = 0; begin < texts.size(); begin += kBlockTexts) {
            const size_t end = std::min(begin + kBlockTexts, texts.size());
            blocks_.push_back(MatchBlock::of({texts.begin() + ptrdiff_t(begin), texts.begin() + ptrdiff_t(end)}));
            size_ += end - begin;
        }
        tail_.clear();
        weights_.clear();
    }
    nb::list find(nb::handle query, double least, size_t most, size_t candidates) {
        const auto found = search_(as_utf8(query), blocks_, tail_, {candidates, least, most});
        nb::list out;
        for (const Match& match : found) out.append(nb::make_tuple(match.text, match.likeness()));
        return out;
    }
    // Those most alike, then those that share most of what is rare; few copies of each text.
    nb::list find_broadly(nb::handle query, size_t most, size_t rare, size_t copies) {
        if (weights_.empty()) weights_ = MatchSearch::rareness(blocks_);
        const MatchSearch::Limits limits{.least = 0.0, .found = most, .rare = rare, .copies = copies, .weights = &weights_};
        nb::list out;
        for (const Match& match : search_(as_utf8(query), blocks_, tail_, limits))
            out.append(nb::make_tuple(match.text, match.likeness()));
        return out;
    }
    nb::list parts() {
        seal();
        nb::list out;
        for (const MatchBlock& block : blocks_) out.append(nb::bytes(block.bytes().data(), block.bytes().size()));
        return out;
    }
    nb::object text(uint64_t number) const {
        if (number >= size()) throw nb::index_error("there is no such text");
        const std::string_view own = number < size_ ? MatchSearch::text_of(blocks_, number) : tail_[number - size_];
        return nb::steal(PyUnicode_DecodeUTF8(own.data(), Py_ssize_t(own.size()), "surrogatepass"));
    }

private:
    static constexpr size_t kTail = 512;  // texts that are looked at one by one
    size_t room() const { return !blocks_.empty() && blocks_.back().size() < kBlockTexts ? blocks_.back().size() : 0; }
    nb::object buffer_;
    std::vector<MatchBlock> blocks_;
    std::vector<std::string> tail_;
    size_t size_ = 0;             // in blocks
    std::vector<float> weights_;  // of trigrams
    MatchSearch search_;
};

}  // namespace

void bind_matching(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<TextIndex>(module, "TextIndex")
        .def(nb::init<>())
        .def(nb::init<nb::object>(), "content"_a)
        .def("__len__", &TextIndex::size)
        .def("add", &TextIndex::add, "texts"_a)
        .def("find", &TextIndex::find, "query"_a, "least"_a, "most"_a, "candidates"_a = MatchSearch::Limits{}.candidates)
        .def("find_broadly", &TextIndex::find_broadly, "query"_a, "most"_a, "rare"_a, "copies"_a)
        .def("parts", &TextIndex::parts)
        .def("text", &TextIndex::text, "number"_a);
}

}  // namespace tertium
