// SPDX-License-Identifier: Apache-2.0
#include "support/log_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;

bool is_append(request const& r) {
    auto const* const blob = std::get_if<blob_request>(&r);
    return blob && std::holds_alternative<append_block>(*blob);
}

/// A store with something on the way to it that treats appends in its own manner.
class proxied_store final : public store {
public:
    using manner = std::function<response(store& inner, request const& r, call_options const& o)>;

    explicit proxied_store(store_ptr inner) : inner_(std::move(inner)) {}

    void treat_next_append(manner m) { manner_ = std::move(m); }
    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (manner_ && is_append(r)) return std::exchange(manner_, {})(*inner_, r, o);
        return inner_->execute(r, o);
    }

private:
    store_ptr inner_;
    manner manner_{};
};

response carry_out_and_garble(store& inner, request const& r, call_options const& o) {
    static_cast<void>(inner.execute(r, o));
    return response::failed(error{library_errc::malformed_response, {.outcome = outcome::applied}});
}

response carry_out_twice(store& inner, request const& r, call_options const& o) {
    static_cast<void>(inner.execute(r, o));
    return inner.execute(r, o);
}

std::string file(int number) {
    auto const digits = std::to_string(number);
    return "requests/2014/07/31/1800/" + std::string(6 - digits.size(), '0') + digits + ".log";
}

class log_senders : public ::testing::Test {
protected:
    std::unique_ptr<log_writer> writer(log_options o = {}) const {
        return std::make_unique<log_writer>(faulty, "logs", requests_log(), on_july_31(18, std::move(o)));
    }
    void create_files(int from, int to) const {
        static_cast<void>(logs.create_if_not_exists());
        for (int number = from; number <= to; ++number) logs.create_append(file(number), blob_state::absent());
    }
    result<void> write(log_writer& w, std::string const& line) const {
        w.write(line);
        return w.try_flush();
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<proxied_store> proxied = std::make_shared<proxied_store>(clean);
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(proxied);
    blob_container logs{clean, "logs"};
};

// ---- appends --------------------------------------------------------------------------------------------------------

TEST_F(log_senders, look_at_the_file_after_an_append_whose_response_cannot_be_read) {
    auto const w = writer();
    proxied->treat_next_append(carry_out_and_garble);
    EXPECT_TRUE(write(*w, "one"));
    for (int i = 0; i < 2; ++i) static_cast<void>(w->try_flush());
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
    EXPECT_TRUE(write(*w, "two"));
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two"));
    EXPECT_EQ(all_files(clean).size(), 1U);
}

TEST_F(log_senders, know_their_lines_in_the_file_if_an_append_comes_there_twice) {
    auto const w = writer();
    proxied->treat_next_append(carry_out_twice);
    EXPECT_TRUE(write(*w, "one"));
    static_cast<void>(w->try_flush());
    EXPECT_TRUE(write(*w, "two"));
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two"));
    EXPECT_EQ(all_files(clean).size(), 1U);
}

TEST_F(log_senders, know_lines_of_others_that_are_as_long_as_their_own) {
    auto const w = writer();
    EXPECT_TRUE(write(*w, "one"));
    logs.append_anywhere(file(1), "its\n");
    auto const met = write(*w, "two");
    EXPECT_EQ(met.error().code(), service_errc::append_position_condition_not_met);
    EXPECT_EQ(met.error().outcome(), outcome::not_applied);
    EXPECT_FALSE(w->status().in_doubt);
    w->flush();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "its", "two"));
}

TEST_F(log_senders, look_for_their_lines_in_the_file_until_they_can_be_read) {
    auto const w = writer();
    std::vector<std::string> written;
    for (auto const met : {fault::busy, fault::lost_after, fault::truncated}) {
        proxied->treat_next_append(carry_out_twice);
        faulty->fail_next(met, written.empty() ? 4 : 1);
        EXPECT_EQ(write(*w, written.emplace_back(written.size() + 1, 'x')).error().outcome(), outcome::in_doubt);
        EXPECT_TRUE(w->status().in_doubt);
        EXPECT_TRUE(write(*w, written.emplace_back("between")));
        EXPECT_EQ(all_lines(clean), written);
    }
}

