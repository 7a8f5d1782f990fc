// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include <cmath>
#include <limits>

namespace tablemap::test {
namespace {

class table_values : public seam {
protected:
    /// Inserts a value and returns it as it is read back.
    every_type stored(every_type v) {
        v.partition = "p";
        v.row = "r";
        tablemap::table<every_type> t{shared_store(), table().table()};
        t.upsert_replace(v);
        auto found = t.find("p", "r");
        EXPECT_TRUE(found);
        return found ? found->value : every_type{};
    }

    /// True if a key comes back as it was written, through a point read and through a query.
    void expect_key_comes_back(std::string const& partition, std::string const& row) {
        tablemap::table<every_type> t{shared_store(), table().table()};
        t.insert({.partition = partition, .row = row, .text = partition + "|" + row});
        auto const found = t.find(partition, row);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->value.text, partition + "|" + row);
        std::size_t count = 0;
        for (auto const& e : t.query(tablemap::partition(partition))) {
            EXPECT_EQ(e.value.row, row);
            ++count;
        }
        EXPECT_EQ(count, 1u);
        EXPECT_TRUE(t.erase_any({partition, row}));
    }
};
TABLEMAP_ON_EVERY_STORE(table_values);

TEST_P(table_values, defaults_come_back_and_empty_optionals_stay_empty) {
    auto const v = stored({});
    EXPECT_EQ(v.when, ticks::min());
    EXPECT_EQ(v.maybe_text, std::nullopt);
    EXPECT_EQ(v.maybe_data, std::nullopt);
}

TEST_P(table_values, the_largest_values_come_back) {
    every_type v{.text = std::string(32 * 1024, 'x'),
                 .flag = true,
                 .small = std::numeric_limits<std::int32_t>::max(),
                 .large = std::numeric_limits<std::int64_t>::max(),
                 .real = std::numeric_limits<double>::max(),
                 .when = ticks::max(),
                 .id = guid::from_random(~0ull, ~0ull),
                 .data = bytes(64 * 1024, std::byte{0xFF})};
    auto const back = stored(v);
    v.partition = "p";
    v.row = "r";
    EXPECT_EQ(back, v);
}

TEST_P(table_values, the_smallest_values_come_back) {
    auto const back = stored({.maybe_text = "",
                              .maybe_flag = false,
                              .maybe_small = std::numeric_limits<std::int32_t>::min(),
                              .maybe_large = std::numeric_limits<std::int64_t>::min(),
                              .maybe_real = std::numeric_limits<double>::lowest(),
                              .maybe_when = ticks::min(),
                              .maybe_id = guid{},
                              .maybe_data = bytes{}});
    EXPECT_EQ(back.maybe_text, "");
    EXPECT_EQ(back.maybe_flag, false);
    EXPECT_EQ(back.maybe_small, std::numeric_limits<std::int32_t>::min());
    EXPECT_EQ(back.maybe_large, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(back.maybe_real, std::numeric_limits<double>::lowest());
    EXPECT_EQ(back.maybe_when, ticks::min());
    EXPECT_EQ(back.maybe_id, guid{});
    EXPECT_EQ(back.maybe_data, bytes{});
}

TEST_P(table_values, doubles_that_are_no_numbers_come_back) {
    EXPECT_TRUE(std::isnan(stored({.real = std::numeric_limits<double>::quiet_NaN()}).real));
    EXPECT_EQ(stored({.real = std::numeric_limits<double>::infinity()}).real, std::numeric_limits<double>::infinity());
    EXPECT_EQ(stored({.real = -std::numeric_limits<double>::infinity()}).real,
              -std::numeric_limits<double>::infinity());
}

TEST_P(table_values, every_tick_of_a_time_comes_back) {
    auto const t = ticks::max() - tick_duration{1};
    EXPECT_EQ(stored({.when = t}).when, t);
    EXPECT_EQ(stored({.when = ticks::min() + tick_duration{1}}).when, ticks::min() + tick_duration{1});
}

TEST_P(table_values, text_of_any_script_comes_back) {
    std::string const text =
        "Zo\xC3\xAB \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80 \"quoted\" back\\slash \xEF\xBF\xBF end";
    EXPECT_EQ(stored({.text = text}).text, text);
}

TEST_P(table_values, values_that_the_service_cannot_hold_are_refused_with_their_member) {
    tablemap::table<every_type> t{shared_store(), table().table()};
    auto refused_as = [&](every_type v, library_errc code, char const* member) {
        auto const r = t.try_insert(std::move(v));
        EXPECT_TRUE(failed_with(r, code));
        EXPECT_EQ(r.error().member(), member);
    };
    refused_as({.text = std::string(32 * 1024 + 1, 'x')}, library_errc::value_too_large, "text");
    refused_as({.text = "\xFF"}, library_errc::invalid_text, "text");
    refused_as({.when = ticks::min() - tick_duration{1}}, library_errc::value_out_of_range, "when");
    refused_as({.maybe_data = bytes(64 * 1024 + 1)}, library_errc::value_too_large, "maybe_data");
}

TEST_P(table_values, keys_of_every_legal_kind_come_back) {
    for (std::string const key :
         {"O'Brien", "''", "'", "a b", " a ", "100%", "%25", "a%2Fb", "a+b", "&=,()@:;$!~*", "<>|{}[]^`", "\xC3\xA9",
          "\xE6\x97\xA5\xE6\x9C\xAC", "\xF0\x9F\x98\x80", "\xEF\xBF\xBF", ".", "..", "a',RowKey='b"}) {
        expect_key_comes_back(key, "r");
        expect_key_comes_back("p", key);
    }
}

TEST_P(table_values, empty_keys_come_back) {
    expect_key_comes_back("", "r");
    expect_key_comes_back("p", "");
    expect_key_comes_back("", "");
}

TEST_P(table_values, a_stored_value_of_another_type_is_a_mismatch_with_its_member) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r", {{"small", "text"}}))));
    tablemap::table<every_type> t{shared_store(), table().table()};
    auto const r = t.try_find({"p", "r"});
    EXPECT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_EQ(r.error().member(), "small");
    EXPECT_EQ(r.error().table(), table().table());
}

TEST_P(table_values, a_stored_value_of_another_declared_type_is_a_mismatch_even_if_its_text_would_fit) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r", {{"text", std::int64_t{17}}}))));
    tablemap::table<every_type> t{shared_store(), table().table()};
    auto const r = t.try_find({"p", "r"});
    EXPECT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_EQ(r.error().member(), "text");
}

}  // namespace
}  // namespace tablemap::test
