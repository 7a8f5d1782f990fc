// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/faulty_store.hpp"

#include <deque>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::testing {
namespace {

bool is_carried_out(fault f) { return f == fault::lost_after || f == fault::late_after || f == fault::truncated; }
bool is_late(fault f) { return f == fault::late_before || f == fault::late_after; }

response failed(request const& r, std::error_code code, std::shared_ptr<round_trip const> trip) {
    auto answer = response::failed(
        error{code,
              {.reason = "a fault that a test asked for",
               .outcome = is_write(r) && code != service_errc::server_busy ? outcome::in_doubt : outcome::not_applied}}
            .in(action_of(r), table_of(r)));
    answer.trip = std::move(trip);
    return answer;
}

std::error_code code_of(fault f, call_options const& o) {
    switch (f) {
    case fault::busy: return service_errc::server_busy;
    case fault::lost_before:
    case fault::lost_after:
    case fault::overtaken: return library_errc::response_lost;
    case fault::late_before:
    case fault::late_after:
        if (o.stop.stop_requested()) return library_errc::cancelled;
        return o.deadline ? std::error_code{library_errc::deadline_exceeded} : transport_errc::timed_out;
    case fault::truncated: return transport_errc::response_cut_short;
    case fault::reset: return transport_errc::connection_lost;
    }
    return library_errc::response_lost;
}

/// The response in place of the inner store's response, which is empty if the request was not carried out.
response after_fault(fault f, request const& r, call_options const& o, std::shared_ptr<round_trip const> trip,
                     response&& answer) {
    if (f != fault::truncated || is_write(r) || !answer.ok() || answer.body.empty())
        return failed(r, code_of(f, o), std::move(trip));
    answer.body.resize(answer.body.size() / 2);
    return std::move(answer);
}

clock& clock_of(call_options const& o) { return o.clock ? *o.clock : clock::system(); }

void wait_for_deadline(call_options const& o) {
    if (o.deadline) clock_of(o).sleep_until(*o.deadline, o.stop);
}

/// Answers when the deadline is there. Only a clock of the test's may be waited for on the caller's thread.
void answer_late(fault f, request const& r, call_options const& o, std::shared_ptr<round_trip const> trip,
                 receiver& to) {
    auto answer = [f, &r, &o, trip = std::move(trip), &to] {
        wait_for_deadline(o);
        to.complete(failed(r, code_of(f, o), trip));
    };
    if (o.clock || !o.deadline) return answer();
    // It cannot be joined: it answers last, and then the store itself may be destroyed. It touches nothing afterwards.
    std::thread{answer}.detach();
}

request with_page_size(request const& r, std::optional<std::size_t> size) {
    request changed = r;
    if (auto* q = std::get_if<query_page>(&changed)) q->top = size;
    return changed;
}

}  // namespace

/// A write with all that it borrowed, for later.
class faulty_store::kept_write {
public:
    explicit kept_write(request const& r) : what_(r) {
        if (auto* w = std::get_if<write_entity>(&what_)) *w = {keep(w->table), keep(w->operation)};
        if (auto* t = std::get_if<transact>(&what_)) {
            for (auto const& w : t->operations) operations_.push_back(keep(w));
            *t = {keep(t->table), operations_};
        }
        if (auto* c = std::get_if<create_table>(&what_)) c->table = keep(c->table);
        if (auto* d = std::get_if<delete_table>(&what_)) d->table = keep(d->table);
        if (auto* q = std::get_if<queue_request>(&what_)) std::visit([this](auto& x) { keep_all(x); }, *q);
        if (auto* b = std::get_if<blob_request>(&what_)) std::visit([this](auto& x) { keep_all(x); }, *b);
    }

    static bool can_keep(request const& r) {
        return std::holds_alternative<write_entity>(r) || std::holds_alternative<transact>(r) ||
               std::holds_alternative<create_table>(r) || std::holds_alternative<delete_table>(r) ||
               (is_write(r) && (std::holds_alternative<queue_request>(r) || std::holds_alternative<blob_request>(r)));
    }

    void carry_out(store& s) const { static_cast<void>(s.execute(what_, {})); }

private:
    std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }
    write_operation keep(write_operation const& w) {
        return {w.kind,           keep(w.partition_key), keep(w.row_key), keep(w.body),
                keep(w.if_match), w.operation_id,        w.properties_at};
    }

    void keep(blob_condition& when) { when.if_match = keep(when.if_match); }

    /// Every text of a request of queues or blobs, by the name of its member.
    template <class Request> void keep_all(Request& r) {
        if constexpr (requires { r.queue; }) r.queue = keep(r.queue);
        if constexpr (requires { r.container; }) r.container = keep(r.container);
        if constexpr (requires { r.blob; }) r.blob = keep(r.blob);
        if constexpr (requires { r.id; }) r.id = keep(r.id);
        if constexpr (requires { r.receipt; }) r.receipt = keep(r.receipt);
        if constexpr (requires { r.body; }) r.body = keep(r.body);
        if constexpr (requires { r.block; }) r.block = keep(r.block);
        if constexpr (requires { r.content_type; }) r.content_type = keep(r.content_type);
        if constexpr (requires { r.if_match; }) r.if_match = keep(r.if_match);
        if constexpr (requires { r.when; }) keep(r.when);
        if constexpr (requires { r.blocks; }) {
            for (auto const block : r.blocks) blocks_.push_back(keep(block));
            r.blocks = blocks_;
        }
        if constexpr (std::is_same_v<Request, put_message>) r.text = keep(r.text);
        if constexpr (std::is_same_v<Request, update_message>)
            if (r.text) r.text = keep(*r.text);
    }

    std::deque<std::string> texts_{};
    std::vector<std::string_view> blocks_{};
    std::vector<write_operation> operations_{};
    request what_;
};

