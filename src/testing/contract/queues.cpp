// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include "tablemap/store/service_response.hpp"

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::inline v0_1::testing::contract {
namespace {

using std::chrono::seconds;

class seam_queues : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        TABLEMAP_SKIP_IF(no_queues);
        name_ = fresh_queue_name();
        ASSERT_TRUE(carried_out(ask(create_queue{name_})));
    }
    void TearDown() override {
        if (!name_.empty()) ask(delete_queue{name_});
        seam::TearDown();
    }

    response ask(queue_request const& r) { return the_store().execute(r, {}); }

    /// A name of a queue that no other test uses; names of tables differ by more than case.
    std::string fresh_queue_name() {
        auto name = fresh_table_name();
        for (char& c : name)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return name;
    }

    response put(std::string_view text, seconds hidden_for = {}, std::optional<seconds> life = {}) {
        return ask(put_message{name_, text, hidden_for, life});
    }
    response get(std::size_t most = 1, seconds hidden_for = seconds{30}) {
        return ask(get_messages{name_, most, hidden_for});
    }
    response peek(std::size_t most = 1) { return ask(peek_messages{name_, most}); }
    response erase(std::string_view id, std::string_view receipt) { return ask(delete_message{name_, id, receipt}); }
    response update(queue_message const& m, seconds hidden_for, std::optional<std::string_view> text = {}) {
        return ask(update_message{name_, m.id, m.receipt, hidden_for, text});
    }

    /// The only message of a response. Any other response fails the test.
    static queue_message message(response const& r) {
        EXPECT_TRUE(carried_out(r));
        if (!r.ok() || !r.service) return {};
        EXPECT_EQ(r.service->messages.size(), 1u);
        return r.service->messages.empty() ? queue_message{} : r.service->messages.front();
    }
    static std::multiset<std::string> texts(response const& r) {
        EXPECT_TRUE(carried_out(r));
        std::multiset<std::string> all;
        if (r.ok())
            for (auto const& m : r.service->messages) all.insert(m.text);
        return all;
    }

    std::string name_;
};
TABLEMAP_CONTRACT_SUITE(seam_queues);

class seam_without_queues : public seam {};
TABLEMAP_CONTRACT_SUITE(seam_without_queues);

TEST_P(seam_without_queues, requests_of_queues_are_unsupported) {
    if (!deviates(deviation::no_queues)) GTEST_SKIP() << GetParam().name << " has queues";
    for (queue_request const& r : {queue_request{create_queue{"tasks"}}, queue_request{get_messages{"tasks"}}})
        EXPECT_TRUE(refused(the_store().execute(r, {}), library_errc::unsupported));
}

