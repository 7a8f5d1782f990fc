// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/beast_addresses.hpp"
#include "rest/beast_connection.hpp"
#include "rest/beast_parser.hpp"
#include "rest/beast_tls.hpp"
#include "rest/transport_settings.hpp"

#include "tablemap/rest/transport.hpp"
#include "tablemap/store/clock.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The settings that a transport's requests share.
struct beast_settings {
    beast_settings(http_origin const& to, transport_options o);

    http_origin const origin;
    transport_options const options;
    std::optional<http_proxy> const proxy;
    std::optional<tls_context> const tls;

    std::string target_prefix{};   ///< of requests to a proxy that are not encrypted
    std::string common_headers{};  ///< Host above all
    std::string tunnel{};          ///< the first request to a proxy if requests are encrypted; else empty
    address_book addresses;
};

/// Why HTTP cannot carry this request as it is; nothing if it can.
std::optional<error> unsendable(http_request const& r);

/// The event that an exchange waits for.
enum class need {
    nothing,  ///< it has ended
    addresses,
    readable,
    writable,
    either,  ///< readable or writable
    turn,    ///< nothing but that others have theirs, and that the time is looked at
};

/// One request from its connection to its response, without any waiting: a driver waits for what it needs, until its
/// limit, and lets it go on. Used by one thread at a time.
class beast_exchange {
public:
    /// Both must outlive the exchange.
    beast_exchange(beast_settings const& settings, http_request const& request, time_point deadline,
                   std::error_code at_deadline)
        : settings_(settings), request_(&request), deadline_(deadline), at_deadline_(at_deadline) {}

    /// Begins on an idle connection, or with null on a new one.
    need begin(std::unique_ptr<beast_connection> idle) noexcept;

    /// Goes on once the needed event has come.
    need go_on() noexcept;

    /// The addresses are there.
    need go_on_with(address_list const& found) noexcept;

    /// The limit has passed.
    need time_is_up(time_point now) noexcept;

    /// Until when the wait may take.
    time_point limit() const noexcept;

    /// Ends it, whatever it is doing.
    void end(std::error_code why, std::string reason = {}) noexcept;

    /// Once it has ended.
    http_result take_result() noexcept { return std::move(result_); }

    /// Null if it cannot carry another request.
    std::unique_ptr<beast_connection> take_connection() noexcept { return std::move(connection_); }

    beast_connection& connection() noexcept { return *connection_; }

private:
    enum class stage { resolving, connecting, asking_proxy, hearing_proxy, shaking_hands, writing, reading, ended };

    // Each goes on to another stage and answers nothing, or tells what it needs.
    std::optional<need> step();
    std::optional<need> connecting();
    std::optional<need> asking_proxy();
    std::optional<need> hearing_proxy();
    std::optional<need> shaking_hands();
    std::optional<need> writing();
    std::optional<need> reading() { return hear(need::readable); }
    std::optional<need> hear(need otherwise);

    need run() noexcept;
    void start_anew();
    std::optional<need> try_address();
    std::optional<need> next_address(int why);
    void connection_made();
    void prepare_message();
    bool parse();
    void next_response();
    bool is_sent() const noexcept { return unsent_head_.empty() && unsent_body_.empty(); }
    std::optional<need> lost(io_status how);
    void answered();
    std::size_t sent() const noexcept { return connection_ ? connection_->socket_took() - took_before_ : 0; }

    beast_settings const& settings_;
    http_request const* request_;
    time_point const deadline_;
    std::error_code const at_deadline_;

    std::unique_ptr<beast_connection> connection_;
    stage stage_ = stage::writing;
    bool reused_ = false;
    bool tried_again_ = false;
    bool write_failed_ = false;

    address_list addresses_;
    std::size_t address_ = 0;
    time_point connected_by_{};
    time_point address_by_{};

    std::string_view unsent_head_;
    std::string_view unsent_body_;
    std::size_t took_before_ = 0;

    std::optional<response_parser> parser_;
    std::size_t from_ = 0;  // the unparsed rest of the buffer
    std::size_t to_ = 0;
    std::size_t received_ = 0;
    int interim_ = 0;

    http_result result_;
};

}  // namespace tablemap::detail
