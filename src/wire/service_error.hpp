// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The message of a service in the body of an error.
struct service_message {
    std::string code{};  ///< such as "EntityAlreadyExists"; empty if the body has none
    std::string text{};  ///< for people; may hold keys and values
};

/// Reads the body of an error in any form: `{"odata.error":…}`, XML with `m:error` or `Error` at its root, each with or
/// without a byte order mark; of any other body the beginning is kept as text. Empty members for an empty body.
service_message read_service_message(std::string_view body);

/// Reads the JSON form; nothing if the text is another one. The string may grow in capacity.
std::optional<service_message> read_json_error(std::string& json);

}  // namespace tablemap::detail
