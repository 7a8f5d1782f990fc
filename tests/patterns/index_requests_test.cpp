// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"

#include <optional>
#include <string>

namespace tablemap::test {
namespace {

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first_name{}, last_name{};
    std::optional<std::string> email{};
    std::int32_t age{};
    std::string desk{};
    bool on_leave{};
};

struct account {
    std::string tenant{};
    std::int64_t number{};
    std::string name{};
    std::string login{};
    std::optional<std::string> email{};
    bool owner{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::employee> {
    static constexpr auto partition_key = key(part<&test::employee::department>);
    static constexpr auto row_key = key("empid_", part<&test::employee::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&test::employee::email>)).include<>(),
                          index<"by_last_name">(key("name_", part<&test::employee::last_name>.escaped()))
                              .include<&test::employee::first_name>(),
                          index<"on_leave">(key("leave_", part<&test::employee::age>.width(3)))
                              .include<>()
                              .where(&test::employee::on_leave));
};

template <> struct tablemap::mapping<tablemap::test::account> {
    static constexpr auto partition_key = key(part<&test::account::tenant>);
    static constexpr auto row_key = key("account_", part<&test::account::number>.width(8));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"login">(key("login_", part<&test::account::login>.escaped())).include<>(),
                          unique_index<"email">(key("email_", part<&test::account::email>)).include<>(),
                          unique_index<"owner">(key("owner")).include<>().where(&test::account::owner));
};

namespace tablemap::test {
namespace {

class index_pages : public ::testing::Test {
protected:
    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr plain = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr store = with_observer(plain, seen);
};

TEST_F(index_pages, say_how_many_requests_secondary_indexes_take) {
    table<employee> const all{store, "Employees"};
    table<dynamic_entity> const raw{plain, "Employees"};
    raw.create();
    employee const don{.department = "Sales", .id = 212, .last_name = "Hall", .email = "don@x", .age = 34};
    entity<employee> e;
    expect_requests(
        "patterns/secondary-indexes.md", *seen,
        {{"insert", [&] { e = all.insert(don); }},
         {"replace",
          [&] {
              e.value.last_name = "Cao";
              all.replace(e);
          }},
         {"`replace` of another e-mail address",
          [&] {
              e.value.email = "new@x";
              all.replace(e);
          }},
         {"merge(e)",
          [&] {
              e.value.age = 35;
              all.merge(e);
          }},
         {"`merge(e, only<&employee::desk>)` of a member that is in no index",
          [&] { all.merge(e, only<&employee::desk>); }},
         {"`merge(e, only<&employee::age>)` of a member that is in one", [&] { all.merge(e, only<&employee::age>); }},
         {"merge_any(value, only<&employee::desk>)", [&] { all.merge_any(don, only<&employee::desk>); }},
         {"upsert_merge(value, only<&employee::desk>)", [&] { all.upsert_merge(don, only<&employee::desk>); }},
         {"upsert_replace",
          [&] {
              auto changed = e.value;
              changed.last_name = "Hall";
              all.upsert_replace(changed);
          }},
         {"replace_any",
          [&] {
              e.value.desk = "new";
              e = all.replace_any(e.value);
          }},
         {"erase", [&] { all.erase(e); }},
         {"erase_any",
          [&] {
              table<employee>{plain, "Employees"}.insert(don);
              EXPECT_TRUE(all.erase_any({"Sales", 212}));
          }},
         {"`erase_any` of what is not there",
          [&] {
              EXPECT_FALSE(all.erase_any({"Sales", 212}));
          }},
         {"modify",
          [&] {
              e = table<employee>{plain, "Employees"}.insert(don);
              e = all.modify({"Sales", 212}, [](employee& x) { x.on_leave = true; });
          }},
         {"`modify` that changes nothing",
          [&] {
              all.modify({"Sales", 212}, [](employee&) {});
          }},
         {"`replace` of another name when the index lacks the row that has to go",
          [&] {
              EXPECT_TRUE(raw.erase_any({"Sales", "name_Hall !_empid_000212"}));
              e.value.last_name = "Hallam";
              all.replace(e);
          }},
         {"find", [&] { EXPECT_TRUE(all.find("Sales", 212)); }},
         {R"(find_by<"by_email">)", [&] { EXPECT_TRUE(all.find_by<"by_email">("Sales", "don@x")); }},
         {R"(`query_by<"by_last_name">` of one page)", [&] {
              std::size_t count = 0;
              for ([[maybe_unused]] auto const& one :
                   all.query_by<"by_last_name">(partition("Sales"), starting_with("Ha"))
                       .select<&employee::id, &employee::last_name>())
                  ++count;
              EXPECT_EQ(count, 1u);
          }}});
}

TEST_F(index_pages, say_how_many_requests_unique_values_take) {
    table<account> const all{store, "Accounts"};
    table<dynamic_entity>{plain, "Accounts"}.create();
    entity<account> e;
    expect_requests("patterns/unique-values.md", *seen,
                    {{"insert", [&] { e = all.insert({.tenant = "C", .number = 1, .login = "don"}); }},
                     {"`insert` of a taken value",
                      [&] { EXPECT_FALSE(all.try_insert({.tenant = "C", .number = 2, .login = "don"})); }},
                     {"`modify` of the name",
                      [&] {
                          all.modify({"C", 1}, [](account& a) { a.name = "Don"; });
                      }},
                     {"`modify` of a unique value",
                      [&] {
                          e = all.modify({"C", 1}, [](account& a) { a.login = "donald"; });
                      }},
                     {"`modify` of two unique values",
                      [&] {
                          e.value.email = "don@x";
                          table<account>{plain, "Accounts"}.replace(e);
                          e = all.modify({"C", 1}, [](account& a) { a.login = "d", a.email = "d@x"; });
                      }},
                     {"`modify` to a taken value",
                      [&] {
                          table<account>{plain, "Accounts"}.insert({.tenant = "C", .number = 2, .login = "jun"});
                          EXPECT_FALSE(all.try_modify({"C", 1}, [](account& a) { a.login = "jun"; }));
                      }},
                     {"merge(e, only<&account::name>)", [&] { all.merge(e, only<&account::name>); }},
                     {"`erase` of an account with one unique value",
                      [&] {
                          e.value.email.reset();
                          table<account>{plain, "Accounts"}.replace(e);
                          all.erase(e);
                      }},
                     {"`erase` of an account with two",
                      [&] {
                          e = table<account>{plain, "Accounts"}.insert(
                              {.tenant = "C", .number = 3, .login = "don", .email = "x@x"});
                          all.erase(e);
                      }},
                     {R"(find_by<"login">)", [&] { EXPECT_TRUE(all.find_by<"login">("C", "jun")); }}});
}

}  // namespace
}  // namespace tablemap::test
