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

}  // namespace
}  // namespace tablemap::test
