// SPDX-License-Identifier: Apache-2.0
#include "command/stored_check.hpp"

#include "command/open_store.hpp"

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::size_t every = 1'000;
constexpr std::size_t at_once = 16;

}  // namespace

void stored_check::add(dynamic_entity const& row) {
    last_ = row;
    if (count_++ % every == 0) waiting_.emplace_back(row.partition_key, row.row_key);
    // The first one at once: before anything is written.
    if (count_ == 1 || waiting_.size() == at_once) look();
}

void stored_check::finish() {
    if (count_ > 0) waiting_.emplace_back(last_.partition_key, last_.row_key);
    look();
}

void stored_check::look() {
    for (auto const& found : table_.find_many(waiting_))
        if (!found)
            throw usage_error{"the ledger says that rows are stored which are not in the table any more; remove the "
                              "ledger to import all rows again"};
    waiting_.clear();
}

}  // namespace tablemap::inline v0_1::command
