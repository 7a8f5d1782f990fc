// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

/// A response of a store about its tables, their access, or the service itself. Only the requested members are set.
struct service_response {
    std::vector<std::string> tables{};        ///< list_tables
    std::optional<std::string> next_table{};  ///< list_tables: set while there may be more
    std::vector<access_policy> policies{};    ///< get_access_policies
    service_properties properties{};          ///< get_service_properties
    service_statistics statistics{};          ///< get_service_statistics
};

}  // namespace tablemap
