// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/options.hpp"

#include <type_traits>

/// What asynchronous operations do about arguments in `co_await` expressions.
namespace tablemap {

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
/// g++ 12 destroys an aggregate twice that is a temporary in a `co_await` expression.
inline constexpr bool aggregate_temporaries_are_safe = false;
#else
inline constexpr bool aggregate_temporaries_are_safe = true;
#endif

namespace detail {

/// A default argument that is no temporary, for the same reason.
inline call_options const& default_call_options() {
    static call_options const options{};
    return options;
}

template <class Value> constexpr void refuse_unsafe_temporary() {
    static_assert(aggregate_temporaries_are_safe || std::is_lvalue_reference_v<Value>,
                  "tablemap[W9]: g++ 12 destroys an aggregate twice that is a temporary in a co_await expression; give "
                  "the value a name and pass that");
}

/// What patterns over tables need of their insides.
struct async_table_access {
    template <class Table> static auto blocking(Table const& t) { return t.blocking(); }
};

}  // namespace detail
}  // namespace tablemap
