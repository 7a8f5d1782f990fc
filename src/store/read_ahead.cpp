// SPDX-License-Identifier: Apache-2.0
#include "store/read_ahead.hpp"

#include "store/local_response.hpp"

#include <exception>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// A failure of a page that was read ahead is not reported; but a store that asks to wait is not asked again at once.
bool is_final(response const& early) { return early.ok() || early.retry_after; }

}  // namespace

read_ahead_store::~read_ahead_store() {
    std::unique_lock lock{mutex_};
    came_.wait(lock, [&] { return !waits_; });
}

response read_ahead_store::execute(request const& r, call_options const& options) {
    auto const* const page = std::get_if<query_page>(&r);
    if (!page) return inner_->execute(r, options);
    std::optional<response> answer;
    if (is_early(*page)) {
        std::unique_lock lock{mutex_};
        came_.wait(lock, [&] { return !waits_; });
        answer = std::exchange(answer_, std::nullopt);
        early_->pass_thrown(options);
    }
    if (!answer || !is_final(*answer)) answer = inner_->execute(r, options);
    read_next(*page, *answer, options, {});
    return *std::move(answer);
}

void read_ahead_store::async_execute(request const& r, call_options const& options, receiver& to) {
    auto const* const page = std::get_if<query_page>(&r);
    if (!page) return inner_->async_execute(r, options, to);
    watched_.owner = this;
    watched_.page = *page;
    watched_.options = &options;
    watched_.to = &to;
    if (is_early(*page)) {
        std::unique_lock lock{mutex_};
        if (waits_) {
            claimed_ = true;
            return;
        }
        auto answer = std::exchange(answer_, std::nullopt);
        lock.unlock();
        if (answer && is_final(*answer)) return deliver(*std::move(answer));
    }
    inner_->async_execute(r, options, watched_);
}

void read_ahead_store::watched::complete(response&& answer) noexcept { owner->deliver(std::move(answer)); }

/// True if this page was requested before. Any other page makes that one worthless.
bool read_ahead_store::is_early(query_page const& page) const {
    return early_ && page.from && *page.from == early_->from;
}

void read_ahead_store::read_next(query_page const& page, response const& answer, call_options const& options,
                                 std::shared_ptr<void const> keep) noexcept {
    if (!answer.ok() || !answer.next) return;
    std::unique_lock lock{mutex_};
    came_.wait(lock, [&] { return !waits_; });
    answer_.reset();
    early_ = std::make_unique<early_page>(*this);
    early_->from = *answer.next;
    early_->take_options(options);
    early_->keep = std::move(keep);
    auto next = page;
    next.from = &early_->from;
    early_->wanted = next;
    waits_ = true;
    lock.unlock();
    try {
        inner_->async_execute(early_->wanted, early_->options, *early_);
    } catch (...) {  // a failure that came early is dropped: the page is requested again when it is needed
        early_->complete(response_of_throwing(early_->wanted));
    }
}

void read_ahead_store::arrived(response&& answer) noexcept {
    auto const keep = std::move(early_->keep);  // released last: *this may be destroyed with it
    std::unique_lock lock{mutex_};
    waits_ = false;
    bool const claimed = std::exchange(claimed_, false);
    if (!claimed) {
        answer_ = std::move(answer);
        came_.notify_all();
        return;
    }
    came_.notify_all();
    lock.unlock();
    if (is_final(answer)) return deliver(std::move(answer));
    auto page = watched_.page;
    page.from = &early_->from;
    early_->wanted = page;
    ask_again();
}

void read_ahead_store::ask_again() noexcept {
    try {
        inner_->async_execute(early_->wanted, *watched_.options, watched_);
    } catch (...) {
        if (auto* const note = watched_.options->origin.thrown) note->keep(std::current_exception());
        watched_.to->complete(response_of_throwing(early_->wanted));
    }
}

void read_ahead_store::early_page::take_options(call_options const& o) {
    options = o;
    if (auto* const guarded = dynamic_cast<guarded_clock*>(o.clock))
        clock.watch(guarded->inner());
    else if (o.clock)
        clock.watch(*o.clock);
    if (o.clock) options.clock = &clock;
    options.origin.attempt = 1;
    options.origin.thrown = &thrown;
}

void read_ahead_store::early_page::pass_thrown(call_options const& to) noexcept {
    if (to.origin.thrown) thrown.pass_to(*to.origin.thrown);
}

/// Gives the asynchronous driver its response, with the next page on its way.
void read_ahead_store::deliver(response&& answer) noexcept {
    auto* const to = watched_.to;
    if (early_) early_->pass_thrown(*watched_.options);
    read_next(watched_.page, answer, *watched_.options, owner_.lock());
    to->complete(std::move(answer));
}

}  // namespace tablemap::detail
