// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/patterns/log_options.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// Lines that are appended together: the bytes of one append, whole lines of one period.
struct log_block {
    ticks period{};
    std::string bytes{};
    std::size_t lines = 0;

    /// An append of these bytes may have been carried out, or may be so later. Until that is settled, only the same
    /// bytes may be sent again, at the same place.
    bool in_doubt = false;

    /// The refusal of its append because the file has another size. The bytes in its place tell whether the append was
    /// carried out before: something on the way may have sent it twice.
    std::optional<error> refusal{};
};

/// The lines of a writer that are not known to be stored, in order.
class log_buffer {
public:
    /// A block has at most so many bytes, unless one line is longer.
    log_buffer(std::size_t most, std::uint64_t most_of_block) noexcept;

    bool empty() const noexcept { return blocks_.empty(); }
    std::size_t bytes() const noexcept { return bytes_; }
    std::size_t lines() const noexcept { return lines_; }

    /// The most bytes of one line, with its line break.
    std::size_t longest_line() const noexcept;
    bool has_room_for(std::size_t bytes) const noexcept { return bytes <= most_ - bytes_; }

    /// Precondition: there is room, and the period is not before that of the line before.
    void add(ticks period, std::string_view line_with_break);

    log_block& front() noexcept { return blocks_.front(); }
    log_block const& front() const noexcept { return blocks_.front(); }
    void pop();

    /// The bytes of all lines, in order.
    std::string text() const;
    std::size_t bytes_in_doubt() const noexcept;

private:
    bool needs_block(ticks period, std::size_t bytes) const noexcept;

    std::deque<log_block> blocks_{};
    std::size_t most_;
    std::size_t most_of_block_;
    std::size_t bytes_ = 0;
    std::size_t lines_ = 0;
};

/// A line as a file holds it, with its line break. Errors: `service_errc::invalid_input` for a line break within it.
result<std::string> stored_line(std::string_view line, line_breaks breaks);

/// The line of what lies before a line break in a file. A backslash that begins no escape stands for itself.
std::string line_of_stored(std::string_view stored, line_breaks breaks);

}  // namespace tablemap::detail
