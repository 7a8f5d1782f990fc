// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types that the owner of a table and its tenants share.

#include <tablemap/tablemap.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string tenant{};
    std::int32_t number{};
    std::string article{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::tenant>);
    static constexpr auto row_key = tablemap::key("order_", tablemap::part<&order::number>.width(6));
};

inline constexpr auto orders_table = "TenantOrders";
