// SPDX-License-Identifier: Apache-2.0
// expect-gcc: use of deleted function
// expect-clang: call to deleted function
#include <tablemap/mapping/variant.hpp>

#include <string>
#include <variant>

struct person {
    std::string name{};
};
struct customer : person {};
struct clerk : person {};

std::variant<customer, clerk> make();

void use() {
    auto kind = make();
    person const* who = &tablemap::as_base<person>(kind);
#ifdef TABLEMAP_REJECT
    who = &tablemap::as_base<person>(make());
#endif
    static_cast<void>(who);
}

int main() {}
