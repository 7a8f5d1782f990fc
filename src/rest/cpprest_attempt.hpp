// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/cpprest_bodies.hpp"
#include "rest/cpprest_connection.hpp"

#include "rest/response_head.hpp"
#include "tablemap/rest/transport.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/http_client.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace tablemap::inline v0_1::detail {

class cpprest_exchange;

/// The fault of an attempt.
struct cpprest_fault {
    std::error_code code;
    std::string reason{};
    bool at_proxy = false;       ///< the request came no farther
    bool no_connection = false;  ///< to this address
};

error error_of(cpprest_fault const& f, outcome o);
cpprest_fault name_not_found(bool at_proxy);

/// One try of an exchange on one connection.
class cpprest_attempt {
public:
    cpprest_attempt(std::shared_ptr<cpprest_exchange> of, std::shared_ptr<cpprest_connection> on,
                    std::size_t largest_response, bool proxy_may_answer)
        : of_(std::move(of)),
          on_(std::move(on)),
          received_(std::make_shared<received_body>(largest_response, on_->watch())),
          proxy_may_answer_(proxy_may_answer) {}

    /// Begins to send. `cpprest_exchange::settle` is called once, when cpprestsdk has let go of everything; maybe
    /// within this call.
    static void send(std::shared_ptr<cpprest_attempt> const& a, web::http::http_request m) noexcept;

    void cancel() noexcept {
        try {
            cancellation_.cancel();
        } catch (...) {
            // Out of memory: the caller does not wait for ever, see `cpprest_exchange::abort`.
        }
    }

    /// Once settled: the response, or what went wrong.
    std::optional<cpprest_fault> take(http_response& to) noexcept;

    bool head_sent() const noexcept { return head_sent_; }
    bool found_open_socket() const noexcept { return on_->reused(); }
    bool found_dead_socket() const noexcept { return found_dead_socket_; }
    std::shared_ptr<cpprest_connection> const& used_connection() const noexcept { return on_; }

private:
    /// Owned by the request, which is owned by cpprestsdk.
    struct end_of_request {
        explicit end_of_request(std::shared_ptr<cpprest_attempt> a) : of(std::move(a)) { ++of->parts_; }
        ~end_of_request() { of->part_ended(); }
        std::shared_ptr<cpprest_attempt> const of;
    };

    std::optional<cpprest_fault> take_reported(http_response& to) noexcept;
    void part_ended() noexcept;
    void uploaded() noexcept;
    void head_came(pplx::task<web::http::http_response> const& answer) noexcept;

    std::shared_ptr<cpprest_exchange> const of_;
    std::shared_ptr<cpprest_connection> const on_;
    std::shared_ptr<received_body> const received_;
    bool const proxy_may_answer_;
    pplx::cancellation_token_source cancellation_;
    pplx::task<web::http::http_response> answer_;
    std::atomic<int> parts_{1};
    std::atomic<bool> head_sent_{false};
    std::atomic<bool> is_asked_for_{false};  // the response, by this object
    http_response head_;
    std::optional<head_fault> head_fault_;
    bool is_without_body_ = false;
    bool found_dead_socket_ = false;
};

}  // namespace tablemap::detail
