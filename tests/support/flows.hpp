// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/flow_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A flow of point reads of partition "p", so many at once. Its value is the row keys in the order in which their final
/// answers came, with the code's text where one failed.
class reading_flow {
public:
    using value_type = std::vector<std::string>;

    reading_flow(std::vector<std::string> rows, std::size_t at_once, retry_policy const& policy = {})
        : rows_(std::move(rows)), at_once_(at_once), slots_(policy) {
        for (auto const& r : rows_) requests_.emplace_back(get_entity{"T", "p", r});
    }

    /// Called in `next`.
    std::function<void()> before_next{};

    detail::flow_step next(detail::environment const& env) {
        if (before_next) before_next();
        if (env.why_stop()) {
            asked_ = requests_.size();
            slots_.hurry();
        }
        if (asked_ < requests_.size() && row_of_.size() < at_once_) {
            auto const slot = slots_.begin(requests_[asked_]);
            row_of_[slot] = asked_++;
        }
        if (auto const slot = slots_.due(env.now())) return slots_.send(*slot);
        if (auto const t = slots_.next_time()) return detail::flow_step::wait(t);
        return slots_.empty() ? detail::flow_step::done() : detail::flow_step::wait();
    }

    void answered(detail::environment const& env, std::size_t slot, response&& answer) {
        auto const final_response = slots_.answered(env, slot, std::move(answer));
        if (!final_response) return;
        auto text = rows_[row_of_.at(slot)];
        if (!final_response->ok()) text += ": " + final_response->failure->code().message();
        order_.push_back(std::move(text));
        row_of_.erase(slot);
    }

    result<value_type> take() { return std::move(order_); }

private:
    std::vector<std::string> rows_;
    std::size_t at_once_;
    detail::flow_requests slots_;
    std::vector<request> requests_{};
    std::map<std::size_t, std::size_t> row_of_{};
    std::size_t asked_ = 0;
    value_type order_{};
};

}  // namespace tablemap::test
