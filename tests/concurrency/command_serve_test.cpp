// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include "support/child_process.hpp"
#include "support/served_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class command_serve : public ::testing::Test {
protected:
    void SetUp() override { std::ofstream{key_file} << served_key() << '\n'; }

    std::vector<std::string> line(std::vector<std::string> const& more) const {
        std::vector<std::string> all{"serve",   "--account", std::string{served_account}, "--port", "0",
                                     "--store", store};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    temp_folder const folder;
    std::string const store = "embedded:" + folder.file("store.db");
    std::string const key_file = folder.file("key");
};

TEST_F(command_serve, serves_a_file_until_a_signal_and_keeps_what_was_written) {
    for (int const signal : {SIGTERM, SIGINT}) {
        auto arguments = line({"--key-file", key_file});
        arguments.insert(arguments.begin(), TABLEMAP_COMMAND_PROGRAM);
        child_process server{arguments};
        auto const url = server.wait_for_line("http://127.0.0.1:", 20s);
        auto const client = open("DefaultEndpointsProtocol=http;AccountName=" + std::string{served_account} +
                                 ";AccountKey=" + served_key() + ";TableEndpoint=" + url);
        table<dynamic_entity> const rows{client, "Rows"};
        EXPECT_EQ(rows.create_if_not_exists(), signal == SIGTERM);
        rows.insert(dynamic_entity{"p", std::to_string(signal)});
        ::kill(server.id(), signal);
        EXPECT_EQ(server.wait_for_line("stopped", 20s), "stopped") << server.output();
        EXPECT_TRUE((table<dynamic_entity>{open(store), "Rows"}.find({"p", std::to_string(signal)})));
    }
}

TEST_F(command_serve, serves_pages_to_this_machine_alone) {
    auto arguments = line({"--key-file", key_file, "--page"});
    arguments.insert(arguments.begin(), TABLEMAP_COMMAND_PROGRAM);
    child_process server{arguments};
    auto const note = server.wait_for_line("the page is at http://127.0.0.1:", 20s);
    EXPECT_TRUE(note.ends_with("/")) << note;
    auto const r = run_command(line({"--key-file", key_file, "--page", "--address", "0.0.0.0"}));
    EXPECT_NE(r.code, command::done);
    EXPECT_THAT(r.error, HasSubstr("pages need no signature"));
}

TEST_F(command_serve, says_what_a_command_line_lacks) {
    auto const r = run_command(line({}));
    EXPECT_EQ(r.code, command::usage);
    EXPECT_THAT(r.error, HasSubstr("needs a key: give --key-file, or set TABLEMAP_SERVE_KEY"));
    EXPECT_EQ(run_command(line({"--key-file", folder.file("none")})).code, command::usage);
    EXPECT_THAT(run_command(line({"--key-file", ""})).error, HasSubstr("--key-file: the text is empty"));
    EXPECT_EQ(run_command(line({"--key-file", key_file, "--tls-certificate", "x"})).code, command::usage);
}

TEST_F(command_serve, says_which_address_or_key_cannot_be_used) {
    auto const r = run_command(line({"--key-file", key_file, "--address", "192.0.2.1"}));
    EXPECT_EQ(r.code, command::failed);
    EXPECT_THAT(r.error, HasSubstr("192.0.2.1 cannot be listened on"));
    std::ofstream{key_file} << "no base64!\n";
    EXPECT_THAT(run_command(line({"--key-file", key_file})).error, HasSubstr("key"));
}

}  // namespace
}  // namespace tablemap::test
