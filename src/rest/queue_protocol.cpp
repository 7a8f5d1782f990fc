// SPDX-License-Identifier: Apache-2.0
#include "rest/queue_protocol.hpp"

#include "rest/http_date.hpp"
#include "rest/queue_xml.hpp"
#include "rest/request_builder.hpp"
#include "rest/response_parts.hpp"
#include "rest/url.hpp"
#include "store/service_answer.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

using std::chrono::seconds;

std::string seconds_text(seconds s) { return std::to_string(s.count()); }

struct queue_builder {
    message_frame const& frame;

    http_request operator()(create_queue const& q) const { return about_queue("PUT", q.queue); }
    http_request operator()(delete_queue const& q) const { return about_queue("DELETE", q.queue); }

    http_request operator()(put_message const& q) const {
        auto m = about_messages("POST", q.queue);
        if (q.hidden_for != seconds{0}) append_query(m.target, "visibilitytimeout", seconds_text(q.hidden_for));
        append_query(m.target, "messagettl", q.time_to_live ? seconds_text(*q.time_to_live) : "-1");
        add_text(m, q.text);
        return m;
    }

    http_request operator()(get_messages const& q) const {
        auto m = about_messages("GET", q.queue);
        append_query(m.target, "numofmessages", std::to_string(q.most));
        append_query(m.target, "visibilitytimeout", seconds_text(q.hidden_for));
        return m;
    }

    http_request operator()(peek_messages const& q) const {
        auto m = about_messages("GET", q.queue);
        append_query(m.target, "peekonly", "true");
        append_query(m.target, "numofmessages", std::to_string(q.most));
        return m;
    }

    http_request operator()(update_message const& q) const {
        auto m = about_message("PUT", q.queue, q.id, q.receipt);
        append_query(m.target, "visibilitytimeout", seconds_text(q.hidden_for));
        if (q.text) add_text(m, *q.text);
        return m;
    }

    http_request operator()(delete_message const& q) const { return about_message("DELETE", q.queue, q.id, q.receipt); }
    http_request operator()(clear_messages const& q) const { return about_messages("DELETE", q.queue); }

    http_request operator()(count_messages const& q) const {
        auto m = about_queue("GET", q.queue);
        append_query(m.target, "comp", "metadata");
        return m;
    }

private:
    http_request about_queue(std::string_view method, std::string_view queue) const {
        auto m = blob_message(method, frame);
        m.target.append("/").append(queue);
        return m;
    }

    http_request about_messages(std::string_view method, std::string_view queue) const {
        auto m = about_queue(method, queue);
        m.target += "/messages";
        return m;
    }

    http_request about_message(std::string_view method, std::string_view queue, std::string_view id,
                               std::string_view receipt) const {
        auto m = about_messages(method, queue);
        m.target += '/';
        append_percent_encoded(m.target, id);
        append_query(m.target, "popreceipt", receipt);
        return m;
    }

    static void add_text(http_request& m, std::string_view text) {
        m.headers.emplace_back("Content-Type", "application/xml");
        m.body = write_queue_message(text);
    }
};

struct is_queue_success {
    int status;

    bool operator()(create_queue const&) const { return status == 201 || status == 204; }
    bool operator()(put_message const&) const { return status == 201; }
    bool operator()(get_messages const&) const { return status == 200; }
    bool operator()(peek_messages const&) const { return status == 200; }
    bool operator()(count_messages const&) const { return status == 200; }
    template <class Change> bool operator()(Change const&) const { return status == 204; }
};

struct queue_success_reader {
    http_response& answer;

    response operator()(create_queue const&) const {
        service_response what;
        what.created = answer.status == 201;
        return answer_with(std::move(what));
    }

    response operator()(put_message const&) const {
        auto read = read_queue_messages(answer.body, source_of_messages::put, 1);
        if (!read || read->empty())
            return malformed("the message is stored, but its id and its receipt did not come", outcome::applied);
        return with_messages(*std::move(read));
    }

    response operator()(get_messages const& q) const { return read_list(source_of_messages::get, q.most); }
    response operator()(peek_messages const& q) const { return read_list(source_of_messages::peek, q.most); }

    response operator()(update_message const& q) const {
        auto const receipt = value_of(answer, "x-ms-popreceipt");
        auto const visible = parse_http_date(value_of(answer, "x-ms-time-next-visible"));
        if (receipt.empty() || !visible)
            return malformed(
                "the message is changed, but its new receipt did not come: get it again once it is visible",
                outcome::applied);
        return with_messages({{.id = std::string{q.id}, .receipt = std::string{receipt}, .visible = *visible}});
    }

    response operator()(count_messages const&) const {
        auto const text = value_of(answer, "x-ms-approximate-messages-count");
        service_response what;
        auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), what.message_count);
        if (text.empty() || e != std::errc{} || end != text.data() + text.size())
            return malformed("the number of messages did not come");
        return answer_with(std::move(what));
    }

    template <class Change> response operator()(Change const&) const { return {}; }

private:
    static response with_messages(std::vector<queue_message> messages) {
        service_response what;
        what.messages = std::move(messages);
        return answer_with(std::move(what));
    }

    response read_list(source_of_messages from, std::size_t most) const {
        auto read = read_queue_messages(answer.body, from, most);
        return read ? with_messages(*std::move(read)) : response::failed(read.error());
    }
};

}  // namespace

result<http_request> build_queue_request(queue_request const& r, message_frame const& frame) {
    return std::visit(queue_builder{frame}, r);
}

bool is_success_of_queue(queue_request const& r, int status) noexcept {
    return std::visit(is_queue_success{status}, r);
}

response read_queue_response(queue_request const& r, http_response&& answer) {
    return std::visit(queue_success_reader{answer}, r);
}

}  // namespace tablemap::detail
