// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K1]: the function that gives the members of a key returns references
#include <tablemap/detail/keys/key_codec.hpp>

#include <string>

struct order {
    std::string customer{};
};

constexpr auto order_key = tablemap::key("order_", tablemap::part<&order::customer>);

tablemap::result<void> make(std::string& text, order const& o) {
#ifdef TABLEMAP_REJECT
    auto const get = [&](auto const&) { return o.customer; };
#else
    auto const get = [&](auto const&) -> std::string const& { return o.customer; };
#endif
    return tablemap::detail::make_key(text, order_key, get);
}

int main() {}
