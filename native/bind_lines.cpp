// Texts in: Python strings (viewed in place where they are ASCII) and the bytes of files.
#include <algorithm>
#include <cstring>

#include "bind.hpp"
#include "python_text.hpp"
#include "utf8.hpp"

namespace tertium {

namespace {

std::shared_ptr<void> keep(nb::object object) {
    PyObject* raw = object.release().ptr();
    return std::shared_ptr<void>(raw, [](void* p) {
        nb::gil_scoped_acquire locked;
        Py_DECREF(static_cast<PyObject*>(p));
    });
}

#if defined(Py_LIMITED_API)
// The stable ABI does not show a string's own storage: strings beyond ASCII keep the UTF-8 that Python makes of them.
std::string_view view(PyObject* string, TextArena& arena) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(string, &size);
    if (data) return {data, size_t(size)};
    PyErr_Clear();
    return arena.copy(as_utf8(string));  // it has lone surrogates
}
#else
template <class Unit>
std::string_view encode(const Unit* units, size_t n, TextArena& arena) {
    char* to = arena.reserve(n * (sizeof(Unit) == 1 ? 2 : sizeof(Unit) == 2 ? 3 : 4));
    char* p = to;
    for (size_t i = 0; i < n; ++i) {
        const uint32_t c = units[i];
        if (c < 0x80) {
            *p++ = char(c);
        } else if (c < 0x800) {
            *p++ = char(0xC0 | c >> 6);
            *p++ = char(0x80 | (c & 0x3F));
        } else if (c < 0x10000) {
            *p++ = char(0xE0 | c >> 12);
            *p++ = char(0x80 | (c >> 6 & 0x3F));
            *p++ = char(0x80 | (c & 0x3F));
        } else {
            *p++ = char(0xF0 | c >> 18);
            *p++ = char(0x80 | (c >> 12 & 0x3F));
            *p++ = char(0x80 | (c >> 6 & 0x3F));
            *p++ = char(0x80 | (c & 0x3F));
        }
    }
    return arena.keep(size_t(p - to));
}

// The string through its own storage: no UTF-8 copy stays behind in it, and lone surrogates are fine.
std::string_view view(PyObject* string, TextArena& arena) {
    const size_t n = size_t(PyUnicode_GET_LENGTH(string));
    if (PyUnicode_IS_ASCII(string)) return {reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(string)), n};
    switch (PyUnicode_KIND(string)) {
        case PyUnicode_1BYTE_KIND: return encode(PyUnicode_1BYTE_DATA(string), n, arena);
        case PyUnicode_2BYTE_KIND: return encode(PyUnicode_2BYTE_DATA(string), n, arena);
        default: return encode(PyUnicode_4BYTE_DATA(string), n, arena);
    }
}
#endif

// Holds on to Python objects. Each is somewhere else in memory, so the next ones are fetched ahead of time: taking and
// dropping a hundred thousand references would cost more than some metrics otherwise.
struct Held {
    std::vector<PyObject*> objects;

    static void fetch(PyObject* const* objects, Py_ssize_t i, Py_ssize_t n) {
        if (i + kAhead < n) __builtin_prefetch(objects[i + kAhead], 1);
    }
    ~Held() {
        nb::gil_scoped_acquire locked;
        const Py_ssize_t n = Py_ssize_t(objects.size());
        for (Py_ssize_t i = 0; i < n; ++i) {
            fetch(objects.data(), i, n);
            Py_DECREF(objects[size_t(i)]);
        }
    }

private:
    static constexpr Py_ssize_t kAhead = 16;
};

// What is in a list or tuple.
class Items {
public:
#if defined(Py_LIMITED_API)
    explicit Items(PyObject* items) : items_(items), tuple_(PyTuple_Check(items)) {}
    Py_ssize_t size() const { return tuple_ ? PyTuple_Size(items_) : PyList_Size(items_); }
    PyObject* operator[](Py_ssize_t i) const { return tuple_ ? PyTuple_GetItem(items_, i) : PyList_GetItem(items_, i); }
    void fetch(Py_ssize_t) const {}

private:
    PyObject* items_;
    bool tuple_;
#else
    explicit Items(PyObject* items) : items_(PySequence_Fast_ITEMS(items)), size_(PySequence_Fast_GET_SIZE(items)) {}
    Py_ssize_t size() const { return size_; }
    PyObject* operator[](Py_ssize_t i) const { return items_[i]; }
    void fetch(Py_ssize_t i) const { Held::fetch(items_, i, size_); }

private:
    PyObject* const* items_;
    Py_ssize_t size_;
#endif
};

