// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace tablemap::test {
namespace {

/// Counts in a child process; the exit status tells whether all went well, the pipe how often it tried.
pid_t start_writer(std::string const& path, int times, int tries_to) {
    auto const child = fork();
    if (child != 0) return child;
    int status = 1;
    try {
        table<counter> const t{value_or_throw(open_embedded({.path = path, .synchronous = durability::normal})),
                               "Counters"};
        int tries = 0;
        for (int i = 0; i < times; ++i) t.modify({"hits"}, [&](counter& c) { ++c.count, ++tries; });
        status = write(tries_to, &tries, sizeof tries) == sizeof tries ? 0 : 2;
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
    }
    _exit(status);
}

TEST(counter_of_processes, modified_500_times_by_each_of_4_is_exact) {
    constexpr int processes = 4, times = 500;
    temp_folder const folder;
    auto const path = folder.file("counters.db");
    {
        table<counter> const t{value_or_throw(open_embedded({.path = path, .synchronous = durability::normal})),
                               "Counters"};
        t.create();
        t.insert({.name = "hits"});
    }
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    tally all;
    auto const began = std::chrono::steady_clock::now();
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) children.push_back(start_writer(path, times, ends[1]));
    for (auto const child : children) {
        int status = 0, tries = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        if (status == 0 && read(ends[0], &tries, sizeof tries) == sizeof tries) {
            all.tries += tries;
            all.successes += times;
        }
    }
    all.print("4 processes", began);
    for (int const end : ends) close(end);
    table<counter> const t{value_or_throw(open_embedded({.path = path, .synchronous = durability::normal})),
                           "Counters"};
    EXPECT_EQ(t.find("hits")->value.count, processes * times);
}

}  // namespace
}  // namespace tablemap::test
