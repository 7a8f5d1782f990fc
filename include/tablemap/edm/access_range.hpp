// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {

/// The entities of a table that a shared access signature is for, from the first to the last in the order of both keys,
/// ends included. Ends that are not set are open; a row key needs the partition key beside it.
struct access_range {
    std::optional<std::string> first_partition{};
    std::optional<std::string> first_row{};
    std::optional<std::string> last_partition{};
    std::optional<std::string> last_row{};

    /// One whole partition.
    static access_range partition(std::string key) {
        access_range r;
        r.first_partition = key;
        r.last_partition = std::move(key);
        return r;
    }

    friend bool operator==(access_range const&, access_range const&) = default;
};

/// Checks the ends of a range.
///
/// \return nothing, or error `library_errc::invalid_access_signature` with the end as `member()`: for a text that is no
/// key, or an empty one that the service would take for an open end; for a row key without a partition key; for a last
/// key before the first
result<void> check_access_range(access_range const& r);

}  // namespace tablemap
