// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/table.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// The requests of `find_by`, and its use of the responses.

namespace tablemap::test {
namespace {

struct clerk {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::int32_t room{};
    bool active{};

    friend bool operator==(clerk const&, clerk const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::clerk> {
    using clerk = test::clerk;
    static constexpr auto partition_key = key(part<&clerk::department>);
    static constexpr auto row_key = key("id_", part<&clerk::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(unique_index<"by_email">(key("email_", part<&clerk::email>)),
                                                      unique_index<"by_room">(key("room_", part<&clerk::room>.width(3)))
                                                          .include<&clerk::email>()
                                                          .where(&clerk::active));
};

namespace tablemap::test {
namespace {

using testing::answer_row;
using testing::exchange;
using testing::response_failure;

std::string row(std::string const& row_key, clerk const& c) {
    return R"({"odata.etag":"W/\"of a row\"","PartitionKey":"Sales","RowKey":")" + row_key + R"(","id":)" +
           std::to_string(c.id) + R"(,"email":")" + c.email + R"(","room":)" + std::to_string(c.room) +
           R"(,"active":)" + (c.active ? "true" : "false") + "}";
}
std::string base_row(clerk const& c) {
    return R"({"PartitionKey":"Sales","RowKey":"id_)" + std::string(4 - std::to_string(c.id).size(), '0') +
           std::to_string(c.id) + R"(","email":")" + c.email + R"(","room":)" + std::to_string(c.room) +
           R"(,"active":)" + (c.active ? "true" : "false") + "}";
}
/// The contents of a row of `by_room`.
std::string room_row(std::int32_t id) {
    return R"({"PartitionKey":"Sales","RowKey":"room_007","id":)" + std::to_string(id) + R"(,"email":"a@x","room":7})";
}
response absent() { return response_failure(service_errc::resource_not_found); }

clerk const don{"Sales", 12, "a@x", 7, true};

class look_up : public ::testing::Test {
protected:
    table<clerk> with(std::vector<exchange> script) {
        store_ = std::make_shared<testing::scripted_store>(std::move(script));
        return {store_, "Clerks"};
    }
    void TearDown() override { EXPECT_EQ(store_->complaints(), std::vector<std::string>{}); }

    std::shared_ptr<testing::scripted_store> store_;
};

TEST_F(look_up, reads_a_whole_copy_in_one_request_and_gives_it_no_etag) {
    auto const t = with({{"find Clerks [Sales] [email_a@x]", answer_row(row("email_a@x", don), "W/\"of a row\"")}});
    auto const found = t.find_by<"by_email">("Sales", "a@x");
    EXPECT_EQ(found->value, don);
    EXPECT_TRUE(found->etag.empty());
}

TEST_F(look_up, finds_nothing_where_the_index_has_no_row) {
    auto const t = with({{"find Clerks [Sales] [email_b@x]", absent()}, {"find Clerks [Sales] [room_008]", absent()}});
    EXPECT_EQ(t.find_by<"by_email">("Sales", "b@x"), std::nullopt);
    EXPECT_EQ(t.find_by<"by_room">("Sales", 8), std::nullopt);
}

TEST_F(look_up, follows_a_row_of_some_members_to_the_entity) {
    auto const t = with({{"find Clerks [Sales] [room_007]", answer_row(room_row(12), "W/\"1\"")},
                         {"find Clerks [Sales] [id_0012]", answer_row(base_row(don), "W/\"2\"")}});
    auto const found = t.find_by<"by_room">({"Sales", 7});
    EXPECT_EQ(found->value, don);
}

TEST_F(look_up, looks_again_when_the_entity_moved_between_the_reads) {
    auto moved = don;
    moved.room = 8;
    clerk const other{"Sales", 13, "b@x", 7, true};
    auto const t = with({{"find Clerks [Sales] [room_007]", answer_row(room_row(12), "W/\"1\"")},
                         {"find Clerks [Sales] [id_0012]", answer_row(base_row(moved), "W/\"2\"")},
                         {"find Clerks [Sales] [room_007] current", answer_row(room_row(13), "W/\"3\"")},
                         {"find Clerks [Sales] [id_0013] current", answer_row(base_row(other), "W/\"4\"")}});
    EXPECT_EQ(t.find_by<"by_room">("Sales", 7)->value, other);
}

TEST_F(look_up, takes_a_row_that_stays_out_of_step_for_none) {
    auto retired = don;
    retired.active = false;
    auto const index = answer_row(room_row(12), "W/\"1\"");
    auto const t = with({{"find Clerks [Sales] [room_007]", index},
                         {"find Clerks [Sales] [id_0012]", absent()},
                         {"find Clerks [Sales] [room_007] current", index},
                         {"find Clerks [Sales] [id_0012] current", answer_row(base_row(retired), "W/\"2\"")},
                         {"find Clerks [Sales] [room_007] current", index},
                         {"find Clerks [Sales] [id_0012] current", answer_row(base_row(retired), "W/\"2\"")}});
    EXPECT_EQ(t.find_by<"by_room">("Sales", 7), std::nullopt);
}

TEST_F(look_up, reports_what_failed_and_on_which_table) {
    auto const refused = response_failure(service_errc::authorization_failure);
    auto const t = with({{"find Clerks [Sales] [room_007]", answer_row(room_row(12), "W/\"1\"")},
                         {"find Clerks [Sales] [id_0012]", refused},
                         {"find Clerks [Sales] [email_a@x]", refused}});
    auto const by_room = t.try_find_by<"by_room">({"Sales", 7});
    auto const by_email = t.try_find_by<"by_email">({"Sales", "a@x"});
    for (auto const* r : {&by_room, &by_email}) {
        EXPECT_EQ(r->error().code(), service_errc::authorization_failure);
        EXPECT_EQ(r->error().table(), "Clerks");
        EXPECT_NE(std::string{r->error().what()}.find("find_by"), std::string::npos);
    }
}

TEST_F(look_up, sends_nothing_for_a_key_that_cannot_be_made) {
    auto const t = with({});
    EXPECT_EQ(t.try_find_by<"by_email">({"Sales", "a/b"}).error().member(), "email");
    EXPECT_EQ(t.try_find_by<"by_room">({"Sales", 1000}).error().member(), "room");
}

TEST_F(look_up, tells_what_a_row_lacks_that_should_be_a_whole_copy) {
    auto const t = with({{"find Clerks [Sales] [email_a@x]",
                          answer_row(R"({"PartitionKey":"Sales","RowKey":"email_a@x","id":"twelve"})", "W/\"1\"")}});
    EXPECT_EQ(t.try_find_by<"by_email">({"Sales", "a@x"}).error().code(), library_errc::type_mismatch);
}

}  // namespace
}  // namespace tablemap::test
