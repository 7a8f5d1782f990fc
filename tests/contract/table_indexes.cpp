// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/observing.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <memory>

namespace tablemap::test {

struct teller {
    std::string department{};
    std::int32_t id{};
    std::optional<std::string> email{};
    std::string name{};
    std::string note{};

    friend bool operator==(teller const&, teller const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::teller> {
    static constexpr auto partition_key = key(part<&test::teller::department>);
    static constexpr auto row_key = key("id_", part<&test::teller::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_email">(key("email_", part<&test::teller::email>)).include<&test::teller::name>(),
        index<"by_name">(key("name_", part<&test::teller::name>.escaped())).include<>());
};

namespace tablemap::test {
namespace {

using ::testing::UnorderedElementsAre;

/// The rows that writes of indexed entities leave in a store, read by a table that knows no indexes.
class table_indexes : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        watched_ = with_observer(shared_store(), seen);
        clerks_.emplace(watched_, table().table());
        async_.emplace(watched_, table().table());
        raw_.emplace(shared_store(), table().table());
    }

    tablemap::table<teller>& clerks() { return *clerks_; }
    async_table<teller>& async_clerks() { return *async_; }
    tablemap::table<dynamic_entity>& raw() { return *raw_; }

    static teller don() { return {.department = "S", .id = 1, .email = "don@x", .name = "Hall"}; }
    static constexpr char const* name_row = "name_Hall !_id_001";

    std::vector<std::string> rows() {
        std::vector<std::string> keys;
        for (auto const& e : raw().query(partition("S"))) keys.push_back(e.value.row_key);
        return keys;
    }

    /// The number of requests since the last call.
    std::size_t requests() {
        auto const count = seen->requests.size();
        seen->requests.clear();
        return count;
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();

private:
    store_ptr watched_{};
    std::optional<tablemap::table<teller>> clerks_{};
    std::optional<async_table<teller>> async_{};
    std::optional<tablemap::table<dynamic_entity>> raw_{};
};
TABLEMAP_ON_EVERY_STORE(table_indexes);

TEST_P(table_indexes, rows_follow_their_entity) {
    auto e = clerks().insert(don());
    EXPECT_EQ(requests(), 1u);
    EXPECT_THAT(rows(), UnorderedElementsAre("email_don@x", "id_001", name_row));
    EXPECT_EQ(clerks().find("S", 1)->etag, e.etag);
    requests();
    e.value.email = "new@x";
    clerks().replace(e);
    EXPECT_EQ(requests(), 3u);
    EXPECT_THAT(rows(), UnorderedElementsAre("email_new@x", "id_001", name_row));
    e.value.email.reset();
    clerks().replace(e);
    EXPECT_THAT(rows(), UnorderedElementsAre("id_001", name_row));
    clerks().erase(e);
    EXPECT_TRUE(rows().empty());
}

TEST_P(table_indexes, a_change_of_what_rows_hold_reaches_them) {
    clerks().insert(don());
    clerks().modify({"S", 1}, [](teller& c) { c.name = "Cao"; });
    EXPECT_EQ(*raw().find("S", "email_don@x")->value.try_get<std::string>("name"), "Cao");
    EXPECT_THAT(rows(), UnorderedElementsAre("email_don@x", "id_001", "name_Cao !_id_001"));
}

TEST_P(table_indexes, a_taken_unique_value_is_refused_and_nothing_is_applied) {
    clerks().insert(don());
    auto other = clerks().insert({.department = "S", .id = 2, .name = "Cao"});
    auto const before = rows();
    auto const r = clerks().try_insert({.department = "S", .id = 3, .email = "don@x"});
    ASSERT_TRUE(failed_with(r, library_errc::unique_value_taken));
    EXPECT_EQ(r.error().details().member, "by_email");
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    other.value.email = "don@x";
    EXPECT_TRUE(failed_with(clerks().try_replace(other), library_errc::unique_value_taken));
    EXPECT_EQ(rows(), before);
}

TEST_P(table_indexes, an_entity_that_is_there_is_not_taken_for_a_unique_value) {
    clerks().insert(don());
    EXPECT_TRUE(failed_with(clerks().try_insert(don()), service_errc::entity_already_exists));
}

TEST_P(table_indexes, rows_that_are_missing_are_left_out_or_made) {
    auto e = clerks().insert(don());
    raw().erase_any({"S", "email_don@x"});
    raw().erase_any({"S", name_row});
    e.value.name = "Cao";
    clerks().replace(e);
    EXPECT_THAT(rows(), UnorderedElementsAre("email_don@x", "id_001", "name_Cao !_id_001"));
    EXPECT_EQ(clerks().find("S", 1)->etag, e.etag);
    raw().erase_any({"S", "email_don@x"});
    clerks().erase(e);
    EXPECT_TRUE(rows().empty());
}

TEST_P(table_indexes, a_stale_etag_is_refused) {
    auto first = clerks().insert(don());
    auto second = first;
    first.value.email = "first@x";
    clerks().replace(first);
    second.value.email = "second@x";
    EXPECT_TRUE(failed_with(clerks().try_replace(second), service_errc::update_condition_not_satisfied));
    EXPECT_TRUE(failed_with(clerks().try_erase(second), service_errc::update_condition_not_satisfied));
}

TEST_P(table_indexes, writes_whether_or_not_the_entity_is_there_keep_them_too) {
    clerks().upsert_replace(don());
    auto moved = don();
    moved.email = "new@x";
    clerks().upsert_merge(moved);
    EXPECT_THAT(rows(), UnorderedElementsAre("email_new@x", "id_001", name_row));
    EXPECT_TRUE(clerks().erase_any({"S", 1}));
    EXPECT_FALSE(clerks().erase_any({"S", 1}));
    EXPECT_TRUE(rows().empty());
}

TEST_P(table_indexes, an_asynchronous_table_keeps_them_as_a_blocking_one_does) {
    namespace asio = boost::asio;
    auto& t = async_clerks();
    auto const first = don();
    auto e = t.insert(first, asio::use_future).get();
    EXPECT_EQ(requests(), 1u);
    e.value.note = "new";
    t.merge(e, only<&teller::note>, asio::use_future).get();
    EXPECT_EQ(requests(), 1u);
    e.value.email = "new@x";
    t.replace(e, asio::use_future).get();
    t.modify(
         {"S", 1}, [](teller& c) { c.name = "Cao"; }, asio::use_future)
        .get();
    EXPECT_EQ(requests(), 6u);
    EXPECT_THAT(rows(), UnorderedElementsAre("email_new@x", "id_001", "name_Cao !_id_001"));
    teller const second{.department = "S", .id = 2, .email = "new@x"};
    EXPECT_THROW(t.insert(second, asio::use_future).get(), error);
    EXPECT_TRUE(t.erase_any({"S", 1}, asio::use_future).get());
    EXPECT_TRUE(rows().empty());
}

}  // namespace
}  // namespace tablemap::test
