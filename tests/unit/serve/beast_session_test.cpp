// SPDX-License-Identifier: Apache-2.0
#include "serve/beast_session.hpp"

#include "unit/serve/served.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;
using ::testing::StartsWith;

/// One connection whose loop runs only when a test says so: between two runs a request may lie unread in the socket.
class serve_session : public served {
protected:
    void SetUp() override {
        served::SetUp();
        client.connect(acceptor.local_endpoint());
        one = detail::serve::make_session(acceptor.accept(io), context, nullptr, nullptr);
        one->start();
        run();
    }

    void run() {
        io.run_for(50ms);
        io.restart();
    }

    void send_to_server(std::string const& text) { asio::write(client, asio::buffer(text)); }

    std::string head_of_insert(std::string const& content) const {
        auto const r = signed_at(noon, message("POST", "/People", content));
        auto head = "POST " + r.target + " HTTP/1.1\r\nContent-Length: " + std::to_string(content.size()) + "\r\n";
        for (auto const& [name, value] : r.headers) head.append(name).append(": ").append(value).append("\r\n");
        return head + "\r\n";
    }

    /// The text that has come so far.
    std::string received() {
        std::string all(64 * 1024, '\0');
        boost::system::error_code ec;
        client.non_blocking(true);
        all.resize(asio::read(client, asio::buffer(all), ec));
        return all;
    }

    bool has_row(std::string const& key) const {
        return owner("GET", "/People(PartitionKey='p',RowKey='" + key + "')").status == 200;
    }

    static inline std::string const body = R"({"PartitionKey":"p","RowKey":"new"})";
    asio::io_context io;
    tcp::acceptor acceptor{io, tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
    tcp::socket client{io};
    detail::serve::session_context context{service, 30s, 30s};
    std::shared_ptr<detail::serve::session> one;
};

TEST_F(serve_session, a_request_is_carried_out) {
    send_to_server(head_of_insert(body) + body);
    run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 201"));
    EXPECT_TRUE(has_row("new"));
}

TEST_F(serve_session, a_write_whose_body_came_too_late_is_not_carried_out) {
    send_to_server(head_of_insert(body));
    run();
    EXPECT_FALSE(one->waits_since()) << "who signed the request is not a stranger";
    send_to_server(body);
    one->end_if_late(std::chrono::steady_clock::now() + 1h);
    run();
    EXPECT_EQ(received(), "");
    EXPECT_FALSE(has_row("new"));
}

TEST_F(serve_session, a_request_that_waits_for_a_thread_keeps_its_connection) {
    EXPECT_TRUE(one->waits_since());
    send_to_server(head_of_insert(body) + body);
    EXPECT_FALSE(one->waits_since());
    one->give_way();
    one->end_if_late(std::chrono::steady_clock::now() + 1h);
    run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 201"));
}

TEST_F(serve_session, an_idle_connection_gives_way) {
    one->give_way();
    run();
    send_to_server(head_of_insert(body) + body);
    run();
    EXPECT_EQ(received(), "");
    EXPECT_FALSE(has_row("new"));
}

}  // namespace
}  // namespace tablemap::test
