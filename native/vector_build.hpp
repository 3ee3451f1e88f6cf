// Vector files of other programs, read once: word2vec's binary and text form, GloVe, fastText's .vec. What comes out is
// the file that vector_table.hpp maps. Whatever is wrong is refused with the line or word where it is.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "interrupts.hpp"
#include "real_numbers.hpp"
#include "vector_table.hpp"

namespace tertium {

// Where a vector file stands in its language: whether there is a line of sizes, and whether numbers are bytes.
struct VectorForm {
    bool sizes = false, binary = false;
    uint64_t words = 0;
    size_t dimension = 0, begin = 0;  // where the first word stands
};

class VectorBuilder {
public:
    VectorBuilder(const std::string& to, Storage storage) : storage_(storage), file_(std::fopen(to.c_str(), "wb")) {
        if (!file_) throw std::runtime_error("cannot write " + to);
        offsets_.push_back(0);
    }

    // Reads the whole source.
    void read(std::string_view source) {
        form_ = form_of(source);
        const std::string page(kVectorsAt, '\0');
        write(page.data(), page.size());
        row_.resize(form_.dimension);
        if (form_.binary) read_binary(source);
        else read_text(source);
        finish();
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    [[noreturn]] static void fail(const std::string& what) { throw std::invalid_argument(what); }
    // The beginning of a word, for a message of one line: what is no printable UTF-8 shows as question marks.
    static std::string quoted(std::string_view word) {
        std::string shown = "'";
        size_t i = 0;
        while (i < word.size() && i < 60) {
            const auto lead = static_cast<unsigned char>(word[i]);
            const size_t length = lead < 0xC2 || lead > 0xF4 ? 1 : size_t(utf8_length(lead));
            bool good = lead >= 0x20 && (lead < 0x7F || length > 1) && i + length <= word.size();
            for (size_t k = 1; good && k < length; ++k) good = (word[i + k] & 0xC0) == 0x80;
            if (good && lead == 0xED) good = static_cast<unsigned char>(word[i + 1]) < 0xA0;  // no surrogates
            if (good && lead == 0xE0) good = static_cast<unsigned char>(word[i + 1]) >= 0xA0;
            if (good && lead == 0xF0) good = static_cast<unsigned char>(word[i + 1]) >= 0x90;
            if (good && lead == 0xF4) good = static_cast<unsigned char>(word[i + 1]) < 0x90;
            if (good) shown.append(word.substr(i, length));
            else shown.push_back('?');
            i += good ? length : 1;
        }
        return shown + (i < word.size() ? "...'" : "'");
    }

    static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
    static std::vector<std::string_view> fields_of(std::string_view line) {
        std::vector<std::string_view> fields;
        for (size_t i = 0; i < line.size();) {
            if (blank(line[i])) {
                ++i;
                continue;
            }
            size_t end = i;
            while (end < line.size() && !blank(line[end])) ++end;
            fields.push_back(line.substr(i, end - i));
            i = end;
        }
        return fields;
    }
    static bool number(std::string_view text, double& value) {
        if (!text.empty() && text[0] == '+') text.remove_prefix(1);
        return real_number(text, value);
    }
    static bool whole(std::string_view text, uint64_t& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    }

    static VectorForm form_of(std::string_view source) {
        VectorForm form;
        const size_t first = source.substr(0, 1 << 20).find('\n');
        if (source.empty()) fail("the file is empty");
        if (first == std::string_view::npos) fail("line 1 does not end: this is no file of word vectors");
        const auto fields = fields_of(source.substr(0, first));
        uint64_t words = 0, dimension = 0;
        if (fields.size() == 2 && whole(fields[0], words) && whole(fields[1], dimension)) {
            if (dimension == 0 || dimension > 1000000)
                fail("line 1 says that vectors have " + std::string(fields[1]) + " numbers");
            form = {true, false, words, size_t(dimension), first + 1};
            form.binary = !numbers_follow(source.substr(first + 1), form.dimension);
            return form;
        }
        double value;
        size_t numbers = 0;
        while (numbers < fields.size() && number(fields[fields.size() - 1 - numbers], value)) ++numbers;
        if (numbers == fields.size() && numbers > 0) --numbers;  // the word may be a number itself
        if (numbers < 2) fail("line 1 is neither a line of sizes nor a word with its numbers: this is no file of word vectors");
        form.dimension = numbers;
        return form;
    }
    // Whether the first line behind the sizes is text: it ends in as many numbers as it should.
    static bool numbers_follow(std::string_view rest, size_t dimension) {
        const size_t end = rest.substr(0, 4096 + 64 * dimension).find('\n');
        const auto fields = fields_of(rest.substr(0, end));
        double value;
        if (fields.size() < 2) return false;
        // A wrong number of numbers is still text: read_text says what is wrong with it.
        for (size_t i = 1; i < fields.size(); ++i)
            if (!number(fields[i], value) && i + dimension >= fields.size()) return false;
        return true;
    }

    void read_text(std::string_view source) {
        uint64_t line = form_.sizes ? 1 : 0;
        for (size_t at = form_.begin; at < source.size();) {
            size_t end = source.find('\n', at);
            if (end == std::string_view::npos) end = source.size();
            ++line;
            poll();
            std::string_view text = source.substr(at, end - at);
            at = end + 1;
            while (!text.empty() && blank(text.back())) text.remove_suffix(1);
            if (text.empty()) {
                if (at >= source.size()) break;
                fail("line " + std::to_string(line) + " is empty");
            }
            read_line(text, line);
        }
        const uint64_t seen = offsets_.size() - 1 + repeated_;
        if (form_.sizes && seen != form_.words)
            fail("line 1 says " + std::to_string(form_.words) + " words, but there are " + std::to_string(seen) +
                 (seen < form_.words ? ": the file is cut off" : ""));
    }
    // Numbers stand at the end; what stands before them is the word, which may hold blanks (GloVe has some).
    void read_line(std::string_view text, uint64_t line) {
        const std::string where = "line " + std::to_string(line);
        std::string_view rest = text;
        size_t left = form_.dimension;
        while (left > 0) {
            size_t begin = rest.size();
            while (begin > 0 && !blank(rest[begin - 1])) --begin;
            double value;
            if (begin == 0 || !number(rest.substr(begin), value)) {
                if (begin == 0)
                    fail(where + " has " + std::to_string(form_.dimension - left) + " numbers, not " +
                         std::to_string(form_.dimension));
                fail(where + ": " + quoted(rest.substr(begin)) + " is no number (vectors have " +
                     std::to_string(form_.dimension) + ")");
            }
            row_[--left] = checked(value, [&] { return where + ", word " + quoted(fields_of(text)[0]); });
            while (begin > 0 && blank(rest[begin - 1])) --begin;
            rest = rest.substr(0, begin);
        }
        if (rest.empty()) fail(where + " has " + std::to_string(form_.dimension) + " numbers but no word");
        const size_t last = rest.find_last_of(" \t");
        double value;
        if (last != std::string_view::npos && number(rest.substr(last + 1), value)) {
            size_t more = 0;
            const auto fields = fields_of(rest);
            while (more + 1 < fields.size() && number(fields[fields.size() - 1 - more], value)) ++more;
            fail(where + ", word " + quoted(fields[0]) + ", has " + std::to_string(form_.dimension + more) + " numbers, not " +
                 std::to_string(form_.dimension));
        }
        add(rest);
    }

    void read_binary(std::string_view source) {
        const size_t row_bytes = 4 * form_.dimension;
        size_t at = form_.begin;
        for (uint64_t i = 1; i <= form_.words; ++i) {
            poll();
            const std::string where = "word " + std::to_string(i) + " of " + std::to_string(form_.words);
            while (at < source.size() && source[at] == '\n') ++at;
            const size_t end = source.find(' ', at);
            if (at >= source.size()) fail("the file is cut off: it ends before " + where);
            if (end == std::string_view::npos || end - at > 10000)
                fail("no word can be found at byte " + std::to_string(at + 1) + ", " + where);
            const std::string_view word = source.substr(at, end - at);
            at = end + 1;
            if (source.size() - at < row_bytes)
                fail("the file is cut off: it ends inside the vector of " + where + ", " + quoted(word));
            std::memcpy(row_.data(), source.data() + at, row_bytes);
            for (const float value : row_) checked(value, [&] { return where + ", " + quoted(word); });
            at += row_bytes;
            add(word);
        }
        while (at < source.size() && (source[at] == '\n' || blank(source[at]))) ++at;
        if (at != source.size()) fail("there is more behind the last of " + std::to_string(form_.words) + " words");
    }

    template <class Where>
    static float checked(double value, Where&& where) {
        const float number = float(value);
        if (!std::isfinite(number)) fail(where() + ": a number is " + (std::isnan(value) ? "NaN" : "infinite"));
        return number;
    }

    // The first vector of a word counts, as in gensim.
    void add(std::string_view word) {
        if (2 * (offsets_.size() + 1) > slots_.size()) grow();
        const uint64_t hash = vector_hash(word);
        VectorSlot* slot = locate(hash, word);
        if (slot->next) {
            ++repeated_;
            return;
        }
        bytes_.append(word);
        *slot = {uint32_t(hash >> 32), uint32_t(offsets_.size())};
        offsets_.push_back(bytes_.size());
        store();
    }
    VectorSlot* locate(uint64_t hash, std::string_view word) {
        const uint64_t mask = slots_.size() - 1;
        for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
            VectorSlot& slot = slots_[i];
            if (slot.next == 0 || (slot.tag == uint32_t(hash >> 32) && kept(slot.next - 1) == word)) return &slot;
        }
    }
    std::string_view kept(size_t i) const {
        return std::string_view(bytes_).substr(offsets_[i], offsets_[i + 1] - offsets_[i]);
    }
    void grow() {
        if (offsets_.size() >= uint64_t(1) << 31) fail("more than 2^31 words");
        slots_.assign(std::max<size_t>(64, 2 * slots_.size()), {});
        for (size_t i = 0; i + 1 < offsets_.size(); ++i) {
            const uint64_t hash = vector_hash(kept(i));
            uint64_t place = hash & (slots_.size() - 1);
            while (slots_[place].next) place = (place + 1) & (slots_.size() - 1);
            slots_[place] = {uint32_t(hash >> 32), uint32_t(i + 1)};
        }
    }

