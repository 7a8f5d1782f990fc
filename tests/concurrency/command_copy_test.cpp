// SPDX-License-Identifier: Apache-2.0
#include "unit/command/command_line.hpp"

#include "support/azurite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;

/// Rows with a value of every type, at its ends.
std::vector<dynamic_entity> rows_of_all_types() {
    std::vector<dynamic_entity> rows;
    for (int i = 0; i < 250; ++i) {
        rows.emplace_back(i % 2 ? "ü" : "", std::to_string(i));
        auto& e = rows.back();
        e.set("Text", i % 3 ? "a\n\"b\" ü" : "");
        e.set("Flag", i % 2 == 0);
        e.set("Small", std::numeric_limits<std::int32_t>::min() + i);
        e.set("Large", std::numeric_limits<std::int64_t>::max() - i);
        e.set("Real", i % 5 == 0 ? std::numeric_limits<double>::infinity() : i * 0.1);
        e.set("When", *ticks::parse("2024-02-29T23:59:59.1234567Z"));
        e.set("Id", guid::from_random(static_cast<std::uint64_t>(i), 7));
        e.set("Bytes", bytes(static_cast<std::size_t>(i % 10), std::byte{255}));
    }
    return rows;
}

TEST(command_copy_stores, embedded_to_azurite_and_back_is_equal) {
    if (!azurite::program()) GTEST_SKIP() << "the emulator is not installed: run scripts/setup";
    auto const emulator = azurite::shared().connection_string();
    command_file const from, to;
    from.rows().insert_many(rows_of_all_types()).require_complete();
    for (auto const& [a, b] : {std::pair{from.store, emulator}, std::pair{emulator, to.store}}) {
        auto const r = run_command({"copy", "--from", a, "--to", b, "People"});
        EXPECT_EQ(r.code, command::done) << r.error;
        EXPECT_THAT(r.error, HasSubstr("People: verified, 250 rows are equal"));
    }
    EXPECT_EQ(to({"query", "People"}).out, from({"query", "People"}).out);
}

TEST(command_copy_stores, copy_to_azurite_that_is_repeated_stores_nothing_twice) {
    if (!azurite::program()) GTEST_SKIP() << "the emulator is not installed: run scripts/setup";
    auto const emulator = azurite::shared().connection_string();
    command_file const from;
    from.rows("Repeated").insert_many(rows_of_all_types()).require_complete();
    run_command({"copy", "--from", from.store, "--to", emulator, "Repeated"});
    auto const r = run_command({"copy", "--from", from.store, "--to", emulator, "Repeated"});
    EXPECT_THAT(r.error, HasSubstr("0 rows copied, 250 there before, 0 failed"));
}

}  // namespace
}  // namespace tablemap::test
