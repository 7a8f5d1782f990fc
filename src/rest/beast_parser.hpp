// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/response_body.hpp"
#include "rest/response_head.hpp"

#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <cstdint>
#include <new>
#include <stdexcept>

namespace tablemap::inline v0_1::detail {

/// Reads one response straight into an http_response: Beast's own message would keep a copy of every header and body.
class response_parser final : public boost::beast::http::basic_parser<false> {
public:
    /// `to` must outlive the parser. `body_follows` is false for the responses that have none whatever their headers
    /// say.
    response_parser(http_response& to, std::size_t largest_body, bool body_follows)
        : to_(to), largest_body_(largest_body) {
        eager(true);
        header_limit(largest_head);
        body_limit(largest_body);
        skip(!body_follows);
    }

    /// A response that announces another one.
    bool is_interim() const noexcept { return to_.status >= 100 && to_.status < 200; }

private:
    using error_code = boost::beast::error_code;
    using text = boost::beast::string_view;
    using length = boost::optional<std::uint64_t>;

    void on_request_impl(boost::beast::http::verb, text, text, int, error_code&) override {}
    void on_response_impl(int code, text, int, error_code&) override { to_.status = code; }
    void on_field_impl(boost::beast::http::field, text name, text value, error_code&) override {
        if (is_header_done_) return;  // a trailer must not pass for a header
        to_.headers.emplace_back(std::piecewise_construct, std::forward_as_tuple(name.data(), name.size()),
                                 std::forward_as_tuple(value.data(), value.size()));
    }
    void on_header_impl(error_code&) override { is_header_done_ = true; }
    void on_body_init_impl(length const& n, error_code& ec) override {
        if (!n) return;
        if (*n > largest_body_)
            ec = boost::beast::http::error::body_limit;
        else
            in_memory(ec, [&] { to_.body.reserve(static_cast<std::size_t>(*n)); });
    }
    std::size_t on_body_impl(text part, error_code& ec) override { return take(part, ec); }
    void on_chunk_header_impl(std::uint64_t, text, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, text part, error_code& ec) override { return take(part, ec); }
    void on_finish_impl(error_code&) override {}

    std::size_t take(text part, error_code& ec) {
        in_memory(ec, [&] {
            make_room(to_.body, to_.body.size() + part.size(), largest_body_);
            to_.body.append(part.data(), part.size());
        });
        return part.size();
    }

    /// A body for which there is no memory is too large, whatever the limit.
    template <typename F> void in_memory(error_code& ec, F const& f) try { f(); } catch (std::bad_alloc const&) {
        ec = boost::beast::http::error::body_limit;
    } catch (std::length_error const&) {
        ec = boost::beast::http::error::body_limit;
    }

    http_response& to_;
    std::size_t const largest_body_;
    bool is_header_done_ = false;
};

}  // namespace tablemap::detail
