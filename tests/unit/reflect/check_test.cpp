// SPDX-License-Identifier: Apache-2.0
#include <tablemap/detail/reflect/check.hpp>

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace {

using namespace tablemap::detail;

struct audit {
    std::string changed_by{};
};

struct tag {};

struct owner {
    std::unique_ptr<int> held{};
};

class amount {
public:
    explicit amount(int cents) : cents_{cents} {}
    int cents() const { return cents_; }

private:
    int cents_;
};

std::string nobody{};

template <class Member> struct holds {
    int before{};
    Member member{};
    std::string after{};
};

template <class T, std::size_t Size> struct holds_array {
    std::string before{};
    T member[Size]{};
    int after{};
};

struct ends_with_array {
    int first{};
    std::string second{}, third{}, fourth{}, fifth{};
    int last[2]{};
};

template <class Base> struct extends : Base { int own{}; };

TEST(reflectable, accepts_structs_of_values) {
    static_assert(reflectable<tag>);
    static_assert(reflectable<audit>);
    static_assert(reflectable<owner>);
    static_assert(reflectable<holds<audit>>);
    static_assert(reflectable<holds<std::vector<audit>>>);
    static_assert(reflectable<holds<std::vector<owner>>>);
    static_assert(reflectable<holds<std::array<std::string, 2>>>);
    static_assert(reflectable<holds<std::optional<std::chrono::seconds>>>);
    static_assert(reflectable<holds<std::variant<std::monostate, int>>>);
    static_assert(reflectable<holds<std::function<int(int)>>>);
    static_assert(reflectable<holds<std::any>>);
    static_assert(reflectable<holds<char const*>>);
    // The elements of an array are checked by the code that reads it.
    static_assert(reflectable<holds<std::array<int, 1>>>);
    static_assert(reflectable<holds<holds_array<int, 3>>>);
}

TEST(reflectable, refuses_what_is_no_aggregate) {
    static_assert(reflect_fault_of<int> == reflect_fault::not_an_aggregate);
    static_assert(reflect_fault_of<amount> == reflect_fault::not_an_aggregate);
    static_assert(reflect_fault_of<std::string> == reflect_fault::not_an_aggregate);
    static_assert(reflect_fault_of<int[3]> == reflect_fault::not_an_aggregate);

    struct with_virtual_function {
        virtual int size() const { return 0; }
    };
    static_assert(reflect_fault_of<with_virtual_function> == reflect_fault::not_an_aggregate);
}

TEST(reflectable, refuses_unions) {
    union either {
        int number;
        double fraction;
    };
    static_assert(reflect_fault_of<either> == reflect_fault::union_type);
}

TEST(reflectable, refuses_base_classes_of_every_kind) {
    static_assert(reflect_fault_of<extends<audit>> == reflect_fault::base_class);
    static_assert(reflect_fault_of<extends<tag>> == reflect_fault::base_class);
    static_assert(reflect_fault_of<extends<owner>> == reflect_fault::base_class);
    static_assert(reflect_fault_of<extends<extends<audit>>> == reflect_fault::base_class);
    static_assert(reflect_fault_of<extends<std::string>> == reflect_fault::base_class);
}

TEST(reflectable, refuses_members_that_cannot_start_empty) {
    struct without_default_constructor {
        amount balance;
    };
    struct reference {
        std::string& name;
    };
    static_assert(reflect_fault_of<without_default_constructor> == reflect_fault::not_empty_constructible);
    static_assert(reflect_fault_of<reference> == reflect_fault::not_empty_constructible);
}

TEST(reflectable, refuses_members_that_cannot_be_assigned) {
    struct bound_reference {
        std::string& name = nobody;
    };
    struct constant {
        int const version = 2;
    };
    struct guarded {
        std::mutex guard{};
    };
    static_assert(reflect_fault_of<bound_reference> == reflect_fault::not_assignable);
    static_assert(reflect_fault_of<constant> == reflect_fault::not_assignable);
    static_assert(reflect_fault_of<guarded> == reflect_fault::not_assignable);
}

TEST(reflectable, refuses_c_arrays_wherever_they_stand) {
    static_assert(reflect_fault_of<holds_array<int, 2>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<holds_array<char, 4096>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<ends_with_array> == reflect_fault::c_array);
    static_assert(reflect_fault_of<holds_array<std::string, 2>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<holds_array<std::unique_ptr<int>, 2>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<holds_array<audit, 2>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<holds_array<holds<audit>, 5>> == reflect_fault::c_array);
    static_assert(reflect_fault_of<std::array<int, 3>> == reflect_fault::c_array);

    struct at_the_end {
        int a{}, b{}, c{}, d{}, e{}, f{};
        int last[2]{};
    };
    struct of_two_dimensions {
        int grid[2][3]{};
    };
    static_assert(reflect_fault_of<at_the_end> == reflect_fault::c_array);
    static_assert(reflect_fault_of<of_two_dimensions> == reflect_fault::c_array);
}

TEST(reflectable, accepts_many_members_without_default_constructor_but_with_initialiser) {
    struct prices {
        amount low{1};
        amount middle{2};
        amount high{3};
        int count{};
        amount last{4};
    };
    static_assert(reflectable<prices>);
}

}  // namespace
