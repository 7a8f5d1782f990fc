// SPDX-License-Identifier: Apache-2.0
#include "serve/table_service.hpp"

#include "rest/http_date.hpp"
#include "serve/calls.hpp"
#include "serve/cors.hpp"
#include "serve/page_call.hpp"
#include "serve/page_guard.hpp"
#include "serve/parameter_values.hpp"
#include "tablemap/store/clock.hpp"
#include "tablemap/store/request_check.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::string_view served_version = "2019-02-02";
constexpr std::size_t longest_request_id = 1024;

bool is_in_xml(incoming const& in) {
    auto const target = std::string_view{in.message.target};
    return target.find("comp=") != std::string_view::npos;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (char const c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else
            out += c;
    }
    return out;
}

std::string error_xml(std::string_view code, std::string_view message) {
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error "
           "xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:code>" +
           escaped(code) + "</m:code><m:message xml:lang=\"en-US\">" + escaped(message) + "</m:message></m:error>";
}

/// A version is a day, such as 2019-02-02. Each is answered by the same one.
void check_version(http_request const& r) {
    auto const version = header_of(r, "x-ms-version");
    if (version && (version->size() != served_version.size() || !ticks::parse(*version)))
        throw refused{400, "InvalidHeaderValue",
                      "The value for one of the HTTP headers is not in the correct format: x-ms-version is a day such "
                      "as 2019-02-02."};
}

http_response answer_for(refused const& r, incoming const& in, std::string const& id, ticks now) {
    auto const message = std::string{r.what()} + "\nRequestId:" + id + "\nTime:" + now.text();
    auto answer = is_in_xml(in) ? in_xml(error_xml(r.code(), message))
                                : in_json(r.status(), metadata::minimal, error_json(r.code(), message));
    answer.status = r.status();
    answer.headers.emplace_back("x-ms-error-code", r.code());
    if (r.status() == 401) answer.headers.emplace_back("WWW-Authenticate", "SharedKey");
    if (r.status() == 405) answer.headers.emplace_back("Allow", "DELETE, GET, MERGE, OPTIONS, PATCH, POST, PUT");
    return answer;
}

/// Appends the headers that every response has.
void append_usual_headers(http_response& answer, incoming const& in, std::string const& id, ticks now) {
    answer.headers.emplace_back("x-ms-request-id", id);
    answer.headers.emplace_back("x-ms-version", served_version);
    answer.headers.emplace_back("Server", "tablemap");
    append_http_date(answer.headers.emplace_back("Date", "").second, now);
    auto const own = header_of(in.message, "x-ms-client-request-id");
    if (own && own->size() <= longest_request_id) answer.headers.emplace_back("x-ms-client-request-id", *own);
}

/// Why there are none may hold paths of files, and whoever sent the request need not have signed it.
std::vector<cors_rule> const& given(account_rules::rules const& rules) {
    if (!rules) throw refused{503, "ServerBusy", "The CORS rules of the account cannot be read now."};
    return *rules;
}

http_response carried_out(call const& c) {
    bool const reads = c.request.method == "GET";
    if (c.what.secondary && !reads)
        throw refused{403, "WriteOperationNotSupportedOnSecondary",
                      "Write operations are not allowed on the secondary."};
    bool const has_comp = c.what.query.find("comp").has_value();
    switch (c.what.what) {
    case resource::service: return service_settings_or_statistics(c);
    case resource::tables: return list_or_create_tables(c);
    case resource::table: return read_or_delete_table(c);
    case resource::batch: return run_batch(c);
    case resource::row: return reads ? read_row(c) : write_row(c);
    case resource::rows: break;
    }
    if (has_comp && c.what.query.text("comp") == "acl") return access_policies(c);
    if (has_comp) throw refused{400, "InvalidQueryParameterValue", "Of a table there is comp=acl."};
    return reads ? query_rows(c) : write_row(c);
}

}  // namespace

// --- responses -------------------------------------------------------------------------------------------------------

http_response bare(int status) {
    return {.status = status, .headers = {{"Cache-Control", "no-cache"}, {"X-Content-Type-Options", "nosniff"}}};
}

http_response in_json(int status, metadata level, std::string body) {
    auto r = bare(status);
    r.headers.emplace_back("Content-Type", content_type_of(level));
    r.body = std::move(body);
    return r;
}

http_response in_xml(std::string body) {
    return {.status = 200, .headers = {{"Content-Type", "application/xml"}}, .body = std::move(body)};
}

json_frame frame_of(call const& c, metadata level, std::span<std::string_view const> select) {
    return {.level = level, .base = c.what.base, .account = c.account, .table = c.what.table, .select = select};
}

