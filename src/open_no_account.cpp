// SPDX-License-Identifier: Apache-2.0
#include "open_account.hpp"

namespace tablemap::inline v0_1::detail {

result<store_ptr> open_account(std::string_view, open_options) {
    return fail(library_errc::unsupported,
                {.reason = "tablemap was built without remote stores: build it with TABLEMAP_REMOTE=ON, or open "
                           "\"embedded:hr.db\" or \"embedded::memory:\"",
                 .action = "open"});
}

bool is_same_account(std::string_view, std::string_view) { return false; }

}  // namespace tablemap::detail
