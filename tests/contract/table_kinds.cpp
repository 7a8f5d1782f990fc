// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "tablemap/tablemap.hpp"

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace tablemap::test {
namespace {

// Told by a property; both in the partition of their department.
struct worker {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    friend bool operator==(worker const&, worker const&) = default;
};
struct office {
    std::string department{};
    std::string floor{};
    double area{};
    friend bool operator==(office const&, office const&) = default;
};
using worker_or_office = std::variant<worker, office>;

// Told by what their row keys begin with.
struct bill {
    std::string customer{};
    std::int32_t number{};
    std::int64_t cents{};
    friend bool operator==(bill const&, bill const&) = default;
};
struct header {
    std::string customer{};
    std::string address{};
    friend bool operator==(header const&, header const&) = default;
};
using bill_or_header = std::variant<bill, header>;

// Version 1 had `name`, version 2 `first` and `last`, version 3 counts pay in cents.
struct person {
    std::string team{};
    std::string id{};
    std::string first{};
    std::string last{};
    std::int64_t cents{};
    friend bool operator==(person const&, person const&) = default;
};

void split_name(dynamic_entity& e) {
    auto const name = *e.try_get<std::string>("name");
    auto const space = name.find(' ');
    e.set("first", name.substr(0, space));
    e.set("last", name.substr(space + 1));
    e.erase("name");
}

void count_cents(dynamic_entity& e) {
    e.set("cents", std::int64_t{100} * *e.try_get<std::int32_t>("pay"));
    e.erase("pay");
}

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::worker> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "worker");
    static constexpr auto partition_key = key(part<&test::worker::department>);
    static constexpr auto row_key = key(part<&test::worker::id>.width(4));
};
template <> struct tablemap::mapping<tablemap::test::office> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "office");
    static constexpr auto partition_key = key(part<&test::office::department>);
    static constexpr auto row_key = key(part<&test::office::floor>);
};
template <> struct tablemap::mapping<tablemap::test::bill> {
    static constexpr auto partition_key = key(part<&test::bill::customer>);
    static constexpr auto row_key = key("bill_", part<&test::bill::number>.width(6));
};
template <> struct tablemap::mapping<tablemap::test::header> {
    static constexpr auto partition_key = key(part<&test::header::customer>);
    static constexpr auto row_key = key("header");
};
template <> struct tablemap::mapping<tablemap::test::person> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "person");
    static constexpr auto versions =
        tablemap::versions<3>(upgrade_from<1>(test::split_name), upgrade_from<2>(test::count_cents));
    static constexpr auto partition_key = key(part<&test::person::team>);
    static constexpr auto row_key = key(part<&test::person::id>);
};

namespace tablemap::test {
namespace {

class table_kinds : public seam {
protected:
    template <class T> tablemap::table<T> typed() { return {shared_store(), table().table()}; }
    tablemap::table<dynamic_entity> dynamic() { return typed<dynamic_entity>(); }

    template <class T> std::vector<T> all(std::string const& partition_key) {
        std::vector<T> found;
        for (auto& e : typed<T>().query(partition(partition_key))) found.push_back(std::move(e.value));
        return found;
    }

    void insert_workers_and_offices() {
        typed<worker>().insert({"Sales", 7, "Don"});
        typed<office>().insert({"Sales", "3", 41.5});
        typed<worker>().insert({"Sales", 9, "Jun"});
    }

