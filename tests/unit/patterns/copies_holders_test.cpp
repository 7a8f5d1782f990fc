// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/table_with_copies.hpp"
#include "tablemap/store/with_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap {
namespace {

struct guide {
    std::string club{};
    std::int32_t id{};
    std::string name{};
};

/// As an older version wrote it.
struct old_tour {
    std::string club{};
    std::int32_t number{};
    std::int32_t leader{};
    std::string guide_name{};
};
struct tour {
    std::string club{};
    std::int32_t number{};
    std::optional<std::int32_t> guide{};
    std::string guide_name{};
};

/// Its link always links to a guide: to 0 if nothing is said.
struct visit {
    std::string club{};
    std::int32_t number{};
    std::int32_t guide{};
    std::string guide_name{};
};

/// Of text that may be any row key, that of its own row among them.
struct club_note {
    std::string club{};
    std::string id{};
    std::string text{};
};
struct answer {
    std::string club{};
    std::string id{};
    std::optional<std::string> to{};
    std::string text{};
};

void rename_leader(dynamic_entity& row) {
    if (auto const leader = row.try_get<std::int32_t>("leader")) row.set("guide", *leader);
    row.erase("leader");
}

}  // namespace

template <> struct mapping<guide> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "guide");
    static constexpr auto partition_key = key(part<&guide::club>);
    static constexpr auto row_key = key("guide_", part<&guide::id>.width(4));
};
template <> struct mapping<old_tour> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "tour");
    static constexpr auto partition_key = key(part<&old_tour::club>);
    static constexpr auto row_key = key("tour_", part<&old_tour::number>.width(4));
};
template <> struct mapping<tour> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "tour");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(rename_leader));
    static constexpr auto partition_key = key(part<&tour::club>);
    static constexpr auto row_key = key("tour_", part<&tour::number>.width(4));
    static constexpr auto copies =
        tablemap::copies(copies_of<guide>(linked<&tour::guide, &guide::id>, copied<&tour::guide_name, &guide::name>));
};
template <> struct mapping<visit> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "visit");
    static constexpr auto partition_key = key(part<&visit::club>);
    static constexpr auto row_key = key("visit_", part<&visit::number>.width(4));
    static constexpr auto copies =
        tablemap::copies(copies_of<guide>(linked<&visit::guide, &guide::id>, copied<&visit::guide_name, &guide::name>));
};
template <> struct mapping<club_note> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "note");
    static constexpr auto partition_key = key(part<&club_note::club>);
    static constexpr auto row_key = key(part<&club_note::id>);
};
template <> struct mapping<answer> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "answer");
    static constexpr auto partition_key = key(part<&answer::club>);
    static constexpr auto row_key = key(part<&answer::id>);
    static constexpr auto copies = tablemap::copies(
        copies_of<club_note>(linked<&answer::to, &club_note::id>, copied<&answer::text, &club_note::text>));
};

namespace test {
namespace {

using ::testing::HasSubstr;

class holders_of_copies : public ::testing::Test {
protected:
    void SetUp() override { table<guide>{store, "Club"}.create(); }

