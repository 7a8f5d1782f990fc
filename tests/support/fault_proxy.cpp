// SPDX-License-Identifier: Apache-2.0
#include "support/fault_proxy.hpp"

#include "support/http_reader.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace tablemap::test {
namespace {

using testing::fault;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

void send_at_once(int socket) {
    int const on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const n = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

/// A connection to the server for one request.
class upstream {
public:
    explicit upstream(std::uint16_t port) {
        auto const address = loopback(port);
        if (::connect(socket_, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0) send_at_once(socket_);
    }
    ~upstream() { ::close(socket_); }
    upstream(upstream const&) = delete;
    upstream& operator=(upstream const&) = delete;

    struct answer {
        std::string head, body;
    };

    std::optional<answer> ask(std::string const& request) const {
        if (!send_all(socket_, request)) return std::nullopt;
        http_reader from{socket_};
        auto head = from.head();
        if (!head) return std::nullopt;
        // The response to HEAD tells the length of a body that does not come.
        auto body = request.starts_with("HEAD ") ? std::optional{std::string{}} : from.body(*head);
        if (!body) return std::nullopt;
        return answer{std::move(head->bytes), *std::move(body)};
    }

private:
    int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

std::string busy_answer() {
    std::string const body =
        R"({"odata.error":{"code":"ServerBusy","message":{"lang":"en-US","value":"said by the proxy"}}})";
    return "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// Until the peer closes; it has nothing to send while it waits for a response.
void wait_for_close(int socket) {
    char c = 0;
    while (::recv(socket, &c, 1, 0) > 0) {
    }
}

/// Makes closing the socket a reset, whatever is still to be read.
void reset_on_close(int socket) {
    linger const at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

fault_proxy::fault_proxy(std::uint16_t server_port) : server_port_(server_port) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto address = loopback(0);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, any, size) != 0 || ::listen(listener_, 1024) != 0 ||
        ::getsockname(listener_, any, &size) != 0)
        throw std::runtime_error{"no local proxy can be made"};
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread{[this] { accept(); }};
}

fault_proxy::~fault_proxy() {
    {
        std::scoped_lock lock{mutex_};
        ending_ = true;
        for (auto const& c : connections_)
            if (c.open) ::shutdown(c.socket, SHUT_RDWR);
    }
    ::shutdown(listener_, SHUT_RDWR);  // ends accept()
    acceptor_.join();
    ::close(listener_);
    for (auto& c : connections_) c.thread.join();
}

void fault_proxy::accept() {
    for (;;) {
        int const socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) return;
        send_at_once(socket);
        std::scoped_lock lock{mutex_};
        if (ending_) {
            ::close(socket);
            return;
        }
        join_ended();
        auto& c = connections_.emplace_back(connection{socket});
        c.thread = std::thread{[this, &c] { serve(c); }};
    }
}

/// Threads that have nothing left to do but to end. The lock is held.
void fault_proxy::join_ended() {
    connections_.remove_if([](connection& c) {
        if (!c.open) c.thread.join();
        return !c.open;
    });
}

void fault_proxy::serve(connection& c) {
    http_reader from{c.socket};
    while (serve_one(c.socket, from)) {
    }
    std::scoped_lock lock{mutex_};
    c.open = false;
    ::close(c.socket);
}

/// False if the connection is to be closed.
bool fault_proxy::serve_one(int socket, http_reader& from) {
    auto const head = from.head();
    if (!head) return false;
    auto const due = next_fault(*head);
    if (due == fault::reset) {
        from.bytes(head->content_length() / 2);
        reset_on_close(socket);
        return false;
    }
    auto const body = from.body(*head);
    if (!body || due == fault::lost_before) return false;
    if (due == fault::busy) return send_all(socket, busy_answer());
    if (due == fault::late_before) {
        wait_for_close(socket);
        return false;
    }
    return pass_on(socket, head->bytes + *body, due);
}

bool fault_proxy::pass_on(int socket, std::string const& request, std::optional<fault> due) const {
    auto const answer = upstream{server_port_}.ask(request);
    if (!answer || due == fault::lost_after) return false;
    if (due == fault::late_after) {
        wait_for_close(socket);
        return false;
    }
    auto const& [head, body] = *answer;
    if (due == fault::truncated) {
        auto const end = body.empty() ? head.size() / 2 : head.size() + body.size() / 2;
        send_all(socket, (head + body).substr(0, end));
        return false;
    }
    return send_all(socket, head + body);
}

std::optional<fault> fault_proxy::next_fault(http_head const& head) {
    std::scoped_lock lock{mutex_};
    auto const planned = planned_.extract(methods_.size());
    methods_.push_back(head.first_line.substr(0, head.first_line.find(' ')));
    if (planned.empty()) return std::nullopt;
    ++faults_;
    return planned.mapped();
}

void fault_proxy::fail_next(fault f, std::size_t skip) {
    std::scoped_lock lock{mutex_};
    planned_[methods_.size() + skip] = f;
}

void fault_proxy::stop_failing() {
    std::scoped_lock lock{mutex_};
    planned_.clear();
}

std::vector<std::string> fault_proxy::methods() const {
    std::scoped_lock lock{mutex_};
    return methods_;
}

std::size_t fault_proxy::faults() const {
    std::scoped_lock lock{mutex_};
    return faults_;
}

}  // namespace tablemap::test
