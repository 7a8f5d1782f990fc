// SPDX-License-Identifier: Apache-2.0
#include "rest/http_date.hpp"
#include "rest/shared_key.hpp"
#include "support/child_process.hpp"
#include "support/sanitizers.hpp"
#include "support/served_store.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/open.hpp"
#include "tablemap/rest/access_signature.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <future>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A connection that sends what it is told to, right or wrong.
class raw_client {
public:
    raw_client() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {}
    explicit raw_client(std::uint16_t port) : raw_client() { connect_to(port); }
    ~raw_client() { ::close(socket_); }
    raw_client(raw_client const&) = delete;
    raw_client& operator=(raw_client const&) = delete;

    void connect_to(std::uint16_t port) const {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        timeval const limit{.tv_sec = 20, .tv_usec = 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    }

    /// False if the server has closed the connection.
    bool send(std::string_view text) const {
        while (!text.empty()) {
            auto const n = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }

    /// The text that comes until the server closes the connection, or until a text has come so often.
    std::string receive(std::string_view text = {}, std::size_t count = 1) const {
        std::string all;
        char part[4096];
        for (;;) {
            std::size_t found = 0;
            for (auto at = all.find(text); !text.empty() && at != std::string::npos; at = all.find(text, at + 1))
                ++found;
            if (!text.empty() && found >= count) return all;
            auto const n = ::recv(socket_, part, sizeof part, 0);
            if (n <= 0) return all;
            all.append(part, static_cast<std::size_t>(n));
        }
    }

private:
    int socket_;
};

class serve_server : public ::testing::Test {
protected:
    static server make(void (*change)(serve_options&) = [](serve_options&) {}) {
        auto o = served_options();
        change(o);
        return server{store_in_memory(), std::move(o)};
    }
    static std::string request(std::string_view more = {}) {
        return "GET /served1/Tables HTTP/1.1\r\nHost: localhost\r\n" + std::string{more} + "\r\n";
    }
    /// An insert into the table T by the owner, without its body of two bytes.
    static std::string signed_head() {
        http_request r{.method = "POST", .target = "/served1/T", .headers = {{"Content-Type", "application/json"}}};
        detail::append_http_date(r.headers.emplace_back("x-ms-date", "").second, ticks::now());
        detail::authorize(r, {.name = "served1", .credential = shared_key_credential{account_key{served_key()}}});
        std::string head = "POST /served1/T HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n";
        for (auto const& [name, value] : r.headers) head.append(name).append(": ").append(value).append("\r\n");
        return head + "\r\n";
    }
    static bool works(server const& s) { return open(connection_string_of(s))->execute(list_tables{}, {}).ok(); }
};

TEST_F(serve_server, a_store_is_reached_through_it) {
    auto const s = make();
    EXPECT_EQ(s.url(), "http://127.0.0.1:" + std::to_string(s.port()) + "/served1");
    auto const store = open(connection_string_of(s));
    EXPECT_TRUE(store->execute(create_table{"People"}, {}).ok());
    auto const r = store->execute(list_tables{}, {});
    ASSERT_TRUE(r.ok());
}

TEST_F(serve_server, requests_on_one_connection_are_answered_in_order) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send(request("x-ms-client-request-id: one\r\n") + request("x-ms-client-request-id: two\r\n"));
    auto const answers = c.receive("HTTP/1.1 401", 2);
    EXPECT_LT(answers.find("one"), answers.find("HTTP/1.1", 10));
}

TEST_F(serve_server, a_response_to_head_has_no_body) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send("HEAD /served1/Tables HTTP/1.1\r\nHost: localhost\r\n\r\n" + request());
    auto const answers = c.receive("}}");
    EXPECT_EQ(answers.find("HTTP/1.1", 1), answers.find("\r\n\r\n") + 4);
}

TEST_F(serve_server, what_is_no_http_is_refused_and_ends_the_connection) {
    auto const s = make();
    for (auto const* bad :
         {"\x16\x03\x01", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nnonsense\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nContent-Length: x\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
          "POST /served1/T HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\nContent-Length: 3\r\n\r\n"}) {
        raw_client const c{s.port()};
        c.send(bad);
        c.send("\r\n\r\n");
        EXPECT_THAT(c.receive(), StartsWith("HTTP/1.1 400")) << bad;
    }
    EXPECT_TRUE(works(s));
}

TEST_F(serve_server, endless_heads_are_cut_off) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send("GET / HTTP/1.1\r\n");
    std::string const line = "x: " + std::string(1000, 'y') + "\r\n";
    for (int i = 0; i < 200 && c.send(line); ++i) continue;
    EXPECT_THAT(c.receive(), StartsWith("HTTP/1.1 431"));
    EXPECT_TRUE(works(s));
}

