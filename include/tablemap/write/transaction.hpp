// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/right_use.hpp"
#include "tablemap/detail/write/transaction_core.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

template <class T> class table;

namespace detail {

template <class T> inline constexpr bool is_table = false;
template <class T> inline constexpr bool is_table<table<T>> = true;
template <class T>
concept some_table = is_table<T>;

template <class Table> constexpr std::size_t refuse_second_table() {
    static_assert(sizeof(Table) == 0,
                  "tablemap[W5]: a group transaction writes to the one table that it was made with, since the service "
                  "has none over two; write two transactions, or keep the types in one table and partition");
    return 0;
}

template <class E> inline constexpr bool is_entity = false;
template <class T> inline constexpr bool is_entity<entity<T>> = true;

/// True for an entity that `commit` can refresh: it has a name and is not const.
template <class Argument> inline constexpr bool is_refreshable = false;
template <class T> inline constexpr bool is_refreshable<entity<T>&> = true;

template <class Value> constexpr bool check_inserted() {
    static_assert(
        !is_entity<Value>,
        "tablemap[W4]: commit refreshes the etag of an entity that is inserted; give the entity a name that is "
        "not const and lives until then, or pass its value alone");
    if constexpr (is_entity<Value>)
        return false;
    else
        return check_entity_type<Value>();
}

template <class Value> constexpr bool check_unconditional() {
    static_assert(!is_entity<Value>,
                  "tablemap[W4]: upserts and the writes that end in _any take a value and no etag; pass the entity's "
                  "value, or use replace or merge under its etag");
    if constexpr (is_entity<Value>)
        return false;
    else
        return check_entity_type<Value>();
}

template <class Argument> constexpr bool check_transaction_entity() {
    static_assert(
        is_refreshable<Argument>,
        "tablemap[W4]: replace and merge take an entity that was read, has a name and is not const, for commit "
        "refreshes its etag; for a value alone use replace_any, merge_any or an upsert");
    return is_refreshable<Argument>;
}

struct transaction_access;

}  // namespace detail

/// An entity group transaction: writes of one table and one partition that are applied together or not at all.
///
///     auto hire = departments.transaction();                  // of a table<department>
///     hire.insert(employee{.department = "Sales", .id = 212, .first_name = "Don"});
///     hire.merge(sales, tmap::only<&department::people>);     // tmap::entity<department>& that was read
///     hire.commit();
///
/// Types may be mixed: any mapped T, variants, `dynamic_entity`. Each adder encodes its operation at once, returns its
/// position and never throws for a fault in it: the first fault is kept, and `commit` reports it before anything is
/// sent. Limits: 100 operations and 4 MiB (`capabilities`), rows in indexes included; one partition, each entity once.
///
/// The operations have the meaning that they have in `table<T>`, and need the same etags. An erase_any of a missing
/// entity fails here.
///
/// \par Thread safety
/// None; nor may the transaction be touched between `async_commit` and its handler.
/// \par Lifetime
/// An `entity<T>&` is borrowed until `commit` has succeeded or the transaction is cleared or destroyed. Changes of its
/// value after it was added are not sent.
class transaction {
public:
    // Two transactions must not share operations.
    transaction(transaction&&) = default;
    transaction& operator=(transaction&&) = default;

    std::string const& table() const& noexcept { return core_->table(); }
    std::string table() const&& { return core_->table(); }

    // ---- contents ---------------------------------------------------------------------------------------------------

    std::size_t size() const noexcept { return core_->size(); }
    bool empty() const noexcept { return size() == 0; }

    /// The approximate number of bytes that `commit` sends: all bodies, those of rows in indexes too, and at a remote
    /// store the frames around them.
    std::size_t bytes() const noexcept { return core_->bytes(); }

    /// True if one more operation like the last can be added whose body has at most so many bytes of JSON; by default 1
    /// MiB, more than most entities have. The most rows in indexes that it may need are counted, each as large as those
    /// of the last operation. False as soon as `commit` would report a fault.
    bool has_room(std::size_t body_bytes = limits::entity_bytes) const noexcept { return core_->has_room(body_bytes); }

    /// The partition key of the first operation, as it is stored; empty if there is none. Valid until the next change.
    std::string_view partition_key() const& noexcept { return core_->partition_key(); }
    std::string partition_key() const&& { return std::string{core_->partition_key()}; }

