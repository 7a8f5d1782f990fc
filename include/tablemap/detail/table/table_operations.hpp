// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/bulk/bulk_call.hpp"
#include "tablemap/detail/bulk/bulk_erase.hpp"
#include "tablemap/detail/bulk/bulk_source.hpp"
#include "tablemap/detail/index_audit/migration.hpp"
#include "tablemap/detail/mapping/indexed_members.hpp"
#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/detail/read/index_look_up.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/index_audit/index_audit.hpp"
#include "tablemap/index_audit/reencryption.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// Adds the partitions of one value of a list to those of the others.
void add_partitions(query_keys& all, query_keys&& one);

/// Ends a list of partitions: they are read in order, each once.
void sort_partitions(query_keys& all);

/// Makes the operations of a table, for its blocking and its asynchronous form alike. Values are encoded here, before
/// anything is sent; what is wrong with them becomes the operation's error.
template <class T> class table_operations {
    using checked = std::bool_constant<check_entity_type<T>()>;  // a static_assert would add an error without words

public:
    table_operations(store_ptr s, std::string name, table_options const& o)
        : state_(make_table_state(std::move(s), std::move(name), o, row_types_of<T>())) {}
    explicit table_operations(std::shared_ptr<table_state const> state) noexcept : state_(std::move(state)) {}

    table_state const& state() const noexcept { return *state_; }
    std::shared_ptr<table_state const> const& shared_state() const noexcept { return state_; }

    // ---- reading ----------------------------------------------------------------------------------------------------

    auto find(key_of<T> const& key) const {
        return prepare("find", row_access::read, keys_of_row(key), finish_found<T>{cipher()});
    }

    /// The same at once, of a T that is not mapped.
    result<void> find_now(key_of<T> const& key, std::optional<entity<T>>& found, call_options const& o) const {
        if constexpr (std::is_same_v<T, dynamic_entity>)
            return detail::find_now(state_, keys_of_row(key), found, o);
        else
            return detail::find_now(state_, keys_of_row(key), found_place{&make_found<T>, &found, row_types<T>::list},
                                    o);
    }

    template <fixed_string Name> auto find_by(index_key<T, Name> const& key) const {
        constexpr auto number = index_key<T, Name>::number;
        if constexpr (copies_all<T, number>)
            return prepare("find_by", row_access::read, keys_of_row(key), finish_found_copy<T, number>{cipher()});
        else
            return call("find_by", find_by_index<T, number>(state_->name, encoded(key), cipher()));
    }

    auto find_many(std::vector<key_of<T>> const& keys, std::size_t at_once) const {
        late_result<T, std::vector<entity_key>> encoded{keys.size()};
        for (std::size_t i = 0; encoded && i < keys.size(); ++i)
            if (auto r = encode_keys(keys[i], (*encoded)[i].partition_key, (*encoded)[i].row_key); !r)
                encoded = failure{std::move(r).error()};
        return call("find_many", find_entities<T>(state_->name, std::move(encoded), at_once, cipher()));
    }

    /// `Keys` is the type that the rows' keys belong to: T or `by_index`.
    template <class Keys = T, class... Values>
    late_result<T, query_keys> keys_of(partition_values<Values...> const& p, row_selection auto const& rows) const {
        query_keys keys;
        if (auto r = encode_partition<T>(keys, p); !r) return refuse("query", r);
        if (auto r = encode_rows<Keys>(keys, rows); !r) return refuse("query", r);
        return keys;
    }

    template <class Keys = T, class... Values>
    late_result<T, query_keys> keys_of(std::vector<partition_values<Values...>> const& list,
                                       row_selection auto const& rows) const {
        query_keys all{.merged_by_row_key = false};
        if (auto r = encode_rows<Keys>(all, rows); !r) return refuse("query", r);
        for (auto const& p : list) {
            query_keys one;
            if (auto r = encode_partition<T>(one, p); !r) return refuse("query", r);
            add_partitions(all, std::move(one));
        }
        sort_partitions(all);
        return all;
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a whole value by one of the kinds that send one; yields it with its etag.
    auto write_value(write_kind kind, T value, std::string_view if_match, clock& c) const {
        auto w = encoder(c).whole(kind, value, if_match);
        return write(std::move(w), finish_value<T>{std::move(value)});
    }

    /// The same at once; stores the value of `to`.
    result<void> write_now(write_kind kind, entity<T>& to, std::string_view if_match, call_options const& o) const {
        if constexpr (mapped<T>)
            return detail::write_now(state_, kind, whole_value{&row_type_of<T>, indexes_of<T>(), &to.value}, if_match,
                                     to.etag, o);
        else
            return detail::write_now(state_, encoder(clock_of(o)).whole(kind, to.value, if_match), to.etag, o);
    }

    /// Stores all or chosen members of an entity that was read. `e` is borrowed until the response, and gets its new
    /// etag.
    auto replace(entity<T>& e, clock& c) const { return write(encoder(c).replace(e), refresh(e)); }
    auto merge(entity<T>& e, clock& c) const { return write(encoder(c).merge(e), refresh(e)); }
    template <class Chosen> auto merge(entity<T>& e, Chosen const& chosen, clock& c) const {
        return write_members(encoder(c).merge(e, chosen), chosen, refresh(e));
    }

    auto merge(entity<T>& e, changed_since_t<T> const& since, clock& c) const {
        auto w = encoder(c).merge(e, since);
        bool const sent = !w.needless;
        return write(std::move(w), finish_refresh_if{refresh(e), sent});
    }

    /// Stores the members of a value whether or not the entity exists; empty ones are left out.
    auto upsert_merge(T const& value, clock& c) const { return write(encoder(c).upsert_merge(value), finish_etag{}); }

    /// Stores chosen members or elements of an entity that was not read. An upsert may make it, and with it its rows in
    /// all indexes.
    template <choosing::choice Choice> auto merge_any(T const& value, Choice const& chosen, clock& c) const {
        return write_members(encoder(c).chosen(write_kind::merge, value, chosen, any_etag), chosen, finish_etag{});
    }
    template <choosing::choice Choice> auto upsert_merge(T const& value, Choice const& chosen, clock& c) const {
        return write(encoder(c).chosen(write_kind::upsert_merge, value, chosen, {}), finish_etag{});
    }

    auto erase(entity<T> const& e) const { return write(write_encoder<T>::erase(e), finish_erase{}); }
    auto erase_any(key_of<T> const& key) const {
        return write(write_encoder<T>::erase_any(key), finish_unless{service_errc::resource_not_found});
    }

    template <class Change> auto modify(key_of<T> const& key, Change change, modify_options const& o) const {
        return edit("modify", key, value_editor<T, Change>{std::move(change), state_->operation_ids, cipher()}, o,
                    absence::an_error);
    }

    template <class Change> auto modify_or_insert(T initial, Change change, modify_options const& o, clock& c) const {
        encoder(c).generate_keys(initial);
        initial_value_editor<T, Change> editor{initial, std::move(change), state_->operation_ids, cipher()};
        return edit("modify_or_insert", initial, std::move(editor), o, absence::an_insert);
    }

    auto migrate(migration_options options) const {
        static_assert(
            has_versions<T>,
            "tablemap[M11]: only a type with versions has rows to migrate; declare versions<n>(...) in its mapping");
        return call("migrate", migrate_rows(state_->name, row_type_of<T>, &check_row<T>, indexes_of<T>(), cipher(),
                                            std::move(options)));
    }

    auto reencrypt(reencryption_options options) const {
        return call("reencrypt",
                    reencrypt_rows(state_->name, row_types_of<T>(), indexes_of<T>(), cipher(), std::move(options)));
    }

    /// Verifies or rebuilds the indexes of all of the table, or of one partition.
    auto audit_indexes(bool repairs, index_audit_options options) const {
        return audit(repairs, {}, std::move(options));
    }
    template <class... Values>
    auto audit_indexes(bool repairs, partition_values<Values...> const& p, index_audit_options options) const {
        query_keys keys;
        if (auto r = encode_partition<T>(keys, p); !r)
            return audit(repairs, failure{std::move(r).error()}, std::move(options));
        return audit(repairs, std::move(keys.partitions), std::move(options));
    }

    /// Rows of a range or a generator function, written as they are read.
    template <class Source>
    bulk_call<bulk_report> write_many(write_kind kind, Source&& source, bulk_options options) const {
        auto rows = std::make_unique<encoded_source<T, Source>>(*state_, kind, std::forward<Source>(source));
        return {state_, kind == write_kind::insert ? "insert_many" : "upsert_many",
                write_rows(*state_, std::move(rows), std::make_unique<bulk_options const>(std::move(options)))};
    }

    bulk_call<erase_report> erase_where(std::shared_ptr<query_description const> query, bulk_options options) const {
        return {state_, "erase_where",
                erase_rows(*state_, std::move(query), &are_keys_of<T>, indexes_of<T>(),
                           std::make_unique<bulk_options const>(std::move(options)))};
    }

private:
    // ---- wrapping ---------------------------------------------------------------------------------------------------

    failure refuse(std::string_view action, result<void> const& fault) const {
        return failure{fault.error().in(action, state_->name)};
    }

    table_call<index_report> audit(bool repairs, late_result<T, std::vector<std::string>>&& partitions,
                                   index_audit_options&& options) const {
        static_assert(has_indexes<T>,
                      "tablemap[P1]: this type has no indexes to verify or rebuild; declare indexes(...) "
                      "in its mapping");
        if constexpr (has_indexes<T>)
            return call(
                repairs ? "rebuild_indexes" : "verify_indexes",
                detail::audit_indexes(*state_, std::move(partitions), audited_type_of<T>, repairs, std::move(options)));
    }

    template <class Keys, class Editor>
    table_call<entity<T>> edit(std::string_view action, Keys const& key, Editor editor, modify_options const& o,
                               absence when_absent) const {
        return call(action,
                    modify_with(state_->name, encoded(key), std::move(editor), o, {.when_absent = when_absent}));
    }

    template <class V> table_call<V> call(std::string_view action, task<result<V>> first) const {
        return {state_, action, std::move(first)};
    }

    template <class Finish>
    prepared<Finish> prepare(std::string_view action, row_access access, encoded_write&& row, Finish finish) const {
        return {state_, action, access, std::move(row), std::move(finish)};
    }

    template <class Finish> auto write(encoded_write&& w, Finish finish) const {
        if constexpr (has_indexes<T>) {
            auto const name = name_of(w);
            return call(name, write_indexed(*state_, std::move(w), std::move(finish)));
        } else {
            return write_alone(std::move(w), std::move(finish));
        }
    }

    template <class Finish> prepared<Finish> write_alone(encoded_write&& w, Finish finish) const {
        auto const name = name_of(w);
        return prepare(name, row_access::write, std::move(w), std::move(finish));
    }

    /// An entity that exists changes no row of an index if none of these members is in one.
    template <class Chosen, class Finish> auto write_members(encoded_write&& w, Chosen const&, Finish finish) const {
        if constexpr (touch_indexes<T, Chosen>)
            return write(std::move(w), std::move(finish));
        else
            return write_alone(std::move(w), std::move(finish));
    }

    template <class Key> static late_result<T, entity_key> encoded(Key const& key) {
        late_result<T, entity_key> keys;
        if (auto r = encode_keys(key, keys->partition_key, keys->row_key); !r) keys = failure{std::move(r).error()};
        return keys;
    }

    /// A read takes the keys alone.
    template <class Key> static encoded_write keys_of_row(Key const& key) {
        encoded_write w;
        w.fault = fault_of(encode_keys(key, w.entity.partition_key, w.entity.row_key));
        return w;
    }

    write_encoder<T> encoder(clock& c) const noexcept { return {state_->operation_ids, c, cipher()}; }
    property_cipher const* cipher() const noexcept { return state_->cipher.get(); }

    static finish_refresh refresh(entity<T>& e) noexcept { return {&e.etag, &e.outdated}; }

    std::shared_ptr<table_state const> state_;
};

}  // namespace tablemap::detail
