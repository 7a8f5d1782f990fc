// SPDX-License-Identifier: Apache-2.0
#include "hostile/shapes.hpp"

#include <chrono>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

namespace tablemap::test {
namespace {

using serving = std::function<void(served_socket, std::size_t)>;

std::string const ok = "HTTP/1.1 200 OK\r\n";
std::string const chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
std::string const whole = ok + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello";

std::string times(std::size_t n, std::string_view text) {
    std::string all;
    while (all.size() < n) all += text;
    return all;
}

/// Sends that for as long as it is heard. Made when it is sent: each test copies all shapes.
void send_endlessly(served_socket const& s, std::string_view what) {
    auto const more = times(1 << 18, what);
    while (s.send(more)) {
    }
}

/// Sends this once and then that.
serving endless(std::string first, std::string then) {
    return [first = std::move(first), then = std::move(then)](served_socket s, std::size_t) {
        s.read_to("\r\n\r\n");
        if (s.send(first)) send_endlessly(s, then);
    };
}

/// The same behind a body of 60 MiB in chunks.
serving endless_behind_a_body(std::string first, std::string then) {
    return [first = std::move(first), then = std::move(then)](served_socket s, std::size_t) {
        s.read_to("\r\n\r\n");
        auto const chunk = "100000\r\n" + std::string(1 << 20, 'x') + "\r\n";
        bool heard = s.send(chunked);
        for (int i = 0; heard && i < 60; ++i) heard = s.send(chunk);
        if (heard && s.send(first)) send_endlessly(s, then);
    };
}

/// Sends this and stays silent, or ends the connection.
serving once(std::string all, void (served_socket::*then)() const = nullptr) {
    return [all = std::move(all), then](served_socket s, std::size_t) {
        s.read_to("\r\n\r\n");
        s.send(all);
        if (then) (s.*then)();
    };
}

/// Sends this and then ten bytes a second.
serving slowly(std::string first) {
    return [first = std::move(first)](served_socket s, std::size_t) {
        s.read_to("\r\n\r\n");
        for (bool heard = s.send(first); heard; std::this_thread::sleep_for(std::chrono::milliseconds{100}))
            heard = s.send("a");
    };
}

/// Ends each connection one byte later than the one before.
void cut_short(served_socket s, std::size_t bytes) {
    s.read_to("\r\n\r\n");
    s.send(std::string_view{whole}.substr(0, bytes));
    s.close();
}

void answer_first(served_socket s, std::size_t) {
    s.send(whole);
    s.read_to("\r\n\r\n");
}

std::string with(std::string_view headers) { return ok + std::string{headers} + "\r\n\r\n"; }

std::vector<std::string> const too_large = {"response_too_large"};
std::vector<std::string> const malformed = {"malformed_http"};
std::vector<std::string> const too_large_or_malformed = {"response_too_large", "malformed_http"};

std::vector<shape> floods() {
    return {
        {"endless_headers", endless(ok, "x-00001: aaaaaaaaaaaaaaaaaaaaaaaa\r\n"), too_large},
        {"endless_short_headers", endless(ok, "a:\r\nb:\r\nc:\r\nd:\r\ne:\r\n"), too_large},
        {"endless_header_line", endless(ok + "x-long: ", "x"), too_large},
        {"endless_header_name", endless(ok, "x"), too_large_or_malformed},
        {"endless_status_line", endless("HTTP/1.1 200 ", "x"), too_large_or_malformed},
        {"endless_nothing", endless("", "\r\n"), {"malformed_http", "connection_lost"}},
        {"endless_garbage", endless("", "garbage "), too_large_or_malformed},
        {"huge_chunk", endless(chunked + "40000000\r\n", "x"), too_large},
        {"huge_chunk_behind_a_body", endless_behind_a_body("40000000\r\n", "x"), too_large},
        {"chunk_of_more_than_there_are_numbers", endless(chunked + "ffffffffffffffffff\r\n", "x"),
         too_large_or_malformed},
        {"chunk_of_2_31_bytes", endless(chunked + "80000000\r\n", "x"), too_large_or_malformed},
        {"chunk_of_minus_1_byte", endless(chunked + "-1\r\n", "x"), too_large_or_malformed},
        {"chunk_of_minus_2_bytes", endless(chunked + "-2\r\n", "x"), too_large_or_malformed},
        {"chunk_of_minus_5_bytes", endless(chunked + "-5\r\n", "x"), too_large_or_malformed},
        {"endless_chunk_line", endless(chunked, "0"), too_large_or_malformed},
        {"endless_chunk_line_behind_a_body", endless_behind_a_body("", "0"), too_large_or_malformed},
        {"endless_chunk_extension", endless(chunked + "5", ";x=y"), too_large_or_malformed},
        {"endless_chunks", endless(chunked, "10000\r\n" + std::string(0x10000, 'x') + "\r\n"), too_large},
        {.name = "endless_small_chunks",  // more of them than a short time is enough for
         .serve = endless(chunked, "1;" + std::string(2000, 'x') + "\r\na\r\n"),
         .results = {"response_too_large", "deadline_exceeded"},
         .milliseconds = 2000},
        {"endless_trailers",
         endless(chunked + "5\r\nhello\r\n0\r\n", "x-1: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
         {"response_too_large", "malformed_http", "answered_200_with_5"}},
        {"huge_body", endless(with("Content-Length: 1073741824"), "x"), too_large},
        {"endless_body_without_a_length", endless(with("Content-Type: text/plain"), "x"), too_large},
        {"endless_interim_answers", endless("", "HTTP/1.1 100 Continue\r\n\r\n"), malformed},
        {"endless_interim_headers", endless("HTTP/1.1 100 Continue\r\n", "x-1: aaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
         too_large},
    };
}

std::vector<shape> slow_ones() {
    std::vector<shape> all;
    std::pair<char const*, std::string> const places[] = {{"status", ""},
                                                          {"head", ok},
                                                          {"body", with("Content-Length: 1000")},
                                                          {"chunk_line", chunked},
                                                          {"chunk", chunked + "400\r\n"}};
    for (auto const& [place, first] : places)
        for (bool const has_deadline : {true, false})
            all.push_back({.name = std::string{"slow_"} + place + (has_deadline ? "" : "_without_deadline"),
                           .serve = slowly(first),
                           .results = {has_deadline ? "deadline_exceeded" : "timed_out"},
                           .milliseconds = 300,
                           .has_deadline = has_deadline});
    return all;
}

std::vector<shape> lengths() {
    return {
        {"length_of_40_GB", once(with("Content-Length: 40000000000")), too_large},
        {"length_of_more_than_there_are_numbers", once(with("Content-Length: 99999999999999999999999")),
         too_large_or_malformed},
        {"length_above_the_body",
         once(with("Content-Length: 1000") + "hello", &served_socket::close),
         {"response_cut_short"}},
        {"length_below_the_body", once(with("Content-Length: 3") + "hello"), {"answered_200_with_3"}},
        {"negative_length", once(with("Content-Length: -5") + "hello"), malformed},
        {"length_that_is_no_number", once(with("Content-Length: 5x") + "hello"), malformed},
        {"several_lengths", once(with("Content-Length: 5\r\nContent-Length: 6") + "hello!"), malformed},
        {"length_and_chunks", once(with("Content-Length: 5\r\nTransfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n"),
         malformed},
    };
}

std::vector<shape> heads() {
    return {
        {"status_of_letters", once("HTTP/1.1 abc OK\r\n\r\n"), malformed},
        {"status_of_five_digits", once("HTTP/1.1 99999 OK\r\n\r\n"), malformed},
        {"status_of_two_digits", once("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"), malformed},
        {"status_below_zero", once("HTTP/1.1 -200 OK\r\nContent-Length: 0\r\n\r\n"), malformed},
        {"no_status", once("HTTP/1.1\r\n\r\n"), malformed},
        {"other_protocol", once("ICY 200 OK\r\nContent-Length: 0\r\n\r\n"), malformed},
        {"zeros", once(std::string(1000, '\0') + "\r\n\r\n"), malformed},
        {"two_etags", once(with("ETag: \"1\"\r\nETag: \"2\"\r\nContent-Length: 0")), malformed},
        {"etag_with_cr", once(with("ETag: \"1\rx\"\r\nContent-Length: 0")), malformed},
        {"etag_half_quoted", once(with("ETag: \"1\r\nContent-Length: 0")), malformed},
        {"header_with_zero", once(ok + std::string{"x-a: b\0c\r\nContent-Length: 0\r\n\r\n", 31}), malformed},
        {"redirect",
         once("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
         {"answered_302_with_0"}},
        {"gzip_that_nobody_asked_for",
         once(with("Content-Encoding: gzip\r\nContent-Length: 5") + "\x1f\x8b\x08zz"),
         {"answered_200_with_5"}},
    };
}

std::vector<shape> ends() {
    std::vector<shape> all = {
        {"answer_before_the_request", answer_first, {"answered_200_with_5"}},
        {"reset_at_once", once("", &served_socket::reset), {"connection_lost"}},
        {"reset_within_the_head", once(ok, &served_socket::reset), {"connection_lost"}},
        {"reset_within_the_body",
         once(with("Content-Length: 1000") + "hello", &served_socket::reset),
         {"response_cut_short", "connection_lost"}},
        {"reset_within_a_chunk",
         once(chunked + "400\r\nhello", &served_socket::reset),
         {"response_cut_short", "connection_lost"}},
    };
    all.push_back({.name = "end_at_every_byte",
                   .serve = cut_short,
                   .results = {"connection_lost", "response_cut_short"},
                   .requests = whole.size()});
    return all;
}

}  // namespace

std::vector<shape> const& shapes() {
    static auto const all = [] {
        std::vector<shape> every;
        for (auto const& make : {floods, slow_ones, lengths, heads, ends})
            for (auto& s : make()) every.push_back(std::move(s));
        return every;
    }();
    return all;
}

}  // namespace tablemap::test
