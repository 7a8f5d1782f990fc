// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"
#include "support/mapping_samples.hpp"
#include "tablemap/mapping/converters/date.hpp"

#include <algorithm>
#include <limits>

namespace tablemap::test {

struct customer_id {
    std::string text{};
};

struct order_number {
    std::int64_t value{};
};

/// All members of its keys have converters.
struct visit {
    customer_id customer{};
    std::chrono::year_month_day day{};
    order_number number{};
    std::string what{};
};

}  // namespace tablemap::test

template <> struct tablemap::converter<tablemap::test::customer_id> {
    using stored = std::string;
    static stored to_property(test::customer_id const& c) { return c.text; }
    static test::customer_id from_property(stored const& text) { return {text}; }
};

template <> struct tablemap::converter<tablemap::test::order_number> {
    using stored = std::int64_t;
    static stored to_property(test::order_number const& n) { return n.value; }
    static test::order_number from_property(stored const& value) { return {value}; }
};

template <> struct tablemap::mapping<tablemap::test::visit> {
    static constexpr auto partition_key = key(part<&test::visit::customer>.escaped());
    static constexpr auto row_key =
        key("visit_", part<&test::visit::day>.descending(), part<&test::visit::number>.ordered());
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_number">(key("number_", part<&test::visit::number>)));
};

namespace tablemap::test {
namespace {

class table_mapping : public seam {
protected:
    template <class T> tablemap::table<T> typed() { return {shared_store(), table().table()}; }
    tablemap::table<dynamic_entity> dynamic() { return typed<dynamic_entity>(); }

    /// Checks that a value comes back through a point read and through a query.
    template <class T> void expect_comes_back(T const& v) {
        auto const t = typed<T>();
        t.upsert_replace(v);
        auto const found = t.find(v.partition, v.row);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->value, v);
        auto queried = t.query(partition(v.partition), row_between(v.row, v.row)).try_next();
        ASSERT_TRUE(queried && *queried);
        EXPECT_EQ((*queried)->value, v);
    }

    /// The properties of a row, sorted by name.
    std::vector<property> stored(std::string const& partition_key, std::string const& row_key) {
        auto const found = dynamic().find(partition_key, row_key);
        return found ? properties_of(found->value) : std::vector<property>{};
    }
    std::vector<std::string> stored_names(std::string const& partition_key, std::string const& row_key) {
        std::vector<std::string> names;
        for (auto const& p : stored(partition_key, row_key)) names.push_back(p.name);
        return names;
    }

