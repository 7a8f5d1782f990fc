// SPDX-License-Identifier: Apache-2.0
#include "support/random.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/table_with_copies.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <barrier>
#include <functional>
#include <thread>

namespace tablemap {
namespace {

struct person {
    std::string firm{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
};

struct team {
    std::string firm{};
    std::int32_t number{};
    std::optional<std::int32_t> lead{};
    std::string lead_name{};
};

/// Its row key has several members, one of them the partition's.
struct product {
    std::string firm{};
    std::string kind{};
    std::int32_t number{};
    std::string title{};
};

struct order_line {
    std::string firm{};
    std::string order{};
    std::string kind{};
    std::int32_t product{};
    std::string title{};
};

}  // namespace

template <> struct mapping<product> {
    static constexpr auto partition_key = key(part<&product::firm>);
    static constexpr auto row_key =
        key("product_", part<&product::firm>, "_", part<&product::kind>, "_", part<&product::number>.width(3));
};

template <> struct mapping<order_line> {
    static constexpr auto partition_key = key(part<&order_line::firm>);
    static constexpr auto row_key = key("line_", part<&order_line::kind>, "_", part<&order_line::order>);
    static constexpr auto copies = tablemap::copies(copies_of<product>(linked<&order_line::kind, &product::kind>,
                                                                       linked<&order_line::product, &product::number>,
                                                                       copied<&order_line::title, &product::title>));
};

template <> struct mapping<person> {
    static constexpr auto partition_key = key(part<&person::firm>);
    static constexpr auto row_key = key("person_", part<&person::id>.width(4));
};

template <> struct mapping<team> {
    static constexpr auto partition_key = key(part<&team::firm>);
    static constexpr auto row_key = key("team_", part<&team::number>.width(4));
    static constexpr auto copies =
        tablemap::copies(copies_of<person>(linked<&team::lead, &person::id>, copied<&team::lead_name, &person::name>));
};

namespace test {
namespace {

/// Runs a function once, just before the next group transaction reaches the store.
class meddled_store final : public store {
public:
    explicit meddled_store(store_ptr inner) : inner_(std::move(inner)) {}

    void before_next_group(std::function<void()> f) { meddle_ = std::move(f); }

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (std::holds_alternative<transact>(r))
            if (auto const f = std::exchange(meddle_, nullptr)) f();
        return inner_->execute(r, o);
    }

private:
    store_ptr inner_;
    std::function<void()> meddle_{};
};

/// The etags of what its groups write do not come.
class store_without_etags final : public store {
public:
    explicit store_without_etags(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (!answer.ok() || !std::holds_alternative<transact>(r)) return answer;
        return testing::response_failure(library_errc::malformed_response, outcome::applied);
    }

private:
    store_ptr inner_;
};

using firm = table_with_copies<person, team>;

class copies_kept : public ::testing::Test {
protected:
    void SetUp() override {
        table<person>{inner, "Firm"}.create();
        rows.insert(person{.firm = "A", .id = 1, .name = "Ann"});
    }

    template <class T> T read(std::int32_t id) { return rows.of<T>().find("A", id).value().value; }
    bool clean() { return rows.verify_copies(partition("A")).clean(); }

    store_ptr inner = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<meddled_store> meddled = std::make_shared<meddled_store>(inner);
    std::shared_ptr<testing::faulty_store> faulty = std::make_shared<testing::faulty_store>(inner);
    firm others{inner, "Firm"};
    firm rows{meddled, "Firm"};
    key_of<person> const ann{"A", 1};
};

TEST_F(copies_kept, an_insert_repeats_when_the_source_was_changed_meanwhile) {
    meddled->before_next_group([&] { others.modify<person>(ann, [](person& p) { p.name = "Anna"; }); });
    EXPECT_EQ(rows.insert(team{.firm = "A", .number = 7, .lead = 1}).value.lead_name, "Anna");
    EXPECT_EQ(read<team>(7).lead_name, "Anna");
}

TEST_F(copies_kept, links_may_name_some_members_of_a_key_and_share_the_rest) {
    table_with_copies<product, order_line> const shop{inner, "Firm"};
    shop.insert(product{.firm = "A", .kind = "nut", .number = 1, .title = "M5"});
    shop.insert(product{.firm = "A", .kind = "nut", .number = 2, .title = "M6"});
    for (auto const* order : {"o1", "o2"})
        shop.insert(order_line{.firm = "A", .order = order, .kind = "nut", .product = order[1] - '0'});
    shop.modify<product>({"A", "nut", 2}, [](product& p) { p.title = "M6 zinc"; });
    EXPECT_EQ(shop.of<order_line>().find("A", "nut", "o1")->value.title, "M5");
    EXPECT_EQ(shop.of<order_line>().find("A", "nut", "o2")->value.title, "M6 zinc");
}

TEST_F(copies_kept, an_insert_fails_when_the_source_was_erased_meanwhile) {
    meddled->before_next_group(
        [&] { EXPECT_TRUE(others.erase_unless_copied(others.of<person>().find("A", 1).value())); });
    auto const r = rows.try_insert(team{.firm = "A", .number = 7, .lead = 1});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), error_kind::not_found);
    EXPECT_EQ(r.error().member(), "lead");
}

TEST_F(copies_kept, an_insert_of_a_row_that_exists_is_refused_as_such) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    auto const r = rows.try_insert(team{.firm = "A", .number = 7, .lead = 1});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::entity_already_exists);
}

