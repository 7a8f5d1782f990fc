// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/cpprest_transport.hpp"

#include "rest/transport_settings.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/http_client.h>
#include <pplx/threadpool.h>

#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unordered_set>

// How a request travels:
//
//   core       the queue, and at most `connections` connections
//   exchange   a request from send() until its receiver was called; may outlive its call by a deadline
//   attempt    one try of an exchange on one connection; an exchange has a second one only if the server cannot have
//              the first one's request
//   connection one http_client, which is used by one attempt at a time and therefore holds one socket at most
//
// What cpprestsdk 2.10 does that this must know of:
//
// - On a reused socket that dies before the answer it sends the request again, whatever the method, if the body's
//   stream can seek or there is none. Writes go out with a stream that cannot, and then it fails instead.
// - In that case it also puts a socket that was never connected into its pool, where the next request finds it. A
//   client that failed is therefore thrown away.
// - A socket goes back to the pool when the last reference to the request's context is gone, which may be after the
//   answer was reported. An attempt ends with both, so that the next request finds the socket.
// - A cancelled request reports nothing but the cancellation, so errors do not tell how far it came. The progress
//   handler does: it is called for the first time once the request's head was handed to the socket entirely. Until then
//   the server cannot have a request that it could carry out.
// - Its time-out starts anew with each step, so deadlines are timers of this file.

namespace tablemap {
namespace {

namespace http = web::http;
namespace streams = concurrency::streams;
namespace asio = boost::asio;

constexpr std::size_t chunk_size = 1024 * 1024;

/// How long a cancelled request may take to say what became of it; only a look-up of a name takes longer than an
/// instant.
constexpr std::chrono::milliseconds grace{250};

struct idle_connection_was_closed {};
struct answer_too_large {};

error failure(std::error_code code, std::string reason, outcome o) {
    return error{code, {.reason = std::move(reason), .outcome = o}};
}

// ---- bodies ---------------------------------------------------------------------------------------------------------

/// A stream that is read or written in blocks, once, from its begin to its end: all that an HTTP client needs.
class block_stream : public streams::details::basic_streambuf<std::uint8_t> {
public:
    bool can_read() const override { return false; }
    bool can_write() const override { return false; }
    bool can_seek() const override { return false; }
    bool has_size() const override { return false; }
    bool is_eof() const override { return false; }
    bool is_open() const override { return true; }
    std::size_t buffer_size(std::ios_base::openmode) const override { return 0; }
    void set_buffer_size(std::size_t, std::ios_base::openmode) override {}
    std::size_t in_avail() const override { return 0; }
    utility::size64_t size() const override { return 0; }
    std::exception_ptr exception() const override { return nullptr; }

    pplx::task<void> close(std::ios_base::openmode) override { return pplx::task_from_result(); }
    pplx::task<void> close(std::ios_base::openmode, std::exception_ptr) override { return pplx::task_from_result(); }
    pplx::task<void> sync() override { return pplx::task_from_result(); }

    pplx::task<int_type> putc(std::uint8_t) override { return no_character(); }
    pplx::task<std::size_t> putn(std::uint8_t const* from, std::size_t n) override { return putn_nocopy(from, n); }
    pplx::task<std::size_t> putn_nocopy(std::uint8_t const*, std::size_t) override { return nothing(); }
    pplx::task<std::size_t> getn(std::uint8_t*, std::size_t) override { return nothing(); }

    pplx::task<int_type> bumpc() override { return no_character(); }
    pplx::task<int_type> getc() override { return no_character(); }
    pplx::task<int_type> nextc() override { return no_character(); }
    pplx::task<int_type> ungetc() override { return no_character(); }
    int_type sbumpc() override { return traits::eof(); }
    int_type sgetc() override { return traits::eof(); }
    std::size_t scopy(std::uint8_t*, std::size_t) override { return 0; }

