// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/effect_rules.hpp"
#include "tablemap/detail/patterns/outbox_core.hpp"
#include "tablemap/detail/table/table_internals.hpp"
#include "tablemap/patterns/outbox_receipt.hpp"
#include "tablemap/patterns/outbox_status.hpp"
#include "tablemap/query/key_ranges.hpp"
#include "tablemap/table/table.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Changes with effects in other partitions, tables or services.
namespace tablemap::inline v0_1 {

/// An effect that belongs to the operation of this position; made by `caused_by`.
template <class Effect> struct caused_effect {
    std::size_t position;
    Effect effect;
};

/// Names the operation that an effect belongs to, by the position that `transaction::insert` and the others return:
/// `caused_by(hire.insert(don), index_employee{...})`. Effects of one entity are applied in the order of its changes.
template <class Effect> caused_effect<Effect> caused_by(std::size_t position, Effect effect) {
    return {position, std::move(effect)};
}

namespace detail {

template <class E, class... Effects> inline constexpr bool is_one_of = (std::same_as<E, Effects> || ...);

template <class A> struct effect_of_argument { using type = A; };
template <class E> struct effect_of_argument<caused_effect<E>> { using type = E; };
template <class E> struct effect_of_argument<std::vector<E>> { using type = typename effect_of_argument<E>::type; };

struct outbox_internals;

template <class T, class... Values>
result<std::vector<std::string>> partitions_of(partition_values<Values...> const& p) {
    query_keys keys;
    if (auto r = encode_partition<T>(keys, p); !r) return failure{std::move(r).error()};
    return std::move(keys.partitions);
}

}  // namespace detail

/// An outbox beside the entities of a table: a change and the intent of its effects elsewhere are written in one group
/// transaction, so that neither is stored without the other. A `relay` applies the effects.
///
///     struct archive_employee { std::string department; std::int32_t id; };
///
///     tablemap::outbox<employee, archive_employee> outbox{employees, {.queue = "archive"}};
///     auto leave = employees.transaction();
///     leave.erase(don);
///     outbox.commit(leave, archive_employee{"Sales", 212});
///
/// An effect is a plain struct that is stored as JSON under its name, as a row of the same table and partition. The
/// rows of an outbox are invisible to a `table<T>`. To rename a struct, give it its old name:
/// `static constexpr std::string_view effect_name = "archive_employee";`.
///
/// \par Thread safety
/// All members may be called from any number of threads, each with a transaction of its own.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
template <class T, class... Effects> class outbox {
    static_assert(detail::check_outbox<T, Effects...>());

public:
    /// Names the outbox of a table; nothing is sent.
    ///
    /// \throws error `library_errc::value_out_of_range` if `outbox_options::queue` cannot be the name of a queue that
    /// has a poison queue
    explicit outbox(table<T> const& of, outbox_options options = {})
        : place_(detail::make_outbox_place(detail::table_internals::shared_state(of), std::move(options.queue))) {}

    std::string const& queue() const& noexcept { return place_.queue; }
    std::string queue() const&& { return place_.queue; }

    /// Applies all operations of a transaction and stores the effects, or does none of it. An effect belongs to the
    /// entity of the transaction's first operation, or to that which `caused_by` names; `std::vector`s of effects are
    /// taken, too. The transaction is empty then and may be used again; after an error it keeps its operations. If
    /// another commit or a relay writes to the partition's outbox meanwhile, the group is made again.
    ///
    /// After a lost response the outbox is read to find out whether the group was applied; `etags` are empty then. If
    /// that cannot be told, the outcome of the error is `in_doubt`.
    ///
    /// \return the etags of the operations; its `not_queued` is the error of the queue, and the effects are stored
    /// nevertheless
    /// \throws error those of `transaction::commit`; `service_errc::invalid_input` before anything is sent if the
    /// transaction is of another table or store object than the outbox, if operations, effects and the head of the
    /// outbox are more than one group holds, an operation has a row key of an outbox, or one erases an entity that is
    /// to be moved; after the head was read, but
    /// before anything is written, `library_errc::value_too_large` for an effect of more than 32,768 UTF-16 code units
    /// of JSON, and `service_errc::request_body_too_large`; `too_many_conflicts`
    /// \par Round trips
    /// Two, and one more with a queue; one more if entities with indexes are read.
    template <class... Arguments> outbox_receipt commit(transaction& what, Arguments const&... effects) const {
        return value_or_throw(try_commit(what, effects...));
    }
    template <class... Arguments>
    outbox_receipt commit(transaction& what, call_options const& o, Arguments const&... effects) const {
        return value_or_throw(try_commit(what, o, effects...));
    }
    template <class... Arguments>
    result<outbox_receipt> try_commit(transaction& what, Arguments const&... effects) const {
        return try_commit(what, call_options{}, effects...);
    }
    template <class... Arguments>
    result<outbox_receipt> try_commit(transaction& what, call_options const& o, Arguments const&... effects) const {
        return detail::run(*place_.table->store, commit_call(what, effects...), o);
    }

    /// Reads how many effects are left, and the age of the oldest. Rows of the outbox that cannot be read are counted.
    ///
    /// \throws error those of the store
    /// \par Round trips
    /// One for each page of 1,000 partitions with effects, and one for each partition with pending ones.
    /// \par Cost
    /// Without a partition the store reads every row of the table.
    outbox_status status(call_options const& o = {}) const { return value_or_throw(try_status(o)); }
    result<outbox_status> try_status(call_options const& o = {}) const {
        return read_status(std::vector<std::string>{}, o);
    }
    template <class... Values>
    outbox_status status(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_status(p, o));
    }
    template <class... Values>
    result<outbox_status> try_status(partition_values<Values...> const& p, call_options const& o = {}) const {
        return read_status(detail::partitions_of<T>(p), o);
    }

private:
    friend detail::outbox_internals;

