// SPDX-License-Identifier: Apache-2.0
#include "rest/response_reader.hpp"

#include "base/ascii.hpp"
#include "rest/blob_protocol.hpp"
#include "rest/multipart.hpp"
#include "rest/queue_protocol.hpp"
#include "rest/refusal_reader.hpp"
#include "rest/response_parts.hpp"
#include "rest/service_xml.hpp"
#include "store/service_answer.hpp"
#include "wire/service_error.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

// --- reads -----------------------------------------------------------------------------------------------------------

/// True if the body is one JSON object as far as its ends tell.
bool is_framed(std::string& body) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    constexpr std::string_view blanks = " \t\r\n";
    if (body.starts_with(mark)) body.erase(0, mark.size());
    auto const first = body.find_first_not_of(blanks);
    auto const last = body.find_last_not_of(blanks);
    return first != std::string::npos && first < last && body[first] == '{' && body[last] == '}';
}

response no_json() { return malformed("the body is cut off or no JSON: is this the address of a table service"); }

class etag_sink final : public entity_sink {
public:
    bool begin() override { return true; }
    bool property(std::string_view name, json_token const& value) override {
        if (name == "odata.etag") etag_text = value.text;
        return true;
    }
    bool end() override { return true; }

    std::string etag_text{};
};

class table_sink final : public entity_sink {
public:
    explicit table_sink(std::vector<std::string>& names) noexcept : names_(names) {}

    bool begin() override {
        named_ = false;
        return true;
    }
    bool property(std::string_view name, json_token const& value) override {
        if (name != "TableName" || value.text.empty()) return true;
        named_ = true;
        names_.emplace_back(value.text);
        return true;
    }
    bool end() override {
        return named_ || stop(error{library_errc::malformed_response, {.reason = "a table in the list has no name"}});
    }

private:
    std::vector<std::string>& names_;
    bool named_ = false;
};

/// Puts the etag where decoders look for it, if it came in the header alone. Precondition: `is_framed(body)`.
void put_etag(std::string& body, std::string_view etag) {
    std::string text = "\"odata.etag\"";
    if (body.find(text) != std::string::npos) return;
    text += ':';
    if (!append_json_string(text, etag)) return;  // no etag of a service has other characters than those of ASCII
    auto const at = body.find('{') + 1;
    if (body[body.find_first_not_of(" \t\r\n", at)] != '}') text += ',';
    body.insert(at, text);
}

response read_entity_response(http_response&& answer) {
    response r;
    r.body = std::move(answer.body);
    if (!is_framed(r.body)) return no_json();
    auto const header = value_of(answer, "ETag");
    if (is_etag(header)) {
        r.etag = etag{std::string{header}};
        put_etag(r.body, header);
        return r;
    }
    etag_sink sink;
    if (auto const read = read_entity(r.body, sink); !read) return response::failed(read.error());
    r.etag = etag{std::move(sink.etag_text)};
    return r;
}

/// The error of a continuation that leads to the same page again, for ever.
response repeated_place() {
    return malformed("the store says that the query goes on where this page began: it would never end");
}

response read_page_response(query_page const& asked, http_response&& answer) {
    response r;
    r.body = std::move(answer.body);
    if (!is_framed(r.body)) return no_json();
    // Either header alone means that there is more, and an empty one is not an absent one: it stands for an empty key.
    auto const* partition = answer.header("x-ms-continuation-NextPartitionKey");
    auto const* row = answer.header("x-ms-continuation-NextRowKey");
    if (!partition && !row) return r;
    r.next.emplace();
    if (partition) r.next->partition_key = *partition;
    if (row) r.next->row_key = *row;
    return asked.from && *asked.from == *r.next ? repeated_place() : r;
}

response read_tables_response(list_tables const& asked, http_response&& answer) {
    service_response list;
    table_sink sink{list.tables};
    if (!is_framed(answer.body)) return no_json();
    if (auto const read = read_page(answer.body, sink); !read) return response::failed(read.error());
    if (auto const next = value_of(answer, "x-ms-continuation-NextTableName"); !next.empty()) list.next_table = next;
    if (list.next_table && *list.next_table == asked.from) return repeated_place();
    return answer_with(std::move(list));
}

/// The response to a request whose value comes as XML.
template <class V>
response read_xml_response(result<V> (*read)(std::string_view), V service_response::*where,
                           http_response const& answer) {
    auto value = read(answer.body);
    if (!value) return response::failed(value.error());
    service_response said;
    said.*where = *std::move(value);
    return answer_with(std::move(said));
}

// --- writes ----------------------------------------------------------------------------------------------------------

