// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The service's requests and answers in XML.
///
/// Documents may begin with a byte order mark. Elements that are not known are passed over; those that are missing or
/// empty leave their value empty, or false.
namespace tablemap::inline v0_1::detail {

/// Reads a time in one of the forms of ISO 8601 that the service takes in a policy or a signature.
std::optional<ticks> read_service_time(std::string_view text);

/// Precondition: `check_access_policies(policies)`.
std::string write_access_policies(std::span<access_policy const> policies);

/// Errors: `library_errc::malformed_response`.
result<std::vector<access_policy>> read_access_policies(std::string_view xml);

/// Settings that are empty are left out. Precondition: `check_service_properties(p)`.
std::string write_service_properties(service_properties const& p);

/// Errors: `library_errc::malformed_response`.
result<service_properties> read_service_properties(std::string_view xml);

std::string write_service_statistics(service_statistics const& s);

/// Errors: `library_errc::malformed_response`.
result<service_statistics> read_service_statistics(std::string_view xml);

}  // namespace tablemap::detail
