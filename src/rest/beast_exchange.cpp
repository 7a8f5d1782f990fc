// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_exchange.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tablemap::inline v0_1::detail {
namespace {

namespace http = boost::beast::http;

/// Answers that announce others, at most.
constexpr int most_interim = 16;

/// Reads from one connection before others have their turn: 4 MiB from a socket.
constexpr int reads_at_once = 64;

/// The most memory of a large head that a connection keeps for its next request.
constexpr std::size_t kept_head = 64 * 1024;

bool is_tls(http_origin const& o) noexcept { return o.scheme == "https"; }

std::string authority_of(http_origin const& o, bool with_port) {
    return bracketed(o.host) + (with_port ? ':' + o.port : std::string{});
}

bool has_own_port(http_origin const& o) noexcept { return o.port == (is_tls(o) ? "443" : "80"); }

std::string proxy_header(http_proxy const& p) {
    return p.user.empty() ? std::string{} : "Proxy-Authorization: " + p.authorization() + "\r\n";
}

std::pair<transport_errc, std::string> fault_of_exchange(boost::beast::error_code const& ec) {
    if (ec == http::error::body_limit) return {transport_errc::response_too_large, {}};
    if (ec == http::error::header_limit) return {transport_errc::response_too_large, "its head is larger than 32 KiB"};
    return {transport_errc::malformed_http, ec.message()};
}

}  // namespace

beast_settings::beast_settings(http_origin const& to, transport_options o)
    : origin(to),
      options(bounded(std::move(o))),
      proxy(proxy_in(options.proxy)),
      tls(is_tls(to) ? std::optional<tls_context>{std::in_place, options.ca_file} : std::nullopt),
      addresses(proxy ? proxy->host : to.host, proxy ? proxy->port : to.port) {
    check_origin(origin);
    if (!tls && !options.ca_file.empty()) tls_context{options.ca_file};  // a file that is none is wrong anyway
    common_headers = "Host: " + authority_of(origin, !has_own_port(origin)) + "\r\n";
    if (!proxy) return;
    auto const authority = authority_of(origin, true);
    if (tls) {
        tunnel = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + proxy_header(*proxy) + "\r\n";
    } else {
        target_prefix = "http://" + authority;
        common_headers += proxy_header(*proxy);
    }
}

// ---- the connection -------------------------------------------------------------------------------------------------

need beast_exchange::begin(std::unique_ptr<beast_connection> idle) noexcept {
    if (!idle || !idle->is_quiet()) {
        try {
            start_anew();
        } catch (std::exception const& e) {
            end(transport_errc::failed, e.what());
        }
        return run();
    }
    connection_ = std::move(idle);
    reused_ = true;
    return go_on();
}

void beast_exchange::start_anew() {
    connection_ = std::make_unique<beast_connection>();
    reused_ = false;
    write_failed_ = false;
    parser_.reset();
    connected_by_ = within(settings_.options.connect_timeout);
    addresses_ = settings_.addresses.known();
    address_ = 0;
    stage_ = stage::resolving;
}

need beast_exchange::go_on_with(address_list const& found) noexcept {
    if (stage_ != stage::resolving) return run();
    if (found->empty()) {
        end(transport_errc::name_not_found, settings_.proxy
                                                ? "check the host name of transport_options::proxy"
                                                : "check the endpoint's host name and this machine's name service");
    }
    addresses_ = found;
    return run();
}

need beast_exchange::go_on() noexcept { return run(); }

need beast_exchange::run() noexcept try {
    while (stage_ != stage::ended)
        if (auto const n = step()) return *n;
    return need::nothing;
} catch (std::exception const& e) {
    end(transport_errc::failed, e.what());
    return need::nothing;
}

std::optional<need> beast_exchange::step() {
    switch (stage_) {
    case stage::resolving: return addresses_ ? try_address() : need::addresses;
    case stage::connecting: return connecting();
    case stage::asking_proxy: return asking_proxy();
    case stage::hearing_proxy: return hearing_proxy();
    case stage::shaking_hands: return shaking_hands();
    case stage::writing: return writing();
    case stage::reading: return reading();
    case stage::ended: break;
    }
    return need::nothing;
}

std::optional<need> beast_exchange::try_address() {
    auto const now = std::chrono::steady_clock::now();
    auto const left = static_cast<int>(addresses_->size() - address_);
    address_by_ = now + (connected_by_ - now) / left;
    stage_ = stage::connecting;
    switch (connection_->connect((*addresses_)[address_])) {
    case io_status::done: connection_made(); return std::nullopt;
    case io_status::want_write: return need::writable;
    default: return next_address(connection_->why());
    }
}

