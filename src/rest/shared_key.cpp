// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/shared_key.hpp"

#include "tablemap/crypto/hmac.hpp"
#include "tablemap/rest/url.hpp"

#include <algorithm>

namespace tablemap::detail {
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

}  // namespace

std::string string_to_sign(http_request const& r, std::string_view account) {
    auto const query_at = std::min(r.target.find('?'), r.target.size());
    std::string text;
    text.reserve(160 + r.target.size());
    text += r.method;
    for (auto const* name : {"Content-MD5", "Content-Type", "x-ms-date"}) text.append("\n").append(header(r, name));
    text.append("\n/").append(account).append(r.target, 0, query_at);
    if (query_at < r.target.size()) append_comp(text, std::string_view{r.target}.substr(query_at + 1));
    return text;
}

void sign_shared_key(http_request& r, storage_account const& account) {
    auto const text = string_to_sign(r, account.name);
    auto const signature = hmac_sha256(account.key, std::as_bytes(std::span{text}));
    std::string value = "SharedKey " + account.name + ":";
    append_base64(value, signature);
    r.headers.emplace_back("Authorization", std::move(value));
}

}  // namespace tablemap::detail
