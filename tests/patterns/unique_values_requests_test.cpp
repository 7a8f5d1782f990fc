// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/unique_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <string>

namespace tablemap::test {
namespace {

class unique_values_page : public ::testing::Test {
protected:
    void SetUp() override {
        plain.create_if_not_exists();
        for (std::int64_t i = 1; i <= 9; ++i) plain.insert({.tenant = "t", .number = i, .email = email_of(i)});
    }

    static std::string email_of(std::int64_t i) { return std::to_string(i) + "@x"; }
    static account numbered(std::int64_t i, std::optional<std::string> email) {
        return {.tenant = "t", .number = i, .email = std::move(email)};
    }

    /// A writer that ended after it had reserved a value.
    void leave_reserved(std::string const& email) {
        auto const faulty = std::make_shared<testing::faulty_store>(store);
        for (std::size_t i = 2; i < 9; ++i) faulty->fail_next(testing::fault::lost_before, i);
        static_cast<void>(account_table(faulty, "Accounts", {.reserved_for = std::chrono::milliseconds{0}})
                              .try_insert(numbered(99, email)));
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    account_table plain{store, "Accounts"};
    account_table all{with_observer(store, seen), "Accounts"};
};

TEST_F(unique_values_page, says_how_many_requests_operations_take) {
    auto with_two = numbered(21, "21@x");
    with_two.login = "21";
    plain.insert(with_two);
    auto const one = plain.entities().find("t", 5).value(), two = plain.entities().find("t", 21).value();
    auto renamed = plain.entities().find("t", 6).value(), replaced = plain.entities().find("t", 7).value();
    leave_reserved("left@x");
    expect_requests(
        "patterns/unique-values-of-tables.md", *seen,
        {{"`insert` with one value", [&] { all.insert(numbered(11, "11@x")); }},
         {"`insert` with two values",
          [&] {
              auto a = numbered(12, "12@x");
              a.login = "12";
              all.insert(a);
          }},
         {"`insert` without a value", [&] { all.insert(numbered(13, {})); }},
         {"`insert` of a taken value", [&] { EXPECT_FALSE(all.try_insert(numbered(14, "1@x"))); }},
         {"`modify` of the name",
          [&] {
              all.modify({"t", 1}, [](account& a) { ++a.visits; });
          }},
         {"`modify` of a value",
          [&] {
              all.modify({"t", 2}, [](account& a) { a.email = "new2@x"; });
          }},
         {"`modify` to a taken value",
          [&] {
              EXPECT_FALSE(all.try_modify({"t", 3}, [](account& a) { a.email = "1@x"; }));
          }},
         {"`modify` that gives up a value",
          [&] {
              all.modify({"t", 4}, [](account& a) { a.email.reset(); });
          }},
         {"`replace` of the name",
          [&] {
              ++renamed.value.visits;
              all.replace(renamed);
          }},
         {"`replace` of a value",
          [&] {
              replaced.value.email = "new7@x";
              all.replace(replaced);
          }},
         {"`erase` with one value", [&] { all.erase(one); }},
         {"`erase` with two values", [&] { all.erase(two); }},
         {"find_by<\"email\">", [&] { EXPECT_TRUE(all.find_by<"email">("1@x")); }},
         {"`find_by<\"email\">` of a value that nobody has", [&] { EXPECT_FALSE(all.find_by<"email">("nobody@x")); }},
         {"`insert` that takes a value over", [&] { all.insert(numbered(15, "left@x")); }}});
    EXPECT_EQ(summary_of(plain.verify()), "");
}

}  // namespace
}  // namespace tablemap::test
