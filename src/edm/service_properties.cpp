// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/service_properties.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

failure refuse_member(service_errc code, char const* reason, char const* member) {
    return fail(code, {.reason = reason, .member = member});
}

/// True if a list that is joined by commas can be split again.
bool can_be_joined(std::vector<std::string> const& list) {
    return std::all_of(list.begin(), list.end(), [](std::string const& e) {
        return is_xml_text(e) && !e.empty() && e.find(',') == std::string::npos && e.front() != ' ' && e.back() != ' ';
    });
}

result<void> check_common(std::string const& version, std::optional<std::int32_t> days, char const* member) {
    if (version.empty() || !is_xml_text(version))
        return refuse_member(service_errc::invalid_input, "the version is a text such as \"1.0\"", member);
    if (days && (*days < 1 || *days > static_cast<std::int32_t>(limits::retention_days_max)))
        return refuse_member(service_errc::out_of_range_input,
                             "data is kept for 1 to 365 days, or for good without a number", member);
    return {};
}

result<void> check(metrics_settings const& m, char const* member) {
    if (m.include_apis && !m.enabled)
        return refuse_member(service_errc::invalid_input, "include_apis needs metrics that are enabled", member);
    return check_common(m.version, m.retention_days, member);
}

result<void> check(cors_rule const& r) {
    if (r.allowed_origins.empty() || r.allowed_methods.empty())
        return refuse_member(service_errc::invalid_input, "a rule names at least one origin and one method", "cors");
    for (auto const* list : {&r.allowed_origins, &r.allowed_methods, &r.allowed_headers, &r.exposed_headers})
        if (!can_be_joined(*list))
            return refuse_member(
                service_errc::invalid_input,
                "an element of a list is UTF-8 without commas, control characters and blanks around it", "cors");
    if (r.max_age.count() < 0 || r.max_age.count() > std::numeric_limits<std::int32_t>::max())
        return refuse_member(service_errc::out_of_range_input, "an age is no negative number of seconds, below 2^31",
                             "cors");
    return {};
}

}  // namespace

result<void> check_service_properties(service_properties const& p) {
    if (p.logging)
        if (auto r = check_common(p.logging->version, p.logging->retention_days, "logging"); !r) return r;
    if (p.hour_metrics)
        if (auto r = check(*p.hour_metrics, "hour_metrics"); !r) return r;
    if (p.minute_metrics)
        if (auto r = check(*p.minute_metrics, "minute_metrics"); !r) return r;
    if (!p.cors) return {};
    if (p.cors->size() > limits::cors_rules)
        return refuse_member(service_errc::out_of_range_input, "an account has at most 5 rules", "cors");
    for (auto const& rule : *p.cors)
        if (auto r = check(rule); !r) return r;
    return {};
}

}  // namespace tablemap::detail