/// Longer than one second of the server, whose clock may be read in whole ones.
void wait_more_than_a_second() { std::this_thread::sleep_for(std::chrono::milliseconds{1'150}); }

// --- queues ----------------------------------------------------------------------------------------------------------

TEST_P(seam_queues, creating_a_queue_again_succeeds_and_says_so) {
    auto const name = fresh_queue_name();
    auto const first = ask(create_queue{name});
    ASSERT_TRUE(carried_out(first));
    EXPECT_TRUE(first.service->created);
    auto const again = ask(create_queue{name});
    ASSERT_TRUE(carried_out(again));
    EXPECT_FALSE(again.service->created);
    EXPECT_TRUE(carried_out(ask(delete_queue{name})));
}

TEST_P(seam_queues, a_queue_that_is_not_there_is_not_found) {
    auto const name = fresh_queue_name();
    for (queue_request const& r :
         {queue_request{delete_queue{name}}, queue_request{put_message{name, "a"}}, queue_request{get_messages{name}},
          queue_request{peek_messages{name}}, queue_request{clear_messages{name}}, queue_request{count_messages{name}},
          queue_request{delete_message{name, "1", "1"}}, queue_request{update_message{name, "1", "1"}}})
        EXPECT_TRUE(refused(ask(r), service_errc::queue_not_found)) << action_of(r);
}

TEST_P(seam_queues, a_deleted_queue_has_lost_its_messages) {
    ASSERT_TRUE(carried_out(put("a")));
    ASSERT_TRUE(carried_out(ask(delete_queue{name_})));
    EXPECT_TRUE(refused(get(), service_errc::queue_not_found));
}

TEST_P(seam_queues, names_break_no_rule) {
    for (auto const* name : {"ab", "Upper", "-tasks", "tasks-", "ta--sks", "ta_sks"})
        EXPECT_TRUE(refused(ask(create_queue{name}), service_errc::invalid_resource_name)) << name;
}

// --- messages --------------------------------------------------------------------------------------------------------

TEST_P(seam_queues, a_message_comes_back_as_it_was_put) {
    auto const put_in = message(put("hello"));
    auto const got = message(get());
    EXPECT_EQ(got.text, "hello");
    EXPECT_EQ(got.id, put_in.id);
    EXPECT_EQ(got.dequeue_count, 1u);
    EXPECT_EQ(got.inserted, put_in.inserted);
    EXPECT_EQ(got.expires, put_in.expires);
    EXPECT_FALSE(got.receipt.empty());
    EXPECT_GT(got.visible, put_in.visible);
}

TEST_P(seam_queues, a_text_keeps_every_character) {
    for (std::string const text : {"", " ", "\n", " \t\r\n ", "a\r\nb\rc\n\td", "<a b='c'>&amp;</a>]]>", "\"'", "\x7F",
                                   "\xC3\xA9\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
        ASSERT_TRUE(carried_out(put(text)));
        auto const got = message(get());
        EXPECT_EQ(got.text, text);
        ASSERT_TRUE(carried_out(erase(got.id, got.receipt)));
    }
}

TEST_P(seam_queues, a_text_has_64_kib) {
    std::string const most(65'536, 'x');
    ASSERT_TRUE(carried_out(put(most)));
    EXPECT_EQ(message(get()).text, most);
    EXPECT_TRUE(refused(put(most + "x"), service_errc::message_too_large));
}

TEST_P(seam_queues, a_text_that_xml_cannot_hold_is_refused) {
    EXPECT_TRUE(refused(put({"\0", 1}), service_errc::invalid_input));
    EXPECT_TRUE(refused(put("\xC3"), service_errc::invalid_input));
}

TEST_P(seam_queues, a_message_that_never_expires_lives_far_into_the_future) {
    EXPECT_GT(message(put("a")).expires, *ticks::parse("9000-01-01T00:00:00Z"));
}

TEST_P(seam_queues, a_message_tells_when_it_expires) {
    auto const m = message(put("a", {}, seconds{100}));
    EXPECT_EQ(m.expires - m.inserted, seconds{100});
}

TEST_P(seam_queues, a_hidden_message_is_not_seen_before_its_time) {
    ASSERT_TRUE(carried_out(put("later", seconds{1})));
    EXPECT_TRUE(texts(peek()).empty());
    EXPECT_TRUE(texts(get()).empty());
    wait_more_than_a_second();
    EXPECT_EQ(message(get()).text, "later");
}

TEST_P(seam_queues, an_expired_message_is_gone) {
    auto const m = message(put("short", {}, seconds{1}));
    wait_more_than_a_second();
    EXPECT_TRUE(texts(get()).empty());
    EXPECT_TRUE(refused(erase(m.id, m.receipt), service_errc::message_not_found));
}

TEST_P(seam_queues, times_out_of_range_are_refused) {
    constexpr seconds too_long{7 * 24 * 3600 + 1};
    auto const out_of_range = service_errc::out_of_range_query_parameter_value;
    EXPECT_TRUE(refused(put("a", too_long), out_of_range));
    EXPECT_TRUE(refused(get(1, seconds{0}), out_of_range));
    EXPECT_TRUE(refused(get(1, too_long), out_of_range));
    EXPECT_TRUE(refused(put("a", {}, seconds{0}), out_of_range));
    EXPECT_TRUE(refused(put("a", seconds{5}, seconds{5}), service_errc::invalid_query_parameter_value));
}

// --- taking ----------------------------------------------------------------------------------------------------------

TEST_P(seam_queues, messages_are_taken_once) {
    for (auto const* text : {"a", "b", "c"}) ASSERT_TRUE(carried_out(put(text)));
    auto taken = texts(get(2));
    EXPECT_EQ(taken.size(), 2u);
    taken.merge(texts(get(32)));
    EXPECT_EQ(taken, (std::multiset<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(texts(get(32)).empty());
}

TEST_P(seam_queues, a_taken_message_comes_again_when_its_time_is_over) {
    ASSERT_TRUE(carried_out(put("a")));
    auto const first = message(get(1, seconds{1}));
    wait_more_than_a_second();
    auto const second = message(get());
    EXPECT_EQ(second.id, first.id);
    EXPECT_EQ(second.dequeue_count, 2u);
    EXPECT_TRUE(refused(erase(first.id, first.receipt), service_errc::pop_receipt_mismatch));
}

TEST_P(seam_queues, many_receivers_take_each_message_once) {
    for (int i = 0; i < 24; ++i) ASSERT_TRUE(carried_out(put(std::to_string(i))));
    std::vector<std::multiset<std::string>> taken(4);
    std::vector<std::thread> receivers;
    receivers.reserve(taken.size());
    for (auto& mine : taken)
        receivers.emplace_back([&, this] {
            for (auto some = texts(get(3)); !some.empty(); some = texts(get(3))) mine.merge(some);
        });
    for (auto& r : receivers) r.join();
    std::multiset<std::string> all;
    for (auto& mine : taken) all.merge(mine);
    EXPECT_EQ(all.size(), 24u);
    EXPECT_EQ((std::set<std::string>{all.begin(), all.end()}).size(), 24u);
}

TEST_P(seam_queues, peeking_changes_nothing) {
    ASSERT_TRUE(carried_out(put("a")));
    for (int i = 0; i < 2; ++i) {
        auto const seen = message(peek(32));
        EXPECT_EQ(seen.text, "a");
        EXPECT_EQ(seen.dequeue_count, 0u);
        EXPECT_TRUE(seen.receipt.empty());
    }
    EXPECT_EQ(message(get()).dequeue_count, 1u);
}

TEST_P(seam_queues, one_to_32_messages_are_taken_at_once) {
    for (int i = 0; i < 33; ++i) ASSERT_TRUE(carried_out(put(std::to_string(i))));
    EXPECT_EQ(texts(peek(32)).size(), 32u);
    EXPECT_EQ(texts(get(32)).size(), 32u);
    auto const out_of_range = service_errc::out_of_range_query_parameter_value;
    EXPECT_TRUE(refused(get(0), out_of_range));
    EXPECT_TRUE(refused(get(33), out_of_range));
    EXPECT_TRUE(refused(peek(33), out_of_range));
}

// --- changing --------------------------------------------------------------------------------------------------------

TEST_P(seam_queues, an_update_hides_the_message_for_longer_under_a_new_receipt) {
    ASSERT_TRUE(carried_out(put("a")));
    auto const taken = message(get(1, seconds{1}));
    auto const renewed = message(update(taken, seconds{60}));
    EXPECT_EQ(renewed.id, taken.id);
    EXPECT_NE(renewed.receipt, taken.receipt);
    EXPECT_GT(renewed.visible, taken.visible);
    EXPECT_TRUE(refused(update(taken, seconds{1}), service_errc::pop_receipt_mismatch));
    EXPECT_TRUE(refused(erase(taken.id, taken.receipt), service_errc::pop_receipt_mismatch));
    wait_more_than_a_second();
    EXPECT_TRUE(texts(get()).empty());
    EXPECT_TRUE(carried_out(erase(renewed.id, renewed.receipt)));
}

TEST_P(seam_queues, an_update_changes_the_text_if_it_has_one) {
    auto m = message(put("a"));
    auto renewed = message(update(m, seconds{0}, "<b>\r\n"));
    EXPECT_EQ(message(peek()).text, "<b>\r\n");
    renewed = message(update(renewed, seconds{0}));
    EXPECT_EQ(message(peek()).text, "<b>\r\n");
    EXPECT_TRUE(carried_out(update(renewed, seconds{0}, "")));
    EXPECT_EQ(message(peek()).text, "");
}

TEST_P(seam_queues, a_message_is_deleted_once) {
    ASSERT_TRUE(carried_out(put("a")));
    auto const m = message(get());
    EXPECT_TRUE(carried_out(erase(m.id, m.receipt)));
    EXPECT_TRUE(refused(erase(m.id, m.receipt), service_errc::message_not_found));
    EXPECT_TRUE(refused(update(m, seconds{0}), service_errc::message_not_found));
}

TEST_P(seam_queues, the_receipt_of_a_put_deletes_the_message) {
    auto const m = message(put("a"));
    EXPECT_TRUE(carried_out(erase(m.id, m.receipt)));
    EXPECT_TRUE(texts(get()).empty());
}

TEST_P(seam_queues, clearing_removes_all_messages) {
    ASSERT_TRUE(carried_out(put("a")));
    ASSERT_TRUE(carried_out(put("hidden", seconds{100})));
    auto const counted = ask(count_messages{name_});
    ASSERT_TRUE(carried_out(counted));
    EXPECT_EQ(counted.service->message_count, 2u);
    EXPECT_TRUE(carried_out(ask(clear_messages{name_})));
    EXPECT_EQ(ask(count_messages{name_}).service->message_count, 0u);
}

}  // namespace

void link_queues() {}

}  // namespace tablemap::testing::contract
