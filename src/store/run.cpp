// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/run.hpp"

#include "store/waiting_receiver.hpp"

#include <deque>
#include <exception>

namespace tablemap::inline v0_1::detail {

response not_sent(request const& r, std::error_code why) {
    return response::failed(error{
        why, {.reason = "nothing was sent", .action = std::string{action_of(r)}, .table = std::string{table_of(r)}}});
}

response response_of_throwing(request const& r, std::string_view who) noexcept {
    return response::failed(error{library_errc::response_lost,
                                  {.reason = std::string{who} + " threw an exception",
                                   .action = std::string{action_of(r)},
                                   .table = std::string{table_of(r)},
                                   .outcome = is_write(r) ? outcome::in_doubt : outcome::not_applied}});
}

std::vector<response> ask_all(store& s, std::span<request const> requests, environment const& env) {
    std::vector<response> answers;
    answers.reserve(requests.size());
    if (!s.capabilities().remote) {
        for (auto const& r : requests) answers.push_back(ask(s, r, env));
        return answers;
    }
    // Made before any request is sent: outstanding requests must not lose their receivers.
    std::deque<waiting_receiver> receivers(requests.size());
    std::exception_ptr thrown;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        try {
            if (auto const why = env.why_stop())
                receivers[i].complete(not_sent(requests[i], why));
            else if (thrown)
                receivers[i].complete(response_of_throwing(requests[i]));
            else
                s.async_execute(requests[i], env.options(), receivers[i]);
        } catch (...) {
            thrown = std::current_exception();
            receivers[i].complete(response_of_throwing(requests[i]));
        }
    }
    for (auto& r : receivers) answers.push_back(r.wait());
    if (thrown) std::rethrow_exception(thrown);
    return answers;
}

}  // namespace tablemap::detail
