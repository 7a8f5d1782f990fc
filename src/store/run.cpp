// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/run.hpp"

namespace tablemap::detail {

response not_sent(request const& r, std::error_code why) {
    return response::failed(error{
        why, {.reason = "nothing was sent", .action = std::string{action_of(r)}, .table = std::string{table_of(r)}}});
}

}  // namespace tablemap::detail
