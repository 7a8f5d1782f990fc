// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_attempt.hpp"

#include "rest/cpprest_exchange.hpp"
#include "rest/transport_settings.hpp"

#include <cerrno>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

namespace http = web::http;
namespace streams = concurrency::streams;
namespace asio = boost::asio;

/// cpprestsdk tells its failures apart by their text alone: its numbers say 113 (no route) for a refused connection,
/// 110 for whatever was slow, and forget the category they came from.
/// `by_proxy`: the connection was to a proxy, which the text does not say.
cpprest_fault fault_of(http::http_exception const& e, bool by_proxy) {
    std::string_view const text = e.what();
    auto const number = e.error_code().value();
    auto const begins = [&](std::string_view s) { return text.substr(0, s.size()) == s; };
    bool const at_proxy = by_proxy || text.find("proxy") != text.npos;

    if (begins("Error resolving") || begins("Failed to resolve")) return name_not_found(at_proxy);
    if (begins("Failed to connect")) {
        std::string const why = number == ETIMEDOUT ? "there was no response to the attempt to connect"
                                                    : "the connection was refused, or there is no route";
        return {.code = transport_errc::cannot_connect,
                .reason = at_proxy ? "the proxy: " + why : why,
                .no_connection = true};
    }
    if (begins("Expected a 200 response from proxy"))
        return {transport_errc::cannot_connect, text.find("407") == text.npos
                                                    ? "the proxy did not connect to the endpoint"
                                                    : proxy_refusal(proxy_authentication_required)};
    if (text.find("proxy") != text.npos) return {transport_errc::cannot_connect, "the proxy ended the connection"};
    if (begins("Error in SSL handshake")) {
        // Numbers of OpenSSL carry its library in their high bits; below are those of sockets.
        if (number >= 0 && number < 0x10000)
            return {transport_errc::cannot_connect, "the server ended the connection within the TLS handshake"};
        return {transport_errc::tls_failed,
                boost::system::error_code{number, asio::error::get_ssl_category()}.message()};
    }
    if (begins("Failed to write request") || begins("Failed to read HTTP status line") || begins("cannot rewind"))
        return {transport_errc::connection_lost};
    if (begins("Failed to read response body") || begins("Retrieving message chunk header") ||
        begins("Failed to read chunked response part"))
        return {transport_errc::response_cut_short};
    if (begins("Invalid HTTP status line") || begins("Invalid chunked response"))
        return {transport_errc::malformed_http};
    return {transport_errc::failed, std::string{text}};
}

/// Continues a task on the thread that ends it.
struct no_scheduler final : pplx::scheduler_interface {
    void schedule(pplx::TaskProc_t then, void* with) override { then(with); }
} at_once;

}  // namespace

cpprest_fault name_not_found(bool at_proxy) {
    return {transport_errc::name_not_found, at_proxy
                                                ? "check the host name of transport_options::proxy"
                                                : "check the endpoint's host name and this machine's name service"};
}

error error_of(cpprest_fault const& f, outcome o) { return error{f.code, {.reason = f.reason, .outcome = o}}; }

void cpprest_attempt::send(std::shared_ptr<cpprest_attempt> const& a, http::http_request m) noexcept {
    try {
        a->is_without_body_ = m.method() == http::methods::HEAD;
        m.set_response_stream(streams::ostream{streams::streambuf<std::uint8_t>{a->received_}});
        m.set_progress_handler([end = std::make_shared<end_of_request>(a)](auto direction, auto) {
            if (direction == http::message_direction::upload) end->of->uploaded();
        });
        a->answer_ = a->on_->client().request(m, a->cancellation_.get_token());
        a->answer_.then(
            [weak = std::weak_ptr{a}](pplx::task<http::http_response> const& answer) {
                if (auto const to = weak.lock()) to->head_came(answer);
            },
            pplx::task_options{pplx::scheduler_ptr{&at_once}});
    } catch (...) {
        a->answer_ = pplx::task_from_exception<http::http_response>(std::current_exception());
    }
    a->is_asked_for_ = true;
    a->is_asked_for_.notify_all();
    a->part_ended();
}

/// A part of the request was handed to the socket: at first its head, at last all of it, before anything is read.
void cpprest_attempt::uploaded() noexcept {
    head_sent_ = true;
    is_asked_for_.wait(false);
    on_->watch()->response_begins();
}

/// Called before anything behind the head is read.
void cpprest_attempt::head_came(pplx::task<http::http_response> const& answer) noexcept try {
    auto const there = answer.get();
    on_->watch()->head_ended();
    head_.status = there.status_code();
    for (auto const& [name, value] : there.headers()) head_.headers.emplace_back(name, value);
    head_fault_ = fault_of_head(head_, is_without_body_ ? std::nullopt : std::optional{received_->limit()});
    auto const* const length = is_without_body_ ? nullptr : head_.header("Content-Length");
    if (!head_fault_ && length && !received_->expect(std::stoull(*length)))
        head_fault_ = {transport_errc::response_too_large, ""};
    if (head_fault_) cancel();
} catch (...) {
    // There is none: take() tells why.
}

std::optional<cpprest_fault> cpprest_attempt::take(http_response& to) noexcept {
    // In any case: an exception of a task that is never observed ends the process.
    auto reported = take_reported(to);
    if (head_fault_) return cpprest_fault{head_fault_->code, head_fault_->reason};
    if (auto const* const why = on_->watch()->exceeded()) return cpprest_fault{transport_errc::response_too_large, why};
    return reported;
}

std::optional<cpprest_fault> cpprest_attempt::take_reported(http_response& to) noexcept try {
    // Both are there, or the thread pool went away.
    if (!answer_.is_done()) return cpprest_fault{transport_errc::connection_lost};
    auto const answer = answer_.get();
    auto const body = pplx::create_task(answer._get_impl()->_get_data_available());
    if (!body.is_done()) return cpprest_fault{transport_errc::response_cut_short};
    body.get();

    if (answer.status_code() < 200 || answer.status_code() > 999)
        return cpprest_fault{transport_errc::malformed_http, "its status is no final one"};
    if (proxy_may_answer_ && answer.status_code() == proxy_authentication_required)
        return cpprest_fault{transport_errc::cannot_connect, proxy_refusal(answer.status_code()), true};
    to = std::move(head_);
    to.body = std::move(received_->text);
    return std::nullopt;
} catch (idle_connection_was_closed const&) {
    found_dead_socket_ = true;
    return cpprest_fault{transport_errc::connection_lost};
} catch (response_too_large const&) {
    return cpprest_fault{transport_errc::response_too_large};
} catch (http::http_exception const& e) {
    return fault_of(e, proxy_may_answer_);
} catch (std::exception const& e) {
    return cpprest_fault{transport_errc::failed, e.what()};
} catch (...) {
    return cpprest_fault{transport_errc::failed};
}

void cpprest_attempt::part_ended() noexcept {
    if (--parts_ == 0) of_->settle(*this);
}

}  // namespace tablemap::detail