TEST_F(log_senders, write_to_another_file_once_they_know_that_the_lines_are_not_theirs) {
    auto const w = writer();
    EXPECT_TRUE(write(*w, "one"));
    logs.append_anywhere(file(1), "its\n");
    faulty->fail_next(fault::busy, 1);
    EXPECT_EQ(write(*w, "two").error().outcome(), outcome::in_doubt);
    EXPECT_EQ(write(*w, "three").error().outcome(), outcome::not_applied);
    w->flush();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "its", "two", "three"));
}

TEST_F(log_senders, fail_for_good_if_the_file_has_another_size_while_an_append_is_in_doubt) {
    auto const w = writer();
    EXPECT_TRUE(write(*w, "one"));
    faulty->fail_next(fault::lost_after);
    faulty->act_before([&](store&) { logs.append_anywhere(file(1), "foreign\n"); }, 1);
    auto const met = write(*w, "two");
    EXPECT_EQ(met.error().code(), service_errc::append_position_condition_not_met);
    EXPECT_EQ(met.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(w->try_flush().error(), met.error());
}

TEST_F(log_senders, store_lines_once_if_a_write_is_repeated_whose_flush_failed) {
    auto const w = writer({.buffer_bytes = 8});
    for (auto const* const line : {"one", "two"}) w->write(line);
    faulty->fail_next(fault::lost_after, 3);
    faulty->fail_next(fault::busy, 4);
    EXPECT_EQ(w->try_write("three").error().outcome(), outcome::in_doubt);
    EXPECT_EQ(w->write("three"), line_outcome::taken);
    w->close();
    EXPECT_THAT(all_lines(clean), ElementsAre("one", "two", "three"));
}

// ---- numbers --------------------------------------------------------------------------------------------------------

TEST_F(log_senders, take_the_first_free_number_behind_one_that_is_taken) {
    create_files(1, 1);
    create_files(999'999, 999'999);
    auto const w = writer();
    EXPECT_TRUE(write(*w, "one"));
    EXPECT_EQ(logs.get(file(2)).bytes, "one\n");
}

TEST_F(log_senders, pass_all_numbers_that_are_taken_if_another_writer_takes_the_free_one_first) {
    create_files(1, 1);
    create_files(3, 150);
    auto const w = writer();
    faulty->act_before([&](store&) { create_files(2, 2); }, 2);
    EXPECT_TRUE(write(*w, "one"));
    EXPECT_EQ(logs.get(file(151)).bytes, "one\n");
}

TEST_F(log_senders, list_again_after_a_list_that_failed) {
    create_files(1, 200);
    auto const w = writer();
    faulty->fail_next(fault::busy, 1);
    EXPECT_EQ(write(*w, "one").error().code(), service_errc::server_busy);
    auto const before = faulty->requests();
    EXPECT_TRUE(w->try_flush());
    EXPECT_EQ(faulty->requests() - before, 4U) << "a conflict, a list, a creation and an append";
    EXPECT_EQ(logs.get(file(201)).bytes, "one\n");
}

TEST_F(log_senders, list_again_for_each_file_that_meets_a_conflict) {
    create_files(1, 1);
    auto const w = writer({.file_appends = 1});
    EXPECT_TRUE(write(*w, "one"));
    create_files(3, 150);
    auto const before = faulty->requests();
    EXPECT_TRUE(write(*w, "two"));
    EXPECT_EQ(faulty->requests() - before, 4U) << "a conflict, a list, a creation and an append";
    EXPECT_EQ(logs.get(file(151)).bytes, "two\n");
}

}  // namespace
}  // namespace tablemap::test
