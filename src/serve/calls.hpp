// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"
#include "serve/metadata.hpp"
#include "serve/refused.hpp"
#include "serve/rights.hpp"
#include "serve/row_write.hpp"
#include "serve/target.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/store/store.hpp"

#include <span>
#include <string>
#include <string_view>

/// The calls of the service, each from an admitted request to its response.
namespace tablemap::inline v0_1::detail::serve {

/// An admitted request and its surroundings. Borrows.
struct call {
    store& asked;
    http_request const& request;
    target const& what;
    rights const& allowed;
    incoming const& outer;  ///< the request as it came; that of a batch holds others
    std::string_view account;
    call_options const& options;
    ticks now;
};

/// Carries out a request, and returns a response that was good. Throws otherwise.
response execute(call const& c, request const& r);

/// A frame of responses in JSON about the call's table.
json_frame frame_of(call const& c, metadata level, std::span<std::string_view const> select = {});

/// A response without a body, with the headers that the service's own have.
http_response bare(int status);
http_response in_json(int status, metadata level, std::string body);
http_response in_xml(std::string body);

http_response list_or_create_tables(call const& c);
http_response read_or_delete_table(call const& c);
http_response read_row(call const& c);
http_response query_rows(call const& c);
http_response write_row(call const& c);
http_response run_batch(call const& c);
http_response access_policies(call const& c);
http_response service_settings_or_statistics(call const& c);

/// Checks that a write is allowed, before anything is asked of the store.
void require_write(rights const& allowed, row_write const& w);

/// The response to a write that was carried out and left this etag.
http_response written(call const& c, row_write const& w, etag const& left);

}  // namespace tablemap::detail::serve
