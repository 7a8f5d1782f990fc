// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"
#include "tablemap/edm/service_properties.hpp"

#include <span>

/// The rules for web pages of other origins.
namespace tablemap::inline v0_1::detail::serve {

/// The response to a preflight request, with which a browser asks what a page may send. Refuses one that no rule
/// allows. The first rule that matches decides.
http_response answer_preflight(std::span<cors_rule const> rules, http_request const& r);

/// True if a rule lets the page that a request comes from send it.
bool allows_page(std::span<cors_rule const> rules, http_request const& r);

/// Adds the headers without which a browser shows the response to no page.
void append_cors_headers(http_response& to, std::span<cors_rule const> rules, http_request const& r);

}  // namespace tablemap::detail::serve
