// SPDX-License-Identifier: Apache-2.0
#include "serve/beast_session.hpp"

#include "base/ascii.hpp"
#include "serve/response_head.hpp"
#include "tablemap/edm/limits.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using steady = std::chrono::steady_clock;
using plain_stream = session_socket;
using tls_stream = beast::ssl_stream<session_socket>;

constexpr std::uint32_t longest_head = 64 * 1024;
constexpr std::size_t frames_around_a_group = 64 * 1024;  // a body beyond the limit gets its refusal by the service
constexpr std::size_t longest_body = limits::transaction_bytes + frames_around_a_group;
constexpr std::size_t longest_body_of_strangers = 64 * 1024;  // read before the sender is known
constexpr std::size_t buffer_size = longest_head + 64 * 1024;
constexpr std::size_t usual_request = 8 * 1024;  // the room for the first read, which is 512 bytes without any
constexpr std::chrono::seconds handshake_limit{10};
constexpr std::chrono::seconds drain_limit{2};
constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

std::string_view view_of(beast::string_view s) noexcept { return {s.data(), s.size()}; }

/// A listener of IPv6 shows a client of IPv4 as `::ffff:192.0.2.1`, and signatures name 192.0.2.1.
asio::ip::address unmapped(asio::ip::address const& a) {
    bool const is_mapped = a.is_v6() && a.to_v6().is_v4_mapped();
    return is_mapped ? asio::ip::address{asio::ip::make_address_v4(asio::ip::v4_mapped, a.to_v6())} : a;
}

template <class Stream>
class session_of final : public session, public std::enable_shared_from_this<session_of<Stream>> {
public:
    template <class... Arguments>
    session_of(session_context& context, std::shared_ptr<void> place, Arguments&&... stream)
        : context_(context), place_(std::move(place)), stream_(std::forward<Arguments>(stream)...) {}

    void start() override { then (&session_of::begin)({}); }

    void finish() override {
        auto state = state_.load();  // first: a session sets its request before its state
        if (!in_request_ && state > at_work && state_.compare_exchange_strong(state, ended)) cut_off();
    }

    void give_way() override {
        auto state = state_.load();
        if (state > at_work && !has_unread_head() && state_.compare_exchange_strong(state, ended)) cut_off();
    }

    std::optional<steady::time_point> waits_since() const noexcept override {
        auto const state = state_.load(std::memory_order_relaxed);
        if (state <= at_work || has_unread_head()) return std::nullopt;
        return steady::time_point{steady::duration{state}};
    }

    void end_if_late(steady::time_point now) noexcept override {
        auto state = state_.load();  // first: a session sets its next limit before its state
        if (now.time_since_epoch().count() < limit_) return;
        if (state > at_work && has_unread_head()) return;
        if (state_.compare_exchange_strong(state, ended)) cut_off();
    }

private:
    // States. A greater one is the time since when the session waits for a handshake, for the head of a request, for
    // the rest of a stranger's request, or for a stranger to take a response.
    static constexpr steady::rep reading = -2;  // a request whose sender may have signed it
    static constexpr steady::rep ended = -1;    // what it reads now, it does not carry out
    static constexpr steady::rep at_work = 0;
    static constexpr steady::rep no_limit = std::numeric_limits<steady::rep>::max();
    static constexpr bool is_encrypted = std::is_same_v<Stream, tls_stream>;

    session_socket& socket() { return beast::get_lowest_layer(stream_); }

    /// A handler that is a member function. An exception of it, such as a lack of memory, ends this connection alone.
    template <class F> auto then(F f) {
        return [self = this->shared_from_this(), f](error_code ec, std::size_t = 0) {
            try {
                ((*self).*f)(ec);
            } catch (...) {
                self->close();
            }
        };
    }

    /// False if the session has ended, which is all that other threads change.
    bool enter(steady::rep state) noexcept {
        auto before = state_.load();
        return before != ended && state_.compare_exchange_strong(before, state);
    }
    bool wait() noexcept { return enter(steady::now().time_since_epoch().count()); }

    /// Bounds the time until the next call for the client has come to its end.
    void limit(std::chrono::milliseconds most) noexcept { limit_ = (steady::now() + most).time_since_epoch().count(); }

