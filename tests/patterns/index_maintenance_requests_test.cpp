// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/tablemap.hpp"

namespace tablemap::test {
namespace {

struct kept_employee {
    std::string department{};
    std::int32_t id{};
    std::string last_name{};
    std::string email{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::kept_employee> {
    using t = tablemap::test::kept_employee;
    static constexpr auto partition_key = key(part<&t::department>);
    static constexpr auto row_key = key("empid_", part<&t::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&t::email>)),
                          index<"by_last_name">(key("name_", part<&t::last_name>.escaped())));
};

namespace tablemap::test {
namespace {

class index_maintenance_page : public ::testing::Test {
protected:
    index_maintenance_page() {
        employees_.create();
        for (std::int32_t i = 1; i <= 100; ++i)
            employees_.insert({"Sales", i, "Hall", "e" + std::to_string(i) + "@example.com"});
    }

    void verify(std::size_t found) { EXPECT_EQ(employees_.verify_indexes().found(), found); }
    void rebuild(std::size_t repaired) { EXPECT_EQ(employees_.rebuild_indexes().repaired, repaired); }

    void erase(std::string const& row_key) { EXPECT_TRUE(rows_.erase_any({"Sales", row_key})); }
    void erase_rows_of_indexes() {
        std::vector<std::string> keys;
        for (auto const& e : rows_.scan())
            if (!e.value.row_key.starts_with("empid_")) keys.push_back(e.value.row_key);
        for (auto const& k : keys) erase(k);
    }

    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<keeping_observer> seen_ = std::make_shared<keeping_observer>();
    table<kept_employee> employees_{with_observer(store_, seen_), "Employees"};
    table<dynamic_entity> rows_{store_, "Employees"};
};

TEST_F(index_maintenance_page, says_how_many_requests_an_operation_takes) {
    auto const missing = [&] { erase("email_e7@example.com"); };
    auto const erased = [&] { erase("empid_000008"); };
    std::map<std::string, std::pair<std::function<void()>, std::function<void()>>> const operations{
        {"verify: all is in step", {[] {}, [&] { verify(0); }}},
        {"rebuild: all is in step", {[] {}, [&] { rebuild(0); }}},
        {"verify: a row is missing", {missing, [&] { verify(1); }}},
        {"rebuild: a row is missing", {[] {}, [&] { rebuild(1); }}},
        {"verify: an entity was erased by a program without indexes", {erased, [&] { verify(2); }}},
        {"rebuild: an entity was erased by a program without indexes", {[] {}, [&] { rebuild(2); }}},
        {"verify: no entity has rows in the indexes",
         {[&] {
              employees_.insert({"Sales", 8, "Hall", "e8@example.com"});
              erase_rows_of_indexes();
          },
          [&] { verify(200); }}},
        {"rebuild: no entity has rows in the indexes", {[] {}, [&] { rebuild(200); }}}};
    std::size_t named = 0;
    for (auto const& row : page_table("patterns/index-maintenance.md", "requests")) {
        auto const found = operations.find(row.at(0));
        ASSERT_NE(found, operations.end()) << row.at(0);
        found->second.first();
        auto const before = seen_->requests.size();
        found->second.second();
        EXPECT_EQ(std::to_string(seen_->requests.size() - before), row.at(1)) << row.at(0);
        ++named;
    }
    EXPECT_EQ(named, operations.size());
}

}  // namespace
}  // namespace tablemap::test
