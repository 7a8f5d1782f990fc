// SPDX-License-Identifier: Apache-2.0
#include "support/noting_store.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/tablemap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

/// Merges that have to read the entity for its rows in indexes, and others.

namespace tablemap {
namespace {

struct meter {
    std::string site{};
    std::int32_t id{};
    std::string code{};
    bool broken{};
    std::string note{};
    series<std::int32_t, 24> hours{};
    std::array<double, 3> limits{};
};

}  // namespace

template <> struct mapping<meter> {
    static constexpr auto partition_key = key(part<&meter::site>);
    static constexpr auto row_key = key("id_", part<&meter::id>);
    static constexpr auto members = tablemap::members(member<&meter::limits>.numbered());
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_code">(key("code_", part<&meter::code>)).include<&meter::limits>(),
                          index<"broken">(key("broken_")).include<>().where(&meter::broken));
};

namespace test {
namespace {

class index_members : public ::testing::Test {
protected:
    index_members() {
        meters_.create();
        meters_.insert(value_);
        value_.hours[7] = 3;
        noted_->take();
    }

    template <class Chosen> void merge(Chosen const& chosen) { meters_.merge_any(value_, chosen); }

    std::shared_ptr<noting_store> noted_ =
        std::make_shared<noting_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    table<meter> meters_{noted_, "Meters"};
    meter value_{.site = "S", .id = 1, .code = "c"};
};

TEST_F(index_members, that_no_index_has_are_merged_unread) {
    merge(only<&meter::note>);
    merge(element<&meter::hours>(7));
    merge(element<&meter::hours, 7>);
    merge(elements<&meter::hours>(7, 9));
    merge(element<&meter::hours>(7) | only<&meter::note>);
    EXPECT_EQ(noted_->take(), std::vector<std::string>(5, R"(merge Meters [S] [id_1] if "*")"));
    EXPECT_EQ(meters_.find("S", 1)->value.hours[7], 3);
}

TEST_F(index_members, that_an_index_has_are_merged_with_its_rows) {
    value_.limits = {1, 2, 3};
    merge(element<&meter::limits>(1));
    EXPECT_EQ(noted_->take().size(), 3u) << "the row of the unique index is read, too";
    merge(element<&meter::hours>(7) | element<&meter::limits, 2>);
    EXPECT_EQ(noted_->take().size(), 3u);
    value_.broken = true;
    merge(only<&meter::broken>);  // a condition of an index
    EXPECT_EQ(noted_->take().size(), 2u);
    EXPECT_EQ(meters_.query_by<"broken">(partition(std::string{"S"})).count(), 1u);
    EXPECT_TRUE(meters_.verify_indexes().in_step());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
