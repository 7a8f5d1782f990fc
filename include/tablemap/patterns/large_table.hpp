// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/detail/patterns/large_rules.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/patterns/large_options.hpp"
#include "tablemap/table/table.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

namespace detail {
struct large_internals;
}

/// Structs with members that may be larger than a property, `large<std::string>` and `large<bytes>`: small values are
/// stored in the row, others in blobs of a container, and the program sees one value with one etag.
///
///     struct document {
///         std::string folder, name;
///         tmap::large<std::string> text;
///     };
///
///     tmap::large_table<document> const documents{store, "Documents", "document-values"};
///     documents.insert({"plans", "2024", text});
///     auto found = documents.find("plans", "2024");
///     found->value.text = other_text;
///     documents.replace(*found);
///
/// Blobs are stored before the row that names them, so a reader never meets a missing one. Each write of a value has a
/// blob of its own, whose name nobody can guess. Blobs that no row names any more, after a replace, an erase, or the
/// end of a writer's process, are deleted by a `large_collector`. A value that did not change since it was read stays
/// in its blob.
///
/// Every operation blocks until it is done and comes in two forms: the plain one throws `tablemap::error`, the one
/// named `try_…` returns a `result`.
///
/// \throws error from every operation: those of `table<T>` and of `blob_container`; from reads
/// `library_errc::malformed_response` for a blob that something else deleted or wrote, and `too_many_conflicts` if
/// writers replaced the values each time; from writes `key_too_large` if a blob's name had no room for the keys,
/// `too_many_conflicts` if a collector took the permit of the write each time. An error of a value names the member
/// \par Round trips
/// A read takes one, and one for each 4 MiB of a value in a blob. A write takes one; if it stores values in blobs, two,
/// and one for each value, or for each 4 MiB of it and one more.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T> class large_table {
    using checked = std::bool_constant<detail::check_large<T>()>;  // a static_assert would add an error

