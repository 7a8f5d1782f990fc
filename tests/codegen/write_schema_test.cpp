// SPDX-License-Identifier: Apache-2.0
#include "write_schema.hpp"

#include "back_end.hpp"
#include "cases.hpp"
#include "front_end.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::codegen {
namespace {

using tablemap::test::read_text;
using tablemap::test::schemas_in;
using testing::HasSubstr;

schema read_whole(std::string const& json) {
    fault_list faults;
    auto s = read_schema(json, faults);
    EXPECT_TRUE(faults.empty()) << describe(faults.sorted(), "schema") << json;
    return s;
}

std::string stem_of(testing::TestParamInfo<std::filesystem::path> const& info) { return info.param.stem().string(); }

class written_schema : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(written_schema, reads_back_as_the_same) {
    auto const before = read_whole(read_text(GetParam()));
    auto const text = write_schema(before);
    auto const after = read_whole(text);
    EXPECT_EQ(write_header(after, "x.json"), write_header(before, "x.json"));
    EXPECT_EQ(write_schema(after), text);
}

INSTANTIATE_TEST_SUITE_P(golden, written_schema, testing::ValuesIn(schemas_in("golden")), stem_of);

TEST(write_schema, defaults_are_left_out) {
    auto const text = write_schema(read_whole(R"({"entities": {"note": {"properties": {"id": {"type": "string",
        "nullable": false}}, "partition_key": [""], "row_key": [{"member": "id", "ordered": false}],
        "unknown_columns": "ignored"}}})"));
    EXPECT_EQ(text, R"({
  "entities": {
    "note": {"properties": {"id": "string"}, "partition_key": [""], "row_key": [{"member": "id"}]}
  }
}
)");
}

TEST(write_schema, long_objects_are_broken_into_lines) {
    property const p{{"id"}, {"string"}, {}, std::string(200, 'x')};
    schema const s{{}, {}, {}, {entity{{"note"}, {}, {}, {p}}}};
    EXPECT_THAT(write_schema(s), HasSubstr("\n        \"id\": {\n          \"type\": \"string\",\n"));
}

TEST(write_schema, texts_are_escaped) {
    property const p{{"id"}, {"string"}, {}, "a \"b\"\n\\ \x01 ü"};
    schema const s{{}, {}, {}, {entity{{"note"}, {}, {}, {p}}}};
    EXPECT_THAT(write_schema(s), HasSubstr(R"("a \"b\"\n\\ \u0001 ü")"));
}

}  // namespace
}  // namespace tablemap::codegen
