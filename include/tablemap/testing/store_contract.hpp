// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/store.hpp"

#include <cstdint>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

/// The contract of stores as GoogleTest cases, for your own stores. Link `tablemap::store_contract` and
/// GTest::gtest_main.
namespace tablemap::inline v0_1::testing {

/// A known deviation of a store from the contract. Its cases are skipped, with this reason.
enum class deviation : std::uint8_t {
    no_access_policies,     ///< answers `library_errc::unsupported` to the requests for them
    no_service_properties,  ///< the same for the properties of the service
    no_queues,              ///< the same for all requests of queues
    no_blobs,               ///< the same for all requests of blobs

    etags_hold_no_time,          ///< so that they do not tell which of two is later
    accepts_any_property_name,   ///< also one that is no identifier, or too long
    accepts_any_property_count,  ///< more than 252 in one entity
    accepts_any_value_text,      ///< does not read the text of Int64, Guid, DateTime and Binary
    accepts_any_body_key,        ///< does not compare the keys in the body with those of the request
    accepts_any_etag_text,
    accepts_any_continuation,      ///< also one that no page gave
    keeps_last_duplicate,          ///< of a property that comes twice in one body
    counts_bytes_of_body,          ///< for the size of an entity
    counts_strings_in_bytes,       ///< and not in UTF-16 code units
    omits_property_of_error,       ///< errors do not tell the property
    compares_table_names_by_case,  ///< and lists them in the order of their code units
    invents_digits_of_time,        ///< below the millisecond, so that timestamps may step back
    loses_negative_zero,
    compares_text_of_values,        ///< orders guids and binaries by their JSON text
    compares_milliseconds,          ///< of times
    compares_within_integer_type,   ///< an Int32 in a filter does not match an Int64, or matches text
    misreads_keys_in_transactions,  ///< finds keys by patterns, and fails on `',`, `RowKey='` and U+2028 in them
    requires_cors_headers,          ///< refuses a CORS rule without headers
    keeps_staged_blocks,            ///< of a blob that is put as a whole: they can still be committed
    requires_every_term_of_policy,  ///< refuses an access policy without start, expiry or permissions
};

/// The name of the enumerator.
std::string_view name_of(deviation d) noexcept;

/// A kind of store and the function that makes one.
struct store_under_test {
    std::string name;  ///< letters, digits and underscores: a part of the names of the cases
    std::function<store_ptr()>
        make;  ///< called for each case. Its tables must be used by nobody else; null: skip the cases
    std::set<deviation> deviations{};
    std::string requirement{};  ///< why `make` returns null: "a server on port 8080"

    friend void PrintTo(store_under_test const& s, std::ostream* out) { *out << s.name; }
};

/// Adds all cases of the contract for this store: each one by `execute`, as `seam_pages.a_case/name`, and by
/// `async_execute`, as `seam_pages.a_case/name_async`.
///
///     bool const registered = tablemap::testing::register_store_contract(
///         {.name = "map_store", .make = [] { return std::make_shared<map_store>(); }});
///
/// \pre `testing::InitGoogleTest` has not been called yet
/// \return true, so that it can initialise a variable at namespace scope
/// \throws std::invalid_argument for a name that GoogleTest does not take, for a name that was registered before, and
/// for an empty `make`
bool register_store_contract(store_under_test s);

}  // namespace tablemap::testing
