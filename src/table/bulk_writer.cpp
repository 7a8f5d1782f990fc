// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/bulk_writer.hpp"

#include "tablemap/detail/store/flow_run.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

struct bulk_engine::state {
    state(std::shared_ptr<table_state const> t, bulk_options o, call_options c)
        : table(std::move(t)),
          call(*table->store, std::move(c), id_scope::request),
          write(table, std::move(o), call.env().options().retry),
          runner(*table->store, write, call) {
        call.named(write);
    }

    void run_to_end() {
        write.drain(true);
        while (runner.step(true)) {
        }
    }

    std::shared_ptr<table_state const> table;
    call_context call;
    bulk_write write;
    flow_runner<bulk_write> runner;  // last: it waits for what borrows from the rest
};

bulk_engine::bulk_engine(std::shared_ptr<table_state const> table, bulk_options options, call_options o)
    : state_(std::make_unique<state>(std::move(table), std::move(options), std::move(o))) {}
bulk_engine::~bulk_engine() = default;
bulk_engine::bulk_engine(bulk_engine&&) noexcept = default;
bulk_engine& bulk_engine::operator=(bulk_engine&&) noexcept = default;

bool bulk_engine::is_next_stored() const noexcept { return state_->write.is_next_stored(); }
std::size_t bulk_engine::pass_over() { return state_->write.pass_over(); }

std::size_t bulk_engine::add(encoded_write w) {
    auto& s = *state_;
    auto const position = s.write.add(std::move(w));
    s.write.drain(false);
    while (s.runner.step(s.write.full())) {
    }
    return position;
}

void bulk_engine::flush() { state_->run_to_end(); }

bulk_report bulk_engine::finish() {
    state_->run_to_end();
    auto report = state_->write.take();
    state_->call.ended(report);
    return value_or_throw(std::move(report));
}

bulk_progress bulk_engine::progress() const noexcept { return state_->write.progress(); }
bulk_ledger bulk_engine::ledger() const { return state_->write.ledger(); }
table_state const& bulk_engine::table() const noexcept { return state_->write.table(); }
clock& bulk_engine::clock() const noexcept { return state_->call.env().clock(); }

}  // namespace tablemap::detail