    void begin(error_code ec) {
        auto const peer = socket().remote_endpoint(ec);
        if (ec) return close();
        peer_ = unmapped(peer.address()).to_string(ec);
        buffer_.reserve(usual_request);
        if constexpr (is_encrypted) {
            limit(handshake_limit);
            if (!wait() || context_.stopping) return close();
            stream_.async_handshake(asio::ssl::stream_base::server, then(&session_of::on_handshake));
        } else {
            socket().non_blocking(true, ec);
            ec ? close() : read_head();
        }
    }

    void on_handshake(error_code ec) { ec ? close() : read_head(); }

    void read_head() {
        in_request_ = false;
        parser_.emplace();
        parser_->header_limit(longest_head);
        parser_->body_limit(longest_body);
        limit(context_.idle_limit);
        // In this order: whoever stops the server sets the flag, and ends the sessions that wait then.
        if (!wait() || context_.stopping) return close();
        http::async_read_header(stream_, buffer_, *parser_, then(&session_of::on_head));
    }

    void on_head(error_code ec) {
        limit(context_.longest_request);
        in_request_ = !ec;
        if (!enter(reading)) return close();
        if (ec) return on_bad_request(ec);
        request_ = taken_head();
        if (!has_certain_length()) return respond({.status = 400}, true);
        if (!has_large_body() && has_body()) return ask_for_body();
        limit_ = no_limit;  // it may wait for a worker
        work(&session_of::check_sender);
    }

    /// Called before a body that is large or has not come.
    void check_sender(error_code) {
        limit(context_.longest_request);
        auto refusal = context_.service.refuse_early(request_);
        if (refusal && has_large_body()) return respond(*std::move(refusal), true);
        if (refusal && !wait()) return close();  // a stranger gives way while the rest is awaited
        ask_for_body();
    }

    void ask_for_body() {
        auto const expects = header_of(request_.message, "Expect");
        if (expects && equal_ignoring_case(*expects, "100-continue") && !parser_->is_done())
            return asio::async_write(stream_, asio::buffer(go_on.data(), go_on.size()), then(&session_of::on_told));
        read_body();
    }

    void on_told(error_code ec) { ec ? close() : read_body(); }

    void read_body() {
        if (parser_->is_done()) return handle();
        http::async_read(stream_, buffer_, *parser_, then(&session_of::on_body));
    }

    void on_body(error_code ec) { ec ? on_bad_request(ec) : handle(); }

    void handle() {
        limit_ = no_limit;  // it may wait for a worker, and the service has a limit of its own
        if (!enter(at_work)) return close();
        request_.message.body = std::move(parser_->get().body());
        work(&session_of::carry_out);
    }

    void carry_out(error_code) {
        auto answer = context_.service.handle(request_);
        if (request_.message.method == "HEAD") answer.body.clear();  // RFC 9110, section 9.3.2
        respond(std::move(answer), !parser_->keep_alive());
    }

    /// Calls a function that may wait for the store. It runs at once if the request waits for nothing, since to wake a
    /// worker costs as much as a read.
    void work(void (session_of::*f)(error_code)) {
        if (context_.service.is_immediate(request_)) return (this->*f)({});
        asio::post(context_.workers, [call = then(f)] { call({}); });
    }

    /// Answers a request that cannot be read, if that may help, and closes the connection: nobody knows where the next
    /// one begins.
    void on_bad_request(error_code ec) {
        if (ec == http::error::body_limit) return respond(too_large(413), true);
        if (ec == http::error::header_limit || ec == http::error::buffer_overflow) return respond(too_large(431), true);
        bool const is_malformed = ec.category() == http::make_error_code(http::error::bad_version).category() &&
                                  ec != http::error::end_of_stream && ec != http::error::partial_message;
        is_malformed ? respond({.status = 400}, true) : close();
    }

    /// True for one that is not taken from strangers.
    bool has_large_body() const {
        auto const length = parser_->content_length();
        return parser_->chunked() || (length && *length > longest_body_of_strangers);
    }

    /// True if all of the body has come with the head.
    bool has_body() const { return parser_->is_done() || buffer_.size() >= parser_->content_length().value_or(0); }

    /// False for a body whose end another server on the way may see elsewhere (RFC 9112, section 6.3).
    bool has_certain_length() const {
        auto const& head = parser_->get();
        auto const codings = head.count(http::field::transfer_encoding);
        if (codings == 0) return true;
        return codings == 1 && parser_->chunked() && head.count(http::field::content_length) == 0;
    }

