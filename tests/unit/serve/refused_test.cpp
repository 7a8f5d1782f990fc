// SPDX-License-Identifier: Apache-2.0
#include "serve/refused.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using detail::serve::refusal_of;
using detail::serve::refusal_of_write;

TEST(serve_refused, a_write_that_may_be_stored_is_answered_so_whatever_failed) {
    for (std::error_code const code :
         {make_error_code(transport_errc::response_too_large), make_error_code(transport_errc::connection_lost),
          make_error_code(transport_errc::tls_failed), make_error_code(library_errc::malformed_response),
          make_error_code(library_errc::unsupported), make_error_code(library_errc::type_mismatch),
          make_error_code(service_errc::internal_error), make_error_code(service_errc::server_busy)}) {
        auto const r = refusal_of(error{code, {.outcome = outcome::in_doubt}});
        EXPECT_EQ(r.status(), 500) << code.message();
        EXPECT_EQ(r.code(), "OperationTimedOut") << code.message();
    }
}

TEST(serve_refused, a_write_that_was_not_begun_is_answered_by_the_kind_of_its_failure) {
    EXPECT_EQ(refusal_of(error{transport_errc::cannot_connect}).status(), 503);
    EXPECT_EQ(refusal_of(error{transport_errc::tls_failed}).status(), 403);
    EXPECT_EQ(refusal_of(error{library_errc::value_out_of_range}).status(), 400);
    EXPECT_EQ(refusal_of(error{library_errc::unsupported}).status(), 501);
    EXPECT_EQ(refusal_of(error{library_errc::malformed_response}).status(), 500);
}

TEST(serve_refused, a_write_that_was_refused_for_an_unknown_reason_was_not_carried_out) {
    error const unknown{service_errc::unknown, {.reason = "the response has HTTP status 409"}};
    EXPECT_EQ(refusal_of_write(unknown).status(), 400);
    EXPECT_EQ(refusal_of(unknown).status(), 500);
    EXPECT_EQ(refusal_of_write(error{service_errc::unknown, {.outcome = outcome::in_doubt}}).code(),
              "OperationTimedOut");
    EXPECT_EQ(refusal_of_write(error{service_errc::internal_error}).status(), 500);
    EXPECT_EQ(refusal_of(error{service_errc::invalid_operation}).status(), 403);
}

}  // namespace
}  // namespace tablemap::test
