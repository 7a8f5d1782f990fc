// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace tablemap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(describe, tells_every_kind_of_request_in_one_line) {
    std::string_view const columns[] = {"a", "b"};
    continuation const next{"p2", "r2"};
    write_operation const ops[] = {{.kind = write_kind::insert, .partition_key = "p", .row_key = "1", .body = "{}"},
                                   {.kind = write_kind::erase, .partition_key = "p", .row_key = "2", .if_match = "*"}};
    EXPECT_EQ(describe(create_table{"T"}), "create table T");
    EXPECT_EQ(describe(delete_table{"T"}), "delete table T");
    EXPECT_EQ(describe(list_tables{.from = "x", .top = 5}), "list tables from x top 5");
    EXPECT_EQ(describe(get_entity{"T", "p", "r", columns}), "find T [p] [r] select a,b");
    EXPECT_EQ(describe(query_page{.table = "T",
                                  .partition = key_bounds::exactly("p"),
                                  .row = {.from = "a", .to = "b"},
                                  .select = columns,
                                  .top = 10,
                                  .from = &next}),
              "query T [p, p] [a, b) select a,b top 10 from [p2] [r2]");
    EXPECT_EQ(describe(write_entity{"T", ops[0]}), "insert T [p] [1] {}");
    EXPECT_EQ(describe(transact{"T", ops}), R"(transaction T: insert [p] [1] {}; erase [p] [2] if "*")");
}

TEST(describe, tells_every_request_of_queues_in_one_line) {
    using std::chrono::seconds;
    auto const line = [](queue_request const& r) { return describe(r); };
    EXPECT_EQ(line(create_queue{"q"}), "create queue q");
    EXPECT_EQ(line(delete_queue{"q"}), "delete queue q");
    EXPECT_EQ(line(put_message{"q", "a", seconds{5}, seconds{60}}),
              "put message into queue q [a] hidden for 5 s for 60 s");
    EXPECT_EQ(line(get_messages{"q", 3, seconds{30}}), "get messages of queue q top 3 hidden for 30 s");
    EXPECT_EQ(line(peek_messages{"q", 3}), "peek at messages of queue q top 3");
    EXPECT_EQ(line(update_message{"q", "i", "r", seconds{5}, "b"}),
              "update message of queue q [i] [r] hidden for 5 s to [b]");
    EXPECT_EQ(line(delete_message{"q", "i", "r"}), "delete message of queue q [i] [r]");
    EXPECT_EQ(line(clear_messages{"q"}), "clear queue q");
    EXPECT_EQ(line(count_messages{"q"}), "count messages of queue q");
}

TEST(describe, tells_every_request_of_blobs_in_one_line) {
    auto const line = [](blob_request const& r) { return describe(r); };
    std::vector<std::string_view> const blocks{"1", "2"};
    blob_condition const known{.if_match = "*"}, absent{.if_absent = true};
    EXPECT_EQ(line(create_container{"c"}), "create container c");
    EXPECT_EQ(line(delete_container{"c"}), "delete container c");
    EXPECT_EQ(line(put_blob{"c", "b", "x", {}, known}), "put blob into container c [b] if \"*\" x");
    EXPECT_EQ(line(get_blob{"c", "b", blob_range{5, 2}}), "get blob of container c [b] from 5 length 2");
    EXPECT_EQ(line(head_blob{"c", "b"}), "read properties of blob of container c [b]");
    EXPECT_EQ(line(delete_blob{"c", "b", known}), "delete blob of container c [b] if \"*\"");
    EXPECT_EQ(line(list_blobs{"c", "p", "f", 7}), "list blobs of container c prefix p from f top 7");
    EXPECT_EQ(line(create_append_blob{"c", "b", {}, absent}), "create append blob in container c [b] if absent");
    EXPECT_EQ(line(append_block{"c", "b", "x", 7}), "append to blob of container c [b] at 7 x");
    EXPECT_EQ(line(stage_block{"c", "b", "1", "x"}), "stage block of blob of container c [b] [1] x");
    EXPECT_EQ(line(commit_blocks{"c", "b", blocks}), "commit blocks of blob of container c [b] 1 2");
}

TEST(scripted_store, answers_in_order_and_has_no_complaint) {
    scripted_store s{{{"find T [p]", answer_row("{}", "E1")}, {"erase", answer_ok()}}};
    EXPECT_EQ(s.execute(get_entity{"T", "p", "r"}, {}).etag.text(), "E1");
    EXPECT_TRUE(
        s.execute(write_entity{"T", {.kind = write_kind::erase, .partition_key = "p", .row_key = "r"}}, {}).ok());
    EXPECT_THAT(s.complaints(), IsEmpty());
    EXPECT_EQ(s.asked(), 2u);
}

TEST(scripted_store, complains_of_a_request_that_is_not_the_next_one) {
    scripted_store s{{{"find T", answer_ok()}}};
    EXPECT_EQ(s.execute(create_table{"T"}, {}).failure->code(), library_errc::unsupported);
    EXPECT_THAT(s.complaints(), ElementsAre(HasSubstr("create table T")));
}

TEST(scripted_store, complains_of_requests_beyond_the_script_and_of_those_that_never_came) {
    scripted_store beyond{{}};
    EXPECT_FALSE(beyond.execute(create_table{"T"}, {}).ok());
    EXPECT_THAT(beyond.complaints(), ElementsAre(HasSubstr("beyond the script")));
    scripted_store unasked{{{"find T", answer_ok()}}};
    EXPECT_THAT(unasked.complaints(), ElementsAre("never asked for: find T"));
}

TEST(for_each_failed_step, cuts_the_script_behind_the_step_that_fails) {
    std::vector<std::size_t> lengths;
    for_each_failed_step({{"create", answer_ok()}, {"create", answer_ok()}},
                         response_failure(service_errc::server_busy), [&](scripted_store& s, std::size_t step) {
                             std::size_t asked = 0;
                             while (s.execute(create_table{"T"}, {}).ok()) ++asked;
                             EXPECT_EQ(asked, step);
                             lengths.push_back(s.asked());
                         });
    EXPECT_THAT(lengths, ElementsAre(1u, 2u));
}

}  // namespace
}  // namespace tablemap::testing
