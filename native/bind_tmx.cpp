// Units of TMX, cut from blocks of a file.
#include "bind.hpp"
#include "tmx_units.hpp"

namespace tertium {

void bind_tmx(nb::module_& module);  // not in bind.hpp: with that all files would be compiled again

namespace {

struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class Value>
using Known = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

// Heads of units and of texts that were read before, and what they say.
struct TmxHeads {
    struct Bare {
        int side;
        nb::object language;
    };
    nb::object type;  // Unit
    Known<nb::tuple> rows;
    Known<Bare> bare;
    nb::object empty = nb::str("");

    explicit TmxHeads(nb::object unit) : type(std::move(unit)) {}
    void clear() { rows.clear(), bare.clear(); }
};

nb::object text(std::string_view bytes) {
    return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), Py_ssize_t(bytes.size()), "strict"));
}

// A unit, or nothing if it is none of the usual ones.
nb::object usual(const TmxHeads& heads, allocfunc allocate, std::string_view part, TmxUnit& unit, std::string& raw) {
    if (!unit.read(part)) return {};
    const auto row = heads.rows.find(unit.head);
    const auto first = heads.bare.find(unit.first), second = heads.bare.find(unit.second);
    if (row == heads.rows.end() || first == heads.bare.end() || second == heads.bare.end()) return {};
    if (first->second.side != 0 || second->second.side != 1) return {};
    raw.assign(unit.raw);
    raw.append("</tu>");
    nb::object values[] = {text(unit.source), text(unit.target), first->second.language, second->second.language};
    const Py_ssize_t facts = Py_ssize_t(row->second.size());
    nb::object made = nb::steal(allocate(reinterpret_cast<PyTypeObject*>(heads.type.ptr()), 4 + facts + 3));
    if (!made.is_valid()) nb::raise_python_error();
    Py_ssize_t at = 0;
    const auto put = [&](nb::object value) {
        if (!value.is_valid()) nb::raise_python_error();
        PyTuple_SetItem(made.ptr(), at++, value.release().ptr());
    };
    for (nb::object& value : values) put(std::move(value));
    for (Py_ssize_t i = 0; i < facts; ++i) put(nb::borrow(row->second[size_t(i)]));
    put(heads.empty);
    put(heads.empty);
    put(text(raw));
    return made;
}

// The units of a block from `begin` on, up to the first that is unusual; where that one begins, or the end.
nb::tuple cut_tmx(const TmxHeads& heads, nb::bytes block, size_t begin, size_t end) {
    if (end > block.size() || begin > end) throw nb::value_error("a block is not so long");
    const std::string_view all(block.c_str(), end);
    const auto allocate =
        reinterpret_cast<allocfunc>(PyType_GetSlot(reinterpret_cast<PyTypeObject*>(heads.type.ptr()), Py_tp_alloc));
    nb::list out;
    TmxUnit unit;
    std::string raw;
    while (begin < all.size()) {
        const size_t stop = all.find("</tu>", begin);
        if (stop == std::string_view::npos) break;
        nb::object found = usual(heads, allocate, all.substr(begin, stop - begin), unit, raw);
        if (!found.is_valid()) break;
        out.append(found);
        begin = stop + 5;
    }
    return nb::make_tuple(out, begin);
}

}  // namespace

void bind_tmx(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<TmxHeads>(module, "TmxHeads")
        .def(nb::init<nb::object>(), "unit"_a)
        .def(
            "add",
            [](TmxHeads& self, std::string_view head, nb::tuple row) { self.rows.insert_or_assign(std::string(head), row); },
            "head"_a, "row"_a)
        .def(
            "add_text",
            [](TmxHeads& self, std::string_view head, int side, nb::str language) {
                self.bare.insert_or_assign(std::string(head), TmxHeads::Bare{side, language});
            },
            "head"_a, "side"_a, "language"_a)
        .def("clear", &TmxHeads::clear);
    module.def("cut_tmx", &cut_tmx, "heads"_a, "block"_a, "begin"_a, "end"_a);
}

}  // namespace tertium
