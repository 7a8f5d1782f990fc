// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/encode.hpp"
#include "tablemap/store/modify.hpp"
#include "tablemap/store/store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

/// The operations of tables that take one request, and what they are wrapped in. They own what their requests borrow, so that
/// they may outlive the call that made them; only the table's name is borrowed, from the `table_state` that they keep alive.
namespace tablemap::detail {

/// What all copies of a table share.
struct table_state {
    store_ptr store;
    std::string name;
    bool operation_tokens;
};

/// An operation of a table, or the reason why it cannot even begin; errors leave it with table and action in them.
template <class Op> class prepared {
public:
    using value_type = typename Op::value_type;

    prepared(std::shared_ptr<table_state const> table, std::string_view action, result<Op> op)
        : table_(std::move(table)), action_(action), op_(std::move(op)) {}

    step start(environment const& env) { return op_ ? op_->start(env) : step::done(); }
    step resume(environment const& env, std::span<response> answers) { return op_->resume(env, answers); }

    result<value_type> take() {
        if (!op_) return failure{op_.error().in(action_, table_->name)};
        auto r = op_->take();
        if (!r) r = failure{r.error().in(action_, table_->name)};
        return r;
    }

    store_ptr const& where() const noexcept { return table_->store; }

private:
    std::shared_ptr<table_state const> table_;
    std::string_view action_;
    result<Op> op_;
};

/// One request, and what its answer means. `Request::borrow` makes the request in its place; `Finish` turns a `response&`
/// into a `result<…>`.
template <class Request, class Finish> class single_request {
public:
    using result_type = std::invoke_result_t<Finish&, response&>;
    using value_type = typename result_type::value_type;

    single_request(Request request, Finish finish) : request_(std::move(request)), finish_(std::move(finish)) {}

    step start(environment const&) {
        request_.borrow(sent_);
        return step::send(sent_);
    }

    step resume(environment const&, std::span<response> answers) {
        answer_ = std::move(answers.front());
        return step::done();
    }

    // Here and not in resume(), so that the result is made where the caller wants it: entities are large.
    result_type take() { return finish_(answer_); }

private:
    Request request_;
    Finish finish_;
    request sent_{};
    response answer_{};
};

struct owned_get {
    std::string_view table;
    std::string partition_key;
    std::string row_key;

    void borrow(request& r) const { r.emplace<get_entity>(get_entity{table, partition_key, row_key}); }
};

struct owned_write {
    std::string_view table;
    write_kind kind;
    encoded_entity entity;
    std::string if_match;

    void borrow(request& r) const {
        r.emplace<write_entity>(write_entity{table,
                                             {.kind = kind,
                                              .partition_key = entity.partition_key,
                                              .row_key = entity.row_key,
                                              .body = entity.body,
                                              .if_match = if_match,
                                              .token = entity.token}});
    }
};

template <class Request> struct plain_request {
    Request what;

    void borrow(request& r) const { r = what; }
};

/// The etag of a write that was carried out.
inline result<etag> written(response& answer) {
    if (answer.failure) return failure{std::move(*answer.failure)};
    return std::move(answer.etag);
}

/// Refuses functions whose change would be lost.
template <class T, class Function> constexpr bool check_change() {
    // A parameter that takes a temporary is a copy, or const: what is done to it never reaches the entity.
    static_assert(
        std::is_member_function_pointer_v<std::decay_t<Function>> || !std::is_invocable_v<Function&, T&&>,
        "tablemap[W3]: the function given to modify must take the value as T&, not by value, as const or as T&&: "
        "what it changes in a copy is not stored");
    static_assert(std::is_void_v<std::invoke_result_t<Function&, T&>>,
                  "tablemap[W3]: the function given to modify must return nothing: it changes the value in its place");
    return true;
}

/// The editor of `modify`: decodes what was read, calls the user's function, encodes the outcome.
template <class T, class Function> class value_editor {
    static_assert(check_change<T, Function>());

public:
    using value_type = entity<T>;

    value_editor(Function f, bool with_token) : function_(std::move(f)), with_token_(with_token) {}

    result<edited_entity> edit(response& read, environment const& env) {
        auto decoded = decode<T>(read.body);
        if (!decoded) return failure{std::move(decoded).error()};
        value_ = std::move(decoded->value);
        encoded_entity before, after;
        if (auto r = encode_keys(value_, before.partition_key, before.row_key); !r)
            return failure{std::move(r).error()};
        std::invoke(function_, value_);
        if (with_token_) after.token = random_guid(env.clock());
        if (auto r = encode(value_, after); !r) return failure{std::move(r).error()};
        if (before.partition_key != after.partition_key || before.row_key != after.row_key)
            return fail(library_errc::key_changed,
                        {.reason = "modify may not change a member of the key: another key is "
                                   "another entity; insert that one and erase this"});
        return edited_entity{std::move(after.body), after.token};
    }

    entity<T> finish(etag&& stored) { return {std::move(value_), std::move(stored), {}}; }

private:
    Function function_;
    bool with_token_;
    T value_{};
};

}  // namespace tablemap::detail
