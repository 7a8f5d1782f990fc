// SPDX-License-Identifier: Apache-2.0
#include "rest/queue_xml.hpp"

#include "rest/http_date.hpp"

#include <pugixml.hpp>

#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

[[noreturn]] void refuse_messages(std::string reason) {
    throw error{library_errc::malformed_response, {.reason = std::move(reason)}};
}

// --- writing ---------------------------------------------------------------------------------------------------------

void append_escaped(std::string& out, std::string_view text) {
    for (char const c : text) switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '\r': out += "&#xD;"; break;
        default: out += c;
        }
}

// --- reading ---------------------------------------------------------------------------------------------------------

/// No change of line ends: what comes as a carriage return was stored as one.
constexpr unsigned kept_as_it_came = pugi::parse_escapes | pugi::parse_cdata | pugi::parse_ws_pcdata;

pugi::xml_node list_in(pugi::xml_document& document, std::string_view xml) {
    auto const parsed = document.load_buffer(xml.data(), xml.size(), kept_as_it_came, pugi::encoding_utf8);
    auto const list = document.child("QueueMessagesList");
    if (!parsed || !list)
        refuse_messages("the body is cut off or no XML of the queue service: it should hold a <QueueMessagesList>");
    return list;
}

std::string required(pugi::xml_node message, char const* name) {
    std::string value = message.child_value(name);
    if (value.empty()) refuse_messages("a message has no " + std::string{name});
    return value;
}

ticks message_time(pugi::xml_node message, char const* name) {
    auto const t = parse_http_date(required(message, name));
    if (!t) refuse_messages("the " + std::string{name} + " of a message is no time");
    return *t;
}

std::uint32_t count_of(pugi::xml_node message) {
    auto const text = required(message, "DequeueCount");
    std::uint32_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    if (e != std::errc{} || end != last) refuse_messages("the DequeueCount of a message is no number");
    return n;
}

/// All of the text, which may come in several pieces.
std::string message_text(pugi::xml_node message) {
    auto const node = message.child("MessageText");
    if (!node) refuse_messages("a message has no MessageText");
    std::string text;
    for (auto const piece : node.children()) {
        if (piece.type() == pugi::node_element) refuse_messages("the MessageText of a message holds an element");
        text += piece.value();
    }
    return text;
}

queue_message message_of(pugi::xml_node node, source_of_messages from) {
    queue_message m{.id = required(node, "MessageId"),
                    .inserted = message_time(node, "InsertionTime"),
                    .expires = message_time(node, "ExpirationTime")};
    if (from != source_of_messages::peek) {
        m.receipt = required(node, "PopReceipt");
        m.visible = message_time(node, "TimeNextVisible");
    }
    if (from != source_of_messages::put) {
        m.dequeue_count = count_of(node);
        m.text = message_text(node);
    }
    return m;
}

std::vector<queue_message> messages_of(std::string_view xml, source_of_messages from, std::size_t most) {
    pugi::xml_document document;
    std::vector<queue_message> all;
    for (auto const node : list_in(document, xml).children("QueueMessage")) {
        if (all.size() == most) refuse_messages("more messages came than were asked for");
        all.push_back(message_of(node, from));
    }
    return all;
}

}  // namespace

std::string write_queue_message(std::string_view text) {
    constexpr std::string_view head = "<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>";
    constexpr std::string_view tail = "</MessageText></QueueMessage>";
    std::string xml;
    xml.reserve(head.size() + text.size() + text.size() / 8 + tail.size());
    xml += head;
    append_escaped(xml, text);
    xml += tail;
    return xml;
}

result<std::vector<queue_message>> read_queue_messages(std::string_view xml, source_of_messages from,
                                                       std::size_t most) {
    try {
        return messages_of(xml, from, most);
    } catch (error const& e) {
        return failure{e};
    }
}

}  // namespace tablemap::detail
