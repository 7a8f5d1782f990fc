// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/credential.hpp"

#include "tablemap/base/bytes.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "tablemap/detail/rest/token_cache.hpp"
#include "base/text_bytes.hpp"
#include "crypto/primitives.hpp"
#include "rest/url.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

failure bad_credential(char const* reason) { return fail(library_errc::invalid_connection_string, {.reason = reason}); }

result<void> check_key(account_key const& key) {
    if (key.valid()) return {};
    return bad_credential("the account's key must be base64, as the account shows it");
}

/// True if the text has only characters that a query may have: others were not encoded, or it is no query at all.
bool is_query(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return c > ' ' && c < 0x7F && std::string_view{"\"#<>\\^`{|}"}.find(c) == std::string_view::npos;
    });
}

struct credential_checker {
    std::string_view scheme;

    result<void> operator()(shared_key_credential const& c) const { return check_key(c.key); }
    result<void> operator()(shared_key_lite_credential const& c) const { return check_key(c.key); }

    result<void> operator()(sas_credential const& c) const {
        if (!is_query(c.token)) return bad_credential("the shared access signature is no percent-encoded query text");
        auto const terms = detail::read_sas(c.token);
        if (!terms.is_signed)
            return bad_credential(
                "the shared access signature has no 'sig': give the whole text, from 'sv=' to the end");
        if (terms.is_of_blob || (!terms.services.empty() && terms.services.find('t') == std::string::npos))
            return bad_credential(
                "the shared access signature is for another service: one for tables has 'tn=', or 't' in 'ss='");
        if (terms.protocol == "https" && scheme != "https")
            return bad_credential(
                "the shared access signature allows only HTTPS (spr=https), and the endpoint is one of HTTP");
        return {};
    }

    result<void> operator()(token_credential const& c) const {
        if (!c.cache()->has_source()) return bad_credential("the access token's source or function is missing");
        if (scheme == "https" || c.allows_plain_http()) return {};
        return bad_credential(
            "an access token goes over HTTPS only, and the endpoint is one of HTTP; for an emulator there is "
            "token_credential::over_plain_http()");
    }
};

}  // namespace

account_key::account_key(std::string_view base64) {
    bytes secret;
    bool const is_base64 = detail::parse_base64(base64, secret);
    detail::wiped const guard{secret};
    if (is_base64 && !secret.empty()) key_ = std::make_shared<detail::hmac_key const>(secret);
}

account_key::account_key(std::span<std::byte const> secret) {
    if (!secret.empty()) key_ = std::make_shared<detail::hmac_key const>(secret);
}

std::string account_key::sign(std::string_view text) const {
    std::string signature;
    detail::append_base64(signature, key_->sign(detail::as_bytes(text)));
    return signature;
}

token_credential::token_credential(std::shared_ptr<token_source> source, std::string scope)
    : cache_(std::make_shared<detail::token_cache>(std::move(source))), scope_(std::move(scope)) {}

token_credential::token_credential(std::function<result<access_token>(token_request const&)> get, std::string scope)
    : token_credential(make_token_source(std::move(get)), std::move(scope)) {}

token_credential token_credential::over_plain_http() const {
    auto copy = *this;
    copy.allows_plain_http_ = true;
    return copy;
}

std::string_view detail::sas_query(std::string_view token) noexcept {
    if (token.starts_with('?') || token.starts_with('&')) token.remove_prefix(1);
    while (token.ends_with('&')) token.remove_suffix(1);
    return token;
}

detail::sas_terms detail::read_sas(std::string_view token) {
    sas_terms t;
    std::array<std::pair<std::string_view, std::string*>, 7> const texts{{{"sp", &t.permissions},
                                                                          {"st", &t.start},
                                                                          {"se", &t.expiry},
                                                                          {"spr", &t.protocol},
                                                                          {"ss", &t.services},
                                                                          {"srt", &t.resource_types},
                                                                          {"tn", &t.table}}};
    auto rest = sas_query(token);
    while (!rest.empty()) {
        auto value = take_field(rest, '&');
        auto const name = take_field(value, '=');
        if (value.empty()) continue;
        for (auto const& [known, text] : texts)
            if (name == known) *text = percent_decoded(value);
        t.has_policy = t.has_policy || name == "si";
        t.has_range = t.has_range || name == "spk" || name == "srk" || name == "epk" || name == "erk";
        t.is_signed = t.is_signed || name == "sig";
        t.is_of_blob = t.is_of_blob || name == "sr";
    }
    return t;
}

bool detail::signs_with_key(credential const& c) noexcept {
    return std::holds_alternative<shared_key_credential>(c) || std::holds_alternative<shared_key_lite_credential>(c);
}

result<void> detail::check_credential(credential const& c, std::string_view scheme) {
    return std::visit(credential_checker{scheme}, c);
}

}  // namespace tablemap
