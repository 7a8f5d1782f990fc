// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ticks_text.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail::embedded {

/// A row as it is stored. The views live as long as the statement stands on it.
struct stored_row {
    std::string_view partition_key;  ///< as `from_stored_key` takes it
    std::string_view row_key;
    ticks stamp;
    std::string_view fragment;
};

/// The stamp of a row. Errors (thrown): `store_errc::corrupt`.
ticks checked_stamp(std::int64_t count);

/// Writes entities as the service answers them.
class entity_writer {
public:
    explicit entity_writer(std::span<std::string_view const> select) noexcept : select_(select) {}

    /// `time` is the text of the row's stamp.
    void append(std::string& out, stored_row const& row, ticks_text const& time) { append(out, row, time, select_); }
    void append_whole(std::string& out, stored_row const& row, ticks_text const& time) { append(out, row, time, {}); }

private:
    void append(std::string& out, stored_row const& row, ticks_text const& time,
                std::span<std::string_view const> select);

    std::span<std::string_view const> select_;
    std::string key_;
};

}  // namespace tablemap::detail::embedded
