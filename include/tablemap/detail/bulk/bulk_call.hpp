// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/table_call.hpp"

namespace tablemap::inline v0_1::detail {

/// A call that writes many rows: each request has an id of its own.
template <class V> class bulk_call : public table_call<V> {
public:
    using table_call<V>::table_call;

    static constexpr auto ids = id_scope::request;
};

}  // namespace tablemap::detail
