// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/relay_core.hpp"
#include "tablemap/patterns/outbox.hpp"
#include "tablemap/patterns/relay_options.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// A handler of one effect; made by `on`.
template <class Effect, class Function> struct effect_handler_of { Function apply; };

/// The handler of an effect: a function of `Effect const&`, or of that and `effect_context const&`. It fails by an
/// exception, or by a `result<V>` of any `V`; it returns that or nothing. It may be called more than once for one
/// effect, and must have the same effect then as once: use upserts and `erase_any`, or compare what is there.
///
/// A function that takes an `effect_end` last is asynchronous: it begins, and calls that at the end, or passes it to an
/// operation as completion token. The context is valid until then, the effect only during the call of the function.
///
///     tablemap::on<archive_employee>([former](auto const& e, auto const&, tablemap::effect_end end) {
///         former_employee const row{e.id, e.name};
///         former.upsert_replace(row, std::move(end));     // former is an async_table
///     })
///
/// \par Thread safety
/// A relay calls its handlers one at a time; two calls of one relay on two threads call them on both.
template <class Effect, class Function> effect_handler_of<Effect, Function> on(Function f) { return {std::move(f)}; }

namespace detail {

template <class H> inline constexpr bool is_handler = false;
template <class E, class F> inline constexpr bool is_handler<effect_handler_of<E, F>> = true;
template <class E, class H> inline constexpr bool handles = false;
template <class E, class F> inline constexpr bool handles<E, effect_handler_of<E, F>> = true;

template <class V> inline constexpr bool is_result = false;
template <class V> inline constexpr bool is_result<result<V>> = true;

struct relay_internals;

template <class E, class F>
inline constexpr bool is_asynchronous = std::is_invocable_v<F const&, E const&, effect_context const&, effect_end>;

template <class E, class F> auto handler_result() {
    if constexpr (is_asynchronous<E, F>)
        return std::type_identity<
            std::remove_cvref_t<std::invoke_result_t<F const&, E const&, effect_context const&, effect_end>>>{};
    else if constexpr (std::is_invocable_v<F const&, E const&, effect_context const&>)
        return std::type_identity<
            std::remove_cvref_t<std::invoke_result_t<F const&, E const&, effect_context const&>>>{};
    else
        return std::type_identity<std::remove_cvref_t<std::invoke_result_t<F const&, E const&>>>{};
}

/// The type that a handler returns, without reference.
template <class E, class F> using handler_result_of = typename decltype(handler_result<E, F>())::type;

template <class E, class F> constexpr bool check_handler_function() {
    constexpr bool callable = std::is_invocable_v<F const&, E const&, effect_context const&> ||
                              std::is_invocable_v<F const&, E const&> || is_asynchronous<E, F>;
    static_assert(callable, "tablemap[P4]: a handler takes its effect, and the context if it wants: "
                            "on<archive_employee>([&](archive_employee const& e, effect_context const& c) { ... })");
    if constexpr (callable) {
        using returned = handler_result_of<E, F>;
        static_assert(!is_asynchronous<E, F> || std::is_void_v<returned>,
                      "tablemap[P4]: a handler that takes an effect_end returns nothing: it tells its result by that");
        constexpr bool is_understood = std::is_void_v<returned> || is_result<returned> || is_asynchronous<E, F>;
        static_assert(is_understood, "tablemap[P4]: a handler returns nothing or a result<V>, whose error is its "
                                     "failure; any other value would be lost: leave out the return, or report a "
                                     "failure by an exception");
        return is_understood;
    }
    return false;
}

/// Puts the effect's name into the compiler's "required from" line.
template <class E, class... Handlers> constexpr bool check_is_handled() {
    constexpr auto count = (std::size_t{0} + ... + (handles<E, Handlers> ? 1 : 0));
    static_assert(count > 0, "tablemap[P4]: a relay has a handler for each effect of its outbox, and this one has "
                             "none; add on<Effect>(function)");
    static_assert(count < 2, "tablemap[P4]: two handlers of a relay are for one effect; leave one of them");
    return count == 1;
}

template <class H, class... Effects> constexpr bool check_handler() {
    static_assert(is_handler<H>, "tablemap[P4]: a relay takes handlers that on<Effect>(function) makes, or "
                                 "on_move(table, function)");
    if constexpr (is_handler<H>) {
        constexpr bool declared = (handles<Effects, H> || ...);
        static_assert(declared, "tablemap[P4]: this handler is for a type that is no effect of the outbox; leave it "
                                "out, or declare the effect there");
        return declared;
    }
    return false;
}

template <class E, class F> std::optional<error> call_function(F const& f, E const& effect, effect_context const& c) {
    auto const call = [&]() -> decltype(auto) {
        if constexpr (std::is_invocable_v<F const&, E const&, effect_context const&>)
            return f(effect, c);
        else
            return f(effect);
    };
    if constexpr (is_result<handler_result_of<E, F>>) {
        auto const& r = call();
        if (!r) return failure_of_handler(r.error());
    } else {
        call();
    }
    return std::nullopt;
}

/// Makes the handler of relays of T. `place`: of the outbox.
template <class T, class H> struct handler_maker;

template <class T, class E, class F> struct handler_maker<T, effect_handler_of<E, F>> {
    static constexpr bool check() { return check_handler_function<E, F>(); }

    static effect_handler make(outbox_place const&, effect_handler_of<E, F>&& h) {
        if constexpr (is_asynchronous<E, F>)
            return make_asynchronous(std::move(h));
        else
            return make_plain(std::move(h));
    }

private:
    static effect_handler make_plain(effect_handler_of<E, F>&& h) {
        return {.type = name_of_effect<E>(),
                .apply = [f = std::move(h.apply)](std::string_view json, effect_context const& c) -> handled {
                    E effect{};
                    if (auto r = read_json(json, effect); !r) return {std::move(r).error(), true};
                    return call_handler([&] { return call_function(f, effect, c); });
                }};
    }

    static effect_handler make_asynchronous(effect_handler_of<E, F>&& h) {
        return {.type = name_of_effect<E>(),
                .begin = [f = std::move(h.apply)](std::string_view json, effect_context const& c,
                                                  effect_end end) -> handled {
                    E effect{};
                    if (auto r = read_json(json, effect); !r) return {std::move(r).error(), true};
                    return call_handler([&]() -> std::optional<error> {
                        f(std::as_const(effect), c, std::move(end));
                        return std::nullopt;
                    });
                }};
    }
};

}  // namespace detail

