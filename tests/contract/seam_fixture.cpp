// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"

#include <algorithm>
#include <atomic>
#include <random>

namespace tablemap::test {
namespace {

/// A store whose file goes with it.
class store_in_folder final : public store {
public:
    store_in_folder()
        : inner_(
              value_or_throw(open_embedded({.path = folder_.file("contract.db"), .synchronous = durability::normal}))) {
    }

    capabilities const& can() const noexcept override { return inner_->can(); }
    response execute(request const& r, call_options const& o) override { return inner_->execute(r, o); }

private:
    temp_folder folder_;
    store_ptr inner_;
};

}  // namespace

std::vector<store_under_test> const& stores_under_test() {
    static std::vector<store_under_test> const all = {
        {"embedded_memory", [] { return value_or_throw(open_embedded({.path = ":memory:"})); }},
        {"embedded_file", [] { return std::make_shared<store_in_folder>(); }},
    };
    return all;
}

void seam::SetUp() {
    store_ = GetParam().make();
    table_.emplace(*store_, fresh_table_name());
    ASSERT_TRUE(carried_out(table_->create()));
}

void seam::TearDown() {
    for (auto const& name : names_) store_->execute(delete_table{name}, {});
}

std::string seam::fresh_table_name() {
    static std::atomic<unsigned> count{0};
    static auto const run = std::random_device{}();
    return names_.emplace_back("Seam" + std::to_string(run) + "x" + std::to_string(++count));
}

void seam::put_rows(std::string const& partition, std::vector<std::string> const& rows) {
    for (std::size_t i = 0; i < rows.size();) {
        auto const end = std::min(i + limits::transaction_operations, rows.size());
        std::vector<owned_operation> group;
        for (; i < end; ++i) group.push_back(operation(write_kind::insert, entity(partition, rows[i])));
        ASSERT_TRUE(carried_out(table().transact(group)));
    }
}

}  // namespace tablemap::test
