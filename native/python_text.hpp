// Texts between Python and us, by functions of the stable ABI only. Lone surrogates are fine.
#pragma once

#include <cstdio>  // nanobind's headers need it, and not every standard library gives it unasked

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace tertium {

inline nanobind::object as_str(std::string_view text) {
    return nanobind::steal(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "surrogatepass"));
}

inline std::string as_utf8(nanobind::handle string) {
    const nanobind::object bytes = nanobind::steal(PyUnicode_AsEncodedString(string.ptr(), "utf-8", "surrogatepass"));
    char* data = nullptr;
    Py_ssize_t size = 0;
    if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) nanobind::raise_python_error();
    return {data, size_t(size)};
}

}  // namespace tertium
