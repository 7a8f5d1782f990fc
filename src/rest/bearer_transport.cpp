// SPDX-License-Identifier: Apache-2.0
#include "rest/bearer_transport.hpp"

#include "tablemap/detail/store/environment.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int unauthorized = 401;

class bearer_transport final : public transport {
public:
    bearer_transport(std::shared_ptr<transport> inner, std::shared_ptr<token_cache> cache, std::string scope,
                     std::function<ticks()> now)
        : inner_(std::move(inner)),
          cache_(std::move(cache)),
          scope_(std::move(scope)),
          now_(std::move(now)),
          tokens_(cache_->of(scope_, {})) {}

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        auto* const c = new pending{*this, r, o, to};
        c->heed_stop();
        c->ask();
    }

    http_result call(http_request const& r, call_options const& o) override {
        auto message = r;
        message.headers.emplace_back("Authorization", std::string{});
        auto tokens = current();
        for (bool again = false;; again = true) {
            auto const token = token_for(o, *tokens);
            if (!token) return {{}, token.error()};
            if (auto const why = environment{o}.why_stop()) return ended(why, again);
            message.headers.back().second = (*token)->header;
            auto result = inner_->call(message, o);
            if (again || result.failure || result.response.status != unauthorized) return result;
            tokens = refuse(tokens, *token, result.response);
        }
    }

private:
    static error clock_fault() {
        return error{library_errc::credential_failed,
                     {.reason = "nothing was sent: the function that tells the store's time threw an exception"}};
    }

    static http_result ended(std::error_code why, bool refused) {
        return {{}, error{why, {.reason = refused ? "the service refused the access token" : "nothing was sent"}}};
    }

    std::shared_ptr<token_slot> current() {
        std::scoped_lock const lock{mutex_};
        return tokens_;
    }

    /// The slot of the next token. The account's tenant is learnt from the first response that names it.
    std::shared_ptr<token_slot> refuse(std::shared_ptr<token_slot> const& used, token_ptr const& token,
                                       http_response const& answer) {
        auto const* const header = answer.header("WWW-Authenticate");
        auto const said = (header ? parse_challenge(*header) : std::nullopt).value_or(challenge{});
        std::unique_lock lock{mutex_};
        if (tokens_ == used && !said.tenant.empty() && said.tenant != used->tenant())
            tokens_ = cache_->of(scope_, said.tenant);
        auto next = tokens_;
        lock.unlock();
        next->refuse(token, said);
        return next;
    }

    /// Waits for a token on this thread.
    result<token_ptr> token_for(call_options const& o, token_slot& tokens) {
        blocked_thread waiter;
        tokens.get(now_(), waiter);
        if (waiter.wait(o) || !tokens.leave(waiter)) return waiter.take();
        return failure{error{o.stop.stop_requested() ? library_errc::cancelled : library_errc::deadline_exceeded,
                             {.reason = "nothing was sent: the call ended while an access token was fetched"}}};
    }

    class blocked_thread final : public token_waiter {
    public:
        void ready(result<token_ptr> token) noexcept override {
            std::scoped_lock const lock{mutex_};
            token_ = std::move(token);
            come_.notify_one();  // under the lock: the waiting thread destroys this as soon as it can
        }

        /// False if the call has to end before.
        bool wait(call_options const& o) {
            std::unique_lock lock{mutex_};
            auto const is_there = [&] { return token_.has_value(); };
            if (!o.deadline || o.clock) return come_.wait(lock, o.stop, is_there);
            return come_.wait_until(lock, o.stop, *o.deadline, is_there);
        }

        /// Waits as long as it takes.
        result<token_ptr> take() {
            std::unique_lock lock{mutex_};
            come_.wait(lock, [&] { return token_.has_value(); });
            return *std::move(token_);
        }

    private:
        std::mutex mutex_;
        std::condition_variable_any come_;
        std::optional<result<token_ptr>> token_{};
    };

    /// One request, once with each of at most two tokens.
    class pending final : public token_waiter, public http_receiver {
    public:
        pending(bearer_transport& t, http_request const& r, call_options const& o, http_receiver& to)
            : transport_(t), message_(r), options_(o), to_(to), tokens_(t.current()) {
            message_.headers.emplace_back("Authorization", std::string{});
        }

        /// Ends the wait for a token when a stop is requested; the inner transport sees to the rest.
        void heed_stop() {
            if (options_.stop.stop_possible()) stop_.emplace(options_.stop, stopper{*this});
        }

        /// Waits for a token; may end this.
        void ask() noexcept {
            ticks now;
            try {
                now = transport_.now_();
            } catch (...) {
                return finish({{}, clock_fault()});
            }
            if (!tokens_->get(now, *this)) give_up(library_errc::cancelled);
        }

        bool is_stopped() const noexcept override { return options_.stop.stop_requested(); }

        void ready(result<token_ptr> token) noexcept override {
            if (!token) return finish({{}, std::move(token).error()});
            if (auto const why = environment{options_}.why_stop()) return give_up(why);
            token_ = *std::move(token);
            message_.headers.back().second = token_->header;
            transport_.inner_->send(message_, options_, *this);
        }

        void complete(http_result&& result) noexcept override {
            if (again_ || result.failure || result.response.status != unauthorized) return finish(std::move(result));
            again_ = true;
            auto next = transport_.refuse(tokens_, token_, result.response);
            if (next != tokens_) {
                stop_.reset();  // it reads what changes here
                tokens_ = std::move(next);
                heed_stop();
            }
            if (auto const why = environment{options_}.why_stop()) return give_up(why);
            ask();
        }

    private:
        /// While it runs on another thread, the call's destructor waits for it.
        struct stopper {
            pending& waiting;
            void operator()() const noexcept {
                if (waiting.tokens_->leave(waiting)) waiting.give_up(library_errc::cancelled);
            }
        };

        void give_up(std::error_code why) noexcept { finish(ended(why, again_)); }

        void finish(http_result&& result) noexcept {
            auto last = std::move(result);
            auto& to = to_;
            delete this;
            to.complete(std::move(last));
        }

        bearer_transport& transport_;
        http_request message_;
        call_options const& options_;
        http_receiver& to_;
        std::shared_ptr<token_slot> tokens_;
        token_ptr token_{};
        bool again_ = false;
        std::optional<std::stop_callback<stopper>> stop_{};
    };

    std::shared_ptr<transport> const inner_;
    std::shared_ptr<token_cache> const cache_;
    std::string const scope_;
    std::function<ticks()> const now_;
    std::mutex mutex_;
    std::shared_ptr<token_slot> tokens_;  ///< of the account's tenant, as far as it is known
};

}  // namespace

std::shared_ptr<transport> make_bearer_transport(std::shared_ptr<transport> inner, std::shared_ptr<token_cache> tokens,
                                                 std::string scope, std::function<ticks()> now) {
    return std::make_shared<bearer_transport>(std::move(inner), std::move(tokens), std::move(scope), std::move(now));
}

}  // namespace tablemap::detail
