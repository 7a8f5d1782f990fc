// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/crypto/legacy_keys.hpp"
#include "tablemap/detail/mapping/legacy_encryption.hpp"

/// Input: the three texts of a row that an older client encrypted, a line each: the metadata in JSON, the list of
/// properties in base64, a property in base64. What opens is text, and all else is one of the errors that say nothing
/// of the row.
namespace tablemap::fuzz {
namespace {

legacy_keys const& keys() {
    static auto const made = [] {
        bytes key(32);
        for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
        legacy_keys all;
        all.add("local:key1", key);
        return all;
    }();
    return made;
}

bytes bytes_of(std::string_view base64) {
    bytes out;
    return detail::parse_base64(base64, out) ? out : bytes{};
}

}  // namespace

TABLEMAP_FUZZ_TARGET(legacy_row) {
    auto const metadata = take_line(input);
    auto const list = bytes_of(take_line(input));
    auto const value = bytes_of(take_line(input));
    detail::legacy_row const row{"part-1", "row-1", metadata, list,
                                 [&](std::string_view) { return std::optional{value}; }};
    auto const opened = detail::open_legacy_row(keys(), row);
    if (!opened)
        return require(opened.error().code() == library_errc::unreadable_legacy_row ||
                           opened.error().code() == library_errc::unknown_encryption_key,
                       "a row is refused as such");
    for (auto const& v : *opened)
        require(v.text.size() <= value.size(), "a text is no longer than what it was encrypted in");
}

}  // namespace tablemap::fuzz