/// Applies the effects of an outbox: in the order in which they were committed, partition by partition. Any number of
/// relays in any number of processes may work on one outbox: a lease gives a partition to one of them.
///
///     tablemap::relay relay{outbox,
///                           tablemap::on<archive_employee>([&](archive_employee const& e) { … }),
///                           tablemap::on<index_employee>([&](index_employee const& e) { … })};
///     relay.run({.stop = stop.get_token()});
///
/// An effect is applied at least once, and marked as done under the lease. After `relay_options::attempts` failures of
/// its handler, with waits in between, it is parked, with the later effects of its entity behind it; those of other
/// entities go on. With a queue, a message with the reason goes to the queue `<queue>-poison` first; as long as that
/// takes none, the effect waits. `put_back` makes parked effects pending again.
///
/// The text of a failure is stored in the row of the effect and in the message. That of a handler's exception may hold
/// the user's data.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the handlers and the store. What handlers refer to must outlive the relay.
template <class T, class... Effects> class relay {
public:
    /// \throws error `library_errc::value_out_of_range` for an option that cannot be used;
    /// `service_errc::invalid_input` if entities are moved to a table of another store object than the outbox
    template <class... Handlers>
    relay(outbox<T, Effects...> const& of, relay_options options, Handlers... handlers)
        : core_(make_core(of, std::move(options), std::move(handlers)...)) {}
    template <class... Handlers>
    requires(!std::is_same_v<std::remove_cvref_t<Handlers>, relay_options> &&
             ...) explicit relay(outbox<T, Effects...> const& of, Handlers... handlers)
        : relay(of, relay_options{}, std::move(handlers)...) {}

    /// Applies the pending effects of one partition: `run_once(partition("Sales"))`.
    ///
    /// \return what was done; its `end` says whether effects are left
    /// \throws error those of the store; those of a row of the outbox that cannot be read, unless they are skipped.
    /// Effects that were applied before stay so
    /// \par Round trips
    /// One if nothing is pending. Else three, one more for each further page, and one for each effect; one more for
    /// each renewal of the lease, and for each effect while some of the partition are parked.
    template <class... Values>
    relay_report run_once(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_run_once(p, o));
    }
    template <class... Values>
    result<relay_report> try_run_once(partition_values<Values...> const& p, call_options const& o = {}) const {
        return run(run_once_call(p), o);
    }

    /// Applies the pending effects of all partitions.
    ///
    /// \return what was done, in total
    /// \throws error the first of those that `run_once` throws. A fault of one partition keeps nobody from the next:
    /// the sweep ends early only at the deadline, at a stop, without the table, or when the store has refused five
    /// partitions in a row
    /// \par Cost
    /// The store reads every row of the table to find the partitions with pending effects.
    relay_report sweep(call_options const& o = {}) const { return value_or_throw(try_sweep(o)); }
    result<relay_report> try_sweep(call_options const& o = {}) const { return run(sweep_call(), o); }

    /// Takes messages from the queue and works on their partitions, sweeps now and then, and sleeps in between, until
    /// the call's deadline or stop. Faults of the store are reported to the observer and tried again after a wait.
    ///
    /// \return what was done, in total
    relay_report run(call_options const& o) const { return value_or_throw(try_run(o)); }
    result<relay_report> try_run(call_options const& o) const { return run(run_call(), o); }

    /// Makes the parked effects of a partition pending again, in their old order and with no failed attempts.
    ///
    /// \return their number
    /// \throws error those of the store; `library_errc::too_many_conflicts` while a relay works on the partition
    /// \par Round trips
    /// Four, and two for each 49 effects; one more with a queue.
    template <class... Values>
    std::size_t put_back(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_put_back(p, o));
    }
    template <class... Values>
    result<std::size_t> try_put_back(partition_values<Values...> const& p, call_options const& o = {}) const {
        return run(put_back_call(p), o);
    }

    /// Makes the parked effects of all partitions pending again. With a queue, it takes the messages of the poison
    /// queue and puts back the effects of each partition that they name; it tells the relays of them by a message in
    /// the queue, and then deletes those of the poison queue. Messages of others stay there. Without a queue, it looks
    /// for parked effects as `sweep` looks for pending ones.
    ///
    /// If the call ends early, effects that it did not reach are still parked, and their messages appear again after at
    /// most 5 minutes.
    ///
    /// \return what was done; `messages_left` and `busy_partitions` say whether something is left
    /// \throws error those of the store. A fault of one partition is `put_back_report::last_failure` instead
    /// \par Round trips
    /// With a queue, one for each 32 messages and one more; for each partition five, and two for each 49 effects; one
    /// for each message. A call takes about 10,000 messages at most.
    /// \par Cost
    /// Without a queue, the store reads every row of the table.
    put_back_report put_back(call_options const& o = {}) const { return value_or_throw(try_put_back(o)); }
    result<put_back_report> try_put_back(call_options const& o = {}) const { return run(put_back_call(), o); }

