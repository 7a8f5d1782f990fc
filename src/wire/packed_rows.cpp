// SPDX-License-Identifier: Apache-2.0
#include "wire/packed_rows.hpp"

#include "tablemap/detail/base/utf.hpp"

#include <cstdint>
#include <cstring>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char mark = '\x01';
constexpr std::size_t head_size = sizeof mark + sizeof(std::uint64_t);

/// The beginning of a row. Nobody but this process reads it, so the machine's order of bytes will do.
struct row_frame {
    std::int64_t stamp;
    std::uint64_t properties_size;
    std::uint32_t partition_key_size, row_key_size;
};

row_frame frame_at(char const* place) noexcept {
    row_frame f;
    std::memcpy(&f, place, sizeof f);
    return f;
}

std::uint64_t bytes_of_keys(row_frame const& f) noexcept {
    return std::uint64_t{f.partition_key_size} + f.row_key_size;
}

}  // namespace

bool are_packed(std::string_view body) noexcept { return body.starts_with(mark); }

void begin_packed(std::string& out) {
    out.assign(head_size, '\0');
    out[0] = mark;
}

void end_packed(std::string& out) {
    std::uint64_t const size = out.size();
    std::memcpy(out.data() + sizeof mark, &size, sizeof size);
}

std::size_t begin_packed_row(std::string& out, row_heading const& heading) {
    auto const at = out.size();
    row_frame const f{heading.stamp.count(), 0, static_cast<std::uint32_t>(heading.partition_key.size()),
                      static_cast<std::uint32_t>(heading.row_key.size())};
    out.append(reinterpret_cast<char const*>(&f), sizeof f).append(heading.partition_key).append(heading.row_key);
    return at;
}

void end_packed_row(std::string& out, std::size_t at) {
    auto f = frame_at(out.data() + at);
    f.properties_size = out.size() - at - sizeof f - bytes_of_keys(f);
    std::memcpy(out.data() + at, &f, sizeof f);
    out += '\0';
}

packed_reader::packed_reader(std::string_view body) noexcept {
    std::uint64_t size = 0;
    if (body.size() >= head_size) std::memcpy(&size, body.data() + sizeof mark, sizeof size);
    // Of a text that was cut off a byte is left, which is no row.
    left_ = size == body.size() ? body.substr(head_size) : body.substr(0, 1);
}

std::string_view packed_reader::take(std::size_t size) noexcept {
    auto const text = left_.substr(0, size);
    left_.remove_prefix(size);
    return text;
}

std::optional<packed_row> packed_reader::next() noexcept {
    if (left_.size() < sizeof(row_frame)) return std::nullopt;
    auto const f = frame_at(take(sizeof(row_frame)).data());
    auto const keys = bytes_of_keys(f);
    if (left_.size() <= keys || left_.size() - keys <= f.properties_size) return std::nullopt;
    if (left_[keys + f.properties_size] != '\0') return std::nullopt;
    auto const both_keys = left_.substr(0, keys);
    packed_row row{};
    row.heading.partition_key = take(f.partition_key_size);
    row.heading.row_key = take(f.row_key_size);
    row.heading.stamp = ticks{f.stamp};
    row.properties = take(f.properties_size);
    take(1);
    bool const is_text =
        is_ascii(both_keys) || (utf16_length(row.heading.partition_key) && utf16_length(row.heading.row_key));
    return is_text && row.heading.stamp.storable() ? std::optional{row} : std::nullopt;
}

}  // namespace tablemap::detail