    pos_type getpos(std::ios_base::openmode) const override { return traits::eof(); }
    pos_type seekpos(pos_type, std::ios_base::openmode) override { return traits::eof(); }
    pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override { return traits::eof(); }

    std::uint8_t* alloc(std::size_t) override { return nullptr; }
    void commit(std::size_t) override {}
    bool acquire(std::uint8_t*&, std::size_t&) override { return false; }
    void release(std::uint8_t*, std::size_t) override {}

private:
    static pplx::task<int_type> no_character() { return pplx::task_from_result<int_type>(traits::eof()); }
    static pplx::task<std::size_t> nothing() { return pplx::task_from_result<std::size_t>(0); }
};

/// The body of a request. A copy: cpprestsdk may hold on to it for longer than the caller waits.
class sent_body final : public block_stream {
public:
    explicit sent_body(std::string text) : text_(std::move(text)) {}

    bool can_read() const override { return true; }
    std::size_t in_avail() const override { return text_.size() - begin_; }
    pplx::task<std::size_t> getn(std::uint8_t* to, std::size_t n) override {
        n = std::min(n, in_avail());
        if (n > 0) std::memcpy(to, text_.data() + begin_, n);
        begin_ += n;
        return pplx::task_from_result(n);
    }

private:
    std::string const text_;
    std::size_t begin_ = 0;
};

/// The body of an answer, refused as soon as it exceeds the limit.
class received_body final : public block_stream {
public:
    explicit received_body(std::size_t limit) : limit_(limit) {}

    bool can_write() const override { return true; }
    pplx::task<std::size_t> putn_nocopy(std::uint8_t const* from, std::size_t n) override {
        if (n > limit_ - text.size()) return pplx::task_from_exception<std::size_t>(answer_too_large{});
        text.append(reinterpret_cast<char const*>(from), n);
        return pplx::task_from_result(n);
    }

    std::string text;

private:
    std::size_t const limit_;
};

// ---- connections ----------------------------------------------------------------------------------------------------

/// An http_client for one request at a time.
class connection {
public:
    connection(web::uri const& base, transport_options const& options)
        : client_(base, configuration(base.scheme() == "https", options, state_)) {}

    /// True if cpprestsdk asks a proxy for a way to the server, on every new socket: the handle that it shows is that of
    /// the socket or of TLS then, without a word which, so that such a connection is used once.
    static bool is_tunnelled(web::uri const& base, transport_options const& options) {
        return base.scheme() == "https" && !options.proxy.empty();
    }

    std::chrono::steady_clock::time_point idle_since{};

    http::client::http_client& client() noexcept { return client_; }

    /// True if the last request found an open socket.
    bool reused() const noexcept { return state_->reused; }

private:
    struct state {
        std::atomic<bool> reused{false};
    };

