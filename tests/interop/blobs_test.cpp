// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/child_process.hpp"
#include "support/hex.hpp"

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/open.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

class interop_of_blobs : public ::testing::Test {
protected:
    void SetUp() override {
        if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        if (!std::filesystem::exists(TABLEMAP_STORAGE_SDK_FOLDER "/installed.json"))
            GTEST_SKIP() << "needs the clients of the service: scripts/setup test installs them";
        setenv("TABLEMAP_STORE", azurite::shared().connection_string().c_str(), 1);
        setenv("TABLEMAP_STORAGE_SDK", TABLEMAP_STORAGE_SDK_FOLDER, 1);
        store_ = open(azurite::shared().connection_string());
    }

    blob_container named(std::string name) const { return blob_container{store_, std::move(name)}; }

    static std::string digits(std::string const& text) { return hex(bytes_of(text)); }

    /// The lines that the official client prints.
    static std::vector<std::string> peer(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"node", TABLEMAP_INTEROP_FOLDER "/blobs.js"});
        child_process client{arguments};
        EXPECT_EQ(client.wait_for_line("done", 1min), "done") << client.output();
        std::istringstream output{client.output()};
        std::vector<std::string> lines;
        for (std::string line; std::getline(output, line) && line != "done";) lines.push_back(line);
        return lines;
    }

    static inline std::string const content{"all\0 \r\n\xFF bytes", 14};
    static inline std::vector<std::string> const names{"a b/c+d", "plain", "\xC3\xA9\xE2\x82\xAC/\xF0\x9F\x98\x80&<>"};

private:
    store_ptr store_;
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
