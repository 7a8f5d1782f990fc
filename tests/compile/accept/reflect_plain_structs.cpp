// SPDX-License-Identifier: Apache-2.0
// Reflection compiles, and without warnings, for types of every linkage.
#include <tablemap/detail/reflect/fields.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shop {

struct address {
    std::string city{};
    std::optional<std::string> street{};
};

}  // namespace shop

namespace {

struct in_anonymous_namespace {
    int count{};
    std::unique_ptr<shop::address> home{};
    std::vector<in_anonymous_namespace> children{};
};

}  // namespace

static_assert(tablemap::detail::field_name<shop::address, 1> == "street");
static_assert(tablemap::detail::field_name<in_anonymous_namespace, 2> == "children");
static_assert(tablemap::detail::member_index<&in_anonymous_namespace::home> == 1);

int main() {
    struct local {
        int only{};
    };
    local value{};
    return tablemap::detail::get_field<0>(value) + static_cast<int>(tablemap::detail::field_name<local, 0>.size()) - 4;
}
