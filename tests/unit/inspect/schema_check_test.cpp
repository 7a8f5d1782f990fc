// SPDX-License-Identifier: Apache-2.0
#include "unit/inspect/schema_rows.hpp"

#include <claims.hpp>
#include <devices.hpp>
#include <employees.hpp>
#include <everything.hpp>
#include <long_names.hpp>
#include <minimal.hpp>
#include <personnel.hpp>
#include <telemetry.hpp>

#include <gmock/gmock.h>

#include <chrono>
#include <limits>

bool inventory::is_dear(device const& d) { return d.price.cents() > 10'000; }

namespace tablemap::test {
namespace {

using inspect::drift_level;
using ::testing::HasSubstr;

auto const noon = ticks{std::chrono::sys_days{std::chrono::year{2024} / 2 / 28}};

template <class T> dynamic_entity row_of(T const& value) { return value_or_throw(to_dynamic(value)); }

// ---- rows of generated structs --------------------------------------------------------------------------------------

/// Writes an entity of a schema, and expects that its rows show no error.
template <class T> void expect_clean(std::string const& schema, std::string const& entity, T const& value) {
    stored_rows const stored;
    stored.make_table<T>().insert(value);
    auto const rows = stored.all();
    auto const r = check_all(golden_schema(schema), entity, rows);
    EXPECT_FALSE(r.has_error()) << text_of(r);
    EXPECT_EQ(r.rows, rows.size());
    EXPECT_EQ(r.rows, 1 + r.index_rows);
    EXPECT_EQ(r.unclaimed, 0u);
}

workshop::sample good_sample() {
    workshop::sample s{.site = "a", .number = 1, .moment = noon, .page = *url::parse("https://contoso.com")};
    s.document = *json_document::parse("[1]");
    s.took = std::chrono::seconds{5};
    return s;
}

workshop::workshop_key good_key() {
    return {.a_text = "a",
            .a_flag = true,
            .a_tiny = -1,
            .a_wide = 3,
            .a_moment = noon,
            .a_grade = workshop::grade::first,
            .spread = "x"};
}

contoso::employee good_employee() {
    return {.department = "Sales", .id = 17, .first_name = "Don", .last_name = "Hall", .email = "d@contoso.com"};
}

inventory::device good_device() {
    return {.owner = "Don", .id = "d1", .maker = "Acme", .model = "L1", .price = inventory::money{20'000}};
}

TEST(schema_check, rows_of_all_types_are_clean) {
    expect_clean("everything", "sample", good_sample());
    workshop::part part{.class_ = "a", .range = "b/c", .uint64_or_none = 7, .secret_datetime = {noon}};
    part.secret_url = {*url::parse("https://contoso.com")};
    part.secret_grade = {workshop::grade::first};
    part.series_of_double[1] = 0.5;
    part.secret_series[0] = encrypted<std::int64_t>{5};
    expect_clean("everything", "part", part);
    expect_clean("everything", "workshop_key", good_key());
}

TEST(schema_check, rows_with_indexes_are_clean) {
    expect_clean("employees", "employee", good_employee());
    expect_clean("employees", "department", contoso::department{"Sales", *decimal::parse("5.50"), {}});
    expect_clean("devices", "device", good_device());
    expect_clean("devices", "lamp", inventory::lamp{"Don", -5});
}

TEST(schema_check, rows_with_odd_keys_are_clean) {
    expect_clean("claims", "claim", contoso::expenses::claim{.employee = "Don", .entered = noon});
    expect_clean("minimal", "note", ::note{"Don", "text"});
    expect_clean("telemetry", "event", telemetry::event{.day = "2024-02-28", .device = "d1", .number = 3});
    expect_clean("telemetry", "session", telemetry::session{"Don", "::1/64", true, 7, -0.5});
    measuring::laboratory::measurement_of_an_instrument m{"north", 7, "A/1", noon};
    m.name_of_the_operator = "Don";
    m.was_checked_by_a_second_operator = true;
    expect_clean("long_names", "measurement_of_an_instrument", m);
}

TEST(schema_check, encrypted_rows_are_clean) {
    expect_clean("personnel", "person",
                 contoso::person{.country = "at", .number = 4'000'000'000, .name = "Don", .iban = "AT61", .salary = 5});
}

// ---- what the struct cannot read ------------------------------------------------------------------------------------

/// Values of every type, at the ends of what members hold.
std::vector<property_value> many_values() {
    std::vector<property_value> all{std::string{},
                                    std::string{"x"},
                                    std::string{"1"},
                                    std::string{"what?\?!"},
                                    std::string{"2024-02-28T00:00:00Z"},
                                    std::string{"https://contoso.com"},
                                    true};
    using i32 = std::numeric_limits<std::int32_t>;
    using i64 = std::numeric_limits<std::int64_t>;
    for (std::int32_t const n :
         {i32::min(), -129, -128, -1, 0, 1, 2, 3, 127, 128, 255, 256, 32'768, 65'536, i32::max()})
        all.emplace_back(n);
    for (std::int64_t const n :
         {i64::min(), std::int64_t{-1}, std::int64_t{1}, std::int64_t{15}, std::int64_t{50'000'000},
          std::int64_t{4'294'967'295}, std::int64_t{4'294'967'296}, i64::max()})
        all.emplace_back(n);
    for (double const d : {0.0, 0.5, -1e300, std::numeric_limits<double>::infinity()}) all.emplace_back(d);
    all.emplace_back(noon), all.emplace_back(noon + tick_duration{1});
    all.emplace_back(guid::from_random(1, 2)), all.emplace_back(bytes(3)), all.emplace_back(bytes{});
    return all;
}

/// Expects the same answer of the check and of the generated struct.
template <class T>
void expect_same_answer(inspect::checked_schema const& s, std::string const& entity, dynamic_entity const& row) {
    auto const read = from_dynamic<T>(row);
    auto const r = check_all(s, entity, {row});
    auto const refused = r.unclaimed + r.entities.at(0).unreadable;
    EXPECT_EQ(refused == 0, read.has_value()) << row.partition_key << " " << row.row_key << "\n"
                                              << text_of(r) << (read ? "" : read.error().what());
}

/// Gives each property each value, and takes each away.
template <class T> void compare_values(std::string const& schema, std::string const& entity, T const& good) {
    auto const s = golden_schema(schema);
    auto const row = row_of(good);
    for (auto const& p : row.properties()) {
        // Discriminators decide whose row it is, and the type of a price is the program's.
        if (p.name == "EntityType" || p.name == "Kind" || p.name == "price") continue;
        for (auto const& v : many_values()) {
            auto changed = row;
            changed.set_value(p.name, v);
            expect_same_answer<T>(s, entity, changed);
        }
        auto without = row;
        without.erase(p.name);
        expect_same_answer<T>(s, entity, without);
    }
}

TEST(schema_check, values_are_refused_where_the_struct_refuses_them) {
    compare_values("everything", "sample", good_sample());
    compare_values("everything", "workshop_key", good_key());
    compare_values("employees", "employee", good_employee());
    compare_values("devices", "device", good_device());
    compare_values("telemetry", "session", telemetry::session{"Don", "::1/64", true, 7, -0.5});
}

TEST(schema_check, optional_values_are_refused_where_the_struct_refuses_them) {
    auto const s = golden_schema("everything");
    workshop::part part{.class_ = "a", .range = "b", .secret_datetime = {noon}};
    part.secret_url = {*url::parse("https://contoso.com")};
    part.secret_grade = {workshop::grade::first};
    auto row = row_of(part);
    for (auto const& p : row.properties())
        if (p.name.starts_with("secret")) row.erase(p.name);
    for (auto const* name : {"string_or_none", "uint32_or_none", "date_or_none", "json_or_none", "grade_or_none",
                             "workshop_or_none", "series_of_int16_00", "series_of_workshop_01", "unknown"})
        for (auto const& v : many_values()) {
            auto changed = row;
            changed.set_value(name, v);
            expect_same_answer<workshop::part>(s, "part", changed);
        }
}

/// Every change of one character, and every beginning of both keys.
std::vector<dynamic_entity> with_odd_keys(dynamic_entity const& row) {
    std::vector<dynamic_entity> all;
    for (auto const key : {&dynamic_entity::partition_key, &dynamic_entity::row_key})
        for (std::size_t i = 0; i <= (row.*key).size(); ++i) {
            auto cut = row;
            (cut.*key).resize(i);
            all.push_back(cut);
            for (char const c : {'0', '9', 'a', 'z', 'A', '_', '-', '~', ' '}) {
                auto changed = row;
                (changed.*key).replace(i, i < (row.*key).size() ? 1 : 0, 1, c);
                all.push_back(changed);
            }
        }
    return all;
}

template <class T> void compare_keys(std::string const& schema, std::string const& entity, T const& good) {
    auto const s = golden_schema(schema);
    for (auto const& row : with_odd_keys(row_of(good))) expect_same_answer<T>(s, entity, row);
}

TEST(schema_check, keys_are_refused_where_the_struct_refuses_them) {
    compare_keys("everything", "workshop_key", good_key());
    compare_keys("employees", "employee", good_employee());
    compare_keys("telemetry", "session", telemetry::session{"Don", "::1/64", true, 7, -0.5});
    compare_keys("claims", "claim", contoso::expenses::claim{.employee = "Don", .entered = noon});
}

// ---- rules ----------------------------------------------------------------------------------------------------------

class schema_rules : public ::testing::Test {
protected:
    static inspect::schema_report employees(dynamic_entity const& row) {
        return check_all(golden_schema("employees"), "employee", {row});
    }

    dynamic_entity row = row_of(good_employee());
};

TEST_F(schema_rules, other_type_is_an_error_that_names_both) {
    row.set("age", "thirty");
    auto const r = employees(row);
    EXPECT_TRUE(has_drift(r, "types", drift_level::error, "age")) << text_of(r);
    EXPECT_THAT(text_of(r), HasSubstr("it holds Edm.String where Edm.Int32 is expected"));
    EXPECT_EQ(r.drifts.at(0).row_key, "empid_000017");
}

TEST_F(schema_rules, missing_property_names_the_member_not_the_column) {
    row.erase("LastName");
    EXPECT_TRUE(has_drift(employees(row), "missing", drift_level::error, "last_name"));
}

TEST_F(schema_rules, unknown_name_of_an_enum_is_an_error) {
    row.set("level", "boss");
    EXPECT_TRUE(has_drift(employees(row), "values", drift_level::error, "level"));
}

TEST_F(schema_rules, absent_property_with_a_default_is_a_note) {
    row.erase("age");
    auto const r = employees(row);
    EXPECT_FALSE(r.has_error());
    EXPECT_TRUE(has_drift(r, "missing", drift_level::note, "age"));
}

TEST_F(schema_rules, unknown_property_is_a_note_unless_it_is_refused) {
    row.set("Colour", "red");
    EXPECT_TRUE(has_drift(employees(row), "unknown_property", drift_level::note, "Colour"));
    auto device = row_of(good_device());
    device.set("Colour", "red");
    auto const r = check_all(golden_schema("devices"), "device", {device});
    EXPECT_TRUE(has_drift(r, "unknown_property", drift_level::error, "Colour"));
    EXPECT_EQ(from_dynamic<inventory::device>(device).error().code(), library_errc::unknown_property);
}

TEST_F(schema_rules, row_of_another_type_is_of_no_entity) {
    row.set("EntityType", "robot");
    auto const r = employees(row);
    EXPECT_EQ(r.unclaimed, 1u);
    EXPECT_THAT(text_of(r), HasSubstr("the property EntityType, 'robot', names no entity"));
    EXPECT_EQ(from_dynamic<contoso::employee>(row).error().code(), library_errc::another_type);
    row.erase("EntityType");
    EXPECT_THAT(text_of(employees(row)), HasSubstr("the row lacks the property EntityType"));
    row.set("EntityType", 3);
    EXPECT_THAT(text_of(employees(row)),
                HasSubstr("the property EntityType holds Edm.Int32 where Edm.String is expected, which names"));
    EXPECT_EQ(employees(row).drifts.at(0).remedy, "rewrite the rows, or erase them");
}

TEST_F(schema_rules, error_of_a_key_says_which_key_and_what_to_do) {
    row.row_key = "empid_0000171";
    EXPECT_THAT(text_of(employees(row)), HasSubstr("employee.: keys: in the row key: text follows the last part"));
    row.row_key = "000017";
    EXPECT_THAT(text_of(employees(row)), HasSubstr("in the row key: the literal \"empid_\" is missing"));
    row.row_key = "empid_00001x";
    auto const r = employees(row);
    EXPECT_THAT(text_of(r), HasSubstr("employee.id: keys: in the row key: the text in the place of the member is not"));
    EXPECT_EQ(r.drifts.at(0).remedy, "erase the rows, or change the key in the schema");
}

TEST_F(schema_rules, other_entities_of_the_table_are_told_apart) {
    inspect::schema_check check{golden_schema("employees"), "employees", {}};
    check.add(row);
    check.add(row_of(contoso::department{"Sales", *decimal::parse("5.50"), {}}));
    check.add({"Sales", "~outbox_head"});
    auto const r = check.finish();
    EXPECT_FALSE(r.has_error()) << text_of(r);
    ASSERT_EQ(r.entities.size(), 2u);
    EXPECT_EQ(r.entities[0].rows, 1u);
    EXPECT_EQ(r.entities[1].rows, 1u);
    EXPECT_EQ(r.companions, 1u);
}

TEST_F(schema_rules, newer_version_is_an_error_and_an_older_one_a_note) {
    auto device = row_of(good_device());
    device.set("Kind", "device_v9");
    auto const newer = check_all(golden_schema("devices"), "device", {device});
    EXPECT_TRUE(has_drift(newer, "versions", drift_level::error, "")) << text_of(newer);
    EXPECT_EQ(from_dynamic<inventory::device>(device).error().code(), library_errc::unknown_version);
    device.set("Kind", "device_v2");
    auto const older = check_all(golden_schema("devices"), "device", {device});
    EXPECT_FALSE(older.has_error()) << text_of(older);
    EXPECT_EQ(older.entities.at(0).older, 1u);
    device.row_key = "x";
    EXPECT_TRUE(has_drift(check_all(golden_schema("devices"), "device", {device}), "keys", drift_level::error, ""));
}

TEST_F(schema_rules, version_of_an_entity_without_versions_is_of_no_entity) {
    row.set("EntityType", "employee_v2");
    EXPECT_TRUE(has_drift(employees(row), "no_entity", drift_level::error, ""));
    EXPECT_FALSE(from_dynamic<contoso::employee>(row));
}

TEST_F(schema_rules, values_of_types_of_the_program_are_noted) {
    auto device = row_of(good_device());
    auto const r = check_all(golden_schema("devices"), "device", {device});
    EXPECT_FALSE(r.has_error());
    EXPECT_TRUE(has_drift(r, "converters", drift_level::note, "price"));
}

TEST_F(schema_rules, types_of_which_no_converter_reads_all_are_an_error) {
    auto device = row_of(good_device()), narrow = device, text = device;
    narrow.set("price", std::int32_t{5});
    text.set("price", "much");
    auto const widened = check_all(golden_schema("devices"), "device", {device, narrow});
    EXPECT_FALSE(widened.has_error()) << text_of(widened);
    auto const mixed = check_all(golden_schema("devices"), "device", {device, narrow, text});
    EXPECT_TRUE(has_drift(mixed, "types", drift_level::error, "price")) << text_of(mixed);
    EXPECT_FALSE(from_dynamic<inventory::device>(text));
}

TEST_F(schema_rules, property_that_contradicts_the_key_is_an_error) {
    measuring::laboratory::measurement_of_an_instrument m{"north", 7, "A/1", noon};
    auto measured = row_of(m);
    measured.set("number_of_the_laboratory", std::int32_t{8});
    auto const r = check_all(golden_schema("long_names"), "measurement_of_an_instrument", {measured});
    EXPECT_TRUE(has_drift(r, "copies", drift_level::error, "number_of_the_laboratory")) << text_of(r);
    EXPECT_EQ(r.entities.at(0).unreadable, 0u);
    EXPECT_EQ(from_dynamic<measuring::laboratory::measurement_of_an_instrument>(measured)->number_of_the_laboratory, 7);
}

TEST_F(schema_rules, property_of_another_type_than_the_key_is_named_so) {
    auto measured = row_of(measuring::laboratory::measurement_of_an_instrument{"north", 7, "A/1", noon});
    measured.set("number_of_the_laboratory", "7");
    auto const r = check_all(golden_schema("long_names"), "measurement_of_an_instrument", {measured});
    EXPECT_THAT(text_of(r), HasSubstr("copies: the property holds Edm.String where Edm.Int32 is expected"));
}

TEST_F(schema_rules, hash_of_another_value_is_an_error) {
    auto session = row_of(telemetry::session{"Don", "::1/64", true, 7, -0.5});
    session.set("user", "Eva");
    auto const r = check_all(golden_schema("telemetry"), "session", {session});
    EXPECT_TRUE(has_drift(r, "keys", drift_level::error, "")) << text_of(r);
    auto const read = from_dynamic<telemetry::session>(session);
    EXPECT_NE(row_of(*read).partition_key, session.partition_key);
}

// ---- encrypted members ----------------------------------------------------------------------------------------------

class encrypted_rules : public ::testing::Test {
protected:
    encrypted_rules() {
        stored.make_table<contoso::person>().insert(
            {.country = "at", .number = 5, .name = "Don", .iban = "AT61", .salary = 5'000});
        row = stored.all().at(0);
    }

    inspect::schema_report check() const { return check_all(golden_schema("personnel"), "person", {row}); }

    /// The code of reading the row as it is stored.
    std::error_code code_of_reading() const {
        stored.replace(row);
        table<contoso::person> const people{stored.open_with_keys(), "ATable"};
        auto const found = people.try_find("at", 5U);
        return found ? std::error_code{} : found.error().code();
    }

    stored_rows stored{};
    dynamic_entity row{};
};

TEST_F(encrypted_rules, value_in_the_open_is_an_error) {
    row.set("name", "Don");
    EXPECT_TRUE(has_drift(check(), "encryption", drift_level::error, "name"));
    EXPECT_EQ(code_of_reading(), library_errc::unencrypted_value);
}

TEST_F(encrypted_rules, binary_of_another_form_is_an_error) {
    row.set("name", bytes(80));
    EXPECT_TRUE(has_drift(check(), "encryption", drift_level::error, "name"));
    EXPECT_EQ(code_of_reading(), library_errc::unencrypted_value);
}

TEST_F(encrypted_rules, value_that_was_cut_is_an_error) {
    auto cut = *row.try_get<bytes>("name");
    cut.resize(20);
    row.set("name", cut);
    EXPECT_TRUE(has_drift(check(), "encryption", drift_level::error, "name"));
    EXPECT_EQ(code_of_reading(), library_errc::malformed_ciphertext);
}

TEST_F(encrypted_rules, value_of_another_type_is_an_error) {
    auto number = *row.try_get<bytes>("name");
    row.set("salary", number);
    auto const r = check();
    EXPECT_THAT(text_of(r), HasSubstr("it holds an encrypted Edm.String where Edm.Int64 is expected"));
    EXPECT_NE(code_of_reading(), std::error_code{});
}

TEST_F(encrypted_rules, unchanged_row_is_read) { EXPECT_EQ(code_of_reading(), std::error_code{}); }

TEST_F(encrypted_rules, row_of_an_older_client_is_no_error) {
    row.set("name", bytes(16));
    row.set("_ClientEncryptionMetadata1", "{}");
    row.set("_ClientEncryptionMetadata2", bytes(16));
    auto const r = check();
    EXPECT_FALSE(r.has_error()) << text_of(r);
}

// ---- schemas --------------------------------------------------------------------------------------------------------

std::string fault_of(std::string const& json, std::string const& table, std::vector<std::string> const& names = {}) {
    try {
        inspect::schema_check const check{inspect::checked_schema{json, "s.json"}, table, names};
    } catch (inspect::schema_fault const& e) {
        return e.what();
    }
    return {};
}

std::string const minimal = R"({"entities": {"note": {"properties": {"owner": "string"},
    "partition_key": [{"member": "owner"}], "row_key": ["note"]}}})";

TEST(schema_of_a_check, faults_are_listed_with_their_places) {
    EXPECT_THAT(fault_of("{", "Notes"), HasSubstr("s.json:1:"));
    EXPECT_THAT(fault_of(R"({"entities": {}, "x": 1})", "Notes"), HasSubstr("s.json:1:18: error:"));
}

TEST(schema_of_a_check, entities_without_a_table_are_taken_if_none_names_it) {
    EXPECT_EQ(fault_of(minimal, "Notes"), "");
    auto const of_another = R"({"entities": {"note": {"table": "Others", "properties": {"owner": "string"},
        "partition_key": [{"member": "owner"}], "row_key": ["note"]}}})";
    EXPECT_THAT(fault_of(of_another, "Notes"), HasSubstr("no entity of the schema is in the table Notes"));
    EXPECT_EQ(fault_of(of_another, "Notes", {"note"}), "");
    EXPECT_EQ(fault_of(of_another, "OTHERS"), "");
}

TEST(schema_of_a_check, unknown_entity_is_refused_with_a_suggestion) {
    EXPECT_THAT(fault_of(minimal, "Notes", {"nota"}), HasSubstr("no entity 'nota'; did you mean 'note'?"));
}

TEST(schema_of_a_check, many_unknown_types_leave_room_for_other_errors) {
    inspect::schema_check check{golden_schema("employees"), "Employees", {}};
    for (int i = 0; i < 1'000; ++i) {
        dynamic_entity row{"Sales", "x"};
        row.set("EntityType", "robot" + std::to_string(i));
        check.add(row);
    }
    auto const r = check.finish();
    EXPECT_EQ(r.drifts.size(), 21u);
    EXPECT_EQ(r.left_out, 0u);
    EXPECT_EQ(r.unclaimed, 1'000u);
}

TEST(schema_of_a_check, row_with_several_wrong_elements_counts_once) {
    dynamic_entity row{"a", "part_b !00000000-0000-4000-8000-000000000001"};
    row.set("EntityType", "pa\"rt\\?\?!");
    for (auto const* name : {"series_of_int16_00", "series_of_int16_01"}) row.set(name, "x");
    auto const r = check_all(golden_schema("everything"), "part", {row});
    for (auto const& d : r.drifts)
        if (d.member == "series_of_int16") {
            EXPECT_EQ(d.rows, 1u);
        }
    EXPECT_TRUE(has_drift(r, "types", drift_level::error, "series_of_int16")) << text_of(r);
}

TEST(schema_of_a_check, differences_are_bounded) {
    inspect::schema_check check{inspect::checked_schema{minimal, "s.json"}, "Notes", {}};
    for (int i = 0; i < 1'000; ++i) {
        dynamic_entity row{"Don", "note"};
        row.set("p" + std::to_string(i), i);
        check.add(row);
    }
    auto const r = check.finish();
    EXPECT_LE(r.drifts.size(), 202u);
    EXPECT_EQ(r.left_out, 800u);
}

inspect::checked_schema schema_of_types(std::string const& first, std::string const& second) {
    auto const entity = [](std::string const& name) {
        return "\"" + name + R"(": {"table": "ATable", "properties": {"k": "string", "r": "string"},
            "partition_key": [{"member": "k"}], "row_key": [{"member": "r"}],
            "discriminator": {"property": "EntityType", "value": ")" +
               name + "\"}}";
    };
    return {R"({"entities": {)" + entity(first) + ", " + entity(second) + "}}", "types.json"};
}

dynamic_entity row_of_type(std::string const& type) {
    dynamic_entity row{"k", "r"};
    row.set("EntityType", type);
    return row;
}

TEST(schema_check, type_of_one_version_leaves_other_versions_to_others) {
    inspect::schema_check check{schema_of_types("e", "e_v2"), "ATable", {}};
    for (auto const* type : {"e", "e_v2", "e_v3"}) check.add(row_of_type(type));
    auto const r = check.finish();
    EXPECT_EQ(r.unclaimed, 1u) << text_of(r);
    EXPECT_EQ(r.entities[0].rows, 1u);
    EXPECT_EQ(r.entities[1].rows, 1u);
}

TEST(schema_check, values_that_a_type_does_not_hold_have_remedies_in_words_of_the_schema) {
    inspect::checked_schema const s{R"({"entities": {"e": {"table": "ATable",
        "properties": {"k": "string", "number": "uint64", "day": "date"},
        "partition_key": [{"member": "k"}], "row_key": ["r"]}}})",
                                    "s.json"};
    dynamic_entity row{"k", "r"};
    row.set("number", std::int64_t{-1}), row.set("day", noon + tick_duration{1});
    auto const r = check_all(s, "e", {row});
    ASSERT_EQ(r.drifts.size(), 2u) << text_of(r);
    EXPECT_EQ(r.drifts[0].remedy, "give the member the type datetime, or rewrite the rows");
    EXPECT_EQ(r.drifts[1].remedy, "give the member a type that holds the number, or rewrite the rows");
}

