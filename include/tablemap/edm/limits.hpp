// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

/// The service's limits.
///
/// \par Source
/// The table service data model, `Table service limits` and `Scalability and performance targets for Blob storage` of
/// the service's documentation; of queues `Put Message` and `Get Messages`.
namespace tablemap::inline v0_1::limits {

inline constexpr std::size_t properties = 252;              ///< of the user, beside the three system properties
inline constexpr std::size_t entity_bytes = 1024 * 1024;    ///< by the service's size formula, see `entity_size`
inline constexpr std::size_t string_units = 32 * 1024;      ///< UTF-16 code units of one Edm.String
inline constexpr std::size_t binary_bytes = 64 * 1024;      ///< bytes of one Edm.Binary
inline constexpr std::size_t key_units = 512;               ///< UTF-16 code units of a partition key or row key
inline constexpr std::size_t property_name_units = 255;     ///< UTF-16 code units of a property name
inline constexpr std::size_t table_name_min = 3;            ///< characters
inline constexpr std::size_t table_name_max = 63;           ///< characters
inline constexpr std::size_t resource_name_min = 3;         ///< characters of a queue's or container's name
inline constexpr std::size_t resource_name_max = 63;        ///< characters
inline constexpr std::size_t message_bytes = 64 * 1024;     ///< of a message's text in UTF-8, without escapes of XML
inline constexpr std::size_t messages_at_once = 32;         ///< of one request that gets or peeks
inline constexpr std::size_t transaction_operations = 100;  ///< of one group transaction
inline constexpr std::size_t transaction_bytes = 4 * 1024 * 1024;
inline constexpr std::size_t page_entities = 1000;
inline constexpr std::size_t access_policies = 5;       ///< of one table
inline constexpr std::size_t access_policy_id = 64;     ///< UTF-16 code units
inline constexpr std::size_t cors_rules = 5;            ///< of one account
inline constexpr std::size_t retention_days_max = 365;  ///< of logs and metrics
inline constexpr std::chrono::seconds message_hidden_max = std::chrono::hours{7 * 24};
inline constexpr std::chrono::seconds message_life_max{2'147'483'647};

inline constexpr std::size_t blob_name_units = 1024;    ///< UTF-16 code units of a blob's name
inline constexpr std::size_t blob_name_segments = 254;  ///< parts of a blob's name between slashes

/// Bytes of one block, and of a blob that is written or read by one request. The service takes larger ones, for which
/// this library's transports have no room.
inline constexpr std::size_t block_bytes = 64 * 1024 * 1024;
inline constexpr std::size_t appended_bytes = 4 * 1024 * 1024;  ///< of one append
inline constexpr std::size_t blocks = 50'000;                   ///< of one blob
inline constexpr std::size_t block_id_bytes = 64;
inline constexpr std::size_t page_blobs = 5000;
inline constexpr std::size_t content_type_bytes = 256;

}  // namespace tablemap::limits
