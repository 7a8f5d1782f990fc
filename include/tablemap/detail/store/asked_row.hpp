// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <span>

/// A store, or what stands before it, may answer with rows that nobody asked for. They are refused before anything is made of them.
namespace tablemap::detail {

/// Makes a failure of every answer with other rows than were asked for: of point reads, and of pages that a write depends on
/// (`query_page::current`). Other pages are checked as their rows are decoded. The answers are those to the requests, in their order.
/// Errors: `library_errc::malformed_answer`.
void refuse_other_rows(std::span<request const> asked, std::span<response> answers);

}  // namespace tablemap::detail
