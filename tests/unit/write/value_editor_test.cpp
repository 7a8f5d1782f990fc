// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/value_editor.hpp"

#include "support/answers.hpp"

#include <gmock/gmock.h>

namespace {

using namespace tablemap;
using test::failed_with;
using ::testing::HasSubstr;
using ::testing::Not;

struct look {
    std::int32_t size = 12;
};

struct settings {
    std::string user{};
    look window{};
    std::optional<std::string> note{};
};

}  // namespace

template <> struct tablemap::mapping<settings> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key(part<&settings::user>);
    static constexpr auto members = tablemap::members(member<&settings::window>.as_json());
};

namespace {

/// The edit that `modify` makes if the function takes the note away.
result<detail::edited_entity> without_note(std::string properties) {
    auto row = R"({"PartitionKey":"settings","RowKey":"don",)" + std::move(properties) + "}";
    auto const read = value_or_throw(detail::decode<settings>(row)).value;
    auto changed = read;
    changed.note.reset();
    detail::encoded_state before, after;
    value_or_throw(detail::encode_state(read, before, detail::faulty_properties::left_blank));
    value_or_throw(detail::encode_state(changed, after, detail::faulty_properties::refused));
    detail::edited_entity edit;
    auto const made = detail::compose_edit(row, false, detail::row_types_of<settings>(), before, after, nullptr, edit);
    if (!made) return failure{made.error()};
    EXPECT_TRUE(*made);
    return edit;
}

std::string written(std::string properties) {
    auto const edit = value_or_throw(without_note(std::move(properties)));
    EXPECT_EQ(edit.kind, write_kind::replace);
    EXPECT_THAT(edit.body, Not(HasSubstr("note")));
    return edit.body;
}

TEST(value_editor, keeps_what_an_unchanged_column_says_beyond_its_member) {
    EXPECT_THAT(written(R"("note":"n","window":"{\"size\":1,\"colour\":\"red\"}")"),
                HasSubstr(R"(\"colour\":\"red\")"));
}

TEST(value_editor, adds_no_column_that_the_row_lacks_and_nobody_changed) {
    EXPECT_THAT(written(R"("note":"n")"), Not(HasSubstr("window")));
}

TEST(value_editor, keeps_columns_without_a_member_with_their_types) {
    EXPECT_THAT(written(R"("note":"n","since@odata.type":"Edm.Int64","since":"7")"),
                HasSubstr(R"("since@odata.type":"Edm.Int64","since":"7")"));
}

TEST(value_editor, refuses_to_write_a_name_that_no_property_may_have) {
    EXPECT_TRUE(failed_with(without_note(R"("note":"n","a\"b":1)"), library_errc::invalid_property_name));
}

}  // namespace
