// SPDX-License-Identifier: Apache-2.0
#include "interop/official_client.hpp"

#include "tablemap/blob/blob_container.hpp"

#include <string>
#include <vector>

namespace tablemap::test {
namespace {

class interop_of_blobs : public official_client {
protected:
    interop_of_blobs() : official_client("blobs.js") {}

    blob_container named(std::string name) const { return blob_container{store, std::move(name)}; }

    static std::string digits(std::string const& text) { return hex(bytes_of(text)); }

    static inline std::string const content{"all\0 \r\n\xFF bytes", 14};
    static inline std::vector<std::string> const names{"a b/c+d", "plain", "\xC3\xA9\xE2\x82\xAC/\xF0\x9F\x98\x80&<>"};
};

TEST_F(interop_of_blobs, the_official_client_reads_blobs_of_tablemap) {
    auto const files = named("from-tablemap");
    files.create();
    std::vector<std::string> listed;
    for (auto const& name : names) {
        files.put(name, content, blob_state::absent(), "text/plain");
        listed.push_back("name " + digits(name));
        EXPECT_EQ(peer({"get", files.name(), digits(name)}),
                  (std::vector<std::string>{"bytes " + digits(content), "type text/plain"}));
    }
    EXPECT_EQ(peer({"list", files.name()}), listed);
}

TEST_F(interop_of_blobs, tablemap_reads_blobs_of_the_official_client) {
    auto const files = named("from-the-client");
    for (auto const& name : names) {
        peer({"put", files.name(), digits(name), digits(content)});
        auto const read = files.get(name);
        EXPECT_EQ(read.bytes, content);
        EXPECT_EQ(read.properties.content_type, "text/css");
    }
    EXPECT_EQ(files.list().size(), names.size());
}

TEST_F(interop_of_blobs, both_append_to_one_blob) {
    auto const files = named("appended");
    files.create();
    files.create_append("log", blob_state::absent());
    auto const end = files.append("log", "one", 0);
    peer({"append", files.name(), digits("log"), digits("two")});
    EXPECT_FALSE(files.try_append("log", "three", end.size));
    EXPECT_EQ(files.append("log", "three", 6).size, 11u);
    EXPECT_EQ(files.get("log").bytes, "onetwothree");
}

TEST_F(interop_of_blobs, blocks_of_one_are_committed_by_the_other) {
    auto const files = named("blocks");
    peer({"blocks", files.name(), digits("b"), digits("one"), digits("two")});
    auto const read = files.get("b");
    EXPECT_EQ(read.bytes, "onetwo");
    std::vector<std::string_view> const ids{"block 1", "block 0"};
    files.commit("b", ids, read.properties.etag);
    EXPECT_EQ(peer({"get", files.name(), digits("b")}).at(0), "bytes " + digits("twoone"));
}

TEST_F(interop_of_blobs, the_official_client_reads_blocks_and_parts_of_tablemap) {
    auto const files = named("blocks-of-tablemap");
    files.create();
    files.stage("b", "0001", "one");
    files.stage("b", "0002", "three");
    std::vector<std::string_view> const ids{"0002", "0001"};
    files.commit("b", ids, blob_state::absent());
    EXPECT_EQ(peer({"ids", files.name(), digits("b")}), (std::vector<std::string>{"id 0002 5", "id 0001 3"}));
    EXPECT_EQ(peer({"part", files.name(), digits("b"), "4", "3"}).at(0), "bytes " + digits("eon"));
}

TEST_F(interop_of_blobs, tablemap_reads_parts_and_kinds_of_the_official_client) {
    auto const files = named("parts-of-the-client");
    peer({"append", files.name(), digits("log"), digits("onetwo")});
    peer({"put", files.name(), digits("text"), digits(content)});
    EXPECT_EQ(files.get("log", {.range = blob_range{2, 3}}).bytes, "etw");
    EXPECT_EQ(files.properties("log").kind, blob_kind::append);
    EXPECT_EQ(files.properties("text").kind, blob_kind::block);
    EXPECT_EQ(files.properties("text").size, content.size());
}

TEST_F(interop_of_blobs, both_list_by_prefix_in_pages) {
    auto const files = named("listed");
    files.create();
    std::vector<std::string> expected;
    for (auto const* const name : {"2014/a", "2014/b", "2014/c", "2015/a"}) {
        files.put(name, content, blob_state::absent());
        if (std::string_view{name}.starts_with("2014/")) expected.push_back("name " + digits(name));
    }
    EXPECT_EQ(peer({"list", files.name(), digits("2014/")}), expected);
    auto const first = files.page({.prefix = "2014/", .top = 2});
    EXPECT_EQ(first.blobs.size(), 2U);
    EXPECT_EQ(files.page({.prefix = "2014/", .from = *first.next, .top = 2}).blobs.size(), 1U);
}

}  // namespace
}  // namespace tablemap::test
