// An index of texts for finding those that are like a new one.
#include "bind.hpp"
#include "match_index.hpp"
#include "python_text.hpp"

namespace tertium {

namespace {

// Who asks holds on to the texts that were there when he began; who adds meanwhile goes on with a copy (blocks are shared).
class TextIndex {
public:
    TextIndex() = default;
    explicit TextIndex(nb::object buffer) : buffer_(std::move(buffer)) {
        nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> bytes = nb::cast<decltype(bytes)>(buffer_);
        const std::string_view data(reinterpret_cast<const char*>(bytes.data()), bytes.shape(0));
        if (reinterpret_cast<uintptr_t>(data.data()) % 8) throw nb::value_error("an index must lie aligned");
        texts_ = std::make_shared<MatchTexts>(data);
    }

    size_t size() const { return texts_->size(); }
    void add(const nb::list& texts) {
        MatchTexts& own = changeable();
        const size_t before = own.in_blocks();
        for (nb::handle text : texts) own.add(as_utf8(text));
        if (own.in_blocks() != before) weights_.reset();
    }
    nb::list find(nb::handle query, double least, size_t most, size_t candidates) {
        nb::list one;
        one.append(query);
        return nb::cast<nb::list>(find_all(one, least, most, candidates, 1)[0]);
    }
    nb::list find_all(const nb::list& queries, double least, size_t most, size_t candidates, int threads) {
        return asked(queries, {candidates, least, most}, threads);
    }
    // Those most alike, then those that share most of what is rare; few copies of each text.
    nb::list find_broadly(const nb::list& queries, size_t most, size_t rare, size_t copies, int threads) {
        settle();
        if (!weights_) weights_ = std::make_shared<const std::vector<float>>(trigram_rareness(*texts_));
        const auto weights = weights_;
        return asked(queries, {.least = 0.0, .found = most, .rare = rare, .copies = copies, .weights = weights.get()}, threads);
    }
    nb::list parts() {
        seal();
        nb::list out;
        for (const MatchBlock& block : texts_->blocks()) out.append(nb::bytes(block.bytes().data(), block.bytes().size()));
        return out;
    }
    nb::object text(uint64_t number) const {
        if (number >= size()) throw nb::index_error("there is no such text");
        const std::string_view own = texts_->text(number);
        return nb::steal(PyUnicode_DecodeUTF8(own.data(), Py_ssize_t(own.size()), "surrogatepass"));
    }

private:
    static constexpr size_t kTail = 512;  // texts that are looked at one by one

    MatchTexts& changeable() {
        if (texts_.use_count() > 1) texts_ = std::make_shared<MatchTexts>(*texts_);
        return *texts_;
    }
    void settle() {
        if (texts_->tail().size() > kTail) seal();
    }
    void seal() {
        if (texts_->tail().empty()) return;
        changeable().seal();
        weights_.reset();
    }
    nb::list asked(const nb::list& queries, const MatchSearch::Limits& limits, int threads) {
        settle();
        std::vector<std::string> texts;
        for (nb::handle query : queries) texts.push_back(as_utf8(query));
        std::vector<std::vector<Match>> found(texts.size());
        {
            const std::shared_ptr<const MatchTexts> stored = texts_;
            const Unlocked unlocked;
            parallel_parts(texts.size(), threads, [&](size_t, size_t begin, size_t end) {
                static thread_local MatchSearch search;
                for (size_t i = begin; i < end; ++i) found[i] = search(texts[i], *stored, limits);
            });
        }
        nb::list out;
        for (const auto& own : found) {
            nb::list one;
            for (const Match& match : own) one.append(nb::make_tuple(match.text, match.likeness()));
            out.append(one);
        }
        return out;
    }

    nb::object buffer_;  // what blocks were read from
    std::shared_ptr<MatchTexts> texts_ = std::make_shared<MatchTexts>();
    std::shared_ptr<const std::vector<float>> weights_;  // of trigrams
};

// Edits of characters that make one text the other.
int64_t text_distance(nb::handle one, nb::handle other) {
    static thread_local CharDistance distance;
    Characters a, b;
    characters_of(as_utf8(one), a);
    characters_of(as_utf8(other), b);
    return distance(a, b);
}

}  // namespace

void bind_matching(nb::module_& module) {
    using namespace nb::literals;
    constexpr size_t candidates = MatchSearch::Limits{}.candidates;
    module.def("text_distance", &text_distance, "one"_a, "other"_a);
    nb::class_<TextIndex>(module, "TextIndex")
        .def(nb::init<>())
        .def(nb::init<nb::object>(), "content"_a)
        .def("__len__", &TextIndex::size)
        .def("add", &TextIndex::add, "texts"_a)
        .def("find", &TextIndex::find, "query"_a, "least"_a, "most"_a, "candidates"_a = candidates)
        .def("find_all", &TextIndex::find_all, "queries"_a, "least"_a, "most"_a, "candidates"_a = candidates, "threads"_a = 1)
        .def("find_broadly", &TextIndex::find_broadly, "queries"_a, "most"_a, "rare"_a, "copies"_a, "threads"_a = 1)
        .def("parts", &TextIndex::parts)
        .def("text", &TextIndex::text, "number"_a);
}

}  // namespace tertium