/// A request that the inner store carries out asynchronously. Deletes itself when the response is there.
class faulty_store::passed_on final : public receiver {
public:
    passed_on(turn const& t, request const& r, call_options const& o, receiver& to)
        : turn_(t), asked_(r), sent_(with_page_size(r, t.page_size)), options_(o), to_(to) {}

    request const& sent() const noexcept { return sent_; }

    void complete(response&& answer) noexcept override {
        std::unique_ptr<passed_on> const self{this};
        if (!turn_.due) return to_.complete(std::move(answer));
        if (is_late(*turn_.due)) return answer_late(*turn_.due, asked_, options_, turn_.trip, to_);
        to_.complete(after_fault(*turn_.due, asked_, options_, turn_.trip, std::move(answer)));
    }

private:
    turn turn_;
    request const& asked_;
    request sent_;
    call_options const& options_;
    receiver& to_;
};

void faulty_store::fail_next(fault f, std::size_t skip) {
    std::scoped_lock lock{mutex_};
    planned_[requests_ + skip] = f;
}

void faulty_store::fail_randomly(double probability, std::uint64_t seed, std::vector<fault> kinds) {
    std::scoped_lock lock{mutex_};
    probability_ = kinds.empty() ? 0 : probability;
    random_faults_ = std::move(kinds);
    random_.seed(seed);
}

void faulty_store::set_overtaking(std::size_t requests) {
    std::scoped_lock lock{mutex_};
    overtaking_ = requests;
}

void faulty_store::carry_out_overtaken() {
    std::unique_lock lock{mutex_};
    auto const all = std::exchange(overtaken_, {});
    lock.unlock();
    for (auto const& [due, w] : all) w->carry_out(*inner_);
}

void faulty_store::act_before(std::function<void(store&)> act, std::size_t skip) {
    std::scoped_lock lock{mutex_};
    acts_[requests_ + skip] = std::move(act);
}

void faulty_store::stop_failing() {
    std::scoped_lock lock{mutex_};
    planned_.clear();
    acts_.clear();
    probability_ = 0;
}

void faulty_store::shorten_pages(std::uint64_t seed) {
    std::scoped_lock lock{mutex_};
    page_sizes_.emplace(seed);
}

void faulty_store::set_retry_after(std::optional<std::chrono::milliseconds> wait) {
    std::scoped_lock lock{mutex_};
    retry_after_ = wait;
}

std::optional<fault> faulty_store::next_fault() {
    auto const planned = planned_.find(requests_++);
    std::optional<fault> due;
    if (planned != planned_.end()) {
        due = planned->second;
        planned_.erase(planned);
    } else if (probability_ > 0 && std::bernoulli_distribution{probability_}(random_)) {
        due = random_faults_[random_() % random_faults_.size()];
    }
    if (due) ++faults_;
    return due;
}

faulty_store::turn faulty_store::next_turn(request const& r) {
    std::scoped_lock lock{mutex_};
    turn t{.retry_after = retry_after_};
    auto const due = overtaken_.upper_bound(requests_);
    for (auto at = overtaken_.begin(); at != due; ++at) t.overtaken.push_back(at->second);
    overtaken_.erase(overtaken_.begin(), due);
    if (auto const act = acts_.extract(requests_)) t.act = std::move(act.mapped());
    t.due = next_fault();
    if (t.due == fault::overtaken && kept_write::can_keep(r))
        overtaken_.emplace(requests_ + overtaking_, std::make_shared<kept_write>(r));
    if (t.due && inner_->capabilities().remote) t.trip = std::make_shared<round_trip>();
    if (auto const* q = std::get_if<query_page>(&r)) {
        t.page_size = q->top;
        if (page_sizes_) t.page_size = 1 + (*page_sizes_)() % q->top.value_or(inner_->capabilities().page_entities);
    }
    return t;
}

/// Carries out what is due before the request.
faulty_store::turn faulty_store::begin(request const& r) {
    auto t = next_turn(r);
    for (auto const& w : t.overtaken) w->carry_out(*inner_);
    if (t.act) t.act(*inner_);
    return t;
}

response faulty_store::execute(request const& r, call_options const& options) {
    auto const t = begin(r);
    response answer;
    if (!t.due || is_carried_out(*t.due)) answer = inner_->execute(with_page_size(r, t.page_size), options);
    if (!t.due) return answer;
    if (is_late(*t.due)) wait_for_deadline(options);
    answer = after_fault(*t.due, r, options, t.trip, std::move(answer));
    if (t.due == fault::busy) answer.retry_after = t.retry_after;
    return answer;
}

void faulty_store::async_execute(request const& r, call_options const& options, receiver& to) {
    auto const t = begin(r);
    if (!t.due || is_carried_out(*t.due)) {
        auto* const passed = new passed_on{t, r, options, to};
        return inner_->async_execute(passed->sent(), options, *passed);
    }
    if (is_late(*t.due)) return answer_late(*t.due, r, options, t.trip, to);
    auto answer = after_fault(*t.due, r, options, t.trip, {});
    if (t.due == fault::busy) answer.retry_after = t.retry_after;
    to.complete(std::move(answer));
}

std::size_t faulty_store::requests() const {
    std::scoped_lock lock{mutex_};
    return requests_;
}

std::size_t faulty_store::faults() const {
    std::scoped_lock lock{mutex_};
    return faults_;
}

}  // namespace tablemap::testing
