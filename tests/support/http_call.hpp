// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

/// Requests of a transport under test.
namespace tablemap::test {

/// Takes one result; a second one fails the test.
class http_answer final : public http_receiver {
public:
    void complete(http_result&& r) noexcept override;
    bool is_there();
    http_result const& wait();

private:
    std::mutex mutex_;
    std::condition_variable there_;
    std::optional<http_result> result_;
};

http_origin origin_of(std::uint16_t port);

/// With a header or two.
http_request http_message(std::string method, std::string target = "/T", std::string body = {});

http_result call(transport& t, http_request const& r, call_options const& o = {});

/// Makes a call that ends `after` this time. If cpprestsdk then needs more than 250 ms to cancel the request, a write
/// is reported as in doubt. A busy machine causes that, so the call is repeated.
http_result ended_soon(std::chrono::milliseconds after, std::function<http_result()> const& attempt);

::testing::AssertionResult answered(http_result const& r, int status);
::testing::AssertionResult failed(http_result const& r, std::error_code code, outcome o);

}  // namespace tablemap::test
