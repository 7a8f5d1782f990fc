// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "crypto/sealed_value.hpp"

/// Input: bytes that a store gives for an encrypted value, or `+`, and changes to a real one: pairs of a position and
/// the number to add there. Nothing opens that was not sealed under the key.
namespace tablemap::fuzz {
namespace {

constexpr detail::sealed_place home{"T", "p", "r", "x"};

struct sealing_keys {
    key_ring ring;
    bytes sealed;

    sealing_keys() {
        ring.add_current("2026", bytes(32, std::byte{2}));
        sealed = *detail::seal(*ring.current(), home, 1, std::as_bytes(std::span{std::string_view{"75,000 a year"}}));
    }
};

sealing_keys const& own() {
    static sealing_keys const made;
    return made;
}

bytes changed(std::string_view changes) {
    auto value = own().sealed;
    for (; changes.size() >= 2; changes.remove_prefix(2)) {
        auto& b = value[static_cast<unsigned char>(changes[0]) % value.size()];
        b = static_cast<std::byte>(std::to_integer<unsigned>(b) + static_cast<unsigned char>(changes[1]));
    }
    return value;
}

}  // namespace

TABLEMAP_FUZZ_TARGET(sealed_value) {
    bool const from_real = input.starts_with('+');
    auto const given = std::as_bytes(std::span{input});
    auto const value = from_real ? changed(input.substr(1)) : bytes{given.begin(), given.end()};
    auto const opened = detail::open_sealed(own().ring, home, value);
    require(opened.has_value() == (value == own().sealed), "only what was sealed opens");
    require(!opened || opened->type == 1, "it opens as what it was");
    auto const id = detail::key_id_of(value);
    require(id.size() <= 64 && (id.empty() || detail::is_sealed(property_value{value})),
            "a value that names a key is an encrypted one");
}

}  // namespace tablemap::fuzz