response execute(call const& c, request const& r) {
    if (auto const checked = check_request(r); !checked) throw refusal_of(checked.error());
    auto answer = c.asked.execute(r, c.options);
    if (answer.failure) throw is_write(r) ? refusal_of_write(*answer.failure) : refusal_of(*answer.failure);
    return answer;
}

// --- the service -----------------------------------------------------------------------------------------------------

table_service::table_service(store_ptr s, service_settings settings)
    : store_(std::move(s)),
      settings_(std::move(settings)),
      gate_(settings_.account, settings_.key, settings_.now, store_, settings_.longest_request),
      rules_(store_) {}

/// The response that a function makes, or one that tells why there is none.
template <class Make> http_response table_service::answered(incoming const& in, Make make) const {
    auto const now = settings_.now();
    auto const id = random_guid(clock::system()).text();
    auto const rules = rules_for(in);
    auto answer = [&] {
        try {
            return make(now, rules);
        } catch (refused const& r) {
            return answer_for(r, in, id, now);
        } catch (error const& e) {
            return answer_for(refusal_of(e), in, id, now);
        } catch (std::bad_alloc const&) {
            return answer_for({500, "TableServerOutOfMemory", "Memory ran out."}, in, id, now);
        } catch (...) {
            return answer_for({500, "InternalError", "The server met an unexpected fault."}, in, id, now);
        }
    }();
    append_usual_headers(answer, in, id, now);
    append_cors(answer, in, rules);
    return answer;
}

bool table_service::is_of_pages(incoming const& in) const noexcept { return settings_.pages && is_for_pages(in); }

bool table_service::is_immediate(incoming const& in) const noexcept try {
    if (!store_->capabilities().immediate || is_of_pages(in)) return false;
    auto const what = read_target(in, settings_.account).what;
    return what == resource::row || (what == resource::rows && in.message.method == "POST");
} catch (...) {
    return false;
}

http_response table_service::page_for(incoming const& in) const {
    auto answer = settings_.pages(in.message);
    append_page_headers(answer);
    return answer;
}

http_response table_service::handle(incoming const& in) const {
    return answered(in, [&](ticks now, account_rules::rules const& rules) {
        return is_of_pages(in) ? page_for(in) : carry_out(in, now, rules);
    });
}

http_response table_service::carry_out(incoming const& in, ticks now, account_rules::rules const& rules) const {
    check_page(in, rules);
    auto const t = read_target(in, settings_.account);
    if (in.message.method == "OPTIONS") return answer_preflight(given(rules), in.message);
    auto const allowed = gate_.admit(in, t);
    check_version(in.message);
    auto limit = settings_.longest_request;
    if (auto const seconds = number_in(t.query, "timeout"); seconds && *seconds > 0 && *seconds < 3600)
        limit = std::min(limit, std::chrono::milliseconds{std::chrono::seconds{*seconds}});
    call_options const options{.deadline = within(limit)};
    auto answer = carried_out({*store_, in.message, t, allowed, in, settings_.account, options, now});
    if (t.what == resource::service && in.message.method != "GET") rules_.forget();
    return answer;
}

/// A signature is no proof if everybody knows the key, and a browser on this machine is not stopped by the address.
void table_service::check_page(incoming const& in, account_rules::rules const& rules) const {
    if (!settings_.local) return;
    check_host(in.message);
    if (in.message.method == "OPTIONS" || !is_of_other_site(in) || allows_page(given(rules), in.message)) return;
    refuse_authorization("AuthorizationFailure",
                         "a web page of another origin sends it, and no CORS rule of the account allows that.");
}

/// The rules if a request needs them, and if there are any. They are read before the request is carried out, so that a
/// failure then hides no outcome.
account_rules::rules table_service::rules_for(incoming const& in) const noexcept try {
    if (is_of_pages(in)) return nullptr;
    bool const needs =
        in.message.method == "OPTIONS" || header_of(in.message, "Origin") || (settings_.local && is_of_other_site(in));
    return needs ? rules_.get() : nullptr;
} catch (...) {
    return nullptr;
}

/// The request has been carried out. Without the rules its response goes to no page, and to all other clients.
void table_service::append_cors(http_response& answer, incoming const& in, account_rules::rules const& rules) const
    try {
    if (rules && in.message.method != "OPTIONS" && header_of(in.message, "Origin"))
        append_cors_headers(answer, *rules, in.message);
} catch (...) {
    return;
}

std::optional<http_response> table_service::refuse_early(incoming const& in) const {
    bool admitted = false;
    auto answer = answered(in, [&](ticks, account_rules::rules const& rules) {
        check_page(in, rules);
        gate_.admit(in, read_target(in, settings_.account));
        admitted = true;
        return bare(204);
    });
    return admitted ? std::nullopt : std::optional{std::move(answer)};
}

}  // namespace tablemap::detail::serve
