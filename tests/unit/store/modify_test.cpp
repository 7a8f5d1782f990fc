// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/modify.hpp"

#include "support/operations.hpp"

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_failure;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto const our_token = guid::from_random(1, 2);

/// Appends a mark to what it reads, so that a test sees how often it was called and on what.
struct marking_editor {
    using value_type = std::string;

    int* calls;
    std::optional<guid> token{};

    result<detail::edited_entity> edit(response& read, detail::environment const&) {
        ++*calls;
        return detail::edited_entity{read.body + "+", token};
    }
    std::string finish(etag&& stored) { return stored.text(); }
};

class modify : public script_test {
protected:
    auto op(std::optional<guid> token = {}, detail::conflict_policy policy = {}) {
        return detail::modify_operation(std::string_view{"T"}, "p", "r", marking_editor{&calls, token}, policy);
    }
    static response conflict() { return answer_failure(service_errc::update_condition_not_satisfied); }
    static response lost() { return answer_failure(library_errc::answer_lost, outcome::in_doubt); }

    int calls = 0;
};

TEST_F(modify, writes_what_it_made_of_what_it_read_under_the_etag_it_read) {
    auto const r =
        play(op(), {{"find T [p] [r]", answer_row("a", "E1")}, {R"(replace T [p] [r] if "E1" a+)", answer_ok("E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "E2");
}

TEST_F(modify, reads_again_after_a_conflict_and_a_wait) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {R"(replace T [p] [r] if "E1" a+)", conflict()},
                               {"find", answer_row("b", "E5")},
                               {R"(replace T [p] [r] if "E5" b+)", answer_ok("E6")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(calls, 2);
    ASSERT_THAT(clock.waits(), SizeIs(1));
    EXPECT_LE(clock.waits()[0], detail::conflict_policy{}.first_wait);
}

TEST_F(modify, gives_up_after_its_attempts) {
    auto const r = play(op({}, {.attempts = 2}), {{"find", answer_row("a", "E1")},
                                                  {"replace", conflict()},
                                                  {"find", answer_row("b", "E2")},
                                                  {"replace", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::too_many_conflicts);
    EXPECT_EQ(r.error().code(), error_kind::precondition_failed);
}

TEST_F(modify, ends_at_the_deadline_instead_of_waiting_past_it) {
    options.deadline = clock.now() + 1us;
    auto const r = play(op(), {{"find", answer_row("a", "E1")}, {"replace", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(modify, tells_that_there_is_no_such_entity) {
    auto const r = play(op(), {{"find", answer_failure(service_errc::resource_not_found)}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::resource_not_found);
    EXPECT_EQ(calls, 0);
}

TEST_F(modify, writes_again_after_a_lost_answer_if_the_row_has_its_old_etag) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {"replace", lost()},
                               {"find", answer_row("a", "E1")},
                               {R"(replace T [p] [r] if "E1" a+)", answer_ok("E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(calls, 1) << "the change must not be made twice";
}

TEST_F(modify, recognises_its_token_after_a_lost_answer) {
    auto const stored =
        R"({"TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" + our_token.text() + "\"}";
    auto const r =
        play(op(our_token), {{"find", answer_row("a", "E1")}, {"replace", lost()}, {"find", answer_row(stored, "E2")}});
    ASSERT_TRUE(r);
    EXPECT_EQ(*r, "") << "someone without tokens may have changed the row since";
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, stays_in_doubt_when_the_row_changed_and_no_token_tells_by_whom) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")}, {"replace", lost()}, {"find", answer_row("{}", "E2")}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(calls, 1);
}

TEST_F(modify, stays_in_doubt_when_the_second_write_meets_a_conflict) {
    auto const r = play(op(), {{"find", answer_row("a", "E1")},
                               {"replace", lost()},
                               {"find", answer_row("a", "E1")},
                               {"replace", conflict()}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(modify, every_step_failed_in_turn_ends_with_that_failure_and_its_outcome) {
    std::vector<exchange> const script{{"find", answer_row("a", "E1")},
                                       {"replace", conflict()},
                                       {"find", answer_row("b", "E2")},
                                       {"replace", answer_ok("E3")}};
    options.clock = &clock;
    for (auto const outcome_of_failure : {outcome::not_applied, outcome::in_doubt}) {
        tablemap::testing::for_each_failed_step(
            script, answer_failure(service_errc::internal_error, outcome_of_failure),
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
