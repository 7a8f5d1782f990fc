// SPDX-License-Identifier: Apache-2.0
#include "rest/cpprest_watch.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <thread>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;
using ::testing::IsNull;

constexpr std::size_t mebibyte = 1024 * 1024;
constexpr std::size_t most_before_a_body = 1280 * 1024;
constexpr std::size_t one_read = 16 * 1024;  // fits into the buffers of a connection

/// A connection whose response may have a body of 1 MiB.
class watched_connection : public ::testing::Test {
protected:
    watched_connection() { watch.watch(client.native_handle()); }

    void read(std::size_t bytes) {
        asio::write(server, asio::buffer(std::string(bytes, 'x')));
        std::string read(bytes, ' ');
        asio::read(client, asio::buffer(read));
        watch.look();
    }
    void read_in_parts(std::size_t bytes) {
        for (std::size_t n = 0; n < bytes && !watch.exceeded(); n += one_read) read(one_read);
    }
    void hand_on(std::size_t bytes) {
        for (std::size_t n = 0; n < bytes && !watch.exceeded(); n += one_read) {
            read(one_read);
            if (!watch.exceeded()) watch.delivered();
        }
    }

    asio::io_context io{};
    tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    tcp::socket client = connected();
    tcp::socket server = acceptor.accept();
    detail::cpprest_watch watch{mebibyte};

private:
    tcp::socket connected() {
        tcp::socket s{io};
        s.connect(acceptor.local_endpoint());
        return s;
    }
};

TEST_F(watched_connection, may_read_a_head_in_many_small_parts) {
    for (int i = 0; i < 200; ++i) read(1);
    EXPECT_THAT(watch.exceeded(), IsNull());
}

TEST_F(watched_connection, may_read_a_body_of_the_largest_size_in_many_small_parts) {
    read(200);
    watch.head_ended();
    for (int i = 0; i < 200; ++i) read(1);
    read_in_parts(mebibyte - one_read);
    EXPECT_THAT(watch.exceeded(), IsNull());
}

TEST_F(watched_connection, is_ended_when_a_head_is_too_large) {
    read_in_parts(2 * mebibyte);
    EXPECT_THAT(watch.exceeded(), HasSubstr("head"));
    boost::system::error_code ended;
    char c = 0;
    client.read_some(asio::buffer(&c, 1), ended);
    EXPECT_EQ(ended, asio::error::eof);
}

TEST_F(watched_connection, is_ended_when_too_much_was_not_handed_on) {
    read(200);
    watch.head_ended();
    hand_on(mebibyte);
    read_in_parts(2 * mebibyte);
    EXPECT_THAT(watch.exceeded(), IsNull());
    read_in_parts(mebibyte);
    EXPECT_THAT(watch.exceeded(), HasSubstr("chunk"));
}

TEST_F(watched_connection, is_ended_in_time_while_more_comes) {
    std::jthread const flood{[this] {
        boost::system::error_code ended;
        std::string const bytes(one_read, 'x');
        while (!ended) asio::write(server, asio::buffer(bytes), ended);
    }};
    watch.head_ended();
    std::size_t held = 0;
    for (std::string part(one_read, ' '); !watch.exceeded(); held += part.size()) {
        asio::read(client, asio::buffer(part));
        watch.look();
    }
    EXPECT_LE(held, mebibyte + most_before_a_body + watch.most_of_a_step);
}

TEST_F(watched_connection, is_ended_when_there_is_too_much_around_a_body) {
    read(200);
    watch.head_ended();
    hand_on(8 * mebibyte);
    EXPECT_THAT(watch.exceeded(), IsNull());
    hand_on(2 * mebibyte);
    EXPECT_THAT(watch.exceeded(), HasSubstr("around its body"));
}

TEST_F(watched_connection, counts_each_response_alone) {
    for (int i = 0; i < 3; ++i) {
        watch.response_begins();
        read(200);
        watch.head_ended();
        hand_on(7 * mebibyte);
    }
    EXPECT_THAT(watch.exceeded(), IsNull());
}

TEST(cpprest_watch, counts_what_it_is_told_if_it_has_no_socket) {
    detail::cpprest_watch watch{mebibyte};
    EXPECT_TRUE(watch.add(mebibyte));
    watch.head_ended();
    EXPECT_TRUE(watch.add(2 * mebibyte));
    EXPECT_FALSE(watch.add(mebibyte));
    EXPECT_THAT(watch.exceeded(), HasSubstr("chunk"));
}

}  // namespace
}  // namespace tablemap::test