    static http::client::http_client_config configuration(bool tls, transport_options const& options,
                                                          std::shared_ptr<state> const& s) {
        http::client::http_client_config c;
        c.set_chunksize(chunk_size);
        c.set_timeout(std::chrono::hours{24});
        c.set_max_redirects(0);
        if (auto const proxy = detail::proxy_in(options.proxy)) c.set_proxy(as_cpprest(*proxy));
        if (!tls || options.proxy.empty())
            c.set_nativehandle_options([s, tls](http::client::native_handle handle) { look_at(handle, tls, *s); });
        if (tls)
            c.set_ssl_context_callback([ca_file = options.ca_file](asio::ssl::context& context) {
                context.set_options(asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 |
                                    asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
                if (!ca_file.empty()) context.load_verify_file(ca_file);
            });
        return c;
    }

    static web::web_proxy as_cpprest(detail::http_proxy const& p) {
        web::web_proxy proxy{"http://" + detail::bracketed(p.host) + ':' + p.port};
        if (!p.user.empty()) proxy.set_credentials({p.user, p.password});
        return proxy;
    }

    /// Called with the socket of a request before anything is sent on it. An idle socket has nothing to read: if it
    /// has, the server closed it, or speaks out of turn, and throwing here ends the request with nothing sent.
    static void look_at(http::client::native_handle handle, bool tls, state& s) {
        using socket_type = asio::ip::tcp::socket;
        auto& socket = tls ? static_cast<asio::ssl::stream<socket_type&>*>(handle)->next_layer()
                           : *static_cast<socket_type*>(handle);
        s.reused = socket.is_open();
        if (!s.reused) return;
        char c = 0;
        auto const n = ::recv(socket.native_handle(), &c, 1, MSG_PEEK | MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
        throw idle_connection_was_closed{};
    }

    std::shared_ptr<state> const state_ = std::make_shared<state>();
    http::client::http_client client_;
};

// ---- attempts -------------------------------------------------------------------------------------------------------

class exchange;

/// What went wrong in an attempt.
struct fault {
    std::error_code code;
    std::string reason{};
    bool at_proxy = false;  ///< the request came no farther
};

class attempt {
public:
    attempt(std::shared_ptr<exchange> of, std::shared_ptr<connection> on, std::size_t largest_answer,
            bool proxy_may_answer)
        : of_(std::move(of)),
          on_(std::move(on)),
          received_(std::make_shared<received_body>(largest_answer)),
          proxy_may_answer_(proxy_may_answer) {}

    /// Begins to send. `exchange::settle` is called once, when cpprestsdk has let go of everything; maybe within this
    /// call.
    static void send(std::shared_ptr<attempt> const& a, http::http_request message) noexcept {
        try {
            auto m = std::move(message);
            m.set_response_stream(streams::ostream{streams::streambuf<std::uint8_t>{a->received_}});
            m.set_progress_handler([end = std::make_shared<end_of_request>(a)](auto direction, auto) {
                if (direction == http::message_direction::upload) end->of->head_sent_ = true;
            });
            a->answer_ = a->on_->client().request(std::move(m), a->cancellation_.get_token());
        } catch (...) {
            a->answer_ = pplx::task_from_exception<http::http_response>(std::current_exception());
        }
        a->part_ended();
    }

    void cancel() noexcept {
        try {
            cancellation_.cancel();
        } catch (...) {
            // Out of memory: the caller does not wait for ever, see `grace`.
        }
    }

    /// Once settled: the answer, or what went wrong.
    std::optional<fault> take(http_response& to) noexcept;

    bool head_sent() const noexcept { return head_sent_; }
    std::chrono::steady_clock::time_point begun() const noexcept { return begun_; }
    bool found_open_socket() const noexcept { return on_->reused(); }
    bool found_dead_socket() const noexcept { return found_dead_socket_; }
    std::shared_ptr<connection> const& used_connection() const noexcept { return on_; }

private:
    /// Owned by the request, which is owned by cpprestsdk.
    struct end_of_request {
        explicit end_of_request(std::shared_ptr<attempt> a) : of(std::move(a)) { ++of->parts_; }
        ~end_of_request() { of->part_ended(); }
        std::shared_ptr<attempt> const of;
    };

    void part_ended() noexcept;

    std::shared_ptr<exchange> const of_;
    std::shared_ptr<connection> const on_;
    std::shared_ptr<received_body> const received_;
    bool const proxy_may_answer_;
    std::chrono::steady_clock::time_point const begun_ = std::chrono::steady_clock::now();
    pplx::cancellation_token_source cancellation_;
    pplx::task<http::http_response> answer_;
    std::atomic<int> parts_{1};
    std::atomic<bool> head_sent_{false};
    bool found_dead_socket_ = false;
};

/// cpprestsdk tells its failures apart by their text alone: its numbers say 113 (no route) for a refused connection,
/// 110 for whatever was slow, and forget the category they came from.
fault fault_of(http::http_exception const& e) {
    std::string_view const text = e.what();
    auto const number = e.error_code().value();
    auto const begins = [&](std::string_view s) { return text.substr(0, s.size()) == s; };

    if (begins("Error resolving address") || begins("Failed to resolve address"))
        return {transport_errc::name_not_found, "check the endpoint's host name and this machine's name service"};
    if (begins("Expected a 200 response from proxy"))
        return {transport_errc::cannot_connect, text.find("407") == text.npos
                                                    ? "the proxy did not connect to the endpoint"
                                                    : detail::proxy_refusal(detail::proxy_authentication_required)};
    if (text.find("proxy") != text.npos) return {transport_errc::cannot_connect, "the proxy ended the connection"};
    if (begins("Failed to connect"))
        return {transport_errc::cannot_connect, number == ETIMEDOUT ? "there was no answer to the attempt to connect"
                                                                    : "the connection was refused or there is no way"};
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
        return {transport_errc::answer_cut_short};
    if (begins("Invalid HTTP status line") || begins("Invalid chunked response"))
        return {transport_errc::malformed_http};
    return {transport_errc::failed, std::string{text}};
}

std::optional<fault> attempt::take(http_response& to) noexcept try {
    // Both are there, or the thread pool went away.
    if (!answer_.is_done()) return fault{transport_errc::connection_lost};
    auto const answer = answer_.get();
    auto const body = pplx::create_task(answer._get_impl()->_get_data_available());
    if (!body.is_done()) return fault{transport_errc::answer_cut_short};
    body.get();

    if (answer.status_code() < 200 || answer.status_code() > 999)
        return fault{transport_errc::malformed_http, "its status is no final one"};
    if (proxy_may_answer_ && answer.status_code() == detail::proxy_authentication_required)
        return fault{transport_errc::cannot_connect, detail::proxy_refusal(answer.status_code()), true};
    to.status = answer.status_code();
    for (auto const& [name, value] : answer.headers()) to.headers.emplace_back(name, value);
    to.body = std::move(received_->text);
    return std::nullopt;
} catch (idle_connection_was_closed const&) {
    found_dead_socket_ = true;
    return fault{transport_errc::connection_lost};
} catch (answer_too_large const&) {
    return fault{transport_errc::answer_too_large};
} catch (http::http_exception const& e) {
    return fault_of(e);
} catch (std::exception const& e) {
    return fault{transport_errc::failed, e.what()};
} catch (...) {
    return fault{transport_errc::failed};
}

// ---- the core -------------------------------------------------------------------------------------------------------

class core : public std::enable_shared_from_this<core> {
public:
    core(http_origin const& origin, transport_options options);

    void submit(std::shared_ptr<exchange> const& x);

    /// Completes every outstanding request and waits for receivers that are being called by other threads.
    void close() noexcept;

    /// Calls the receiver.
    void complete(std::shared_ptr<exchange> const& x, http_receiver& to, http_result&& result) noexcept;

    /// Takes a connection back, null for one that failed, and begins what waits for it.
    void release(std::shared_ptr<connection> c) noexcept;

    std::shared_ptr<connection> new_connection() const { return std::make_shared<connection>(base_, options_); }
    transport_options const& options() const noexcept { return options_; }

    /// A proxy that sees the requests may answer them.
    bool proxy_may_answer() const { return !options_.proxy.empty() && base_.scheme() == "http"; }

private:
    /// One call of a receiver on this thread; a receiver may end the transport.
    struct call {
        core const* of;
        call const* outer;
    };
    static thread_local call const* innermost_call;
    static thread_local core const* pumped;

    void pump() noexcept;
    std::vector<std::shared_ptr<connection>> take_old();

    web::uri base_;
    transport_options const options_;

    std::mutex mutex_;
    std::condition_variable call_returned_;
    std::deque<std::shared_ptr<exchange>> waiting_;
    std::unordered_set<std::shared_ptr<exchange>> outstanding_;
    std::vector<std::shared_ptr<connection>> idle_;  // the last one was used last
    std::size_t busy_ = 0;
    std::size_t calls_ = 0;
    bool closed_ = false;
};

thread_local core::call const* core::innermost_call = nullptr;
thread_local core const* core::pumped = nullptr;

/// The transports of this process. Constructed behind cpprestsdk's thread pool and therefore destroyed before it: what
/// a program leaves to its last static destructors must not find the pool gone.
class living_transports {
public:
    static living_transports& instance() {
        // OpenSSL is first for the same reason: it must be there until the pool's threads, which hold state of it, have
        // ended.
        static asio::ssl::context const openssl{asio::ssl::context::tls_client};
        auto const threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
        try {
            crossplat::threadpool::initialize_with_threads(threads);
        } catch (std::runtime_error const&) {
            // The program has set its own, or uses cpprestsdk already.
        }
        static living_transports all;
        return all;
    }
    ~living_transports() {
        for (auto const& weak : all_)
            if (auto const c = weak.lock()) c->close();
    }
    void add(std::weak_ptr<core> c) {
        std::lock_guard const lock{mutex_};
        std::erase_if(all_, [](auto const& weak) { return weak.expired(); });
        all_.push_back(std::move(c));
    }

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<core>> all_;
};

asio::io_service& pool() { return crossplat::threadpool::shared_instance().service(); }

// ---- exchanges ------------------------------------------------------------------------------------------------------

class exchange : public std::enable_shared_from_this<exchange> {
public:
    exchange(std::shared_ptr<core> c, http_request const& r, http_receiver& to)
        : core_(std::move(c)), changes_state_(r.changes_state()), request_(&r), to_(&to) {}

    /// Ends the request at its deadline or when a stop is requested.
    void watch(call_options const& o, std::chrono::nanoseconds left);

    /// Begins an attempt, unless the request has ended.
    bool start(std::shared_ptr<connection> on);

    /// The attempt has ended.
    void settle(attempt& a) noexcept;

    /// Ends the request for this reason. `at_once` does not let a running attempt say what became of it.
    void abort(fault why, bool at_once = false) noexcept;

    /// The receiver gets the first of several results.
    void finish(http_result&& result) noexcept;
    void finish(fault const& why, outcome o) noexcept { finish({.failure = failure(why.code, why.reason, o)}); }

private:
    struct stop_requested {
        std::weak_ptr<exchange> weak;
        void operator()() const noexcept {
            // On another thread, so that request_stop() calls no receiver.
            try {
                asio::post(pool(), [weak = weak] {
                    if (auto const x = weak.lock()) x->abort({library_errc::cancelled});
                });
            } catch (...) {
                // Out of memory: the request ends at its deadline.
            }
        }
    };

    http::http_request message() const;
    void set_timer(std::chrono::nanoseconds after, void (exchange::*then)());
    void time_is_up();
    std::optional<std::chrono::steady_clock::time_point> next_look(std::chrono::steady_clock::time_point now) const;
    void give_up();

    std::shared_ptr<core> const core_;
    bool const changes_state_;
    fault at_deadline_{library_errc::deadline_exceeded};
    std::chrono::steady_clock::time_point deadline_{};

    std::mutex mutex_;
    http_request const* request_;  // until finished
    http_receiver* to_;            // until finished
    std::optional<asio::steady_timer> timer_;
    std::unique_ptr<std::stop_callback<stop_requested>> stop_;
    std::shared_ptr<attempt> running_;
    std::optional<fault> why_;
    bool tried_again_ = false;
    bool finished_ = false;
};

void attempt::part_ended() noexcept {
    if (--parts_ == 0) of_->settle(*this);
}

bool breaks_line(std::string const& text) noexcept {
    return std::any_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

http::http_request exchange::message() const {
    auto const& r = *request_;
    http::http_request m{r.method};

    // cpprestsdk parses the target and writes it anew: what it would change is refused, for a signature covers these
    // bytes.
    web::uri target{r.target};
    if (!r.target.starts_with('/') || r.target.starts_with("//") || !target.fragment().empty() ||
        target.to_string() != r.target)
        throw failure(transport_errc::invalid_request, "the target would be changed", outcome::not_applied);
    m.set_request_uri(target);

    auto& headers = m.headers();
    for (auto const& [name, value] : r.headers) {
        if (breaks_line(name) || breaks_line(value))
            throw failure(transport_errc::invalid_request, "a header holds a line break", outcome::not_applied);
        headers.add(name, value);
    }
    if (r.changes_state() || !r.body.empty()) {
        bool const typed = headers.has(http::header_names::content_type);
        m.set_body(streams::istream{streams::streambuf<std::uint8_t>{std::make_shared<sent_body>(r.body)}},
                   r.body.size(), "application/json");
        if (!typed) headers.remove(http::header_names::content_type);
    }
    return m;
}

void exchange::watch(call_options const& o, std::chrono::nanoseconds left) {
    std::lock_guard const lock{mutex_};
    if (finished_) return;
    if (!o.deadline) at_deadline_ = {transport_errc::timed_out};
    timer_.emplace(pool());
    deadline_ =
        std::chrono::steady_clock::now() + std::min<std::chrono::nanoseconds>(left, std::chrono::hours{24 * 365});
    set_timer(std::min<std::chrono::nanoseconds>(left, core_->options().connect_timeout), &exchange::time_is_up);
    if (o.stop.stop_possible())
        stop_ = std::make_unique<std::stop_callback<stop_requested>>(o.stop, stop_requested{weak_from_this()});
}

void exchange::set_timer(std::chrono::nanoseconds after, void (exchange::*then)()) {
    timer_->expires_after(std::chrono::duration_cast<asio::steady_timer::duration>(after));
    timer_->async_wait([weak = weak_from_this(), then](boost::system::error_code const& ec) {
        if (ec) return;
        if (auto const x = weak.lock()) ((*x).*then)();
    });
}

/// When to look again whether time is up; nothing if the attempt should have made its connection by now.
std::optional<std::chrono::steady_clock::time_point>
exchange::next_look(std::chrono::steady_clock::time_point now) const {
    if (running_ && running_->head_sent()) return deadline_;
    auto const connected_by = (running_ ? running_->begun() : now) + core_->options().connect_timeout;
    if (connected_by <= now) return std::nullopt;
    return std::min(deadline_, connected_by);
}

void exchange::time_is_up() {
    auto const now = std::chrono::steady_clock::now();
    if (now >= deadline_) return abort(at_deadline_);
    {
        std::lock_guard const lock{mutex_};
        if (finished_ || why_) return;
        if (auto const at = next_look(now)) return set_timer(*at - now, &exchange::time_is_up);
    }
    abort({transport_errc::cannot_connect, "no connection was made within transport_options::connect_timeout"});
}

bool exchange::start(std::shared_ptr<connection> on) {
    std::shared_ptr<attempt> a;
    http::http_request m;
    {
        std::lock_guard const lock{mutex_};
        if (finished_ || why_) return false;
        m = message();
        a = std::make_shared<attempt>(shared_from_this(), std::move(on), core_->options().largest_answer,
                                      core_->proxy_may_answer());
        running_ = a;
    }
    attempt::send(a, std::move(m));
    return true;
}

void exchange::settle(attempt& a) noexcept {
    auto const self = shared_from_this();
    http_result result;
    auto wrong = a.take(result.response);
    bool again = false;
    {
        std::lock_guard const lock{mutex_};
        running_.reset();
        if (wrong && why_) {
            wrong = why_;
        } else if (wrong && !a.head_sent() && (a.found_dead_socket() || a.found_open_socket()) && !tried_again_) {
            // The socket had died in the pool before the request's head was out, so that the server has no request.
            again = tried_again_ = true;
        }
    }
    if (again) {
        try {
            if (start(core_->new_connection())) return;
        } catch (...) {
            // Out of memory: the first failure is as good.
        }
    }
    core_->release(wrong ? nullptr : a.used_connection());
    if (wrong)
        finish(*wrong, changes_state_ && a.head_sent() && !wrong->at_proxy ? outcome::in_doubt : outcome::not_applied);
    else
        finish(std::move(result));
}

void exchange::abort(fault why, bool at_once) noexcept {
    std::shared_ptr<attempt> running;
    {
        std::lock_guard const lock{mutex_};
        if (finished_) return;
        if (!why_) why_ = std::move(why);
        running = running_;
        if (running && !at_once) set_timer(grace, &exchange::give_up);
    }
    if (running) running->cancel();
    if (!running)
        finish(*why_, outcome::not_applied);
    else if (at_once)
        give_up();
}

void exchange::give_up() { finish(*why_, changes_state_ ? outcome::in_doubt : outcome::not_applied); }

void exchange::finish(http_result&& result) noexcept {
    std::unique_ptr<std::stop_callback<stop_requested>> stop;
    http_receiver* to = nullptr;
    {
        std::lock_guard const lock{mutex_};
        if (finished_) return;
        finished_ = true;
        to = std::exchange(to_, nullptr);
        request_ = nullptr;
        stop = std::move(stop_);
        timer_.reset();
    }
    stop.reset();
    core_->complete(shared_from_this(), *to, std::move(result));
}

// ---- the core: what it does -----------------------------------------------------------------------------------------

core::core(http_origin const& origin, transport_options options) : options_(detail::bounded(std::move(options))) {
    if (origin.host.find(':') != std::string::npos)
        throw error{library_errc::unsupported,
                    {.reason = "cpprestsdk cannot connect to an IPv6 address, only to a name"}};
    try {
        base_ = web::uri{origin.scheme + "://" + origin.host + ':' + origin.port};
    } catch (web::uri_exception const&) {
        throw error{library_errc::invalid_connection_string, {.reason = "the endpoint is no URL"}};
    }
    detail::proxy_in(options_.proxy);
    if (options_.ca_file.empty()) return;
    boost::system::error_code ec;
    asio::ssl::context{asio::ssl::context::tls_client}.load_verify_file(options_.ca_file, ec);
    if (ec) throw error{transport_errc::tls_failed, {.reason = "the CA file holds no certificates or cannot be read"}};
}

void core::submit(std::shared_ptr<exchange> const& x) {
    {
        std::lock_guard const lock{mutex_};
        if (closed_) throw failure(library_errc::cancelled, "the transport was closed", outcome::not_applied);
        outstanding_.insert(x);
        waiting_.push_back(x);
    }
    pump();
}

/// Connections that were idle for too long. Called with the lock held.
std::vector<std::shared_ptr<connection>> core::take_old() {
    auto const now = std::chrono::steady_clock::now();
    auto const young = std::find_if(idle_.begin(), idle_.end(),
                                    [&](auto const& c) { return now - c->idle_since <= options_.idle_limit; });
    std::vector<std::shared_ptr<connection>> old{std::move_iterator{idle_.begin()}, std::move_iterator{young}};
    idle_.erase(idle_.begin(), young);
    return old;
}

void core::pump() noexcept {
    if (pumped == this) return;  // the loop below goes on
    auto const outer = std::exchange(pumped, this);
    for (;;) {
        std::shared_ptr<exchange> x;
        std::shared_ptr<connection> c;
        std::vector<std::shared_ptr<connection>> old;  // closed without the lock
        {
            std::lock_guard const lock{mutex_};
            if (waiting_.empty() || busy_ >= std::max<std::size_t>(options_.connections, 1)) break;
            x = std::move(waiting_.front());
            waiting_.pop_front();
            ++busy_;
            old = take_old();
            if (!idle_.empty()) {
                c = std::move(idle_.back());
                idle_.pop_back();
            }
        }
        try {
            if (!c) c = new_connection();
            if (!x->start(c)) release(std::move(c));
        } catch (error const& e) {
            release(std::move(c));
            x->finish({.failure = e});
        } catch (web::uri_exception const&) {
            release(std::move(c));
            x->finish({transport_errc::invalid_request, "the target is no encoded path and query"},
                      outcome::not_applied);
        } catch (std::exception const& e) {
            release(std::move(c));
            x->finish({transport_errc::failed, e.what()}, outcome::not_applied);
        }
    }
    pumped = outer;
}

void core::release(std::shared_ptr<connection> c) noexcept {
    {
        std::lock_guard const lock{mutex_};
        --busy_;
        if (c && !closed_ && !connection::is_tunnelled(base_, options_)) {
            c->idle_since = std::chrono::steady_clock::now();
            idle_.push_back(std::move(c));
        }
    }
    pump();
}

void core::complete(std::shared_ptr<exchange> const& x, http_receiver& to, http_result&& result) noexcept {
    {
        std::lock_guard const lock{mutex_};
        outstanding_.erase(x);
        ++calls_;
    }
    call const here{this, innermost_call};
    innermost_call = &here;
    to.complete(std::move(result));
    innermost_call = here.outer;
    {
        std::lock_guard const lock{mutex_};
        --calls_;
    }
    call_returned_.notify_all();
}

void core::close() noexcept {
    decltype(outstanding_) outstanding;
    decltype(idle_) idle;
    {
        std::lock_guard const lock{mutex_};
        closed_ = true;
        outstanding = outstanding_;
        waiting_.clear();
        idle.swap(idle_);
    }
    for (auto const& x : outstanding) x->abort({library_errc::cancelled, "the transport was closed"}, true);
    idle.clear();

    std::size_t own = 0;
    for (auto const* c = innermost_call; c; c = c->outer) own += c->of == this ? 1 : 0;
    std::unique_lock lock{mutex_};
    call_returned_.wait(lock, [&] { return calls_ <= own; });
}

// ---- the transport --------------------------------------------------------------------------------------------------

class cpprest_transport final : public transport {
public:
    cpprest_transport(http_origin const& origin, transport_options const& options)
        : core_(std::make_shared<core>(origin, options)) {}
    ~cpprest_transport() override { core_->close(); }
    cpprest_transport(cpprest_transport const&) = delete;
    cpprest_transport& operator=(cpprest_transport const&) = delete;

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        // Once there is an exchange, it alone may call the receiver.
        std::shared_ptr<exchange> x;
        http_result result;
        try {
            std::call_once(registered_, [&] { living_transports::instance().add(core_); });
            x = std::make_shared<exchange>(core_, r, to);
            if (o.stop.stop_requested()) throw failure(library_errc::cancelled, {}, outcome::not_applied);
            auto const left = time_left(o);
            if (left <= std::chrono::nanoseconds::zero())
                throw failure(library_errc::deadline_exceeded, {}, outcome::not_applied);
            x->watch(o, left);
            core_->submit(x);
            return;
        } catch (error const& e) {
            result.failure = e;
        } catch (std::exception const& e) {
            result.failure = failure(transport_errc::failed, e.what(), outcome::not_applied);
        }
        x ? x->finish(std::move(result)) : to.complete(std::move(result));
    }

private:
    std::chrono::nanoseconds time_left(call_options const& o) const {
        if (!o.deadline) return core_->options().longest_request;
        return *o.deadline - (o.clock ? *o.clock : clock::system()).now();
    }

    std::shared_ptr<core> const core_;
    std::once_flag registered_;
};

}  // namespace

std::shared_ptr<transport> make_cpprest_transport(http_origin const& origin, transport_options const& options) {
    return std::make_shared<cpprest_transport>(origin, options);
}

}  // namespace tablemap
