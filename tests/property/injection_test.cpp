// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/random.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/filter/odata.hpp"
#include "tablemap/filter/parse.hpp"
#include "tablemap/filter/raw.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

/// Nothing that a user typed may change what a filter asks.
namespace tablemap::test {
namespace {

using namespace std::string_literals;
using filter::expression;
using texts = std::vector<std::string>;

/// Texts that people try, and texts that trip renderers and parsers.
texts const tried = {
    "",
    "'",
    "''",
    "'''",
    "''''",
    "' or true",
    "' or true or '",
    "' or '1' eq '1",
    "x' or V ne '",
    "') or (V ne '",
    "')) or not (V eq '",
    "' and V eq '",
    "'' or V ne ''",
    "%27 or true or %27",
    "%27",
    "%2527",
    "%",
    "%%",
    "%00",
    "%u0027",
    "&#39; or true",
    "\\' or true or \\'",
    "\\",
    "\\\\",
    "\\u0027",
    "\"",
    "\" or true or \"",
    "{}",
    "{} or true",
    "a&$filter=V ne ''",
    "a&$top=1",
    "a#b",
    "a?b=c",
    "a/b/../c",
    "a+b c",
    ";--",
    "/*",
    "' ; DROP TABLE entities; --",
    "datetime'2024-01-01T00:00:00Z'",
    "X'00'",
    "true",
    "NaN",
    "5L",
    "\n' or true",
    "\r\n\r\nHTTP/1.1 200 OK",
    "\t",
    " ",
    "  ",
    "\x7F",
    "\xCA\xBC or true",      // U+02BC, which some make a quote of
    "\xE2\x80\x99 or true",  // U+2019
    "\xEF\xBC\x87 or true",  // U+FF07
    "\xC0\x80",              // no UTF-8: an overlong NUL
    "\xC0\xA7",              // no UTF-8: an overlong quote
    "\xED\xA0\x80",          // no UTF-8: half a surrogate pair
    "'\xF0\x9F\x98\x80' or true",
    "\xF4\x8F\xBF\xBF",
    "\xEF\xBF\xBF",
    "\xEF\xBF\xBE",
    "\xEF\xBB\xBF'",
    "\xE2\x80\xA8' or true",    // U+2028, which ends a line
    "\xE2\x80\xA9' or true",    // U+2029
    "\xE2\x80\xAE' eurt ro '",  // right to left
    "\xD7\x90\xD7\x91' or '\xD7\x92",
    "\xE4\xBD\xA0\xE5\xA5\xBD'",
    "e\xCC\x81",
    "\xC3\xA9",
    "a\0b"s,
    "\0"s,
    "\0' or true"s,
};

bool is_text(std::string const& s) { return detail::utf16_length(s).has_value(); }

/// Pieces of the above, put together.
std::string random_hostile(random_source& random) {
    std::string s;
    for (auto n = random.below(5) + 1; n > 0; --n) {
        auto const& piece = tried[random.below(tried.size())];
        if (is_text(piece)) s += piece;
        if (random.below(4) == 0) s += random.text(6);
    }
    return s;
}

/// So many different texts that are valid UTF-8.
texts hostile_texts(random_source& random, std::size_t count) {
    std::set<std::string> all;
    std::copy_if(tried.begin(), tried.end(), std::inserter(all, all.end()), is_text);
    while (all.size() < count) all.insert(random_hostile(random));
    return {all.begin(), all.end()};
}

expression is(std::string name, std::string v) {
    return filter::comparison{std::move(name), filter::comparison_operator::eq, std::move(v)};
}

std::string odata(expression const& e) {
    std::string out;
    value_or_throw(filter::append_odata(out, e));
    return out;
}

TEST(injection, does_not_get_through_the_text_of_a_filter) {
    random_source random;
    for (auto const& v : hostile_texts(random, 20'000)) {
        auto const meant = is("Name", v) && !is("Other", v);
        ASSERT_EQ(filter::parse(odata(meant)), meant) << v;
    }
}

TEST(injection, does_not_get_through_the_values_of_raw_filters) {
    random_source random;
    for (auto const& v : hostile_texts(random, 5000))
        ASSERT_EQ(raw_filter("Name eq {} and not ({} eq Other)", v, v).to_expression(),
                  is("Name", v) && !is("Other", v));
}

TEST(injection, by_a_property_name_is_refused_or_stays_a_name) {
    random_source random;
    for (auto const& name : hostile_texts(random, 5000)) {
        auto const meant = is(name, "x");
        if (std::string out; filter::append_odata(out, meant))
            ASSERT_EQ(filter::parse(out), meant) << name;
        else
            ASSERT_FALSE(filter::check(meant)) << name;
    }
}

class injected_stores : public seam {
protected:
    static constexpr std::size_t rows_of_partition = 50;

    bool is_remote() const { return deviates(deviation::omits_property_of_error); }

    static std::string partition_of(std::size_t i) { return std::to_string(i / rows_of_partition); }

    /// Each in a row of its own, whose key is its number; each partition in a group transaction.
    void put(texts const& values) {
        for (std::size_t i = 0; i < values.size();) {
            std::vector<owned_operation> group;
            for (auto const partition = partition_of(i); i < values.size() && partition_of(i) == partition; ++i)
                group.push_back(
                    operation(write_kind::insert, entity(partition, std::to_string(i), {{"V", values[i]}})));
            ASSERT_TRUE(carried_out(table().transact(group)));
        }
    }

    texts found(expression const& where, std::string const& partition) {
        return row_keys(table().all({.partition = key_bounds::exactly(partition), .where = &where}));
    }

    random_source random;
};
TABLEMAP_ON_EVERY_STORE(injected_stores);

TEST_P(injected_stores, find_exactly_the_row_that_is_meant) {
    auto const values = hostile_texts(random, is_remote() ? 300 : 3000);
    put(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const where = is("V", values[i]);
        ASSERT_EQ(found(where, partition_of(i)), (texts{std::to_string(i)})) << odata(where);
    }
}

TEST_P(injected_stores, find_nothing_where_there_is_nothing) {
    put({"one", "two"});
    for (auto const& v : hostile_texts(random, 100)) {
        auto const where = is("V", v) || is("PartitionKey", v) || is("RowKey", v);
        ASSERT_EQ(found(where, "0"), texts{}) << odata(where);
        ASSERT_EQ(row_keys(table().all({.where = &where})), texts{}) << odata(where);
    }
}

TEST_P(injected_stores, refuse_text_that_is_no_utf8) {
    put({"one", "two"});
    for (auto const& v : tried) {
        if (is_text(v)) continue;
        auto const where = is("V", v);
        EXPECT_TRUE(refused_at(table().page({.where = &where}), library_errc::invalid_text, "V"));
    }
}

TEST_P(injected_stores, find_very_long_texts) {
    auto const length = is_remote() ? 1000 : limits::string_units;
    put({std::string(length, '\''), std::string(length - 1, '\'') + " ", std::string(length, '%')});
    EXPECT_EQ(found(is("V", std::string(length, '\'')), "0"), (texts{"0"}));
    EXPECT_EQ(found(is("V", std::string(length - 1, '\'') + " "), "0"), (texts{"1"}));
    EXPECT_EQ(found(is("V", std::string(length, '%')), "0"), (texts{"2"}));
}

TEST_P(injected_stores, take_a_filter_that_no_url_holds_or_say_so) {
    auto const where = is("V", std::string(4000, '\''));
    auto const answer = table().page({.where = &where});
    if (is_remote())
        EXPECT_TRUE(refused(answer, service_errc::content_length_exceeded));
    else
        EXPECT_TRUE(carried_out(answer));
}

}  // namespace
}  // namespace tablemap::test
