// SPDX-License-Identifier: Apache-2.0
#include "tablemap/bulk/bulk_ledger.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

namespace tablemap::test {
namespace {

bulk_ledger ledger_of(std::vector<row_state> const& rows) {
    bulk_ledger l;
    for (auto const s : rows) l.set(l.add_row(), s);
    return l;
}

TEST(bulk_ledger, counts_how_rows_ended) {
    using enum row_state;
    auto const l = ledger_of({stored, stored, failed, not_sent, in_doubt, stored});
    EXPECT_EQ(l.rows(), 6u);
    EXPECT_EQ(l.count(stored), 3u);
    EXPECT_EQ(l.count(not_sent), 1u);
    EXPECT_EQ(l.state(2), failed);
    EXPECT_EQ(l.state(4), in_doubt);
    EXPECT_EQ(l.state(6), not_sent) << "beyond the end";
    EXPECT_FALSE(l.complete());
    EXPECT_TRUE(ledger_of({stored, stored}).complete());
}

TEST(bulk_ledger, is_short_text_where_neighbours_ended_alike) {
    using enum row_state;
    EXPECT_EQ(ledger_of({stored, stored, failed, not_sent, in_doubt}).text(), "1s2f1n1d1.5");
    EXPECT_EQ(ledger_of(std::vector<row_state>(100'000, stored)).text(), "1s100000.100000");
    EXPECT_EQ(bulk_ledger{}.text(), "1.0");
}

TEST(bulk_ledger, comes_back_from_its_text) {
    random_source random;
    for (int i = 0; i < 200; ++i) {
        bulk_ledger l;
        for (auto n = random.below(300); n > 0; --n) l.set(l.add_row(), static_cast<row_state>(random.below(4)));
        auto const again = bulk_ledger::parse(l.text());
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, l);
    }
}

TEST(bulk_ledger, that_is_open_has_in_doubt_what_had_not_ended_and_what_came_after) {
    using enum row_state;
    auto l = ledger_of({stored, not_sent, failed, in_doubt, not_sent});
    l.leave_open();
    EXPECT_TRUE(l.is_open());
    EXPECT_EQ(l.text(), "1s1d1f1d2+5");
    EXPECT_EQ(l.count(not_sent), 0u);
    EXPECT_EQ(l.count(in_doubt), 3u);
    EXPECT_EQ(l.state(5), in_doubt);
    EXPECT_FALSE(l.complete());
    auto whole = ledger_of({stored, stored});
    whole.leave_open();
    EXPECT_FALSE(whole.complete()) << "more rows may have come";
}

TEST(bulk_ledger, that_is_open_comes_back_from_its_text) {
    random_source random;
    for (int i = 0; i < 100; ++i) {
        bulk_ledger l;
        for (auto n = random.below(200); n > 0; --n) l.set(l.add_row(), static_cast<row_state>(random.below(4)));
        l.leave_open();
        auto const again = bulk_ledger::parse(l.text());
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, l);
        EXPECT_TRUE(again->is_open());
    }
}

TEST(bulk_ledger, asks_for_no_memory_before_it_has_read_all_of_a_text) {
    for (auto const* text : {"1s4294967297.4294967297", "1s4294967296n4294967296.8589934592", "1s4294967296",
                             "1s4294967296.1", "1s4294967296.4294967296 "})
        EXPECT_TRUE(failed_with(bulk_ledger::parse(text), library_errc::invalid_ledger)) << text;
    EXPECT_EQ(bulk_ledger::parse("1s100000000d3.100000003")->count(row_state::in_doubt), 3u);
}

TEST(bulk_ledger, refuses_text_that_is_none) {
    for (auto const* text : {"", "1", "2s1.1", "1s2.1", "1s2", "1x2.2", "1s.0", "1s-1.0", "1s2.2 ",
                             "1s99999999999999999999.1", "1s1000000000000000.1000000000000000"})
        EXPECT_TRUE(failed_with(bulk_ledger::parse(text), library_errc::invalid_ledger)) << text;
    auto const whole = ledger_of(std::vector<row_state>(123, row_state::stored)).text();
    for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(bulk_ledger::parse(whole.substr(0, n))) << n;
}

}  // namespace
}  // namespace tablemap::test
