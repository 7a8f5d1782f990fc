// SPDX-License-Identifier: Apache-2.0
#include "tablemap/table/bulk_writer.hpp"

#include "bulk/bulk_write.hpp"
#include "store/task_runner.hpp"

#include <exception>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The write of a writer. What the user's functions throw leaves the writer's call at hand and ends no task.
class written_rows final : public bulk_write {
public:
    using bulk_write::bulk_write;

    void rethrow() {
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    }

private:
    void tell() override {
        if (thrown_) return;
        try {
            bulk_write::tell();
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    std::exception_ptr thrown_{};
};

}  // namespace

struct bulk_engine::state {
    state(std::shared_ptr<table_state const> t, bulk_options o, call_options c)
        : table(std::move(t)),
          options(std::move(o)),
          call(*table->store, std::move(c), id_scope::request),
          write(*table, options, call.env()),
          engine(call.env(), policy_of(*table->store, call.env().options())),
          runner(*table->store, call, engine, id_scope::request) {
        call.named(*this);
        engine.begin(sending.get(), sending.get().promise());
    }

    operation_label label() const noexcept { return {"bulk write", table->name}; }

    bool step(bool may_wait) {
        bool const more = runner.step(may_wait);
        write.rethrow();
        return more;
    }

    void run_to_end() {
        write.expect_rows(false);
        while (step(true)) {
        }
    }

    std::shared_ptr<table_state const> table;
    bulk_options options;
    call_context call;
    written_rows write;
    task<> sending = write.send_always();
    task_engine engine;
    task_runner runner;  // last: it waits for what borrows from the rest
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
    s.write.expect_rows(true);
    auto const position = s.write.add(std::move(w));
    while (s.step(s.write.full())) {
    }
    return position;
}

void bulk_engine::flush() { state_->run_to_end(); }

bulk_report bulk_engine::finish() {
    state_->run_to_end();
    result<bulk_report> report = state_->write.report();
    state_->call.ended(report);
    return *std::move(report);
}

bulk_progress bulk_engine::progress() const noexcept { return state_->write.progress(); }
bulk_ledger bulk_engine::ledger() const { return state_->write.ledger(); }
table_state const& bulk_engine::table() const noexcept { return *state_->table; }
clock& bulk_engine::clock() const noexcept { return state_->call.env().clock(); }

}  // namespace tablemap::detail
