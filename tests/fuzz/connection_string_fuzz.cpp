// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/rest/connection_string.hpp"

/// Input: a connection string. An endpoint that is read is written as a URL that reads as the same; errors tell nothing
/// of a key.
namespace tablemap::fuzz {
namespace {

constexpr std::string_view key = "bDlWQ4pXr5fEjWnOAWSPGcsH0q5ZcEe1PSnzHnCtYgA";

void check_endpoint(service_endpoint const& endpoint) {
    auto const text = "TableEndpoint=" + endpoint.url() + ";AccountName=abc;AccountKey=Zm9v";
    auto const again = parse_storage_account(text);
    require(again && again->endpoint == endpoint, "an endpoint that is written reads as the same");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(connection_string) {
    if (auto const account = parse_storage_account(input)) {
        check_endpoint(account->endpoint);
        if (account->secondary) check_endpoint(*account->secondary);
    }
    auto const with_key = parse_storage_account("AccountKey=" + std::string{key} + "=;" + std::string{input});
    if (!with_key)
        require(std::string_view{with_key.error().what()}.find(key) == std::string_view::npos, "an error tells no key");
    if (auto const embedded = parse_embedded(input)) require(!embedded->path.empty(), "an embedded store has a path");
}

}  // namespace tablemap::fuzz
