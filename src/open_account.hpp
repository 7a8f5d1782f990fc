// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/open.hpp"

namespace tablemap::inline v0_1::detail {

/// The store of an account, which two sources define: one with the remote stores, one for builds without them.
result<store_ptr> open_account(std::string_view connection_string, open_options options);

/// A store with the observer, if there is one.
result<store_ptr> watched(result<store_ptr> opened, std::shared_ptr<observer> const& by);

/// True if both connection strings name the tables of one account.
bool is_same_account(std::string_view a, std::string_view b);

}  // namespace tablemap::detail
