// SPDX-License-Identifier: Apache-2.0
// expect-gcc: use of deleted function
// expect-clang: call to deleted member function
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::condition<order> const& cheap) {
    auto const* fault = cheap.fault();
#ifdef TABLEMAP_REJECT
    fault = (cheap && tablemap::field<&order::price> > 1.0).fault();
#endif
    static_cast<void>(fault);
}

int main() {}
