// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

/// The consequences of one request's error for the rows that are still to be sent.
namespace tablemap::inline v0_1::detail {

/// True for a stop and for the deadline.
inline bool ends_the_call(error const& e) noexcept {
    return e.code() == library_errc::cancelled || e.code() == library_errc::deadline_exceeded;
}

/// True if the store has more to do than it can.
inline bool is_busy(error const& e) noexcept {
    return e.code() == transport_errc::timed_out ||
           (e.kind() == error_kind::unavailable &&
            (e.source() == error_source::service || e.source() == error_source::store));
}

/// True if the store cannot even be asked.
inline bool is_out_of_reach(error const& e) noexcept {
    return e.code() == transport_errc::cannot_connect || e.code() == transport_errc::name_not_found ||
           e.code() == transport_errc::tls_failed;
}

/// True for what every other row would meet as well, once all tries met it.
inline bool is_hopeless(error const& e) noexcept {
    if (is_out_of_reach(e)) return true;
    if (e.kind() == error_kind::unavailable) return e.code() == service_errc::table_being_deleted;
    return e.kind() == error_kind::denied || e.kind() == error_kind::unsupported || e.kind() == error_kind::no_space ||
           e.source() == error_source::store || e.code() == service_errc::table_not_found ||
           e.code() == service_errc::invalid_resource_name;
}

}  // namespace tablemap::detail
