// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "support/families.hpp"

#include "tablemap/embedded/store.hpp"

namespace tablemap::test {
namespace {

class relation_pages : public ::testing::Test {
protected:
    void SetUp() override { table<team>{store, "Company"}.create(); }

    template <class Range> static std::size_t count(Range range) {
        std::size_t families = 0;
        for ([[maybe_unused]] auto const& f : range) ++families;
        return families;
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), seen);
};

TEST_F(relation_pages, say_how_many_requests_compound_keys_take) {
    table<clerk> const clerks{store, "Company"};
    table<review> const all{store, "Company"};
    reviews const company{store, "Company"};
    for (int id : {123, 124, 125}) clerks.insert({"Sales", id, "c"});
    for (int year : {2011, 2012}) all.insert({"Sales", 123, year, 3});
    std::vector<review> many;
    for (int year = 0; year < 2500; ++year) many.push_back({"Bonn", 1, year, 3});
    ASSERT_TRUE(all.insert_many(many).complete());
    expect_requests(
        "patterns/compound-keys.md", *seen,
        {{R"(`find("Sales", 123)` with 2 reviews)",
          [&] { EXPECT_EQ(company.find("Sales", 123).children().size(), 2u); }},
         {R"(`find("Sales", 999)` of a missing family)", [&] { EXPECT_TRUE(company.find("Sales", 999).empty()); }},
         {"`find` of a family of 2,500 rows", [&] { EXPECT_EQ(company.find("Bonn", 1).children().size(), 2500u); }},
         {R"(`query(partition("Sales"))` of 3 families, read to the end)",
          [&] { EXPECT_EQ(count(company.query(partition("Sales"))), 3u); }},
         {R"(`query(partition("Sales"), row_range(100, 200))`, read to the end)",
          [&] { EXPECT_EQ(count(company.query(partition("Sales"), row_range(100, 200))), 3u); }},
         {R"(table<review>::find("Sales", 123, 2012))", [&] { EXPECT_TRUE(all.find("Sales", 123, 2012)); }},
         {"adding a review and counting it",
          [&] {
              auto who = clerks.find("Sales", 123);
              auto both = clerks.transaction();
              both.insert(review{"Sales", 123, 2013, 4});
              both.merge(*who, only<&clerk::first>);
              both.commit();
          }},
         {"`find` and erasing the family", [&] {
              auto const f = company.find("Sales", 123);
              auto erase = company.transaction();
              erase.erase(*f.parent);
              for (auto const& r : f.children()) erase.erase(r);
              erase.commit();
          }}});
}

TEST_F(relation_pages, say_how_many_requests_relations_take) {
    table<team> const all{store, "Company"};
    table<member> const members{store, "Company"};
    for (auto const* name : {"Sales", "Audit", "Law"}) all.insert({name, 0});
    for (std::int32_t id : {2, 3}) members.insert({"Sales", id, "m"});
    teams const company{store, "Company"};
    std::vector<member> many;
    for (int id = 0; id < 2499; ++id) many.push_back({"Audit", id, "m"});
    ASSERT_TRUE(members.insert_many(many).complete());
    one_to_one<profile, payroll> const people{store, "Company"};
    halves<profile, payroll> don;
    expect_requests("patterns/relations.md", *seen,
                    {{R"(relation::find("Sales"))", [&] { EXPECT_EQ(text_of(company.find("Sales")), "0: 2 3 |"); }},
                     {"`relation::find` of a family of 2,500 rows",
                      [&] { EXPECT_EQ(company.find("Audit").children<member>().size(), 2499u); }},
                     {"`relation::query` of a list of two partitions",
                      [&] {
                          EXPECT_EQ(count(company.query(std::vector{partition("Sales"), partition("Law")})), 2u);
                      }},
                     {"`relation::scan()` of a table of 2,500 rows", [&] { EXPECT_EQ(count(company.scan()), 3u); }},
                     {"hiring a person and counting it",
                      [&] {
                          auto where = all.find("Sales");
                          ++where->value.people;
                          auto both = all.transaction();
                          both.insert(member{"Sales", 1, "Don"});
                          both.merge(*where, only<&team::people>);
                          both.commit();
                      }},
                     {"one_to_one::insert",
                      [&] {
                          don = people.insert({"Bonn", 7, "Don"}, {"Bonn", 7, 300});
                      }},
                     {"one_to_one::find",
                      [&] {
                          don = people.find("Bonn", 7);
                          EXPECT_TRUE(don.complete());
                      }},
                     {"one_to_one::replace",
                      [&] {
                          don.first->value.name = "Donald";
                          don.second->value.cents = 310;
                          people.replace(don);
                      }},
                     {"one_to_one::erase", [&] { people.erase(don); }}});
    EXPECT_EQ(text_of(company.find("Sales")), "1: 1 2 3 |");
    EXPECT_TRUE(people.find("Bonn", 7).empty());
}

}  // namespace
}  // namespace tablemap::test