    /// Inserts a row as another program would have written it.
    void put(dynamic_entity e) { dynamic().insert(std::move(e)); }
};
TABLEMAP_ON_EVERY_STORE(table_mapping);

// ---- values that come back ------------------------------------------------------------------------------------------

template <class D> std::chrono::sys_time<D> last() { return std::chrono::floor<D>(ticks::max().time()); }
template <class D> std::chrono::sys_time<D> first() { return std::chrono::ceil<D>(ticks::min().time()); }
template <class N> constexpr N greatest = std::numeric_limits<N>::max();
template <class N> constexpr N least = std::numeric_limits<N>::lowest();

TEST_P(table_mapping, the_greatest_converted_values_come_back) {
    expect_comes_back(converted_types{.partition = "p",
                                      .row = "r",
                                      .i8 = greatest<std::int8_t>,
                                      .i16 = greatest<std::int16_t>,
                                      .u8 = greatest<std::uint8_t>,
                                      .u16 = greatest<std::uint16_t>,
                                      .u32 = greatest<std::uint32_t>,
                                      .u64 = static_cast<std::uint64_t>(greatest<std::int64_t>),
                                      .i64 = greatest<long long>,
                                      .rank = level::chief,
                                      .power = state::on,
                                      .paint = color{greatest<std::int64_t>},
                                      .day = last<std::chrono::days>(),
                                      .second = last<std::chrono::seconds>(),
                                      .milli = last<std::chrono::milliseconds>(),
                                      .tick = last<tick_duration>(),
                                      .length = std::chrono::milliseconds{greatest<std::int64_t> / 10'000},
                                      .shift = std::chrono::hours{greatest<std::int64_t> / 36'000'000'000},
                                      .price = {greatest<std::int64_t>},
                                      .exact = *decimal::parse(std::string(900, '9') + "." + std::string(100, '9')),
                                      .document = *json_document::parse("\"" + std::string(32 * 1024 - 2, 'x') + "\""),
                                      .maybe_u64 = 0,
                                      .maybe_rank = level::junior,
                                      .maybe_milli = sys_millis{},
                                      .maybe_price = money{},
                                      .maybe_url = *url::parse("https://[::1]:8443/a%20b?c=d#e")});
}

TEST_P(table_mapping, the_least_converted_values_come_back) {
    expect_comes_back(converted_types{.partition = "p",
                                      .row = "r",
                                      .i8 = least<std::int8_t>,
                                      .i16 = least<std::int16_t>,
                                      .i64 = least<long long>,
                                      .paint = color{least<std::int64_t>},
                                      .day = first<std::chrono::days>(),
                                      .second = first<std::chrono::seconds>(),
                                      .milli = first<std::chrono::milliseconds>(),
                                      .tick = first<tick_duration>(),
                                      .length = std::chrono::milliseconds{least<std::int64_t> / 10'000},
                                      .shift = std::chrono::hours{least<std::int64_t> / 36'000'000'000},
                                      .price = {least<std::int64_t>},
                                      .exact = *decimal::parse("-0.0000000000000000000000000001")});
}

TEST_P(table_mapping, random_converted_values_come_back) {
    random_source random;
    for (int i = 0; i < 25; ++i) ASSERT_NO_FATAL_FAILURE(expect_comes_back(random_converted(random)));
}

TEST_P(table_mapping, random_values_in_every_form_come_back) {
    random_source random;
    for (int i = 0; i < 25; ++i) ASSERT_NO_FATAL_FAILURE(expect_comes_back(random_form(random)));
}

TEST_P(table_mapping, empty_forms_come_back) { expect_comes_back(every_form{.partition = "p", .row = "r"}); }

TEST_P(table_mapping, values_that_the_column_cannot_hold_are_refused_with_their_member) {
    auto const refused_as = [&](converted_types v, char const* member) {
        auto const r = typed<converted_types>().try_insert(std::move(v));
        EXPECT_TRUE(failed_with(r, library_errc::value_out_of_range)) << member;
        EXPECT_EQ(r ? std::string{} : r.error().member(), member);
    };
    refused_as({.u64 = static_cast<std::uint64_t>(greatest<std::int64_t>) + 1}, "u64");
    refused_as({.rank = level{7}}, "rank");
    refused_as({.power = state{7}}, "power");
    refused_as({.day = first<std::chrono::days>() - std::chrono::days{1}}, "day");
    refused_as({.second = last<std::chrono::seconds>() + std::chrono::seconds{1}}, "second");
    refused_as({.shift = std::chrono::hours::max()}, "shift");
    refused_as({.maybe_url = url{}}, "maybe_url");
}

// ---- columns --------------------------------------------------------------------------------------------------------

TEST_P(table_mapping, each_form_has_the_columns_that_it_declares) {
    every_form v{.partition = "p", .row = "r", .home = {.city = "Bonn", .number = 3}, .scratch = 9};
    v.second.emplace();
    v.notes[1] = "b";
    v.tags["color"] = 1;
    v.places.resize(1);
    typed<every_form>().insert(v);
    EXPECT_EQ(stored_names("p", "r"),
              (std::vector<std::string>{"City_length", "Text", "home_city", "home_no", "home_street", "hours_0",
                                        "hours_1", "hours_2", "notes_1", "office_at_city", "office_at_street",
                                        "office_code", "other_city", "other_street", "places", "tags_color"}));
    auto const row = dynamic().find("p", "r")->value;
    EXPECT_EQ(*row.try_get<std::int32_t>("City_length"), 4);
    EXPECT_EQ(*row.try_get<std::string>("places"), R"([{"street":"","city":"","number":null}])");
}

TEST_P(table_mapping, enums_and_users_types_stand_in_the_store_as_they_were_declared) {
    typed<converted_types>().insert(
        {.partition = "p", .row = "r", .rank = level::chief, .power = state::on, .paint = color{-5}, .price = {250}});
    auto const row = dynamic().find("p", "r")->value;
    EXPECT_EQ(*row.try_get<std::string>("rank"), "Chief");
    EXPECT_EQ(*row.try_get<std::int32_t>("power"), 200);
    EXPECT_EQ(*row.try_get<std::int64_t>("paint"), -5);
    EXPECT_EQ(*row.try_get<std::int64_t>("price"), 250);
}

TEST_P(table_mapping, a_merge_of_flattened_and_numbered_members_leaves_all_others) {
    auto const t = typed<every_form>();
    auto e = t.insert({.partition = "p", .row = "r", .text = "kept", .home = {.street = "Elm", .city = "Bonn"}});
    e.value.text = "not sent";
    e.value.home.number = 7;
    e.value.hours = {1, 2, 3};
    t.merge(e, only<&every_form::home, &every_form::hours>);
    auto const found = t.find("p", "r")->value;
    EXPECT_EQ(found.text, "kept");
    EXPECT_EQ(found.home, (place{"Elm", "Bonn", 7}));
    EXPECT_EQ(found.hours, (std::array{1, 2, 3}));
}

TEST_P(table_mapping, a_merge_of_an_empty_optional_struct_is_refused_and_a_replace_removes_it) {
    auto const t = typed<every_form>();
    every_form v{.partition = "p", .row = "r"};
    v.second = place{"Elm", "Bonn", 1};
    auto e = t.insert(v);
    e.value.second.reset();
    auto const merged = t.try_merge(e, only<&every_form::second>);
    EXPECT_TRUE(failed_with(merged, library_errc::merge_cannot_remove));
    EXPECT_EQ(t.find("p", "r")->value.second->city, "Bonn");
    t.replace(e);
    EXPECT_EQ(t.find("p", "r")->value.second, std::nullopt);
}

// ---- columns that the struct does not know --------------------------------------------------------------------------

dynamic_entity row_with_more() {
    dynamic_entity e{"p", "r"};
    e.set("Text", "old");
    e.set("text", "x");
    e.set("flag", true);
    e.set("small", std::int32_t{-1});
    e.set("large", std::int64_t{1} << 60);
    e.set("real", 0.1);
    e.set("when", ticks::max());
    e.set("id", guid::from_random(1, 2));
    e.set("data", bytes(3, std::byte{0xFF}));
    return e;
}

TEST_P(table_mapping, extras_of_every_type_survive_a_replace) {
    put(row_with_more());
    auto const t = typed<every_form>();
    auto e = *t.find("p", "r");
    EXPECT_EQ(e.value.rest.properties().size(), 8u);
    e.value.text = "new";
    e.value.rest.set("added", std::int64_t{5});
    t.replace(e);
    auto const row = dynamic().find("p", "r")->value;
    auto const before = row_with_more();
    for (auto const& p : before.properties()) {
        if (p.name == "Text") continue;
        ASSERT_NE(row.find(p.name), nullptr) << p.name;
        EXPECT_EQ(*row.find(p.name), p.value) << p.name;
    }
    EXPECT_EQ(*row.try_get<std::string>("Text"), "new");
    EXPECT_EQ(*row.try_get<std::int64_t>("added"), 5);
}

TEST_P(table_mapping, without_extras_a_merge_keeps_unknown_columns_and_a_replace_removes_them) {
    put(row_with_more());
    auto const t = typed<without_extras>();
    auto e = *t.find("p", "r");
    e.value.text = "new";
    t.merge(e);
    EXPECT_EQ(stored("p", "r").size(), row_with_more().properties().size());
    t.replace(e);
    EXPECT_EQ(stored_names("p", "r"), std::vector<std::string>{"Text"});
}

// ---- without a type -------------------------------------------------------------------------------------------------

TEST_P(table_mapping, a_dynamic_merge_changes_one_property_of_a_row_whose_type_it_does_not_know) {
    typed<every_form>().insert({.partition = "p", .row = "r", .text = "kept"});
    auto const t = dynamic();
    auto e = *t.find("p", "r");
    e.value.set("hours_1", std::int32_t{8});
    e.value.set("Text", "not sent");
    t.merge(e, only_properties{"hours_1"});
    auto const found = typed<every_form>().find("p", "r")->value;
    EXPECT_EQ(found.hours, (std::array{0, 8, 0}));
    EXPECT_EQ(found.text, "kept");
    auto const missing = t.try_merge(e, only_properties{"nowhere"});
    EXPECT_TRUE(failed_with(missing, library_errc::invalid_property_name));
}

TEST_P(table_mapping, random_dynamic_entities_come_back_with_the_types_of_their_properties) {
    random_source random;
    auto const t = dynamic();
    for (int i = 0; i < 25; ++i) {
        dynamic_entity e{random.key_text(10), random.key_text(10)};
        for (auto n = random.below(20); n > 0; --n) e.set_value("x" + random_name(random), random_property(random));
        t.upsert_replace(e);
        auto const found = t.find(e.partition_key, e.row_key);
        ASSERT_TRUE(found);
        EXPECT_EQ(properties_of(found->value), properties_of(e));
    }
}

TEST_P(table_mapping, dynamic_rows_are_selected_by_the_text_of_their_keys) {
    for (auto const* row : {"a", "b", "ba", "c"}) put({"p", row});
    auto const rows = [&](auto const& selection) {
        std::string found;
        for (auto const& e : dynamic().query(partition("p"), selection)) found += e.value.row_key + " ";
        return found;
    };
    EXPECT_EQ(rows(leading()), "a b ba c ");
    EXPECT_EQ(rows(row_range("a", "b")), "a ");
    EXPECT_EQ(rows(row_between("a", "b")), "a b ");
    EXPECT_EQ(rows(starting_with("b")), "b ba ");
}

TEST_P(table_mapping, members_with_converters_are_parts_of_keys) {
    using namespace std::chrono_literals;
    auto const visits = typed<visit>();
    customer_id const don{"Don & Co/2"};
    visits.insert({.customer = don, .day = 2024y / 2 / 28, .number = {7}, .what = "first"});
    visits.insert({.customer = don, .day = 2024y / 2 / 29, .number = {-7}, .what = "second"});
    auto const found = visits.find(don, 2024y / 2 / 28, order_number{7});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value.customer.text, don.text);
    EXPECT_EQ(found->value.day, 2024y / 2 / 28);
    EXPECT_EQ(found->value.number.value, 7);
    std::string all;
    for (auto const& v : visits.query(partition(don), row_between(2024y / 2 / 1, 2024y / 3 / 1)))
        all += v.value.what + " ";
    EXPECT_EQ(all, "second first ");
    EXPECT_EQ(visits.find_by<"by_number">(don, order_number{-7})->value.what, "second");
    EXPECT_TRUE(visits.erase_any({don, 2024y / 2 / 28, order_number{7}}));
}

}  // namespace
}  // namespace tablemap::test
