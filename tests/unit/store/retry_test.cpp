// SPDX-License-Identifier: Apache-2.0
#include "store/retry.hpp"

#include "support/operations.hpp"

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::answer_ok;
using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

auto const our_token = guid::from_random(1, 2);
auto const their_token = guid::from_random(3, 4);

class retry : public script_test {
protected:
    static request read() { return get_entity{"T", "p", "r"}; }
    static request write(write_kind kind, std::optional<guid> token = {}) {
        return write_entity{"T",
                            {.kind = kind,
                             .partition_key = "p",
                             .row_key = "r",
                             .body = kind == write_kind::erase ? "" : "{}",
                             .if_match = is_conditional(kind) ? "E1" : "",
                             .operation_id = token}};
    }
    static response busy() { return response_failure(service_errc::server_busy); }
    static response lost() { return response_failure(library_errc::response_lost, outcome::in_doubt); }
    static response row_with(guid token, std::string const& row_key = "r") {
        return answer_row(R"({"PartitionKey":"p","RowKey":")" + row_key +
                              R"(","TablemapOperation@odata.type":"Edm.Guid","TablemapOperation":")" + token.text() +
                              "\"}",
                          "E9");
    }
    static request erase_of_any() {
        return write_entity{"T",
                            {.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = any_etag}};
    }
    static response absent() { return response_failure(service_errc::resource_not_found); }
    static response conflict() { return response_failure(service_errc::update_condition_not_satisfied); }
    static retry_policy repeating(int attempts) {
        auto p = exact_retry(attempts);
        p.repeat_in_doubt = true;
        return p;
    }
};

TEST_F(retry, passes_a_first_answer_through_without_a_wait) {
    auto const r = play(one_request{read()}, {{"find T [p] [r]", answer_ok("E1")}}, exact_retry(3));
    ASSERT_TRUE(r);
    EXPECT_EQ(r->etag.text(), "E1");
    EXPECT_THAT(clock.waits(), IsEmpty());
}

TEST_F(retry, doubles_its_waits_up_to_the_longest) {
    auto const r = play(one_request{read()},
                        {{"find", busy()}, {"find", busy()}, {"find", busy()}, {"find", busy()}, {"find", answer_ok()}},
                        exact_retry(5));
    EXPECT_TRUE(r);
    EXPECT_THAT(clock.waits(), ElementsAre(100ms, 200ms, 300ms, 300ms));
}

TEST_F(retry, shortens_its_waits_at_random_but_never_beyond_the_jitter) {
    auto policy = exact_retry(2);
    policy.jitter = 0.5;
    EXPECT_TRUE(play(one_request{read()}, {{"find", busy()}, {"find", answer_ok()}}, policy));
    ASSERT_EQ(clock.waits().size(), 1u);
    EXPECT_GT(clock.waits()[0], 50ms);
    EXPECT_LT(clock.waits()[0], 100ms);
}

TEST_F(retry, waits_as_long_as_the_store_asks) {
    auto asking = busy();
    asking.retry_after = 7s;
    EXPECT_TRUE(play(one_request{read()}, {{"find", asking}, {"find", answer_ok()}}, exact_retry(2)));
    EXPECT_THAT(clock.waits(), ElementsAre(7s));
}

TEST_F(retry, does_not_wait_for_a_store_that_wants_to_be_left_alone_for_longer_than_the_policy_allows) {
    auto asking = busy();
    asking.retry_after = 24h;
    auto const r = play(one_request{read()}, {{"find", asking}}, exact_retry(4));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
    EXPECT_THAT(r.error().what(), HasSubstr("the store asks to be left alone for 86400 s, and "
                                            "retry_policy::longest_asked_wait is 60 s: call again later"));
    EXPECT_THAT(clock.waits(), IsEmpty());
}

TEST_F(retry, waits_as_long_as_the_policy_allows_and_no_longer) {
    auto asking = busy();
    auto policy = exact_retry(2);
    policy.longest_asked_wait = 7s;
    asking.retry_after = 7s;
    EXPECT_TRUE(play(one_request{read()}, {{"find", asking}, {"find", answer_ok()}}, policy));
    asking.retry_after = 7001ms;
    EXPECT_FALSE(play(one_request{read()}, {{"find", asking}}, policy));
    EXPECT_THAT(clock.waits(), ElementsAre(7s));
}