std::optional<need> beast_exchange::next_address(int why) {
    if (++address_ < addresses_->size()) return try_address();
    auto reason = why == ETIMEDOUT ? std::string{"there was no response to the attempt to connect"}
                                   : std::generic_category().message(why);
    end(transport_errc::cannot_connect, settings_.proxy ? "the proxy: " + reason : std::move(reason));
    return need::nothing;
}

std::optional<need> beast_exchange::connecting() {
    if (connection_->connected() != io_status::done) return next_address(connection_->why());
    connection_made();
    return std::nullopt;
}

void beast_exchange::connection_made() {
    if (!settings_.tls) {
        stage_ = stage::writing;
    } else if (settings_.proxy) {
        unsent_head_ = settings_.tunnel;
        stage_ = stage::asking_proxy;
    } else {
        connection_->start_tls(*settings_.tls, settings_.origin.host);
        stage_ = stage::shaking_hands;
    }
}

std::optional<need> beast_exchange::asking_proxy() {
    while (!unsent_head_.empty()) {
        auto const r = connection_->write(unsent_head_, {});
        if (r.status == io_status::want_write) return need::writable;
        if (r.status != io_status::done) break;  // its response may tell
        unsent_head_.remove_prefix(r.bytes);
    }
    stage_ = stage::hearing_proxy;
    next_response();
    from_ = to_ = 0;
    return need::readable;
}

std::optional<need> beast_exchange::hearing_proxy() {
    auto const r = connection_->read(connection_->buffer.get() + to_, beast_connection::buffer_size - to_);
    if (r.status == io_status::want_read) return need::readable;
    if (r.status != io_status::done) {
        end(transport_errc::cannot_connect, "the proxy ended the connection");
        return need::nothing;
    }
    to_ += r.bytes;
    if (!parse()) return need::readable;
    if (stage_ == stage::ended) return need::nothing;
    auto const status = result_.response.status;
    bool const refused = status < 200 || status > 299;
    if (refused || from_ != to_) {
        end(transport_errc::cannot_connect,
            refused ? proxy_refusal(status) : "the proxy sent more than its response to CONNECT");
        return need::nothing;
    }
    parser_.reset();
    connection_->start_tls(*settings_.tls, settings_.origin.host);
    stage_ = stage::shaking_hands;
    return std::nullopt;
}

std::optional<need> beast_exchange::shaking_hands() {
    auto& tls = *connection_->tls();
    switch (tls.shake_hands()) {
    case io_status::done: stage_ = stage::writing; return std::nullopt;
    case io_status::want_read: return need::readable;
    case io_status::want_write: return need::writable;
    default: break;
    }
    if (tls.is_refused())
        end(transport_errc::tls_failed, tls.why());
    else
        end(transport_errc::cannot_connect, "the server ended the connection within the TLS handshake");
    return need::nothing;
}

time_point beast_exchange::limit() const noexcept {
    if (stage_ > stage::shaking_hands) return deadline_;
    return std::min(deadline_, stage_ == stage::connecting ? address_by_ : connected_by_);
}

need beast_exchange::time_is_up(time_point now) noexcept try {
    if (now >= deadline_) {
        end(at_deadline_);
        return need::nothing;
    }
    if (stage_ == stage::connecting && address_ + 1 < addresses_->size()) {
        if (auto const n = next_address(ETIMEDOUT)) return *n;
        return run();
    }
    end(transport_errc::cannot_connect, "no connection was made within transport_options::connect_timeout");
    return need::nothing;
} catch (std::exception const& e) {
    end(transport_errc::failed, e.what());
    return need::nothing;
}

void beast_exchange::end(std::error_code why, std::string reason) noexcept {
    if (stage_ == stage::ended) return;
    bool const may_be_applied = stage_ >= stage::writing && request_->changes_state() && sent() > 0;
    result_.response = {};
    result_.failure.emplace(why, error_details{.reason = std::move(reason),
                                               .outcome = may_be_applied ? outcome::in_doubt : outcome::not_applied});
    connection_.reset();
    stage_ = stage::ended;
}

// ---- the request ----------------------------------------------------------------------------------------------------

void beast_exchange::prepare_message() {
    auto const& r = *request_;
    auto& h = connection_->head;
    h.clear();
    h.append(r.method).append(" ").append(settings_.target_prefix).append(r.target).append(" HTTP/1.1\r\n");
    h.append(settings_.common_headers);
    for (auto const& [name, value] : r.headers) h.append(name).append(": ").append(value).append("\r\n");
    if (r.changes_state() || !r.body.empty()) {
        char digits[20];
        auto* const last = std::to_chars(digits, std::end(digits), r.body.size()).ptr;
        h.append("Content-Length: ").append(digits, last).append("\r\n");
    }
    h.append("\r\n");
    unsent_body_ = r.body;
    if (settings_.tls) {
        h.append(r.body);
        unsent_body_ = {};
    }
    unsent_head_ = h;
    took_before_ = connection_->socket_took();
}

