// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/answers.hpp"
#include "support/table_client.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

namespace tablemap::test {

/// A folder for the files of a test.
class embedded_file : public ::testing::Test {
protected:
    std::string path() const { return folder_.file("store.db"); }
    temp_folder const& folder() const { return folder_; }

    store_ptr open() const { return value_or_throw(open_embedded(options())); }

    /// Not durable beyond the process, for speed.
    embedded_options options() const { return {.path = path(), .synchronous = durability::normal}; }

    static std::string contents(std::string const& file) {
        std::ifstream in{file, std::ios::binary};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    static void write_file(std::string const& file, std::string const& contents) {
        std::ofstream{file, std::ios::binary} << contents;
    }

    /// A closed store at `path()` with one table and so many entities of about 1 KB.
    void make_store(int entities) const {
        auto s = open();
        table_client t{*s, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        for (int i = 0; i < entities; ++i)
            ASSERT_TRUE(carried_out(t.insert(entity("p", std::to_string(i), {{"Text", std::string(1000, 'x')}}))));
    }

    /// Runs in a child process; its result is the exit status.
    template <class F> static pid_t in_child(F f) {
        auto const child = fork();
        if (child != 0) return child;
        int status = 99;
        try {
            status = f();
        } catch (...) {
        }
        _exit(status);
    }

    /// Waits for the end of a child; -1 if a signal ended it.
    static int exit_status(pid_t child) {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    temp_folder folder_;
};

}  // namespace tablemap::test
