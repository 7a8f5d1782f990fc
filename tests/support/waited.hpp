// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <future>
#include <utility>

namespace tablemap::test {

/// Waits for the result of a call that does not block:
/// `waited<bool>([&](auto token) { t.exists(std::move(token)); })`.
template <class V, class Call> V waited(Call const& call) {
    std::promise<V> answer;
    auto came = answer.get_future();
    call([&answer](std::exception_ptr e, V v) {
        if (e)
            answer.set_exception(e);
        else
            answer.set_value(std::move(v));
    });
    return came.get();
}

}  // namespace tablemap::test