TEST_F(retry, waits_for_no_request_but_those_that_it_sends_again) {
    auto asking = busy();
    asking.retry_after = 24h;
    auto const answers = play(many_requests{{read(), read()}},
                              {{"find", asking}, {"find", busy()}, {"find", answer_ok()}}, exact_retry(2));
    ASSERT_TRUE(answers);
    EXPECT_EQ((*answers)[0].failure->code(), service_errc::server_busy);
    EXPECT_TRUE((*answers)[1].ok());
    EXPECT_THAT(clock.waits(), ElementsAre(100ms));
}

TEST_F(retry, keeps_a_lost_write_in_doubt_when_the_store_wants_to_be_left_alone) {
    auto asking = busy();
    asking.retry_after = 24h;
    auto const r =
        play(one_request{write(write_kind::replace)}, {{"replace", lost()}, {"replace", asking}}, exact_retry(4));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, tells_how_long_the_store_asked_to_wait_when_the_deadline_comes_before) {
    options.deadline = clock.now() + 5s;
    auto asking = busy();
    asking.retry_after = 7s;
    auto const r = play(one_request{read()}, {{"find", asking}}, exact_retry(4));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_THAT(r.error().what(), HasSubstr("the store is busy; the store asks to be left alone for 7 s"));
}

TEST_F(retry, gives_the_last_failure_when_its_attempts_are_used_up) {
    auto const r = play(one_request{read()}, {{"find", busy()}, {"find", busy()}}, exact_retry(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(retry, does_not_repeat_what_can_never_work) {
    auto const r =
        play(one_request{read()}, {{"find", response_failure(service_errc::resource_not_found)}}, exact_retry(5));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::resource_not_found);
}

TEST_F(retry, ends_when_the_deadline_comes_before_the_next_try) {
    options.deadline = clock.now() + 150ms;
    auto const r = play(one_request{read()}, {{"find", busy()}, {"find", busy()}}, exact_retry(5));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_THAT(r.error().what(), HasSubstr("the store is busy"));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(retry, keeps_a_lost_write_in_doubt_when_the_deadline_ends_it) {
    options.deadline = clock.now() + 50ms;
    auto const r = play(one_request{write(write_kind::replace)}, {{"replace", lost()}}, exact_retry(5));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::deadline_exceeded);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, sends_nothing_once_a_stop_is_requested) {
    std::stop_source source;
    source.request_stop();
    options.stop = source.get_token();
    auto const r = play(one_request{write(write_kind::insert)}, {}, exact_retry(5));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::cancelled);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(retry, a_write_that_succeeds_after_a_lost_answer_is_applied) {
    for (auto const kind : {write_kind::replace, write_kind::merge, write_kind::upsert_replace,
                            write_kind::upsert_merge, write_kind::erase}) {
        auto const name = std::string{action_of(kind)};
        auto const r = play(one_request{write(kind)}, {{name, lost()}, {name, answer_ok("E2")}}, exact_retry(2));
        EXPECT_TRUE(r) << name;
    }
}

TEST_F(retry, a_conflict_after_a_lost_answer_stays_in_doubt_without_a_token) {
    struct {
        write_kind kind;
        service_errc met;
    } const cases[] = {{write_kind::replace, service_errc::update_condition_not_satisfied},
                       {write_kind::merge, service_errc::update_condition_not_satisfied},
                       {write_kind::erase, service_errc::resource_not_found}};
    for (auto const& c : cases) {
        auto const name = std::string{action_of(c.kind)};
        auto const r =
            play(one_request{write(c.kind)}, {{name, lost()}, {name, response_failure(c.met)}}, exact_retry(3));
        ASSERT_FALSE(r) << name;
        EXPECT_EQ(r.error().code(), library_errc::response_lost) << name;
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt) << name;
    }
}

TEST_F(retry, a_token_of_ours_on_the_row_tells_that_a_lost_write_was_applied) {
    auto const r =
        play(one_request{write(write_kind::replace, our_token)},
             {{"replace", lost()}, {"replace", conflict()}, {"find T [p] [r]", row_with(our_token)}}, exact_retry(3));
    ASSERT_TRUE(r);
    EXPECT_TRUE(r->etag.empty()) << "someone without tokens may have changed the row since";
    EXPECT_THAT(clock.waits(), ElementsAre(100ms)) << "the look at the row does not wait";
}

// --- requests that are not repeatable --------------------------------------------------------------------------------

TEST_F(retry, an_insert_is_not_sent_again_after_a_lost_answer) {
    auto const r = play(one_request{write(write_kind::insert)}, {{"insert", lost()}}, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::response_lost);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("retry_policy::repeat_in_doubt"));
}

