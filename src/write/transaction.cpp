// SPDX-License-Identifier: Apache-2.0
#include "tablemap/write/transaction.hpp"

#include "tablemap/detail/write/commit.hpp"

namespace tablemap::inline v0_1 {

transaction::transaction(std::shared_ptr<detail::table_state const> table, clock& c)
    : core_(std::make_shared<detail::transaction_core>(std::move(table), c)) {}

std::vector<etag> transaction::commit(call_options const& o) { return value_or_throw(try_commit(o)); }

result<std::vector<etag>> transaction::try_commit(call_options const& o) { return detail::commit_now(core_, o); }

std::size_t transaction::merge(entity<dynamic_entity>& e, only_properties const& chosen) {
    return add(encoder<dynamic_entity>().merge(e, chosen), e);
}

}  // namespace tablemap
