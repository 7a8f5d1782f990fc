// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/table/bulk_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tablemap::test {

/// A row for bulk writes.
struct bulk_item {
    std::string partition{};
    std::string row{};
    std::int32_t value{};

    friend bool operator==(bulk_item const&, bulk_item const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::bulk_item> {
    static constexpr auto partition_key = key(part<&test::bulk_item::partition>);
    static constexpr auto row_key = key("i_", part<&test::bulk_item::row>);
};
