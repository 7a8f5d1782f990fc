// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

/// The service's limits.
///
/// \par Source
/// The table service data model and `Table service limits` of the service's documentation; of queues `Put Message` and
/// `Get Messages`.
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

}  // namespace tablemap::limits
