// SPDX-License-Identifier: Apache-2.0
#include "store/replicated.hpp"

#include "tablemap/detail/store/environment.hpp"
#include "tablemap/store/service_response.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

/// The first character of a continuation of the copy. No store gives one with a control character, as it goes through
/// HTTP headers.
constexpr char copy_mark = '\x01';

bool is_marked(std::string_view text) noexcept { return text.starts_with(copy_mark); }

std::string_view continuation_of(request const& r) noexcept {
    if (auto const* page = std::get_if<query_page>(&r))
        return page->from ? page->from->partition_key : std::string_view{};
    if (auto const* list = std::get_if<list_tables>(&r)) return list->from;
    return {};
}

bool goes_on(request const& r) noexcept {
    if (auto const* page = std::get_if<query_page>(&r)) return page->from != nullptr;
    auto const* list = std::get_if<list_tables>(&r);
    return list && !list->from.empty();
}

/// A read that may be answered by a copy that is out of date.
bool may_lag(request const& r) noexcept {
    if (auto const* get = std::get_if<get_entity>(&r)) return !get->current;
    if (auto const* page = std::get_if<query_page>(&r)) return !page->current;
    return std::holds_alternative<list_tables>(r);
}

/// The place that a request is sent to.
read_from place_of(request const& r, read_from wanted) noexcept {
    if (std::holds_alternative<get_service_statistics>(r)) return read_from::secondary;
    if (!may_lag(r)) return read_from::primary;
    if (!goes_on(r)) return wanted;
    return is_marked(continuation_of(r)) ? read_from::secondary : read_from::primary;
}

/// A request to the copy: its own continuation without the mark.
class copy_request {
public:
    explicit copy_request(request const& r) : request_(r) {
        if (!is_marked(continuation_of(r))) return;
        if (auto* page = std::get_if<query_page>(&request_)) {
            from_ = *page->from;
            from_.partition_key.erase(0, 1);
            page->from = &from_;
        } else if (auto* list = std::get_if<list_tables>(&request_)) {
            list->from.remove_prefix(1);
        }
    }
    copy_request(copy_request const&) = delete;
    copy_request& operator=(copy_request const&) = delete;

    request const& get() const noexcept { return request_; }

private:
    request request_;
    continuation from_{};
};

/// The copy's answer with the mark, so that the requests that follow it come back to the copy.
response marked(response&& answer) {
    if (answer.next) answer.next->partition_key.insert(0, 1, copy_mark);
    if (answer.service && answer.service->next_table) {
        auto list = *answer.service;
        list.next_table->insert(0, 1, copy_mark);
        answer.service = std::make_shared<service_response const>(std::move(list));
    }
    return std::move(answer);
}

/// True if the copy is to be asked after this response of the primary.
bool wants_copy(response const& answer, call_options const& o) {
    return !answer.ok() && answer.failure->retryable() && !detail::environment{o}.why_stop();
}

class replicated_store final : public store {
public:
    replicated_store(store_ptr primary, store_ptr secondary, read_from from)
        : primary_(std::move(primary)), secondary_(std::move(secondary)), from_(from) {}

    tablemap::capabilities const& capabilities() const noexcept override { return primary_->capabilities(); }
    store_context const& context() const noexcept override { return primary_->context(); }

    response execute(request const& r, call_options const& o) override {
        auto const place = place_of(r, o.read_from.value_or(from_));
        if (place == read_from::secondary) return ask_copy(r, o);
        auto answer = primary_->execute(r, o);
        if (place == read_from::primary || !wants_copy(answer, o)) return answer;
        auto other = ask_copy(r, o);
        return other.ok() ? other : answer;
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        auto const place = place_of(r, o.read_from.value_or(from_));
        if (place == read_from::primary) return primary_->async_execute(r, o, to);
        auto* const c = new call{*this, r, o, to};
        place == read_from::secondary ? c->ask_copy() : primary_->async_execute(r, o, *c);
    }

private:
    /// One read under way that the copy answers, or may have to.
    class call final : public receiver {
    public:
        call(replicated_store& s, request const& r, call_options const& o, receiver& to)
            : store_(s), asked_(r), options_(o), to_(to) {}

        void ask_copy() {
            sent_.emplace(asked_);
            store_.secondary_->async_execute(sent_->get(), options_, *this);
        }

        void complete(response&& answer) noexcept override {
            if (!sent_) {
                if (!wants_copy(answer, options_)) return finish(std::move(answer));
                failed_ = std::move(answer);
                return ask_copy();
            }
            if (answer.ok()) return finish(marked(std::move(answer)));
            finish(failed_ ? *std::move(failed_) : std::move(answer));
        }

    private:
        void finish(response&& answer) noexcept {
            auto final_response = std::move(answer);  // it may lie in *this
            auto& to = to_;
            delete this;
            to.complete(std::move(final_response));
        }

        replicated_store& store_;
        request const& asked_;
        call_options const& options_;
        receiver& to_;
        std::optional<copy_request> sent_{};  ///< set once the copy was asked
        std::optional<response> failed_{};    ///< the primary's failure
    };

    response ask_copy(request const& r, call_options const& o) {
        copy_request const asked{r};
        auto answer = secondary_->execute(asked.get(), o);
        return answer.ok() ? marked(std::move(answer)) : std::move(answer);
    }

    store_ptr const primary_;
    store_ptr const secondary_;
    read_from const from_;
};

}  // namespace

store_ptr make_replicated(store_ptr primary, store_ptr secondary, read_from from) {
    return std::make_shared<replicated_store>(std::move(primary), std::move(secondary), from);
}

}  // namespace tablemap
