// SPDX-License-Identifier: Apache-2.0
// Every form that conditions can have, over every type and form of member.
#include <tablemap/adapted.hpp>
#include <tablemap/mapping/converters/decimal.hpp>
#include <tablemap/mapping/converters/duration.hpp>
#include <tablemap/query/field.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

namespace shop {

enum class level { junior, senior };
enum state : std::uint8_t { off, on };

struct address {
    std::string city{};
    std::array<std::int32_t, 3> codes{};
};

struct order {
    std::string customer{};
    std::int32_t number{};
    std::string text{};
    std::optional<std::string> note{};
    bool open{};
    std::optional<bool> paid{};
    std::int8_t tiny{};
    std::uint16_t small{};
    std::int32_t plain{};
    std::uint32_t wide{};
    std::int64_t wider{};
    std::uint64_t widest{};
    double real{};
    tablemap::ticks at{};
    std::optional<std::chrono::sys_time<std::chrono::milliseconds>> seen{};
    tablemap::guid session{};
    level rank{};
    state power{};
    std::chrono::seconds pause{};
    tablemap::decimal price{};
    std::optional<address> home{};
    std::array<std::int64_t, 12> hours{};
    std::unordered_map<std::string, double> rates{};
};

struct refund {
    std::string customer{};
    std::int32_t number{};
    double amount{};
};

}  // namespace shop

template <>
inline constexpr auto tablemap::enumeration<shop::level> = tablemap::by_name<shop::level::junior, shop::level::senior>;
template <> inline constexpr auto tablemap::enumeration<shop::state> = tablemap::by_number<>;

template <> struct tablemap::mapping<shop::address> {
    static constexpr auto members = tablemap::members(member<&shop::address::codes>.numbered());
};

template <> struct tablemap::mapping<shop::order> {
    static constexpr auto partition_key = key("o_", part<&shop::order::customer>.also_stored());
    static constexpr auto row_key = key(part<&shop::order::number>.width(6));
    static constexpr auto members =
        tablemap::members(member<&shop::order::home>.flattened(), member<&shop::order::hours>.numbered(),
                          member<&shop::order::rates>.prefixed(),
                          tablemap::computed("Total", [](shop::order const& o) { return o.real * 1.2; }));
};

template <> struct tablemap::mapping<shop::refund> {
    static constexpr auto partition_key = key("r_", part<&shop::refund::customer>);
    static constexpr auto row_key = key(part<&shop::refund::number>.width(6));
};

// From another namespace, without any using: the operators are found by their operands.
namespace shop {

tablemap::condition<order> every_type(std::string const& text, std::int64_t wide) {
    using tablemap::field;
    auto c = field<&order::customer> == "contoso" && field<&order::text> >= text &&
             field<&order::note> < std::string_view{text};
    c = c && field<&order::tiny> == 1 && field<&order::tiny> == std::int8_t{1} && field<&order::small> <= 9;
    c = c && field<&order::plain> != std::int16_t{3} && field<&order::wide> > 3U && field<&order::wider> > 3 &&
        field<&order::wider> > wide && field<&order::widest> >= std::uint64_t{4};
    c = c || field<&order::real> < 3 || field<&order::real> < 3.5F || field<&order::real> < 3.5;
    c = c || field<&order::at> > std::chrono::system_clock::now() || field<&order::at> > tablemap::ticks{} ||
        field<&order::seen> == std::chrono::sys_days{};
    c = c || field<&order::session> == tablemap::guid{} || field<&order::rank> == level::junior ||
        field<&order::power> >= on;
    return c && field<&order::pause> > std::chrono::minutes{1} && field<&order::price> == tablemap::decimal{};
}

tablemap::condition<order> every_form() {
    using tablemap::field;
    auto c = field<&order::home, &address::city> == "Graz" && tablemap::element<&order::hours, 11> > 8 &&
             tablemap::element<&order::home, &address::codes, 2> > 8;
    c = c && tablemap::entry<&order::rates>("eur") > 1 && tablemap::computed_field<order, "Total"> > 100;
    c = c && tablemap::timestamp<order> >= tablemap::ticks::min() && tablemap::field_of<order, &order::plain> == 1;
    return c || starts_with(field<&order::text>, "a") || "b" == field<&order::text> || !c;
}

tablemap::condition<order> every_flag() {
    constexpr auto open = tablemap::field<&order::open>;
    constexpr auto paid = tablemap::field<&order::paid>;
    return (open && paid) || (!open && paid == true) || !(open || paid);
}

using either = std::variant<order, refund>;
static_assert(tablemap::detail::check_condition<order, decltype(every_form())>());
static_assert(tablemap::detail::check_condition<order, decltype(tablemap::field<&order::open>)>());
static_assert(tablemap::detail::check_condition<either, decltype(tablemap::field<&refund::amount> > 3.0)>());
static_assert(tablemap::detail::check_condition<either, decltype(tablemap::field_of<either, &refund::amount> > 3.0)>());

tablemap::condition<tablemap::dynamic_entity> columns(std::string const& name) {
    using tablemap::column;
    return column(name) == 1 || column("Name") < name || column("On") != false || column("At") > tablemap::ticks{} ||
           (column("Real") < 2.5 && column("Wide") == std::int64_t{4} && starts_with(column("Name"), name));
}

}  // namespace shop

int main() {}
