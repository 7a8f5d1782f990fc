// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/modify_row.hpp"

#include "support/operations.hpp"
#include "tablemap/detail/store/task_run.hpp"

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto const our_token = guid::from_random(1, 2);

/// Appends a mark to what it reads, so that a test sees how often it was called and on what.
class marking_editor : public detail::row_editor {
public:
    using value_type = std::string;

    explicit marking_editor(int* calls, std::optional<guid> operation_id = {})
        : calls_(calls), operation_id_(operation_id) {}

    result<bool> edit(response* read, detail::environment const&, detail::edited_entity& write) override {
        ++*calls_;
        if (read->body == "enough") return false;
        write = {write_kind::merge, read->body + "+", operation_id_};
        return true;
    }
    std::string finish(etag&& stored) { return stored.text(); }
    std::string unchanged() { return "unchanged"; }

protected:
    int* calls_;
    std::optional<guid> operation_id_;
};

/// Makes a row where there is none.
class creating_editor : public marking_editor {
public:
    using marking_editor::marking_editor;

    result<bool> edit(response* read, detail::environment const& env, detail::edited_entity& write) override {
        if (read && read->ok()) return marking_editor::edit(read, env, write);
        ++*calls_;
        write = {write_kind::insert, "new+", operation_id_};
        return true;
    }
};

/// Each request takes 30 ms.
class slow_store final : public store {
public:
    slow_store(tablemap::testing::fixed_clock& clock, std::vector<exchange> script)
        : clock_(clock), inner_(std::move(script)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_.capabilities(); }
    response execute(request const& r, call_options const& o) override {
        clock_.advance(30ms);
        return inner_.execute(r, o);
    }

private:
    tablemap::testing::fixed_clock& clock_;
    tablemap::testing::scripted_store inner_;
};

/// A stop is requested as soon as a call waits.
class stopping_clock final : public clock {
public:
    time_point now() override { return inner_.now(); }
    std::uint64_t random() override { return inner_.random(); }
    void sleep_until(time_point, std::stop_token const&) override { stop.request_stop(); }

    std::stop_source stop{};

private:
    tablemap::testing::fixed_clock inner_{};
};

class modify : public script_test {
protected:
    /// Under the store's policy: a driver that gives up at once, and an operation that knows of no such wish.
    template <class Op> auto play(Op&& op, std::vector<exchange> script) {
        options.clock = &clock;
        tablemap::testing::scripted_store s{std::move(script)};
        auto r = detail::run(s, op, options);
        EXPECT_THAT(s.complaints(), IsEmpty());
        return r;
    }

    auto op(std::optional<guid> token = {}, modify_options policy = {}) {
        return call(marking_editor{&calls, token}, policy, {});
    }
    auto or_insert(std::optional<guid> token = {}) {
        return call(creating_editor{&calls, token}, {}, {.when_absent = detail::absence::an_insert});
    }
    auto ruled(detail::repetition repeated, std::optional<guid> token = {}) {
        return call(creating_editor{&calls, token}, {},
                    {.when_absent = detail::absence::an_insert, .repeated = repeated});
    }
    template <class Editor>
    static detail::plain_call<std::string> call(Editor e, modify_options policy, detail::edit_rules rules) {
        return {detail::modify_with("T", entity_key{"p", "r"}, std::move(e), policy, rules)};
    }
    static response absent() { return response_failure(service_errc::resource_not_found); }
    static response there_already() { return response_failure(service_errc::entity_already_exists); }
    static response conflict() { return response_failure(service_errc::update_condition_not_satisfied); }
    static response lost() { return response_failure(library_errc::response_lost, outcome::in_doubt); }

    int calls = 0;
    std::string const with_our_token =
        R"({"PartitionKey":"p","RowKey":"r","TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" +
        our_token.text() + "\"}";
};

