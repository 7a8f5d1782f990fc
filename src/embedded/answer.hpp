// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ticks_text.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail::embedded {

/// A row of the file. The views are valid until its statement takes the next step.
struct stored_row {
    std::string_view partition_key;  ///< both keys as the caller wrote them
    std::string_view row_key;
    ticks stamp;
    std::string_view fragment;
};

/// The stamp of a row. Errors (thrown): `store_errc::corrupt`.
ticks checked_stamp(std::int64_t count);

/// Appends rows with the properties that are selected, all if nothing is, to the body of a response.
class row_writer {
public:
    explicit row_writer(std::span<std::string_view const> select) noexcept : select_(select) {}

    /// Appends the JSON that the service answers. `time` is the text of the row's stamp.
    void append(std::string& out, stored_row const& row, ticks_text const& time) const;

    /// Appends a packed row; `begin_packed` comes before the first one.
    void append_packed(std::string& out, stored_row const& row) const;

private:
    void append_properties(std::string& out, std::string_view fragment) const;

    std::span<std::string_view const> select_;
};

}  // namespace tablemap::detail::embedded