std::optional<need> beast_exchange::writing() {
    if (!parser_) {
        prepare_message();
        next_response();
        from_ = to_ = received_ = 0;
    }
    while (!is_sent()) {
        auto const r = connection_->write(unsent_head_, unsent_body_);
        if (r.status == io_status::want_write) return hear(need::either);  // it may have been refused already
        if (r.status == io_status::want_read) return need::readable;
        if (r.status != io_status::done) {
            write_failed_ = true;  // the server may have answered before it closed
            break;
        }
        auto const of_head = std::min(r.bytes, unsent_head_.size());
        unsent_head_.remove_prefix(of_head);
        unsent_body_.remove_prefix(r.bytes - of_head);
    }
    stage_ = stage::reading;
    if (write_failed_) return std::nullopt;
    return need::readable;
}

// ---- the response ---------------------------------------------------------------------------------------------------

void beast_exchange::next_response() {
    result_.response = {};
    result_.response.headers.reserve(16);
    bool const body_follows = stage_ != stage::hearing_proxy && request_->method != "HEAD";
    parser_.emplace(result_.response, settings_.options.largest_response, body_follows);
}

/// Reads the bytes that have come. Returns `otherwise` if the response is not whole yet and nothing is left to read.
std::optional<need> beast_exchange::hear(need otherwise) {
    for (int i = 0; i < reads_at_once; ++i) {
        auto const room = beast_connection::buffer_size - to_;
        auto const r = connection_->read(connection_->buffer.get() + to_, room);
        if (r.status == io_status::want_write) return need::writable;
        if (r.status == io_status::want_read && !write_failed_) return otherwise;
        if (r.status != io_status::done) return lost(r.status);
        to_ += r.bytes;
        received_ += r.bytes;
        if (parse()) {
            if (stage_ != stage::ended) answered();
            return need::nothing;
        }
        if (received_ / most_around_a_body > largest_head &&
            received_ / most_around_a_body - largest_head > settings_.options.largest_response) {
            end(transport_errc::response_too_large, "there is too much around its body");
            return need::nothing;
        }
        // A socket that gave less than there was room for is empty; TLS gives a record at a time.
        if (!settings_.tls && r.bytes < room) return otherwise;
    }
    return need::turn;
}

/// True once the response is complete, or cannot be.
bool beast_exchange::parse() {
    auto* const buffer = connection_->buffer.get();
    while (from_ < to_) {
        boost::beast::error_code ec;
        auto const n = parser_->put(boost::asio::const_buffer{buffer + from_, to_ - from_}, ec);
        from_ += n;
        if (ec && ec != http::error::need_more) {
            auto fault = fault_of_exchange(ec);
            end(fault.first, std::move(fault.second));
            return true;
        }
        if (parser_->is_done()) {
            if (!parser_->is_interim()) return true;
            if (result_.response.status == 101 || ++interim_ > most_interim) {
                end(transport_errc::malformed_http, "its status is no final one");
                return true;
            }
            next_response();
        } else if (ec || n == 0) {
            break;
        }
    }
    if (from_ == 0 && to_ == beast_connection::buffer_size) {
        end(transport_errc::malformed_http, "a line of it is longer than 64 KiB");
        return true;
    }
    std::memmove(buffer, buffer + from_, to_ - from_);
    to_ -= from_;
    from_ = 0;
    return false;
}

std::optional<need> beast_exchange::lost(io_status how) {
    boost::beast::error_code ec;
    bool const heard = to_ > 0 || parser_->got_some() || interim_ > 0;
    bool const in_body = heard && parser_->is_header_done();
    if (how == io_status::ended && in_body && parser_->need_eof()) {
        parser_->put_eof(ec);
        if (!ec) {
            answered();
            return need::nothing;
        }
    }
    bool const never_left = sent() == 0;
    if (reused_ && !tried_again_ && !heard && (never_left || !request_->changes_state())) {
        tried_again_ = true;
        start_anew();
        return std::nullopt;
    }
    end(in_body ? transport_errc::response_cut_short : transport_errc::connection_lost);
    return need::nothing;
}

void beast_exchange::answered() {
    auto const status = result_.response.status;
    if (settings_.proxy && !settings_.tls && status == proxy_authentication_required) {
        took_before_ = connection_->socket_took();  // the request came no farther than the proxy
        return end(transport_errc::cannot_connect, proxy_refusal(status));
    }
    if (status < 200) return end(transport_errc::malformed_http, "its status is no final one");
    if (!has_one_etag_at_most(result_.response))
        return end(transport_errc::malformed_http, "its ETag is not one entity tag");
    if (!parser_->keep_alive() || !is_sent() || from_ != to_) connection_.reset();
    if (connection_ && connection_->head.capacity() > kept_head) connection_->head = {};
    stage_ = stage::ended;
}

}  // namespace tablemap::detail
