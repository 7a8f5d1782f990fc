// SPDX-License-Identifier: Apache-2.0
#include "serve/calls.hpp"

#include "base/ascii.hpp"
#include "rest/service_xml.hpp"
#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/service_response.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t longest_document = 64 * 1024;

/// Refuses documents that could not be settings, before they are read.
std::string_view document_in(http_request const& r) {
    auto const type = header_of(r, "Content-Type");
    if (type && !starts_with_ignoring_case(*type, "application/xml") && !starts_with_ignoring_case(*type, "text/xml"))
        throw refused{415, "MediaTypeNotSupported",
                      "None of the provided media types are supported: send application/xml."};
    if (r.body.size() > longest_document) throw refused{400, "InvalidXmlDocument", "The document is too long."};
    return r.body;
}

template <class T> T read_as(result<T> r) {
    if (r) return *std::move(r);
    throw refused{400, "InvalidXmlDocument", "XML specified is not syntactically valid: " + r.error().details().reason};
}

http_response set_policies(call const& c) {
    auto const policies =
        c.request.body.empty() ? std::vector<access_policy>{} : read_as(read_access_policies(document_in(c.request)));
    execute(c, set_access_policies{c.what.table, policies});
    return bare(204);
}

http_response set_properties(call const& c) {
    c.allowed.require(action::set_settings, {});
    auto const properties = read_as(read_service_properties(document_in(c.request)));
    execute(c, set_service_properties{&properties});
    return bare(202);
}

http_response get_properties(call const& c) {
    c.allowed.require(action::get_settings, {});
    return in_xml(write_service_properties(execute(c, get_service_properties{}).service->properties));
}

/// A store without a copy of its own is read through both endpoints, so the second one is never behind.
service_statistics statistics_of(call const& c) {
    auto const r = c.asked.execute(get_service_statistics{}, c.options);
    if (r.ok()) return r.service->statistics;
    if (r.failure->code() != library_errc::unsupported) throw refusal_of(*r.failure);
    return {.status = replication_status::live, .last_sync = c.now};
}

http_response get_statistics(call const& c) {
    c.allowed.require(action::get_settings, {});
    if (!c.what.secondary)
        throw refused{400, "InvalidQueryParameterValue",
                      "Value for one of the query parameters specified in the request URI is invalid: the secondary "
                      "endpoint has statistics."};
    return in_xml(write_service_statistics(statistics_of(c)));
}

}  // namespace

http_response access_policies(call const& c) {
    c.allowed.require(action::policies, c.what.table);
    if (c.request.method == "PUT") return set_policies(c);
    if (c.request.method != "GET") refuse_method();
    return in_xml(write_access_policies(execute(c, get_access_policies{c.what.table}).service->policies));
}

http_response service_settings_or_statistics(call const& c) {
    auto const& q = c.what.query;
    auto const comp = q.text("comp");
    if (q.text("restype") != "service" || (comp != "properties" && comp != "stats"))
        throw refused{400, "InvalidQueryParameterValue", "Of the service there are properties and statistics."};
    if (c.request.method == "GET") return comp == "stats" ? get_statistics(c) : get_properties(c);
    if (c.request.method == "PUT" && comp == "properties") return set_properties(c);
    refuse_method();
}

}  // namespace tablemap::detail::serve
