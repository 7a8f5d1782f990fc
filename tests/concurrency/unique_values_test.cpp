// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"
#include "support/indexed_samples.hpp"

#include <barrier>
#include <thread>

namespace tablemap::test {
namespace {

/// Two writers, each with a store of its own where that is possible.
struct two_stores {
    std::string name;
    std::function<std::vector<store_ptr>(temp_folder const&)> make;

    friend void PrintTo(two_stores const& s, std::ostream* out) { *out << s.name; }
};

store_ptr file_store(temp_folder const& folder) {
    return value_or_throw(open_embedded({.path = folder.file("unique.db"), .synchronous = durability::normal}));
}
store_ptr azurite_store() { return open_recorded(azurite::shared().connection_string()); }

class unique_value : public ::testing::TestWithParam<two_stores> {};
INSTANTIATE_TEST_SUITE_P(
    , unique_value,
    ::testing::Values(
        two_stores{"embedded_memory",
                   [](temp_folder const&) {
                       auto const s = value_or_throw(open_embedded({.path = ":memory:"}));
                       return std::vector{s, s};
                   }},
        two_stores{"embedded_file",
                   [](temp_folder const& f) {
                       return std::vector{file_store(f), file_store(f)};
                   }},
        two_stores{
            "azurite",
            [](temp_folder const&) {
                return azurite::program() ? std::vector{azurite_store(), azurite_store()} : std::vector<store_ptr>{};
            }}),
    [](auto const& i) { return i.param.name; });

TEST_P(unique_value, of_two_inserts_at_once_is_given_to_one_every_time_of_1000) {
    constexpr std::int32_t times = 1'000;
    temp_folder const folder;
    auto const stores = GetParam().make(folder);
    if (stores.empty()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
    table<worker> const t{stores[0], "UniqueWorkers"};
    t.delete_if_exists();
    t.create();
    std::vector<std::vector<std::string>> ended(2);
    std::barrier both{2};
    in_threads(2, [&](int me) {
        table<worker> const mine{stores[static_cast<std::size_t>(me)], "UniqueWorkers"};
        for (std::int32_t i = 0; i < times; ++i) {
            both.arrive_and_wait();
            auto const r =
                mine.try_insert({.department = "Sales", .id = 2 * i + me, .email = std::to_string(i) + "@x"});
            ended[static_cast<std::size_t>(me)].push_back(r ? "stored"
                                                          : r.error().code() == library_errc::unique_value_taken
                                                              ? "taken"
                                                              : r.error().what());
        }
    });
    int first = 0;
    for (std::size_t i = 0; i < times; ++i) {
        auto const& a = ended[0][i];
        auto const& b = ended[1][i];
        EXPECT_TRUE((a == "stored" && b == "taken") || (a == "taken" && b == "stored")) << i << ": " << a << ", " << b;
        first += a == "stored" ? 1 : 0;
    }
    std::cout << GetParam().name << ": the first writer was faster " << first << " times of " << times << '\n';
    auto const report = t.verify_indexes();
    EXPECT_TRUE(report.in_step());
    EXPECT_EQ(report.entities, static_cast<std::size_t>(times));
}

}  // namespace
}  // namespace tablemap::test
