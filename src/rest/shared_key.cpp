// SPDX-License-Identifier: Apache-2.0
#include "rest/shared_key.hpp"

#include "rest/url.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

std::string_view header(http_request const& r, std::string_view name) {
    auto const at = std::find_if(r.headers.begin(), r.headers.end(), [&](auto& h) { return h.first == name; });
    return at == r.headers.end() ? std::string_view{} : std::string_view{at->second};
}

void append_comp(std::string& out, std::string_view query) {
    while (!query.empty()) {
        auto const end = std::min(query.find('&'), query.size());
        auto const parameter = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        constexpr std::string_view comp = "comp=";
        if (!parameter.starts_with(comp)) continue;
        out.append("?").append(comp).append(percent_decoded(parameter.substr(comp.size())));
        return;
    }
}

class authorizer {
public:
    authorizer(http_request& m, std::string_view a) : message_(m), account_(a) {}

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
        auto const signature = key.sign(string_to_sign(message_, account_, form));
        auto& value = message_.headers.emplace_back("Authorization", std::string{}).second;
        value.reserve(scheme.size() + account_.size() + 1 + signature.size());
        value.append(scheme).append(account_).append(":").append(signature);
    }

    http_request& message_;
    std::string_view account_;
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

void authorize(http_request& r, storage_account const& account) {
    if (account.credential) std::visit(authorizer{r, account.name}, *account.credential);
}

}  // namespace tablemap::detail
