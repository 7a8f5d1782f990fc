// SPDX-License-Identifier: Apache-2.0
#include "support/child_process.hpp"
#include "support/served_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

namespace tablemap::test {
namespace {

/// The service's own client for Node.js, on a server of this process.
TEST(interop_tables, every_operation_of_the_official_client_works) {
    if (!std::filesystem::exists(TABLEMAP_STORAGE_SDK_FOLDER "/node_modules/@azure/data-tables"))
        GTEST_SKIP() << "needs the clients of the service: scripts/setup test installs them";
    server const s{store_in_memory(), served_options()};
    setenv("TABLEMAP_STORE", connection_string_of(s).c_str(), 1);
    setenv("TABLEMAP_STORAGE_SDK", TABLEMAP_STORAGE_SDK_FOLDER, 1);
    child_process client{{"node", TABLEMAP_INTEROP_FOLDER "/tables.js"}};
    EXPECT_EQ(client.wait_for_line("done", std::chrono::minutes{1}), "done") << client.output();
}

}  // namespace
}  // namespace tablemap::test
