// SPDX-License-Identifier: Apache-2.0
#include "back_end.hpp"
#include "cases.hpp"
#include "front_end.hpp"

#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

using tablemap::test::read_text;
using tablemap::test::schemas_in;

std::string name_of(testing::TestParamInfo<std::filesystem::path> const& info) { return info.param.stem().string(); }

std::filesystem::path expected_of(std::filesystem::path schema) { return schema.replace_extension(".expected"); }

class golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(golden, gives_the_expected_header) {
    fault_list faults;
    auto const s = read_schema(read_text(GetParam()), faults);
    ASSERT_TRUE(faults.empty()) << describe(faults.sorted(), "schema");
    EXPECT_EQ(write_header(s, GetParam().filename().string()), read_text(expected_of(GetParam())))
        << "scripts/update-goldens writes it anew";
}

TEST_P(golden, gives_the_same_header_again) {
    fault_list faults;
    auto const s = read_schema(read_text(GetParam()), faults);
    EXPECT_EQ(write_header(s, "x.json"), write_header(s, "x.json"));
}

TEST_P(golden, any_part_of_it_is_refused_in_peace) {
    auto const text = read_text(GetParam());
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
        fault_list faults;
        read_schema(std::string_view{text}.substr(0, size), faults);
        EXPECT_EQ(faults.size(), 1U) << size;
    }
}

/// A schema in which any one token is another is either right or refused, and never more than that.
TEST_P(golden, any_change_of_it_is_understood_or_refused) {
    auto const text = read_text(GetParam());
    // Of a long schema one token in so many.
    auto const step = 1 + text.size() / 2000;
    std::size_t tokens = 0;
    for (auto const* other : {"\"no such thing\"", "-1", "[]", "{}", "null"}) {
        for (auto at = text.find(": "); at != std::string::npos; at = text.find(": ", at + 1)) {
            if (tokens++ % step != 0) continue;
            auto const end = text.find_first_of(",}]\n", at);
            auto changed = text;
            changed.replace(at + 2, end - at - 2, other);
            fault_list faults;
            auto const s = read_schema(changed, faults);
            EXPECT_TRUE(!faults.empty() || !write_header(s, "x.json").empty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(schemas, golden, testing::ValuesIn(schemas_in("golden")), name_of);

class bad : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(bad, tells_all_errors_with_their_places) {
    fault_list faults;
    read_schema(read_text(GetParam()), faults);
    EXPECT_EQ(describe(faults.sorted(), GetParam().filename().string()), read_text(expected_of(GetParam())))
        << "scripts/update-goldens writes it anew";
}

INSTANTIATE_TEST_SUITE_P(schemas, bad, testing::ValuesIn(schemas_in("bad")), name_of);

TEST(cases, are_enough) {
    EXPECT_GE(schemas_in("golden").size(), 6U);
    EXPECT_GE(schemas_in("bad").size(), 25U);
}

}  // namespace
}  // namespace tablemap::codegen
