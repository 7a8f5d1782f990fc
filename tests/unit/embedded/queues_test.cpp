// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <cstdlib>
#include <set>

namespace tablemap::test {
namespace {

using std::chrono::seconds;

class queues : public embedded_file {
protected:
    store_ptr with_clock() {
        auto o = options();
        o.now = [this] { return now_; };
        return value_or_throw(open_embedded(std::move(o)));
    }
    void pass(seconds s) { now_ = now_ + s; }

    static response ask(store& s, queue_request const& r) { return s.execute(r, {}); }
    static void create(store& s) { ASSERT_TRUE(carried_out(ask(s, create_queue{"tasks"}))); }

    static queue_message put(store& s, std::string_view text, seconds hidden_for = {},
                             std::optional<seconds> time_to_live = {}) {
        auto const r = ask(s, put_message{"tasks", text, hidden_for, time_to_live});
        EXPECT_TRUE(carried_out(r));
        return r.ok() ? r.service->messages.at(0) : queue_message{};
    }
    static std::vector<queue_message> messages(response const& r) {
        EXPECT_TRUE(carried_out(r));
        return r.ok() ? r.service->messages : std::vector<queue_message>{};
    }
    static std::vector<std::string> texts(response const& r) {
        std::vector<std::string> all;
        for (auto const& m : messages(r)) all.push_back(m.text);
        return all;
    }
    static std::vector<std::string> peeked(store& s) { return texts(ask(s, peek_messages{"tasks", 32})); }
    static std::size_t count(store& s) { return ask(s, count_messages{"tasks"}).service->message_count; }

