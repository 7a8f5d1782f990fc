// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <set>
#include <thread>

namespace tablemap::test {
namespace {

class processes : public embedded_file {};

TEST_F(processes, two_stores_on_one_file_see_each_other) {
    auto a = open();
    auto b = open();
    table_client in_a{*a, "People"}, in_b{*b, "People"};
    ASSERT_TRUE(carried_out(in_a.create()));
    auto const first = in_a.insert(entity("p", "r")).etag;
    auto const second = in_b.write(write_kind::merge, entity("p", "r", {{"B", 1}}), first.text()).etag;
    EXPECT_GT(*second.timestamp(), *first.timestamp());
    EXPECT_TRUE(refused(in_a.erase("p", "r", first.text()), service_errc::update_condition_not_satisfied));
}

// Whoever believes to be the last to close the file folds the log into it and removes the log.
TEST_F(processes, a_second_store_in_a_process_keeps_the_file_safe_from_a_process_that_closes_it) {
    make_store(0);
    int opened[2], closed[2];
    ASSERT_EQ(pipe(opened), 0);
    ASSERT_EQ(pipe(closed), 0);
    auto const writer = in_child([&] {
        auto a = open();
        table_client t{*a, "People"};
        if (!t.insert(entity("p", "before")).ok()) return 1;
        auto b = open();
        char go = 0;
        if (write(opened[1], &go, 1) != 1 || read(closed[0], &go, 1) != 1) return 2;
        bool const written =
            t.insert(entity("p", "after")).ok() && table_client{*b, "People"}.insert(entity("p", "other")).ok();
        _exit(written ? 0 : 3);  // as a crash does, without closing
    });
    char go = 0;
    ASSERT_EQ(read(opened[0], &go, 1), 1);
    EXPECT_TRUE(carried_out(table_client{*open(), "People"}.get("p", "before")));
    ASSERT_EQ(write(closed[1], &go, 1), 1);
    EXPECT_EQ(exit_status(writer), 0);
    auto s = open();
    EXPECT_EQ(keys_of(table_client{*s, "People"}.all()), (std::vector<std::string>{"p/after", "p/before", "p/other"}));
    for (int const end : {opened[0], opened[1], closed[0], closed[1]}) close(end);
}

TEST_F(processes, a_file_that_is_open_in_the_process_can_be_opened_many_times) {
    auto first = open();
    ASSERT_TRUE(carried_out(table_client{*first, "People"}.create()));
    for (int i = 0; i < 20; ++i)
        EXPECT_TRUE(carried_out(table_client{*open(), "People"}.insert(entity("p", std::to_string(i)))));
    EXPECT_EQ((table_client{*first, "People"}.all().size()), 20u);
}

TEST_F(processes, a_table_that_another_store_deleted_takes_no_writes) {
    make_store(1);
    auto const a = open(), b = open();
    EXPECT_TRUE(carried_out(table_client{*a, "People"}.insert(entity("p", "a"))));
    ASSERT_TRUE(carried_out(table_client{*b, "People"}.drop()));
    EXPECT_TRUE(refused(table_client{*a, "People"}.insert(entity("p", "b")), service_errc::table_not_found));
}

TEST_F(processes, a_table_that_another_store_made_again_is_found) {
    auto a = open();
    auto b = open();
    table_client in_a{*a, "People"}, in_b{*b, "People"};
    ASSERT_TRUE(carried_out(in_a.create()));
    ASSERT_TRUE(carried_out(in_a.insert(entity("p", "old"))));
    ASSERT_TRUE(carried_out(in_b.get("p", "old")));
    ASSERT_TRUE(carried_out(in_a.drop()));
    EXPECT_TRUE(refused(in_b.get("p", "old"), service_errc::table_not_found));
    ASSERT_TRUE(carried_out(in_a.create()));
    ASSERT_TRUE(carried_out(in_a.insert(entity("p", "new"))));
    EXPECT_TRUE(carried_out(in_b.get("p", "new")));
    EXPECT_TRUE(refused(in_b.get("p", "old"), service_errc::resource_not_found));
    EXPECT_EQ(in_b.all().size(), 1u);
}

TEST_F(processes, many_open_a_new_file_at_the_same_time) {
    std::vector<pid_t> children;
    for (int c = 0; c < 6; ++c)
        children.push_back(in_child([&] {
            auto s = open();
            return table_client{*s, "Table" + std::to_string(c)}.create().ok() ? 0 : 1;
        }));
    for (auto const child : children) EXPECT_EQ(exit_status(child), 0);
    auto s = open();
    EXPECT_EQ(s->execute(list_tables{}, {}).service->tables.size(), 6u);
}

TEST_F(processes, writing_side_by_side_lose_nothing_and_share_no_etag) {
    make_store(0);
    std::vector<pid_t> children;
    for (int c = 0; c < 4; ++c)
        children.push_back(in_child([&] {
            auto s = open();
            table_client t{*s, "People"};
            for (int i = 0; i < 50; ++i)
                if (!t.insert(entity("p", std::to_string(c) + "_" + std::to_string(i))).ok()) return 1;
            return 0;
        }));
    for (auto const child : children) EXPECT_EQ(exit_status(child), 0);
    auto s = open();
    std::set<etag> etags;
    for (auto const& e : table_client{*s, "People"}.all()) etags.insert(e.etag);
    EXPECT_EQ(etags.size(), 200u);
}

TEST_F(processes, a_wait_for_another_writer_ends_at_the_deadline) {
    make_store(0);
    // A writer in the middle of a transaction: its clock does not return.
    std::atomic<bool> writing{false}, finish{false};
    auto o = options();
    o.now = [&] {
        writing = true;
        while (!finish) std::this_thread::sleep_for(std::chrono::milliseconds{1});
        return ticks::now();
    };
    auto slow = value_or_throw(open_embedded(o));
    std::thread writer{[&] { EXPECT_TRUE(carried_out(table_client{*slow, "People"}.insert(entity("p", "slow")))); }};
    while (!writing) std::this_thread::yield();

    auto impatient = options();
    impatient.busy_timeout = std::chrono::milliseconds{20};
    auto other = value_or_throw(open_embedded(impatient));
    table_client t{*other, "People"};
    EXPECT_TRUE(refused(t.insert(entity("p", "busy")), store_errc::busy));
    EXPECT_TRUE(carried_out(t.page({})));

    auto const sent = body("p", "late");
    write_entity const w{"People", {.kind = write_kind::insert, .partition_key = "p", .row_key = "late", .body = sent}};
    call_options late;
    late.deadline = within(std::chrono::milliseconds{20});
    EXPECT_TRUE(refused(open()->execute(w, late), library_errc::deadline_exceeded));
    late.deadline = within(std::chrono::milliseconds{20});
    EXPECT_TRUE(refused(slow->execute(w, late), library_errc::deadline_exceeded));

    finish = true;
    writer.join();
}

TEST_F(processes, a_stop_ends_the_wait_for_another_call) {
    make_store(0);
    std::atomic<bool> writing{false}, finish{false};
    auto o = options();
    o.now = [&] {
        writing = true;
        while (!finish) std::this_thread::sleep_for(std::chrono::milliseconds{1});
        return ticks::now();
    };
    auto s = value_or_throw(open_embedded(o));
    std::thread writer{[&] { EXPECT_TRUE(carried_out(table_client{*s, "People"}.insert(entity("p", "slow")))); }};
    while (!writing) std::this_thread::yield();

    std::stop_source stop;
    call_options options;
    options.stop = stop.get_token();
    std::thread stopper{[&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
        stop.request_stop();
    }};
    EXPECT_TRUE(refused(s->execute(create_table{"Other"}, options), library_errc::cancelled));
    stopper.join();
    finish = true;
    writer.join();
}

TEST_F(processes, a_kill_at_any_moment_loses_no_acknowledged_write) {
    make_store(0);
    std::set<int> acknowledged;
    int next = 0;
    for (int round = 0; round < 10; ++round) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        auto const child = in_child([&] {
            auto s = value_or_throw(open_embedded({.path = path()}));
            table_client t{*s, "People"};
            for (int i = next;; ++i) {
                if (!t.insert(entity("p", std::to_string(i), {{"Text", std::string(500, 'x')}})).ok()) return 1;
                if (write(ends[1], &i, sizeof i) != sizeof i) return 2;
            }
        });
        close(ends[1]);
        // On a busy machine a process may take longer than the pause to write anything.
        int first = 0;
        ASSERT_EQ(read(ends[0], &first, sizeof first), ssize_t{sizeof first});
        acknowledged.insert(first);
        std::this_thread::sleep_for(std::chrono::milliseconds{7 * round});
        kill(child, SIGKILL);
        EXPECT_EQ(exit_status(child), -1);
        for (int i = 0; read(ends[0], &i, sizeof i) == sizeof i;) acknowledged.insert(i);
        close(ends[0]);
        // The write that was under way may be stored without having been acknowledged.
        next = *acknowledged.rbegin() + 2;
    }
    auto s = open();
    table_client t{*s, "People"};
    for (int const i : acknowledged) EXPECT_TRUE(carried_out(t.get("p", std::to_string(i)))) << i;
}

}  // namespace
}  // namespace tablemap::test