response read_write_response(write_operation const& o, http_response const& answer) {
    response r;
    if (o.kind == write_kind::erase) return r;
    auto const header = value_of(answer, "ETag");
    if (!is_etag(header))
        return malformed("the entity is stored, but its etag did not come: read it again", outcome::applied);
    r.etag = etag{std::string{header}};
    return r;
}

/// The number of a text, up to this character or up to the end for none.
std::optional<std::size_t> number_before(std::string_view text, std::string_view end) noexcept {
    std::size_t n = 0;
    auto const [rest, e] = std::from_chars(text.data(), text.data() + text.size(), n);
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    bool const whole = end.empty() ? text.empty() : text.starts_with(end);
    return e == std::errc{} && whole ? std::optional{n} : std::nullopt;
}

/// Azure names no operation if the first one met these. At Cosmos this not-found is the table's.
bool is_first_ones_fault(error const& e, table_service_kind from) noexcept {
    return e.code() == service_errc::entity_already_exists ||
           e.code() == service_errc::update_condition_not_satisfied ||
           (e.code() == service_errc::resource_not_found && from != table_service_kind::cosmos);
}

/// The operation that a failed group names: by the number in "1:The specified entity already exists.", or by its
/// Content-ID.
std::optional<std::size_t> named_position(batch_part const& part, std::string_view message) noexcept {
    if (auto const n = number_before(message, ":")) return n;
    auto const id = number_before(header_in(part.head, "Content-ID").value_or(""), {});
    return id ? std::optional{*id - content_id_of(0)} : std::nullopt;
}

/// The operation at fault, which may be named by the lack of a name.
std::optional<std::size_t> position_of_fault(error const& e, batch_part const& part, table_service_kind from) {
    auto const message = read_service_message(part.body).text;
    if (auto const named = named_position(part, message)) return named;
    bool const is_numbered = !message.empty() && is_digit(message.front());
    return !is_numbered && is_first_ones_fault(e, from) ? std::optional<std::size_t>{0} : std::nullopt;
}

/// The service blames an operation for whatever it meets: the table, the credential, its own load.
bool is_about_an_operation(error const& e) noexcept {
    return e.code() != service_errc::table_not_found && e.kind() != error_kind::unavailable &&
           e.kind() != error_kind::denied;
}

error with_position(error const& e, std::optional<std::size_t> at, transact const& t) {
    if (!at || *at >= t.operations.size() || !is_about_an_operation(e)) return e;
    auto details = e.details();
    details.failed_index = *at;
    return error{e.code(), std::move(details)};
}

/// A change set that failed has one part, whatever the number of its operations, and nothing was applied.
response failed_batch(request const& r, transact const& t, batch_part const& part, ticks now, table_service_kind from) {
    auto const code = header_in(part.head, "x-ms-error-code").value_or("");
    auto const e = read_refusal(r, part.status, code, part.body);
    auto failed = response::failed(with_position(e, position_of_fault(e, part, from), t));
    http_response whole{.status = part.status};
    for (auto const& [name, value] : headers_in(part.head)) whole.headers.emplace_back(name, value);
    failed.retry_after = read_retry_after(whole, now);
    return failed;
}

response read_batch_response(request const& r, transact const& t, http_response const& answer, ticks now,
                             table_service_kind from) {
    auto const most = t.operations.size() + 1;  // one too many is as wrong as a million
    auto const parts = read_batch(value_of(answer, "Content-Type"), answer.body, most);
    auto const bad = std::find_if(parts.begin(), parts.end(), [](auto& p) { return p.status >= 400; });
    if (bad != parts.end()) return failed_batch(r, t, *bad, now, from);
    // The service says 202 before it says whether the change set was applied.
    if (parts.size() != t.operations.size())
        return malformed("the transaction has " + std::to_string(t.operations.size()) + " operations, its response " +
                             (parts.size() == most ? "more" : std::to_string(parts.size())) + " parts",
                         outcome::in_doubt);
    response all;
    all.etags.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto const& part = parts[i];
        if (part.status < 200 || part.status > 299)
            return malformed("a part has HTTP status " + std::to_string(part.status), outcome::in_doubt);
        if (t.operations[i].kind == write_kind::erase) {
            all.etags.emplace_back();
            continue;
        }
        auto const text = header_in(part.head, "ETag").value_or("");
        if (!is_etag(text))
            return malformed("the transaction is stored, but the etag of operation " + std::to_string(i) +
                                 " did not come: read the entities again",
                             outcome::applied);
        all.etags.emplace_back(std::string{text});
    }
    return all;
}

// --- all -------------------------------------------------------------------------------------------------------------

/// The statuses by which the service says that it has done what was asked.
struct is_success {
    int status;

