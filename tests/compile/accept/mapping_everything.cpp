// SPDX-License-Identifier: Apache-2.0
// Every form that a mapping can have, used through every call that a table takes it in.
#include <tablemap/table/table.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace firm {

enum class level { junior, senior };
enum class state : std::uint8_t { off, on };
enum class code : std::int16_t {};
enum class colour { red, green };

struct money {
    std::int64_t cents{};
};

struct place {
    double latitude{};
    double longitude{};
};

struct address {
    std::string city{};
    std::optional<std::string> zip{};
    place where{};
    std::map<std::string, bool> notes{};
};

struct document {
    std::vector<std::string> lines{};
    std::optional<place> where{};
};

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string first{};
    std::string last{};
    std::string email{};
    std::shared_ptr<int> scratch{};
    std::int8_t grade{};
    std::uint16_t room{};
    std::uint32_t badge{};
    std::uint64_t steps{};
    long long balance{};
    level rank{};
    std::optional<level> former{};
    state now{};
    code number{};
    colour shirt{};
    money pay{};
    std::optional<money> bonus{};
    std::chrono::sys_days born{};
    std::chrono::sys_seconds hired{};
    std::optional<std::chrono::sys_time<std::chrono::microseconds>> left{};
    address home{};
    std::optional<address> work{};
    std::array<std::int32_t, 24> hours{};
    std::array<std::optional<money>, 2> raises{};
    std::map<std::string, std::string> tags{};
    std::unordered_map<std::string, money> budgets{};
    document cv{};
    std::optional<document> letter{};
    tablemap::extras more{};
};

struct department {
    std::string name{};
    std::string manager{};
};

struct product {
    std::string name{};
    double price{};
};

struct invoice {
    std::string number{};
    double total{};
};

inline void rename_mail(tablemap::dynamic_entity& row) { row.erase("mail"); }

}  // namespace firm

template <>
inline constexpr auto tablemap::enumeration<firm::level> =
    tablemap::by_name<firm::level::junior, firm::level::senior>.named<firm::level::junior>("Jr");
template <>
inline constexpr auto tablemap::enumeration<firm::state> = tablemap::by_number<firm::state::off, firm::state::on>;
template <> inline constexpr auto tablemap::enumeration<firm::code> = tablemap::by_number<>;

template <> struct tablemap::converter<firm::colour> {
    using stored = std::string;
    static stored to_property(firm::colour c) { return c == firm::colour::red ? "#f00" : "#0f0"; }
    static firm::colour from_property(stored const& text) {
        return text == "#f00" ? firm::colour::red : firm::colour::green;
    }
};

template <> struct tablemap::converter<firm::money> {
    using stored = std::int64_t;
    static stored to_property(firm::money const& m) { return m.cents; }
    static tablemap::result<firm::money> from_property(stored const& cents) { return firm::money{cents}; }
};

template <> struct tablemap::mapping<firm::address> {
    static constexpr auto members = tablemap::members(tablemap::member<&firm::address::city>.required(),
                                                      tablemap::member<&firm::address::where>.flattened().named("at"),
                                                      tablemap::member<&firm::address::notes>.prefixed());
};

template <> struct tablemap::mapping<firm::employee> {
    using T = firm::employee;
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "employee");
    static constexpr auto versions = tablemap::versions<3>(
        tablemap::upgrade_from<1>(&firm::rename_mail),
        tablemap::upgrade_from<2>([](tablemap::dynamic_entity& row) { row.set("grade", std::int32_t{1}); }));
    static constexpr auto partition_key = tablemap::key(tablemap::part<&T::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&T::id>.width(6));
    static constexpr auto members = tablemap::members(
        tablemap::member<&T::first>.named("FirstName"), tablemap::member<&T::email>.required().named("EMail"),
        tablemap::member<&T::scratch>.ignored(), tablemap::member<&T::home>.flattened(),
        tablemap::member<&T::work>.flattened().named("Work"), tablemap::member<&T::hours>.numbered().required(),
        tablemap::member<&T::raises>.numbered(), tablemap::member<&T::tags>.prefixed(),
        tablemap::member<&T::budgets>.prefixed().named("budget"), tablemap::member<&T::cv>.as_json().required(),
        tablemap::member<&T::letter>.as_json(),
        tablemap::computed("FullName", [](T const& e) { return e.first + " " + e.last; }),
        tablemap::computed("Rich", [](T const& e) -> std::optional<bool> { return e.balance > 0; }));
    static constexpr auto unknown_columns = tablemap::unknown_columns::ignored;
};

template <> struct tablemap::mapping<firm::department> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "department");
    static constexpr auto partition_key = tablemap::key(tablemap::part<&firm::department::name>);
    static constexpr auto row_key = tablemap::key("department");
    static constexpr auto unknown_columns = tablemap::unknown_columns::refused;
};

template <> struct tablemap::mapping<firm::product> {
    static constexpr auto partition_key = tablemap::key("all");
    static constexpr auto row_key = tablemap::key("PRODUCT_", tablemap::part<&firm::product::name>);
};

template <> struct tablemap::mapping<firm::invoice> {
    static constexpr auto partition_key = tablemap::key("all");
    static constexpr auto row_key = tablemap::key("INVOICE_", tablemap::part<&firm::invoice::number>);
};

using staff = std::variant<firm::employee, firm::department>;
using paper = std::variant<firm::product, firm::invoice>;

void use(tablemap::table<firm::employee>& t, tablemap::entity<firm::employee>& e) {
    t.insert(e.value);
    t.merge(e, tablemap::only<&firm::employee::home, &firm::employee::hours, &firm::employee::more>);
    t.find("Sales", 212);
    t.query(tablemap::partition("Sales"));
    tablemap::result<tablemap::dynamic_entity> const row = tablemap::to_dynamic(e.value);
    tablemap::result<firm::employee> const back = tablemap::from_dynamic<firm::employee>(*row);
}

void use(tablemap::table<staff>& t, tablemap::table<paper>& p, tablemap::dynamic_entity const& row) {
    t.insert(firm::department{.name = "Sales"});
    t.find(tablemap::key_of<firm::employee>{"Sales", 212});
    p.insert(firm::invoice{.number = "1"});
    tablemap::result<paper> const read = tablemap::from_dynamic<paper>(row);
    tablemap::result<tablemap::dynamic_entity> const made = tablemap::to_dynamic(*read);
}

void use(tablemap::table<tablemap::dynamic_entity>& t, tablemap::entity<tablemap::dynamic_entity>& e) {
    t.insert(e.value);
    t.merge(e, tablemap::only_properties{"Age"});
    t.find("Sales", "empid_000212");
}

int main() {}
