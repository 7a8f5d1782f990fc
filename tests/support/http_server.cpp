// SPDX-License-Identifier: Apache-2.0
#include "support/http_server.hpp"

#include "support/http_reader.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace tablemap::test {
namespace {

/// Nothing once the peer has closed.
std::optional<seen_request> next_request(http_reader& from) {
    auto const head = from.head();
    if (!head) return std::nullopt;
    auto body = from.body(*head);
    if (!body) return std::nullopt;
    auto const& line = head->first_line;
    auto const first = line.find(' ');
    auto const last = line.rfind(' ');
    return seen_request{.method = line.substr(0, first),
                        .target = line.substr(first + 1, last - first - 1),
                        .headers = head->headers,
                        .body = *std::move(body)};
}

}  // namespace

std::string seen_request::header(std::string_view lower_case_name) const {
    for (auto const& [name, value] : headers)
        if (name == lower_case_name) return value;
    return {};
}

reply reply::answer(int status, std::string const& body, std::string const& more_headers) {
    auto head = "HTTP/1.1 " + std::to_string(status) + " said by the script\r\n" + more_headers;
    if (status != 204) head += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return {.bytes = head + "\r\n" + body};
}

http_server::http_server(script s) : script_(std::move(s)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, any, size) != 0 || ::listen(listener_, 1024) != 0 ||
        ::getsockname(listener_, any, &size) != 0)
        throw std::runtime_error{"no local server can be made"};
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread{[this] { accept(); }};
}

http_server::~http_server() {
    {
        std::lock_guard const lock{mutex_};
        ending_ = true;
    }
    changed_.notify_all();
    ::shutdown(listener_, SHUT_RDWR);  // ends accept()
    acceptor_.join();
    ::close(listener_);
    close_connections();
    for (auto& c : connections_) c.thread.join();
}

void http_server::accept() {
    for (;;) {
        int const socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) return;
        int const on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

        std::lock_guard const lock{mutex_};
        if (ending_) {
            ::close(socket);
            return;
        }
        auto const number = accepted_++;
        most_open_ = std::max(most_open_, ++open_);
        auto& c = connections_.emplace_back(connection{socket});
        c.thread = std::thread{[this, &c, number] { serve(c, number); }};
    }
}

void http_server::serve(connection& c, std::size_t number) {
    http_reader reader{c.socket};
    for (std::size_t i = 0;; ++i) {
        auto request = next_request(reader);
        if (!request) break;
        request->connection = number;
        request->on_connection = i;
        {
            std::lock_guard const lock{mutex_};
            seen_.push_back(*request);
        }
        if (!send(c, script_(*request))) break;
    }
    std::lock_guard const lock{mutex_};
    c.open = false;
    --open_;
    ::close(c.socket);
}

bool http_server::send(connection const& c, reply const& r) {
    bool const trickle = r.between_bytes.count() > 0;
    for (std::size_t i = 0; i < r.repeat; ++i)
        for (std::string_view rest = r.bytes; !rest.empty();) {
            auto const n = ::send(c.socket, rest.data(), trickle ? 1 : rest.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            rest.remove_prefix(static_cast<std::size_t>(n));
            if (trickle && !pause(r.between_bytes)) return false;
        }
    if (r.stall) pause(std::chrono::hours{1});
    return !r.close && !r.stall;
}

/// False at the server's end.
bool http_server::pause(std::chrono::milliseconds d) {
    std::unique_lock lock{mutex_};
    return !changed_.wait_for(lock, d, [&] { return ending_; });
}

std::vector<seen_request> http_server::seen() const {
    std::lock_guard const lock{mutex_};
    return seen_;
}

std::size_t http_server::times_seen(std::string_view method, std::string_view target) const {
    std::lock_guard const lock{mutex_};
    return static_cast<std::size_t>(std::count_if(
        seen_.begin(), seen_.end(), [&](auto const& r) { return r.method == method && r.target == target; }));
}

std::size_t http_server::accepted() const {
    std::lock_guard const lock{mutex_};
    return accepted_;
}

std::size_t http_server::most_open() const {
    std::lock_guard const lock{mutex_};
    return most_open_;
}

void http_server::close_connections() {
    std::lock_guard const lock{mutex_};
    for (auto const& c : connections_)
        if (c.open) ::shutdown(c.socket, SHUT_RDWR);
}

}  // namespace tablemap::test
