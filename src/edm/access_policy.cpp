// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/access_policy.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::array<std::pair<char, table_permission>, 4> letters{{{'r', table_permission::query},
                                                                    {'a', table_permission::add},
                                                                    {'u', table_permission::update},
                                                                    {'d', table_permission::erase}}};

failure refuse_policy(service_errc code, std::size_t at, char const* reason, char const* member) {
    return fail(code, {.reason = "policy " + std::to_string(at) + " of the list: " + reason, .member = member});
}

bool is_storable(std::optional<ticks> const& t) noexcept { return !t || t->storable(); }

}  // namespace

result<table_permissions> table_permissions::parse(std::string_view text) {
    table_permissions all;
    for (char const c : text) {
        auto const known = std::find_if(letters.begin(), letters.end(), [c](auto const& l) { return l.first == c; });
        if (known == letters.end())
            return fail(library_errc::invalid_text, {.reason = "permissions of a table are the letters r, a, u and d"});
        all = all | known->second;
    }
    return all;
}

std::string table_permissions::text() const {
    std::string text;
    for (auto const& [letter, permission] : letters)
        if (has(permission)) text += letter;
    return text;
}

result<void> detail::check_access_policies(std::span<access_policy const> policies) {
    if (policies.size() > limits::access_policies)
        return fail(service_errc::out_of_range_input, {.reason = "a table has at most 5 access policies"});
    for (std::size_t i = 0; i < policies.size(); ++i) {
        auto const& p = policies[i];
        auto const before = policies.first(i);
        auto const units = utf16_length(p.id);
        if (p.id.empty() || (units && *units > limits::access_policy_id))
            return refuse_policy(service_errc::out_of_range_input, i, "an id has 1 to 64 characters", "id");
        if (!is_xml_text(p.id))
            return refuse_policy(service_errc::invalid_input, i, "an id is UTF-8 without control characters", "id");
        if (std::any_of(before.begin(), before.end(), [&](auto const& other) { return other.id == p.id; }))
            return refuse_policy(service_errc::invalid_input, i, "its id is that of a policy before it", "id");
        if (!is_storable(p.start) || !is_storable(p.expiry))
            return refuse_policy(service_errc::out_of_range_input, i, "times lie in the years 1601 to 9999",
                                 is_storable(p.start) ? "expiry" : "start");
    }
    return {};
}

}  // namespace tablemap
