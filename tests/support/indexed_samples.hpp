// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/tablemap.hpp"

#include <cstdint>
#include <string>

/// A type with indexes of every kind.
namespace tablemap::test {

struct worker {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::string email{};
    std::int32_t age{};
    double salary{};
    bool active{};

    friend bool operator==(worker const&, worker const&) = default;
};

/// The same without indexes: what an older program knows.
struct plain_worker {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::string email{};
    std::int32_t age{};
    double salary{};
    bool active{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::worker> {
    using t = tablemap::test::worker;
    static constexpr auto partition_key = key(part<&t::department>);
    static constexpr auto row_key = key("id_", part<&t::id>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_email">(key("email_", part<&t::email>)),
        index<"by_name">(key("name_", part<&t::name>.escaped())),
        index<"active">(key("active_", part<&t::age>.width(3))).include<&t::name>().where(&t::active));
};

template <> struct tablemap::mapping<tablemap::test::plain_worker> {
    using t = tablemap::test::plain_worker;
    static constexpr auto partition_key = key(part<&t::department>);
    static constexpr auto row_key = key("id_", part<&t::id>.width(6));
};