TEST_F(serve_server, bodies_of_strangers_are_refused_before_they_come) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send("POST /served1/T HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    EXPECT_THAT(c.receive("}}"), StartsWith("HTTP/1.1 401"));
}

TEST_F(serve_server, bodies_beyond_the_limit_are_refused) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send("POST /served1/T HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n");
    auto const answer = c.receive("}}");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 413"));
    EXPECT_THAT(answer, HasSubstr("RequestBodyTooLarge"));
}

TEST_F(serve_server, a_client_that_expects_to_be_told_is_told_to_go_on) {
    auto const s = make();
    raw_client const c{s.port()};
    c.send("POST /served1/T HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_THAT(c.receive("\r\n\r\n"), StartsWith("HTTP/1.1 100 Continue"));
    c.send("{}");
    EXPECT_THAT(c.receive("}}"), StartsWith("HTTP/1.1 401"));
}

TEST_F(serve_server, connections_that_stay_idle_or_half_sent_are_closed) {
    auto const s = make([](serve_options& o) { o.idle_limit = o.longest_request = 200ms; });
    raw_client const idle{s.port()}, head{s.port()}, body{s.port()};
    head.send("GET / HTTP/1.1\r\nHost: lo");
    body.send("POST /served1/T HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
    auto const begin = std::chrono::steady_clock::now();
    for (auto const* c : {&idle, &head, &body}) EXPECT_EQ(c->receive(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
}

TEST_F(serve_server, a_client_that_reads_no_response_is_cut_off) {
    auto o = served_options();
    o.longest_request = 200ms;
    o.pages = [](http_request const&) { return http_response{.status = 200, .body = std::string(64 << 20, 'x')}; };
    server const s{store_in_memory(), std::move(o)};
    raw_client const c{s.port()};
    c.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    std::this_thread::sleep_for(1s);
    auto const answer = c.receive();
    EXPECT_THAT(answer.substr(0, 100), StartsWith("HTTP/1.1 200"));
    EXPECT_LT(answer.size(), 64u << 20);
}

TEST_F(serve_server, further_connections_wait_for_a_place) {
    auto const s = make([](serve_options& o) { o.connections = 1; });
    std::optional<raw_client> one{std::in_place, s.port()};
    one->send(request());
    EXPECT_THAT(one->receive("}}"), HasSubstr("401"));
    raw_client const two{s.port()};
    two.send(request());
    auto answer = std::async(std::launch::async, [&] { return two.receive("}}"); });
    EXPECT_EQ(answer.wait_for(100ms), std::future_status::timeout);
    one.reset();
    EXPECT_THAT(answer.get(), HasSubstr("401"));
}

/// Uses up the descriptors that this process may still open, while it lives.
class no_descriptors {
public:
    no_descriptors() {
        for (int d = ::dup(0); d >= 0; d = ::dup(0)) used_.push_back(d);
    }
    ~no_descriptors() {
        for (int const d : used_) ::close(d);
    }
    no_descriptors(no_descriptors const&) = delete;
    no_descriptors& operator=(no_descriptors const&) = delete;

private:
    std::vector<int> used_;
};

/// True if a server neither accepts a connection nor keeps a processor busy while there are no descriptors, and accepts
/// the connection afterwards.
bool waits_for_descriptors() {
    rlimit const few{.rlim_cur = 64, .rlim_max = 64};
    if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return false;
    server const s{store_in_memory(), served_options()};
    raw_client c;
    {
        no_descriptors const now;
        c.connect_to(s.port());
        auto const begin = std::clock();
        std::this_thread::sleep_for(500ms);
        if (std::clock() - begin > CLOCKS_PER_SEC / 10) return false;
    }
    c.send("GET /served1/Tables HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return c.receive("}}").starts_with("HTTP/1.1 401");
}

TEST_F(serve_server, a_lack_of_descriptors_is_waited_out) {
    if (has_address_sanitizer) GTEST_SKIP() << "the sanitizers of that build take what no pipe can read for damaged";
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(std::_Exit(waits_for_descriptors() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST_F(serve_server, addresses_of_signatures_are_known_on_a_listener_of_both_protocols) {
    if (::access("/proc/net/if_inet6", R_OK) != 0) GTEST_SKIP() << "this machine has no IPv6";
    auto const store = store_in_memory();
    ASSERT_TRUE(store->execute(create_table{"People"}, {}).ok());
    auto o = served_options();
    o.address = "::";
    server const s{store, o};
    table_access a{.table = "People", .permissions = table_permission::query};
    a.terms.expiry = ticks::now() + 1h;
    a.terms.addresses = "127.0.0.1";
    auto const signature = make_access_signature(connection_string_of(s), a);
    raw_client const c{s.port()};
    c.send("GET /served1/People?" + signature.query + " HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n");
    EXPECT_THAT(c.receive("\r\n\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST_F(serve_server, places_of_connections_that_ended_are_taken_again) {
    auto const s = make([](serve_options& o) { o.connections = 2; });
    for (int i = 0; i < 50; ++i) {
        raw_client const c{s.port()};
        c.send(request());
        EXPECT_THAT(c.receive("}}"), StartsWith("HTTP/1.1 401")) << i;
    }
}

TEST_F(serve_server, an_idle_connection_gives_way_to_another_one) {
    auto const s = make([](serve_options& o) { o.connections = 2; });
    raw_client const idle{s.port()}, half{s.port()};
    idle.send(request());
    idle.receive("}}");
    half.send(signed_head() + "{");
    raw_client const third{s.port()};
    third.send(request());
    EXPECT_THAT(third.receive("}}"), StartsWith("HTTP/1.1 401"));
    EXPECT_EQ(idle.receive(), "");
    half.send("}");
    EXPECT_THAT(half.receive("}}"), StartsWith("HTTP/1.1 400"));
}

TEST_F(serve_server, strangers_who_do_not_send_their_bodies_give_way) {
    auto const s = make([](serve_options& o) { o.connections = 3; });
    std::vector<std::unique_ptr<raw_client>> half;
    for (int i = 0; i < 6; ++i) {
        half.push_back(std::make_unique<raw_client>(s.port()));
        half.back()->send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n");
    }
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(works(s));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST_F(serve_server, strangers_who_do_not_take_their_responses_give_way) {
    auto const s = make([](serve_options& o) { o.connections = 1; });
    raw_client const deaf{s.port()};
    std::string many;
    for (int i = 0; i < 20'000; ++i) many += request();
    auto const sent = std::async(std::launch::async, [&] { deaf.send(many); });
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(works(s));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST_F(serve_server, those_who_do_not_take_a_page_give_way) {
    auto const s = make([](serve_options& o) {
        o.connections = 1;
        o.pages = [](http_request const&) { return http_response{.status = 200, .body = std::string(64 << 20, 'x')}; };
    });
    raw_client const deaf{s.port()};
    deaf.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    auto const begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(works(s));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

TEST_F(serve_server, a_server_goes_whatever_its_connections_wait_for) {
    raw_client body, head;
    {
        auto const s = make([](serve_options& o) { o.stop_limit = 50ms; });
        body.connect_to(s.port());
        head.connect_to(s.port());
        body.send(signed_head());
        head.send("GET / HT");
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(body.receive(), "");
    EXPECT_EQ(head.receive(), "");
}

TEST_F(serve_server, idle_connections_keep_nobody_out) {
    auto const s = make([](serve_options& o) { o.connections = 10; });
    std::vector<std::unique_ptr<raw_client>> idle;
    for (int i = 0; i < 25; ++i) idle.push_back(std::make_unique<raw_client>(s.port()));
    EXPECT_TRUE(works(s));
}

TEST_F(serve_server, stopping_closes_connections_and_frees_the_port) {
    auto s = make();
    raw_client const idle{s.port()};
    idle.send(request());
    idle.receive("}}");
    s.stop();
    s.stop();
    EXPECT_EQ(idle.receive(), "");
    auto const again = [&] {
        auto o = served_options();
        o.port = s.port();
        return server{store_in_memory(), std::move(o)};
    }();
    EXPECT_TRUE(works(again));
}

TEST_F(serve_server, many_clients_work_at_once) {
    auto const s = make();
    ASSERT_TRUE(open(connection_string_of(s))->execute(create_table{"Rows"}, {}).ok());
    std::vector<std::future<bool>> clients;
    for (int k = 0; k < 8; ++k)
        clients.push_back(std::async(std::launch::async, [&s, k] {
            auto const store = open(connection_string_of(s));
            bool good = true;
            for (int i = 0; i < 50; ++i) {
                auto const row = std::to_string(k * 1000 + i);
                auto const body = R"({"PartitionKey":"p","RowKey":")" + row + "\"}";
                write_operation const o{.kind = write_kind::insert, .partition_key = "p", .row_key = row, .body = body};
                good = good && store->execute(write_entity{"Rows", o}, {}).ok();
            }
            return good;
        }));
    for (auto& c : clients) EXPECT_TRUE(c.get());
    auto const r = open(connection_string_of(s))->execute(query_page{.table = "Rows"}, {});
    std::size_t rows = 0;
    for (auto at = r.body.find("\"RowKey\""); at != std::string::npos; at = r.body.find("\"RowKey\"", at + 1)) ++rows;
    EXPECT_EQ(rows, 400u);
}

/// Waits in each query until it is told to go on.
class store_that_queries_later final : public store {
public:
    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    response execute(request const& r, call_options const& o) override {
        if (std::holds_alternative<query_page>(r)) may_go_on_.wait();
        return inner_->execute(r, o);
    }
    void go_on() { may_go_on_.count_down(); }

private:
    store_ptr inner_ = store_in_memory();
    std::latch may_go_on_{1};
};

TEST_F(serve_server, a_long_request_holds_up_no_other_one) {
    auto const slow = std::make_shared<store_that_queries_later>();
    ASSERT_TRUE(slow->execute(create_table{"Rows"}, {}).ok());
    auto o = served_options();
    o.threads = 2;
    server const s{slow, std::move(o)};
    auto query = std::async(std::launch::async, [&] {
        return open(connection_string_of(s))->execute(query_page{.table = "Rows"}, {}).ok();
    });
    auto const client = open(connection_string_of(s));
    for (int i = 0; i < 20; ++i) {
        EXPECT_TRUE(client->execute(list_tables{}, {}).ok());
        auto const missing = client->execute(get_entity{"Rows", "p", "r"}, {});
        EXPECT_EQ(missing.failure->kind(), error_kind::not_found);
    }
    EXPECT_EQ(query.wait_for(0s), std::future_status::timeout);
    slow->go_on();
    EXPECT_TRUE(query.get());
}

TEST_F(serve_server, over_tls_it_shows_its_certificate_and_speaks_nothing_else) {
    temp_folder const folder;
    auto const key = folder.file("key.pem"), certificate = folder.file("certificate.pem");
    child_process openssl{{"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                           "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                           "-keyout", key, "-out", certificate}};
    openssl.wait_for_line("\1", 60s);  // until it ends
    auto o = served_options();
    o.certificate_file = certificate;
    o.private_key_file = key;
    server const s{store_in_memory(), std::move(o)};
    EXPECT_THAT(s.url(), StartsWith("https://"));
    for (auto const transport : transport_names()) {
        auto const store =
            open(connection_string_of(s), {.transport = {.name = std::string{transport}, .ca_file = certificate}});
        EXPECT_TRUE(store->execute(list_tables{}, {}).ok()) << transport;
        EXPECT_FALSE(open(connection_string_of(s))->execute(list_tables{}, {}).ok()) << transport;
    }
    raw_client const plain{s.port()};
    plain.send(request());
    EXPECT_EQ(plain.receive().find("HTTP"), std::string::npos);
}

TEST_F(serve_server, options_that_cannot_work_are_refused) {
    auto const code_of = [](void (*change)(serve_options&)) {
        try {
            make(change);
        } catch (error const& e) {
            return e.code();
        }
        return std::error_code{};
    };
    EXPECT_EQ(code_of([](serve_options& o) { o.account = "No"; }), library_errc::value_out_of_range);
    EXPECT_EQ(code_of([](serve_options& o) { o.key = {}; }), library_errc::value_out_of_range);
    EXPECT_EQ(code_of([](serve_options& o) { o.threads = 0; }), library_errc::value_out_of_range);
    EXPECT_EQ(code_of([](serve_options& o) { o.idle_limit = 0ms; }), library_errc::value_out_of_range);
    EXPECT_EQ(code_of([](serve_options& o) { o.certificate_file = "x"; }), library_errc::value_out_of_range);
    EXPECT_EQ(code_of([](serve_options& o) { o.certificate_file = o.private_key_file = "/none"; }),
              transport_errc::tls_failed);
    EXPECT_EQ(code_of([](serve_options& o) { o.address = "here"; }), transport_errc::cannot_connect);
}

TEST_F(serve_server, the_public_key_of_the_emulator_stays_on_this_machine) {
    constexpr auto key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
    auto const serve = [](std::string account, account_key k, std::string address) {
        serve_options o;
        o.account = std::move(account);
        o.key = std::move(k);
        o.address = std::move(address);
        return server{store_in_memory(), std::move(o)};
    };
    EXPECT_NO_THROW(serve("devstoreaccount1", {}, "127.0.0.1"));
    EXPECT_THROW(serve("devstoreaccount1", {}, "0.0.0.0"), error);
    EXPECT_THROW(serve("devstoreaccount1", account_key{key}, "0.0.0.0"), error);
    EXPECT_THROW(serve("served1", account_key{key}, "0.0.0.0"), error);
    EXPECT_NO_THROW(serve("devstoreaccount1", account_key{served_key()}, "0.0.0.0"));
}

TEST_F(serve_server, names_of_other_machines_are_refused_where_only_this_one_reaches_it) {
    auto const answer = [](std::string address) {
        auto o = served_options();
        o.address = std::move(address);
        server const s{store_in_memory(), std::move(o)};
        raw_client const c{s.port()};
        c.send("GET /served1/Tables HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        return c.receive("}}");
    };
    EXPECT_THAT(answer("127.0.0.1"), StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(answer("0.0.0.0"), StartsWith("HTTP/1.1 401"));
}

}  // namespace
}  // namespace tablemap::test
