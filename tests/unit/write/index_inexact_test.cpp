// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

// Values that read back as others: only what is stored counts for the rows of indexes.
namespace tablemap {
namespace {

/// Stored without its trailing blanks; "!" is not stored, but read.
struct nickname {
    std::string text{};
};

struct player {
    std::string team{};
    std::int32_t id{};
    nickname nick{};
    std::string mail{};
};

struct visit {
    std::string day{};
    std::int32_t id{};
    std::chrono::sys_time<std::chrono::microseconds> at{};
};

}  // namespace

template <> struct converter<nickname> {
    using stored = std::string;
    static result<stored> to_property(nickname const& n) {
        if (n.text == "!") return fail(library_errc::value_out_of_range);
        return n.text.substr(0, n.text.find_last_not_of(' ') + 1);
    }
    static nickname from_property(stored const& text) { return {text}; }
};

template <> struct mapping<player> {
    static constexpr auto partition_key = key(part<&player::team>);
    static constexpr auto row_key = key("id_", part<&player::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_mail">(key("mail_", part<&player::mail>)).include<&player::nick>().where([](player const& p) {
            return !p.nick.text.empty();
        }));
};

template <> struct mapping<visit> {
    static constexpr auto partition_key = key(part<&visit::day>);
    static constexpr auto row_key = key("id_", part<&visit::id>.width(3));
    static constexpr auto indexes = tablemap::indexes(index<"by_time">(key("at_", part<&visit::at>)));
};

namespace test {
namespace {

static_assert(!detail::index_set_of<player>.exact);
static_assert(detail::index_set_of<visit>.exact);

class index_of_inexact_values : public ::testing::Test {
protected:
    index_of_inexact_values() { players.create(); }

    std::vector<std::string> rows() {
        std::vector<std::string> keys;
        for (auto const& e : raw.scan()) keys.push_back(e.value.row_key);
        return keys;
    }

    store_ptr const memory = value_or_throw(open_embedded({.path = ":memory:"}));
    table<player> const players{memory, "Players"};
    table<dynamic_entity> const raw{memory, "Players"};
};

TEST_F(index_of_inexact_values, a_condition_sees_what_is_stored) {
    players.insert({"red", 1, {"  "}, "m@x"});
    EXPECT_THAT(rows(), ::testing::ElementsAre("id_001"));
    players.upsert_replace({"red", 1, {" "}, "m@x"});
    players.modify_or_insert({"red", 2, {}, "n@x"}, [](player& p) { p.nick.text = "   "; });
    players.modify({"red", 2}, [](player& p) { p.nick.text = " "; });
    EXPECT_THAT(rows(), ::testing::ElementsAre("id_001", "id_002"));
    EXPECT_EQ(players.verify_indexes().found(), 0u);
}

TEST_F(index_of_inexact_values, a_row_goes_with_its_entity) {
    players.insert({"red", 1, {"ann  "}, "m@x"});
    EXPECT_EQ(players.verify_indexes().found(), 0u);
    players.modify({"red", 1}, [](player& p) { p.nick.text = "  "; });
    players.insert({"red", 2, {"bob"}, "m@x"});
    EXPECT_THAT(rows(), ::testing::ElementsAre("id_001", "id_002", "mail_m@x"));
}

TEST_F(index_of_inexact_values, one_that_cannot_be_written_again_can_be_repaired) {
    players.insert({"red", 1, {"ann"}, "m@x"});
    for (auto const* key : {"id_001", "mail_m@x"}) {
        auto row = raw.find("red", key).value();
        row.value.set("nick", "!");
        raw.replace(row);
    }
    players.modify({"red", 1}, [](player& p) { p.nick.text = "ann"; });
    EXPECT_EQ(players.find("red", 1)->value.nick.text, "ann");
    EXPECT_EQ(players.verify_indexes().found(), 0u);
}

}  // namespace
}  // namespace test
}  // namespace tablemap
