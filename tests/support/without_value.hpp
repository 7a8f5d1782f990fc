// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

namespace tablemap::test {

/// The error of an operation if it failed, for tests that compare the outcomes of operations of several result types.
template <class V> result<void> without_value(result<V> const& r) {
    if (!r) return failure{r.error()};
    return {};
}

}  // namespace tablemap::test
