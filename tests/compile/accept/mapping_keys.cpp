// SPDX-License-Identifier: Apache-2.0
// Every form that keys can have, and every form in which their values can be given.
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace shop {

// A member of a key may have the name of a system property: it is stored under no name.
struct order {
    std::string customer{};
    std::int32_t number{};
    std::int64_t Timestamp{};
    tablemap::guid session{};
    double price{};
};

struct setting {
    std::string name{};
    std::string value{};
};

struct only_keys {
    std::string name{};
};

}  // namespace shop

template <> struct tablemap::mapping<shop::order> {
    static constexpr auto partition_key = key("c_", part<&shop::order::customer>, "_", part<&shop::order::session>);
    static constexpr auto row_key = key(part<&shop::order::number>.width(6), part<&shop::order::session>,
                                        part<&shop::order::Timestamp>, "\u00E9", part<&shop::order::customer>);
};

template <> struct tablemap::mapping<shop::setting> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key("");
};

template <> struct tablemap::mapping<shop::only_keys> {
    static constexpr auto partition_key = key(part<&shop::only_keys::name>);
    static constexpr auto row_key = key(part<&shop::only_keys::name>);
};

void use(tablemap::table<shop::order>& orders, tablemap::table<shop::setting>& settings,
         tablemap::table<shop::only_keys>& names) {
    std::string const text = "contoso";
    std::int16_t const small = 1;
    tablemap::guid const session{};
    orders.find(text, session, small, std::int64_t{2});
    orders.find("contoso", session, 1, 2);
    orders.find(std::string_view{text}, session, std::int32_t{1}, small);
    orders.erase_any({text, session, 1, 2});
    orders.query(tablemap::partition("contoso", session), tablemap::row_range(small, 2));
    settings.find();
    settings.query(tablemap::partition());
    names.find("x");
}

int main() {}
