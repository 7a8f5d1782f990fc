// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/latest.hpp"

namespace tablemap::test {
namespace {

struct claim {
    std::string employee{};
    ticks at{};
    std::int32_t number{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::claim> {
    static constexpr auto partition_key = key(part<&test::claim::employee>);
    static constexpr auto row_key =
        key("claim_", part<&test::claim::at>.descending(), "_", part<&test::claim::number>.width(6));
};

namespace tablemap::test {
namespace {

TEST(log_tail_page, says_how_many_requests_an_operation_takes) {
    auto const seen = std::make_shared<keeping_observer>();
    table<claim> const claims{with_observer(value_or_throw(open_embedded({.path = ":memory:"})), seen), "Claims"};
    claims.create();
    auto const t = ticks::min();
    std::vector<claim> many;
    for (std::int32_t i = 0; i < 2500; ++i) many.push_back({"u1", t, i});
    ASSERT_TRUE(claims.insert_many(many).complete());
    auto const u1 = partition("u1");
    expect_requests("patterns/log-tail.md", *seen,
                    {{R"(latest(claims, partition("u1"), 10))", [&] { latest(claims, u1, 10); }},
                     {R"(latest(claims, partition("u1"), 10, since(t)))", [&] { latest(claims, u1, 10, since(t)); }},
                     {R"(latest(claims, partition("u1"), 0))", [&] { latest(claims, u1, 0); }},
                     {"`latest` of 2,500 entries", [&] { EXPECT_EQ(latest(claims, u1, 2500).size(), 2500u); }},
                     {"`latest` of a list of two partitions",
                      [&] {
                          latest(claims, std::vector{u1, partition("u2")}, 10);
                      }},
                     {R"(`newest_first(claims, partition("u1"))`, read to the end of 2,500 entries)",
                      [&] {
                          std::size_t rows = 0;
                          for ([[maybe_unused]] auto const& e : newest_first(claims, u1)) ++rows;
                          EXPECT_EQ(rows, 2500u);
                      }},
                     {"inserting an entry", [&] {
                          claims.insert({"u2", t, 1});
                      }}});
}

}  // namespace
}  // namespace tablemap::test