TEST_F(retry, a_lost_insert_is_recognised_by_its_token_after_a_wait) {
    auto const r = play(one_request{write(write_kind::insert, our_token)},
                        {{"insert", lost()}, {"find T [p] [r] current", row_with(our_token)}}, exact_retry(2));
    ASSERT_TRUE(r);
    EXPECT_TRUE(r->etag.empty());
    EXPECT_THAT(clock.waits(), ElementsAre(100ms)) << "it may still be under way";
}

TEST_F(retry, a_lost_insert_whose_row_is_not_there_or_someone_elses_stays_in_doubt) {
    for (auto const& row : {absent(), row_with(their_token)}) {
        auto const r = play(one_request{write(write_kind::insert, our_token)}, {{"insert", lost()}, {"find", row}},
                            exact_retry(3));
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    }
}

TEST_F(retry, a_look_after_a_lost_insert_is_repeated_while_the_policy_allows_it) {
    std::vector<exchange> const script{{"insert", lost()}, {"find", busy()}, {"find", row_with(our_token)}};
    EXPECT_TRUE(play(one_request{write(write_kind::insert, our_token)}, script, exact_retry(3)));
    auto const r =
        play(one_request{write(write_kind::insert, our_token)}, {{"insert", lost()}, {"find", busy()}}, exact_retry(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, a_row_of_another_key_does_not_tell_of_a_lost_insert) {
    auto const r = play(one_request{write(write_kind::insert, our_token)},
                        {{"insert", lost()}, {"find", row_with(our_token, "other")}}, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, an_insert_is_sent_again_where_the_policy_says_so) {
    EXPECT_TRUE(
        play(one_request{write(write_kind::insert)}, {{"insert", lost()}, {"insert", answer_ok("E1")}}, repeating(2)));
    auto const r =
        play(one_request{write(write_kind::insert)},
             {{"insert", lost()}, {"insert", response_failure(service_errc::entity_already_exists)}}, repeating(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::response_lost);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, an_erase_of_any_version_is_in_doubt_after_a_lost_answer_and_says_whether_the_row_is_gone) {
    auto const gone = play(one_request{erase_of_any()}, {{"erase", lost()}, {"find", absent()}}, exact_retry(3));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code(), service_errc::resource_not_found);
    EXPECT_EQ(gone.error().outcome(), outcome::in_doubt);
    auto const there =
        play(one_request{erase_of_any()}, {{"erase", lost()}, {"find", row_with(their_token)}}, exact_retry(3));
    ASSERT_FALSE(there);
    EXPECT_EQ(there.error().code(), library_errc::response_lost);
    EXPECT_EQ(there.error().outcome(), outcome::in_doubt);
    EXPECT_TRUE(play(one_request{erase_of_any()}, {{"erase", lost()}, {"erase", answer_ok()}}, repeating(3)));
}

// --- conflicts after a lost response ---------------------------------------------------------------------------------

TEST_F(retry, a_token_of_someone_else_leaves_a_lost_write_in_doubt) {
    auto const r = play(one_request{write(write_kind::replace, our_token)},
                        {{"replace", lost()},
                         {"replace", response_failure(service_errc::update_condition_not_satisfied)},
                         {"find", row_with(their_token)}},
                        exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, an_erase_is_never_recognised_by_a_token) {
    auto const r =
        play(one_request{write(write_kind::erase, our_token)},
             {{"erase", lost()}, {"erase", response_failure(service_errc::resource_not_found)}}, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, a_conflict_without_a_lost_answer_is_just_that) {
    auto const r =
        play(one_request{write(write_kind::insert, our_token)},
             {{"insert", busy()}, {"insert", response_failure(service_errc::entity_already_exists)}}, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
}

TEST_F(retry, every_step_failed_for_good_ends_a_recognised_write_without_a_guess) {
    std::vector<exchange> const script{{"replace", lost()}, {"replace", conflict()}, {"find", row_with(our_token)}};
    options.clock = &clock;
    options.retry = exact_retry(3);
    tablemap::testing::for_each_failed_step(
        script, response_failure(service_errc::invalid_input),
        [&](tablemap::testing::scripted_store& s, std::size_t step) {
            one_request op{write(write_kind::replace, our_token)};
            auto const r = detail::run(s, op, options);
            ASSERT_FALSE(r);
            EXPECT_EQ(r.error().outcome(), step == 0 ? outcome::not_applied : outcome::in_doubt) << "step " << step;
            EXPECT_THAT(s.complaints(), IsEmpty());
        });
}

TEST_F(retry, says_how_to_find_out_about_a_write_in_doubt) {
    auto const said = [&](request const& r, service_errc met) {
        auto const name = std::string{action_of(r)};
        std::vector<exchange> script{{name, lost()}, {name, response_failure(met)}};
        auto const failed = play(one_request{r}, std::move(script), exact_retry(2));
        return failed ? std::string{} : std::string{failed.error().what()};
    };
    EXPECT_THAT(said(write(write_kind::replace), service_errc::update_condition_not_satisfied),
                HasSubstr("read the entity to see, or give the table operation ids"));
    EXPECT_THAT(said(write(write_kind::erase), service_errc::resource_not_found), HasSubstr("read the entity to see"));
    EXPECT_THAT(said(write(write_kind::erase), service_errc::resource_not_found), Not(HasSubstr("tokens")));
    EXPECT_THAT(said(create_table{"T"}, service_errc::authorization_failure), HasSubstr("list the tables to see"));
}

TEST_F(retry, a_busy_look_at_the_row_is_repeated_and_still_tells_nothing_of_someone_elses) {
    auto const r =
        play(one_request{write(write_kind::replace, our_token)},
             {{"replace", lost()}, {"replace", conflict()}, {"find", busy()}, {"find", row_with(their_token)}},
             exact_retry(4));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::response_lost);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, a_call_that_had_to_end_says_so_of_a_lost_write) {
    for (auto const why : {library_errc::cancelled, library_errc::deadline_exceeded}) {
        auto const r = play(one_request{write(write_kind::replace)},
                            {{"replace", lost()}, {"replace", response_failure(why)}}, exact_retry(3));
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().code(), why);
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    }
}

TEST_F(retry, a_write_that_is_known_to_be_applied_stays_so_after_a_lost_answer) {
    auto const r = play(one_request{write(write_kind::upsert_replace)},
                        {{"upsert_replace", lost()},
                         {"upsert_replace", response_failure(library_errc::malformed_response, outcome::applied)}},
                        exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_EQ(r.error().outcome(), outcome::applied);
}

// --- group transactions ----------------------------------------------------------------------------------------------

class retry_of_group : public retry {
protected:
    /// An erase, an insert without a token, and two inserts with one.
    request group() const { return transact{"T", operations}; }

    static write_operation insert(std::string_view row, std::optional<guid> token) {
        return {.kind = write_kind::insert, .partition_key = "p", .row_key = row, .body = "{}", .operation_id = token};
    }
    static response conflict() { return response_failure(service_errc::entity_already_exists); }

    std::vector<write_operation> const operations{
        {.kind = write_kind::erase, .partition_key = "p", .row_key = "0", .if_match = "E1", .operation_id = our_token},
        insert("1", {}),
        insert("2", our_token),
        insert("3", our_token)};
};

TEST_F(retry_of_group, one_row_with_our_token_tells_that_all_of_a_lost_group_was_applied) {
    auto const r =
        play(one_request{group()},
             {{"transaction", lost()}, {"transaction", conflict()}, {"find T [p] [2]", row_with(our_token, "2")}},
             exact_retry(3));
    ASSERT_TRUE(r);
    EXPECT_EQ(r->etags, std::vector<etag>(4)) << "one for each operation, and none is known to be ours";
}

TEST_F(retry_of_group, rows_that_were_changed_or_erased_since_do_not_hide_another_with_our_token) {
    for (auto const& first : {row_with(their_token, "2"), response_failure(service_errc::resource_not_found)}) {
        auto const r = play(one_request{group()},
                            {{"transaction", lost()},
                             {"transaction", conflict()},
                             {"find T [p] [2]", first},
                             {"find T [p] [3]", row_with(our_token, "3")}},
                            exact_retry(3));
        EXPECT_TRUE(r);
    }
    EXPECT_THAT(clock.waits(), ElementsAre(100ms, 100ms)) << "looks do not wait";
}

TEST_F(retry_of_group, no_row_with_our_token_leaves_a_lost_group_in_doubt) {
    auto refusal = error{service_errc::entity_already_exists, {.failed_index = 2}};
    auto const r = play(one_request{group()},
                        {{"transaction", lost()},
                         {"transaction", response::failed(refusal)},
                         {"find T [p] [2]", row_with(their_token, "2")},
                         {"find T [p] [3]", response_failure(service_errc::resource_not_found)}},
                        exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::response_lost);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_FALSE(r.error().failed_index()) << "that row may be in the way because the group was applied";
}

TEST_F(retry_of_group, a_lost_group_without_tokens_is_never_said_not_to_be_applied) {
    write_operation const plain[] = {insert("1", {}), insert("2", {})};
    for (auto const met : {service_errc::entity_already_exists, service_errc::update_condition_not_satisfied,
                           service_errc::resource_not_found, service_errc::table_not_found, service_errc::server_busy,
                           service_errc::invalid_input}) {
        auto const r = play(one_request{transact{"T", plain}},
                            {{"transaction", lost()}, {"transaction", response_failure(met)}}, repeating(2));
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt) << r.error().what();
    }
}

TEST_F(retry_of_group, a_lost_group_that_no_version_guards_is_not_sent_again) {
    write_operation const inserts[] = {insert("1", our_token), insert("2", our_token)};
    auto const known = play(one_request{transact{"T", inserts}},
                            {{"transaction", lost()},
                             {"find T [p] [1]", response_failure(service_errc::resource_not_found)},
                             {"find T [p] [2]", row_with(our_token, "2")}},
                            exact_retry(2));
    EXPECT_TRUE(known) << "one row was erased since, the other tells";
    write_operation const plain[] = {insert("1", {}), insert("2", {})};
    auto const unknown = play(one_request{transact{"T", plain}}, {{"transaction", lost()}}, exact_retry(3));
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().outcome(), outcome::in_doubt);
}

TEST_F(retry_of_group, at_most_ten_rows_of_a_lost_group_are_read) {
    std::vector<std::string> keys;
    for (int i = 0; i < 100; ++i) keys.push_back(std::to_string(1000 + i));
    std::vector<write_operation> inserts;
    for (auto const& k : keys) inserts.push_back(insert(k, our_token));
    std::vector<exchange> script{{"transaction", lost()}};
    for (int i = 0; i < 10; ++i) script.push_back({"find", response_failure(service_errc::resource_not_found)});
    auto const r = play(one_request{transact{"T", inserts}}, script, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry_of_group, a_refusal_without_a_lost_answer_is_just_that) {
    auto refusal = error{service_errc::entity_already_exists, {.failed_index = 2}};
    auto const r = play(one_request{group()}, {{"transaction", busy()}, {"transaction", response::failed(refusal)}},
                        exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(r.error().failed_index(), 2u);
}

// --- steps of several requests ---------------------------------------------------------------------------------------

class retry_of_queue : public retry {
protected:
    static request put() { return queue_request{put_message{"q", "a"}}; }
    static request update() { return queue_request{update_message{"q", "i", "r"}}; }
    static request erase() { return queue_request{delete_message{"q", "i", "r"}}; }
    static response gone() { return response_failure(service_errc::message_not_found); }
};

TEST_F(retry_of_queue, a_message_is_not_put_again_after_a_lost_answer) {
    auto const r = play(one_request{put()}, {{"put message", lost()}}, exact_retry(3));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("it was not sent again"));
    EXPECT_THAT(r.error().what(), HasSubstr("the message may be in the queue"));
    EXPECT_THAT(r.error().what(), HasSubstr("repeat_in_doubt"));
    EXPECT_THAT(r.error().what(), Not(HasSubstr("entity")));
}

TEST_F(retry_of_queue, a_message_is_put_again_where_the_policy_says_so) {
    EXPECT_TRUE(play(one_request{put()}, {{"put message", lost()}, {"put message", answer_ok()}}, repeating(2)));
    auto const r = play(one_request{put()}, {{"put message", lost()}, {"put message", busy()}}, repeating(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("even more than once"));
}

TEST_F(retry_of_queue, a_busy_queue_is_asked_again) {
    EXPECT_TRUE(play(one_request{put()}, {{"put message", busy()}, {"put message", answer_ok()}}, exact_retry(2)));
}

TEST_F(retry_of_queue, messages_are_got_again_after_a_lost_answer) {
    request const get = queue_request{get_messages{"q"}};
    EXPECT_TRUE(play(one_request{get}, {{"get messages", lost()}, {"get messages", answer_ok()}}, exact_retry(2)));
}

TEST_F(retry_of_queue, a_message_that_is_gone_after_a_lost_answer_leaves_its_deletion_in_doubt) {
    auto const r = play(one_request{erase()}, {{"delete message", lost()}, {"delete message", gone()}}, exact_retry(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("given to the next receiver"));
}

TEST_F(retry_of_queue, a_void_receipt_after_a_lost_answer_leaves_an_update_in_doubt) {
    auto const mismatch = response_failure(service_errc::pop_receipt_mismatch);
    auto const r = play(one_request{update()}, {{"update", lost()}, {"update", mismatch}}, exact_retry(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_THAT(r.error().what(), HasSubstr("get it again once it is visible"));
}

TEST_F(retry_of_queue, a_queue_that_is_gone_after_a_lost_answer_leaves_its_deletion_in_doubt) {
    request const remove = queue_request{delete_queue{"q"}};
    auto const absent_queue = response_failure(service_errc::queue_not_found);
    auto const r =
        play(one_request{remove}, {{"delete queue", lost()}, {"delete queue", absent_queue}}, exact_retry(2));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::queue_not_found);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
}

TEST_F(retry, of_a_write_of_blobs_in_any_version_is_in_doubt_after_a_lost_answer) {
    request const erase = blob_request{delete_blob{"c", "b", {.if_match = any_etag}}};
    request const append = blob_request{append_block{.container = "c", .blob = "b", .body = "x", .if_match = any_etag}};
    for (auto const& [what, step] : {std::pair{erase, "delete blob"}, std::pair{append, "append to blob"}}) {
        auto const r = play(one_request{what}, {{step, lost()}}, exact_retry(3));
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
        EXPECT_THAT(r.error().what(), HasSubstr("it was not sent again"));
    }
}

TEST_F(retry, of_several_requests_repeats_only_those_that_failed) {
    auto const r =
        play(many_requests{{get_entity{"T", "p", "1"}, get_entity{"T", "p", "2"}, get_entity{"T", "p", "3"}}},
             {{"find T [p] [1]", answer_ok("E1")},
              {"find T [p] [2]", busy()},
              {"find T [p] [3]", response_failure(service_errc::resource_not_found)},
              {"find T [p] [2]", answer_ok("E2")}},
             exact_retry(2));
    ASSERT_TRUE(r);
    ASSERT_EQ(r->size(), 3u);
    EXPECT_EQ((*r)[0].etag.text(), "E1");
    EXPECT_EQ((*r)[1].etag.text(), "E2");
    EXPECT_EQ((*r)[2].failure->code(), service_errc::resource_not_found);
}

TEST_F(retry, uses_the_stores_policy_where_the_call_names_none) {
    tablemap::testing::scripted_store s{
        {{"find", busy()}, {"find", answer_ok()}}, {.name = "scripted"}, {.default_retry = exact_retry(2)}};
    options.clock = &clock;
    EXPECT_TRUE(detail::run(s, one_request{read()}, options));
}

}  // namespace
}  // namespace tablemap::test
