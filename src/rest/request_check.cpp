// SPDX-License-Identifier: Apache-2.0
#include "rest/request_check.hpp"

#include "tablemap/store/request_check.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

namespace tablemap::inline v0_1::detail {
namespace {

using checked = result<void>;

/// A copy of an account marks its continuations with a control character, which no service gives.
checked check_continuation(std::string_view from) {
    bool const marked =
        std::any_of(from.begin(), from.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (!marked) return {};
    return fail(library_errc::invalid_cursor,
                {.reason = "it was given by the account's secondary endpoint, which this store does not know: give "
                           "TableSecondaryEndpoint, or begin the query anew"});
}

/// Etags are opaque, but nothing that is not of the service's form may get into a header.
bool is_fit_for_header(std::string_view etag) noexcept {
    return etag.empty() || etag == any_etag ||
           (etag.size() >= 4 && std::all_of(etag.begin(), etag.end(), [](char c) { return c > ' ' && c < 0x7F; }));
}

checked check_text(write_operation const& o) {
    if (!is_fit_for_header(o.if_match))
        return fail(service_errc::invalid_input, {.reason = "the etag is none that the service gives"});
    // Or it could end its part of a batch. Two searches for one character are fast; one for two characters is not.
    if (o.body.find('\n') != std::string_view::npos || o.body.find('\r') != std::string_view::npos)
        return fail(service_errc::invalid_input, {.reason = "the body must be one line"});
    return {};
}

struct checker {
    template <class Request> checked operator()(Request const&) const { return {}; }
    checked operator()(list_tables const& q) const { return check_continuation(q.from); }
    checked operator()(query_page const& q) const {
        return q.from ? check_continuation(q.from->partition_key) : checked{};
    }
    checked operator()(write_entity const& w) const { return check_text(w.operation); }
    checked operator()(transact const& t) const {
        for (std::size_t i = 0; i < t.operations.size(); ++i)
            if (auto const r = check_text(t.operations[i]); !r) {
                auto details = r.error().details();
                details.failed_index = i;
                return fail(r.error().code(), std::move(details));
            }
        return {};
    }
};

}  // namespace

result<void> check_request(request const& r) {
    if (auto checked = tablemap::check_request(r); !checked) return checked;
    return std::visit(checker{}, r);
}

}  // namespace tablemap::detail
