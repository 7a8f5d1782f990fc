// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/patterns/async_table_with_copies.hpp"
#include "tablemap/patterns/table_with_copies.hpp"

#include <boost/asio/use_future.hpp>

#include <optional>
#include <string>

namespace tablemap::test {

struct employed {
    std::string section{};
    std::int32_t id{};
    std::string name{};
    std::optional<std::string> email{};
    std::int32_t age{};
    std::optional<std::int32_t> boss{};
    std::optional<std::string> boss_name{};

    friend bool operator==(employed const&, employed const&) = default;
};

struct section_head {
    std::string section{};
    std::string title{};
    std::optional<std::int32_t> manager{};
    std::string manager_name{};
    std::optional<std::string> manager_email{};

    friend bool operator==(section_head const&, section_head const&) = default;
};

struct badge {
    std::string section{};
    std::int32_t number{};
    std::int32_t holder{};
    std::string holder_name{};
    std::string title{};

    friend bool operator==(badge const&, badge const&) = default;
};

struct card {
    std::string section{};
    std::int32_t id{};
    std::string name{};
    std::string text{};

    friend bool operator==(card const&, card const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::employed> {
    using employed = test::employed;
    static constexpr auto partition_key = key(part<&employed::section>);
    static constexpr auto row_key = key("worker_", part<&employed::id>.width(6));
    static constexpr auto copies = tablemap::copies(
        copies_of<employed>(linked<&employed::boss, &employed::id>, copied<&employed::boss_name, &employed::name>));
};

template <> struct tablemap::mapping<tablemap::test::section_head> {
    using section_head = test::section_head;
    using employed = test::employed;
    static constexpr auto partition_key = key(part<&section_head::section>);
    static constexpr auto row_key = key("head");
    static constexpr auto copies = tablemap::copies(copies_of<employed>(
        linked<&section_head::manager, &employed::id>, copied<&section_head::manager_name, &employed::name>,
        copied<&section_head::manager_email, &employed::email>));
};

template <> struct tablemap::mapping<tablemap::test::badge> {
    using badge = test::badge;
    static constexpr auto partition_key = key(part<&badge::section>);
    static constexpr auto row_key = key("badge_", part<&badge::number>.width(4));
    static constexpr auto copies =
        tablemap::copies(copies_of<test::employed>(linked<&badge::holder, &test::employed::id>,
                                                   copied<&badge::holder_name, &test::employed::name>),
                         copies_of<test::section_head>(copied<&badge::title, &test::section_head::title>));
};

template <> struct tablemap::mapping<tablemap::test::card> {
    using card = test::card;
    static constexpr auto partition_key = key(part<&card::section>);
    static constexpr auto row_key = key("profile_", part<&card::id>.width(6));
    static constexpr auto copies = tablemap::copies(
        copies_of<test::employed>(linked<&card::id, &test::employed::id>, copied<&card::name, &test::employed::name>));
};

namespace tablemap::test {
namespace {

class table_copies : public seam {
protected:
    using company = table_with_copies<employed, section_head, badge, card>;

    void SetUp() override {
        seam::SetUp();
        if (shared_store()) rows_.emplace(shared_store(), table().table());
    }

    company& rows() { return *rows_; }

    static employed don() {
        return {.section = "Sales", .id = 212, .name = "Don", .email = "don@contoso.com", .age = 34};
    }
    static key_of<employed> don_key() { return {"Sales", 212}; }

    void insert_don_and_head() {
        rows().insert(don());
        rows().insert(section_head{.section = "Sales", .title = "Sales", .manager = 212});
    }
    section_head head() { return rows().of<section_head>().find("Sales").value().value; }
    template <class T, class... Key> T read(Key... k) { return rows().of<T>().find(k...).value().value; }

private:
    std::optional<company> rows_{};
};
TABLEMAP_ON_EVERY_STORE(table_copies);

TEST_P(table_copies, are_filled_when_a_row_is_inserted) {
    rows().insert(don());
    auto const made = rows().insert(
        section_head{.section = "Sales", .manager = 212, .manager_name = "whatever", .manager_email = "it says"});
    EXPECT_EQ(made.value.manager_name, "Don");
    EXPECT_EQ(made.value.manager_email, "don@contoso.com");
    EXPECT_EQ(head(), made.value);
}

TEST_P(table_copies, are_blank_while_there_is_no_link) {
    auto const made = rows().insert(section_head{.section = "Sales", .manager_name = "whatever"});
    EXPECT_EQ(made.value.manager_name, "");
    EXPECT_EQ(head().manager_name, "");
}

TEST_P(table_copies, follow_a_change_of_their_source) {
    insert_don_and_head();
    rows().insert(badge{.section = "Sales", .number = 7, .holder = 212});
    rows().insert(card{.section = "Sales", .id = 212, .text = "sells"});
    auto const changed = rows().modify<employed>(don_key(), [](employed& w) { w.name = "Donald"; });
    EXPECT_EQ(changed.value.name, "Donald");
    EXPECT_EQ(head().manager_name, "Donald");
    EXPECT_EQ(head().title, "Sales");
    EXPECT_EQ(read<badge>("Sales", 7), (badge{"Sales", 7, 212, "Donald", "Sales"}));
    EXPECT_EQ(read<card>("Sales", 212), (card{"Sales", 212, "Donald", "sells"}));
    EXPECT_EQ(rows().of<employed>().find(don_key())->etag, changed.etag);
}

TEST_P(table_copies, lose_what_their_source_loses) {
    insert_don_and_head();
    rows().modify<employed>(don_key(), [](employed& w) { w.email.reset(); });
    EXPECT_EQ(head().manager_email, std::nullopt);
    EXPECT_EQ(head().manager_name, "Don");
    EXPECT_TRUE(rows().verify_copies(partition("Sales")).clean());
}

TEST_P(table_copies, follow_a_replace_of_their_source) {
    insert_don_and_head();
    auto source = rows().of<employed>().find(don_key()).value();
    source.value.name = "Donald";
    rows().replace(source);
    EXPECT_EQ(head().manager_name, "Donald");
    EXPECT_EQ(rows().of<employed>().find(don_key())->etag, source.etag);
    EXPECT_TRUE(failed_as(rows().try_replace(source), error_kind::invalid_argument) ||
                rows().of<employed>().find(don_key())->etag == source.etag);
}

TEST_P(table_copies, follow_the_link) {
    insert_don_and_head();
    rows().insert(employed{.section = "Sales", .id = 213, .name = "Eve"});
    rows().modify<section_head>({"Sales"}, [](section_head& h) { h.manager = 213; });
    EXPECT_EQ(head().manager_name, "Eve");
    EXPECT_EQ(head().manager_email, std::nullopt);
    rows().modify<employed>(don_key(), [](employed& w) { w.name = "Donald"; });
    EXPECT_EQ(head().manager_name, "Eve");
    rows().modify<section_head>({"Sales"}, [](section_head& h) { h.manager.reset(); });
    EXPECT_EQ(head().manager_name, "");
}

TEST_P(table_copies, are_not_what_a_change_says_but_what_the_source_holds) {
    insert_don_and_head();
    auto const h = rows().modify<section_head>({"Sales"}, [](section_head& now) { now.manager_name = "Mallory"; });
    EXPECT_EQ(h.value.manager_name, "Don");
}

TEST_P(table_copies, of_one_type_in_itself_are_kept) {
    auto self = don();
    self.boss = 212;
    EXPECT_EQ(rows().insert(self).value.boss_name, "Don");
    rows().insert(employed{.section = "Sales", .id = 213, .name = "Eve", .boss = 212});
    rows().modify<employed>(don_key(), [](employed& w) { w.name = "Donald"; });
    EXPECT_EQ(read<employed>("Sales", 212).boss_name, "Donald");
    EXPECT_EQ(read<employed>("Sales", 213).boss_name, "Donald");
}

TEST_P(table_copies, need_their_source) {
    auto const r = rows().try_insert(section_head{.section = "Sales", .manager = 999});
    ASSERT_TRUE(failed_as(r, error_kind::not_found));
    EXPECT_EQ(r.error().member(), "manager");
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_FALSE(rows().of<section_head>().find("Sales").has_value());
}

TEST_P(table_copies, of_a_row_keep_it_from_being_erased) {
    insert_don_and_head();
    auto source = rows().of<employed>().find(don_key()).value();
    EXPECT_FALSE(rows().erase_unless_copied(source));
    EXPECT_TRUE(rows().erase_unless_copied(rows().of<section_head>().find("Sales").value()));
    source = rows().of<employed>().find(don_key()).value();
    EXPECT_TRUE(rows().erase_unless_copied(source));
    EXPECT_FALSE(rows().of<employed>().find(don_key()).has_value());
}

TEST_P(table_copies, are_cleared_with_their_source_where_that_is_wanted) {
    table_with_copies<employed, section_head> rows{shared_store(), table().table()};
    rows.insert(don());
    rows.insert(section_head{.section = "Sales", .title = "Sales", .manager = 212});
    rows.insert(employed{.section = "Sales", .id = 213, .name = "Eve", .boss = 212});
    EXPECT_EQ(rows.erase_and_clear_copies(rows.of<employed>().find(don_key()).value()), 2U);
    EXPECT_EQ(head(), (section_head{.section = "Sales", .title = "Sales"}));
    EXPECT_EQ(read<employed>("Sales", 213).boss_name, std::nullopt);
    EXPECT_FALSE(rows.of<employed>().find(don_key()).has_value());
}

TEST_P(table_copies, leave_columns_alone_that_the_types_do_not_know) {
    insert_don_and_head();
    table().write_body(write_kind::merge, "Sales", "head", R"({"PartitionKey":"Sales","RowKey":"head","Floor":3})",
                       "*");
    rows().modify<employed>(don_key(), [](employed& w) { w.email.reset(); });
    EXPECT_NE(table().get("Sales", "head").body.find("\"Floor\":3"), std::string::npos);
}

TEST_P(table_copies, that_others_left_stale_are_found_and_refreshed) {
    insert_don_and_head();
    rows().of<employed>().modify(don_key(), [](employed& w) { w.name = "Donald"; });
    rows().of<badge>().insert({.section = "Sales", .number = 9, .holder = 999, .holder_name = "?", .title = "Sales"});
    auto const found = rows().verify_copies(partition("Sales"));
    EXPECT_EQ(found.checked, 3U);
    EXPECT_EQ(found.stale, (std::vector<entity_key>{{"Sales", "head"}}));
    ASSERT_EQ(found.without_source.size(), 1U);
    EXPECT_EQ(found.without_source.front().member, "holder");
    EXPECT_EQ(head().manager_name, "Don");
    EXPECT_EQ(rows().refresh_copies(partition("Sales")).stale, found.stale);
    EXPECT_EQ(head().manager_name, "Donald");
    EXPECT_TRUE(rows().verify_copies(partition("Sales")).stale.empty());
}

TEST_P(table_copies, beyond_a_transaction_are_refused_at_once_and_refreshed_in_groups) {
    rows().insert(don());
    auto batch = rows().of<employed>().transaction();
    for (std::int32_t id = 1; id <= 250; ++id) {
        batch.insert(employed{.section = "Sales", .id = id + 1000, .name = "P", .boss = 212, .boss_name = "Don"});
        if (batch.size() == 100 || id == 250) batch.commit();
    }
    auto const r = rows().try_modify<employed>(don_key(), [](employed& w) { w.name = "Donald"; });
    ASSERT_TRUE(failed_as(r, error_kind::invalid_argument));
    EXPECT_NE(std::string{r.error().what()}.find("251 rows"), std::string::npos) << r.error().what();
    EXPECT_EQ(read<employed>("Sales", 212).name, "Don");
    rows().of<employed>().modify(don_key(), [](employed& w) { w.name = "Donald"; });
    EXPECT_EQ(rows().refresh_copies(partition("Sales")).stale.size(), 250U);
    EXPECT_TRUE(rows().verify_copies(partition("Sales")).clean());
}

TEST_P(table_copies, give_their_source_a_new_etag_and_nothing_else) {
    insert_don_and_head();
    auto const first = rows().of<employed>().find(don_key()).value();
    rows().insert(badge{.section = "Sales", .number = 7, .holder = 212});
    auto stale = first;
    EXPECT_TRUE(
        failed_as(rows().of<employed>().try_merge(stale, only<&employed::age>), error_kind::precondition_failed));
    EXPECT_EQ(rows().of<employed>().find(don_key())->value, first.value);
}

TEST_P(table_copies, are_kept_by_callers_that_do_not_block) {
    async_table_with_copies<employed, section_head> rows{shared_store(), table().table()};
    auto const wait = boost::asio::use_future;
    auto const sales = section_head{.section = "Sales", .manager = 212};
    auto const seller = don();
    rows.insert(seller, wait).get();
    rows.insert(sales, wait).get();
    auto changed = rows.modify<employed>(
                           {"Sales", 212}, [](employed& w) { w.name = "Donald"; }, wait)
                       .get();
    EXPECT_EQ(head().manager_name, "Donald");
    changed.value.name = "Ron";
    rows.replace(changed, call_options{}, wait).get();
    EXPECT_EQ(head().manager_name, "Ron");
    EXPECT_TRUE(rows.verify_copies(partition("Sales"), wait).get().clean());
    EXPECT_FALSE(rows.erase_unless_copied(changed, wait).get());
    EXPECT_EQ(rows.erase_and_clear_copies(changed, wait).get(), 1U);
    EXPECT_TRUE(rows.refresh_copies(partition("Sales"), wait).get().clean());
}

}  // namespace
}  // namespace tablemap::test
