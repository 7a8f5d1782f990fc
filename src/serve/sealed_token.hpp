// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_range.hpp"
#include "tablemap/rest/credential.hpp"

#include <string>
#include <string_view>

/// Continuations for callers who may read a range of keys only. A store goes on at the row behind a page, whose key may
/// be one that they must not learn; and they must not choose a row themselves.
namespace tablemap::inline v0_1::detail::serve {

/// The secret for the continuations of a table, in lower case, within a range.
std::string secret_of_places(account_key const& key, std::string_view table, access_range const& range);

/// A text that only the server reads, in the form of a header and of a part of a URL, and back. Refuses texts that were
/// not made so, or not for the same use. Its length tells that of the text in steps only.
std::string sealed_token(std::string_view text, std::string_view use, std::string_view secret);
std::string opened_token(std::string_view token, std::string_view use, std::string_view secret);

/// The uses of tokens: a partition key, and a row key that goes with one.
std::string use_for_partition();
std::string use_for_row_in(std::string_view partition_key);

}  // namespace tablemap::detail::serve
