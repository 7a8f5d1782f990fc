// SPDX-License-Identifier: Apache-2.0
#include "store/local_response.hpp"

#include <string>

namespace tablemap::inline v0_1::detail {

response not_sent(request const& r, std::error_code why) {
    return response::failed(error{
        why, {.reason = "nothing was sent", .action = std::string{action_of(r)}, .table = std::string{table_of(r)}}});
}

response response_of_throwing(request const& r, std::string_view who) noexcept {
    return response::failed(error{library_errc::response_lost,
                                  {.reason = std::string{who} + " threw an exception",
                                   .action = std::string{action_of(r)},
                                   .table = std::string{table_of(r)},
                                   .outcome = is_write(r) ? outcome::in_doubt : outcome::not_applied}});
}

}  // namespace tablemap::detail
