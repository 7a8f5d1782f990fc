// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "tablemap/async.hpp"
#include "tablemap/tablemap.hpp"

#include <boost/asio/use_future.hpp>

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

enum class size { small, large };

struct parcel {
    std::string route{};
    std::int32_t number{};
    std::string receiver{};
    std::int32_t grams{};
    std::optional<std::int64_t> cents{};
    size kind{};
    ticks sent = ticks::min();
};

/// Refuses what it does not know.
struct strict_parcel {
    std::string route{};
    std::int32_t number{};
    std::string receiver{};
};

}  // namespace
}  // namespace tablemap::test

template <>
inline constexpr auto tablemap::enumeration<tablemap::test::size> =
    tablemap::by_name<tablemap::test::size::small, tablemap::test::size::large>;

template <> struct tablemap::mapping<tablemap::test::parcel> {
    static constexpr auto partition_key = key(part<&test::parcel::route>);
    static constexpr auto row_key = key("p", part<&test::parcel::number>.width(4));
    static constexpr auto members = tablemap::members(member<&test::parcel::receiver>.required());
};
template <> struct tablemap::mapping<tablemap::test::strict_parcel> {
    static constexpr auto partition_key = key(part<&test::strict_parcel::route>);
    static constexpr auto row_key = key("p", part<&test::strict_parcel::number>.width(4));
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
};

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct fault {
    std::string property, expected, found;
    friend bool operator==(fault const&, fault const&) = default;
    friend void PrintTo(fault const& f, std::ostream* out) {
        *out << f.property << ": " << f.found << " where " << f.expected << " is expected";
    }
};

class table_bad_rows : public seam {
protected:
    tablemap::table<parcel> parcels() { return {shared_store(), table().table()}; }

    void put(std::string const& row, std::initializer_list<property> properties) {
        dynamic_entity e{"north", row};
        for (auto const& p : properties) e.set_value(p.name, p.value);
        tablemap::table<dynamic_entity> const t{shared_store(), table().table()};
        t.insert(e);
    }
    void put_good(std::int32_t number) { parcels().insert({.route = "north", .number = number, .receiver = "Don"}); }

    error read_error(std::int32_t number) {
        auto const r = parcels().try_find({"north", number});
        if (!r) return r.error();
        ADD_FAILURE() << "the row was read";
        return error{library_errc::unsupported};
    }

    static std::vector<fault> faults_of(error const& e) {
        std::vector<fault> all;
        for (auto const& f : e.faults()) all.push_back({f.property, f.expected, f.found});
        std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.property < b.property; });
        return all;
    }

    /// Good rows 1, 4 and 6, and three bad ones between them.
    void put_good_and_bad() {
        for (std::int32_t const n : {1, 4, 6}) put_good(n);
        put("p0002", {{"receiver", "Jun"}, {"grams", "heavy"}});
        put("p0003", {{"grams", 5}});
        put("p5", {{"receiver", "Kim"}});
    }
};
TABLEMAP_ON_EVERY_STORE(table_bad_rows);

TEST_P(table_bad_rows, every_fault_of_a_row_is_listed_with_what_was_expected_and_found) {
    put("p0001", {{"grams", "heavy"}, {"cents", "5"}, {"kind", "huge"}, {"sent", "1601-01-01T00:00:00Z"}});
    auto const e = read_error(1);
    EXPECT_EQ(e.code(), error_kind::type_mismatch);
    EXPECT_EQ(e.table(), table().table());
    EXPECT_EQ(faults_of(e), (std::vector<fault>{{"cents", "Edm.Int64", "Edm.String"},
                                                {"grams", "Edm.Int32", "Edm.String"},
                                                {"kind", "", ""},
                                                {"receiver", "", ""},
                                                {"sent", "Edm.DateTime", "Edm.String"}}));
}

TEST_P(table_bad_rows, the_message_of_many_faults_names_each_property_and_no_value) {
    put("p0001", {{"grams", "heavy"}, {"kind", "huge"}});
    std::string const text = read_error(1).what();
    for (auto const* name : {"grams", "kind", "receiver", "Edm.Int32", "Edm.String"})
        EXPECT_THAT(text, HasSubstr(name));
    for (auto const* value : {"heavy", "huge", "north", "p0001"}) EXPECT_THAT(text, Not(HasSubstr(value)));
}

TEST_P(table_bad_rows, a_value_of_each_other_type_is_a_fault_and_never_taken_for_the_members) {
    property_value const values[]{std::string{"5"},        true,    std::int32_t{5}, std::int64_t{5}, 5.5, ticks::max(),
                                  guid::from_random(1, 2), bytes(5)};
    std::int32_t number = 0;
    for (auto const& v : values) {
        auto const row = "p000" + std::to_string(++number);
        put(row, {{"receiver", "Don"}, {"grams", v}});
        if (type_of(v) == edm_type::int32) {
            EXPECT_EQ(parcels().find("north", number)->value.grams, 5);
            continue;
        }
        EXPECT_EQ(faults_of(read_error(number)),
                  (std::vector<fault>{{"grams", "Edm.Int32", std::string{edm_name(type_of(v))}}}));
    }
}

