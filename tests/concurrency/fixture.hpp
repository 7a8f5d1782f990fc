// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/azurite.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/tablemap.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

/// Many writers of one entity.
namespace tablemap::test {

struct counter {
    std::string name{};
    std::int64_t count{};
    std::map<std::string, std::int64_t> by{};  ///< the counts of each writer
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::counter> {
    static constexpr auto partition_key = key("counters");
    static constexpr auto row_key = key(part<&test::counter::name>);
    static constexpr auto members = tablemap::members(member<&test::counter::by>.prefixed());
};

namespace tablemap::test {

/// The work of all writers together.
struct tally {
    std::atomic<int> tries{0};
    std::atomic<int> successes{0};
    std::atomic<int> doubts{0};

    /// A busy emulator drops a connection now and then: the write is in doubt. Nothing else may fail.
    void add_failure(error const& e) {
        if (e.outcome() == outcome::in_doubt)
            ++doubts;
        else
            ADD_FAILURE() << e.what();
    }

    void print(std::string const& what, std::chrono::steady_clock::time_point began) const {
        std::chrono::duration<double> const took = std::chrono::steady_clock::now() - began;
        std::cout << what << ": " << successes << " applied, " << doubts << " in doubt, "
                  << static_cast<double>(tries) / std::max(1, successes.load()) << " tries for each, " << took.count()
                  << " s\n";
    }
};

template <class F> void in_threads(int count, F f) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(f, i);
    for (auto& t : threads) t.join();
}

struct store_kind {
    std::string name;
    std::function<store_ptr(temp_folder const&)> make;

    friend void PrintTo(store_kind const& s, std::ostream* out) { *out << s.name; }
};

/// Every kind of store, with an empty table of counters.
class every_store : public ::testing::TestWithParam<store_kind> {
protected:
    void SetUp() override {
        store_ = GetParam().make(folder_);
        if (!store_) GTEST_SKIP() << GetParam().name << " needs the storage emulator: scripts/setup test installs it";
        counters().delete_if_exists();
        counters().create();
    }

    store_ptr const& the_store() const { return store_; }
    table<counter> counters(table_options o = {}) const { return {store_, "Counters", o}; }

    /// Expects that "hits" counts what was applied, and at most once what is in doubt, which only the emulator leaves.
    void expect_hits(tally const& all, int writes) const {
        EXPECT_EQ(all.successes + all.doubts, writes);
        auto const count = counters().find("hits")->value.count;
        EXPECT_GE(count, all.successes);
        EXPECT_LE(count, writes);
        EXPECT_TRUE(all.doubts == 0 || GetParam().name == "azurite");
    }

private:
    temp_folder folder_;
    store_ptr store_;
};

inline auto const store_kinds = ::testing::Values(
    store_kind{"embedded_memory",
               [](temp_folder const&) { return value_or_throw(open_embedded({.path = ":memory:"})); }},
    store_kind{"embedded_file",
               [](temp_folder const& folder) {
                   return value_or_throw(
                       open_embedded({.path = folder.file("counters.db"), .synchronous = durability::normal}));
               }},
    store_kind{"azurite", [](temp_folder const&) {
                   return azurite::program() ? open_recorded(azurite::shared().connection_string()) : store_ptr{};
               }});

}  // namespace tablemap::test
