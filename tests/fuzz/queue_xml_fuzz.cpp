// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "rest/queue_xml.hpp"
#include "tablemap/detail/base/utf.hpp"

/// Input: a list of messages, and a text. No more messages come than were asked for, each with its id and, where it
/// must have one, its receipt. A text that may be sent is read as it was written.
namespace tablemap::fuzz {
namespace {

constexpr std::size_t most = 32;

void read(std::string_view input, detail::source_of_messages from) {
    auto const messages = detail::read_queue_messages(input, from, most);
    if (!messages) return;
    require(messages->size() <= most, "no more messages come than were asked for");
    for (auto const& m : *messages) {
        require(!m.id.empty(), "a message has an id");
        require(m.receipt.empty() == (from == detail::source_of_messages::peek), "a message has its receipt");
    }
}

std::string listed(std::string const& message) {
    constexpr std::string_view head = "<MessageText>";
    constexpr std::string_view fields =
        "<MessageId>i</MessageId><InsertionTime>Fri, 20 Nov 2026 00:00:00 GMT</InsertionTime>"
        "<ExpirationTime>Fri, 20 Nov 2026 00:00:00 GMT</ExpirationTime><DequeueCount>0</DequeueCount>";
    auto whole = message.substr(message.find("<QueueMessage>"));
    whole.insert(whole.find(head), fields);
    return "<QueueMessagesList>" + whole + "</QueueMessagesList>";
}

}  // namespace

TABLEMAP_FUZZ_TARGET(queue_xml) {
    for (auto const from :
         {detail::source_of_messages::put, detail::source_of_messages::get, detail::source_of_messages::peek})
        read(input, from);
    if (!detail::fits_xml(input)) return;
    auto const again =
        detail::read_queue_messages(listed(detail::write_queue_message(input)), detail::source_of_messages::peek, 1);
    require(again && again->size() == 1 && again->front().text == input, "a text that is written reads as the same");
}

}  // namespace tablemap::fuzz
