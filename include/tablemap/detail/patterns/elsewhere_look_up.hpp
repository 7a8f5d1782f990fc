// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/read/elsewhere_source.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/patterns/entity_page.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Finding entities by an index in another partition or table.
namespace tablemap::inline v0_1::detail {

/// The tables of an index elsewhere, and of its entities. Immutable.
struct elsewhere_place {
    std::shared_ptr<table_state const> entities;
    std::shared_ptr<table_state const> rows;
};

/// A row elsewhere, and the base row of the entity that it is a copy of.
struct linked_row {
    entity_key key{};  ///< of the row elsewhere
    response base{};
};

/// The rows of an index to look up: a range of them, and the function that reads the key of a row's entity.
struct elsewhere_range {
    query_keys keys{};
    result<entity_key> (*owner_of)(std::string& row) = nullptr;
};

struct linked_page {
    std::vector<linked_row> rows{};
    std::optional<std::string> next{};  ///< the cursor of the following page
};

/// Reads the rows in a range, then the base rows of their entities, 16 at once. Rows without a base row are left out.
task<result<std::vector<linked_row>>> read_linked_rows(elsewhere_place place, elsewhere_range range);

/// The same of one page of the index. Errors: `library_errc::invalid_cursor`.
task<result<linked_page>> read_linked_page(elsewhere_place place, elsewhere_range range, page_selection which);

/// Adds the entity of a row elsewhere, unless it does not have that row by now.
template <class T, std::size_t J>
result<void> add_if_linked(linked_row& row, std::vector<entity<T>>& found, property_cipher const* cipher) {
    entity<T> e;
    if (auto r = decode_into(row.base.body, e, cipher); !r) {
        if (r.error().code() == library_errc::another_type) return {};
        return failure{std::move(r).error()};
    }
    if (!is_in_index_elsewhere<T, J>(e.value)) return {};
    entity_key key, owner;
    bool const has_keys = encode_keys_elsewhere<T, J>(e.value, key.partition_key, key.row_key, owner).has_value();
    if (has_keys && key == row.key) found.push_back(std::move(e));
    return {};
}

template <class T, std::size_t J>
result<std::vector<entity<T>>> linked_entities(std::vector<linked_row>& rows, property_cipher const* cipher) {
    std::vector<entity<T>> found;
    for (auto& row : rows)
        if (auto r = add_if_linked<T, J>(row, found, cipher); !r) return failure{std::move(r).error()};
    return found;
}

template <class T, std::size_t J>
task<result<std::vector<entity<T>>>> find_all_elsewhere(elsewhere_place place, result<query_keys> keys) {
    if (!keys) co_return failure{std::move(keys).error()};
    auto const* const cipher = place.entities->cipher.get();
    elsewhere_range range{*std::move(keys), &read_owner_elsewhere<T>};
    auto const reading = read_linked_rows(place, std::move(range));
    auto rows = co_await reading;
    if (!rows) co_return failure{std::move(rows).error()};
    co_return linked_entities<T, J>(*rows, cipher);
}

template <class T, std::size_t J>
task<result<entity_page<T>>> find_page_elsewhere(elsewhere_place place, result<query_keys> keys, page_selection which) {
    if (!keys) co_return failure{std::move(keys).error()};
    auto const* const cipher = place.entities->cipher.get();
    elsewhere_range range{*std::move(keys), &read_owner_elsewhere<T>};
    auto const reading = read_linked_page(place, std::move(range), std::move(which));
    auto page = co_await reading;
    if (!page) co_return failure{std::move(page).error()};
    auto found = linked_entities<T, J>(page->rows, cipher);
    if (!found) co_return failure{std::move(found).error()};
    entity_page<T> filled{*std::move(found), std::move(page->next)};
    co_return filled;
}

}  // namespace tablemap::detail
