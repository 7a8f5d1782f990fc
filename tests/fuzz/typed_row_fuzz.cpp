// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/extras.hpp"
#include "tablemap/mapping/variant.hpp"

#include <map>
#include <optional>

/// Input: a page or an entity, read into structs with a member of every kind. What is read and written is read again as
/// the same.
namespace tablemap::fuzz {
namespace {

struct address {
    std::string street{};
    std::optional<std::int32_t> number{};
};

struct person {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    bool active{};
    std::int16_t age{};
    std::int64_t salary{};
    ticks hired = ticks::min();
    guid badge{};
    std::optional<bytes> photo{};
    std::optional<std::string> note{};
    std::optional<address> home{};
    std::map<std::string, std::int32_t> scores{};
    std::vector<std::int32_t> marks{};
    extras more{};
};

struct note {
    std::string key{};
    std::string text{};
};

struct task {
    std::string key{};
    std::int32_t text{};
};

}  // namespace
}  // namespace tablemap::fuzz

template <> struct tablemap::mapping<tablemap::fuzz::person> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&fuzz::person::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&fuzz::person::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&fuzz::person::home>.flattened(),
                                                      tablemap::member<&fuzz::person::scores>.prefixed(),
                                                      tablemap::member<&fuzz::person::marks>.as_json());
};
template <> struct tablemap::mapping<tablemap::fuzz::note> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&fuzz::note::key>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "note");
};
template <> struct tablemap::mapping<tablemap::fuzz::task> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&fuzz::task::key>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "task");
    static constexpr auto versions = tablemap::versions<2>(
        tablemap::upgrade_from<1>([](tablemap::dynamic_entity& row) { row.set("text", std::int32_t{1}); }));
};

namespace tablemap::fuzz {
namespace {

template <class T> void check_round_trip(T const& value) {
    detail::encoded_entity written;
    if (!encode(value, written)) return;  // a store may hold values that the service refuses
    entity<T> again;
    require(detail::decode_into(written.body, again).has_value(), "what is written is read");
    detail::encoded_entity once_more;
    require(encode(again.value, once_more).has_value(), "what was read from what was written is written");
    require(written.partition_key == once_more.partition_key && written.row_key == once_more.row_key,
            "the keys stay what they were");
    require(written.body == once_more.body, "the body stays what it was");
}

template <class T> void read_as(std::string_view input) {
    std::string json{input};
    entity<T> one;
    if (detail::decode_into(json, one)) check_round_trip(one.value);
    json = input;
    std::vector<entity<T>> rows;
    std::vector<detail::bad_row_at> bad;
    if (auto const count = detail::decode_page(json, rows, bad))
        require(rows.size() + bad.size() <= *count, "no row is counted twice");
    for (auto const& row : rows) check_round_trip(row.value);
}

}  // namespace

TABLEMAP_FUZZ_TARGET(typed_row) {
    read_as<person>(input);
    read_as<std::variant<note, task>>(input);
}

}  // namespace tablemap::fuzz
