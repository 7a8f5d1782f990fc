// SPDX-License-Identifier: Apache-2.0
#include <tablemap/detail/reflect/fields.hpp>

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace {

using namespace tablemap::detail;

template <class T> std::vector<std::string_view> names_of() {
    std::vector<std::string_view> names;
    for_each_field_index<T>([&](auto index) { names.push_back(field_name<T, index()>); });
    return names;
}

using names = std::vector<std::string_view>;

struct address {
    std::string city{};
    std::string street{};
};

enum class colour { red, blue };

class amount {
public:
    explicit amount(int cents) : cents_{cents} {}
    int cents() const { return cents_; }

private:
    int cents_;
};

struct every_kind {
    std::string text{};
    std::optional<std::int64_t> number{};
    std::vector<std::byte> bytes{};
    address nested{};
    std::array<int, 3> several{};
    std::chrono::system_clock::time_point when{};
    std::unique_ptr<int> owned{};
    colour kind{};
    amount without_default_constructor{5};
    std::variant<int, std::string> either{};
    std::map<std::string, int> counted{};
    std::any anything{};
    std::vector<every_kind> recursive{};
    void* pointer{};
};

template <class First, class Second> struct both {
    First first_one{};
    Second second_one{};
};

struct with_mutable {
    std::string text{};
    mutable std::int32_t counted{};
};

struct with_utf8 {
    double größe{};
    std::string 名前{};
};

struct empty {};

struct hidden_default {
    std::string name = "unnamed";
    int retries = 3;
};

struct with_function {
    int number{};
    int value() const { return number; }
};

struct starts_with_any {
    std::any first{};
    int second{};
};

TEST(fields, names_members_in_declaration_order) { EXPECT_EQ(names_of<address>(), (names{"city", "street"})); }

TEST(fields, names_members_of_every_kind) {
    EXPECT_EQ(names_of<every_kind>(),
              (names{"text", "number", "bytes", "nested", "several", "when", "owned", "kind",
                     "without_default_constructor", "either", "counted", "anything", "recursive", "pointer"}));
}

TEST(fields, tells_the_type_of_each_member) {
    static_assert(std::is_same_v<field_type<every_kind, 0>, std::string>);
    static_assert(std::is_same_v<field_type<every_kind, 1>, std::optional<std::int64_t>>);
    static_assert(std::is_same_v<field_type<every_kind, 3>, address>);
    static_assert(std::is_same_v<field_type<every_kind, 4>, std::array<int, 3>>);
    static_assert(std::is_same_v<field_type<every_kind, 6>, std::unique_ptr<int>>);
    static_assert(std::is_same_v<field_type<every_kind, 7>, colour>);
    static_assert(std::is_same_v<field_type<every_kind, 8>, amount>);
    static_assert(std::is_same_v<field_type<every_kind, 12>, std::vector<every_kind>>);
}

TEST(fields, counts_an_empty_struct_as_nothing) {
    static_assert(field_count<empty> == 0);
    EXPECT_EQ(names_of<empty>(), names{});
}

TEST(fields, counts_a_nested_struct_and_an_array_object_as_one_member_each) {
    static_assert(field_count<both<address, std::array<int, 16>>> == 2);
}

TEST(fields, reads_class_templates) {
    EXPECT_EQ((names_of<both<int, std::string>>()), (names{"first_one", "second_one"}));
    static_assert(std::is_same_v<field_type<both<int, std::string>, 1>, std::string>);
}

TEST(fields, reads_structs_with_default_initialisers) {
    EXPECT_EQ(names_of<hidden_default>(), (names{"name", "retries"}));
    hidden_default value;
    EXPECT_EQ(get_field<0>(value), "unnamed");
    EXPECT_EQ(get_field<1>(value), 3);
}

TEST(fields, reads_a_first_member_that_takes_any_argument) {
    EXPECT_EQ(names_of<starts_with_any>(), (names{"first", "second"}));
}

TEST(fields, keeps_utf8_names_whole) { EXPECT_EQ(names_of<with_utf8>(), (names{"größe", "名前"})); }

TEST(fields, reads_local_types) {
    struct local {
        int one;
        std::string two;
    };
    EXPECT_EQ(names_of<local>(), (names{"one", "two"}));
}

TEST(fields, names_are_compile_time_constants) {
    static_assert(field_name<address, 1> == "street");
    static_assert(field_name<every_kind, 13> == "pointer");
}

TEST(get_field, refers_to_the_member_itself) {
    every_kind value;
    get_field<0>(value) = "changed";
    get_field<6>(value) = std::make_unique<int>(7);
    EXPECT_EQ(value.text, "changed");
    EXPECT_EQ(*value.owned, 7);
    EXPECT_EQ(&get_field<3>(value), &value.nested);
}

TEST(get_field, keeps_const) {
    address const value{.city = "Ulm", .street = "Hafenbad"};
    static_assert(std::is_same_v<decltype(get_field<0>(value)), std::string const&>);
    EXPECT_EQ(&get_field<1>(value), &value.street);
}

TEST(get_field, works_in_constant_expressions) {
    constexpr both<int, double> value{.first_one = 3, .second_one = 0.5};
    static_assert(get_field<0>(value) == 3);
    static_assert(get_field<1>(value) == 0.5);
}

TEST(member_index, is_the_place_in_declaration_order) {
    static_assert(member_index<&address::city> == 0);
    static_assert(member_index<&address::street> == 1);
    static_assert(member_index<&every_kind::pointer> == 13);
    static_assert(member_index<&both<int, int>::second_one, both<int, int>> == 1);
}

TEST(member_index, agrees_with_get_field) {
    every_kind value;
    EXPECT_EQ(&get_field<member_index<&every_kind::counted>>(value), &value.counted);
}

TEST(field_types, lists_the_types_as_they_are_declared) {
    static_assert(std::is_same_v<field_types<address>, type_list<std::string, std::string>>);
    static_assert(std::is_same_v<field_types<both<int const*, address>>, type_list<int const*, address>>);
    static_assert(std::is_same_v<field_types<empty>, type_list<>>);
    static_assert(field_types<every_kind>::size == 14);
}

TEST(field_types, are_those_of_mutable_members_too) {
    static_assert(std::is_same_v<field_types<with_mutable>, type_list<std::string, std::int32_t>>);
    static_assert(field_names<with_mutable>[1] == "counted");
}

TEST(field_names, reads_template_arguments_with_commas) {
    using nested = both<both<int, std::map<int, long>>, std::pair<int, char>>;
    static_assert(field_names<nested>[0] == "first_one");
    static_assert(field_names<nested>[1] == "second_one");
}

TEST(field_addresses, are_those_of_the_members) {
    every_kind value;
    std::array<void*, field_count<every_kind>> at{};
    field_addresses(value, at.data());
    EXPECT_EQ(at[0], &value.text);
    EXPECT_EQ(at[8], &value.without_default_constructor);
    EXPECT_EQ(at[13], &value.pointer);
}

TEST(field_addresses, are_read_only_for_const_objects) {
    address const value{.city = "Ulm", .street = "Hafenbad"};
    std::array<void const*, 2> at{};
    field_addresses(value, at.data());
    EXPECT_EQ(at[0], &value.city);
    EXPECT_EQ(at[1], &value.street);
}

TEST(field_addresses, of_an_empty_struct_are_none) {
    empty value;
    field_addresses(value, nullptr);
}

TEST(is_member_of, tells_members_of_the_struct_from_others) {
    static_assert(is_member_of<&address::city, address>);
    static_assert(!is_member_of<&address::city, every_kind>);
    static_assert(!is_member_of<&with_function::value, with_function>);
}

TEST(for_each_field_index, visits_nothing_but_the_members) {
    std::size_t sum = 0;
    for_each_field_index<every_kind>([&](auto index) { sum += index() + 1; });
    EXPECT_EQ(sum, 14U * 15U / 2U);
}

}  // namespace