private:
    friend detail::relay_internals;

    template <class... Handlers>
    static detail::relay_ptr make_core(outbox<T, Effects...> const& of, relay_options&& o, Handlers&&... handlers) {
        std::vector<detail::effect_handler> all;
        if constexpr ((detail::check_handler<Handlers, Effects...>() && ...) &&
                      (detail::check_is_handled<Effects, Handlers...>() && ...))
            (add_handler(all, detail::outbox_internals::place(of), std::move(handlers)), ...);
        value_or_throw(detail::check_options(o));
        return std::make_shared<detail::relay_core const>(
            detail::relay_core{detail::outbox_internals::place(of), std::move(o), std::move(all)});
    }

    template <class H>
    static void add_handler(std::vector<detail::effect_handler>& all, detail::outbox_place const& place, H&& h) {
        using maker = detail::handler_maker<T, H>;
        if constexpr (maker::check()) all.push_back(maker::make(place, std::move(h)));
    }

    template <class... Values>
    detail::relay_call<relay_report> run_once_call(partition_values<Values...> const& p) const {
        return {core_, "run_once", detail::relay_partitions(core_, detail::partitions_of<T>(p))};
    }
    detail::relay_call<relay_report> sweep_call() const { return {core_, "sweep", detail::relay_sweep(core_)}; }
    detail::relay_call<relay_report> run_call() const {
        return {core_, "run", detail::relay_effects_until_stopped(core_)};
    }
    template <class... Values>
    detail::relay_call<std::size_t> put_back_call(partition_values<Values...> const& p) const {
        return {core_, "put_back", detail::put_back_parked(core_, detail::partitions_of<T>(p))};
    }
    detail::relay_call<put_back_report> put_back_call() const {
        return {core_, "put_back", detail::put_back_all(core_)};
    }

    template <class V> static result<V> run(detail::relay_call<V> call, call_options const& o) {
        return detail::run(*call.store(), call, o);
    }

    detail::relay_ptr core_;
};

namespace detail {
/// The calls of a relay, for its asynchronous form.
struct relay_internals {
    template <class Relay, class Partition> static auto run_once(Relay const& r, Partition const& p) {
        return r.run_once_call(p);
    }
    template <class Relay> static auto sweep(Relay const& r) { return r.sweep_call(); }
    template <class Relay> static auto run(Relay const& r) { return r.run_call(); }
    template <class Relay, class... Partition> static auto put_back(Relay const& r, Partition const&... p) {
        return r.put_back_call(p...);
    }
};
}  // namespace detail

}  // namespace tablemap
