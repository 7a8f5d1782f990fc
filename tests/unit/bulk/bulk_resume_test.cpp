// SPDX-License-Identifier: Apache-2.0
#include "support/bulk_rows.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"

namespace tablemap::test {
namespace {

/// A row with a key of which a part is generated.
struct bulk_ticket {
    std::string partition{};
    guid id{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::bulk_ticket> {
    static constexpr auto partition_key = key(part<&test::bulk_ticket::partition>);
    static constexpr auto row_key = key("t_", part<&test::bulk_ticket::id>.generated());
};

namespace tablemap::test {
namespace {

class bulk_resume : public ::testing::Test {
protected:
    bulk_resume() { items.create(); }

    /// Rows of one partition, of which the first are in the table.
    std::vector<bulk_item> rows(int count, int stored) const {
        std::vector<bulk_item> all;
        for (int i = 0; i < count; ++i) all.push_back({"p", std::to_string(100 + i), i});
        for (int i = 0; i < stored; ++i) items.insert(all[static_cast<std::size_t>(i)]);
        return all;
    }
    bulk_report resume(std::vector<bulk_item> const& source, std::string const& ledger, call_options const& o = {}) {
        return items.insert_many(source, {.resume = value_or_throw(bulk_ledger::parse(ledger))}, o);
    }

    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    table<bulk_item> items{memory, "Items"};
};

TEST_F(bulk_resume, a_second_interruption_forgets_no_row_that_was_stored) {
    auto const source = rows(5, 3);
    std::stop_source stop;
    stop.request_stop();
    auto const second = resume(source, "1s3n1d1.5", {.stop = stop.get_token()});
    ASSERT_TRUE(second.ended_by);
    EXPECT_EQ(second.ledger.text(), "1s3n1d1.5");
    EXPECT_EQ(second.totals.rows, 0u) << "none was read";
    auto const third = resume(source, second.ledger.text());
    EXPECT_TRUE(third.complete());
    EXPECT_EQ(third.totals.stored_before, 3u);
}

TEST_F(bulk_resume, rows_in_doubt_are_not_stored_twice_under_generated_keys) {
    table<bulk_ticket> const tickets{memory, "Items"};
    std::vector<bulk_ticket> const source{
        {"p", {}}, {"p", {}}, {"p", *guid::parse("00112233-4455-6677-8899-aabbccddeeff")}};
    auto const report = tickets.insert_many(source, {.resume = value_or_throw(bulk_ledger::parse("1d1n1d1.3"))});
    EXPECT_EQ(report.ledger.text(), "1d1s2.3") << "the third has a key of its own";
    ASSERT_EQ(report.problems.size(), 1u);
    EXPECT_EQ(report.problems[0].error.outcome(), outcome::in_doubt);
    EXPECT_EQ(report.problems[0].key, entity_key{});
    EXPECT_EQ(tickets.query(partition("p")).count(), 2u);
}

TEST_F(bulk_resume, a_source_with_fewer_rows_than_the_ledger_is_another_one) {
    auto const report = resume(rows(2, 2), "1s5.5");
    EXPECT_EQ(report.ledger.text(), "1s5.5");
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), library_errc::invalid_ledger);
    EXPECT_FALSE(report.complete());
}

// ---- ledgers of a program that was killed
// ----------------------------------------------------------------------------

TEST_F(bulk_resume, every_ledger_that_was_handed_out_loses_no_row) {
    auto const source = rows(40, 0);
    std::vector<std::string> saved{"1+0"};
    bulk_options options;
    options.ledger_every = 1;
    options.on_ledger = [&](bulk_ledger const& l) { saved.push_back(l.text()); };
    EXPECT_TRUE(items.insert_many(source, options).complete());
    for (auto const& ledger : saved) {
        // Killed right after that: all of them are there, or only what the ledger has as stored.
        auto const report = resume(source, ledger);
        EXPECT_EQ(report.totals.failed, 0u) << ledger << ": its own rows are not others'";
        EXPECT_EQ(report.totals.stored + report.totals.in_doubt, 40u);
        auto const known = value_or_throw(bulk_ledger::parse(ledger));
        for (std::size_t i = 0; i < 40; ++i)
            if (known.state(i) != row_state::stored) items.erase_any({"p", source[i].row});
        EXPECT_TRUE(resume(source, ledger).complete()) << ledger;
        EXPECT_EQ(items.scan().count(), 40u);
    }
}

TEST_F(bulk_resume, a_write_that_goes_on_from_an_open_ledger_and_ends_early_leaves_it_open) {
    auto const source = rows(5, 3);
    std::stop_source stop;
    stop.request_stop();
    auto const second = resume(source, "1s2d1+3", {.stop = stop.get_token()});
    ASSERT_TRUE(second.ended_by);
    EXPECT_EQ(second.ledger.text(), "1s2d1+3");
    auto const third = resume(source, second.ledger.text());
    EXPECT_EQ(third.ledger.text(), "1s2d1s2.5") << "the third was there, by whomever";
}

}  // namespace
}  // namespace tablemap::test
