// SPDX-License-Identifier: Apache-2.0
#include "command/key_columns.hpp"

namespace tablemap::inline v0_1::command {

std::array<std::string, 2> names_of(key_names const& keys) {
    return {keys.partition.empty() ? "PartitionKey" : keys.partition, keys.row.empty() ? "RowKey" : keys.row};
}

bool is_key(key_names const& keys, std::string const& name) {
    auto const names = names_of(keys);
    return name == names[0] || name == names[1];
}

std::string take_keys(dynamic_entity& e, key_names const& keys) {
    auto const names = names_of(keys);
    std::array<std::string*, 2> const to{&e.partition_key, &e.row_key};
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto const* const text = e.try_get<std::string>(names[i]);
        if (!text) return names[i] + " is a key of the row: it must be there, and be text";
        *to[i] = *text;
    }
    for (auto const& name : names) e.erase(name);
    return {};
}

}  // namespace tablemap::inline v0_1::command
