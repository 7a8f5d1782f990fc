// SPDX-License-Identifier: Apache-2.0
#include "support/endless_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/table_with_copies.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tablemap::test {
namespace {

struct owner {
    std::string town{};
    std::int32_t id{};
    std::string name{};
};
struct house {
    std::string town{};
    std::int32_t number{};
    std::int32_t owner{};
    std::string owner_name{};
};

}  // namespace
}  // namespace tablemap::test

namespace tablemap {

template <> struct mapping<test::owner> {
    static constexpr auto partition_key = key(part<&test::owner::town>);
    static constexpr auto row_key = key("owner_", part<&test::owner::id>.width(4));
};
template <> struct mapping<test::house> {
    static constexpr auto partition_key = key(part<&test::house::town>);
    static constexpr auto row_key = key("house_", part<&test::house::number>.width(4));
    static constexpr auto copies = tablemap::copies(copies_of<test::owner>(
        linked<&test::house::owner, &test::owner::id>, copied<&test::house::owner_name, &test::owner::name>));
};

}  // namespace tablemap

namespace tablemap::test {
namespace {

class endless_copies : public ::testing::TestWithParam<std::size_t> {
protected:
    endless_copies() { table<owner>{store, "Town"}.create(); }

    std::shared_ptr<endless_store> store =
        std::make_shared<endless_store>(value_or_throw(open_embedded({.path = ":memory:"})), GetParam());
    table_with_copies<owner, house> town{store, "Town"};
    call_options twenty{.empty_pages = 20};
};

TEST_P(endless_copies, end_their_repair) {
    auto const r = town.try_refresh_copies(partition(std::string{"A"}), twenty);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_LE(store->pages(), 20u);
}

TEST_P(endless_copies, end_a_change_of_what_is_copied) {
    table<owner>{store, "Town"}.insert({"A", 7, "Ann"});
    auto const r = town.try_modify<owner>(
        {"A", 7}, [](owner& o) { o.name = "Eva"; }, {}, twenty);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_LE(store->pages(), 20u);
}

INSTANTIATE_TEST_SUITE_P(of_a_circle, endless_copies, ::testing::Values(3u));
INSTANTIATE_TEST_SUITE_P(of_new_places, endless_copies, ::testing::Values(no_place_twice));

}  // namespace
}  // namespace tablemap::test
