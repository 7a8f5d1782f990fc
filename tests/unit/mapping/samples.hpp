// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"
#include "tablemap/mapping/mapping.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// The structs that the tests of this folder store.
namespace tablemap::test {

/// One member of every type, behind keys that hold three more.
struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    bool active{};
    std::int32_t age{};
    std::int64_t salary{};
    double ratio{};
    ticks hired = ticks::min();
    guid badge{};
    bytes photo{};

    friend bool operator==(employee const&, employee const&) = default;
};

/// The same types, each of which may be missing.
struct maybe {
    std::string key{};
    std::optional<std::string> name{};
    std::optional<bool> active{};
    std::optional<std::int32_t> age{};
    std::optional<std::int64_t> salary{};
    std::optional<double> ratio{};
    std::optional<ticks> hired{};
    std::optional<guid> badge{};
    std::optional<bytes> photo{};

    friend bool operator==(maybe const&, maybe const&) = default;
};

/// Defaults that a missing column keeps.
struct with_defaults {
    std::string key{};
    std::string colour = "red";
    std::int32_t count = 7;
    std::optional<std::int32_t> limit = 9;
};

/// One member in both keys.
struct in_both_keys {
    std::string region{};
    std::int32_t number{};
    std::string text{};

    friend bool operator==(in_both_keys const&, in_both_keys const&) = default;
};

/// One text that is both keys.
struct twin_keys {
    std::string name{};
};

/// Nothing beside keys that never change.
struct singleton {
    std::string text{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::employee> {
    static constexpr auto partition_key = key(part<&test::employee::department>.may_be_empty());
    static constexpr auto row_key = key("empid_", part<&test::employee::id>.width(6));
};

template <> struct tablemap::mapping<tablemap::test::maybe> {
    static constexpr auto partition_key = key("all");
    static constexpr auto row_key = key(part<&test::maybe::key>.may_be_empty());
};

template <> struct tablemap::mapping<tablemap::test::with_defaults> {
    static constexpr auto partition_key = key("all");
    static constexpr auto row_key = key(part<&test::with_defaults::key>.may_be_empty());
};

template <> struct tablemap::mapping<tablemap::test::in_both_keys> {
    static constexpr auto partition_key = key(part<&test::in_both_keys::region>.may_be_empty());
    static constexpr auto row_key = key(part<&test::in_both_keys::region>, "_", part<&test::in_both_keys::number>);
};

template <> struct tablemap::mapping<tablemap::test::twin_keys> {
    static constexpr auto partition_key = key(part<&test::twin_keys::name>);
    static constexpr auto row_key = key(part<&test::twin_keys::name>);
};

template <> struct tablemap::mapping<tablemap::test::singleton> {
    static constexpr auto partition_key = key("settings");
    static constexpr auto row_key = key("");
};
