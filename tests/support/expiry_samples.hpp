// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/expiry_sweeper.hpp"
#include "tablemap/patterns/index_relay.hpp"
#include "tablemap/patterns/unexpired_table.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Types of tests of entities that expire.
namespace tablemap::test {

/// With an index in the partition, and one of expiry times by the hour.
struct session {
    std::string user{};
    std::int32_t id{};
    std::string device{};
    ticks until{};

    friend bool operator==(session const&, session const&) = default;
};

/// Of which some never expire; by the day.
struct coupon {
    std::string shop{};
    std::string code{};
    std::optional<std::chrono::sys_seconds> until{};
};

inline constexpr char const* session_expiry = "SessionExpiry";
inline constexpr char const* coupon_expiry = "CouponExpiry";

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::session> {
    static constexpr auto partition_key = key(part<&test::session::user>);
    static constexpr auto row_key = key("session_", part<&test::session::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(index<"by_device">(key("device_", part<&test::session::device>.escaped())).include<>(),
                          expiry_in<"SessionExpiry">(part<&test::session::until>, spread<4>(part<&test::session::id>)));
};
template <> struct tablemap::mapping<tablemap::test::coupon> {
    static constexpr auto partition_key = key(part<&test::coupon::shop>);
    static constexpr auto row_key = key("coupon_", part<&test::coupon::code>);
    static constexpr auto indexes = tablemap::indexes(
        expiry_in<"CouponExpiry">(part<&test::coupon::until>, spread<2>(part<&test::coupon::code>), expiry_per::day));
};

namespace tablemap::test {

/// A time of 2014-07-31, so many minutes after noon.
inline ticks noon_and(int minutes) {
    using namespace std::chrono;
    return ticks{sys_days{year{2014} / 7 / 31} + hours{12} + std::chrono::minutes{minutes}};
}

/// Options that take this as the present time.
inline expiry_options at_noon_and(int minutes, std::size_t page_size = 100) {
    return {.page_size = page_size, .now = [minutes] { return noon_and(minutes); }};
}

inline std::size_t rows_in(store_ptr const& s, std::string const& table_name) {
    return table<dynamic_entity>{s, table_name}.scan().count();
}

/// The intents of sessions that no relay has carried out.
inline std::size_t intents_in(store_ptr const& s) {
    std::size_t intents = 0;
    for (auto q = table<dynamic_entity>{s, "Sessions"}.scan(); auto const& e : q)
        intents += e.value.row_key.starts_with("~index_") ? 1U : 0U;
    return intents;
}

}  // namespace tablemap::test