std::string type_name(nb::handle object) {
    const nb::handle type = object.type();
    const std::string name = as_utf8(type.attr("__qualname__")), module = as_utf8(type.attr("__module__"));
    return module == "builtins" ? name : module + "." + name;
}

std::shared_ptr<Lines> lines_of(nb::handle sequence) {
    nb::object items = nb::steal(PySequence_Fast(sequence.ptr(), "texts must be a sequence"));
    if (!items.is_valid()) nb::raise_python_error();
    auto lines = std::make_shared<Lines>();
    auto held = std::make_shared<Held>();
    const Items objects(items.ptr());
    const Py_ssize_t n = objects.size();
    lines->texts.reserve(size_t(n));
    held->objects.reserve(size_t(n));
    for (Py_ssize_t i = 0; i < n; ++i) {
        objects.fetch(i);
        PyObject* item = objects[i];
        if (item == Py_None) {
            lines->texts.emplace_back();
        } else if (PyUnicode_Check(item)) {
            held->objects.push_back(Py_NewRef(item));
            lines->texts.push_back(view(item, lines->arena));
        } else {
            const std::string which = "segment " + std::to_string(i + 1) + " is of type " + type_name(item);
            throw nb::type_error((which + ", not a string").c_str());
        }
    }
    lines->owner = std::move(held);
    return lines;
}

// Offset of the first byte that is not UTF-8, or of the first NUL; -1 if there is neither.
int64_t first_bad_byte(std::string_view text) {
    const auto* s = reinterpret_cast<const unsigned char*>(text.data());
    const size_t n = text.size();
    for (size_t i = 0; i < n;) {
        if (i + 8 <= n) {  // eight ASCII bytes at a time, none of them NUL
            uint64_t block;
            std::memcpy(&block, s + i, 8);
            const uint64_t zero = (block - 0x0101010101010101ull) & ~block;
            if (((block | zero) & 0x8080808080808080ull) == 0) {
                i += 8;
                continue;
            }
        }
        const unsigned char lead = s[i];
        if (lead == 0) return int64_t(i);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (length == 0 || i + length > n) return int64_t(i);
        for (size_t k = 1; k < length; ++k)
            if ((s[i + k] & 0xC0) != 0x80) return int64_t(i);
        if ((lead == 0xE0 && s[i + 1] < 0xA0) || (lead == 0xED && s[i + 1] > 0x9F) || (lead == 0xF0 && s[i + 1] < 0x90) ||
            (lead == 0xF4 && s[i + 1] > 0x8F))
            return int64_t(i);
        i += length;
    }
    return -1;
}

// A buffer of Python's, as long as somebody needs it.
struct Buffer {
    Py_buffer view{};
    explicit Buffer(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) nb::raise_python_error();
    }
    Buffer(const Buffer&) = delete;
    ~Buffer() {
        nb::gil_scoped_acquire locked;
        PyBuffer_Release(&view);
    }
    const char* data() const { return static_cast<const char*>(view.buf); }
    size_t size() const { return size_t(view.len); }
};

bool is_utf8(std::string_view text) {
    for (;;) {
        const int64_t bad = first_bad_byte(text);
        if (bad < 0) return true;
        if (text[size_t(bad)] != 0) return false;
        text.remove_prefix(size_t(bad) + 1);
    }
}

// `n` texts of a column of Arrow, viewed in place: where each begins (of 4 bytes or of 8), all their bytes, and a bit for
// each that is there. And the first that is not UTF-8, or -1.
nb::tuple arrow_lines(nb::object starts, nb::object bytes, nb::object there, size_t first, size_t n, bool wide) {
    struct Column {
        Buffer starts, bytes;
        Column(nb::handle starts, nb::handle bytes) : starts(starts), bytes(bytes) {}
    };
    auto column = std::make_shared<Column>(starts, bytes);
    const size_t each = wide ? 8 : 4;
    if (column->starts.size() < (first + n + 1) * each) throw nb::value_error("the column is shorter than that");
    std::unique_ptr<Buffer> bits;
    if (!there.is_none()) bits = std::make_unique<Buffer>(there);
    if (bits && bits->size() * 8 < first + n) throw nb::value_error("the column is shorter than that");
    const auto start = [&](size_t i) {
        if (!wide) {
            int32_t value;
            std::memcpy(&value, column->starts.data() + 4 * i, 4);
            return int64_t(value);
        }
        int64_t value;
        std::memcpy(&value, column->starts.data() + 8 * i, 8);
        return value;
    };
    auto lines = std::make_shared<Lines>();
    lines->texts.reserve(n);
    int64_t broken = -1;
    const char* base = column->bytes.size() ? column->bytes.data() : "";
    for (size_t i = first; i < first + n; ++i) {
        const int64_t begin = start(i), end = start(i + 1);
        if (begin < 0 || end < begin || size_t(end) > column->bytes.size()) throw nb::value_error("the column is damaged");
        if (bits && (bits->data()[i / 8] >> i % 8 & 1) == 0) {
            lines->texts.emplace_back();
            continue;
        }
        lines->texts.emplace_back(base + begin, size_t(end - begin));
        if (broken < 0 && !is_utf8(lines->texts.back())) broken = int64_t(i - first);
    }
    lines->owner = std::move(column);
    return nb::make_tuple(lines, broken);
}

