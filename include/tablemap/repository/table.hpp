// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/repository/operations.hpp"
#include "tablemap/repository/query_range.hpp"
#include "tablemap/store/modify.hpp"
#include "tablemap/store/run.hpp"
#include "tablemap/store/store.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap {

/// How a table writes.
struct table_options {
    /// Adds a random identifier to every row that is written, as the property `TablemapOperation` (16 bytes). With it a write
    /// whose answer was lost is recognised when its row is met again, in retries and in `modify`.
    bool operation_tokens = false;
};

/// A table whose rows are entities of T.
///
/// Every operation blocks until it is done, in one round trip unless it says otherwise, and comes in two forms: the plain
/// one throws `tablemap::error`, the one named `try_…` returns a `result`. Writes are conditional on the etag that was read
/// unless their name says otherwise (`…_any`, `upsert_…`).
///
/// Errors of every operation: those of the store (`error_source`), `service_errc::table_not_found`,
/// `library_errc::deadline_exceeded` and `cancelled`. Errors of every write: a key that cannot be made
/// (`library_errc::invalid_key`, `key_too_large`, `key_part_does_not_fit`), a value that cannot be stored (`invalid_text`,
/// `value_out_of_range`, `value_too_large`, `entity_too_large`), each with the member; nothing is sent then. A lost answer is an error
/// whose `outcome()` is `in_doubt`.
///
/// Thread safety: all members may be called from any number of threads. Copies are cheap and share the store, which they
/// keep alive.
template <class T> class table {
    static_assert(detail::check_mapping<T>());

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table in a store; nothing is sent. Precondition: `s` is not null.
    /// Errors: `library_errc::invalid_table_name`.
    table(store_ptr s, std::string name, table_options options = {})
        : store_(std::move(s)), name_(std::move(name)), options_(options) {
        value_or_throw(check_table_name(name_));
    }

    std::string const& name() const noexcept { return name_; }

    // ---- the table itself -------------------------------------------------------------------------------------------

    /// Creates the table. Errors: `service_errc::table_already_exists`, `table_being_deleted`.
    void create(call_options const& o = {}) { value_or_throw(try_create(o)); }
    result<void> try_create(call_options const& o = {}) {
        return ask(create_table{name_}, o, [](response& r) { return done(r); });
    }

    /// Creates the table unless it exists. True if it was created.
    bool create_if_not_exists(call_options const& o = {}) { return value_or_throw(try_create_if_not_exists(o)); }
    result<bool> try_create_if_not_exists(call_options const& o = {}) {
        return ask(create_table{name_}, o, [](response& r) { return unless(r, service_errc::table_already_exists); });
    }

    /// Deletes the table with all its entities. Errors: `service_errc::resource_not_found`.
    void delete_table(call_options const& o = {}) { value_or_throw(try_delete_table(o)); }
    result<void> try_delete_table(call_options const& o = {}) {
        return ask(tablemap::delete_table{name_}, o, [](response& r) { return done(r); });
    }

    /// Deletes the table if it exists. True if it did.
    bool delete_if_exists(call_options const& o = {}) { return value_or_throw(try_delete_if_exists(o)); }
    result<bool> try_delete_if_exists(call_options const& o = {}) {
        return ask(tablemap::delete_table{name_}, o,
                   [](response& r) { return unless(r, service_errc::resource_not_found); });
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /// The entity of a key, or nothing: `find("Sales", 212)`, `find({"Sales", 212}, options)`.
    /// Errors: `library_errc::type_mismatch`, `unreadable_key` if the row is no T.
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) {
        return value_or_throw(try_find(key, o));
    }
    template <class... Values>
    requires(!(std::same_as<std::remove_cvref_t<Values>, key_type> || ...) &&
             !(std::same_as<std::remove_cvref_t<Values>, call_options> ||
               ...)) std::optional<entity<T>> find(Values&&... values) {
        return find(key_type(std::forward<Values>(values)...));
    }
    result<std::optional<entity<T>>> try_find(key_type const& key, call_options const& o = {}) {
        detail::owned_get get{.table = name_, .partition_key = {}, .row_key = {}};
        if (auto r = detail::encode_keys(key, get.partition_key, get.row_key); !r) return refusal("find", r);
        return ask_owned(std::move(get), "find", o, [](response& r) -> result<std::optional<entity<T>>> {
            result<std::optional<entity<T>>> found;
            if (!r.failure) {
                if (auto decoded = detail::decode_into(r.body, found->emplace()); !decoded)
                    found = failure{std::move(decoded).error()};
            } else if (r.failure->code() != service_errc::resource_not_found) {
                found = failure{std::move(*r.failure)};
            }
            return found;
        });
    }

    /// The entities of one partition, `query(partition("Sales"))`, or those of a range of its rows,
    /// `query(partition("Sales"), row_range(200, 300))`. Cost: reads only what it finds. Rows of other types may share the
    /// partition if their row keys begin with another literal. `o` holds for the whole iteration.
    /// Errors here: a key that cannot be made.
    template <class... Values> query_range<T> query(partition_values<Values...> const& p, call_options o = {}) {
        return value_or_throw(try_query(p, std::move(o)));
    }
    template <class... Values, class From, class To>
    query_range<T> query(partition_values<Values...> const& p, row_key_range<From, To> const& rows,
                         call_options o = {}) {
        return value_or_throw(try_query(p, rows, std::move(o)));
    }
    template <class... Values>
    result<query_range<T>> try_query(partition_values<Values...> const& p, call_options o = {}) {
        detail::query_keys keys;
        if (auto r = detail::encode_partition<T>(keys.partition, p); !r) return refusal("query", r);
        detail::encode_all_rows<T>(keys);
        return make_range(std::move(keys), std::move(o));
    }
    template <class... Values, class From, class To>
    result<query_range<T>> try_query(partition_values<Values...> const& p, row_key_range<From, To> const& rows,
                                     call_options o = {}) {
        detail::query_keys keys;
        if (auto r = detail::encode_partition<T>(keys.partition, p); !r) return refusal("query", r);
        if (auto r = detail::encode_row_range<T>(keys, rows); !r) return refusal("query", r);
        return make_range(std::move(keys), std::move(o));
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a new entity. Returns it with its etag. Errors: `service_errc::entity_already_exists`.
    entity<T> insert(T value, call_options const& o = {}) { return value_or_throw(try_insert(std::move(value), o)); }
    result<entity<T>> try_insert(T value, call_options const& o = {}) {
        return write_value(write_kind::insert, std::move(value), {}, o);
    }

    /// Stores all of an entity that was read; properties without a member are gone. Refreshes its etag.
    /// Errors: `service_errc::update_condition_not_satisfied` if someone was faster, `resource_not_found`,
    /// `library_errc::missing_etag`.
    void replace(entity<T>& e, call_options const& o = {}) { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) {
        return write_read(write_kind::replace, e, o, [](T const& v, auto& out) { return detail::encode(v, out); });
    }

    /// Stores the members of an entity that was read; properties without a member stay. Refreshes its etag.
    /// Errors: as `replace`; `library_errc::merge_cannot_remove` for an empty member, since a merge removes nothing.
    void merge(entity<T>& e, call_options const& o = {}) { value_or_throw(try_merge(e, o)); }
    result<void> try_merge(entity<T>& e, call_options const& o = {}) {
        return write_read(write_kind::merge, e, o,
                          [](T const& v, auto& out) { return detail::encode(v, out, detail::empty_members::refused); });
    }

    /// Stores chosen members of an entity that was read: `merge(e, only<&employee::age>)`. Refreshes its etag.
    /// Errors: as `merge`.
    template <auto... Members> void merge(entity<T>& e, only_t<Members...> chosen, call_options const& o = {}) {
        value_or_throw(try_merge(e, chosen, o));
    }
    template <auto... Members>
    result<void> try_merge(entity<T>& e, only_t<Members...> chosen, call_options const& o = {}) {
        return write_read(write_kind::merge, e, o, [&](T const& v, auto& out) {
            return detail::encode(v, out, chosen, detail::empty_members::refused);
        });
    }

    /// Erases the version that was read. Errors: `service_errc::update_condition_not_satisfied` if it was changed since,
    /// `resource_not_found` if it is gone, `library_errc::missing_etag`.
    void erase(entity<T> const& e, call_options const& o = {}) { value_or_throw(try_erase(e, o)); }
    result<void> try_erase(entity<T> const& e, call_options const& o = {}) {
        detail::encoded_entity keys;
        if (e.etag.empty()) return refusal("erase", no_etag("erase_any"));
        if (auto r = detail::encode_keys(e.value, keys.partition_key, keys.row_key); !r) return refusal("erase", r);
        return write(write_kind::erase, std::move(keys), e.etag.text(), o, [](response& r) { return done(r); });
    }

    /// Reads an entity, calls `change(T&)`, and writes it back under the etag that was read; again, with a jittered wait,
    /// when someone was faster. Returns what was stored. Round trips: two, and two for each conflict. `change` may be called
    /// several times, each time on a fresh value; what it throws ends the operation with nothing written.
    ///
    /// Errors: `service_errc::resource_not_found` if there is no such entity, `library_errc::too_many_conflicts` after 50
    /// tries, `library_errc::key_changed`. After a lost answer the row is read again: an unchanged etag is tried again, an
    /// operation token of ours ends well, anything else is `in_doubt`.
    template <std::invocable<T&> Change>
    entity<T> modify(key_type const& key, Change&& change, call_options const& o = {}) {
        return value_or_throw(try_modify(key, std::forward<Change>(change), o));
    }
    template <std::invocable<T&> Change>
    result<entity<T>> try_modify(key_type const& key, Change&& change, call_options const& o = {}) {
        std::string partition_key, row_key;
        if (auto r = detail::encode_keys(key, partition_key, row_key); !r) return refusal("modify", r);
        using editor = detail::value_editor<T, Change>;
        detail::modify_operation<editor> op(name_, std::move(partition_key), std::move(row_key),
                                            editor{std::forward<Change>(change), options_.operation_tokens});
        return context("modify", detail::run(*store_, op, o));
    }

    // ---- unconditional writes ---------------------------------------------------------------------------------------

    /// Stores all of an entity, over any version of it. Errors: `service_errc::resource_not_found` if there is none.
    entity<T> replace_any(T value, call_options const& o = {}) {
        return value_or_throw(try_replace_any(std::move(value), o));
    }
    result<entity<T>> try_replace_any(T value, call_options const& o = {}) {
        return write_value(write_kind::replace, std::move(value), any_etag, o);
    }

    /// Stores chosen members over any version of an entity: `merge_any({.department = "Sales", .id = 212, .age = 35},
    /// only<&employee::age>)`. Returns the new etag. Errors: as `merge`, without conflicts.
    template <auto... Members> etag merge_any(T const& value, only_t<Members...> chosen, call_options const& o = {}) {
        return value_or_throw(try_merge_any(value, chosen, o));
    }
    template <auto... Members>
    result<etag> try_merge_any(T const& value, only_t<Members...> chosen, call_options const& o = {}) {
        return write_chosen(write_kind::merge, value, chosen, any_etag, o);
    }

    /// Erases any version of an entity: `erase_any({"Sales", 212})`. True if there was one.
    bool erase_any(key_type const& key, call_options const& o = {}) { return value_or_throw(try_erase_any(key, o)); }
    result<bool> try_erase_any(key_type const& key, call_options const& o = {}) {
        detail::encoded_entity keys;
        if (auto r = detail::encode_keys(key, keys.partition_key, keys.row_key); !r) return refusal("erase_any", r);
        return write(write_kind::erase, std::move(keys), any_etag, o,
                     [](response& r) { return unless(r, service_errc::resource_not_found); });
    }

    /// Stores all of an entity, whether or not it exists. Returns it with its etag.
    entity<T> upsert_replace(T value, call_options const& o = {}) {
        return value_or_throw(try_upsert_replace(std::move(value), o));
    }
    result<entity<T>> try_upsert_replace(T value, call_options const& o = {}) {
        return write_value(write_kind::upsert_replace, std::move(value), {}, o);
    }

    /// Stores the members of an entity, whether or not it exists; empty optionals are left out, so what they hold in the
    /// store stays. Returns the new etag.
    etag upsert_merge(T const& value, call_options const& o = {}) { return value_or_throw(try_upsert_merge(value, o)); }
    result<etag> try_upsert_merge(T const& value, call_options const& o = {}) {
        auto e = fresh_entity(o);
        if (auto r = detail::encode(value, e); !r) return refusal("upsert_merge", r);
        return write(write_kind::upsert_merge, std::move(e), {}, o, detail::written);
    }

    /// Stores chosen members of an entity, whether or not it exists. Returns the new etag.
    /// Errors: `library_errc::merge_cannot_remove` for an empty member.
    template <auto... Members>
    etag upsert_merge(T const& value, only_t<Members...> chosen, call_options const& o = {}) {
        return value_or_throw(try_upsert_merge(value, chosen, o));
    }
    template <auto... Members>
    result<etag> try_upsert_merge(T const& value, only_t<Members...> chosen, call_options const& o = {}) {
        return write_chosen(write_kind::upsert_merge, value, chosen, {}, o);
    }

private:
    // ---- what an answer means ---------------------------------------------------------------------------------------

    static result<void> done(response& r) {
        if (r.failure) return failure{std::move(*r.failure)};
        return {};
    }

    /// True if done, false if it failed in this one expected way.
    static result<bool> unless(response& r, service_errc expected) {
        if (!r.failure) return true;
        if (r.failure->code() == expected && r.failure->outcome() != outcome::in_doubt) return false;
        return failure{std::move(*r.failure)};
    }

    static result<void> no_etag(std::string_view unconditional) {
        return fail(library_errc::missing_etag,
                    {.reason = "read the entity before it is written, or use " + std::string{unconditional}});
    }

    // ---- running ----------------------------------------------------------------------------------------------------

    /// A result with this table's name and the operation in its error.
    template <class V> result<V> context(std::string_view action, result<V>&& r) const {
        if (r) return std::move(r);
        return failure{r.error().in(action, name_)};
    }
    /// The same for a failed step on the way to some other result.
    template <class V> failure refusal(std::string_view action, result<V> const& failed) const {
        return failure{failed.error().in(action, name_)};
    }

    template <class Request, class Finish>
    auto ask_owned(Request what, std::string_view action, call_options const& o, Finish finish) {
        detail::single_request op(std::move(what), std::move(finish));
        auto r = detail::run(*store_, op, o);
        if (!r) r = failure{r.error().in(action, name_)};
        return r;
    }
    template <class Request, class Finish> auto ask(Request what, call_options const& o, Finish finish) {
        return ask_owned(detail::plain_request<Request>{what}, action_of(request{what}), o, std::move(finish));
    }

    template <class Finish>
    auto write(write_kind kind, detail::encoded_entity e, std::string_view if_match, call_options const& o,
               Finish finish) {
        return ask_owned(detail::owned_write{name_, kind, std::move(e), std::string{if_match}}, action_of(kind), o,
                         std::move(finish));
    }

    /// An entity to encode into, with its operation token if this table has them.
    detail::encoded_entity fresh_entity(call_options const& o) const {
        detail::encoded_entity e;
        if (options_.operation_tokens) e.token = random_guid(o.clock ? *o.clock : clock::system());
        return e;
    }

    result<entity<T>> write_value(write_kind kind, T&& value, std::string_view if_match, call_options const& o) {
        auto encoded = fresh_entity(o);
        if (auto r = detail::encode(value, encoded); !r) return refusal(action_of(kind), r);
        auto stored = write(kind, std::move(encoded), if_match, o, detail::written);
        if (!stored) return failure{std::move(stored).error()};
        return entity<T>{std::move(value), std::move(*stored), {}};
    }

    template <class Encode>
    result<void> write_read(write_kind kind, entity<T>& e, call_options const& o, Encode encode) {
        if (e.etag.empty())
            return refusal(action_of(kind), no_etag(kind == write_kind::merge ? "merge_any" : "replace_any"));
        auto encoded = fresh_entity(o);
        if (auto r = encode(e.value, encoded); !r) return refusal(action_of(kind), r);
        auto stored = write(kind, std::move(encoded), e.etag.text(), o, detail::written);
        if (!stored) return failure{std::move(stored).error()};
        e.etag = std::move(*stored);
        return {};
    }

    template <auto... Members>
    result<etag> write_chosen(write_kind kind, T const& value, only_t<Members...> chosen, std::string_view if_match,
                              call_options const& o) {
        auto encoded = fresh_entity(o);
        if (auto r = detail::encode(value, encoded, chosen, detail::empty_members::refused); !r)
            return refusal(action_of(kind), r);
        return write(kind, std::move(encoded), if_match, o, detail::written);
    }

    query_range<T> make_range(detail::query_keys keys, call_options o) {
        using state = typename query_range<T>::state;
        return query_range<T>{std::make_unique<state>(store_, name_, std::move(keys), std::move(o))};
    }

    store_ptr store_;
    std::string name_;
    table_options options_;
};

}  // namespace tablemap
