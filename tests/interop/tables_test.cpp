// SPDX-License-Identifier: Apache-2.0
#include "support/child_process.hpp"
#include "support/served_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

// The service's own clients, on a server of this process.

void expect_to_work(std::vector<std::string> const& command) {
    server const s{store_in_memory(), served_options()};
    setenv("TABLEMAP_STORE", connection_string_of(s).c_str(), 1);
    child_process client{command};
    EXPECT_EQ(client.wait_for_line("done", std::chrono::minutes{1}), "done") << client.output();
}

TEST(interop_tables, every_operation_of_the_official_client_works) {
    if (!std::filesystem::exists(TABLEMAP_STORAGE_SDK_FOLDER "/node_modules/@azure/data-tables"))
        GTEST_SKIP() << "needs the clients of the service: scripts/setup test installs them";
    setenv("TABLEMAP_STORAGE_SDK", TABLEMAP_STORAGE_SDK_FOLDER, 1);
    expect_to_work({"node", TABLEMAP_INTEROP_FOLDER "/tables.js"});
}

TEST(interop_tables, every_operation_of_the_client_for_python_works) {
    if (!std::filesystem::exists(TABLEMAP_PYTHON_CLIENT_FOLDER "/azure/cosmosdb"))
        GTEST_SKIP() << "needs the client for Python: scripts/setup test installs it";
    setenv("TABLEMAP_PYTHON_CLIENT", TABLEMAP_PYTHON_CLIENT_FOLDER, 1);
    // The system's own Python has the packages that the client needs; the first one of the path may be another.
    expect_to_work({"/usr/bin/python3", "-B", TABLEMAP_INTEROP_FOLDER "/tables.py"});
}

}  // namespace
}  // namespace tablemap::test
