// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/decode.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

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

template <class Word> bool same_word(char const* a, char const* b) noexcept {
    Word x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x == y;
}

/// Names are short: a call of memcmp for each of them would cost as much as the rest of a property.
bool same_name(std::string_view a, std::string_view b) noexcept {
    auto const n = a.size();
    if (n != b.size()) return false;
    auto const words = [&]<class Word>(Word) {
        for (std::size_t i = 0; i + sizeof(Word) < n; i += sizeof(Word))
            if (!same_word<Word>(a.data() + i, b.data() + i)) return false;
        return same_word<Word>(a.data() + n - sizeof(Word), b.data() + n - sizeof(Word));
    };
    if (n >= sizeof(std::uint64_t)) return words(std::uint64_t{});
    if (n >= sizeof(std::uint32_t)) return words(std::uint32_t{});
    return std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace

error column_mismatch(std::string_view member, std::string_view cpp_type, token const& stored) {
    std::string reason = "the store holds ";
    reason.append(kind_name(stored.kind)).append(", which is no ").append(cpp_type);
    reason += "; give the member the stored type, or rewrite the rows";
    return error{library_errc::type_mismatch, {.reason = std::move(reason), .member = std::string{member}}};
}

error malformed_key(char const* reason) { return error{library_errc::malformed_answer, {.reason = reason}}; }

error keys_disagree(std::string_view member) {
    return error{library_errc::unreadable_key,
                 {.reason = "partition key and row key hold different values of it", .member = std::string{member}}};
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
    std::iota(follower_.begin(), follower_.end(), std::uint16_t{1});
    follower_[table.size() - 1] = 0;
    follower_[table.size()] = 0;
    wants_annotations = true;
}

std::size_t assigning_sink::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < table_.size(); ++i)
        if (same_name(table_[i].name, name)) return i;
    return table_.size();
}

/// The assignment of a name, the table's size if it has none. Tries first the one that came after the last before.
std::size_t assigning_sink::find_next(std::string_view name) const noexcept {
    std::size_t const at = follower_[last_];
    return same_name(table_[at].name, name) ? at : find(name);
}

bool assigning_sink::property(std::string_view name, token const& value) {
    auto const at = find_next(name);
    if (at == table_.size()) return true;
    follower_[last_] = static_cast<std::uint16_t>(at);
    last_ = at;
    return table_[at].assign(target_, value, failure);
}

bool assigning_sink::annotation(std::string_view name, std::string_view type) {
    auto const at = find_next(name);
    if (at == table_.size() || table_[at].type.empty() || table_[at].type == type) return true;
    std::string reason = "the store holds a value of type ";
    reason.append(edm_type_from_name(type) ? type : "unknown to the service").append(", and the member has ");
    reason.append(table_[at].type).append("; give the member the stored type, or rewrite the rows");
    return stop(error{library_errc::type_mismatch, {.reason = std::move(reason), .member = std::string{name}}});
}

}  // namespace tablemap::detail
