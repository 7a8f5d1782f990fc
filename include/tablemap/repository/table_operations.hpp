// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/repository/operations.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::detail {

/// Makes the operations of a table, for its blocking and its asynchronous form alike. Values are encoded here, before anything
/// is sent; what is wrong with them becomes the operation's error.
template <class T> class table_operations {
    static_assert(check_mapping<T>());

public:
    table_operations(store_ptr s, std::string name, bool operation_tokens)
        : state_(std::make_shared<table_state const>(table_state{std::move(s), std::move(name), operation_tokens})) {
        value_or_throw(check_table_name(state_->name));
    }

    table_state const& state() const noexcept { return *state_; }

    // ---- the table itself -------------------------------------------------------------------------------------------

    auto create() const { return ask(create_table{state_->name}, done); }
    auto create_if_not_exists() const {
        return ask(create_table{state_->name},
                   [](response& r) { return unless(r, service_errc::table_already_exists); });
    }
    auto delete_table() const { return ask(tablemap::delete_table{state_->name}, done); }
    auto delete_if_exists() const {
        return ask(tablemap::delete_table{state_->name},
                   [](response& r) { return unless(r, service_errc::resource_not_found); });
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    auto find(key_of<T> const& key) const {
        owned_get get{.table = state_->name, .partition_key = {}, .row_key = {}};
        auto const keys = encode_keys(key, get.partition_key, get.row_key);
        return prepare("find", keys, [&] {
            return single_request{std::move(get), [](response& r) {
                                      result<std::optional<entity<T>>> found;
                                      if (auto there = unless(r, service_errc::resource_not_found); !there) {
                                          found = failure{std::move(there).error()};
                                      } else if (*there) {
                                          auto decoded = decode_into(r.body, found->emplace());
                                          if (!decoded) found = failure{std::move(decoded).error()};
                                      }
                                      return found;
                                  }};
        });
    }

    template <class... Values> result<query_keys> keys_of(partition_values<Values...> const& p) const {
        query_keys keys;
        if (auto r = encode_partition<T>(keys.partition, p); !r) return refuse("query", r);
        encode_all_rows<T>(keys);
        return keys;
    }
    template <class... Values, class From, class To>
    result<query_keys> keys_of(partition_values<Values...> const& p, row_key_range<From, To> const& rows) const {
        query_keys keys;
        if (auto r = encode_partition<T>(keys.partition, p); !r) return refuse("query", r);
        if (auto r = encode_row_range<T>(keys, rows); !r) return refuse("query", r);
        return keys;
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a whole value by one of the kinds that send one; answers it with its etag.
    auto write_value(write_kind kind, T value, std::string_view if_match, clock& c) const {
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e);
        return prepare(name_of(kind, if_match), encoded, [&] {
            return single_request{owned_write{state_->name, kind, std::move(e), std::string{if_match}},
                                  [v = std::move(value)](response& r) mutable -> result<entity<T>> {
                                      if (r.failure) return failure{std::move(*r.failure)};
                                      return entity<T>{std::move(v), std::move(r.etag), {}};
                                  }};
        });
    }

    /// Stores all or chosen members of an entity that was read. `e` is borrowed until the answer, and gets its new etag.
    auto replace(entity<T>& e, clock& c) const {
        return write_read(write_kind::replace, e, c, [](T const& v, encoded_entity& out) { return encode(v, out); });
    }
    auto merge(entity<T>& e, clock& c) const {
        return write_read(write_kind::merge, e, c,
                          [](T const& v, encoded_entity& out) { return encode(v, out, empty_members::refused); });
    }
    template <auto... Members> auto merge(entity<T>& e, only_t<Members...> chosen, clock& c) const {
        return write_read(write_kind::merge, e, c, [chosen](T const& v, encoded_entity& out) {
            return encode(v, out, chosen, empty_members::refused);
        });
    }

    /// Stores the members of a value whether or not the entity exists; empty ones are left out.
    auto upsert_merge(T const& value, clock& c) const {
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e);
        return write(write_kind::upsert_merge, encoded, std::move(e), {}, written);
    }

    /// Stores chosen members by one of the kinds that send only those.
    template <auto... Members>
    auto write_chosen(write_kind kind, T const& value, only_t<Members...> chosen, std::string_view if_match,
                      clock& c) const {
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e, chosen, empty_members::refused);
        return write(kind, encoded, std::move(e), if_match, written);
    }

    auto erase(entity<T> const& e) const {
        encoded_entity keys;
        auto encoded = e.etag.empty() ? no_etag("erase_any") : encode_keys(e.value, keys.partition_key, keys.row_key);
        return write(write_kind::erase, encoded, std::move(keys), e.etag.text(), done);
    }

    auto erase_any(key_of<T> const& key) const {
        encoded_entity keys;
        auto const encoded = encode_keys(key, keys.partition_key, keys.row_key);
        return write(write_kind::erase, encoded, std::move(keys), any_etag,
                     [](response& r) { return unless(r, service_errc::resource_not_found); });
    }

    template <class Change> auto modify(key_of<T> const& key, Change change) const {
        std::string partition_key, row_key;
        auto const keys = encode_keys(key, partition_key, row_key);
        return prepare("modify", keys, [&] {
            using editor = value_editor<T, Change>;
            return modify_operation<editor>(state_->name, std::move(partition_key), std::move(row_key),
                                            editor{std::move(change), state_->operation_tokens});
        });
    }

    /// Where randomness of a call comes from.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

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

    /// What the table's operation is called that sends such a write.
    static std::string_view name_of(write_kind kind, std::string_view if_match) noexcept {
        if (if_match != any_etag) return action_of(kind);
        return kind == write_kind::replace ? "replace_any" : kind == write_kind::merge ? "merge_any" : "erase_any";
    }

    // ---- wrapping ---------------------------------------------------------------------------------------------------

    failure refuse(std::string_view action, result<void> const& fault) const {
        return failure{fault.error().in(action, state_->name)};
    }

    /// The operation that `make` makes, unless there is a fault already.
    template <class Make> auto prepare(std::string_view action, result<void> const& fault, Make make) const {
        using op = decltype(make());
        return prepared<op>{state_, action, fault ? result<op>{make()} : result<op>{failure{fault.error()}}};
    }

    template <class Request, class Finish> auto ask(Request what, Finish finish) const {
        return prepare(action_of(request{what}), {}, [&] {
            return single_request{plain_request<Request>{what}, std::move(finish)};
        });
    }

    template <class Finish>
    auto write(write_kind kind, result<void> const& fault, encoded_entity e, std::string_view if_match,
               Finish finish) const {
        return prepare(name_of(kind, if_match), fault, [&] {
            return single_request{owned_write{state_->name, kind, std::move(e), std::string{if_match}},
                                  std::move(finish)};
        });
    }

    template <class Encode> auto write_read(write_kind kind, entity<T>& e, clock& c, Encode encode_into) const {
        auto out = fresh_entity(c);
        auto const fault = e.etag.empty() ? no_etag(kind == write_kind::merge ? "merge_any" : "replace_any")
                                          : encode_into(e.value, out);
        return write(kind, fault, std::move(out), e.etag.text(), [&e](response& r) -> result<void> {
            if (r.failure) return failure{std::move(*r.failure)};
            e.etag = std::move(r.etag);
            return {};
        });
    }

    /// An entity to encode into, with its operation token if this table has them.
    encoded_entity fresh_entity(clock& c) const {
        encoded_entity e;
        if (state_->operation_tokens) e.token = random_guid(c);
        return e;
    }

    std::shared_ptr<table_state const> state_;
};

}  // namespace tablemap::detail
