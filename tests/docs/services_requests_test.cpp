// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/queue/queue.hpp"

#include <chrono>
#include <string_view>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

struct observed_store {
    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr plain = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr store = with_observer(plain, seen);
};

TEST(page_of_queues, counts_the_requests_of_each_operation) {
    observed_store const s;
    queue const prepared{s.plain, "work"}, work{s.store, "work"}, other{s.store, "other"};
    prepared.create();
    for (int i = 0; i < 40; ++i) prepared.put("task");
    auto const first = prepared.get().at(0), second = prepared.get().at(0);
    expect_requests("queues.md", *s.seen,
                    {{"create", [&] { other.create(); }},
                     {"create_if_not_exists", [&] { work.create_if_not_exists(); }},
                     {"delete_queue", [&] { other.delete_queue(); }},
                     {"delete_if_exists", [&] { other.delete_if_exists(); }},
                     {"exists", [&] { EXPECT_TRUE(work.exists()); }},
                     {"put", [&] { work.put("task"); }},
                     {"get of 32 messages", [&] { EXPECT_EQ(work.get(32).size(), 32U); }},
                     {"peek", [&] { EXPECT_EQ(work.peek(5).size(), 5U); }},
                     {"update", [&] { work.update(first, 1min, "changed"); }},
                     {"erase", [&] { work.erase(second); }},
                     {"approximate_count", [&] { EXPECT_EQ(work.approximate_count(), 40U); }},
                     {"clear", [&] { work.clear(); }}});
}

class page_of_blobs : public ::testing::Test {
protected:
    void SetUp() override {
        prepared.create();
        prepared.put("old", "draft", blob_state::absent());
        prepared.create_append("log", blob_state::absent());
        prepared.stage("large", "0001", "one");
    }

    observed_store s;
    blob_container prepared{s.plain, "files"}, files{s.store, "files"};
};

TEST_F(page_of_blobs, counts_the_requests_of_each_operation) {
    std::vector<std::string_view> const blocks{"0001"};
    expect_requests("blobs.md", *s.seen,
                    {{"create_if_not_exists", [&] { files.create_if_not_exists(); }},
                     {"exists", [&] { EXPECT_TRUE(files.exists()); }},
                     {"put", [&] { files.put("new", "text", blob_state::absent()); }},
                     {"get, whole or in part",
                      [&] {
                          EXPECT_EQ(files.get("old", {.range = blob_range{1, 2}}).bytes, "ra");
                      }},
                     {"find of a blob that is not there", [&] { EXPECT_FALSE(files.find("none")); }},
                     {"properties", [&] { EXPECT_EQ(files.properties("old").size, 5U); }},
                     {"page", [&] { EXPECT_EQ(files.page({.top = 1}).blobs.size(), 1U); }},
                     {"list of 3 blobs", [&] { EXPECT_EQ(files.list().size(), 3U); }},
                     {"create_append", [&] { files.create_append("log2", blob_state::absent()); }},
                     {"append", [&] { EXPECT_EQ(files.append("log", "line", 0).size, 4U); }},
                     {"append_anywhere", [&] { files.append_anywhere("log", "line"); }},
                     {"stage", [&] { files.stage("large", "0002", "two"); }},
                     {"commit", [&] { files.commit("large", blocks, blob_state::absent()); }},
                     {"erase", [&] { files.erase("old", prepared.properties("old").etag); }},
                     {"erase_any", [&] { EXPECT_TRUE(files.erase_any("new")); }},
                     {"delete_container", [&] { files.delete_container(); }}});
}

}  // namespace
}  // namespace tablemap::test
