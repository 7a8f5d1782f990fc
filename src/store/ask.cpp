// SPDX-License-Identifier: Apache-2.0
#include "store/ask.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

void send(exchange& e, request const& what, int attempt, exchange_owner& owner, task_engine& engine) noexcept {
    e.what = &what;
    e.attempt = attempt;
    e.owner = &owner;
    engine.send(e);
}

}  // namespace

void question::begin(std::coroutine_handle<> awaiter, task_engine& engine, std::span<exchange> with) {
    turn_.handle = awaiter;
    engine_ = &engine;
    exchanges_ = with;
    open_ = with.size();
    for (std::size_t i = 0; i < with.size(); ++i) send(with[i], wanted_[i], 1, *this, engine);
}

void question::answered(exchange&) {
    if (--open_ > 0) return;
    bool const may_retry = engine_->policy().attempts > 1;
    auto const failed = [](exchange const& e) { return !e.answer.ok(); };
    if (!may_retry || std::none_of(exchanges_.begin(), exchanges_.end(), failed)) return engine_->make_ready(turn_);
    auto& again = retrying_.emplace(retry(wanted_, exchanges_, lost_a_write_)).get().promise();
    again.engine = engine_;
    again.awaiter = turn_.handle;
    turn_.handle = retrying_->get();
    engine_->make_ready(turn_);
}

void asking_once::begin(std::coroutine_handle<> awaiter, task_engine& engine) noexcept {
    turn_.handle = awaiter;
    engine_ = &engine;
    open_ = with_.size();
    for (std::size_t i = 0; i < with_.size(); ++i) send(*with_[i], wanted_[i], attempt_, *this, engine);
}

void asking_once::answered(exchange&) {
    if (--open_ == 0) engine_->make_ready(turn_);
}

std::vector<response> asking_all::await_resume() {
    rethrow();
    std::vector<response> answers;
    answers.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) answers.push_back(std::move(exchanges_[i].answer));
    return answers;
}

}  // namespace tablemap::detail
