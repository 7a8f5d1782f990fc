// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/store/call_context.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/store/store.hpp"
#include "tablemap/write/table_options.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The operations of tables that take one request, and their wrappers. They own the data that their requests borrow, so
/// that they may outlive the call that made them; only the table's name is borrowed, from the `table_state` that they
/// keep alive.
namespace tablemap::inline v0_1::detail {

/// The state that all copies of a table share.
struct table_state {
    store_ptr store;
    std::string name;
    bool operation_ids;
    std::shared_ptr<property_cipher const> cipher;  ///< null: there are no keys
};

/// Errors (thrown): `library_errc::invalid_table_name`; `no_encryption_key` for a resolver, or a type with encrypted
/// members, on a store without keys.
std::shared_ptr<table_state const> make_table_state(store_ptr s, std::string name, table_options const& o,
                                                    static_list<row_type const*> types);

/// The options that a table was made with.
table_options options_used_by(table_state const& t);

/// The types that rows of T are of; none for `dynamic_entity`, which are of any.
// Not constexpr: without optimisation a call of that is a function for every T.
template <class T> consteval static_list<row_type const*> row_types_of() noexcept {
    if constexpr (std::is_same_v<T, dynamic_entity>)
        return {};
    else
        return row_types<T>::list;
}

/// The use of a row: a read has the keys of its `encoded_write` alone.
enum class row_access : std::uint8_t { read, write };

/// One request of a table, or the error that keeps it from being sent. No template: `prepared` interprets its response.
class single_request {
public:
    single_request(std::shared_ptr<table_state const> table, std::string_view action, row_access access,
                   encoded_write&& row);

    store_ptr const& store() const noexcept { return table_->store; }
    operation_label label() const noexcept { return {action_, table_->name}; }

    /// Carries it out on this thread.
    void send(call_context& call);

    /// The task that carries it out, for the asynchronous driver.
    task<> const& first();

protected:
    std::optional<error> const& fault() const noexcept { return row_.fault; }
    response& answer() noexcept { return answer_; }
    error explain(error const& e) const;

private:
    bool is_needed() const noexcept { return !row_.fault && !row_.needless; }
    request make_request() const;
    task<> ask_for_response();

    std::shared_ptr<table_state const> table_;
    std::string_view action_;
    row_access access_;
    encoded_write row_;
    response answer_;
    task<> first_{nullptr};
};

/// Functions that take a response. For a value of an entity's type, `finish.into(answer, value)` fills one: a `result`
/// of each such type is costly to compile, and callers that throw need none. Other functions turn a `response&` into a
/// `result<...>`.
template <class Finish>
concept fills_value = requires {
    typename Finish::value_type;
};

template <class Finish> auto type_finished_by() {
    if constexpr (fills_value<Finish>)
        return std::type_identity<typename Finish::value_type>{};
    else
        return std::type_identity<typename std::invoke_result_t<Finish&, response&>::value_type>{};
}
template <class Finish> using finished_value = typename decltype(type_finished_by<Finish>())::type;

template <class Finish> result<finished_value<Finish>> finished(Finish& finish, response& answer) {
    if constexpr (fills_value<Finish>) {
        result<finished_value<Finish>> r;
        if (auto filled = finish.into(answer, *r); !filled) r = failure{std::move(filled).error()};
        return r;
    } else {
        return finish(answer);
    }
}

/// A single request and the interpretation of its response.
template <class Finish> class prepared final : public single_request {
public:
    using value_type = finished_value<Finish>;

    prepared(std::shared_ptr<table_state const> table, std::string_view action, row_access access, encoded_write&& row,
             Finish finish)
        : single_request(std::move(table), action, access, std::move(row)), finish_(std::move(finish)) {}

    // The value is made here and not when the response comes, so that it is made where the caller wants it: entities
    // are large.
    result<value_type> take() {
        if (fault()) return failure{explain(*fault())};
        auto r = finished(finish_, answer());
        if (!r) r = failure{explain(r.error())};
        return r;
    }

private:
    Finish finish_;
};

/// The blocking driver of single requests.
template <class Finish> auto run(store& s, prepared<Finish>& what, call_options const& o) {
    call_context call{s, o};
    call.named(what);
    what.send(call);
    auto r = what.take();
    call.ended(r);
    return r;
}

// ---- interpreting responses -----------------------------------------------------------------------------------------

/// True if it was carried out, false if it failed in this one expected way.
struct finish_unless {
    service_errc expected;

