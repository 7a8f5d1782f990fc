// SPDX-License-Identifier: Apache-2.0
// Accessors of a temporary return values, which outlive it: no reference and no view into it.
#include <tablemap/async.hpp>
#include <tablemap/crypto/encryption_key.hpp>
#include <tablemap/mapping/converters/decimal.hpp>
#include <tablemap/mapping/converters/json_document.hpp>
#include <tablemap/mapping/converters/url.hpp>
#include <tablemap/mapping/encrypted.hpp>
#include <tablemap/mapping/series.hpp>
#include <tablemap/patterns/async_one_to_one.hpp>
#include <tablemap/patterns/async_relation.hpp>
#include <tablemap/patterns/async_table_with_copies.hpp>
#include <tablemap/patterns/one_to_one.hpp>
#include <tablemap/patterns/relation.hpp>
#include <tablemap/patterns/table_with_copies.hpp>
#include <tablemap/tablemap.hpp>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tmap = tablemap;

struct order {
    std::string customer{};
    std::int32_t number{};
};

struct item {
    std::string customer{};
    std::int32_t number{};
    std::int32_t line{};
};

template <> struct tmap::mapping<order> {
    static constexpr auto partition_key = tmap::key(tmap::part<&order::customer>);
    static constexpr auto row_key = tmap::key("order");
    static constexpr auto indexes =
        tmap::indexes(tmap::unique_index<"by_number">(tmap::key("n_", tmap::part<&order::number>.width(6))));
};

template <> struct tmap::mapping<item> {
    static constexpr auto partition_key = tmap::key(tmap::part<&item::customer>);
    static constexpr auto row_key =
        tmap::key("item_", tmap::part<&item::number>.width(6), "_", tmap::part<&item::line>.width(3));
};

template <class T> T a();

// rows
static_assert(std::is_same_v<decltype(a<tmap::dynamic_entity>().properties()), tmap::property_list>);
static_assert(std::is_same_v<decltype(a<tmap::dynamic_entity&>().properties()), tmap::property_list>);
static_assert(std::is_same_v<decltype(a<tmap::dynamic_entity>().find("x")), std::optional<tmap::property_value>>);
static_assert(std::is_same_v<decltype(a<tmap::dynamic_entity>().try_get<bool>("x")), std::optional<bool>>);
static_assert(std::is_same_v<decltype(a<tmap::dynamic_entity&>().find("x")), tmap::property_value const*>);
static_assert(std::is_same_v<decltype(a<tmap::property_list>()[0]), tmap::property>);
static_assert(std::is_same_v<decltype(a<tmap::property_list>().front()), tmap::property>);

// values of members
static_assert(std::is_same_v<decltype(a<tmap::etag>().text()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::etag&>().text()), std::string const&>);
static_assert(std::is_same_v<decltype(a<tmap::guid>().bytes()), std::array<std::uint8_t, 16>>);
static_assert(std::is_same_v<decltype(a<tmap::url>().text()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::decimal>().text()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::json_document>().text()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::encrypted<std::string>>().value()), std::string>);
static_assert(std::is_same_v<decltype(*a<tmap::encrypted<std::string>>()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::series<int, 3>>()[0]), std::optional<int>>);
static_assert(std::is_same_v<decltype(a<tmap::series<int, 3>>().at(0)), std::optional<int>>);
static_assert(std::is_same_v<decltype(a<tmap::encryption_key>().id()), std::string>);

// keys
static_assert(std::is_same_v<decltype(a<tmap::key_of<order>>().values()), std::tuple<std::string>>);
static_assert(std::is_same_v<decltype(a<tmap::key_of<order>>().get<&order::customer>()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::index_key<order, "by_number">>().get<&order::customer>()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::key_of<tmap::dynamic_entity>>().row_key()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::key_of<tmap::dynamic_entity>>().partition_key()), std::string>);
static_assert(!std::is_reference_v<decltype(a<tmap::key_of<std::variant<order, item>>>().value())>);

// errors
static_assert(std::is_same_v<decltype(a<tmap::error>().table()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::error>().member()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::error>().server_text()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::error>().failed_action()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::error>().failed_key()), std::optional<tmap::entity_key>>);
static_assert(std::is_same_v<decltype(a<tmap::error>().faults()), std::vector<tmap::property_fault>>);
static_assert(std::is_same_v<decltype(a<tmap::error>().details()), tmap::error_details>);
static_assert(std::is_same_v<decltype(a<tmap::result<int>>().error().faults()), std::vector<tmap::property_fault>>);

// conditions
static_assert(!std::is_reference_v<decltype(a<tmap::condition<order>>().expression())>);
static_assert(!std::is_reference_v<decltype(a<tmap::condition<order>>().try_expression())>);

// tables, transactions, families
static_assert(std::is_same_v<decltype(a<tmap::table<order>>().name()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::async_table<order>>().name()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::relation<order, item>>().name()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::async_relation<order, item>>().name()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::transaction>().table()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::transaction>().partition_key()), std::string>);
static_assert(std::is_same_v<decltype(a<tmap::family<order, item>>().children()), std::vector<tmap::entity<item>>>);
static_assert(!std::is_reference_v<decltype(a<tmap::rate_limiter>().limits())>);

int main() {}
