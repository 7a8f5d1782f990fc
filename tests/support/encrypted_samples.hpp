// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/table/table.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Rows with encrypted members, and keys for them.
namespace tablemap::test {

enum class grade : std::uint8_t { junior, senior };

struct residence {
    encrypted<std::string> street{};
    std::string city{};

    friend bool operator==(residence const&, residence const&) = default;
};

struct patient {
    std::string ward{};
    std::int32_t id{};
    std::string name{};
    encrypted<std::string> diagnosis{};
    std::optional<encrypted<std::string>> insurance{};
    encrypted<std::int32_t> age{};

    friend bool operator==(patient const&, patient const&) = default;
};

/// An encrypted member of every type, in every form.
struct vault {
    std::string name{};
    encrypted<std::string> text{};
    encrypted<bool> flag{};
    encrypted<std::int32_t> small{};
    encrypted<std::int64_t> large{};
    encrypted<double> real{};
    encrypted<ticks> when{ticks::min()};
    encrypted<guid> id{};
    encrypted<bytes> data{};
    encrypted<std::uint16_t> narrow{};
    encrypted<grade> rank{};
    encrypted<std::chrono::sys_days> day{std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}};
    std::optional<encrypted<std::int64_t>> maybe{};
    std::array<encrypted<std::int32_t>, 2> codes{};
    series<encrypted<std::int32_t>, 12> pins{};
    std::map<std::string, encrypted<std::string>> notes{};
    residence home{};

    friend bool operator==(vault const&, vault const&) = default;
};

inline bytes key_bytes(int filler) { return bytes(32, static_cast<std::byte>(filler)); }

/// A ring with the key "a", current, or with all of some.
inline std::shared_ptr<key_ring> ring_of(std::string_view ids = "a") {
    auto ring = std::make_shared<key_ring>();
    for (char const id : ids) ring->add(std::string_view{&id, 1}, key_bytes(id));
    ring->use(ids.substr(0, 1));
    return ring;
}

}  // namespace tablemap::test

template <>
inline constexpr auto tablemap::enumeration<tablemap::test::grade> =
    tablemap::by_name<tablemap::test::grade::junior, tablemap::test::grade::senior>;

template <> struct tablemap::mapping<tablemap::test::patient> {
    static constexpr auto partition_key = key(part<&test::patient::ward>);
    static constexpr auto row_key = key(part<&test::patient::id>.width(4));
    static constexpr auto members = tablemap::members(member<&test::patient::insurance>.blind_index());
};

template <> struct tablemap::mapping<tablemap::test::vault> {
    static constexpr auto partition_key = key("vaults");
    static constexpr auto row_key = key(part<&test::vault::name>);
    static constexpr auto members =
        tablemap::members(member<&test::vault::codes>.numbered(), member<&test::vault::notes>.prefixed(),
                          member<&test::vault::home>.flattened());
};
