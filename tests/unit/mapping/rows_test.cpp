// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/read_row.hpp"

#include "unit/mapping/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using test::faulty_properties;
using test::keyed;
using test::reading;
using test::round_trips;
using test::try_read;
using test::unreadable;
using test::written;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct worker {
    std::string key = "k";
    std::string name{};
    std::int32_t age{};
    std::int64_t salary{};
    std::optional<ticks> hired{};

    friend bool operator==(worker const&, worker const&) = default;
};

struct typed {
    std::string key = "k";
    std::int32_t age{};

    friend bool operator==(typed const&, typed const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<worker> : keyed<worker> {
    static constexpr auto members =
        tablemap::members(tablemap::member<&worker::name>.required(), tablemap::member<&worker::age>.named("Age"));
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
};
template <> struct tablemap::mapping<typed> : keyed<typed> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "employee");
};

namespace {

// ---- everything that is wrong ---------------------------------------------------------------------------------------

TEST(row, with_many_faults_tells_them_all) {
    auto const r = try_read<worker>(R"("Age":"34","salary":"5","hired":true,"other":1)");
    ASSERT_TRUE(test::failed_with(r, library_errc::type_mismatch));
    EXPECT_THAT(faulty_properties(r.error()), ElementsAre("Age", "hired", "other", "name", "salary"));
    std::vector<std::error_code> codes;
    for (auto const& f : r.error().faults()) codes.push_back(f.code);
    EXPECT_THAT(codes,
                ElementsAre(library_errc::type_mismatch, library_errc::type_mismatch, library_errc::unknown_property,
                            library_errc::missing_property, library_errc::type_mismatch));
    EXPECT_EQ(r.error().member(), "");
    EXPECT_THAT(r.error().what(), HasSubstr("the first of 5 faults: (1) property 'Age', the stored value does not "
                                            "fit the C++ type: it holds Edm.String where Edm.Int32 is expected"));
    EXPECT_THAT(r.error().what(), HasSubstr("; (5) property 'salary', "));
}

TEST(row, with_many_faults_tells_no_values) {
    auto const r = test::read_row<worker>(R"({"PartitionKey":"SECRET1","RowKey":"SECRET2","Age":"SECRET3","name":5})");
    ASSERT_FALSE(r);
    EXPECT_THAT(r.error().what(), ::testing::Not(HasSubstr("SECRET")));
    for (auto const& f : r.error().faults()) EXPECT_THAT(f.reason + f.found, ::testing::Not(HasSubstr("SECRET")));
}

TEST(row, with_an_unreadable_key_tells_what_else_is_wrong) {
    auto const r = test::read_row<worker>(R"({"PartitionKey":"other","RowKey":"k","name":"n","Age":"x"})");
    ASSERT_FALSE(r);
    ASSERT_EQ(r.error().faults().size(), 2u);
    EXPECT_EQ(r.error().faults()[0].property, "Age");
    EXPECT_EQ(r.error().faults()[1].code, library_errc::unreadable_key);
}

TEST(row, that_is_good_after_a_bad_one_is_read) {
    std::vector<entity<worker>> out;
    std::vector<detail::bad_row_at> bad;
    std::string page = R"({"value":[{"PartitionKey":"p","RowKey":"1","name":"a","Age":1},)"
                       R"({"PartitionKey":"p","RowKey":"2","Age":"x"},{"RowKey":"3"},)"
                       R"({"PartitionKey":"p","RowKey":"4","name":"d"}]})";
    ASSERT_EQ(detail::decode_page(page, out, bad).value(), 4u);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out[1].value, (worker{.key = "4", .name = "d"}));
    ASSERT_EQ(bad.size(), 2u);
    EXPECT_EQ(bad[0].before, 1u);
    EXPECT_EQ(bad[0].row.partition_key, "p");
    EXPECT_EQ(bad[0].row.row_key, "2");
    EXPECT_THAT(faulty_properties(bad[0].row.error), ElementsAre("Age", "name"));
    EXPECT_EQ(bad[1].row.partition_key, "");
}

// ---- twice ----------------------------------------------------------------------------------------------------------

TEST(row, with_a_column_twice_is_malformed) {
    EXPECT_TRUE(unreadable<worker>(R"("name":"a","Age":1,"Age":1)", library_errc::malformed_response, "Age"));
    EXPECT_TRUE(unreadable<typed>(R"("EntityType":"employee","x":1,"x":1)", library_errc::malformed_response, "x"));
    EXPECT_TRUE(unreadable<typed>(R"("EntityType":"employee","EntityType":"employee")",
                                  library_errc::malformed_response, "EntityType"));
}

TEST(row, with_hundreds_of_unknown_columns_is_read_wherever_its_own_come) {
    std::string many;
    for (int i = 0; i < 900; ++i) many += "\"u" + std::to_string(i) + "\":1,";
    EXPECT_EQ(reading<typed>(many + R"("age":5,)" + "\"EntityType\":\"employee\"").age, 5);
}

// ---- the discriminator ----------------------------------------------------------------------------------------------

TEST(discriminator, is_written_first_and_checked) {
    EXPECT_TRUE(round_trips(typed{.age = 1}, R"("EntityType":"employee","age":1)"));
    EXPECT_EQ(reading<typed>(R"("age":1,"EntityType":"employee")"), typed{.age = 1});
}

TEST(discriminator, goes_with_chosen_members) {
    detail::encoded_entity e;
    ASSERT_TRUE(encode(typed{.age = 1}, e, only<&typed::age>, detail::empty_members::refused));
    EXPECT_EQ(e.body, test::row(R"("EntityType":"employee","age":1)"));
}

TEST(discriminator, that_is_another_or_absent_refuses_the_row) {
    for (auto const* text : {R"("department")", R"("employee_v2")", R"("Employee")", R"("")", "1"})
        EXPECT_TRUE(
            unreadable<typed>(R"("age":1,"EntityType":)" + std::string{text}, library_errc::another_type, "EntityType"))
            << text;
    EXPECT_TRUE(unreadable<typed>(R"("age":1)", library_errc::another_type, "EntityType"));
    EXPECT_TRUE(unreadable<typed>("", library_errc::another_type, "EntityType"));
}

TEST(discriminator, that_is_another_comes_before_the_faults_that_follow_from_it) {
    for (auto const* row :
         {R"("age":"x","EntityType":"department")", R"("EntityType":"department","age":"x")", R"("age":"x")"}) {
        auto const r = try_read<typed>(row);
        ASSERT_TRUE(test::failed_with(r, library_errc::another_type)) << row;
        EXPECT_THAT(faulty_properties(r.error()), ElementsAre("EntityType", "age"));
    }
}

/// Destroyed after the objects of the thread, whose memory it overwrites.
struct reads_at_the_end {
    ~reads_at_the_end() {
        std::vector<std::string> used_again;
        for (std::size_t size = 16; size < 1024; size += 8) used_again.emplace_back(size, 'x');
        std::_Exit(round_trips(typed{.age = 1}, R"("EntityType":"employee","age":1)") ? 7 : 1);
    }
};

[[noreturn]] void read_and_exit() {
    static reads_at_the_end const last{};
    static_cast<void>(try_read<typed>(R"("EntityType":"employee","age":2)"));
    std::exit(0);
}

TEST(rows, are_read_by_the_destructor_of_a_static_object) {
    EXPECT_EXIT(read_and_exit(), ::testing::ExitedWithCode(7), "");
}

}  // namespace
