// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "tablemap/async.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/tablemap.hpp"

#include <boost/asio/use_future.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::test {
namespace {

struct member {
    std::string club{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
    std::string email{};

    friend bool operator==(member const&, member const&) = default;
};

/// Shares partitions with members.
struct club_info {
    std::string club{};
    std::string town{};
};
using member_or_info = std::variant<member, club_info>;

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::member> {
    using member = test::member;
    static constexpr auto partition_key = key(part<&member::club>);
    static constexpr auto row_key = key("id_", part<&member::id>.width(5));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&member::email>)),
                          unique_index<"email_alone">(key("mail_", part<&member::email>)).include<>(),
                          index<"by_name">(key("name_", part<&member::name>.escaped())),
                          index<"by_age">(key("age_", part<&member::age>.width(3))).include<&member::name>());
};
template <> struct tablemap::mapping<tablemap::test::club_info> {
    static constexpr auto partition_key = key(part<&test::club_info::club>);
    static constexpr auto row_key = key("info");
};

namespace tablemap::test {
namespace {

class table_index_queries : public seam {
protected:
    using names = std::vector<std::string>;

    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        members_.emplace(shared_store(), table().table());
        members().insert({"chess", 1, "Hall", 34, "don@x"});
        members().insert({"chess", 2, "Cao", 47, "jun@x"});
        members().insert({"chess", 3, "Jones", 29, "alan@x"});
        members().insert({"chess", 4, "Jones / \"Smith\" #1?", 34, "smith@x"});
        members().insert({"golf", 5, "Cao", 51, "mei@x"});
    }

    tablemap::table<member>& members() { return *members_; }

    template <class Range> static names found(Range&& range) {
        names all;
        for (auto const& e : range) all.push_back(e.value.name);
        return all;
    }

