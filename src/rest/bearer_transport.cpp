// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/bearer_transport.hpp"

#include "tablemap/store/operation.hpp"

#include <utility>

namespace tablemap::detail {
namespace {

constexpr int unauthorized = 401;

class bearer_transport final : public transport {
public:
    bearer_transport(std::shared_ptr<transport> inner, std::shared_ptr<token_slot> tokens, std::function<ticks()> now)
        : inner_(std::move(inner)), tokens_(std::move(tokens)), now_(std::move(now)) {}

    void send(http_request const& r, call_options const& o, http_receiver& to) override {
        tokens_->get(now_(), *new call{*this, r, o, to});
    }

private:
    /// One request, once with each of at most two tokens.
    class call final : public token_waiter, public http_receiver {
    public:
        call(bearer_transport& t, http_request const& r, call_options const& o, http_receiver& to)
            : transport_(t), message_(r), options_(o), to_(to) {
            message_.headers.emplace_back("Authorization", std::string{});
        }

        void ready(result<token_ptr> token) noexcept override {
            if (!token) return finish({{}, std::move(token).error()});
            if (auto const why = environment{options_}.why_stop())
                return finish({{}, error{why, {.reason = "nothing was sent"}}});
            token_ = *std::move(token);
            message_.headers.back().second = token_->header;
            transport_.inner_->send(message_, options_, *this);
        }

        void complete(http_result&& result) noexcept override {
            if (again_ || result.failure || result.response.status != unauthorized) return finish(std::move(result));
            again_ = true;
            auto const* header = result.response.header("WWW-Authenticate");
            auto const said = header ? parse_challenge(*header) : std::nullopt;
            transport_.tokens_->refuse(token_, said.value_or(challenge{}));
            transport_.tokens_->get(transport_.now_(), *this);
        }

    private:
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
        token_ptr token_{};
        bool again_ = false;
    };

    std::shared_ptr<transport> const inner_;
    std::shared_ptr<token_slot> const tokens_;
    std::function<ticks()> const now_;
};

}  // namespace

std::shared_ptr<transport> make_bearer_transport(std::shared_ptr<transport> inner, std::shared_ptr<token_slot> tokens,
                                                 std::function<ticks()> now) {
    return std::make_shared<bearer_transport>(std::move(inner), std::move(tokens), std::move(now));
}

}  // namespace tablemap::detail
