// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include "tablemap/patterns/relay.hpp"
#include "tablemap/queue/queue.hpp"

#include "support/outbox_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

class command_outbox : public ::testing::Test {
protected:
    /// Commits an effect, and parks it.
    void park() const {
        table<staff> const people{open(tablemap.store), "Company"};
        static_cast<void>(people.create_if_not_exists());
        staff_outbox const box{people};
        auto t = people.transaction();
        t.insert(staff{"Bonn", 1, "Don"});
        box.commit(t, archive_staff{1, 1});
        relay const failing{box,
                            {.attempts = 1},
                            on<archive_staff>([](archive_staff const&) { throw std::runtime_error{"closed"}; }),
                            on<greet_staff>([](greet_staff const&) {})};
        ASSERT_EQ(failing.run_once(partition("Bonn")).parked, 1u);
    }

    command_file const tablemap{};
};

TEST_F(command_outbox, shows_parked_effects_and_puts_them_back) {
    park();
    auto const before = tablemap({"relay", "Company"});
    EXPECT_EQ(before.code, command::no);
    EXPECT_THAT(before.out, HasSubstr("pending: 0\nparked: 1\n"));
    auto const r = tablemap({"relay", "Company", "--put-back"});
    EXPECT_EQ(r.code, command::done) << r.error;
    EXPECT_THAT(r.out, HasSubstr("effects put back: 1\n"));
    EXPECT_THAT(tablemap({"relay", "Company"}).out, HasSubstr("pending: 1\nparked: 0\n"));
}

TEST_F(command_outbox, poison_queue_is_read_and_left) {
    queue const messages{open(tablemap.store), "work-poison"};
    messages.create();
    messages.put("a \"strange\" text");
    for (int i = 0; i < 2; ++i) {
        auto const r = tablemap({"poison", "work"});
        EXPECT_EQ(r.code, command::no);
        EXPECT_THAT(r.out, HasSubstr("\"text\":\"a \\\"strange\\\" text\"}\n"));
    }
}

TEST_F(command_outbox, poison_message_that_a_receiver_holds_is_counted) {
    queue const messages{open(tablemap.store), "work-poison"};
    messages.create();
    messages.put("text");
    ASSERT_EQ(messages.get().size(), 1u);
    auto const r = tablemap({"poison", "work"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.error, HasSubstr("about 1 message; those that a receiver holds"));
}

TEST_F(command_outbox, queue_of_relays_that_never_failed_has_no_poison_queue) {
    queue{open(tablemap.store), "work"}.create();
    auto const r = tablemap({"poison", "work"});
    EXPECT_EQ(r.code, command::done);
    EXPECT_EQ(r.error, "there is no queue work-poison, so no message was put into it yet\n");
}

TEST_F(command_outbox, queue_that_is_not_there_is_named) {
    auto const r = tablemap({"poison", "wrok"});
    EXPECT_EQ(r.code, command::no);
    EXPECT_EQ(r.error, "tablemap: there is no queue wrok-poison, nor a queue wrok; name a queue of relays\n");
}

}  // namespace
}  // namespace tablemap::test
