// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_store.hpp"

#include "patterns/most_at_once.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/read/find_many.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// Reads the entities of a list, a bounded number at once.
task<result<void>> read_entities(list_state const& table, list_address const& at, list_lines const& lines,
                                 list_reader read, void* found) {
    for (auto line = lines.begin(); line != lines.end();) {
        std::vector<entity_key> keys;
        for (; line != lines.end() && keys.size() < most_at_once; ++line)
            keys.push_back(key_of_line(table, at.index, at.partition_key, *line));
        auto answers = co_await read_points(table.entities->name, keys, most_at_once);
        if (!answers) co_return failure{std::move(answers).error()};
        for (auto& a : *answers) {
            if (!a.ok()) continue;
            auto const done = read(a.body, value_of(table, at), found, table.entities->cipher.get());
            if (!done) co_return failure{done.error()};
        }
    }
    co_return result<void>{};
}

}  // namespace

task<result<void>> look_up_list(std::shared_ptr<list_state const> table, std::size_t index,
                                std::vector<std::string> partitions, std::string value, list_reader read, void* found) {
    auto const call = co_await this_call();
    list_store const lists{*table, call.env};
    if (!is_local(*table, index)) partitions.assign(1, {});
    for (auto const& partition : partitions) {
        auto const at = address_of(*table, index, partition, value);
        auto const list = co_await lists.read(at, false);
        if (!list) co_return failure{list.error()};
        if (list->damage) co_return failure{*list->damage};
        auto const done = co_await read_entities(*table, at, list->lines, read, found);
        if (!done) co_return failure{done.error()};
    }
    co_return result<void>{};
}

}  // namespace tablemap::detail
