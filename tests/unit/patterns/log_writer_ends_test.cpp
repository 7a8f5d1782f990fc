// SPDX-License-Identifier: Apache-2.0
#include "support/log_samples.hpp"
#include "support/mortal_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Lines that writers could not write, and calls of a writer from within its own.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::Each;
using ::testing::ElementsAre;

/// An observer that uses the writer of a log.
class writing_observer final : public observer {
public:
    void request_done(request_event const&) override {
        if (!writer) return;
        met.push_back(writer->try_write("observed").error().code());
        met.push_back(writer->try_flush().error().code());
        met.push_back(writer->try_close().error().code());
        waiting = writer->status().waiting_lines;
    }

    log_writer* writer = nullptr;
    std::vector<std::error_code> met{};
    std::size_t waiting = 0;
};

class log_writer_ends : public ::testing::Test {
protected:
    log_options telling(log_options o = {}) {
        o.on_lost = [this](lost_lines const& l) { lost = l; };
        return o;
    }
    std::unique_ptr<log_writer> writer(store_ptr s) {
        return std::make_unique<log_writer>(std::move(s), "logs", requests_log(), on_july_31(18, telling()));
    }
    /// The same, but the destructor flushes.
    std::unique_ptr<log_writer> flushing(store_ptr s) {
        return std::make_unique<log_writer>(std::move(s), "logs", requests_log(),
                                            telling({.now = [] { return july_31(18); }}));
    }
    void leave_in_doubt(log_writer& w) {
        w.write("one");
        w.flush();
        w.write("two");
        faulty->fail_next(fault::lost_after);
        faulty->fail_next(fault::busy, 1);
        EXPECT_EQ(w.try_flush().error().outcome(), outcome::in_doubt);
        w.write("three");
    }

    store_ptr clean = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(clean);
    blob_container logs{clean, "logs"};
    std::optional<lost_lines> lost{};
};

TEST_F(log_writer_ends, hand_out_the_lines_that_are_lost) {
    auto w = writer(faulty);
    w->write("one");
    w->write_at(july_31(19), "two");
    w.reset();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->text, "one\ntwo\n");
    EXPECT_EQ(lost->bytes_in_doubt, 0U);
    EXPECT_EQ(lost->why.outcome(), outcome::not_applied);
}

TEST_F(log_writer_ends, tell_that_lost_lines_may_be_stored_if_nothing_is_sent_at_last) {
    auto w = writer(faulty);
    leave_in_doubt(*w);
    w.reset();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->why.outcome(), outcome::in_doubt);
    EXPECT_EQ(lost->text, "two\nthree\n");
    EXPECT_EQ(lost->bytes_in_doubt, 4U);
}

TEST_F(log_writer_ends, hand_out_the_lines_of_a_writer_that_has_failed) {
    auto w = flushing(faulty);
    leave_in_doubt(*w);
    logs.erase_any("requests/2014/07/31/1800/000001.log");
    EXPECT_EQ(w->try_flush().error().code(), service_errc::blob_not_found);
    w.reset();
    ASSERT_TRUE(lost);
    EXPECT_EQ(lost->why.outcome(), outcome::in_doubt);
    EXPECT_EQ(lost->text.substr(lost->bytes_in_doubt), "three\n");
}

TEST_F(log_writer_ends, tell_that_lost_lines_may_be_stored_if_the_store_throws) {
    for (bool const carries_out : {false, true}) {
        lost.reset();
        flushing(std::make_shared<mortal_store>(clean, carries_out ? 3U : 2U, carries_out))->write("one");
        ASSERT_TRUE(lost) << "three requests come before the append";
        EXPECT_EQ(lost->why.outcome(), carries_out ? outcome::in_doubt : outcome::not_applied);
        logs.delete_if_exists();
    }
}

TEST_F(log_writer_ends, refuse_to_be_used_by_observers_of_their_own_requests) {
    auto const seen = std::make_shared<writing_observer>();
    auto const w = writer(with_observer(clean, seen));
    seen->writer = w.get();
    w->write("one");
    w->flush();
    EXPECT_EQ(seen->waiting, 1U);
    EXPECT_THAT(seen->met, Each(make_error_code(library_errc::unsupported)));
    seen->writer = nullptr;
    w->close();
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(log_writer_ends, refuse_to_be_used_by_observers_of_their_last_requests) {
    auto const seen = std::make_shared<writing_observer>();
    auto w = flushing(with_observer(clean, seen));
    seen->writer = w.get();
    w->write("one");
    w.reset();
    EXPECT_THAT(seen->met, Each(make_error_code(library_errc::unsupported)));
    EXPECT_THAT(all_lines(clean), ElementsAre("one"));
}

TEST_F(log_writer_ends, tell_their_state_to_the_clock_of_their_lines) {
    log_writer* self = nullptr;
    log_writer w{clean, "logs", requests_log(), {.now = [&] {
                     EXPECT_EQ(self->status().waiting_lines, 0U);
                     EXPECT_FALSE(self->try_flush());
                     return july_31(18);
                 }}};
    self = &w;
    EXPECT_EQ(w.write("one"), line_outcome::taken);
}

}  // namespace
}  // namespace tablemap::test
