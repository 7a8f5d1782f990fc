// SPDX-License-Identifier: Apache-2.0
// expect: mapped_members_must_not_be_anonymous_unions
// expect: amount_with_anonymous_union
#include <tablemap/detail/reflect/fields.hpp>

#include <string>
#include <type_traits>
#include <variant>

struct amount {
    std::string currency{};
    std::variant<int, double> value{};
};

static_assert(std::is_same_v<tablemap::detail::field_type<amount, 0>, std::string>);

#ifdef TABLEMAP_REJECT
struct amount_with_anonymous_union {
    std::string currency{};
    union {
        int cents;
        double rate;
    };
};

static_assert(std::is_same_v<tablemap::detail::field_type<amount_with_anonymous_union, 0>, std::string>);
#endif

int main() {}
