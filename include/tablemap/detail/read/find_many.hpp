// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Reads the rows of many keys, a bounded number at once. All is borrowed.
///
/// \return the responses in the order of the keys, or the first error that is not about a missing row
task<result<std::vector<response>>> read_points(std::string_view table, std::vector<entity_key> const& keys,
                                                std::size_t at_once);

/// Removes duplicate keys from a list. Returns the position of each key in the shorter list.
std::vector<std::size_t> make_unique_keys(std::vector<entity_key>& keys);

/// The entities of many keys, in the order asked; nothing for those that are not there. Keys that are asked for more
/// than once are read once. The table's name and the cipher, which may be null, are borrowed.
template <class T>
task<result<std::vector<std::optional<entity<T>>>>> find_entities(std::string_view table,
                                                                  late_result<T, std::vector<entity_key>> keys,
                                                                  std::size_t at_once, property_cipher const* cipher) {
    if (!keys) co_return failure{std::move(keys).error()};
    auto const places = make_unique_keys(*keys);
    auto answers = co_await read_points(table, *keys, at_once);
    if (!answers) co_return failure{std::move(answers).error()};
    std::vector<std::optional<entity<T>>> found(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto& a = (*answers)[places[i]];
        if (!a.ok()) continue;
        if (auto r = decode_into(a.body, found[i].emplace(), cipher); !r) co_return failure{std::move(r).error()};
    }
    co_return found;
}

}  // namespace tablemap::detail