TEST_P(table_bad_rows, an_int32_is_read_into_the_wider_type_of_a_member_that_has_grown) {
    put("p0001", {{"receiver", "Don"}, {"cents", std::int32_t{5}}});
    EXPECT_EQ(parcels().find("north", 1)->value.cents, 5);
}

TEST_P(table_bad_rows, a_missing_required_property_is_named) {
    put("p0001", {});
    auto const e = read_error(1);
    EXPECT_EQ(e.code(), library_errc::missing_property);
    EXPECT_EQ(e.member(), "receiver");
}

TEST_P(table_bad_rows, an_unknown_name_of_an_enum_is_named_by_its_property) {
    put("p0001", {{"receiver", "Don"}, {"kind", "huge"}});
    auto const e = read_error(1);
    EXPECT_EQ(e.member(), "kind");
    EXPECT_THAT(e.what(), Not(HasSubstr("huge")));
}

TEST_P(table_bad_rows, a_column_that_a_strict_type_does_not_know_is_named) {
    put("p0001", {{"receiver", "Don"}, {"spare", 5}});
    tablemap::table<strict_parcel> const t{shared_store(), table().table()};
    auto const r = t.try_find({"north", 1});
    EXPECT_TRUE(failed_with(r, library_errc::unknown_property));
    EXPECT_EQ(r.error().member(), "spare");
}

TEST_P(table_bad_rows, are_reported_with_their_keys_while_all_good_ones_are_read) {
    put_good_and_bad();
    std::vector<bad_row> bad;
    std::vector<std::int32_t> good;
    for (auto const& e :
         parcels().query(partition("north")).on_error(skip_bad_rows([&](bad_row const& r) { bad.push_back(r); })))
        good.push_back(e.value.number);
    EXPECT_THAT(good, ElementsAre(1, 4, 6));
    ASSERT_EQ(bad.size(), 3u);
    EXPECT_EQ(bad[0].partition_key, "north");
    EXPECT_EQ(bad[0].row_key, "p0002");
    EXPECT_EQ(bad[0].error.code(), library_errc::type_mismatch);
    EXPECT_EQ(bad[1].row_key, "p0003");
    EXPECT_EQ(bad[1].error.code(), library_errc::missing_property);
    EXPECT_EQ(bad[2].row_key, "p5");
    EXPECT_EQ(bad[2].error.code(), library_errc::unreadable_key);
    EXPECT_EQ(bad[2].error.member(), "number");
}

TEST_P(table_bad_rows, are_thrown_in_their_place_and_iteration_goes_on_behind_them) {
    put_good_and_bad();
    auto range = parcels().query(partition("north")).on_error(throw_bad_rows());
    std::vector<std::int32_t> good;
    int thrown = 0;
    for (bool more = true; more;) {
        try {
            for (auto const& e : range) good.push_back(e.value.number);
            more = false;
        } catch (error const& e) {
            ++thrown;
            EXPECT_THAT(e.faults(), Not(IsEmpty()));
            EXPECT_EQ(e.table(), table().table());
        }
    }
    EXPECT_THAT(good, ElementsAre(1, 4, 6));
    EXPECT_EQ(thrown, 3);
}

TEST_P(table_bad_rows, on_every_page_are_passed_over) {
    std::vector<owned_operation> group;
    int good = 0;
    for (int i = 0; i < 2100; ++i) {
        bool const bad = i % 7 == 0 || i == 999 || i == 1000 || i == 2099;
        good += bad ? 0 : 1;
        auto const number = std::to_string(10000 + i).substr(1);
        dynamic_entity e{"north", "p" + number};
        if (!bad) e.set("receiver", "Don");
        group.push_back(operation(write_kind::insert, e));
        if (group.size() < limits::transaction_operations) continue;
        ASSERT_TRUE(carried_out(table().transact(std::exchange(group, {}))));
    }
    int reported = 0;
    int read = 0;
    for ([[maybe_unused]] auto const& e :
         parcels().query(partition("north")).on_error(skip_bad_rows([&](bad_row const&) { ++reported; })))
        ++read;
    EXPECT_EQ(read, good);
    EXPECT_EQ(reported, 2100 - good);
}

TEST_P(table_bad_rows, are_skipped_or_thrown_by_the_asynchronous_range_too) {
    put_good_and_bad();
    namespace asio = boost::asio;
    async_table<parcel> const t{shared_store(), table().table()};
    std::vector<std::string> bad;
    auto range =
        t.query(partition("north")).on_error(skip_bad_rows([&](bad_row const& r) { bad.push_back(r.row_key); }));
    std::vector<std::int32_t> good;
    while (auto e = range.next(asio::use_future).get()) good.push_back(e->value.number);
    EXPECT_THAT(good, ElementsAre(1, 4, 6));
    EXPECT_THAT(bad, ElementsAre("p0002", "p0003", "p5"));

    auto strict = t.query(partition("north"));
    EXPECT_EQ(strict.next(asio::use_future).get()->value.number, 1);
    EXPECT_THROW(strict.next(asio::use_future).get(), error);
    EXPECT_THROW(strict.next(asio::use_future).get(), error);
    EXPECT_EQ(strict.next(asio::use_future).get()->value.number, 4);
}

}  // namespace
}  // namespace tablemap::test
