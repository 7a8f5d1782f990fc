// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/operations.hpp"

#include "tablemap/store/run.hpp"

namespace tablemap::detail {

step single_operation::start(environment const&) {
    if (fault_) return step::done();
    std::string_view const table = table_->name;
    auto const& e = what_.entity;
    switch (what_.what) {
    case owned_request::kind::get: sent_ = get_entity{table, e.partition_key, e.row_key}; break;
    case owned_request::kind::write:
        sent_ = write_entity{table,
                             {.kind = what_.write,
                              .partition_key = e.partition_key,
                              .row_key = e.row_key,
                              .body = e.body,
                              .if_match = what_.if_match,
                              .token = e.token}};
        break;
    }
    return step::send(sent_);
}

step single_operation::resume(environment const&, std::span<response> answers) {
    answer_ = std::move(answers.front());
    return step::done();
}

void drive(store& s, single_operation& op, call_options const& o) { value_or_throw(run<single_operation&>(s, op, o)); }

result<void> finish_done::operator()(response& answer) const {
    if (answer.failure) return failure{std::move(*answer.failure)};
    return {};
}

result<bool> finish_unless::operator()(response& answer) const {
    if (!answer.failure) return true;
    if (answer.failure->code() == expected && answer.failure->outcome() != outcome::in_doubt) return false;
    return failure{std::move(*answer.failure)};
}

result<etag> finish_etag::operator()(response& answer) const {
    if (answer.failure) return failure{std::move(*answer.failure)};
    return std::move(answer.etag);
}

result<void> finish_refresh::operator()(response& answer) const {
    if (answer.failure) return failure{std::move(*answer.failure)};
    *etag = std::move(answer.etag);
    *outdated = false;
    return {};
}

}  // namespace tablemap::detail