TEST_F(modify, writes_what_it_made_of_what_it_read_under_the_etag_it_read) {
    auto const r =
        play(op(), {{"find T [p] [r]", answer_row("a", "E1")}, {R"(merge T [p] [r] if "E1" a+)", answer_ok("E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "E2");
}

TEST_F(modify, reads_again_after_a_conflict_and_a_wait) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {R"(merge T [p] [r] if "E1" a+)", conflict()},
                               {"find", answer_row("b", "E5")},
                               {R"(merge T [p] [r] if "E5" b+)", answer_ok("E6")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(calls, 2);
    ASSERT_THAT(clock.waits(), SizeIs(1));
    EXPECT_LE(clock.waits()[0], modify_options{}.first_wait);
}

TEST_F(modify, gives_up_after_its_attempts) {
    auto const r = play(op({}, {.attempts = 2}), {{"find", answer_row("a", "E1")},
                                                  {"merge", conflict()},
                                                  {"find", answer_row("b", "E2")},
                                                  {"merge", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::too_many_conflicts);
    EXPECT_EQ(r.error().code(), error_kind::precondition_failed);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_THAT(r.error().what(), HasSubstr("after 2 tries"));
}

TEST_F(modify, writes_nothing_if_the_editor_changes_nothing) {
    auto const r = play(op(), {{"find", answer_row("enough", "E1")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "unchanged");
}

TEST_F(modify, writes_nothing_after_a_conflict_that_left_nothing_to_change) {
    auto const r =
        play(op(), {{"find", answer_row("a", "E1")}, {"merge", conflict()}, {"find", answer_row("enough", "E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "unchanged");
}

TEST_F(modify, waits_at_most_as_long_as_a_try_took_and_twice_that_after_the_next) {
    options.clock = &clock;
    slow_store s{clock,
                 {{"find", answer_row("a", "E1")},
                  {"merge", conflict()},
                  {"find", answer_row("b", "E2")},
                  {"merge", conflict()},
                  {"find", answer_row("c", "E3")},
                  {"merge", answer_ok("E4")}}};
    ASSERT_TRUE(detail::run(s, op({}, {.first_wait = 1ms, .longest_wait = 90ms}), options));
    ASSERT_THAT(clock.waits(), SizeIs(2));
    EXPECT_LE(clock.waits()[0], 60ms);
    EXPECT_LE(clock.waits()[1], 90ms);
    EXPECT_GT(clock.waits()[0] + clock.waits()[1], 1ms);
}

TEST_F(modify, a_stop_during_a_wait_ends_it_with_nothing_written) {
    stopping_clock stopping;
    options.stop = stopping.stop.get_token();
    options.clock = &stopping;
    tablemap::testing::scripted_store s{{{"find", answer_row("a", "E1")}, {"merge", conflict()}}};
    auto const r = detail::run(s, op(), options);
    EXPECT_THAT(s.complaints(), IsEmpty());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::cancelled);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(modify, ends_at_the_deadline_instead_of_waiting_past_it) {
    options.deadline = clock.now() + 1us;
    auto const r = play(op(), {{"find", answer_row("a", "E1")}, {"merge", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(modify, tells_that_there_is_no_such_entity) {
    auto const r = play(op(), {{"find", response_failure(service_errc::resource_not_found)}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::resource_not_found);
    EXPECT_EQ(calls, 0);
}

TEST_F(modify, writes_again_after_a_lost_answer_if_the_row_has_its_old_etag) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {"merge", lost()},
                               {"find", answer_row("a", "E1")},
                               {R"(merge T [p] [r] if "E1" a+)", answer_ok("E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(calls, 1) << "the change must not be made twice";
}

TEST_F(modify, recognises_its_token_after_a_lost_answer) {
    auto const r =
        play(op(our_token),
             {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row(with_our_token, "E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "") << "someone without tokens may have changed the row since";
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, stays_in_doubt_when_the_row_changed_and_no_token_tells_by_whom) {
    auto const r =
        play(op(), {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row("theirs", "E2")}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, stays_in_doubt_when_the_second_write_meets_a_conflict) {
    auto const r = play(
        op(),
        {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row("a", "E1")}, {"merge", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(modify, recognises_its_token_when_the_second_write_meets_a_conflict) {
    auto const r = play(op(our_token), {{"find", answer_row("a", "E1")},
                                        {"merge", lost()},
                                        {"find", answer_row("a", "E1")},
                                        {"merge", conflict()},
                                        {"find", answer_row(with_our_token, "E2")}});
    EXPECT_TRUE(r);
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, knows_that_the_second_write_was_applied_though_its_etag_did_not_come) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {"merge", lost()},
                               {"find", answer_row("a", "E1")},
                               {"merge", response_failure(library_errc::malformed_response, outcome::applied)}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::applied);
}

TEST_F(modify, writes_once_more_after_a_lost_answer_and_no_further) {
    auto const r = play(
        op(), {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row("a", "E1")}, {"merge", lost()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(clock.waits(), SizeIs(1));
}

TEST_F(modify, a_stop_after_a_lost_answer_leaves_the_outcome_in_doubt) {
    auto const r =
        play(op(),
             {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", response_failure(library_errc::cancelled)}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

// ---- repeated writes ------------------------------------------------------------------------------------------------

TEST_F(modify, ends_at_the_first_conflict_if_it_is_never_to_be_repeated) {
    options.deadline = clock.now() + 1us;
    for (auto const& met : {conflict(), absent()}) {
        auto const r = play(ruled(detail::repetition::never), {{"find", answer_row("a", "E1")}, {"merge", met}});
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), met.failure->code());
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    }
    EXPECT_THAT(clock.waits(), IsEmpty());
}

TEST_F(modify, is_in_doubt_at_a_conflict_after_a_lost_answer_if_it_is_never_to_be_repeated) {
    auto const r = play(
        ruled(detail::repetition::never),
        {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row("a", "E1")}, {"merge", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(modify, edits_what_it_finds_after_a_lost_answer_if_twice_is_as_once) {
    auto const r = play(ruled(detail::repetition::after_losses), {{"find", answer_row("a", "E1")},
                                                                  {"merge", lost()},
                                                                  {"find", answer_row("b", "E2")},
                                                                  {R"(merge T [p] [r] if "E2" b+)", conflict()},
                                                                  {"find", absent()},
                                                                  {"insert T [p] [r] new+", answer_ok("E4")}});
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(*r, "E4");
    EXPECT_EQ(calls, 3);
}

TEST_F(modify, edits_nothing_more_once_it_finds_its_token) {
    auto const r =
        play(ruled(detail::repetition::after_losses, our_token), {{"find", answer_row("a", "E1")},
                                                                  {"merge", lost()},
                                                                  {"find", answer_row("a", "E1")},
                                                                  {"merge", conflict()},
                                                                  {"find", answer_row(with_our_token, "E2")}});
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(*r, "");
    EXPECT_EQ(calls, 2);
}

TEST_F(modify, is_in_doubt_after_a_second_lost_answer_though_twice_is_as_once) {
    auto const r =
        play(ruled(detail::repetition::after_losses),
             {{"find", answer_row("a", "E1")}, {"merge", lost()}, {"find", answer_row("b", "E2")}, {"merge", lost()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(clock.waits(), SizeIs(1));
}

TEST_F(modify, is_in_doubt_whatever_it_meets_after_a_lost_answer) {
    std::vector<exchange> const begun{{"find", answer_row("a", "E1")}, {"merge", lost()}};
    for (auto const code : {service_errc::table_not_found, service_errc::server_busy}) {
        auto script = begun;
        script.push_back({"find", response_failure(code)});
        EXPECT_EQ(play(ruled(detail::repetition::after_losses), script).error().outcome(), outcome::in_doubt);
        script.back() = {"find", answer_row("b", "E2")};
        script.push_back({"merge", response_failure(code)});
        EXPECT_EQ(play(ruled(detail::repetition::after_losses), script).error().outcome(), outcome::in_doubt);
    }
}

// ---- rows that may be missing ---------------------------------------------------------------------------------------

TEST_F(modify, inserts_what_it_makes_where_there_is_no_row) {
    auto const r = play(or_insert(), {{"find T [p] [r]", absent()}, {"insert T [p] [r] new+", answer_ok("E1")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "E1");
}

TEST_F(modify, changes_what_someone_inserted_meanwhile) {
    auto const r = play(or_insert(), {{"find", absent()},
                                      {"insert", there_already()},
                                      {"find", answer_row("theirs", "E1")},
                                      {R"(merge T [p] [r] if "E1" theirs+)", answer_ok("E2")}});
    EXPECT_TRUE(r);
    EXPECT_EQ(calls, 2);
}

TEST_F(modify, inserts_what_someone_erased_meanwhile) {
    auto const r = play(or_insert(), {{"find", answer_row("a", "E1")},
                                      {"merge", absent()},
                                      {"find", absent()},
                                      {"insert T [p] [r] new+", answer_ok("E2")}});
    EXPECT_TRUE(r);
}

TEST_F(modify, does_not_insert_again_after_a_lost_answer) {
    auto const r = play(or_insert(), {{"find", absent()}, {"insert", lost()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    auto const looked = play(or_insert(our_token), {{"find", absent()}, {"insert", lost()}, {"find", absent()}});
    ASSERT_FALSE(looked);
    EXPECT_EQ(looked.error().outcome(), outcome::in_doubt) << "somebody may have erased the row";
}

TEST_F(modify, inserts_again_after_a_lost_answer_where_the_policy_says_so) {
    options.retry = retry_policy{.repeat_in_doubt = true};
    auto const r =
        play(or_insert(), {{"find", absent()}, {"insert", lost()}, {"find", absent()}, {"insert", answer_ok("E1")}});
    EXPECT_TRUE(r);
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, recognises_the_row_that_it_inserted_by_its_token) {
    auto const r = play(or_insert(our_token),
                        {{"find", absent()}, {"insert", lost()}, {"find", answer_row(with_our_token, "E1")}});
    EXPECT_TRUE(r);
}

TEST_F(modify, stays_in_doubt_when_there_is_a_row_after_a_lost_insert_and_no_token_tells_whose) {
    options.retry = retry_policy{.repeat_in_doubt = true};
    auto const r = play(or_insert(), {{"find", absent()}, {"insert", lost()}, {"find", answer_row("theirs", "E1")}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, every_step_failed_in_turn_ends_with_that_failure_and_its_outcome) {
    std::vector<exchange> const script{{"find", answer_row("a", "E1")},
                                       {"merge", conflict()},
                                       {"find", answer_row("b", "E2")},
                                       {"merge", answer_ok("E3")}};
    options.clock = &clock;
    for (auto const outcome_of_failure : {outcome::not_applied, outcome::in_doubt}) {
        tablemap::testing::for_each_failed_step(
            script, response_failure(service_errc::internal_error, outcome_of_failure),
            [&](tablemap::testing::scripted_store& s, std::size_t step) {
                auto const r = detail::run(s, op({}, {.attempts = 5}), options);
                ASSERT_FALSE(r) << "step " << step;
                bool const writing = step % 2 == 1;
                EXPECT_EQ(r.error().outcome(), writing ? outcome_of_failure : r.error().outcome());
                if (!(writing && outcome_of_failure == outcome::in_doubt)) {
                    EXPECT_EQ(r.error().code(), service_errc::internal_error);
                    EXPECT_THAT(s.complaints(), IsEmpty());
                }
            });
    }
}

}  // namespace
}  // namespace tablemap::test