TEST_F(copies_kept, a_change_of_the_source_repeats_when_a_copy_was_added_meanwhile) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    meddled->before_next_group([&] { others.insert(team{.firm = "A", .number = 8, .lead = 1}); });
    int calls = 0;
    rows.modify<person>(ann, [&](person& p) { p.name = "Anna", ++calls; });
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(read<team>(7).lead_name, "Anna");
    EXPECT_EQ(read<team>(8).lead_name, "Anna");
}

TEST_F(copies_kept, a_change_of_the_source_repeats_when_a_copy_was_erased_meanwhile) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    meddled->before_next_group([&] { others.of<team>().erase_any({"A", 7}); });
    rows.modify<person>(ann, [](person& p) { p.name = "Anna"; });
    EXPECT_EQ(read<person>(1).name, "Anna");
    EXPECT_FALSE(rows.of<team>().find("A", 7).has_value());
}

TEST_F(copies_kept, a_replace_ends_when_the_row_itself_was_changed_meanwhile) {
    auto t = rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    meddled->before_next_group([&] { others.modify<team>({"A", 7}, [](team& x) { x.lead.reset(); }); });
    auto const r = rows.try_replace(t);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(copies_kept, a_replace_repeats_when_another_row_was_changed_meanwhile) {
    auto t = rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    meddled->before_next_group([&] { others.modify<person>(ann, [](person& p) { ++p.age; }); });
    rows.replace(t);
    EXPECT_EQ(rows.of<team>().find("A", 7)->etag, t.etag);
}

TEST_F(copies_kept, a_change_gives_up_after_as_many_conflicts_as_are_allowed) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    meddled->before_next_group([&] { others.modify<person>(ann, [](person& p) { ++p.age; }); });
    auto const r = rows.try_modify<person>(
        ann, [](person& p) { p.name = "Anna"; }, modify_options{.attempts = 1});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::too_many_conflicts);
    EXPECT_EQ(read<team>(7).lead_name, "Ann");
}

TEST_F(copies_kept, an_insert_that_gives_up_names_no_options_that_it_does_not_take) {
    std::function<void()> const meddle = [&] {
        others.modify<person>(ann, [](person& p) { ++p.age; });
        meddled->before_next_group(meddle);
    };
    meddle();
    testing::fixed_clock clock;
    auto const r = rows.try_insert(team{.firm = "A", .number = 7, .lead = 1}, {.clock = &clock});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::too_many_conflicts);
    EXPECT_EQ(std::string_view{r.error().what()}.find("modify_options"), std::string_view::npos) << r.error().what();
}

TEST_F(copies_kept, a_change_of_the_key_is_refused_before_anything_is_written) {
    auto const r = rows.try_modify<person>(ann, [](person& p) { p.id = 2; });
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::key_changed);
}

TEST_F(copies_kept, a_change_of_nothing_writes_nothing) {
    auto const before = rows.of<person>().find("A", 1)->etag;
    EXPECT_EQ(rows.modify<person>(ann, [](person&) {}).etag, before);
    EXPECT_EQ(rows.of<person>().find("A", 1)->etag, before);
}

TEST_F(copies_kept, a_lost_answer_leaves_the_outcome_in_doubt) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    faulty->fail_next(testing::fault::lost_after, 2);
    auto const r = firm{faulty, "Firm"}.try_modify<person>(ann, [](person& p) { p.name = "Anna"; });
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_TRUE(clean());
}

