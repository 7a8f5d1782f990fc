// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/commit.hpp"

#include "store/ask.hpp"
#include "write/indexed_commit.hpp"

namespace tablemap::inline v0_1::detail {

task<result<std::vector<etag>>> commit(std::shared_ptr<transaction_core> what) {
    if (auto fault = what->fault()) co_return failure{*std::move(fault)};
    response answer;
    if (what->has_indexes()) {
        auto const items = what->items();
        answer = co_await commit_indexed(what->table(), what->store()->capabilities(), what->cipher(), items);
    } else {
        auto const operations = what->operations();
        request const group = transact{what->table(), operations};
        answer = co_await ask(group);
    }
    if (answer.failure) co_return failure{what->failed(*answer.failure)};
    co_return what->succeeded(std::move(answer.etags));
}

result<std::vector<etag>> commit_now(std::shared_ptr<transaction_core> const& what, call_options const& o) {
    return run(*what->store(), commit_call(what), o);
}

}  // namespace tablemap::detail
