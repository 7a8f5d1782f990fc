// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/decode.hpp"

namespace tablemap::detail {
namespace {

std::string_view kind_name(token_kind k) noexcept {
    switch (k) {
    case token_kind::text: return "text";
    case token_kind::integer: return "an integer";
    case token_kind::real: return "a number with a fraction or exponent, or beyond 64 bits";
    case token_kind::boolean: return "a boolean";
    }
    return "a value";
}

}  // namespace

error column_mismatch(std::string_view member, std::string_view cpp_type, token const& stored) {
    std::string reason = "the store holds ";
    reason.append(kind_name(stored.kind)).append(", which is no ").append(cpp_type);
    reason += "; give the member the stored type, or rewrite the rows";
    return error{library_errc::type_mismatch, {.reason = std::move(reason), .member = std::string{member}}};
}

bool assign_etag(etag& to, token const& value, std::optional<error>& fault) {
    if (value.kind != token_kind::text) {
        fault = error{library_errc::malformed_answer, {.reason = "an etag is no text"}};
        return false;
    }
    to = etag{std::string{value.text}};
    return true;
}

bool assign_timestamp(ticks& to, token const& value, std::optional<error>& fault) {
    if (assign(to, value)) return true;
    fault = error{library_errc::malformed_answer, {.reason = "a timestamp is no time"}};
    return false;
}

assigning_sink::assigning_sink(std::span<assignment const> table)
    : table_(table), follower_(table.size() + 1), last_(table.size()) {
    // Until a row has been seen: declaration order, as the service's answers have it for rows that tablemap wrote.
    for (std::size_t i = 0; i < table.size(); ++i) follower_[i] = static_cast<std::uint16_t>((i + 1) % table.size());
    follower_[table.size()] = 0;
}

std::size_t assigning_sink::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < table_.size(); ++i)
        if (table_[i].name == name) return i;
    return table_.size();
}

bool assigning_sink::property(std::string_view name, token const& value) {
    std::size_t at = follower_[last_];
    if (table_[at].name != name) {
        at = find(name);
        if (at == table_.size()) return true;
        follower_[last_] = static_cast<std::uint16_t>(at);
    }
    last_ = at;
    return table_[at].assign(entity_, value, failure);
}

}  // namespace tablemap::detail
