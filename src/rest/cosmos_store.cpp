// SPDX-License-Identifier: Apache-2.0
#include "rest/cosmos_store.hpp"

#include "store/page_filter.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr auto believed_for = std::chrono::minutes{1};
constexpr std::size_t most_tables = 1'000;

/// The tables that were there lately.
class known_tables {
public:
    explicit known_tables(std::function<ticks()> now) : now_(std::move(now)) {}

    bool has(std::string_view table) const {
        std::lock_guard const lock{mutex_};
        auto const at = seen_.find(table);
        return at != seen_.end() && now_() - at->second < believed_for;
    }

    void add(std::string_view table) {
        std::lock_guard const lock{mutex_};
        if (seen_.size() >= most_tables) seen_.clear();
        seen_.insert_or_assign(std::string{table}, now_());
    }

    void remove(std::string_view table) {
        std::lock_guard const lock{mutex_};
        if (auto const at = seen_.find(table); at != seen_.end()) seen_.erase(at);
    }

private:
    std::function<ticks()> now_;
    mutable std::mutex mutex_;
    std::map<std::string, ticks, std::less<>> seen_;
};

bool says_not_found(response const& answer) {
    return answer.failure && answer.failure->code() == service_errc::resource_not_found &&
           answer.outcome() == outcome::not_applied;
}

/// The resource that a request needs and that the response "not found" may be about.
enum class needed_resource : std::uint8_t { table, entity_in_table, nothing };

struct resource_needs {
    needed_resource operator()(get_entity const&) const { return needed_resource::entity_in_table; }
    needed_resource operator()(query_page const&) const { return needed_resource::table; }
    needed_resource operator()(write_entity const& w) const { return of(is_conditional(w.operation.kind)); }
    needed_resource operator()(transact const& t) const {
        return of(
            std::any_of(t.operations.begin(), t.operations.end(), [](auto& o) { return is_conditional(o.kind); }));
    }
    template <class Other> needed_resource operator()(Other const&) const { return needed_resource::nothing; }

private:
    static needed_resource of(bool entity) {
        return entity ? needed_resource::entity_in_table : needed_resource::table;
    }
};

error table_not_found(error const& e) {
    auto d = e.details();
    d.failed_index.reset();
    return error{service_errc::table_not_found, std::move(d)};
}

/// Neither can be told from the other, as the look at the table failed.
error cause_unknown(error const& e, error const& look) {
    auto d = e.details();
    d.reason = "the entity or the table is missing, and the request that was to tell which failed; call again";
    d.server_text = look.server_text();
    return error{look.code(), std::move(d)};
}

class cosmos_store final : public store {
public:
    cosmos_store(store_ptr inner, std::function<ticks()> now) : inner_(std::move(inner)), tables_(std::move(now)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }

    response execute(request const& r, call_options const& o) override {
        auto answer = explained(r, inner_->execute(r, o));
        if (!must_look(r, answer)) return answer;
        return after_look(r, std::move(answer), inner_->execute(query_of_nothing(table_of(r)), o));
    }

    void async_execute(request const& r, call_options const& o, receiver& to) override {
        inner_->async_execute(r, o, *new call{*this, r, o, to});
    }

private:
    /// One request on its way, and the look at its table if there has to be one.
    class call final : public receiver {
    public:
        call(cosmos_store& s, request const& r, call_options const& o, receiver& to)
            : store_(s), asked_(r), options_(o), to_(to) {}

        void complete(response&& answer) noexcept override {
            if (absent_) return finish(store_.after_look(asked_, *std::move(absent_), std::move(answer)));
            auto first = store_.explained(asked_, std::move(answer));
            if (!store_.must_look(asked_, first)) return finish(std::move(first));
            absent_ = std::move(first);
            look_ = query_of_nothing(table_of(asked_));
            store_.inner_->async_execute(look_, options_, *this);
        }

    private:
        void finish(response answer) noexcept {
            auto& to = to_;
            delete this;
            to.complete(std::move(answer));
        }

        cosmos_store& store_;
        request const& asked_;
        call_options const& options_;
        receiver& to_;
        request look_{};
        std::optional<response> absent_{};  ///< set once the table is asked for
    };

    /// The response with what it tells by itself.
    response explained(request const& r, response&& answer) {
        if (std::holds_alternative<delete_table>(r)) tables_.remove(table_of(r));
        if (says_not_found(answer) && std::visit(resource_needs{}, r) == needed_resource::table)
            answer.failure = table_not_found(*answer.failure);
        return std::move(answer);
    }

    /// Of a group Cosmos names the operation that missed its entity.
    bool must_look(request const& r, response const& answer) const {
        return says_not_found(answer) && std::visit(resource_needs{}, r) == needed_resource::entity_in_table &&
               !answer.failure->failed_index() && !tables_.has(table_of(r));
    }

    response after_look(request const& r, response absent, response&& look) {
        if (look.ok()) {
            tables_.add(table_of(r));
            return absent;
        }
        auto const& met = *look.failure;
        if (met.kind() == error_kind::denied) return absent;  // the cause stays unknown
        bool const is_gone =
            met.code() == service_errc::resource_not_found || met.code() == service_errc::table_not_found;
        absent.failure = is_gone ? table_not_found(*absent.failure) : cause_unknown(*absent.failure, met);
        absent.retry_after = look.retry_after;
        return absent;
    }

    store_ptr const inner_;
    known_tables tables_;
};

}  // namespace

store_ptr make_cosmos_store(store_ptr inner, std::function<ticks()> now) {
    return std::make_shared<cosmos_store>(std::move(inner), std::move(now));
}

}  // namespace tablemap::detail
