#include "bind.hpp"
#include "tokenize_moses.hpp"

namespace tertium {

namespace {

MosesOptions::Apostrophes apostrophes_named(std::string_view name) {
    if (name == "apart") return MosesOptions::Apostrophes::apart;
    if (name == "english") return MosesOptions::Apostrophes::english;
    if (name == "french") return MosesOptions::Apostrophes::french;
    throw nb::value_error("apostrophes must be apart, english or french");
}

}  // namespace

void bind_moses(nb::module_& module) {
    nb::class_<MosesTokenizer>(module, "MosesTokenizer")
        .def(nb::new_([](const std::vector<std::string>& prefixes, const std::vector<std::string>& before_numbers,
                         std::string_view apostrophes, bool hyphens, bool escape, bool colons, bool ideographs) {
                 return std::make_shared<MosesTokenizer>(
                     MosesOptions{apostrophes_named(apostrophes), hyphens, escape, colons, ideographs}, prefixes,
                     before_numbers);
             }),
             nb::arg("prefixes"), nb::arg("before_numbers"), nb::arg("apostrophes"), nb::arg("hyphens"), nb::arg("escape"),
             nb::arg("colons"), nb::arg("ideographs"))
        .def(
            "cut",  // the same lines with one space between tokens
            [](const MosesTokenizer& tokenizer, const Lines& lines) {
                auto out = std::make_shared<Lines>();
                Unlocked unlocked;
                out->texts.reserve(lines.size());
                MosesTokenizer::Scratch scratch;
                std::string tokens;
                for (const std::string_view text : lines.texts) {
                    poll();
                    if (text.data() == nullptr) {
                        out->texts.emplace_back();
                        continue;
                    }
                    tokens.clear();
                    tokenizer.cut(text, scratch, tokens);
                    out->texts.push_back(out->arena.copy(tokens));
                }
                return out;
            },
            nb::arg("lines"));
}

}  // namespace tertium
