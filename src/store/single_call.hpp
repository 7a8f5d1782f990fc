// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/store/response.hpp"

#include <type_traits>

namespace tablemap::inline v0_1::detail {

/// The response to a single request, with the name of its queue or container in the error.
struct single_answer : response {
    bool lost_a_write = false;  ///< the response to an earlier try of a write was lost
};

/// `ask_now` that sets `lost_a_write` if the response to an earlier try of a write was lost; null: not of interest.
response ask_now(store& s, request const& r, call_context& call, bool* lost_a_write);

/// Sends one request; `finish` makes the result of its response.
template <class Finish>
auto carry_out(store& s, request const& r, call_options const& o, Finish finish)
    -> std::invoke_result_t<Finish, single_answer&> {
    call_context call{s, o};
    single_answer answer;
    static_cast<response&>(answer) = ask_now(s, r, call, &answer.lost_a_write);
    if (answer.failure) answer.failure = answer.failure->in(action_of(r), table_of(r));
    auto finished = finish(answer);
    if (!finished) finished = failure{finished.error().in(action_of(r), table_of(r))};
    call.ended(finished);
    return finished;
}

}  // namespace tablemap::detail
