// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/query/cursor.hpp"

#include "tablemap/base/bytes.hpp"

#include <algorithm>
#include <cstddef>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char version = '1';

enum flag : unsigned { ended = 1, has_page = 2, has_page_row = 4, has_row = 8, known = 15 };

class writer {
public:
    void number(std::uint64_t n, unsigned size) {
        for (unsigned i = size; i-- > 0;) bytes_.push_back(static_cast<std::byte>(n >> (8 * i)));
    }
    void text(std::string_view s) {
        number(s.size(), 4);
        for (char const c : s) bytes_.push_back(static_cast<std::byte>(c));
    }
    bytes const& written() const noexcept { return bytes_; }

private:
    bytes bytes_;
};

class reader {
public:
    explicit reader(bytes const& b) : bytes_(b) {}

    std::uint64_t number(unsigned size) {
        std::uint64_t n = 0;
        if (!has(size)) return 0;
        for (unsigned i = 0; i < size; ++i) n = n << 8U | std::to_integer<std::uint64_t>(bytes_[at_++]);
        return n;
    }
    std::string text() {
        auto const size = static_cast<std::size_t>(number(4));
        std::string s;
        if (!has(size)) return s;
        for (std::size_t i = 0; i < size; ++i) s += static_cast<char>(bytes_[at_++]);
        return s;
    }
    bool good() const noexcept { return good_; }
    bool at_end() const noexcept { return at_ == bytes_.size(); }

private:
    bool has(std::size_t size) noexcept {
        good_ = good_ && bytes_.size() - at_ >= size;
        return good_;
    }

    bytes const& bytes_;
    std::size_t at_ = 0;
    bool good_ = true;
};

failure no_cursor(char const* reason) { return fail(library_errc::invalid_cursor, {.reason = reason}); }

}  // namespace

query_hash& query_hash::add(std::string_view text) noexcept {
    constexpr std::uint64_t prime = 1099511628211U;
    for (char const c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * prime;
    value_ = (value_ ^ 0xFFU) * prime;  // no UTF-8 text holds this byte
    return *this;
}

std::string write_cursor(std::uint64_t query, std::vector<cursor_range> const& ranges) {
    writer out;
    out.number(query, 8);
    for (auto const& l : ranges) {
        out.number((l.ended ? ended : 0U) | (l.page ? has_page : 0U) | (l.page && l.page->row_key ? has_page_row : 0U) |
                       (l.partition_key ? has_row : 0U),
                   1);
        if (l.page) out.text(l.page->partition_key);
        if (l.page && l.page->row_key) out.text(*l.page->row_key);
        if (l.partition_key) out.text(*l.partition_key), out.text(l.row_key);
    }
    std::string text{version};
    append_base64(text, out.written());
    while (text.ends_with('=')) text.pop_back();
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

result<std::vector<cursor_range>> read_cursor(std::string_view text, std::uint64_t query, std::size_t ranges) {
    if (!text.starts_with(version)) return no_cursor("the text is no cursor, or one of a later version of tablemap");
    std::string base64{text.substr(1)};
    std::replace(base64.begin(), base64.end(), '-', '+');
    std::replace(base64.begin(), base64.end(), '_', '/');
    while (base64.size() % 4 != 0) base64 += '=';
    bytes raw;
    if (!parse_base64(base64, raw)) return no_cursor("the text is no cursor");
    reader in{raw};
    if (in.number(8) != query || !in.good())
        return no_cursor("it was made by another query; go on with the same table, partition, range and filter");
    std::vector<cursor_range> read;
    for (std::size_t i = 0; i < ranges; ++i) {
        auto const flags = static_cast<unsigned>(in.number(1));
        auto& l = read.emplace_back();
        l.ended = (flags & ended) != 0;
        if ((flags & has_page) != 0) l.page.emplace().partition_key = in.text();
        if ((flags & has_page_row) != 0 && l.page) l.page->row_key = in.text();
        if ((flags & has_row) != 0) {
            l.partition_key = in.text();
            l.row_key = in.text();
        }
        if (flags > known || !in.good()) return no_cursor("the text is damaged");
    }
    // There is one text for each cursor, so that cursors can be compared as texts.
    if (!in.at_end() || write_cursor(query, read) != text) return no_cursor("the text is damaged");
    return read;
}

}  // namespace tablemap::detail
