// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/store.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::testing::contract {

/// An entity in one line: `entity("p", "r", {{"Age", 34}, {"Name", "Don"}})`.
dynamic_entity entity(std::string partition, std::string row, std::initializer_list<property> properties = {});

/// An encoded entity whose members behind the keys are this JSON: `body("p", "r", R"("Age":34)")`.
std::string body(std::string_view partition, std::string_view row, std::string_view members = {});

/// One operation of a group transaction with the text that it borrows.
struct owned_operation {
    write_kind kind{};
    std::string partition_key;
    std::string row_key;
    std::string body;
    std::string if_match;
};
owned_operation operation(write_kind kind, dynamic_entity const& e, std::string if_match = {});
owned_operation erasure(std::string partition, std::string row, std::string if_match = "*");

/// One table of a store, asked through the seam.
class table_client {
public:
    table_client(store& s, std::string table) : store_(&s), table_(std::move(table)) {}

    std::string const& table() const noexcept { return table_; }

    response create() { return store_->execute(create_table{table_}, {}); }
    response drop() { return store_->execute(delete_table{table_}, {}); }

    response insert(dynamic_entity const& e) { return write(write_kind::insert, e); }
    response write(write_kind kind, dynamic_entity const& e, std::string_view if_match = {});
    response write_body(write_kind kind, std::string_view partition, std::string_view row, std::string_view body,
                        std::string_view if_match = {});
    response erase(std::string_view partition, std::string_view row, std::string_view if_match = any_etag);
    response transact(std::vector<owned_operation> const& operations);

    response get(std::string_view partition, std::string_view row, std::vector<std::string_view> const& select = {});
    response page(query_page q);

    /// All pages of a query, one after the other; `pages` counts them.
    std::vector<detail::stored_entity> all(query_page q = {}, std::size_t* pages = nullptr);

private:
    store* store_;
    std::string table_;
};

}  // namespace tablemap::testing::contract