public:
    using value_type = T;
    using key_type = key_of<T>;

    /// Names a table and a container in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructors of `table<T>` and `blob_container`; `library_errc::value_out_of_range` for an
    /// option that cannot be used
    large_table(store_ptr s, std::string table, std::string container, large_options options = {},
                table_options rows = {})
        : rows_(s, std::move(table), rows), blobs_(std::move(s), std::move(container)) {
        if constexpr (checked::value)
            state_ = detail::make_large_state(detail::table_internals::shared_state(rows_), blobs_.name(), options,
                                              detail::has_encrypted_large_members<T>());
    }

    /// The rows: to create the table, and to query. Values in blobs are not read, see `load`, and such rows can be
    /// merged and erased, but not replaced.
    table<T> const& rows() const noexcept { return rows_; }

    /// The blobs: to create the container.
    blob_container const& blobs() const noexcept { return blobs_; }

    /// Reads one entity by its key, with its values: `find("plans", "2024")`.
    ///
    /// \return the entity with its etag; nothing if there is none
    std::optional<entity<T>> find(key_type const& key, call_options const& o = {}) const {
        return value_or_throw(try_find(key, o));
    }
    template <class... Arguments>
    requires detail::key_in_values<key_type, Arguments...> std::optional<entity<T>> find(Arguments&&... values)
    const {
        return detail::with_key<key_type>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    result<std::optional<entity<T>>> try_find(key_type const& key, call_options const& o = {}) const {
        return run("find", detail::find_large<T>(state_, key.try_encode()), o);
    }

    /// Reads the values of an entity that was read as a row: `for (auto& e : t.rows().query(…)) if (t.load(e)) …`. If
    /// it was written since, all of it is read again.
    ///
    /// \return false if it was erased since
    bool load(entity<T>& e, call_options const& o = {}) const { return value_or_throw(try_load(e, o)); }
    result<bool> try_load(entity<T>& e, call_options const& o = {}) const {
        return run("load", detail::load_typed_large<T>(state_, e), o);
    }

    /// Reads the value of one member in pieces of at most 4 MiB, without keeping it in memory:
    /// `read<&document::picture>(e, [&](std::span<std::byte const> piece) { … })`. Length and checksum are checked
    /// after the last piece: pieces before an error may be of an altered blob, unless the member is encrypted.
    ///
    /// \return false if the entity was written or erased since it was read, and the value is gone, perhaps after some
    /// pieces were given to the function
    template <auto Member>
    bool read(entity<T> const& e, std::function<void(std::span<std::byte const>)> to,
              call_options const& o = {}) const {
        return value_or_throw(try_read<Member>(e, std::move(to), o));
    }
    template <auto Member>
    result<bool> try_read(entity<T> const& e, std::function<void(std::span<std::byte const>)> to,
                          call_options const& o = {}) const {
        return run("read", detail::stream_typed_large<Member>(state_, e, std::move(to)), o);
    }

    /// Stores a new entity.
    ///
    /// \return the entity with its etag and the generated parts of its key
    /// \throws error `service_errc::entity_already_exists`
    entity<T> insert(T value, call_options const& o = {}) const {
        return value_or_throw(try_insert(std::move(value), o));
    }
    result<entity<T>> try_insert(T value, call_options const& o = {}) const {
        return run("insert", detail::store_large<T>(state_, write_kind::insert, std::move(value)), o);
    }

    /// Stores an entity whether or not there is one with its key, which it replaces.
    entity<T> upsert(T value, call_options const& o = {}) const {
        return value_or_throw(try_upsert(std::move(value), o));
    }
    result<entity<T>> try_upsert(T value, call_options const& o = {}) const {
        return run("upsert", detail::store_large<T>(state_, write_kind::upsert_replace, std::move(value)), o);
    }

    /// Stores all of an entity that was read, under its etag, which is refreshed.
    ///
    /// \throws error `service_errc::update_condition_not_satisfied` if it was changed, `resource_not_found` if it is
    /// gone; `library_errc::missing_etag`; `unsupported` if a value was not loaded
    void replace(entity<T>& e, call_options const& o = {}) const { value_or_throw(try_replace(e, o)); }
    result<void> try_replace(entity<T>& e, call_options const& o = {}) const {
        return run("replace", detail::replace_large<T>(state_, e), o);
    }

    /// Stores chosen members of an entity that was read, under its etag, which is refreshed:
    /// `merge(e, only<&document::text>)`.
    ///
    /// \throws error as `replace`; `library_errc::merge_cannot_remove` for an empty optional
    template <auto... Members> void merge(entity<T>& e, only_t<Members...> only, call_options const& o = {}) const {
        value_or_throw(try_merge(e, only, o));
    }
    template <auto... Members>
    result<void> try_merge(entity<T>& e, only_t<Members...> only, call_options const& o = {}) const {
        return run("merge", detail::merge_large<T>(state_, e, only), o);
    }

    /// Reads an entity with its values, lets `change(T&)` change it, and merges the properties that changed, so that
    /// those that the struct does not have are kept; again after a conflict, so the function may be called several
    /// times. If nothing changed, nothing is sent.
    ///
    /// \return the entity as it is stored
    /// \throws error `service_errc::resource_not_found`; `library_errc::key_changed`, `too_many_conflicts`
    /// \par Round trips
    /// Those of a read and of a write, for each try.
    template <class Change>
    entity<T> modify(key_type const& key, Change change, call_options const& o = {}, modify_options m = {}) const {
        return value_or_throw(try_modify(key, std::move(change), o, m));
    }
    template <class Change>
    result<entity<T>> try_modify(key_type const& key, Change change, call_options const& o = {},
                                 modify_options m = {}) const {
        static_assert(detail::check_change<T, Change>());
        return run("modify", detail::change_large<T>(state_, key.try_encode(), std::move(change), m), o);
    }

    /// Stores values that are encrypted in blobs under other keys than the current one anew under that, each row under
    /// its etag and one after the other. Those of all types in the table whose blobs are in this container, piece by
    /// piece, so none is in memory. A row with a value that cannot be read is left as it is and reported. The other
    /// encrypted members are those of `rows().reencrypt()`. Called again after an error, it does what is left.
    ///
    /// \return what was done
    /// \throws error those of the store and of the key provider; `in_doubt` once any row was rewritten
    /// \par Round trips
    /// A scan of the table; for each row with such values two, and for each of these two, or two for each 4 MiB of it
    /// and one more.
    reencryption_report reencrypt(rewrite_options options = {}, call_options const& o = {}) const
        requires(detail::has_encrypted_large_members<T>()) {
        return value_or_throw(try_reencrypt(std::move(options), o));
    }
    result<reencryption_report> try_reencrypt(rewrite_options options = {}, call_options const& o = {}) const
        requires(detail::has_encrypted_large_members<T>()) {
        return run("reencrypt", detail::reencrypt_large(state_, std::move(options)), o);
    }

    /// Erases an entity that was read, under its etag.
    ///
    /// \throws error as `replace`
    /// \par Round trips
    /// One.
    void erase(entity<T> const& e, call_options const& o = {}) const { rows_.erase(e, o); }
    result<void> try_erase(entity<T> const& e, call_options const& o = {}) const { return rows_.try_erase(e, o); }

    /// Erases any version of an entity: `erase_any({"plans", "2024"})`.
    ///
    /// \return true if there was one
    /// \par Round trips
    /// One.
    bool erase_any(key_type const& key, call_options const& o = {}) const { return rows_.erase_any(key, o); }
    result<bool> try_erase_any(key_type const& key, call_options const& o = {}) const {
        return rows_.try_erase_any(key, o);
    }

private:
    friend detail::large_internals;

    template <class V>
    result<V> run(std::string_view action, detail::task<result<V>> first, call_options const& o) const {
        detail::table_call<V> call{state_->rows, action, std::move(first)};
        return detail::run(*state_->rows->store, call, o);
    }

    table<T> rows_;
    blob_container blobs_;
    detail::large_state_ptr state_{};
};

namespace detail {
/// The insides of a large table, for its asynchronous form.
struct large_internals {
    template <class Table> static large_state_ptr const& state(Table const& t) noexcept { return t.state_; }
};
}  // namespace detail

}  // namespace tablemap