    /// Forgets all operations, the fault, and the entities that were borrowed.
    void clear() noexcept { core_->clear(); }

    // ---- writes under a condition -----------------------------------------------------------------------------------

    /// A new entity. Fails if it exists.
    template <class T> std::size_t insert(T const& value) {
        if constexpr (detail::check_inserted<T>()) return whole(write_kind::insert, value, {}, {});
    }

    /// The same; generated parts of the key are filled in at once, and the etag by `commit`.
    template <class T> std::size_t insert(entity<T>& e) {
        return whole(write_kind::insert, e.value, {}, {&e.etag, &e.outdated});
    }

    /// All of an entity that was read, under its etag, which `commit` refreshes.
    template <class T> std::size_t replace(entity<T>& e) { return add(encoder<T>().replace(e), e); }

    /// The members of an entity that was read, or chosen ones: `merge(e, only<&employee::age>)`.
    template <class T> std::size_t merge(entity<T>& e) { return add(encoder<T>().merge(e), e); }
    template <class T, detail::choosing::choice Choice> std::size_t merge(entity<T>& e, Choice const& chosen) {
        return add(encoder<T>().merge(e, chosen), e);
    }
    /// The members that changed since an earlier state of the entity, a copy made after the read:
    /// `merge(e, changed_since(before))`. If there are none, nothing is added and no position returned: the transaction
    /// does not depend on the entity then.
    template <class T> std::optional<std::size_t> merge(entity<T>& e, changed_since_t<T> const& since) {
        auto w = encoder<T>().merge(e, since);
        if (w.needless && !w.fault) return std::nullopt;
        return add(std::move(w), e);
    }
    /// Chosen properties of a dynamic entity that was read: `merge(e, only_properties{"Age"})`.
    std::size_t merge(entity<dynamic_entity>& e, only_properties const& chosen);

    /// Erases the version that was read. The entity is not borrowed.
    template <class T> std::size_t erase(entity<T> const& e) {
        return add(detail::write_encoder<T>::erase(e), e.value, {});
    }

    // ---- unconditional writes ---------------------------------------------------------------------------------------

    /// All of an entity, over any version of it. Fails if there is none.
    template <class T> std::size_t replace_any(T const& value) {
        if constexpr (detail::check_unconditional<T>()) return whole(write_kind::replace, value, any_etag, {});
    }

    /// Chosen members over any version of an entity. Fails if there is none.
    template <class T, detail::choosing::choice Choice> std::size_t merge_any(T const& value, Choice const& chosen) {
        return members(write_kind::merge, value, chosen, any_etag);
    }

