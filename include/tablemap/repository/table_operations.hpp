// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/names.hpp"
#include "tablemap/mapping/key_of.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/repository/find_many.hpp"
#include "tablemap/repository/migration.hpp"
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
    static_assert(check_entity_type<T>());

public:
    table_operations(store_ptr s, std::string name, bool operation_tokens)
        : state_(std::make_shared<table_state const>(table_state{std::move(s), std::move(name), operation_tokens})) {
        value_or_throw(check_table_name(state_->name));
    }

    table_state const& state() const noexcept { return *state_; }
    std::shared_ptr<table_state const> const& shared_state() const noexcept { return state_; }

    // ---- reading ----------------------------------------------------------------------------------------------------

    auto find(key_of<T> const& key) const {
        owned_request what{.what = owned_request::kind::get};
        auto const keys = encode_keys(key, what.entity.partition_key, what.entity.row_key);
        return prepare("find", keys, std::move(what), finish_found<T>{});
    }

    auto find_many(std::vector<key_of<T>> const& keys, std::size_t at_once) const {
        std::vector<point_reads_operation::key> encoded(keys.size());
        result<void> good;
        for (std::size_t i = 0; good && i < keys.size(); ++i)
            good = encode_keys(keys[i], encoded[i].partition_key, encoded[i].row_key);
        auto places = make_unique_keys(encoded);
        return checked<find_many_operation<T>>{
            state_, "find_many", good,
            find_many_operation<T>{point_reads_operation{state_->name, std::move(encoded), at_once},
                                   std::move(places)}};
    }

    template <class... Values>
    result<query_keys> keys_of(partition_values<Values...> const& p, row_selection auto const& rows) const {
        query_keys keys;
        if (auto r = encode_partition<T>(keys, p); !r) return refuse("query", r);
        if (auto r = encode_rows<T>(keys, rows); !r) return refuse("query", r);
        return keys;
    }

    template <class... Values>
    result<query_keys> keys_of(std::vector<partition_values<Values...>> const& list,
                               row_selection auto const& rows) const {
        query_keys all{.merged_by_row_key = false};
        if (auto r = encode_rows<T>(all, rows); !r) return refuse("query", r);
        for (auto const& p : list) {
            query_keys one;
            if (auto r = encode_partition<T>(one, p); !r) return refuse("query", r);
            std::move(one.partitions.begin(), one.partitions.end(), std::back_inserter(all.partitions));
        }
        std::sort(all.partitions.begin(), all.partitions.end());
        all.partitions.erase(std::unique(all.partitions.begin(), all.partitions.end()), all.partitions.end());
        all.nothing = all.partitions.empty();
        return all;
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    /// Stores a whole value by one of the kinds that send one; answers it with its etag.
    auto write_value(write_kind kind, T value, std::string_view if_match, clock& c) const {
        if (kind != write_kind::replace) generate_keys(value, c);
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e);
        return write(kind, encoded, std::move(e), if_match, finish_value<T>{std::move(value)});
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
        static_assert(!is_variant<T>,
                      "tablemap[W2]: only<...> names members of one type; merge through a table<employee> on the same "
                      "table");
        return write_read(write_kind::merge, e, c, [chosen](T const& v, encoded_entity& out) {
            return encode(v, out, chosen, empty_members::refused);
        });
    }
    auto merge(entity<T>& e, only_properties const& chosen, clock& c) const requires std::same_as<T, dynamic_entity> {
        return write_read(write_kind::merge, e, c,
                          [&chosen](T const& v, encoded_entity& out) { return encode(v, out, chosen); });
    }

    /// Stores the members of a value whether or not the entity exists; empty ones are left out.
    auto upsert_merge(T const& value, clock& c) const {
        check_merge_unread();
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e);
        return write(write_kind::upsert_merge, encoded, std::move(e), {}, finish_etag{});
    }

    /// Stores chosen members by one of the kinds that send only those.
    template <auto... Members>
    auto write_chosen(write_kind kind, T const& value, only_t<Members...> chosen, std::string_view if_match,
                      clock& c) const {
        check_merge_unread();
        static_assert(
            !has_computed_columns<T>,
            "tablemap[M7]: this mapping has computed properties, which chosen members alone do not give; read "
            "the entity and merge that, or use modify");
        auto e = fresh_entity(c);
        auto const encoded = encode(value, e, chosen, empty_members::refused);
        return write(kind, encoded, std::move(e), if_match, finish_etag{});
    }

    auto erase(entity<T> const& e) const {
        encoded_entity keys;
        auto encoded = e.etag.empty() ? no_etag("erase_any") : encode_keys(e.value, keys.partition_key, keys.row_key);
        return write(write_kind::erase, encoded, std::move(keys), e.etag.text(), finish_done{});
    }

    auto erase_any(key_of<T> const& key) const {
        encoded_entity keys;
        auto const encoded = encode_keys(key, keys.partition_key, keys.row_key);
        return write(write_kind::erase, encoded, std::move(keys), any_etag,
                     finish_unless{service_errc::resource_not_found});
    }

    template <class Change> auto modify(key_of<T> const& key, Change change) const {
        std::string partition_key, row_key;
        auto const keys = encode_keys(key, partition_key, row_key);
        using editor = value_editor<T, Change>;
        using op = modify_operation<editor>;
        return checked<op>{state_, "modify", keys,
                           op(state_->name, std::move(partition_key), std::move(row_key),
                              editor{std::move(change), state_->operation_tokens})};
    }

    auto migrate(migration_options options) const {
        static_assert(
            has_versions<T>,
            "tablemap[M11]: only a type with versions has rows to migrate; declare versions<n>(...) in its mapping");
        return checked<migration_operation>{
            state_,
            "migrate",
            {},
            migration_operation{state_->name, row_type_of<T>, &check_row<T>, std::move(options)}};
    }

    /// Where randomness of a call comes from.
    static clock& clock_of(call_options const& o) noexcept { return o.clock ? *o.clock : clock::system(); }

