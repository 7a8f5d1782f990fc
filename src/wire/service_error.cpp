// SPDX-License-Identifier: Apache-2.0
#include "wire/service_error.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t longest_body = 64 * 1024;  // no service sends more; a proxy's page may be longer
constexpr std::size_t longest_text = 4096;

std::string_view without_mark(std::string_view text) {
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    return text;
}

std::string without_entities(std::string_view xml) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    std::string text;
    while (!xml.empty()) {
        auto const at =
            std::find_if(entities.begin(), entities.end(), [&](auto& e) { return xml.starts_with(e.first); });
        text += at == entities.end() ? xml.front() : at->second;
        xml.remove_prefix(at == entities.end() ? 1 : at->first.size());
    }
    return text;
}

/// The text of the first of these elements; both kinds of documents have it right below their root.
std::optional<std::string> element(std::string_view xml, std::string_view service, std::string_view odata) {
    for (auto const name : {service, odata}) {
        auto const open = std::string{"<"}.append(name);
        auto const at = xml.find(open);
        if (at == std::string_view::npos) continue;
        auto const behind = at + open.size();
        if (behind >= xml.size() || (xml[behind] != '>' && blanks.find(xml[behind]) == std::string_view::npos))
            continue;
        auto const from = xml.find('>', behind);
        if (from == std::string_view::npos) continue;
        auto const to = std::min(xml.find("</", from), xml.size());
        return without_entities(trimmed(xml.substr(from + 1, to - from - 1)));
    }
    return std::nullopt;
}

service_message read_xml(std::string_view xml) {
    auto code = element(xml, "Code", "m:code");
    auto text = element(xml, "Message", "m:message");
    if (!code) return {.text = std::string{xml.substr(0, longest_text)}};  // other markup, such as a page of a proxy
    return {std::move(*code), text ? std::move(*text) : std::string{}};
}

}  // namespace

service_message read_service_message(std::string_view body) {
    body = trimmed(without_mark(body)).substr(0, longest_body);
    if (body.starts_with('<')) return read_xml(body);
    if (body.starts_with('{')) {
        std::string json{body};
        if (auto said = read_json_error(json)) return *std::move(said);
    }
    return {.text = std::string{body.substr(0, longest_text)}};
}

}  // namespace tablemap::detail
