// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/patterns/rolling_table.hpp>
#include <tablemap/tablemap.hpp>

#include <string>

/// A sign-in of an employee, kept for 30 days in the table of its day.
struct sign_in {
    std::string employee{};
    tablemap::ticks at{};
    std::string device{};
    bool success{};
};

/// The session of an employee on a device. It ends half an hour after it was used last.
struct session {
    std::string employee{};
    std::string device{};
    tablemap::ticks until{};
};

template <> struct tablemap::mapping<sign_in> {
    static constexpr auto partition_key = key(part<&sign_in::employee>);
    static constexpr auto row_key = key("in_", part<&sign_in::at>, "_", part<&sign_in::device>);
};

template <> struct tablemap::mapping<session> {
    static constexpr auto partition_key = key(part<&session::employee>);
    static constexpr auto row_key = key("session_", part<&session::device>);
    static constexpr auto indexes =
        tablemap::indexes(expiry_in<"SessionExpiry">(part<&session::until>, spread<16>(part<&session::employee>)));
};

using daily_sign_ins = tablemap::rolling_table<sign_in, &sign_in::at, tablemap::table_per::day>;