    static http_response too_large(int status) {
        return {.status = status,
                .headers = {{"Content-Type", "application/json"}},
                .body = "{\"odata.error\":{\"code\":\"RequestBodyTooLarge\",\"message\":{\"lang\":\"en-US\",\"value\":"
                        "\"The request body is too large and exceeds the maximum permissible limit.\"}}}"};
    }

    incoming taken_head() {
        auto const& head = parser_->get();
        incoming in;
        in.message.method = view_of(head.method_string());
        in.message.target = view_of(head.target());
        for (auto const& field : head)
            in.message.headers.emplace_back(view_of(field.name_string()), view_of(field.value()));
        in.peer = peer_;
        in.encrypted = is_encrypted;
        return in;
    }

    void respond(http_response&& r, bool is_last) {
        in_request_ = true;  // after an unreadable head, too: what comes behind it keeps no place
        is_last_ = is_last || context_.stopping;
        head_ = head_of(r, is_last_);
        body_ = std::move(r.body);
        limit(context_.longest_request);
        if (may_be_strangers(r.status) && !wait()) return close();
        write({asio::buffer(head_), asio::buffer(body_)});
    }

    /// A response mostly fits in the socket's buffer. Asio would tell so by way of its queue, and wake a thread for it.
    void write(std::array<asio::const_buffer, 2> parts) {
        if constexpr (!is_encrypted) {
            error_code ec;
            auto const written = socket().write_some(parts, ec);
            if (written == asio::buffer_size(parts)) return on_written({});
            auto const of_head = std::min(written, parts[0].size());
            parts[0] += of_head;
            parts[1] += written - of_head;
        }
        asio::async_write(stream_, parts, then(&session_of::on_written));
    }

    /// For a response whose loss costs its client nothing: nothing was stored, and it can be asked for again.
    bool may_be_strangers(int status) const {
        return status / 100 == 4 || request_.message.method == "OPTIONS" || context_.service.is_of_pages(request_);
    }

    void on_written(error_code ec) {
        body_ = {};
        if (!ec && !is_last_) return read_head();
        if (ec || !parser_ || parser_->is_done()) return close();
        error_code ignored;
        socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
        limit(drain_limit);
        drain();
    }

    /// Reads what a refused client still sends. If it met a closed socket, it would not see its response.
    void drain() {
        buffer_.clear();
        socket().async_read_some(buffer_.prepare(longest_head), then(&session_of::on_drained));
    }

    void on_drained(error_code ec) { ec ? close() : drain(); }

    /// True if its client is not idle: what it sent waits in the socket until a thread is free.
    bool has_unread_head() const noexcept {
        if (in_request_) return false;
        std::lock_guard const lock{mutex_};
        error_code ignored;
        return is_open_ && beast::get_lowest_layer(stream_).available(ignored) > 0;
    }

    /// Ends both directions, so that a pending call ends and the last reference to this goes. The close notification of
    /// TLS is not sent: the length of each response is in its head.
    void cut_off() noexcept {
        std::lock_guard const lock{mutex_};
        error_code ignored;
        if (is_open_) socket().shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    }

    void close() noexcept {
        cut_off();
        std::lock_guard const lock{mutex_};
        error_code ignored;
        socket().close(ignored);
        is_open_ = false;
    }

    session_context& context_;
    std::shared_ptr<void> place_;
    Stream stream_;
    beast::flat_buffer buffer_{buffer_size};
    std::optional<http::request_parser<http::string_body>> parser_{};
    incoming request_{};
    std::string head_{}, body_{};  ///< of the response
    bool is_last_ = false;
    std::string peer_{};
    std::atomic<bool> in_request_ = false;  ///< from the end of its head to that of its response
    std::atomic<steady::rep> state_ = at_work;
    std::atomic<steady::rep> limit_ = no_limit;
    mutable std::mutex mutex_;  // so that no other thread uses a socket that is being closed
    bool is_open_ = true;
};

}  // namespace

std::shared_ptr<session> make_session(session_socket socket, session_context& context, asio::ssl::context* tls,
                                      std::shared_ptr<void> place) {
    if (tls) return std::make_shared<session_of<tls_stream>>(context, std::move(place), std::move(socket), *tls);
    return std::make_shared<session_of<plain_stream>>(context, std::move(place), std::move(socket));
}

}  // namespace tablemap::detail::serve