    /// A closed store of an earlier format, with one table and one entity.
    void make_format(int format) {
        make_store(1);
        if (format == 1) run_sql("DROP TABLE policies; DROP TABLE settings; PRAGMA user_version=1");
    }
    void run_sql(std::string const& sql) {
        if (std::system("command -v sqlite3 > /dev/null") != 0) GTEST_SKIP() << "needs the sqlite3 command";
        ASSERT_EQ(std::system(("sqlite3 '" + path() + "' \"" + sql + "\" > /dev/null").c_str()), 0);
    }
    char format() const { return contents(path()).at(63); }

private:
    ticks now_ = *ticks::parse("2026-11-20T12:00:00.5Z");
};

TEST_F(queues, keep_their_messages_in_the_file) {
    {
        auto s = open();
        create(*s);
        put(*s, "one\r\n\ttwo");
    }
    auto s = open();
    EXPECT_EQ(peeked(*s), std::vector<std::string>{"one\r\n\ttwo"});
}

TEST_F(queues, tell_the_times_of_a_message_in_whole_seconds) {
    auto s = with_clock();
    create(*s);
    auto const m = put(*s, "a", seconds{5}, seconds{60});
    EXPECT_EQ(m.inserted, *ticks::parse("2026-11-20T12:00:00Z"));
    EXPECT_EQ(m.visible, *ticks::parse("2026-11-20T12:00:05Z"));
    EXPECT_EQ(m.expires, *ticks::parse("2026-11-20T12:01:00Z"));
    EXPECT_EQ(put(*s, "b").expires, *ticks::parse("9999-12-31T23:59:59Z"));
}

TEST_F(queues, show_a_message_once_its_time_has_come) {
    auto s = with_clock();
    create(*s);
    put(*s, "later", seconds{5});
    EXPECT_TRUE(peeked(*s).empty());
    pass(seconds{5});
    EXPECT_EQ(peeked(*s), std::vector<std::string>{"later"});
}

TEST_F(queues, give_messages_by_the_time_they_were_visible_from_and_then_by_insertion) {
    auto s = with_clock();
    create(*s);
    put(*s, "second", seconds{2});
    put(*s, "first", seconds{1});
    put(*s, "third", seconds{2});
    pass(seconds{9});
    EXPECT_EQ(peeked(*s), (std::vector<std::string>{"first", "second", "third"}));
    EXPECT_EQ(texts(ask(*s, get_messages{"tasks", 2})), (std::vector<std::string>{"first", "second"}));
}

TEST_F(queues, hide_what_was_taken_until_its_time_is_over) {
    auto s = with_clock();
    create(*s);
    put(*s, "a");
    EXPECT_EQ(messages(ask(*s, get_messages{"tasks", 1, seconds{10}})).at(0).dequeue_count, 1u);
    EXPECT_TRUE(messages(ask(*s, get_messages{"tasks"})).empty());
    pass(seconds{10});
    EXPECT_EQ(messages(ask(*s, get_messages{"tasks"})).at(0).dequeue_count, 2u);
}

TEST_F(queues, change_the_receipt_with_each_get_and_update) {
    auto s = with_clock();
    create(*s);
    auto const of_put = put(*s, "a");
    auto const taken = messages(ask(*s, get_messages{"tasks"})).at(0);
    auto const changed = messages(ask(*s, update_message{"tasks", taken.id, taken.receipt, seconds{5}, "b"})).at(0);
    EXPECT_EQ((std::set{of_put.receipt, taken.receipt, changed.receipt}).size(), 3u);
    for (auto const& old : {of_put.receipt, taken.receipt, std::string{"x"}})
        EXPECT_TRUE(refused(ask(*s, delete_message{"tasks", taken.id, old}), service_errc::pop_receipt_mismatch));
    EXPECT_TRUE(carried_out(ask(*s, delete_message{"tasks", taken.id, changed.receipt})));
    EXPECT_TRUE(refused(ask(*s, delete_message{"tasks", taken.id, changed.receipt}), service_errc::message_not_found));
}

TEST_F(queues, keep_the_text_that_an_update_does_not_change) {
    auto s = with_clock();
    create(*s);
    auto m = put(*s, "kept");
    m = messages(ask(*s, update_message{"tasks", m.id, m.receipt})).at(0);
    EXPECT_EQ(peeked(*s), std::vector<std::string>{"kept"});
    ask(*s, update_message{"tasks", m.id, m.receipt, seconds{0}, ""});
    EXPECT_EQ(peeked(*s), std::vector<std::string>{""});
}

TEST_F(queues, forget_messages_whose_life_is_over) {
    auto s = with_clock();
    create(*s);
    auto const m = put(*s, "short", {}, seconds{3});
    pass(seconds{3});
    EXPECT_TRUE(peeked(*s).empty());
    EXPECT_EQ(count(*s), 0u);
    EXPECT_TRUE(refused(ask(*s, update_message{"tasks", m.id, m.receipt}), service_errc::message_not_found));
    EXPECT_TRUE(refused(ask(*s, delete_message{"tasks", m.id, m.receipt}), service_errc::message_not_found));
}

TEST_F(queues, remove_expired_messages_step_by_step) {
    {
        auto s = with_clock();
        create(*s);
        for (int i = 0; i < 1200; ++i) put(*s, "short", {}, seconds{3});
        pass(seconds{3});
        put(*s, "new");
        EXPECT_EQ(texts(ask(*s, get_messages{"tasks", 32})), std::vector<std::string>{"new"});
    }
    run_sql("CREATE TEMP TABLE t (n INTEGER CHECK (n = 113)); INSERT INTO t SELECT count(*) FROM messages");
}

TEST_F(queues, with_a_deadline_end_the_removal_of_expired_messages) {
    auto s = with_clock();
    create(*s);
    for (int i = 0; i < 1200; ++i) put(*s, "short", {}, seconds{3});
    pass(seconds{3});
    call_options o;
    o.deadline = std::chrono::steady_clock::now() + std::chrono::microseconds{50};
    auto const r = s->execute(queue_request{get_messages{"tasks", 32}}, o);
    EXPECT_TRUE(refused(r, library_errc::deadline_exceeded));
    EXPECT_TRUE(texts(ask(*s, get_messages{"tasks", 32})).empty());
}

TEST_F(queues, lose_all_messages_when_they_are_cleared_or_deleted) {
    auto s = open();
    create(*s);
    put(*s, "a");
    put(*s, "hidden", seconds{100});
    EXPECT_EQ(count(*s), 2u);
    EXPECT_TRUE(carried_out(ask(*s, clear_messages{"tasks"})));
    EXPECT_EQ(count(*s), 0u);
    put(*s, "b");
    EXPECT_TRUE(carried_out(ask(*s, delete_queue{"tasks"})));
    EXPECT_TRUE(refused(ask(*s, peek_messages{"tasks"}), service_errc::queue_not_found));
    create(*s);
    EXPECT_EQ(count(*s), 0u);
}

TEST_F(queues, tell_whether_they_were_created_just_now) {
    auto s = open();
    EXPECT_TRUE(ask(*s, create_queue{"tasks"}).service->created);
    EXPECT_FALSE(ask(*s, create_queue{"tasks"}).service->created);
}

TEST_F(queues, are_shared_by_stores_of_one_file) {
    auto a = open(), b = open();
    create(*a);
    for (int i = 0; i < 20; ++i) put(*b, std::to_string(i));
    std::set<std::string> seen;
    for (int i = 0; i < 10; ++i)
        for (auto* const s : {a.get(), b.get()})
            for (auto const& text : texts(ask(*s, get_messages{"tasks"}))) EXPECT_TRUE(seen.insert(text).second);
    EXPECT_EQ(seen.size(), 20u);
}

TEST_F(queues, are_shared_by_processes) {
    create(*open());
    auto const child = in_child([&] {
        auto s = open();
        for (int i = 0; i < 50; ++i)
            if (!ask(*s, put_message{"tasks", "from the child"}).ok()) return 1;
        return 0;
    });
    auto s = open();
    for (int i = 0; i < 50; ++i) put(*s, "from the parent");
    EXPECT_EQ(exit_status(child), 0);
    EXPECT_EQ(count(*s), 100u);
}

TEST_F(queues, check_what_is_asked) {
    auto s = open();
    EXPECT_TRUE(refused(ask(*s, create_queue{"Tasks"}), service_errc::invalid_resource_name));
    EXPECT_TRUE(refused(ask(*s, get_messages{"tasks", 33}), service_errc::out_of_range_query_parameter_value));
}

TEST_F(queues, refuse_a_clock_whose_time_no_file_holds) {
    for (auto const time : {ticks{}, ticks::max() + tick_duration{1}, ticks::max()}) {
        auto o = options();
        o.now = [time] { return time; };
        auto const s = value_or_throw(open_embedded(std::move(o)));
        s->execute(queue_request{create_queue{"tasks"}}, {});
        EXPECT_TRUE(refused(ask(*s, put_message{"tasks", "a"}), store_errc::failed));
        EXPECT_TRUE(refused(ask(*s, peek_messages{"tasks"}), store_errc::failed));
    }
}

TEST_F(queues, are_not_found_in_files_of_earlier_formats_which_stay_as_they_are) {
    for (int const earlier : {2, 1}) {
        make_format(earlier);
        if (IsSkipped()) return;
        {
            auto s = open();
            for (queue_request const& r :
                 {queue_request{peek_messages{"tasks"}}, queue_request{count_messages{"tasks"}},
                  queue_request{put_message{"tasks", "a"}}, queue_request{delete_queue{"tasks"}}})
                EXPECT_TRUE(refused(ask(*s, r), service_errc::queue_not_found));
        }
        EXPECT_EQ(format(), earlier);
        std::remove(path().c_str());
    }
}

TEST_F(queues, make_a_file_of_an_earlier_format_one_of_the_third) {
    make_format(1);
    if (IsSkipped()) return;
    auto a = open();
    {
        auto b = open();
        create(*b);
        put(*b, "a");
    }
    EXPECT_EQ(peeked(*a), std::vector<std::string>{"a"});
    EXPECT_TRUE(carried_out(table_client{*a, "People"}.get("p", "0")));
    a.reset();
    EXPECT_EQ(format(), 3);
    EXPECT_EQ(peeked(*open()), std::vector<std::string>{"a"});
}

TEST_F(queues, with_a_damaged_message_say_so) {
    {
        auto s = open();
        create(*s);
        put(*s, "a");
    }
    run_sql("UPDATE messages SET dequeues = -1");
    if (IsSkipped()) return;
    EXPECT_TRUE(refused(ask(*open(), peek_messages{"tasks"}), store_errc::corrupt));
}

}  // namespace
}  // namespace tablemap::test
