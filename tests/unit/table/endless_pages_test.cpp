// SPDX-License-Identifier: Apache-2.0
#include "support/endless_store.hpp"
#include "support/indexed_samples.hpp"

#include "tablemap/embedded/store.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tablemap::test {
namespace {

struct note {
    std::string book{};
    std::string title{};
};
void leave_as_it_is(dynamic_entity&) {}

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::note> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "note");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&test::leave_as_it_is));
    static constexpr auto partition_key = key(part<&test::note::book>);
    static constexpr auto row_key = key(part<&test::note::title>);
};

namespace tablemap::test {
namespace {

/// Once with a store that names three places by turns, once with one that names new places for ever.
class endless_pages : public ::testing::TestWithParam<std::size_t> {
protected:
    endless_pages() { workers.create(); }

    /// The error that a call ended with, and few pages before it.
    template <class Result> void expect_end(Result const& r) const {
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), library_errc::malformed_response);
        EXPECT_LE(store->pages(), 20u);
    }

    std::shared_ptr<endless_store> store =
        std::make_shared<endless_store>(value_or_throw(open_embedded({.path = ":memory:"})), GetParam());
    table<worker> workers{store, "Workers"};
    call_options twenty{.empty_pages = 20};
};

TEST_P(endless_pages, end_an_erase) {
    auto const report = workers.erase_where(workers.scan(), {}, twenty);
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), library_errc::malformed_response);
    EXPECT_LE(store->pages(), 20u);
}

TEST_P(endless_pages, end_a_rebuild_of_indexes) { expect_end(workers.try_rebuild_indexes({}, twenty)); }

TEST_P(endless_pages, end_a_migration) { expect_end(table<note>{store, "Workers"}.try_migrate({}, twenty)); }

INSTANTIATE_TEST_SUITE_P(of_a_circle, endless_pages, ::testing::Values(3u));
INSTANTIATE_TEST_SUITE_P(of_new_places, endless_pages, ::testing::Values(no_place_twice));

}  // namespace
}  // namespace tablemap::test
