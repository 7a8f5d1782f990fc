// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/store/modify.hpp"
#include "tablemap/store/options.hpp"

#include <concepts>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1 {

namespace detail {

/// The waits between the tries of a function that meets conflicts.
class conflict_loop {
public:
    /// The call's options are borrowed.
    conflict_loop(modify_options const& m, call_options const& o) : env_(o), options_(m) { begin(); }

    void begin() { began_ = env_.now(); }

    /// Waits after a try that failed and returns nothing, or returns the error with which to end.
    std::optional<error> end_after(error const& failed);

private:
    environment env_;
    modify_options options_;
    time_point began_{};
    int tries_ = 0;
};

template <class R>
concept any_result = requires {
    requires std::same_as<typename R::error_type, error>;
};

}  // namespace detail

/// Calls a function that reads, changes and writes entities, in a transaction or otherwise. If the write meets a
/// conflict, `service_errc::update_condition_not_satisfied`, nothing was applied, and the function is called again
/// after a jittered wait. Any other exception ends it, a write in doubt as well.
///
///     tmap::retry_on_conflict([&] {
///         auto sales = *departments.find("Sales");    // inside, from the primary: the newest version
///         ++sales.value.people;
///         auto hire = employees.transaction();
///         hire.insert(don);
///         hire.merge(sales, tmap::only<&department::people>);
///         return hire.commit();
///     });
///
/// Deadline, stop token and clock of `o` are those of the waits: pass the options to the calls inside as well.
///
/// \return the result of the function
/// \throws error those of the function; `library_errc::too_many_conflicts` after as many tries as `m` allows,
/// `deadline_exceeded`, `cancelled`
template <std::invocable Function>
std::invoke_result_t<Function&> retry_on_conflict(Function&& f, modify_options const& m, call_options const& o = {}) {
    static_assert(!detail::any_result<std::invoke_result_t<Function&>>,
                  "tablemap[W10]: this function returns a result, whose error would pass for success here; call "
                  "try_retry_on_conflict");
    for (detail::conflict_loop loop{m, o};; loop.begin()) {
        std::optional<error> failed;
        try {
            return std::invoke(f);
        } catch (error const& e) {
            if (!detail::is_conflict(e)) throw;
            failed = e;
        }
        if (auto const end = loop.end_after(*failed)) throw *end;
    }
}
template <std::invocable Function>
std::invoke_result_t<Function&> retry_on_conflict(Function&& f, call_options const& o = {}) {
    return retry_on_conflict(std::forward<Function>(f), modify_options{}, o);
}

/// The same for a function that returns a `result`.
template <std::invocable Function>
std::invoke_result_t<Function&> try_retry_on_conflict(Function&& f, modify_options const& m,
                                                      call_options const& o = {}) {
    static_assert(
        detail::any_result<std::invoke_result_t<Function&>>,
        "tablemap[W10]: try_retry_on_conflict takes a function that returns a result, as the try_ forms of writes "
        "do; for one that throws call retry_on_conflict");
    for (detail::conflict_loop loop{m, o};; loop.begin()) {
        auto r = std::invoke(f);
        if (r) return r;
        if (auto end = loop.end_after(r.error())) return failure{*std::move(end)};
    }
}
template <std::invocable Function>
std::invoke_result_t<Function&> try_retry_on_conflict(Function&& f, call_options const& o = {}) {
    return try_retry_on_conflict(std::forward<Function>(f), modify_options{}, o);
}

}  // namespace tablemap
