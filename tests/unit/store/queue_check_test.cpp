// SPDX-License-Identifier: Apache-2.0
#include "store/queue_check.hpp"

#include "support/answers.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;
using detail::check_queue_request;
using std::chrono::hours;
using std::chrono::seconds;
using test::failed_with;

constexpr seconds week = hours{7 * 24};

put_message message(std::string_view text) { return {.queue = "tasks", .text = text}; }

TEST(queue_check, refuses_names_of_every_request) {
    for (auto const* name : {"", "ab", "Tasks", "-tasks", "tasks-", "ta--sks", "ta_sks", "ta/sks"}) {
        EXPECT_TRUE(failed_with(check_queue_request(create_queue{name}), service_errc::invalid_resource_name)) << name;
        EXPECT_TRUE(failed_with(check_queue_request(clear_messages{name}), service_errc::invalid_resource_name));
    }
    EXPECT_TRUE(check_queue_request(create_queue{"tasks-2"}));
}

TEST(queue_check, allows_one_to_32_messages_at_once) {
    for (auto const n : {1u, 32u}) {
        EXPECT_TRUE(check_queue_request(get_messages{"tasks", n}));
        EXPECT_TRUE(check_queue_request(peek_messages{"tasks", n}));
    }
    auto const out_of_range = service_errc::out_of_range_query_parameter_value;
    for (auto const n : {0u, 33u}) {
        EXPECT_TRUE(failed_with(check_queue_request(get_messages{"tasks", n}), out_of_range));
        EXPECT_TRUE(failed_with(check_queue_request(peek_messages{"tasks", n}), out_of_range));
    }
}

TEST(queue_check, bounds_how_long_a_message_is_hidden) {
    auto const out_of_range = service_errc::out_of_range_query_parameter_value;
    for (auto const t : {seconds{-1}, week + seconds{1}}) {
        EXPECT_TRUE(failed_with(check_queue_request(put_message{"tasks", "a", t}), out_of_range));
        EXPECT_TRUE(failed_with(check_queue_request(get_messages{"tasks", 1, t}), out_of_range));
        EXPECT_TRUE(failed_with(check_queue_request(update_message{"tasks", "id", "receipt", t}), out_of_range));
    }
    EXPECT_TRUE(failed_with(check_queue_request(get_messages{"tasks", 1, seconds{0}}), out_of_range));
    EXPECT_TRUE(check_queue_request(put_message{"tasks", "a", week}));
    EXPECT_TRUE(check_queue_request(get_messages{"tasks", 1, week}));
    EXPECT_TRUE(check_queue_request(update_message{"tasks", "id", "receipt", seconds{0}}));
}

TEST(queue_check, wants_a_life_that_outlasts_the_hiding) {
    auto const put = [](seconds hidden, seconds life) {
        return check_queue_request(put_message{"tasks", "a", hidden, life});
    };
    EXPECT_TRUE(put(seconds{4}, seconds{5}));
    EXPECT_TRUE(failed_with(put(seconds{5}, seconds{5}), service_errc::invalid_query_parameter_value));
    EXPECT_TRUE(failed_with(put(seconds{0}, seconds{0}), service_errc::out_of_range_query_parameter_value));
    EXPECT_TRUE(failed_with(put(seconds{0}, seconds::max()), service_errc::out_of_range_query_parameter_value));
}

TEST(queue_check, counts_the_text_in_bytes_of_utf8) {
    std::string const most(65536, '&');
    EXPECT_TRUE(check_queue_request(message(most)));
    EXPECT_TRUE(failed_with(check_queue_request(message(most + "x")), service_errc::message_too_large));
    EXPECT_TRUE(failed_with(check_queue_request(update_message{"tasks", "id", "receipt", seconds{0}, most + "x"}),
                            service_errc::message_too_large));
}

TEST(queue_check, allows_every_character_that_xml_can_hold) {
    for (auto const* text : {"", " \t\r\n", "<a>&amp;]]>", "\x7F", "\xEE\x80\x80", "\xF0\x9F\x98\x80"})
        EXPECT_TRUE(check_queue_request(message(text))) << text;
    for (std::string_view const text : {std::string_view{"\0", 1}, std::string_view{"\x0B"}, std::string_view{"\xC3"},
                                        std::string_view{"\xEF\xBF\xBF"}, std::string_view{"\xED\xA0\x80"}})
        EXPECT_TRUE(failed_with(check_queue_request(message(text)), service_errc::invalid_input));
}

TEST(queue_check, refuses_ids_and_receipts_that_no_queue_gives) {
    std::string const long_one(1025, 'a');
    for (std::string_view const bad : {std::string_view{}, std::string_view{"a\n"}, std::string_view{long_one}}) {
        EXPECT_TRUE(
            failed_with(check_queue_request(delete_message{"tasks", bad, "receipt"}), service_errc::invalid_input));
        EXPECT_TRUE(failed_with(check_queue_request(delete_message{"tasks", "id", bad}), service_errc::invalid_marker));
    }
    EXPECT_TRUE(failed_with(check_queue_request(delete_message{"tasks", "..", "a"}), service_errc::invalid_input));
    EXPECT_TRUE(check_queue_request(delete_message{"tasks", "id", "AgAAAAMAAAAAAAAA/+=="}));
}

}  // namespace
