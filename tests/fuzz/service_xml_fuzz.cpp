// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"
#include "rest/service_xml.hpp"

/// Input: a document about access policies, settings or statistics. What is read, if it may be sent, is written and
/// read as the same.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(service_xml) {
    if (auto const policies = detail::read_access_policies(input);
        policies && detail::check_access_policies(*policies)) {
        auto const again = detail::read_access_policies(detail::write_access_policies(*policies));
        require(again && *again == *policies, "policies that are written read as the same");
    }
    if (auto const properties = detail::read_service_properties(input);
        properties && detail::check_service_properties(*properties)) {
        auto const again = detail::read_service_properties(detail::write_service_properties(*properties));
        require(again && *again == *properties, "settings that are written read as the same");
    }
    static_cast<void>(detail::read_service_statistics(input));
}

}  // namespace tablemap::fuzz