TEST(schema_check, empty_key_that_the_struct_cannot_write_is_named_so) {
    auto const r = check_all({minimal, "s.json"}, "note", {{"", "note"}});
    ASSERT_EQ(r.drifts.size(), 1u) << text_of(r);
    EXPECT_EQ(r.drifts[0].what, "the partition key is empty, and the struct cannot write such a row");
    EXPECT_THAT(r.drifts[0].remedy, HasSubstr("may_be_empty"));
}

TEST(schema_check, rows_of_an_index_that_is_not_declared_are_named_so) {
    auto const r = check_all(schema_of_types("e", "f"), "e", {row_of_type("e_index")});
    EXPECT_EQ(r.unclaimed, 1u);
    ASSERT_EQ(r.drifts.size(), 1u);
    EXPECT_EQ(r.drifts[0].entity, "e");
    EXPECT_THAT(r.drifts[0].what, HasSubstr("an index that the schema does not declare"));
    EXPECT_EQ(r.drifts[0].remedy, "declare the index of the entity");
}

TEST(schema_check, rows_of_an_index_whose_literal_the_schema_changed_are_of_no_declared_index) {
    auto const check = [](std::string const& row_key) {
        dynamic_entity row{"Sales", row_key};
        row.set("EntityType", "employee_index");
        return check_all(golden_schema("employees"), "employee", {row});
    };
    EXPECT_EQ(check("name_Hall !_empid_000017").index_rows, 1u);
    auto const other = check("nam2_Hall !_empid_000017");
    EXPECT_EQ(other.index_rows, 0u);
    EXPECT_THAT(text_of(other), HasSubstr("an index that the schema does not declare"));
}

}  // namespace
}  // namespace tablemap::test