    template <class Value> void insert_raw(std::string row_key, std::string kind, std::string_view name, Value value) {
        dynamic_entity row{"A", std::move(row_key)};
        row.set("Kind", std::move(kind));
        row.set(name, std::move(value));
        rows.insert(std::move(row));
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<dynamic_entity> rows{store, "Club"};
    table_with_copies<guide, tour, visit> club{store, "Club"};
};

TEST_F(holders_of_copies, are_found_in_rows_of_older_versions) {
    table<old_tour>{store, "Club"}.insert({"A", 1, 7, "Ann"});
    club.insert(guide{"A", 7, "Ann"});
    club.modify<guide>({"A", 7}, [](guide& g) { g.name = "Anna"; });
    EXPECT_EQ(club.of<tour>().find("A", 1)->value.guide_name, "Anna");
    EXPECT_FALSE(club.erase_unless_copied(*club.of<guide>().find("A", 7)));
}

TEST_F(holders_of_copies, of_older_versions_are_written_whole_and_each_as_it_is) {
    club.insert(guide{"A", 7, "Eva"});
    for (bool const by_refresh : {true, false}) {
        for (std::int32_t n = 10; n <= 30; ++n) {
            table<old_tour>{store, "Club"}.upsert_replace({"A", n, 7, "?"});
            dynamic_entity column{"A", "tour_00" + std::to_string(n)};
            column.set("unknown", n);
            rows.upsert_merge(column);
        }
        if (by_refresh) club.refresh_copies(partition(std::string{"A"}));
        if (!by_refresh) club.modify<guide>({"A", 7}, [](guide& g) { g.name = "Ivo"; });
        for (std::int32_t n = 10; n <= 30; ++n) {
            auto const row = rows.find("A", "tour_00" + std::to_string(n))->value;
            EXPECT_EQ(*row.try_get<std::int32_t>("unknown"), n);
            EXPECT_EQ(*row.try_get<std::string>("guide_name"), by_refresh ? "Eva" : "Ivo");
        }
    }
}

TEST(rows_in_page, are_read_when_one_is_asked_for_and_all_at_once) {
    std::string page = R"({"value":[{"PartitionKey":"A","RowKey":"1","x":"one"},{"PartitionKey":"A","RowKey":"2"}]})";
    detail::rows_in_page rows{page};
    EXPECT_THAT(rows.body("2").value(), HasSubstr(R"("RowKey":"2")"));
    page.clear();
    EXPECT_THAT(rows.body("1").value(), HasSubstr(R"("x":"one")"));
    EXPECT_EQ(rows.body("3").error().code(), service_errc::update_condition_not_satisfied);
}

TEST_F(holders_of_copies, are_found_where_the_link_is_encrypted) {
    auto const keys = std::make_shared<key_ring>();
    keys->add("k1", std::vector<std::byte>(32, std::byte{7}));
    keys->use("k1");
    table_options options;
    options.encrypt = [](auto, auto, std::string_view property) { return property == "guide"; };
    table_with_copies<guide, visit> const sealed{with_keys(store, keys), "Club", options};
    sealed.insert(guide{"A", 7, "Ann"});
    sealed.insert(visit{.club = "A", .number = 1, .guide = 7});
    sealed.modify<guide>({"A", 7}, [](guide& g) { g.name = "Anna"; });
    EXPECT_EQ(sealed.of<visit>().find("A", 1)->value.guide_name, "Anna");
}

TEST_F(holders_of_copies, are_found_where_the_link_is_left_out) {
    club.insert(guide{"A", 0, "Ann"});
    insert_raw("visit_0001", "visit", "guide_name", std::string{"Ann"});
    club.modify<guide>({"A", 0}, [](guide& g) { g.name = "Anna"; });
    EXPECT_EQ(club.of<visit>().find("A", 1)->value.guide_name, "Anna");
    EXPECT_FALSE(club.erase_unless_copied(*club.of<guide>().find("A", 0)));
}

TEST_F(holders_of_copies, get_them_when_their_source_is_inserted) {
    club.of<visit>().insert({.club = "A", .number = 1, .guide = 7, .guide_name = "?"});
    club.insert(guide{"A", 7, "Ann"});
    EXPECT_EQ(club.of<visit>().find("A", 1)->value.guide_name, "Ann");
    EXPECT_TRUE(club.verify_copies(partition("A")).clean());
}

TEST_F(holders_of_copies, are_not_sources_of_another_type) {
    table_with_copies<club_note, answer> const notes{store, "Club"};
    auto const r = notes.try_insert(answer{.club = "A", .id = "9", .to = "9"});
    ASSERT_TRUE(failed_with(r, service_errc::resource_not_found));
    EXPECT_EQ(r.error().member(), "to");
    EXPECT_FALSE(rows.find("A", "9"));
}

TEST_F(holders_of_copies, that_cannot_be_read_are_named_by_their_link) {
    club.insert(guide{"A", 7, "Ann"});
    club.insert(visit{.club = "A", .number = 1, .guide = 7});
    insert_raw("visit_0002", "visit", "guide", true);
    rows.modify({"A", "visit_0001"}, [](dynamic_entity& v) { v.set("guide_name", true); });
    auto const r = club.try_modify<guide>({"A", 7}, [](guide& g) { g.name = "Anna"; });
    ASSERT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_THAT(r.error().what(), HasSubstr("by its member 'guide'"));
}

TEST_F(holders_of_copies, whose_source_cannot_be_read_name_the_link) {
    insert_raw("guide_0007", "guide", "name", true);
    auto const r = club.try_insert(visit{.club = "A", .number = 1, .guide = 7});
    ASSERT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_THAT(r.error().what(), HasSubstr("the row that member 'guide' links to"));
    EXPECT_EQ(r.error().member(), "name");
}

TEST_F(holders_of_copies, that_are_too_many_to_be_cleared_at_once_can_be_cleared_one_by_one) {
    table_with_copies<guide, tour> const tours{store, "Club"};
    tours.insert(guide{"A", 7, "Ann"});
    for (std::int32_t n = 0; n < 100; ++n) tours.insert(tour{.club = "A", .number = n, .guide = 7});
    auto const ann = [&] { return tours.of<guide>().find("A", 7).value(); };
    auto const r = tours.try_erase_and_clear_copies(ann());
    ASSERT_TRUE(failed_with(r, service_errc::invalid_input));
    EXPECT_THAT(r.error().what(), HasSubstr("let modify link those rows elsewhere or nowhere"));
    for (std::int32_t n = 0; n < 100; ++n) tours.modify<tour>({"A", n}, [](tour& t) { t.guide.reset(); });
    EXPECT_TRUE(tours.erase_unless_copied(ann()));
    EXPECT_TRUE(tours.verify_copies(partition("A")).clean());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
