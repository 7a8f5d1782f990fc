// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/expiry_rules.hpp"
#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/store/store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

/// Reads that leave out expired entities.
namespace tablemap::inline v0_1::detail {

using expiry_clock = std::function<ticks()>;

template <class T> bool is_expired(T const& value, expiry_clock const& now) {
    auto const time = expiry_of(value);
    return time && *time <= now();
}

template <class T> void leave_out_expired(std::optional<entity<T>>& read, expiry_clock const& now) {
    if (read && is_expired(read->value, now)) read.reset();
}
template <class T> void leave_out_expired(std::vector<std::optional<entity<T>>>& read, expiry_clock const& now) {
    for (auto& one : read) leave_out_expired(one, now);
}

/// A call of a table whose value has no expired entities.
template <class Call> class unexpired_call {
public:
    using value_type = typename Call::value_type;

    unexpired_call(Call read, expiry_clock const& now) : read_(std::move(read)), now_(now) {}

    auto const& first() { return read_.first(); }
    store_ptr const& store() const noexcept { return read_.store(); }
    operation_label label() const noexcept { return read_.label(); }

    result<value_type> take() {
        auto read = read_.take();
        if (read) leave_out_expired(*read, now_);
        return read;
    }

private:
    Call read_;
    expiry_clock now_;
};

}  // namespace tablemap::detail