TEST_F(copies_kept, a_lost_answer_is_told_by_operation_ids_when_it_is_tried_again) {
    rows.insert(team{.firm = "A", .number = 7, .lead = 1});
    faulty->fail_next(testing::fault::lost_after, 2);
    firm const tokens{faulty, "Firm", {.operation_ids = true}};
    retry_policy const policy{.attempts = 3, .first_wait = std::chrono::milliseconds{1}};
    auto const r = tokens.try_modify<person>(ann, [](person& p) { p.name = "Anna"; }, {.retry = policy});
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(read<team>(7).lead_name, "Anna");
}

TEST_F(copies_kept, no_fault_leaves_a_copy_stale) {
    random_source random;
    rows.insert(person{.firm = "A", .id = 2, .name = "Bob"});
    firm const tokens{faulty, "Firm", {.operation_ids = true}};
    faulty->fail_randomly(0.2, random.word());
    for (std::int32_t i = 0; i < 200; ++i) {
        static_cast<void>(tokens.try_insert(team{.firm = "A", .number = i % 20, .lead = 1 + i % 2}));
        static_cast<void>(
            tokens.try_modify<person>({"A", 1 + i % 2}, [&](person& p) { p.name = "N" + std::to_string(i); }));
        static_cast<void>(tokens.try_modify<team>({"A", i % 20}, [&](team& t) { t.lead = 1 + i % 3 % 2; }));
    }
    faulty->stop_failing();
    EXPECT_GT(faulty->faults(), 0U);
    EXPECT_TRUE(clean());
}

/// Each source is changed once, so no later change repairs what this one missed.
TEST_F(copies_kept, writers_of_sources_and_of_copies_at_once_leave_none_stale) {
    random_source random;
    constexpr std::int32_t rounds = 300;
    std::array<std::uint64_t, rounds> pause{};
    for (auto& p : pause) p = random.below(4'000);
    for (std::int32_t i = 2; i < rounds; ++i) rows.insert(person{.firm = "A", .id = i, .name = "P"});
    std::barrier round{2};
    std::thread renaming{[&] {
        for (std::int32_t i = 2; i < rounds; ++i) {
            round.arrive_and_wait();
            others.modify<person>({"A", i}, [](person& p) { p.name = "N"; });
        }
    }};
    for (std::int32_t i = 2; i < rounds; ++i) {
        round.arrive_and_wait();
        for (std::atomic<std::uint64_t> n = 0; n < pause[static_cast<std::size_t>(i)];) ++n;
        others.insert(team{.firm = "A", .number = i, .lead = i});
    }
    renaming.join();
    auto const report = others.verify_copies(partition("A"));
    EXPECT_EQ(report.checked, 298U);
    EXPECT_TRUE(report.clean());
}

TEST_F(copies_kept, a_refresh_goes_on_after_an_interruption) {
    for (std::int32_t i = 0; i < 250; ++i)
        rows.of<team>().insert({.firm = "A", .number = i, .lead = 1, .lead_name = "?"});
    firm const failing{faulty, "Firm"};
    faulty->fail_next(testing::fault::busy, 3);  // a page, the source, one group
    auto const r = failing.try_refresh_copies(partition("A"));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(failing.refresh_copies(partition("A")).stale.size(), 151U);
    EXPECT_TRUE(clean());
}

TEST_F(copies_kept, a_refresh_goes_on_when_etags_of_what_it_wrote_do_not_come) {
    for (std::int32_t i = 0; i < 150; ++i)
        rows.of<team>().insert({.firm = "A", .number = i, .lead = 1, .lead_name = "?"});
    firm const forgetful{std::make_shared<store_without_etags>(inner), "Firm"};
    EXPECT_EQ(forgetful.refresh_copies(partition("A")).stale.size(), 150U);
    EXPECT_TRUE(clean());
}

TEST_F(copies_kept, a_refresh_reads_again_what_was_changed_meanwhile) {
    rows.of<team>().insert({.firm = "A", .number = 7, .lead = 1, .lead_name = "?"});
    meddled->before_next_group([&] { others.modify<person>(ann, [](person& p) { p.name = "Anna"; }); });
    static_cast<void>(rows.refresh_copies(partition("A")));
    EXPECT_EQ(read<team>(7).lead_name, "Anna");
    EXPECT_TRUE(clean());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