    /// Members `from` to `to` of a large club.
    void fill(std::int32_t from, std::int32_t to) {
        for (auto i = from; i < to; ++i) {
            auto const text = std::to_string(i);
            members().insert({"bowls", i, "M" + text, (i * 7) % 100, text + "@bowls"});
        }
    }

private:
    std::optional<tablemap::table<member>> members_;
};
TABLEMAP_ON_EVERY_STORE(table_index_queries);

TEST_P(table_index_queries, a_unique_value_finds_its_entity) {
    auto const copy = members().find_by<"by_email">("chess", "jun@x");
    ASSERT_TRUE(copy);
    EXPECT_EQ(copy->value, members().find("chess", 2)->value);
    EXPECT_TRUE(copy->etag.empty());
    auto const whole = members().find_by<"email_alone">("chess", "jun@x");
    EXPECT_EQ(whole->value, copy->value);
    EXPECT_EQ(whole->etag, members().find("chess", 2)->etag);
}

TEST_P(table_index_queries, a_value_of_another_partition_or_of_none_finds_nothing) {
    EXPECT_EQ(members().find_by<"by_email">("golf", "jun@x"), std::nullopt);
    EXPECT_EQ(members().find_by<"email_alone">("chess", "nobody@x"), std::nullopt);
}

TEST_P(table_index_queries, an_old_value_finds_nothing_after_a_change) {
    members().modify({"chess", 2}, [](member& m) { m.email = "cao@x"; });
    EXPECT_EQ(members().find_by<"by_email">("chess", "jun@x"), std::nullopt);
    EXPECT_EQ(members().find_by<"email_alone">("chess", "jun@x"), std::nullopt);
    EXPECT_EQ(members().find_by<"email_alone">("chess", "cao@x")->value.id, 2);
}

TEST_P(table_index_queries, an_index_gives_its_order_and_any_text) {
    EXPECT_EQ(found(members().query_by<"by_name">(partition("chess"))),
              (names{"Cao", "Hall", "Jones", "Jones / \"Smith\" #1?"}));
    EXPECT_EQ(found(members().query_by<"by_name">(partition("chess"), starting_with("Jo"))),
              (names{"Jones", "Jones / \"Smith\" #1?"}));
    EXPECT_EQ(found(members().query_by<"by_name">(partition("chess"), leading("Jones"))), (names{"Jones"}));
    EXPECT_EQ(found(members().query_by<"by_name">(partition("chess"), row_range("D", "Jones"))), (names{"Hall"}));
}

TEST_P(table_index_queries, members_of_an_index_come_without_the_entity) {
    std::vector<std::tuple<std::int32_t, std::string>> ages;
    for (auto& row :
         members().query_by<"by_age">(partition("chess"), row_between(30, 40)).select<&member::age, &member::name>())
        ages.push_back(row);
    EXPECT_EQ(ages, (std::vector<std::tuple<std::int32_t, std::string>>{{34, "Hall"}, {34, "Jones / \"Smith\" #1?"}}));
    EXPECT_EQ(members().query_by<"by_age">(partition("chess")).where(field<&member::name> == "Cao").count(), 1u);
}

TEST_P(table_index_queries, several_partitions_are_one_range) {
    auto const clubs = std::vector{partition("golf"), partition("chess")};
    EXPECT_EQ(found(members().query_by<"by_name">(clubs, leading("Cao"))), (names{"Cao", "Cao"}));
}

TEST_P(table_index_queries, pages_and_cursors_go_on) {
    fill(0, 60);
    std::vector<std::int32_t> ages;
    std::optional<std::string> at;
    do {
        auto range = members().query_by<"by_age">(partition("bowls")).page_size(7).select<&member::age>();
        if (at) range = std::move(range).from(*at);
        for (int i = 0; i < 10; ++i)
            if (auto row = value_or_throw(range.try_next())) ages.push_back(std::get<0>(*row));
        at = range.cursor();
    } while (at);
    EXPECT_EQ(ages.size(), 60u);
    EXPECT_TRUE(std::is_sorted(ages.begin(), ages.end()));
}

TEST_P(table_index_queries, entities_are_queried_scanned_and_counted_without_rows_of_indexes) {
    EXPECT_EQ(found(members().query(partition("chess"))).size(), 4u);
    EXPECT_EQ(found(members().scan()).size(), 5u);
    EXPECT_EQ(members().query(partition("chess")).count(), 4u);
    EXPECT_EQ(members().scan().count(), 5u);
    EXPECT_EQ(members().scan(field<&member::age> == 34).count(), 2u);
    EXPECT_FALSE(members().query(partition("chess")).where(field<&member::email> == "nobody@x").exists());
    EXPECT_EQ(cached_table<member>{members()}.all().size(), 5u);
}

TEST_P(table_index_queries, a_table_of_several_types_passes_rows_of_indexes_over) {
    tablemap::table<member_or_info> all{shared_store(), table().table()};
    all.insert(club_info{"chess", "Bath"});
    std::size_t count = 0;
    for ([[maybe_unused]] auto& e : all.query(partition("chess"))) ++count;
    EXPECT_EQ(count, 5u);
    EXPECT_EQ(all.query(partition("chess")).count(), 5u);
    EXPECT_EQ(all.scan().count(), 6u);
}

TEST_P(table_index_queries, every_look_up_has_an_asynchronous_form) {
    async_table<member> const t{shared_store(), table().table()};
    EXPECT_EQ(t.find_by<"by_email">({"chess", "jun@x"}, boost::asio::use_future).get()->value.id, 2);
    EXPECT_EQ(t.find_by<"email_alone">({"chess", "jun@x"}, call_options{}, boost::asio::use_future).get()->value.id, 2);
    auto range = t.query_by<"by_name">(partition("chess"), starting_with("J"));
    EXPECT_EQ(range.next(boost::asio::use_future).get()->value.id, 3);
    EXPECT_EQ(t.query_by<"by_name">(partition("chess")).count(boost::asio::use_future).get(), 4u);
    auto rows = t.query_by<"by_age">(partition("chess")).select<&member::age, &member::id>();
    EXPECT_EQ(rows.next(boost::asio::use_future).get(), (std::tuple{29, 3}));
}

}  // namespace
}  // namespace tablemap::test