// Lines of a block of a file: cut at "\n" only. `strip` removes all trailing white space, as sacrebleu does when it
// reads; otherwise only the "\r" of a CRLF goes, so that empty fields at the end of a line survive.
std::shared_ptr<Lines> split_lines(nb::bytes block, bool strip) {
    auto lines = std::make_shared<Lines>();
    const std::string_view text(block.c_str(), block.size());
    lines->owner = keep(nb::object(block));
    Unlocked unlocked;
    lines->texts.reserve(text.size() / 64);
    for (size_t begin = 0; begin < text.size();) {
        const void* found = std::memchr(text.data() + begin, '\n', text.size() - begin);
        const size_t end = found ? size_t(static_cast<const char*>(found) - text.data()) : text.size();
        const std::string_view line = text.substr(begin, end - begin);
        lines->texts.push_back(strip ? rstrip(line) : line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
        begin = end + 1;
    }
    return lines;
}

int64_t fill_columns(const Lines& lines, const std::vector<size_t>& wanted, size_t needed,
                     std::vector<std::shared_ptr<Lines>>& columns) {
    std::vector<std::string_view> fields;
    for (size_t i = 0; i < lines.size(); ++i) {
        fields.clear();
        std::string_view rest = lines.texts[i];
        while (fields.size() < needed) {
            const size_t tab = rest.find('\t');
            fields.push_back(rstrip(rest.substr(0, tab)));
            if (tab == std::string_view::npos) break;
            rest.remove_prefix(tab + 1);
        }
        if (fields.size() < needed) return int64_t(i);
        for (size_t k = 0; k < wanted.size(); ++k) columns[k]->texts.push_back(fields[wanted[k]]);
    }
    return -1;
}

// The wanted fields (from 0) of tab-separated lines, without trailing white space, and the first line that has too few
// fields (-1: none). Fields are views of the lines.
nb::tuple split_columns(std::shared_ptr<Lines> lines, const std::vector<size_t>& wanted) {
    const size_t needed = wanted.empty() ? 0 : *std::max_element(wanted.begin(), wanted.end()) + 1;
    std::vector<std::shared_ptr<Lines>> columns;
    for (size_t i = 0; i < wanted.size(); ++i) {
        columns.push_back(std::make_shared<Lines>());
        columns.back()->texts.reserve(lines->size());
        columns.back()->owner = lines;
    }
    int64_t bad = -1;
    {
        Unlocked unlocked;
        bad = fill_columns(*lines, wanted, needed, columns);
    }
    nb::list out;
    for (auto& column : columns) out.append(nb::cast(column));
    return nb::make_tuple(out, bad);
}

// Every line as its tokens with single spaces between: for originals that tokenise a text twice.
std::shared_ptr<Lines> join_tokens(const Lines& lines, std::string_view tokenizer) {
    const Tokenizer function = tokenizer_named(tokenizer);
    auto out = std::make_shared<Lines>();
    Unlocked unlocked;
    Tokens tokens;
    std::string joined;
    out->texts.reserve(lines.size());
    for (const std::string_view text : lines.texts) {
        poll();
        if (text.data() == nullptr) {
            out->texts.emplace_back();
            continue;
        }
        function(text, tokens);
        joined.clear();
        for (size_t i = 0; i < tokens.size(); ++i) {
            if (i) joined.push_back(' ');
            joined.append(tokens[i]);
        }
        out->texts.push_back(out->arena.copy(joined));
    }
    return out;
}

bool is_ascii(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

// Python's str.lower() of every line; only lines beyond ASCII are handed to Python.
std::shared_ptr<Lines> lower(const Lines& lines) {
    auto out = std::make_shared<Lines>();
    out->texts.reserve(lines.size());
    for (const std::string_view text : lines.texts) {
        if (text.data() == nullptr) {
            out->texts.emplace_back();
        } else if (is_ascii(text)) {
            char* to = out->arena.reserve(text.size());
            for (size_t i = 0; i < text.size(); ++i) {
                const unsigned char c = static_cast<unsigned char>(text[i]);
                to[i] = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
            }
            out->texts.push_back(out->arena.keep(text.size()));
        } else {
            if (PyErr_CheckSignals() != 0) nb::raise_python_error();
            nb::object lowered = as_str(text).attr("lower")();
            out->texts.push_back(out->arena.copy(view(lowered.ptr(), out->arena)));
        }
    }
    return out;
}

}  // namespace

void bind_lines(nb::module_& module) {
    nb::class_<Lines>(module, "Lines")
        .def(nb::new_(&lines_of), nb::arg("texts"))
        .def("__len__", &Lines::size)
        .def("__getitem__",
             [](const Lines& lines, Py_ssize_t i) -> nb::object {
                 if (i < 0) i += Py_ssize_t(lines.size());
                 if (i < 0 || size_t(i) >= lines.size()) throw nb::index_error();
                 if (lines.missing(size_t(i))) return nb::none();
                 return as_str(lines.texts[size_t(i)]);
             })
        .def("__reduce__",  // for pickle and copy: the texts themselves
             [](nb::handle self) {
                 nb::list texts;
                 for (nb::handle text : self) texts.append(text);
                 return nb::make_tuple(self.type(), nb::make_tuple(texts));
             })
        .def("lower", &lower)
        .def(
            "slice",
            [](std::shared_ptr<Lines> lines, size_t begin, size_t end) {
                if (begin > end || end > lines->size()) throw nb::index_error();
                auto part = std::make_shared<Lines>();
                part->texts.assign(lines->texts.begin() + ptrdiff_t(begin), lines->texts.begin() + ptrdiff_t(end));
                part->owner = lines;
                return part;
            },
            nb::arg("begin"), nb::arg("end"))
        .def("count_missing",
             [](const Lines& lines) {
                 size_t missing = 0;
                 for (size_t i = 0; i < lines.size(); ++i) missing += lines.missing(i);
                 return missing;
             })
        .def("count_empty",
             [](const Lines& lines) {
                 size_t empty = 0;
                 for (const std::string_view text : lines.texts) empty += text.empty();
                 return empty;
             })
        .def(
            "count_ending",  // how many lines end so: tokenised text ends in " ."
            [](const Lines& lines, std::string_view ending) {
                size_t count = 0;
                for (size_t i = 0; i < lines.size(); ++i) {
                    lines.fetch_end(i + 16);
                    count += lines.texts[i].ends_with(ending);
                }
                return count;
            },
            nb::arg("ending"));

    module.def(
        "count_tokens",  // of every line; none of a missing one
        [](const Lines& lines, std::string_view tokenizer, int threads) {
            const Tokenizer function = tokenizer_named(tokenizer);
            return dense_rows(lines.size(), 1, threads, [&] {
                return [&, tokens = Tokens()](size_t i, int64_t* row) mutable {
                    row[0] = 0;
                    if (lines.missing(i)) return;
                    function(lines.texts[i], tokens);
                    row[0] = int64_t(tokens.size());
                };
            });
        },
        nb::arg("lines"), nb::arg("tokenizer"), nb::arg("threads"));
    module.def("split_lines", &split_lines, nb::arg("block"), nb::arg("strip") = true);
    module.def("join_tokens", &join_tokens, nb::arg("lines"), nb::arg("tokenizer"));
    module.def("split_columns", &split_columns, nb::arg("lines"), nb::arg("wanted"));
    module.def("arrow_lines", &arrow_lines, nb::arg("starts"), nb::arg("bytes"), nb::arg("there").none(), nb::arg("first"),
               nb::arg("n"), nb::arg("wide"));
    module.def(
        "first_bad_byte",
        [](nb::bytes block) {
            const std::string_view text(block.c_str(), block.size());
            Unlocked unlocked;
            return first_bad_byte(text);
        },
        nb::arg("block"));
    module.def(
        "tokenize",
        [](const Lines& lines, std::string_view tokenizer) {
            const Tokenizer function = tokenizer_named(tokenizer);
            Tokens tokens;
            nb::list out;
            for (const std::string_view text : lines.texts) {
                if (PyErr_CheckSignals() != 0) nb::raise_python_error();
                nb::list row;
                if (text.data() != nullptr) {
                    function(text, tokens);
                    for (size_t i = 0; i < tokens.size(); ++i) row.append(as_str(tokens[i]));
                }
                out.append(row);
            }
            return out;
        },
        nb::arg("lines"), nb::arg("tokenizer"));
}

}  // namespace tertium
