// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/elsewhere_look_up.hpp"
#include "tablemap/detail/store/task_run.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/table/table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace detail {

struct index_elsewhere_internals;

template <class T, fixed_string Name> constexpr bool check_elsewhere_name() {
    constexpr bool found = find_elsewhere<T, Name>() < count_elsewhere<T>();
    static_assert(found, "tablemap[P3]: the mapping of this type declares no index_in of this name; name one of "
                         "static constexpr auto indexes = tablemap::indexes(...)");
    if constexpr (found) {
        constexpr bool expiry = is_expiry_index<T, find_elsewhere<T, Name>()>;
        static_assert(!expiry, "tablemap[P16]: nothing is looked up in an index of expiry times; an expiry_sweeper "
                               "reads it");
        return !expiry;
    }
    return found;
}

}  // namespace detail

/// Reads by an index of T in another partition or table.
///
///     tablemap::index_elsewhere<employee, "by_email"> by_email{employees};
///     for (auto& e : by_email.find_all(tablemap::partition("donh@contoso.com"))) use(e.value);
///
/// The index is eventually consistent: an entity that was written just now is found once an `index_relay` has carried
/// out its intent. `async_index_elsewhere` has the same operations for callers that do not block.
///
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// It shares the store, which it keeps alive, not the table.
template <class T, detail::fixed_string Name> class index_elsewhere {
    static constexpr bool is_declared = detail::check_elsewhere_name<T, Name>();
    static constexpr std::size_t number = detail::find_elsewhere<T, Name>();

public:
    /// \throws error `library_errc::invalid_table_name`
    explicit index_elsewhere(table<T> const& of) {
        auto const& entities = detail::table_internals::shared_state(of);
        place_ = {entities, entities};
        if constexpr (is_declared) {
            std::string name{detail::elsewhere_rule_of<T, number>::table};
            if (!name.empty())
                place_.rows = detail::make_table_state(entities->store, std::move(name),
                                                       detail::options_used_by(*entities), detail::row_types_of<T>());
        }
    }

    /// Reads whole entities with their etags, in the order of the index: `find_all(partition("donh@contoso.com"))`. The
    /// arguments are the values of the index's partition key and, if rows are selected, of the members of its row key:
    /// `find_all(partition("H"), starting_with("Ha"))`. Each entity is read itself, and left out unless it has the row
    /// that led to it: what is returned is what was stored at the time of that read.
    ///
    /// \throws error those of `table<T>::query`; those of a row of the index, or of an entity, that cannot be read
    /// \par Round trips
    /// One for each page of the index's rows, and one for each row, 16 at once.
    template <class... Values>
    std::vector<entity<T>> find_all(partition_values<Values...> const& p, call_options const& o = {}) const {
        return value_or_throw(try_find_all(p, leading(), o));
    }
    template <class... Values>
    std::vector<entity<T>> find_all(partition_values<Values...> const& p, row_selection auto const& rows,
                                    call_options const& o = {}) const {
        return value_or_throw(try_find_all(p, rows, o));
    }
    template <class... Values>
    result<std::vector<entity<T>>> try_find_all(partition_values<Values...> const& p,
                                                call_options const& o = {}) const {
        return try_find_all(p, leading(), o);
    }
    template <class... Values>
    result<std::vector<entity<T>>> try_find_all(partition_values<Values...> const& p, row_selection auto const& rows,
                                                call_options const& o = {}) const {
        if constexpr (is_declared) return detail::run(*place_.entities->store, find_all_call(p, rows), o);
    }

    /// As `find_all`, for one page of the index: `find_page(partition("H"), {.top = 100})`, and from then on
    /// `find_page(partition("H"), {.from = *page.next, .top = 100})`. An entity that changes between two pages may be
    /// returned by both or by none, as by any query.
    ///
    /// \return at most `top` entities: fewer, or none, if rows of the index are out of date; `next` tells whether there
    /// may be more
    /// \throws error as `find_all`; `library_errc::invalid_cursor` for a place of another look-up;
    /// `service_errc::out_of_range_input` if `top` is not 1 to 1,000
    /// \par Round trips
    /// One for the page of the index's rows, and one for each row, 16 at once.
    template <class... Values>
    entity_page<T> find_page(partition_values<Values...> const& p, page_selection const& which,
                             call_options const& o = {}) const {
        return value_or_throw(try_find_page(p, leading(), which, o));
    }
    template <class... Values>
    entity_page<T> find_page(partition_values<Values...> const& p, row_selection auto const& rows,
                             page_selection const& which, call_options const& o = {}) const {
        return value_or_throw(try_find_page(p, rows, which, o));
    }
    template <class... Values>
    result<entity_page<T>> try_find_page(partition_values<Values...> const& p, page_selection const& which,
                                         call_options const& o = {}) const {
        return try_find_page(p, leading(), which, o);
    }
    template <class... Values>
    result<entity_page<T>> try_find_page(partition_values<Values...> const& p, row_selection auto const& rows,
                                         page_selection const& which, call_options const& o = {}) const {
        if constexpr (is_declared) return detail::run(*place_.entities->store, find_page_call(p, rows, which), o);
    }

    /// Selects the rows of the index as they are, which are copies of entities. A copy may be older than its entity, or
    /// outlive it, until a relay has come: use it where that does no harm. The entities themselves are not read.
    ///
    /// \return a range as that of `table<T>::query_by`; its entities have no etag
    template <class... Values> auto copies(partition_values<Values...> const& p, call_options o = {}) const {
        return copies(p, leading(), std::move(o));
    }
    template <class... Values>
    auto copies(partition_values<Values...> const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (is_declared) {
            auto keys = value_or_throw(detail::keys_elsewhere<T, number>(p, rows));
            return detail::table_internals::range<query_range<T, detail::copy_elsewhere<T, number>>>(
                detail::make_query(*place_.rows, std::move(keys), std::move(o), detail::elsewhere_rows<T, number>));
        }
    }

private:
    friend detail::index_elsewhere_internals;

    template <class... Values>
    auto find_all_call(partition_values<Values...> const& p, row_selection auto const& rows) const {
        auto first = detail::find_all_elsewhere<T, number>(place_, detail::keys_elsewhere<T, number>(p, rows));
        return detail::table_call<std::vector<entity<T>>>{place_.entities, "find_all", std::move(first)};
    }
    template <class... Values>
    auto find_page_call(partition_values<Values...> const& p, row_selection auto const& rows,
                        page_selection const& which) const {
        auto first = detail::find_page_elsewhere<T, number>(place_, detail::keys_elsewhere<T, number>(p, rows), which);
        return detail::table_call<entity_page<T>>{place_.entities, "find_page", std::move(first)};
    }

    detail::elsewhere_place place_{};
};

namespace detail {
/// The calls of an index elsewhere, for its asynchronous form.
struct index_elsewhere_internals {
    template <class Index, class... Arguments> static auto find_all(Index const& i, Arguments const&... a) {
        return i.find_all_call(a...);
    }
    template <class Index, class... Arguments> static auto find_page(Index const& i, Arguments const&... a) {
        return i.find_page_call(a...);
    }
};
}  // namespace detail

}  // namespace tablemap
