// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/rest/token_cache.hpp"

#include "tablemap/base/redaction.hpp"
#include "crypto/primitives.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <span>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

result<access_token> failure_of(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (error const& e) {
        return failure{e};
    } catch (std::exception const& e) {
        return fail(library_errc::credential_failed, {.reason = e.what()});
    } catch (...) {
        return fail(library_errc::credential_failed, {.reason = "it threw what is no std::exception"});
    }
}

class function_source final : public token_source {
public:
    explicit function_source(std::function<result<access_token>(token_request const&)> f) : get_(std::move(f)) {}

    void get(token_request const& r, token_receiver& to) override { to.complete(call(r)); }

private:
    result<access_token> call(token_request const& r) const {
        try {
            return get_(r);
        } catch (...) {
            return failure_of(std::current_exception());
        }
    }

    std::function<result<access_token>(token_request const&)> get_;
};

failure no_token(std::string const& why) {
    return fail(library_errc::credential_failed, {.reason = "the program's source of tokens: " + redacted(why)});
}

/// A blank or a line break in it would end the header.
bool is_token_text(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

result<detail::token_ptr> hold(result<access_token>&& token, ticks now) {
    if (!token) {
        auto const& said = token.error().details().reason;
        return no_token(said.empty() ? token.error().code().message() : said);
    }
    if (!is_token_text(token->text)) return no_token("what it gave is no token: expected visible ASCII characters");
    if (token->expires_on <= now)
        return no_token("the token it gave has expired already: check expires_on, which is a time in UTC, and this "
                        "machine's clock");
    auto held = std::make_shared<detail::held_token>();
    held->header.reserve(7 + token->text.size());
    held->header.append("Bearer ").append(token->text);
    held->expires_on = token->expires_on;
    detail::wipe(std::as_writable_bytes(std::span{token->text}));
    return held;
}

}  // namespace

std::shared_ptr<token_source> make_token_source(std::function<result<access_token>(token_request const&)> get) {
    if (!get) return nullptr;
    return std::make_shared<function_source>(std::move(get));
}

namespace detail {

held_token::~held_token() { wipe(std::as_writable_bytes(std::span{header})); }

/// One question to the source, gone when it is answered.
class token_slot::fetch final : public token_receiver {
public:
    fetch(std::shared_ptr<token_slot> slot, token_request r, ticks now)
        : slot_(std::move(slot)), request_(std::move(r)), asked_at_(now) {}

    /// A source that throws has answered, unless it had answered before.
    void ask() noexcept {
        auto const slot = slot_;
        auto const answered = answered_;
        try {
            slot->source_->get(request_, *this);
        } catch (...) {
            if (!*answered) complete(failure_of(std::current_exception()));
        }
    }

    void complete(result<access_token>&& token) noexcept override {
        *answered_ = true;
        std::unique_ptr<fetch> const self{this};
        slot_->arrived(std::move(token), *this);
    }

    ticks asked_at() const noexcept { return asked_at_; }

private:
    std::shared_ptr<token_slot> const slot_;
    token_request const request_;
    ticks const asked_at_;
    std::shared_ptr<std::atomic<bool>> const answered_ = std::make_shared<std::atomic<bool>>(false);
};

token_slot::token_slot(std::shared_ptr<token_source> source, std::string scope, std::string tenant)
    : source_(std::move(source)), scope_(std::move(scope)), tenant_(std::move(tenant)) {}

/// Precondition: the mutex is held. The returned fetch has to be started after the mutex is released.
token_slot::fetch* token_slot::begin_fetch(ticks now) {
    auto* const begun = new fetch{
        shared_from_this(), {.scope = scope_, .tenant = tenant_, .resource = resource_, .claims = claims_}, now};
    fetching_ = true;
    outdated_ = false;
    return begun;
}

bool token_slot::get(ticks now, token_waiter& w) {
    auto const self = shared_from_this();  // the source may answer at once, and its receiver drop the store
    fetch* begun = nullptr;
    token_ptr valid;
    {
        std::scoped_lock const lock{mutex_};
        if (w.is_stopped()) return false;
        last_asked_ = now;
        if (held_ && !refused_ && now < held_->expires_on)
            valid = held_;
        else
            waiting_.push_back(&w);
        if (!fetching_ && (!valid || now >= refresh_at_)) begun = begin_fetch(now);
    }
    if (begun) begun->ask();
    if (valid) w.ready(std::move(valid));
    return true;
}

bool token_slot::leave(token_waiter& w) {
    std::scoped_lock const lock{mutex_};
    return std::erase(waiting_, &w) != 0;
}

void token_slot::refuse(token_ptr const& token, challenge const& said) {
    std::scoped_lock const lock{mutex_};
    if (held_ && held_ != token) return;
    bool const is_news = (held_ && !refused_) || (!said.claims.empty() && said.claims != claims_) ||
                         (!said.resource.empty() && said.resource != resource_);
    if (!is_news) return;
    refused_ = true;
    outdated_ = fetching_;
    if (!said.resource.empty()) resource_ = said.resource;
    if (!said.claims.empty()) claims_ = said.claims;
}

void token_slot::keep(token_ptr fresh, ticks asked_at) {
    auto const life = fresh->expires_on - asked_at;
    refresh_at_ = fresh->expires_on - std::min<tick_duration>(longest_margin, life / 4);
    held_ = std::move(fresh);
    refused_ = false;
    claims_.clear();
}

void token_slot::arrived(result<access_token>&& token, fetch const& asked) {
    auto fresh = hold(std::move(token), asked.asked_at());
    fetch* again = nullptr;
    std::vector<token_waiter*> waiting;
    {
        std::scoped_lock const lock{mutex_};
        fetching_ = false;
        if (!outdated_) {
            if (fresh)
                keep(*fresh, asked.asked_at());
            else
                refresh_at_ = asked.asked_at() + tick_duration{pause};
            waiting.swap(waiting_);
        } else if (!waiting_.empty()) {
            again = begin_fetch(last_asked_);
        }
    }
    if (again) again->ask();
    for (auto* w : waiting) w->ready(fresh);
}

std::shared_ptr<token_slot> token_cache::of(std::string const& scope, std::string const& tenant) {
    std::scoped_lock const lock{mutex_};
    // Answers name the tenants: slots that are no longer used make room for new ones.
    if (slots_.size() >= most_slots) std::erase_if(slots_, [](auto const& s) { return s.second.use_count() == 1; });
    auto& slot = slots_[{scope, tenant}];
    if (!slot) slot = std::make_shared<token_slot>(source_, scope, tenant);
    return slot;
}

}  // namespace detail
}  // namespace tablemap