    bool operator()(create_table const&) const { return status == 201 || status == 204; }
    bool operator()(delete_table const&) const { return status == 204; }
    bool operator()(list_tables const&) const { return status == 200; }
    bool operator()(get_entity const&) const { return status == 200; }
    bool operator()(query_page const&) const { return status == 200; }
    bool operator()(write_entity const& w) const {
        return status == 204 || (status == 201 && w.operation.kind == write_kind::insert);
    }
    bool operator()(transact const&) const { return status == 202; }
    bool operator()(get_access_policies const&) const { return status == 200; }
    bool operator()(set_access_policies const&) const { return status == 204; }
    bool operator()(get_service_properties const&) const { return status == 200; }
    bool operator()(set_service_properties const&) const { return status == 202; }
    bool operator()(get_service_statistics const&) const { return status == 200; }
    bool operator()(queue_request const& r) const { return is_success_of_queue(r, status); }
    bool operator()(blob_request const& r) const { return is_success_of_blob(r, status); }
};

struct success_reader {
    request const& all;
    http_response& answer;
    ticks now;
    table_service_kind from;

    response operator()(create_table const&) const { return {}; }
    response operator()(delete_table const&) const { return {}; }
    response operator()(list_tables const& q) const { return read_tables_response(q, std::move(answer)); }
    response operator()(get_entity const&) const { return read_entity_response(std::move(answer)); }
    response operator()(query_page const& q) const { return read_page_response(q, std::move(answer)); }
    response operator()(write_entity const& w) const { return read_write_response(w.operation, answer); }
    response operator()(transact const& t) const { return read_batch_response(all, t, answer, now, from); }
    response operator()(get_access_policies const&) const {
        return read_xml_response(&read_access_policies, &service_response::policies, answer);
    }
    response operator()(set_access_policies const&) const { return {}; }
    response operator()(get_service_properties const&) const {
        return read_xml_response(&read_service_properties, &service_response::properties, answer);
    }
    response operator()(set_service_properties const&) const { return {}; }
    response operator()(get_service_statistics const&) const {
        return read_xml_response(&read_service_statistics, &service_response::statistics, answer);
    }
    response operator()(queue_request const& r) const { return read_queue_response(r, std::move(answer)); }
    response operator()(blob_request const& r) const { return read_blob_response(r, std::move(answer)); }
};

/// No status of the table service: something else answered, or a redirection, which is not followed.
response foreign_status(request const& r, int status) {
    bool const in_doubt = is_write(r) && (status < 300 || status > 399);
    return malformed("HTTP status " + std::to_string(status) + " is no response of the service to this request",
                     in_doubt ? outcome::in_doubt : outcome::not_applied);
}

/// The statuses that say what is stored: programs act on them, so only the service is believed.
bool is_about_what_is_stored(int status) noexcept { return status == 404 || status == 409 || status == 412; }

/// The service names a code, or its headers tell that it was asked.
bool is_from_service(http_response const& answer) {
    if (!answer.body.empty() && !read_service_message(answer.body).code.empty()) return true;
    return std::any_of(answer.headers.begin(), answer.headers.end(),
                       [](auto const& h) { return starts_with_ignoring_case(h.first, "x-ms-"); });
}

/// A refusal by something else, such as the web server that a wrong endpoint leads to. It has done nothing either.
error foreign_refusal(int status, error const& read) {
    auto details = read.details();
    details.reason =
        "what answered with HTTP status " + std::to_string(status) + " is no storage service: check the endpoint";
    return error{library_errc::malformed_response, std::move(details)};
}

/// The refusal of a whole response. Cosmos refuses some groups so, and numbers the operation in its message.
error read_outer_refusal(request const& r, http_response const& answer) {
    auto const e = read_refusal(r, answer.status, value_of(answer, "x-ms-error-code"), answer.body);
    auto const* const group = std::get_if<transact>(&r);
    return group ? with_position(e, number_before(read_service_message(answer.body).text, ":"), *group) : e;
}

response read_any(request const& r, http_response& answer, ticks now, table_service_kind from) {
    if (std::visit(is_success{answer.status}, r)) return std::visit(success_reader{r, answer, now, from}, r);
    if (answer.status < 400 || answer.status > 599) return foreign_status(r, answer.status);
    auto const refusal = read_outer_refusal(r, answer);
    if (is_about_what_is_stored(answer.status) && !is_from_service(answer))
        return response::failed(foreign_refusal(answer.status, refusal));
    auto failed = response::failed(refusal);
    failed.retry_after = read_retry_after(answer, now);
    return failed;
}

}  // namespace

response read_response(request const& r, http_response&& answer, ticks now, table_service_kind from) {
    auto read = read_any(r, answer, now, from);
    if (!read.failure) return read;
    auto details = read.failure->details();
    details.request_id = value_of(answer, "x-ms-request-id");
    read.failure = error{read.failure->code(), std::move(details)}.in(action_of(r), table_of(r));
    return read;
}

}  // namespace tablemap::detail