private:
    /// Gives generated parts of a new entity's key their values.
    template <class V> static void generate_keys(V& value, clock& c) {
        if constexpr (is_variant<V>) {
            std::visit([&](auto& v) { generate_keys(v, c); }, value);
        } else if constexpr (mapped<V>) {
            auto const make = [&] { return random_guid(c); };
            fill_generated(value, mapping<V>::partition_key, make);
            fill_generated(value, mapping<V>::row_key, make);
        }
    }

    static constexpr void check_merge_unread() {
        static_assert(
            !has_older_versions<T>,
            "tablemap[M11]: the row may have an older version of this type, whose properties would be taken for "
            "new ones after a merge; read the entity and replace it, or use modify or upsert_replace");
    }

    // ---- refusals ---------------------------------------------------------------------------------------------------

    static result<void> no_etag(std::string_view unconditional) {
        return fail(library_errc::missing_etag,
                    {.reason = "read the entity before it is written, or use " + std::string{unconditional}});
    }

    static result<void> outdated() {
        return fail(library_errc::outdated_entity,
                    {.reason = "a merge would leave old properties beside new ones; replace the entity, or migrate the "
                               "table"});
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

    template <class Finish>
    prepared<Finish> prepare(std::string_view action, result<void> const& fault, owned_request what,
                             Finish finish) const {
        return {single_operation{state_, action, fault, std::move(what)}, std::move(finish)};
    }

    template <class Finish>
    prepared<Finish> write(write_kind kind, result<void> const& fault, encoded_entity e, std::string_view if_match,
                           Finish finish) const {
        return prepare(name_of(kind, if_match), fault,
                       {owned_request::kind::write, kind, std::move(e), std::string{if_match}}, std::move(finish));
    }

    template <class Encode> auto write_read(write_kind kind, entity<T>& e, clock& c, Encode encode_into) const {
        auto out = fresh_entity(c);
        auto const fault = e.etag.empty() ? no_etag(kind == write_kind::merge ? "merge_any" : "replace_any")
                           : e.outdated && kind == write_kind::merge ? outdated()
                                                                     : encode_into(e.value, out);
        return write(kind, fault, std::move(out), e.etag.text(), finish_refresh{&e.etag, &e.outdated});
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
