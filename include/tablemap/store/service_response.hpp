// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/access_policy.hpp"
#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/blob_properties.hpp"
#include "tablemap/store/queue_message.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

/// A response of a store about its tables, their access or the service itself, or of a queue or a container. Only the
/// requested members are set.
struct service_response {
    std::vector<std::string> tables{};        ///< list_tables
    std::optional<std::string> next_table{};  ///< list_tables: set while there may be more
    std::vector<access_policy> policies{};    ///< get_access_policies
    service_properties properties{};          ///< get_service_properties
    service_statistics statistics{};          ///< get_service_statistics

    bool created = false;                   ///< create_queue: false if the queue was there already
    std::vector<queue_message> messages{};  ///< get_messages, peek_messages; put_message, update_message: one
    std::size_t message_count = 0;          ///< count_messages: approximate

    blob_properties blob{};                  ///< get_blob, head_blob: of the whole blob; append_block: its new size
    std::vector<blob_properties> blobs{};    ///< list_blobs
    std::optional<std::string> next_blob{};  ///< list_blobs: set while there may be more
};

}  // namespace tablemap