    void insert_person(std::string const& id, std::string const& kind,
                       std::initializer_list<property> properties = {}) {
        dynamic_entity e{"t", id};
        e.set("Kind", kind);
        for (auto const& p : properties) e.set_value(p.name, p.value);
        dynamic().insert(e);
    }
    void insert_persons_of_every_version() {
        insert_person("a", "person", {{"name", "Ada King"}, {"pay", 12}});
        insert_person("b", "person_v2", {{"first", "Bob"}, {"last", "Low"}, {"pay", 5}});
        typed<person>().insert({"t", "c", "Cy", "Day", 77});
    }
};
TABLEMAP_ON_EVERY_STORE(table_kinds);

// ---- told by a property ---------------------------------------------------------------------------------------------

TEST_P(table_kinds, a_typed_query_sees_only_rows_of_its_own_discriminator) {
    insert_workers_and_offices();
    dynamic().insert({"Sales", "0008"});
    EXPECT_EQ(all<worker>("Sales"), (std::vector<worker>{{"Sales", 7, "Don"}, {"Sales", 9, "Jun"}}));
    EXPECT_EQ(all<office>("Sales"), (std::vector<office>{{"Sales", "3", 41.5}}));
}

TEST_P(table_kinds, a_point_read_of_another_type_is_an_error) {
    insert_workers_and_offices();
    auto const r = typed<office>().try_find({"Sales", "0007"});
    EXPECT_TRUE(failed_with(r, library_errc::another_type));
    EXPECT_EQ(r.error().member(), "EntityType");
}

TEST_P(table_kinds, a_variant_query_reads_every_row_as_what_its_discriminator_says) {
    insert_workers_and_offices();
    EXPECT_EQ(all<worker_or_office>("Sales"),
              (std::vector<worker_or_office>{worker{"Sales", 7, "Don"}, worker{"Sales", 9, "Jun"},
                                             office{"Sales", "3", 41.5}}));
}

TEST_P(table_kinds, a_variant_is_found_by_the_key_of_each_of_its_types) {
    insert_workers_and_offices();
    auto const t = typed<worker_or_office>();
    EXPECT_EQ(std::get<worker>(t.find(key_of<worker>{"Sales", 9})->value).name, "Jun");
    EXPECT_EQ(std::get<office>(t.find(key_of<office>{"Sales", "3"})->value).area, 41.5);
    EXPECT_EQ(t.find(key_of<office>{"Sales", "4"}), std::nullopt);
}

TEST_P(table_kinds, a_variant_is_written_changed_and_erased) {
    auto const t = typed<worker_or_office>();
    auto e = t.insert(office{"Sales", "3", 40});
    std::get<office>(e.value).area = 50;
    t.replace(e);
    t.modify(key_of<office>{"Sales", "3"}, [](worker_or_office& v) { std::get<office>(v).area += 1; });
    EXPECT_EQ(typed<office>().find("Sales", "3")->value.area, 51);
    EXPECT_TRUE(t.erase_any(key_of<office>{"Sales", "3"}));
    EXPECT_EQ(t.find(key_of<office>{"Sales", "3"}), std::nullopt);
}

TEST_P(table_kinds, changes_of_a_variant_are_merged_and_keep_other_columns) {
    auto const t = typed<worker_or_office>();
    dynamic_entity row{"Sales", "3"};
    row.set("EntityType", "office"), row.set("area", 40.0), row.set("keys", std::int32_t{4});
    dynamic().insert(row);
    t.modify(key_of<office>{"Sales", "3"}, [](worker_or_office& v) { std::get<office>(v).area = 50; });
    auto e = *t.find(key_of<office>{"Sales", "3"});
    auto const before = e;
    std::get<office>(e.value).area = 60;
    EXPECT_TRUE(t.merge(e, changed_since(before)));
    EXPECT_FALSE(t.merge(e, changed_since(e)));
    auto const found = dynamic().find("Sales", "3");
    EXPECT_EQ(*found->value.try_get<double>("area"), 60);
    EXPECT_EQ(*found->value.try_get<std::int32_t>("keys"), 4);
    EXPECT_EQ(found->etag, e.etag);
    t.modify_or_insert(worker{"Sales", 8, "Kim"}, [](worker_or_office& v) { std::get<worker>(v).name += "!"; });
    EXPECT_EQ(typed<worker>().find("Sales", 8)->value.name, "Kim!");
}

TEST_P(table_kinds, a_row_of_a_type_that_a_variant_lacks_is_passed_over) {
    insert_workers_and_offices();
    dynamic_entity robot{"Sales", "0008"};
    robot.set("EntityType", "robot");
    dynamic().insert(robot);
    EXPECT_EQ(all<worker_or_office>("Sales").size(), 3u);
    EXPECT_EQ(typed<worker_or_office>().query(partition("Sales")).count(), 3u);
    EXPECT_EQ(typed<worker_or_office>().scan().count(), 3u);
    EXPECT_TRUE(typed<worker_or_office>().erase_where(typed<worker_or_office>().scan()).complete());
    EXPECT_EQ(dynamic().scan().count(), 1u);
}

TEST_P(table_kinds, a_resolver_of_the_users_own_reads_rows_as_what_it_likes) {
    insert_workers_and_offices();
    std::string found;
    for (auto const& row : dynamic().query(partition("Sales"))) {
        auto const* kind = row.value.try_get<std::string>("EntityType");
        if (*kind == "worker")
            found += from_dynamic<worker>(row.value)->name + " ";
        else
            found += from_dynamic<worker_or_office>(row.value)->index() == 1 ? "office " : "? ";
    }
    EXPECT_EQ(found, "Don Jun office ");
}

// ---- told by the row key --------------------------------------------------------------------------------------------

TEST_P(table_kinds, types_are_told_apart_by_what_their_row_keys_begin_with) {
    typed<header>().insert({"Contoso", "1 Elm St"});
    typed<bill>().insert({"Contoso", 12, 995});
    EXPECT_EQ(all<bill>("Contoso"), (std::vector<bill>{{"Contoso", 12, 995}}));
    EXPECT_EQ(all<bill_or_header>("Contoso"),
              (std::vector<bill_or_header>{bill{"Contoso", 12, 995}, header{"Contoso", "1 Elm St"}}));
    EXPECT_EQ(typed<bill_or_header>().find(key_of<header>{"Contoso"})->value,
              bill_or_header(header{"Contoso", "1 Elm St"}));
}

TEST_P(table_kinds, rows_of_a_variant_are_selected_by_the_text_of_their_row_keys) {
    typed<header>().insert({"Contoso", "1 Elm St"});
    for (std::int32_t const n : {12, 13, 14}) typed<bill>().insert({"Contoso", n, 995});
    dynamic().insert({"Contoso", "zzz"});
    std::string found;
    for (auto const& e : typed<bill_or_header>().query(partition("Contoso"), row_between("bill_000013", "header")))
        found += std::to_string(e.value.index());
    EXPECT_EQ(found, "001");
}

// ---- versions -------------------------------------------------------------------------------------------------------

TEST_P(table_kinds, rows_of_older_versions_are_upgraded_as_they_are_read) {
    insert_persons_of_every_version();
    std::vector<person> const expected{
        {"t", "a", "Ada", "King", 1200}, {"t", "b", "Bob", "Low", 500}, {"t", "c", "Cy", "Day", 77}};
    EXPECT_EQ(all<person>("t"), expected);
    auto const found = typed<person>().find("t", "a");
    EXPECT_EQ(found->value, expected[0]);
    EXPECT_TRUE(found->outdated);
    EXPECT_FALSE(typed<person>().find("t", "c")->outdated);
}

TEST_P(table_kinds, an_upgraded_entity_is_stored_by_a_replace_and_not_by_a_merge) {
    insert_persons_of_every_version();
    auto e = *typed<person>().find("t", "a");
    EXPECT_TRUE(failed_with(typed<person>().try_merge(e), library_errc::outdated_entity));
    typed<person>().replace(e);
    EXPECT_FALSE(e.outdated);
    auto const row = dynamic().find("t", "a")->value;
    EXPECT_EQ(*row.try_get<std::string>("Kind"), "person_v3");
    EXPECT_EQ(row.find("name"), nullptr);
    EXPECT_EQ(*row.try_get<std::int64_t>("cents"), 1200);
}

TEST_P(table_kinds, modify_stores_the_current_version_of_an_older_row_and_keeps_other_columns) {
    insert_persons_of_every_version();
    auto old = *dynamic().find("t", "a");
    old.value.set("badge", std::int32_t{7});
    dynamic().replace(old);
    EXPECT_FALSE(typed<person>().modify({"t", "a"}, [](person&) {}).outdated);
    auto const row = dynamic().find("t", "a")->value;
    EXPECT_EQ(*row.try_get<std::string>("Kind"), "person_v3");
    EXPECT_EQ(row.find("name"), nullptr);
    EXPECT_EQ(*row.try_get<std::string>("last"), "King");
    EXPECT_EQ(*row.try_get<std::int32_t>("badge"), 7);
    EXPECT_FALSE(typed<person>().find("t", "a")->outdated);
}

TEST_P(table_kinds, a_migration_rewrites_older_rows_and_no_others) {
    insert_persons_of_every_version();
    insert_person("x", "personnel");
    auto const current = typed<person>().find("t", "c")->etag;
    auto const report = typed<person>().migrate();
    EXPECT_EQ(report.rewritten, 2u);
    EXPECT_EQ(report.done_by_others, 0u);
    EXPECT_TRUE(report.refused.empty());
    for (auto const& e : typed<person>().query(partition("t"))) EXPECT_FALSE(e.outdated);
    EXPECT_EQ(typed<person>().find("t", "a")->value, (person{"t", "a", "Ada", "King", 1200}));
    EXPECT_EQ(typed<person>().find("t", "c")->etag, current);
    EXPECT_EQ(typed<person>().migrate().rewritten, 0u);
}

TEST_P(table_kinds, a_row_of_a_later_version_is_an_error_and_not_passed_over) {
    insert_person("z", "person_v4");
    EXPECT_TRUE(failed_with(typed<person>().try_find({"t", "z"}), library_errc::unknown_version));
    EXPECT_TRUE(failed_with(typed<person>().query(partition("t")).try_next(), library_errc::unknown_version));
}

TEST_P(table_kinds, rows_of_types_whose_names_begin_alike_are_no_versions) {
    insert_person("x", "personnel");
    insert_person("y", "person_vip");
    EXPECT_EQ(all<person>("t"), std::vector<person>{});
}

}  // namespace
}  // namespace tablemap::test