    void store() {
        Factors factors{1, 0};
        double squares = 0;
        if (storage_ == Storage::float32) {
            for (const float x : row_) squares += double(x) * double(x);
            write(row_.data(), 4 * row_.size());
        } else if (storage_ == Storage::float16) {
            // Numbers are scaled so that the largest is near 1: halves have few digits far from there.
            const float largest = scale_of();
            factors.scale = largest;
            halves_.resize(row_.size());
            for (size_t i = 0; i < row_.size(); ++i) {
                halves_[i] = float_to_half(row_[i] / largest);
                const double x = double(half_to_float(halves_[i])) * double(largest);
                squares += x * x;
            }
            write(halves_.data(), 2 * halves_.size());
        } else {
            const float step = scale_of() / 127;
            factors.scale = step;
            bytes_row_.resize(row_.size());
            for (size_t i = 0; i < row_.size(); ++i) {
                bytes_row_[i] = int8_t(std::lround(row_[i] / step));
                const double x = double(bytes_row_[i]) * double(step);
                squares += x * x;
            }
            write(bytes_row_.data(), bytes_row_.size());
        }
        factors.inverse_norm = squares > 0 ? float(1 / std::sqrt(squares)) : 0;
        if (!std::isfinite(factors.inverse_norm)) factors.inverse_norm = 0;
        factors_.push_back(factors);
    }
    float scale_of() const {
        float largest = 0;
        for (const float x : row_) largest = std::max(largest, std::fabs(x));
        return largest > 1e-30f ? largest : 1;
    }

