// SPDX-License-Identifier: Apache-2.0
#include "rest/shared_key.hpp"

#include "base/ascii.hpp"
#include "rest/url.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {
namespace {

std::string_view header(http_request const& r, std::string_view name) {
    auto const at = std::find_if(r.headers.begin(), r.headers.end(), [&](auto& h) { return h.first == name; });
    return at == r.headers.end() ? std::string_view{} : std::string_view{at->second};
}

void append_comp(std::string& out, std::string_view query) {
    while (!query.empty()) {
        auto const parameter = take_field(query, '&');
        constexpr std::string_view comp = "comp=";
        if (!parameter.starts_with(comp)) continue;
        out.append("?").append(comp).append(percent_decoded(parameter.substr(comp.size())));
        return;
    }
}

// --- queues and blobs ------------------------------------------------------------------------------------------------

/// `name:value` of every header of the service, in order of their names. A server sees no blanks around a value.
void append_service_headers(std::string& out, http_request const& r) {
    std::vector<std::pair<std::string, std::string_view>> own;
    for (auto const& [name, value] : r.headers)
        if (starts_with_ignoring_case(name, "x-ms-")) own.emplace_back(lower_case(name), value);
    std::sort(own.begin(), own.end());
    for (auto const& [name, value] : own) out.append(name).append(":").append(trimmed(value)).append("\n");
}

/// Each parameter as `\nname:value`, decoded. No request of ours gives a parameter twice.
void append_parameters(std::string& out, std::string_view query) {
    std::vector<std::pair<std::string, std::string>> all;
    while (!query.empty()) {
        auto value = take_field(query, '&');
        auto const name = take_field(value, '=');
        all.emplace_back(lower_case(name), percent_decoded(value));
    }
    std::sort(all.begin(), all.end());
    for (auto const& [name, value] : all) out.append("\n").append(name).append(":").append(value);
}

// --- all -------------------------------------------------------------------------------------------------------------

class authorizer {
public:
    authorizer(http_request& m, std::string_view a, signed_service s) : message_(m), account_(a), service_(s) {}

    void operator()(shared_key_credential const& c) const { sign(c.key, "SharedKey ", shared_key_form::full); }
    void operator()(shared_key_lite_credential const& c) const { sign(c.key, "SharedKeyLite ", shared_key_form::lite); }

    void operator()(sas_credential const& c) const {
        auto& target = message_.target;
        target += target.find('?') == std::string::npos ? '?' : '&';
        target += sas_query(c.token);
    }

    void operator()(token_credential const&) const {}

private:
    void sign(account_key const& key, std::string_view scheme, shared_key_form form) const {
        auto const signature =
            key.sign(service_ == signed_service::tables ? string_to_sign(message_, account_, form)
                                                        : string_to_sign_for_blobs(message_, account_, form));
        auto& value = message_.headers.emplace_back("Authorization", std::string{}).second;
        value.reserve(scheme.size() + account_.size() + 1 + signature.size());
        value.append(scheme).append(account_).append(":").append(signature);
    }

    http_request& message_;
    std::string_view account_;
    signed_service service_;
};

}  // namespace

std::string string_to_sign(http_request const& r, std::string_view account, shared_key_form form) {
    auto const query_at = std::min(r.target.find('?'), r.target.size());
    std::string text;
    text.reserve(160 + r.target.size());
    if (form == shared_key_form::full) {
        text.append(r.method).append("\n").append(header(r, "Content-MD5"));
        text.append("\n").append(header(r, "Content-Type")).append("\n");
    }
    text.append(header(r, "x-ms-date")).append("\n/").append(account).append(r.target, 0, query_at);
    if (query_at < r.target.size()) append_comp(text, std::string_view{r.target}.substr(query_at + 1));
    return text;
}

std::string string_to_sign_for_blobs(http_request const& r, std::string_view account, shared_key_form form) {
    auto const query_at = std::min(r.target.find('?'), r.target.size());
    auto const query = query_at < r.target.size() ? std::string_view{r.target}.substr(query_at + 1) : "";
    std::string text;
    text.reserve(320 + r.target.size());
    auto line = [&](std::string_view value) { text.append(value).append("\n"); };
    line(r.method);
    if (form == shared_key_form::lite) {
        for (auto const* name : {"Content-MD5", "Content-Type", "Date"}) line(header(r, name));
    } else {
        line(header(r, "Content-Encoding"));
        line(header(r, "Content-Language"));
        line(r.body.empty() ? "" : std::to_string(r.body.size()));
        for (auto const* name : {"Content-MD5", "Content-Type", "Date", "If-Modified-Since", "If-Match",
                                 "If-None-Match", "If-Unmodified-Since", "Range"})
            line(header(r, name));
    }
    append_service_headers(text, r);
    text.append("/").append(account).append(r.target, 0, query_at);
    if (form == shared_key_form::full)
        append_parameters(text, query);
    else
        append_comp(text, query);
    return text;
}

void authorize(http_request& r, storage_account const& account, signed_service service) {
    if (account.credential) std::visit(authorizer{r, account.name, service}, *account.credential);
}

}  // namespace tablemap::detail
