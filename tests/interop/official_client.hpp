// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/azurite.hpp"
#include "support/child_process.hpp"
#include "support/hex.hpp"

#include "tablemap/open.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// The emulator, a store on it, and the service's own client for Node.js, which a script of this folder calls.
class official_client : public ::testing::Test {
protected:
    explicit official_client(std::string script) : script_(TABLEMAP_INTEROP_FOLDER "/" + std::move(script)) {}

    void SetUp() override {
        if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        if (!std::filesystem::exists(TABLEMAP_STORAGE_SDK_FOLDER "/installed.json"))
            GTEST_SKIP() << "needs the clients of the service: scripts/setup test installs them";
        setenv("TABLEMAP_STORE", azurite::shared().connection_string().c_str(), 1);
        setenv("TABLEMAP_STORAGE_SDK", TABLEMAP_STORAGE_SDK_FOLDER, 1);
        store = open(azurite::shared().connection_string());
    }

    /// The lines that the script prints.
    std::vector<std::string> peer(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"node", script_});
        child_process client{arguments};
        EXPECT_EQ(client.wait_for_line("done", std::chrono::minutes{1}), "done") << client.output();
        std::istringstream output{client.output()};
        std::vector<std::string> lines;
        for (std::string line; std::getline(output, line) && line != "done";) lines.push_back(line);
        return lines;
    }

    store_ptr store;

private:
    std::string script_;
};

}  // namespace tablemap::test