    result<bool> operator()(response& answer) const;
};

/// The etag of a write that was carried out.
struct finish_etag {
    result<etag> operator()(response& answer) const;
};

/// The value that was written, with its etag.
template <class T> struct finish_value {
    using value_type = entity<T>;

    T value;

    result<void> into(response& answer, entity<T>& written) {
        if (answer.failure) return failure{std::move(*answer.failure)};
        written.value = std::move(value);
        written.etag = std::move(answer.etag);
        return {};
    }
};

/// An entity that was read is not there: says that its key may be another one by now.
error explain_absence(error const& e);

/// It was carried out on an entity that was read.
struct finish_erase {
    result<void> operator()(response& answer) const;
};

/// The etag of an entity that was read, refreshed. The entity is borrowed.
struct finish_refresh {
    tablemap::etag* etag;
    bool* outdated;

    result<void> operator()(response& answer) const;
};

/// As `finish_refresh`, of a write that may be needless: false if nothing was sent.
struct finish_refresh_if {
    finish_refresh refresh;
    bool sent;

    result<bool> operator()(response& answer) const;
};

/// The entity that was asked for, if there is one.
template <class T> struct finish_found {
    using value_type = std::optional<entity<T>>;

    property_cipher const* cipher;

    result<void> into(response& answer, value_type& found) const {
        late_result<T, bool> there = finish_unless{service_errc::resource_not_found}(answer);
        if (!there) return failure{std::move(there).error()};
        return *there ? decode_into(answer.body, found.emplace(), cipher) : result<void>{};
    }
};

// ---- blocking calls whose code does not depend on the entity's type -------------------------------------------------

/// Carries out a write, of a type with indexes, too. `made` gets the new etag.
result<void> write_now(std::shared_ptr<table_state const> const& table, encoded_write&& w, etag& made,
                       call_options const& o);

/// Encodes all of an object and carries out its write. `made` gets the new etag.
result<void> write_now(std::shared_ptr<table_state const> const& table, write_kind kind, whole_value const& value,
                       std::string_view if_match, etag& made, call_options const& o);

/// Inserts an object. Errors are thrown.
void insert_or_throw(std::shared_ptr<table_state const> const& table, whole_value const& value, etag& made,
                     call_options const& o);

/// The place of a row: `make(optional)` makes the entity that it is decoded into.
struct found_place {
    row_target (*make)(void* optional);
    void* optional;
    static_list<row_type const*> types;
};

// As `target_of`, without a function between: each costs every T time.
template <class T> row_target make_found(void* optional) {
    auto& e = static_cast<std::optional<entity<T>>*>(optional)->emplace();
    return {&e.value, row_types<T>::emplace, &e.etag, &e.timestamp, &e.outdated};
}

/// Reads the row with these keys into its place, if it is there.
result<void> find_now(std::shared_ptr<table_state const> const& table, encoded_write&& keys, found_place const& to,
                      call_options const& o);
result<void> find_now(std::shared_ptr<table_state const> const& table, encoded_write&& keys,
                      std::optional<entity<dynamic_entity>>& found, call_options const& o);

/// The things that a find of a mapped type takes beside the values of a key.
struct found_type {
    key_pair keys;
    row_target (*make)(void* optional);
    static_list<row_type const*> types;
};
template <class T>
inline constexpr found_type found_type_of{key_pair_of<mapping<T>::partition_key, mapping<T>::row_key>, &make_found<T>,
                                          row_types<T>::list};

/// Reads the row whose key has these values into the optional, if it is there. Errors are thrown.
void find_or_throw(std::shared_ptr<table_state const> const& table, found_type const& type, void* optional,
                   void const* const* values, call_options const& o);
template <class... Values>
void find_or_throw(std::shared_ptr<table_state const> const& table, found_type const& type, void* optional,
                   std::tuple<Values...> const& values, call_options const& o) {
    find_or_throw(table, type, optional, addresses_of(values).data(), o);
}

/// The same with key values made of arguments: all types with such a key share it.
template <class Values, class... Arguments>
void find_with(std::shared_ptr<table_state const> const& table, found_type const& type, void* optional,
               Arguments&&... arguments) {
    find_or_throw(table, type, optional, make_key_values<Values>(std::forward<Arguments>(arguments)...), {});
}

/// The clock of a call, also its source of randomness.
clock& clock_of(call_options const& o) noexcept;

}  // namespace tablemap::detail
