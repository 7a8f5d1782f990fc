// SPDX-License-Identifier: Apache-2.0
#include <tablemap/adapted.hpp>
#include <tablemap/detail/reflect/fields.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace adapted_test {

// With a constructor and private data.
class account {
public:
    account() : owner_{"nobody"} {}
    account(std::string owner, int cents) : owner_{std::move(owner)}, cents_{cents} {}

    std::string const& owner() const { return owner_; }
    int cents() const { return cents_; }

private:
    template <class, class> friend struct boost::hana::accessors_impl;
    friend struct account_test;

    std::string owner_;
    int cents_ = 0;
    int read_often_ = 0;
};

// Private members that the class itself lists.
class sensor {
public:
    sensor() = default;

private:
    template <class, class> friend struct boost::hana::accessors_impl;
    BOOST_HANA_DEFINE_STRUCT(sensor, (std::string, room), (double, celsius));
};

struct person {
    virtual ~person() = default;
    person() = default;
    person(person&&) = default;
    person& operator=(person&&) = default;
    virtual int rank() const = 0;

    std::string name{};
    int age = 0;
};

struct employee : person {
    int rank() const override { return 1; }

    double salary = 0;
    std::string name_of_pet{};
};

struct aggregate {
    int first{};
    int second{};
    int third{};
};

struct shown {
    shown() {}
    std::string name{};
};

struct hides : shown {
    int name = 0;
};

struct with_array {
    with_array() {}
    int values[2]{};
};

struct with_constant {
    with_constant() {}
    with_constant& operator=(with_constant&&) noexcept { return *this; }
    int const value = 0;
};

struct with_function {
    with_function() {}
    int value() const { return 0; }
};

struct without_default {
    explicit without_default(int first) : value{first} {}
    int value;
};

struct nothing_listed {
    nothing_listed() {}
};

}  // namespace adapted_test

BOOST_HANA_ADAPT_STRUCT(adapted_test::account, owner_, cents_);
BOOST_HANA_ADAPT_STRUCT(adapted_test::person, name, age);
BOOST_HANA_ADAPT_STRUCT(adapted_test::employee, name, salary, age);
BOOST_HANA_ADAPT_STRUCT(adapted_test::aggregate, second, first);
BOOST_HANA_ADAPT_STRUCT(adapted_test::hides, name);
BOOST_HANA_ADAPT_STRUCT(adapted_test::with_array, values);
BOOST_HANA_ADAPT_STRUCT(adapted_test::with_constant, value);
BOOST_HANA_ADAPT_STRUCT(adapted_test::with_function, value);
BOOST_HANA_ADAPT_STRUCT(adapted_test::without_default, value);
BOOST_HANA_ADAPT_STRUCT(adapted_test::nothing_listed);

namespace adapted_test {

using namespace tablemap::detail;

struct account_test {
    static constexpr auto cents = member_index<&account::cents_>;
    static constexpr bool lists_counter = is_member_of<&account::read_often_, account>;
};

template <std::size_t Size> using names = std::array<std::string_view, Size>;

TEST(adapted, lists_private_members_of_a_class_with_constructors) {
    EXPECT_EQ(field_names<account>, (names<2>{"owner_", "cents_"}));
    static_assert(std::is_same_v<field_types<account>, type_list<std::string, int>>);
    static_assert(account_test::cents == 1);
}

TEST(adapted, leaves_out_members_that_are_not_listed) { static_assert(!account_test::lists_counter); }

TEST(adapted, reads_and_writes_members) {
    account value{"Ada", 5};
    EXPECT_EQ(get_field<0>(value), "Ada");
    get_field<1>(value) = 7;
    EXPECT_EQ(value.cents(), 7);
    static_assert(std::is_same_v<decltype(get_field<0>(std::as_const(value))), std::string const&>);
}

TEST(adapted, gives_the_addresses_of_members) {
    account const value{"Ada", 5};
    void const* at[2]{};
    field_addresses(value, at);
    EXPECT_EQ(at[0], &value.owner());
    EXPECT_EQ(*static_cast<int const*>(at[1]), 5);
}

TEST(adapted, lists_members_that_the_class_defines_by_macro) {
    EXPECT_EQ(field_names<sensor>, (names<2>{"room", "celsius"}));
    static_assert(std::is_same_v<field_types<sensor>, type_list<std::string, double>>);
}

TEST(adapted, lists_inherited_members_of_a_class_with_an_abstract_base) {
    EXPECT_EQ(field_names<employee>, (names<3>{"name", "salary", "age"}));
    employee value;
    void* at[3]{};
    field_addresses(value, at);
    EXPECT_EQ(at[0], &value.name);
    EXPECT_EQ(at[2], &value.age);
}

TEST(adapted, knows_inherited_members_by_their_pointers) {
    static_assert(member_index<&employee::age, employee> == 2);
    static_assert(member_index<&employee::salary> == 1);
    static_assert(is_member_of<&person::name, employee>);
    static_assert(!is_member_of<&employee::name_of_pet, employee>);
}

TEST(adapted, tells_a_member_from_the_one_it_hides) {
    static_assert(is_member_of<&hides::name, hides>);
    static_assert(!is_member_of<&shown::name, hides>);
}

TEST(adapted, takes_the_list_of_an_aggregate_before_its_declaration) {
    EXPECT_EQ(field_names<aggregate>, (names<2>{"second", "first"}));
}

TEST(adapted, counts_an_empty_list_as_nothing) {
    static_assert(field_count<nothing_listed> == 0);
    nothing_listed value;
    field_addresses(value, nullptr);
}

TEST(adapted, refuses_what_cannot_be_filled) {
    static_assert(reflect_fault_of<person> == reflect_fault::not_default_constructible);
    static_assert(reflect_fault_of<without_default> == reflect_fault::not_default_constructible);
    static_assert(reflect_fault_of<with_constant> == reflect_fault::not_assignable);
    static_assert(reflect_fault_of<with_array> == reflect_fault::c_array);
    static_assert(reflect_fault_of<with_function> == reflect_fault::not_a_data_member);
}

TEST(adapted, refuses_classes_without_a_list) {
    static_assert(reflect_fault_of<shown> == reflect_fault::not_an_aggregate);
}

}  // namespace adapted_test
