// SPDX-License-Identifier: Apache-2.0
#include "patterns/rolling_store.hpp"

#include "store/local_response.hpp"
#include "store/page_filter.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/store/thrown_note.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_creations = 3;  // of one write, while others drop the table

bool makes_row(write_operation const& w) noexcept { return !is_conditional(w.kind); }

/// True for writes that can succeed in an empty table.
bool makes_rows(request const& r) noexcept {
    if (auto const* const w = std::get_if<write_entity>(&r)) return makes_row(w->operation);
    auto const* const t = std::get_if<transact>(&r);
    return t && std::all_of(t->operations.begin(), t->operations.end(), makes_row);
}

bool is_of_rows(request const& r) noexcept {
    return std::holds_alternative<get_entity>(r) || std::holds_alternative<query_page>(r) ||
           std::holds_alternative<write_entity>(r) || std::holds_alternative<transact>(r);
}

bool is_missing(response const& answer) noexcept {
    return !answer.ok() && answer.failure->code() == service_errc::table_not_found &&
           answer.outcome() == outcome::not_applied;
}

bool is_going(response const& answer) noexcept {
    return !answer.ok() && answer.failure->code() == service_errc::table_being_deleted;
}

response empty_page() {
    response r;
    r.body = R"({"value":[]})";
    return r;
}

/// The place of the first operation of a transaction that an empty table refuses.
std::optional<std::size_t> first_refused(request const& r) {
    auto const* const t = std::get_if<transact>(&r);
    if (!t) return std::nullopt;
    auto const refused = std::find_if_not(t->operations.begin(), t->operations.end(), makes_row);
    return static_cast<std::size_t>(refused - t->operations.begin());
}

/// The response of an empty table to a read, or to a write of what is there.
response empty_answer(request const& r) {
    if (std::holds_alternative<query_page>(r)) return empty_page();
    return response::failed(error{service_errc::resource_not_found,
                                  {.reason = "the table of its period is not there",
                                   .table = std::string{table_of(r)},
                                   .failed_index = first_refused(r)}});
}

/// The response to a write whose table may not be created again.
response late_answer(request const& r) {
    return response::failed(
        error{library_errc::period_over,
              {.reason = "its table is not there, and entities of that time are not kept any more; see "
                         "rolling_options::keep",
               .table = std::string{table_of(r)}}});
}

/// The error of a write that was not sent, or refused, for want of its table.
error not_written(error const& why) {
    auto d = why.details();
    d.reason = "the table of its period is not there and was not created" + (d.reason.empty() ? "" : ": " + d.reason);
    return error{why.code(), std::move(d)}.with(outcome::not_applied);
}

/// The rules of the tables.
struct rules {
    rolling_names names;
    rolling_options options;

    bool is_over(std::string_view table) const {
        auto const start = names.parse(table);
        return start && detail::is_over(names, options, *start);
    }
};

/// Decides which request follows each response.
class creation {
public:
    creation(rules const& r, request const& asked) noexcept : rules_(r), asked_(asked) {}

    /// The request to send next; null if the answer, which may have been replaced, is that of the request.
    request const* next(response& answer) {
        if (creating_) return after_creation(answer);
        if (!is_missing(answer) && (is_write(asked_) || !is_going(answer))) return nullptr;
        if (!makes_rows(asked_)) return answer = empty_answer(asked_), nullptr;
        if (rules_.is_over(table_of(asked_))) return answer = late_answer(asked_), nullptr;
        if (creations_ == most_creations) return give_up(answer);
        ++creations_;
        creating_ = true;
        create_ = create_table{table_of(asked_)};
        return &create_;
    }

    /// The response in place of one of a store that threw at this request, after which nothing more is sent.
    response of_throwing(request const& sent) const {
        auto answer = response_of_throwing(sent);
        if (creating_) answer.failure = not_written(*answer.failure);
        return answer;
    }

private:
    request const* after_creation(response& answer) {
        creating_ = false;
        bool const may_be_there =
            answer.ok() || answer.failure->code() == service_errc::table_already_exists || is_in_doubt(answer);
        if (!may_be_there) return answer.failure = not_written(*answer.failure), nullptr;
        if (is_in_doubt(answer)) lost_ = *answer.failure;
        return &asked_;
    }

    request const* give_up(response& answer) {
        if (lost_) answer.failure = not_written(*lost_);
        return nullptr;
    }

    static bool is_in_doubt(response const& answer) { return answer.outcome() == outcome::in_doubt; }

    rules const& rules_;
    request const& asked_;
    request create_{};
    std::optional<error> lost_{};  ///< a creation whose response was lost
    int creations_ = 0;
    bool creating_ = false;
};

class rolling_store final : public store {
public:
    rolling_store(store_ptr inner, rules r) : inner_(std::move(inner)), rules_(std::move(r)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }

    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (answer.ok() || !concerns(r)) return answer;
        creation steps{rules_, r};
        while (auto const* const next = steps.next(answer)) {
            if (auto const why = environment{o}.why_stop()) return response::failed(not_written(error{why}));
            answer = inner_->execute(*next, o);
        }
        return answer;
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        if (!concerns(r)) return inner_->async_execute(r, o, to);
        auto c = std::make_unique<call>(*this, r, o, to);
        inner_->async_execute(r, o, *c);
        static_cast<void>(c.release());  // it destroys itself with the response
    }

private:
    /// A request under way.
    class call final : public receiver {
    public:
        call(rolling_store& s, request const& r, call_options const& o, receiver& to)
            : store_(s), options_(o), to_(to), steps_(s.rules_, r) {}

        void complete(response&& answer) noexcept override {
            auto const* const next = steps_.next(answer);
            if (!next) return finish(std::move(answer));
            if (auto const why = environment{options_}.why_stop())
                return finish(response::failed(not_written(error{why})));
            try {
                store_.inner_->async_execute(*next, options_, *this);
            } catch (...) {
                if (options_.origin.thrown) options_.origin.thrown->keep(std::current_exception());
                finish(steps_.of_throwing(*next));
            }
        }

    private:
        void finish(response&& answer) noexcept {
            auto last = std::move(answer);  // it may lie in what goes away
            auto& to = to_;
            delete this;
            to.complete(std::move(last));
        }

        rolling_store& store_;
        call_options const& options_;
        receiver& to_;
        creation steps_;
    };

    /// False for the question whether a table exists.
    bool concerns(request const& r) const {
        auto const* const q = std::get_if<query_page>(&r);
        return is_of_rows(r) && !(q && is_query_of_nothing(*q)) && rules_.names.parse(table_of(r));
    }

    store_ptr const inner_;
    rules const rules_;
};

}  // namespace

store_ptr make_rolling_store(store_ptr inner, rolling_names names, rolling_options const& o) {
    return std::make_shared<rolling_store>(std::move(inner), rules{std::move(names), o});
}

}  // namespace tablemap::detail
