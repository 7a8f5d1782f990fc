// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"

#include <algorithm>
#include <atomic>
#include <random>

namespace tablemap::inline v0_1::testing::contract {

void seam::SetUp() {
    store_ = GetParam().make();
    if (!store_) {
        auto const& needed = GetParam().requirement;
        GTEST_SKIP() << GetParam().name << " needs " << (needed.empty() ? "what is not here" : needed);
    }
    table_.emplace(*store_, fresh_table_name());
    ASSERT_TRUE(carried_out(table_->create()));
}

void seam::TearDown() {
    if (!store_) return;
    for (auto const& name : names_) store_->execute(delete_table{name}, {});
}

std::string seam::fresh_table_name() {
    static std::atomic<unsigned> count{0};
    static auto const run = std::random_device{}();
    return names_.emplace_back("Seam" + std::to_string(run) + "x" + std::to_string(++count));
}

std::vector<std::string> seam::as_given(std::vector<std::string> keys) const {
    if (!is_ordered()) std::sort(keys.begin(), keys.end());
    return keys;
}

void seam::put_rows(std::string const& partition, std::vector<std::string> const& rows) {
    std::vector<dynamic_entity> entities;
    entities.reserve(rows.size());
    for (auto const& row : rows) entities.push_back(entity(partition, row));
    put_all(entities);
}

void seam::put_all(std::vector<dynamic_entity> const& entities) {
    if (!has_transactions()) {
        for (auto const& e : entities) ASSERT_TRUE(carried_out(table().insert(e)));
        return;
    }
    for (std::size_t i = 0; i < entities.size();) {
        auto const end = std::min(i + the_store().capabilities().transaction_operations, entities.size());
        std::vector<owned_operation> group;
        for (; i < end; ++i) group.push_back(operation(write_kind::insert, entities[i]));
        ASSERT_TRUE(carried_out(table().transact(group)));
    }
}

}  // namespace tablemap::testing::contract
