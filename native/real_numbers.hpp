// Real numbers as they are written in files, whatever the locale.
#pragma once

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#if !defined(__cpp_lib_to_chars)
#include <locale.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif

namespace tertium {

// Whether all of the text is a number. One that is too large is infinite, one that is too small is 0.
inline bool real_number(std::string_view text, double& value) {
#if defined(__cpp_lib_to_chars)
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        value = std::strtod(std::string(text).c_str(), nullptr);
        return true;
    }
    return error == std::errc() && end == text.data() + text.size();
#else  // the standard library of older compilers, Apple's among them, reads whole numbers only
    // strtod takes more than a number: white space and a plus in front, and hexadecimal digits
    if (text.empty() || text[0] == '+' || (text[0] > 0 && text[0] <= ' ')) return false;
    if (text.find_first_of("xX") != std::string_view::npos) return false;
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
    const std::string copy(text);
    char* end = nullptr;
    value = strtod_l(copy.c_str(), &end, plain);
    return end == copy.c_str() + copy.size();
#endif
}

}  // namespace tertium
