// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/write_encoder.hpp"

#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap {
namespace {

struct ticket {
    std::string department{};
    std::string title{};
    guid id{};
    guid batch{};
};

/// One whose keys hold a guid that is not generated, too, and in two places one that is.
struct passage {
    guid place{};
    guid id{};
};

}  // namespace

template <> struct mapping<ticket> {
    static constexpr auto partition_key = key(part<&ticket::department>);
    static constexpr auto row_key = key("t_", part<&ticket::id>.generated());
};
template <> struct mapping<passage> {
    static constexpr auto partition_key = key(part<&passage::id>.generated());
    static constexpr auto row_key = key(part<&passage::place>, part<&passage::id>.generated());
};

namespace test {
namespace {

template <class T> detail::encoded_write encode(write_kind kind, T& value) {
    testing::fixed_clock clock;
    return detail::write_encoder<T>{false, clock, nullptr}.whole(kind, value, {});
}

TEST(generated_part, is_filled_where_it_is_nil) {
    ticket t{.department = "Sales", .title = "a", .id = {}, .batch = {}};
    auto const w = encode(write_kind::insert, t);
    EXPECT_NE(t.id, guid{});
    EXPECT_EQ(t.batch, guid{});
    EXPECT_EQ(w.entity.row_key, "t_" + t.id.text());
    EXPECT_TRUE(w.key_is_new);
}

TEST(generated_part, keeps_the_value_that_it_has) {
    auto const id = guid::from_random(1, 2);
    ticket t{.department = "Sales", .title = "a", .id = id, .batch = {}};
    auto const w = encode(write_kind::insert, t);
    EXPECT_EQ(t.id, id);
    EXPECT_FALSE(w.key_is_new);
}

TEST(generated_part, is_not_filled_for_an_entity_that_exists) {
    ticket t{.department = "Sales", .title = "a", .id = {}, .batch = {}};
    auto const w = encode(write_kind::replace, t);
    EXPECT_EQ(t.id, guid{});
    EXPECT_FALSE(w.key_is_new);
}

TEST(generated_part, has_one_value_in_both_keys) {
    passage p{};
    auto const w = encode(write_kind::upsert_replace, p);
    EXPECT_EQ(p.place, guid{});
    EXPECT_EQ(w.entity.partition_key, p.id.text());
    EXPECT_EQ(w.entity.row_key, guid{}.text() + p.id.text());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
