// SPDX-License-Identifier: Apache-2.0
#include "store/queue_check.hpp"

#include "store/refusal.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

using checked = result<void>;
using std::chrono::seconds;

constexpr std::size_t longest_id = 1024;  // those of the service have at most 36 bytes, receipts some more

checked check_number(std::size_t most) {
    if (most >= 1 && most <= limits::messages_at_once) return {};
    return refuse(service_errc::out_of_range_query_parameter_value, "1 to 32 messages can be asked for at once");
}

checked check_hiding(seconds time) {
    if (time >= seconds{0} && time <= limits::message_hidden_max) return {};
    return refuse(service_errc::out_of_range_query_parameter_value, "a message can be hidden for 0 s to 7 days");
}

checked check_hiding_of_taken(seconds time) {
    if (time >= seconds{1} && time <= limits::message_hidden_max) return {};
    return refuse(service_errc::out_of_range_query_parameter_value,
                  "a message that is taken is hidden for 1 s to 7 days");
}

checked check_life(std::optional<seconds> life, seconds hidden_for) {
    if (!life) return {};
    if (*life < seconds{1} || *life > limits::message_life_max)
        return refuse(service_errc::out_of_range_query_parameter_value,
                      "the time to live is 1 s to 2,147,483,647 s; leave it out for a message that never expires");
    if (hidden_for < *life) return {};
    return refuse(service_errc::invalid_query_parameter_value,
                  "the message would expire while it is hidden: hide it for less than its time to live");
}

checked check_message_text(std::string_view text) {
    if (text.size() > limits::message_bytes)
        return fail(service_errc::message_too_large,
                    {.reason = "its text has " + std::to_string(text.size()) +
                               " bytes of UTF-8, and the service takes at most 65,536"});
    if (fits_xml(text)) return {};
    return refuse(service_errc::invalid_input,
                  "the text must be valid UTF-8 without control characters other than tab, line feed and carriage "
                  "return, and without U+FFFE and U+FFFF: encode bytes, for example in Base64");
}

/// Ids become parts of a path, where dots alone would mean a folder.
checked check_id(std::string_view id) {
    bool const is_folder = id == "." || id == "..";
    if (!id.empty() && id.size() <= longest_id && !is_folder && is_xml_text(id)) return {};
    return refuse(service_errc::invalid_input, "the id of the message is none that a queue gave");
}

checked check_receipt(std::string_view receipt) {
    if (!receipt.empty() && receipt.size() <= longest_id && is_xml_text(receipt)) return {};
    return refuse(service_errc::invalid_marker,
                  "give the receipt of the request that took or changed the message last");
}

checked check_right(std::string_view id, std::string_view receipt) {
    if (auto r = check_id(id); !r) return r;
    return check_receipt(receipt);
}

struct queue_checker {
    checked operator()(put_message const& p) const {
        if (auto r = check_hiding(p.hidden_for); !r) return r;
        if (auto r = check_life(p.time_to_live, p.hidden_for); !r) return r;
        return check_message_text(p.text);
    }
    checked operator()(get_messages const& g) const {
        if (auto r = check_number(g.most); !r) return r;
        return check_hiding_of_taken(g.hidden_for);
    }
    checked operator()(peek_messages const& p) const { return check_number(p.most); }
    checked operator()(update_message const& u) const {
        if (auto r = check_right(u.id, u.receipt); !r) return r;
        if (auto r = check_hiding(u.hidden_for); !r) return r;
        return u.text ? check_message_text(*u.text) : checked{};
    }
    checked operator()(delete_message const& d) const { return check_right(d.id, d.receipt); }
    template <class AboutQueue> checked operator()(AboutQueue const&) const { return {}; }
};

}  // namespace

result<void> check_queue_request(queue_request const& r) {
    if (auto named = check_resource_name(queue_of(r)); !named) return named;
    return std::visit(queue_checker{}, r);
}

}  // namespace tablemap::detail
