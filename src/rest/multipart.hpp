// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

/// Group transactions: the responses inside a response, and what requests inside a request are read with, too.
namespace tablemap::inline v0_1::detail {

using header_views = std::vector<std::pair<std::string_view, std::string_view>>;

/// The next line without its end, taken off the front.
std::string_view take_line(std::string_view& text) noexcept;

/// Takes the lines of headers off the front, up to a blank line, which goes with them, or up to a body that begins
/// without one.
std::string_view take_head(std::string_view& text) noexcept;

/// The headers of a head, 100 at most. Lines without a colon are left out.
header_views headers_in(std::string_view head);

/// The first header of this name, whatever its case.
std::optional<std::string_view> header_in(std::string_view head, std::string_view name) noexcept;

/// The boundary that a Content-Type names, perhaps in quotes; empty if there is none.
std::string_view boundary_in(std::string_view content_type) noexcept;

/// The first `most` texts between delimiters, including the one behind the last delimiter if that is not the end's.
std::vector<std::string_view> split_parts(std::string_view text, std::string_view boundary, std::size_t most);

/// The Content-ID that the operation at this position of a group carries. The emulator counts from 1, too.
constexpr std::size_t content_id_of(std::size_t position) noexcept { return position + 1; }

/// One response of a batch. Views into the text that was read.
struct batch_part {
    int status = 0;
    std::string_view head{};  ///< the lines of its headers
    std::string_view body{};
};

/// Reads the parts, in order, of all change sets, `most` of them at most: a response may hold millions. `content_type`
/// is the header of the whole response and names the boundary; without one the first delimiter line does.
///
/// Lines may end in LF or CRLF, also mixed; the last delimiter, the preamble and the blank line before a JSON body
/// may be missing; stray lines before a status line are skipped. A part without a status line is left out: count the
/// parts.
std::vector<batch_part> read_batch(std::string_view content_type, std::string_view body, std::size_t most);

}  // namespace tablemap::detail
