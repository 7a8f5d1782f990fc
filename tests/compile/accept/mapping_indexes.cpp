// SPDX-License-Identifier: Apache-2.0
#include <tablemap/table/async_table.hpp>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

enum class grade : std::uint8_t { junior, senior };
template <> inline constexpr auto tablemap::enumeration<grade> = tablemap::by_number<grade::junior, grade::senior>;

struct employee {
    std::string department{};
    std::int32_t id{};
    std::optional<std::string> email{};
    std::optional<std::int64_t> badge{};
    std::string name{};
    grade rank{};
    double score{};
    tablemap::ticks hired = tablemap::ticks::min();
    std::optional<tablemap::guid> device{};
    tablemap::encrypted<std::string> iban{};
    bool active{};
    int age() const { return 30; }
};

struct office {
    std::string department{};
    std::string city{};
};

struct plain {
    std::string department{};
    std::string name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key("d_", tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
    static constexpr auto discriminator = tablemap::discriminator("Type", "employee");
    static constexpr auto indexes = tablemap::indexes(
        tablemap::unique_index<"by_email">(tablemap::key("email_", tablemap::part<&employee::email>)),
        tablemap::unique_index<"by_badge">(tablemap::key("badge_", tablemap::part<&employee::badge>.width(8)))
            .include<&employee::name, &employee::iban>(),
        tablemap::unique_index<"by_device">(tablemap::key("device_", tablemap::part<&employee::device>)).include<>(),
        tablemap::unique_index<"head">(tablemap::key("head")).where([](employee const& e) { return e.score > 9; }),
        tablemap::index<"by_name">(tablemap::key("name_", tablemap::part<&employee::name>.escaped()))
            .where(&employee::active),
        tablemap::index<"by_rank">(tablemap::key("rank_", tablemap::part<&employee::rank>.descending(), "_",
                                                 tablemap::part<&employee::score>.ordered())),
        tablemap::index<"by_day">(tablemap::key("day_", tablemap::part<&employee::hired>.descending())),
        tablemap::index<"by_hash">(tablemap::key("hash_", tablemap::part<&employee::name>.hashed())),
        tablemap::index<"active">(tablemap::key("active")).include<>().where(&employee::active));
};

template <> struct tablemap::mapping<office> {
    static constexpr auto partition_key = tablemap::key("d_", tablemap::part<&office::department>);
    static constexpr auto row_key = tablemap::key("office");
    static constexpr auto discriminator = tablemap::discriminator("Type", "office");
    static constexpr auto indexes =
        tablemap::indexes(tablemap::index<"by_city">(tablemap::key("city_", tablemap::part<&office::city>.escaped())));
};

template <> struct tablemap::mapping<plain> {
    static constexpr auto partition_key = tablemap::key("d_", tablemap::part<&plain::department>);
    static constexpr auto row_key = tablemap::key("plain_", tablemap::part<&plain::name>);
    static constexpr auto discriminator = tablemap::discriminator("Type", "plain");
};

using anything = std::variant<employee, office, plain>;

void use(tablemap::table<employee> const& t, tablemap::table<anything> const& all,
         tablemap::async_table<employee> const&) {
    auto e = t.insert({});
    t.merge(e, tablemap::only<&employee::active>);
    t.modify({"Sales", 1}, [](employee& x) { x.badge = 7; });
    all.upsert_replace(anything{office{}});
    all.erase_any(tablemap::key_of<office>{"Sales"});
}

int main() {}
