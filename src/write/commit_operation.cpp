// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/write/commit_operation.hpp"

#include "tablemap/detail/store/run.hpp"

namespace tablemap::inline v0_1::detail {

step commit_operation::start(environment const& env) {
    fault_ = what_->fault();
    if (fault_) return step::done();
    indexed_ = what_->indexed();
    if (indexed_) return indexed_->start(env);
    operations_ = what_->operations();
    sent_ = transact{what_->table(), operations_};
    return step::send(sent_);
}

step commit_operation::resume(environment const& env, std::span<response> answers) {
    if (indexed_) return indexed_->resume(env, answers);
    answer_ = std::move(answers.front());
    return step::done();
}

result<std::vector<etag>> commit_operation::take() {
    if (fault_) return failure{*std::move(fault_)};
    if (indexed_) answer_ = indexed_->take();
    if (answer_.failure) return failure{what_->failed(*answer_.failure)};
    return what_->succeeded(std::move(answer_.etags));
}

result<std::vector<etag>> commit(std::shared_ptr<transaction_core> const& what, call_options const& o) {
    return run(*what->store(), commit_operation{what}, o);
}

}  // namespace tablemap::detail
