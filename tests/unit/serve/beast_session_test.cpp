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
#include <utility>

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
        client.open(tcp::v4());
        client.set_option(small_receive_buffer);
        client.connect(acceptor.local_endpoint());
        auto accepted = acceptor.accept(io);
        accepted.set_option(small_send_buffer);
        one = detail::serve::make_session(std::move(accepted), context, nullptr, nullptr);
        one->start();
        run();
    }

    void run() {
        io.run_for(50ms);
        io.restart();
    }

    void send_to_server(std::string const& text) { asio::write(client, asio::buffer(text)); }

    static std::string head_of(std::string const& method, std::string const& path, std::string const& content = {}) {
        auto const r = signed_at(noon, message(method, path, content));
        auto head = method + " " + r.target + " HTTP/1.1\r\nContent-Length: " + std::to_string(content.size()) + "\r\n";
        for (auto const& [name, value] : r.headers) head.append(name).append(": ").append(value).append("\r\n");
        return head + "\r\n";
    }
    static std::string head_of_insert(std::string const& content) { return head_of("POST", "/People", content); }

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

    static inline asio::socket_base::receive_buffer_size const small_receive_buffer{16 * 1024};
    static inline asio::socket_base::send_buffer_size const small_send_buffer{16 * 1024};
    static inline std::string const body = R"({"PartitionKey":"p","RowKey":"new"})";
    asio::io_context io, workers;
    tcp::acceptor acceptor{io, tcp::endpoint{asio::ip::address_v4::loopback(), 0}};
    tcp::socket client{io};
    detail::serve::session_context context{service, workers.get_executor(), 30s, 30s};
    std::shared_ptr<detail::serve::session> one;
};

TEST_F(serve_session, a_request_is_carried_out) {
    send_to_server(head_of_insert(body) + body);
    run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 201"));
    EXPECT_TRUE(has_row("new"));
}

TEST_F(serve_session, a_request_for_one_entity_of_a_store_in_memory_needs_no_worker) {
    send_to_server(head_of("GET", "/People(PartitionKey='p',RowKey='1')"));
    run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 200"));
}

TEST_F(serve_session, a_query_waits_for_a_worker) {
    send_to_server(head_of("GET", "/People()"));
    run();
    EXPECT_EQ(received(), "");
    EXPECT_FALSE(one->waits_since());
    one->end_if_late(std::chrono::steady_clock::now() + 1h);
    workers.run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 200"));
}

TEST_F(serve_session, a_worker_looks_who_sends_a_large_body) {
    std::string const large(100'000, ' ');
    send_to_server(head_of("POST", "/Tables", large) + large);
    run();
    EXPECT_EQ(received(), "");
    workers.run();
    run();
    workers.restart();
    workers.run();
    EXPECT_THAT(received(), StartsWith("HTTP/1.1 400"));
}

TEST_F(serve_session, a_response_that_the_socket_has_no_room_for_is_sent_in_parts) {
    std::string const text(30'000, 'x');
    for (int i = 0; i < 20; ++i)
        owner("POST", "/People",
              R"({"PartitionKey":"p","RowKey":"long)" + std::to_string(i) + R"(","Text":")" + text + "\"}");
    send_to_server(head_of("GET", "/People()"));
    run();
    workers.run();
    auto all = received();
    EXPECT_FALSE(all.ends_with("]}"));
    for (std::string more = all; !more.empty(); all += more) {
        run();
        more = received();
    }
    EXPECT_TRUE(all.ends_with("]}"));
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
