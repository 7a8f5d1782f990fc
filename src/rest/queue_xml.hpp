// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/queue_message.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The bodies of requests and responses of queues.
namespace tablemap::inline v0_1::detail {

/// The request whose response holds messages: it decides what each of them must have.
enum class source_of_messages : std::uint8_t { put, get, peek };

/// A message as it is sent. A carriage return goes as a character reference: readers of XML change others to line
/// feeds. Precondition: `fits_xml(text)`.
std::string write_queue_message(std::string_view text);

/// Reads a list of messages, which may begin with a byte order mark. Texts are returned as they came.
///
/// Errors: `library_errc::malformed_response` for more messages than `most`, and for one without id, times, and the
/// receipt or the count that such a response has.
result<std::vector<queue_message>> read_queue_messages(std::string_view xml, source_of_messages from, std::size_t most);

}  // namespace tablemap::detail