    template <class... Arguments>
    detail::outbox_call commit_call(transaction& what, Arguments const&... effects) const {
        constexpr bool declared =
            (detail::is_one_of<typename detail::effect_of_argument<Arguments>::type, Effects...> && ...);
        static_assert(declared, "tablemap[P4]: commit takes effects that the outbox declares; name this one in "
                                "outbox<T, Effects...>");
        auto const& core = detail::transaction_access::core(what);
        std::vector<detail::encoded_effect> all;
        if constexpr (declared) (add(all, 0, effects, core->clock()), ...);
        return {core, detail::commit_with_effects(place_, core, std::move(all), {})};
    }

    detail::outbox_status_call status_call(result<std::vector<std::string>> partitions) const {
        return {place_.table, detail::read_outbox_status(place_, std::move(partitions))};
    }
    result<outbox_status> read_status(result<std::vector<std::string>> partitions, call_options const& o) const {
        return detail::run(*place_.table->store, status_call(std::move(partitions)), o);
    }

    template <class E>
    static void add(std::vector<detail::encoded_effect>& all, std::size_t position, E const& effect, clock& c) {
        detail::encoded_effect e{.type = detail::name_of_effect<E>(), .position = position};
        if constexpr (detail::is_move<E>) {
            e.moves = true;
            e.fault = add_order(e.json, effect, c);
        } else {
            if (auto r = detail::append_json(e.json, effect); !r) e.fault = std::move(r).error();
        }
        all.push_back(std::move(e));
    }
    template <class E>
    static void add(std::vector<detail::encoded_effect>& all, std::size_t, caused_effect<E> const& effect, clock& c) {
        add(all, effect.position, effect.effect, c);
    }
    template <class E>
    static void add(std::vector<detail::encoded_effect>& all, std::size_t position, std::vector<E> const& effects,
                    clock& c) {
        for (auto const& e : effects) add(all, position, e, c);
    }

    /// Each move has an id of its own, which stays the same in all of its attempts.
    template <class Move> static std::optional<error> add_order(std::string& json, Move const& move, clock& c) {
        auto key = move.key().try_encode();
        if (!key) return std::move(key).error();
        detail::move_order const order{random_guid(c), std::move(key->partition_key), std::move(key->row_key)};
        auto r = detail::append_json(json, order);
        return r ? std::nullopt : std::optional{std::move(r).error()};
    }

    detail::outbox_place place_;
};

namespace detail {
struct outbox_internals {
    template <class Outbox> static outbox_place const& place(Outbox const& o) noexcept { return o.place_; }
    template <class Outbox, class... Arguments>
    static outbox_call commit_call(Outbox const& o, transaction& what, Arguments const&... effects) {
        return o.commit_call(what, effects...);
    }
    template <class Outbox>
    static outbox_status_call status_call(Outbox const& o, result<std::vector<std::string>> partitions) {
        return o.status_call(std::move(partitions));
    }
};
}  // namespace detail

}  // namespace tablemap
