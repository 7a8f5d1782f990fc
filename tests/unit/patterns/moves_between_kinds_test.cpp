// SPDX-License-Identifier: Apache-2.0
#include "tablemap/patterns/moves.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

/// Moves back and forth, to types that refuse values, and out of tables of several types.
namespace tablemap::test {
namespace {

/// Moves from one office to another.
struct courier {
    std::string office{};
    std::int32_t id{};
    std::string name{};
    std::optional<guid> arriving{};
};

struct depot {
    std::string office{};
    std::string street{};
};

using courier_or_depot = std::variant<courier, depot>;

/// Its initial is computed, and cannot be of "Don".
struct retiree {
    std::int32_t id{};
    std::string name{};
    std::optional<guid> arriving{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::courier> {
    using t = tablemap::test::courier;
    static constexpr auto partition_key = key(part<&t::office>);
    static constexpr auto row_key = key("courier_", part<&t::id>.width(6));
    static constexpr auto discriminator = tablemap::discriminator("Kind", "courier");
    static constexpr auto move_mark = &t::arriving;
};
template <> struct tablemap::mapping<tablemap::test::depot> {
    static constexpr auto partition_key = key(part<&test::depot::office>);
    static constexpr auto row_key = key("depot");
    static constexpr auto discriminator = tablemap::discriminator("Kind", "depot");
};
template <> struct tablemap::mapping<tablemap::test::retiree> {
    using t = tablemap::test::retiree;
    static constexpr auto partition_key = key("retirees");
    static constexpr auto row_key = key("r_", part<&t::id>.width(6));
    static constexpr auto members = tablemap::members(computed("Initial", [](t const& v) {
        if (v.name == "Don") throw std::runtime_error{"has no initial"};
        return v.name.substr(0, 1);
    }));
    static constexpr auto move_mark = &t::arriving;
};

namespace tablemap::test {
namespace {

using testing::faulty_store;
using ::testing::HasSubstr;

class moves_between_kinds : public ::testing::Test {
protected:
    void SetUp() override {
        couriers.create();
        retirees.create();
    }

    /// Commits that a courier of Ulm is to be moved.
    template <class To> void commit(std::int32_t id, move_to<To> order) {
        auto row = *couriers.find("Ulm", id);
        auto t = couriers.transaction();
        t.replace(row);
        outbox<courier, move_to<To>>{couriers}.commit(t, order);
    }
    relay_report send_to_bonn() const {
        return relay{outbox<courier, move_to<courier>>{couriers}, options,
                     on_move(couriers,
                             [](courier const& c) {
                                 return courier{"Bonn", c.id, c.name};
                             })}
            .run_once(partition("Ulm"));
    }
    relay_report retire() const {
        return relay{outbox<courier, move_to<retiree>>{couriers}, options,
                     on_move(retirees, [](courier const& c) { return retiree{.id = c.id, .name = c.name}; })}
            .run_once(partition("Ulm"));
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<courier> couriers{store, "Couriers"};
    table<retiree> retirees{store, "Retirees"};
    relay_options options{.attempts = 2, .retry_wait = std::chrono::milliseconds{0}};
    guid const earlier_move = guid::from_random(1, 2);
};

TEST_F(moves_between_kinds, of_a_row_that_is_tentative_wait_until_it_has_arrived) {
    couriers.insert({"Ulm", 1, "Don", earlier_move});
    commit(1, move_to<courier>{"Bonn", 1});
    auto const early = send_to_bonn();
    ASSERT_EQ(early.failed, 1U);
    EXPECT_THAT(early.last_failure->what(), HasSubstr("has not arrived here yet"));
    EXPECT_FALSE(couriers.find("Bonn", 1));
    couriers.modify({"Ulm", 1}, [](courier& c) { c.arriving.reset(); });
    EXPECT_EQ(send_to_bonn().applied, 1U);
    EXPECT_FALSE(couriers.find("Ulm", 1));
    EXPECT_FALSE(is_tentative(*couriers.find("Bonn", 1)));
}

TEST_F(moves_between_kinds, find_the_entity_at_the_other_place_while_the_first_is_tentative) {
    couriers.insert({"Ulm", 1, "Don", earlier_move});
    couriers.insert({"Bonn", 1, "Don", {}});
    auto const found = moves{couriers, couriers}.find({"Ulm", 1}, {"Bonn", 1});
    EXPECT_FALSE(found.source);
    ASSERT_TRUE(found.target);
    EXPECT_EQ(found.target->value.office, "Bonn");
}

TEST_F(moves_between_kinds, find_a_tentative_row_if_there_is_no_other) {
    couriers.insert({"Ulm", 1, "Don", earlier_move});
    auto const found = moves{couriers, couriers}.find({"Ulm", 1}, {"Bonn", 1});
    EXPECT_FALSE(found.target);
    ASSERT_TRUE(found.source);
    EXPECT_TRUE(is_tentative(*found.source));
}

TEST_F(moves_between_kinds, find_an_entity_that_comes_back_between_the_reads) {
    couriers.insert({"Bonn", 1, "Don", {}});
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->act_before(
        [&](class store&) {
            couriers.erase_any({"Bonn", 1});
            couriers.insert({"Ulm", 1, "Don", {}});
        },
        1);
    table<courier> const read{faulty, "Couriers"};
    auto const found = moves{read, read}.find({"Ulm", 1}, {"Bonn", 1});
    EXPECT_TRUE(found.source);
    EXPECT_FALSE(found.target);
}

TEST_F(moves_between_kinds, find_nothing_where_nothing_is) {
    auto const found = moves{couriers, couriers}.find({"Ulm", 1}, {"Bonn", 1});
    EXPECT_FALSE(found.source || found.target);
}

TEST_F(moves_between_kinds, fail_alone_if_the_mapping_of_the_new_type_throws) {
    couriers.insert({"Ulm", 1, "Don", {}});
    couriers.insert({"Ulm", 2, "Eve", {}});
    commit(1, move_to<retiree>{1});
    commit(2, move_to<retiree>{2});
    auto const first = retire();
    ASSERT_EQ(first.failed, 1U);
    EXPECT_EQ(first.applied, 1U);
    EXPECT_THAT(first.last_failure->server_text(), HasSubstr("has no initial"));
    EXPECT_EQ(retire().parked, 1U);
    EXPECT_TRUE(couriers.find("Ulm", 1));
    EXPECT_EQ(retirees.find(2)->value.name, "Eve");
}

TEST_F(moves_between_kinds, take_an_entity_out_of_a_table_of_several_types) {
    table<courier_or_depot> const both{store, "Couriers"};
    couriers.insert({"Ulm", 1, "Eve", {}});
    outbox<courier_or_depot, move_to<retiree>> const box{both};
    auto t = both.transaction();
    auto eve = *both.find(key_of<courier>{"Ulm", 1});
    t.replace(eve);
    box.commit(t, move_to<retiree>{1});
    relay const r{box, on_move(retirees, [](courier_or_depot const& v) {
                      auto const& c = std::get<courier>(v);
                      return retiree{.id = c.id, .name = c.name};
                  })};
    EXPECT_EQ(r.run_once(partition("Ulm")).applied, 1U);
    EXPECT_EQ(retirees.find(1)->value.name, "Eve");
    EXPECT_FALSE(couriers.find("Ulm", 1));
}

}  // namespace
}  // namespace tablemap::test
