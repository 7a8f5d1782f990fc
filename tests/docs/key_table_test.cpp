// SPDX-License-Identifier: Apache-2.0
#include "docs/page_table.hpp"

#include "tablemap/detail/keys/key_codec.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace tablemap::test {
namespace {

enum class severity : std::uint8_t { info, warning, error };

struct t {
    std::string text{};
    std::int32_t number{};
    std::int64_t large{};
    double real{};
    bool flag{};
    severity rank{};
    guid id{};
    ticks at{};
    std::chrono::sys_days day{};
};

}  // namespace
}  // namespace tablemap::test

template <>
inline constexpr auto tablemap::enumeration<tablemap::test::severity> =
    tablemap::by_number<tablemap::test::severity::info, tablemap::test::severity::warning,
                        tablemap::test::severity::error>;

namespace tablemap::test {
namespace {

struct sample {
    std::string part;
    std::string value;
    std::string text;
};

template <class Part, class V> sample sample_of(std::string part, std::string text, Part const& p, V const& value) {
    using held = typename detail::source_part<Part>::value_type;
    held const kept(value);  // keys of text borrow it
    std::string made;
    auto const r = detail::make_key(made, key(p), [&](auto const&) -> held const& { return kept; });
    return {std::move(part), std::move(text), r ? made : r.error().what()};
}

// clang-format off
#define TABLEMAP_SAMPLE(part, ...) sample_of(#part, #__VA_ARGS__, part, __VA_ARGS__)
std::vector<sample> samples() {
    return {
        TABLEMAP_SAMPLE(part<&t::text>, "Sales"),
        TABLEMAP_SAMPLE(part<&t::text>.escaped(), "a/b c"),
        TABLEMAP_SAMPLE(part<&t::text>.descending(), "Hi"),
        TABLEMAP_SAMPLE(part<&t::text>.hashed(), "Sales"),
        TABLEMAP_SAMPLE(part<&t::number>, -42),
        TABLEMAP_SAMPLE(part<&t::number>.width(6), 42),
        TABLEMAP_SAMPLE(part<&t::number>.range(1, 999), 42),
        TABLEMAP_SAMPLE(part<&t::number>.ordered(), -42),
        TABLEMAP_SAMPLE(part<&t::number>.descending(), 42),
        TABLEMAP_SAMPLE(part<&t::number>.width(6).descending(), 42),
        TABLEMAP_SAMPLE(part<&t::large>.ordered(), 42),
        TABLEMAP_SAMPLE(part<&t::real>.ordered(), 1.5),
        TABLEMAP_SAMPLE(part<&t::real>.descending(), 1.5),
        TABLEMAP_SAMPLE(part<&t::flag>, true),
        TABLEMAP_SAMPLE(part<&t::rank>, severity::warning),
        TABLEMAP_SAMPLE(part<&t::rank>.width(2), severity::warning),
        TABLEMAP_SAMPLE(part<&t::id>, tablemap::guid::from_random(0, 1)),
        TABLEMAP_SAMPLE(part<&t::id>.descending(), tablemap::guid::from_random(0, 1)),
        TABLEMAP_SAMPLE(part<&t::at>, tablemap::ticks(630822816000000000)),
        TABLEMAP_SAMPLE(part<&t::at>.descending(), tablemap::ticks(630822816000000000)),
        TABLEMAP_SAMPLE(part<&t::day>, std::chrono::days{10957}),
    };
}
// clang-format on

TEST(key_table, says_what_each_part_becomes) {
    auto const rows = page_table("keys.md", "parts");
    auto const made = samples();
    ASSERT_EQ(rows.size(), made.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), 4u);
        EXPECT_EQ(without_spaces(rows[i][0]), without_spaces(made[i].part));
        EXPECT_EQ(without_spaces(rows[i][1]), without_spaces(made[i].value)) << rows[i][0];
        EXPECT_EQ(made[i].text, rows[i][2]) << rows[i][0];
    }
}

}  // namespace
}  // namespace tablemap::test
