// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <span>

/// Refusal of rows that were not requested: a store, or a server in front of it, may send others. They are refused
/// before they are used.
namespace tablemap::inline v0_1::detail {

/// Makes a failure of every response with other rows than were requested: of point reads, and of pages that a write
/// depends on (`query_page::current`). Other pages are checked as their rows are decoded. The responses are those to
/// the requests, in their order. Errors: `library_errc::malformed_response`.
void refuse_other_rows(std::span<request const> asked, std::span<response> answers);

}  // namespace tablemap::detail
