// SPDX-License-Identifier: Apache-2.0
#include <tablemap/detail/reflect/name.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

using namespace tablemap::detail;

struct audit {
    std::string changed_by{};
};

struct account : audit {
    std::string owner{};
    int limits[3]{};
    double größe{};
    int trailing_digits_2{};

    int total() const { return limits[0]; }
};

class locked {
public:
    explicit locked(int key) : key_in_use{key} {}
    int key_in_use;
};

template <class T> struct box { T content{}; };

template <fixed_string Name> struct named { static constexpr auto text = Name; };

TEST(fixed_string, views_the_characters_of_the_literal) {
    constexpr fixed_string name{"by_email"};
    EXPECT_EQ(name.view(), "by_email");
    EXPECT_EQ(fixed_string{""}.view(), "");
}

TEST(fixed_string, is_one_template_argument_per_text) {
    static_assert(std::is_same_v<named<"by_email">, named<"by_email">>);
    static_assert(!std::is_same_v<named<"by_email">, named<"by_name">>);
    EXPECT_EQ(named<"by_email">::text.view(), "by_email");
}

TEST(member_traits, tells_owner_and_type) {
    static_assert(std::is_same_v<member_owner<&account::owner>, account>);
    static_assert(std::is_same_v<member_type<&account::owner>, std::string>);
    static_assert(std::is_same_v<member_type<&account::limits>, int[3]>);
}

TEST(member_traits, names_the_base_as_owner_of_an_inherited_member) {
    static_assert(std::is_same_v<member_owner<&account::changed_by>, audit>);
}

TEST(member_name, is_the_identifier_in_the_source) {
    EXPECT_EQ(member_name<&account::owner>, "owner");
    EXPECT_EQ(member_name<&account::trailing_digits_2>, "trailing_digits_2");
}

TEST(member_name, reads_inherited_members) { EXPECT_EQ(member_name<&account::changed_by>, "changed_by"); }

TEST(member_name, reads_c_arrays_and_member_functions) {
    EXPECT_EQ(member_name<&account::limits>, "limits");
    EXPECT_EQ(member_name<&account::total>, "total");
}

TEST(member_name, reads_members_of_classes_that_are_no_aggregates) {
    EXPECT_EQ(member_name<&locked::key_in_use>, "key_in_use");
}

TEST(member_name, reads_members_of_class_templates) {
    EXPECT_EQ(member_name<&box<int>::content>, "content");
    EXPECT_EQ(member_name<&box<box<std::string>>::content>, "content");
}

TEST(member_name, reads_members_of_local_types) {
    struct local {
        int here;
    };
    EXPECT_EQ(member_name<&local::here>, "here");
}

TEST(member_name, keeps_utf8_identifiers_whole) { EXPECT_EQ(member_name<&account::größe>, "größe"); }

TEST(last_identifier, ignores_what_follows_it) {
    EXPECT_EQ(last_identifier("auto f() [with M = &a::b]"), "b");
    EXPECT_EQ(last_identifier("[Value = address<const int *>{&x.value.y}]"), "y");
    EXPECT_EQ(last_identifier("(( ))"), "");
    EXPECT_EQ(last_identifier(""), "");
}

}  // namespace