    /// Erases any version of an entity: `erase_any<employee>({"Sales", 212})`. Fails if there is none.
    template <class T> std::size_t erase_any(key_of<T> const& key) {
        return add(detail::write_encoder<T>::erase_any(key), key, {});
    }
    template <class T, class... Arguments>
    requires detail::key_in_values<key_of<T>, Arguments...> std::size_t erase_any(Arguments&&... values) {
        return detail::with_key<key_of<T>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return erase_any<T>(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// All of an entity, whether or not it exists.
    template <class T> std::size_t upsert_replace(T const& value) {
        if constexpr (detail::check_unconditional<T>()) return whole(write_kind::upsert_replace, value, {}, {});
    }

    /// The members of an entity, or chosen ones, whether or not it exists; empty optionals are left out.
    template <class T> std::size_t upsert_merge(T const& value) {
        if constexpr (detail::check_unconditional<T>()) return add(encoder<T>().upsert_merge(value), value, {});
    }
    template <class T, detail::choosing::choice Choice> std::size_t upsert_merge(T const& value, Choice const& chosen) {
        return members(write_kind::upsert_merge, value, chosen, {});
    }

    // ---- committing -------------------------------------------------------------------------------------------------

    /// Applies all operations, or none. The transaction is empty then and may be used again. After an error it keeps
    /// its operations, so that it can be committed again if the outcome is `not_applied` and time may help; entities
    /// are as they were.
    ///
    /// If types have indexes, all entities except inserted ones are read at once before, and their rows in indexes are
    /// written with them; after a conflict, writes of any version are repeated from the read on.
    ///
    /// After a lost response the outcome is `in_doubt`: read the entities. Committing the same again is safe for
    /// inserts and for writes under an etag, but then a failure is in doubt, too. With operation ids the call itself
    /// finds the outcome if its retry policy allows another try; the etags that it returns and refreshes are empty
    /// then: read the entities again before the next conditional write.
    ///
    /// \return the etag of each operation, by position; empty for an erase
    /// \throws error those of the operation at fault, with `failed_index()`, `failed_key()` and `failed_action()`;
    /// before anything is sent those of a value or key that cannot be stored, `library_errc::missing_etag`, and with
    /// the same three `service_errc::invalid_input` (no operation, or too many), `request_body_too_large`,
    /// `invalid_duplicate_row`, `commands_in_batch_act_on_different_partitions`; `library_errc::unique_value_taken`,
    /// with the index as `member()`, and `too_many_conflicts`. `service_errc::table_not_found` and errors of the
    /// transport name no operation.
    /// \par Round trips
    /// One, and one before it if entities with indexes are read.
    std::vector<etag> commit(call_options const& o = {});
    result<std::vector<etag>> try_commit(call_options const& o = {});

    // ---- refused at compile time ------------------------------------------------------------------------------------

    template <class Argument>
    requires(!detail::is_refreshable<Argument>) std::size_t replace(Argument&&) {
        return detail::check_transaction_entity<Argument>() ? 1 : 0;
    }
    template <class Argument, class... Chosen>
    requires(!detail::is_refreshable<Argument> && !detail::some_table<std::remove_cvref_t<Argument>>) std::size_t
        merge(Argument&&, Chosen const&...) {
        return detail::check_transaction_entity<Argument>() ? 1 : 0;
    }

    template <class First, class... More>
    requires(!std::same_as<First, transaction>) explicit transaction(First const&, More const&...) {
        static_assert(detail::is_right_use<First>,
                      "tablemap[W5]: a group transaction begins with a table, and writes to that one: auto hire = "
                      "departments.transaction(); then hire.insert(value)");
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t insert(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t replace(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t merge(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t erase(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t replace_any(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t merge_any(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t erase_any(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t upsert_replace(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }
    template <detail::some_table Table, class First, class... More>
    std::size_t upsert_merge(Table const&, First const&, More const&...) {
        return detail::refuse_second_table<Table>();
    }

private:
    friend detail::transaction_access;

    explicit transaction(std::shared_ptr<detail::table_state const> table, clock& c);

    template <class T> detail::write_encoder<T> encoder() const noexcept {
        return {core_->operation_ids(), core_->clock(), core_->cipher()};
    }

    /// A const value keeps its key as it is; a generated part gets its value in a copy.
    template <class T> std::size_t whole(write_kind kind, T& value, std::string_view if_match, detail::etag_target to) {
        return add(encoder<std::remove_const_t<T>>().whole(kind, value, if_match), value, to);
    }

    template <class T, detail::choosing::choice Choice>
    std::size_t members(write_kind kind, T const& value, Choice const& chosen, std::string_view if_match) {
        if constexpr (detail::check_unconditional<T>())
            return add(encoder<T>().chosen(kind, value, chosen, if_match), value, {});
    }

    template <class T> std::size_t add(detail::encoded_write w, entity<T>& e) {
        return add(std::move(w), e.value, {&e.etag, &e.outdated});
    }

    /// `keyed` is a value or a key. A write that failed may lack its keys, which tell the user which entity it was.
    template <class Keyed> std::size_t add(detail::encoded_write w, Keyed const& keyed, detail::etag_target to) {
        bool has_keys = true;
        if (w.fault) {
            w.entity.partition_key.clear();
            w.entity.row_key.clear();
            has_keys = detail::encode_keys(keyed, w.entity.partition_key, w.entity.row_key).has_value();
        }
        return core_->add(std::move(w), has_keys, to);
    }

    std::shared_ptr<detail::transaction_core> core_;
};

namespace detail {
struct transaction_access {
    static std::shared_ptr<transaction_core> const& core(transaction const& t) noexcept { return t.core_; }
    static transaction begin(std::shared_ptr<table_state const> table, clock& c) {
        return transaction{std::move(table), c};
    }
};
}  // namespace detail

}  // namespace tablemap