    void finish() {
        VectorHeader header{};
        header.storage = storage_;
        header.dimension = uint32_t(form_.dimension);
        header.words = offsets_.size() - 1;
        header.repeated = repeated_;
        header.slots = slots_.size();
        header.factors_at = aligned();
        write(factors_.data(), factors_.size() * sizeof(Factors));
        header.offsets_at = aligned();
        write(offsets_.data(), offsets_.size() * sizeof(uint64_t));
        header.bytes_at = aligned();
        write(bytes_.data(), bytes_.size());
        header.index_at = aligned();
        write(slots_.data(), slots_.size() * sizeof(VectorSlot));
        if (header.words == 0) fail("the file holds no words");
        if (std::fseek(file_.get(), 0, SEEK_SET) != 0) throw std::runtime_error("cannot write the table of vectors");
        write(&header, sizeof header);
        if (std::fflush(file_.get()) != 0) throw std::runtime_error("cannot write the table of vectors");
    }
    uint64_t aligned() {
        const char zeros[8] = {};
        write(zeros, (8 - written_ % 8) % 8);
        return written_;
    }
    void write(const void* data, size_t bytes) {
        if (bytes && std::fwrite(data, 1, bytes, file_.get()) != bytes)
            throw std::runtime_error("cannot write the table of vectors: is the disk full?");
        written_ += bytes;
    }

    Storage storage_;
    std::unique_ptr<std::FILE, Close> file_;
    uint64_t written_ = 0, repeated_ = 0;
    VectorForm form_;
    std::vector<float> row_;
    std::vector<uint16_t> halves_;
    std::vector<int8_t> bytes_row_;
    std::vector<Factors> factors_;
    std::vector<uint64_t> offsets_;
    std::string bytes_;
    std::vector<VectorSlot> slots_;
};

}  // namespace tertium
