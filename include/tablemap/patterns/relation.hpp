// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/patterns/family.hpp"
#include "tablemap/table/table.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::inline v0_1 {

template <class, class...> class async_family_range;
template <class, class...> class async_relation;

/// The families that a query finds, in key order: an input range and a view, made by `relation::query`. It holds one
/// page and one family in memory. Families may be moved from.
///
/// `begin` and `++` throw errors; `try_next` returns them. After an error of the store reading goes on where it ended.
/// After the error of a row it goes on behind that row, and the family lacks it.
///
/// \par Round trips
/// One for each page of at most 1,000 rows.
/// \par Thread safety
/// One thread at a time.
/// \par Lifetime
/// It keeps its store alive.
template <class Parent, class... Children> class family_range {
    using state = detail::family_state<Parent, Children...>;

public:
    using value_type = family<Parent, Children...>;

    class iterator {
    public:
        using value_type = family<Parent, Children...>;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() = default;
        value_type& operator*() const { return state_->at_hand; }
        value_type* operator->() const { return &state_->at_hand; }
        iterator& operator++() {
            state_->take_family();
            read_on();
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(iterator const& i, std::default_sentinel_t) { return !i.state_ || !i.state_->complete; }

    private:
        friend family_range;
        explicit iterator(std::shared_ptr<state> s) : state_(std::move(s)) {}
        void read_on() const {
            auto& rows = *state_->rows;
            value_or_throw(detail::run(rows.store(), detail::family_call(*state_), rows.options()));
        }

        std::shared_ptr<state> state_{};
    };

    explicit family_range(std::shared_ptr<state> s) : state_(std::move(s)) {}
    family_range(family_range&&) noexcept = default;  // moved, not copied
    family_range& operator=(family_range&&) noexcept = default;

    /// Pages of at most so many rows, 1 to 1,000.
    [[nodiscard]] family_range page_size(std::size_t rows) const {
        return with([&](auto& q) { q.page_size(rows); });
    }

    /// Sets the policy for rows of the family's types that cannot be read; without it they are errors.
    [[nodiscard]] family_range on_error(bad_row_policy policy) const {
        return with([&](auto& q) { q.on_error(std::move(policy)); });
    }

    /// Begins with the first family, also when it is called again; after an error, goes on behind the families taken.
    ///
    /// \throws error those of the store; those of a row that cannot be read
    iterator begin() {
        state_->begin_again();
        iterator i{state_};
        i.read_on();
        return i;
    }
    std::default_sentinel_t end() const noexcept { return {}; }

    /// The next family, or nothing at the end, or an error that `begin` would throw.
    result<std::optional<value_type>> try_next() {
        auto& rows = *state_->rows;
        auto const more = detail::run(rows.store(), detail::family_call(*state_), rows.options());
        if (!more) return failure{more.error()};
        return *more ? std::optional{state_->take_family()} : std::nullopt;
    }

private:
    template <class, class...> friend class async_family_range;

    /// The same query, narrowed, of which nothing was read yet.
    template <class Change> family_range with(Change change) const {
        auto rows = state_->rows->again();
        change(*rows);
        return family_range{std::make_shared<state>(state_->action, std::move(rows), state_->only)};
    }

    std::shared_ptr<state> state_;
};

/// Parents and children whose rows lie together in one partition of a table, read by one range query.
///
///     tmap::relation<department, employee> const company{store, "Company"};
///     auto sales = company.find("Sales");                     // one request
///     if (sales.parent) use(sales.parent->value, sales.children());
///     for (auto& f : company.query(tmap::partition("Sales"))) use(f);
///
/// Parent and children have the same partition key. Either the parent's row key is constant, and all children in the
/// partition belong to it, or the row key of every child begins with its parent's row key:
/// `key("empid_", part<&employee::id>.width(6))` and
/// `key("empid_", part<&review::id>.width(6), "_", part<&review::year>.width(4))`. The types are told apart as those of
/// a `std::variant`. Rows of other types in between are passed over.
///
/// Rows are written through `table<Parent>`, `table<Child>` and `transaction()`.
///
/// \par Thread safety
/// As `table<T>`.
template <class Parent, class... Children> class relation {
    static_assert(detail::check_relation<Parent, Children...>());

    using row = std::variant<Parent, Children...>;
    using state = detail::family_state<Parent, Children...>;

public:
    using family_type = family<Parent, Children...>;
    using range_type = family_range<Parent, Children...>;

    /// Names a table in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error as the constructor of `table<T>`
    relation(store_ptr s, std::string table, table_options options = {})
        : operations_(std::move(s), std::move(table), options) {}

    std::string const& name() const& noexcept { return operations_.state().name; }
    std::string name() const&& { return operations_.state().name; }

    /// The family whose parent has this key, or would have it: `find("Sales")`, `find({"Sales", 212}, options)`. It is
    /// empty if no row is there.
    ///
    /// \throws error `library_errc::type_mismatch`, `unreadable_key` if a row cannot be read
    /// \par Round trips
    /// One for each 1,000 rows.
    family_type find(key_of<Parent> const& key, call_options const& o = {}) const {
        return value_or_throw(try_find(key, o));
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<Parent>, Arguments...> family_type find(Arguments&&... values)
    const {
        return detail::with_key<key_of<Parent>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }
    result<family_type> try_find(key_of<Parent> const& key, call_options const& o = {}) const {
        auto const s = state_of(key, o);
        if (!s) return failure{s.error()};
        return detail::run(*operations_.state().store, one_call(s), o);
    }
    template <class... Arguments>
    requires detail::key_in_values<key_of<Parent>, Arguments...> result<family_type> try_find(Arguments&&... values)
    const {
        return detail::with_key<key_of<Parent>>(
            [&](auto const& key, auto&&... rest) -> decltype(auto) {
                return try_find(key, std::forward<decltype(rest)>(rest)...);
            },
            std::forward<Arguments>(values)...);
    }

    /// The families of a partition or of a list of partitions; if the row key tells the parents, also of a range of
    /// these: `query(partition("Sales"), row_range(200, 300))`. Nothing is sent yet; `o` holds for the whole iteration.
    ///
    /// \throws error that of a key that cannot be made; `library_errc::unsupported` on a store that answers in no order
    template <class Partitions> range_type query(Partitions const& p, call_options o = {}) const {
        return value_or_throw(try_query(p, std::move(o)));
    }
    template <class Partitions>
    range_type query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        return value_or_throw(try_query(p, rows, std::move(o)));
    }
    template <class Partitions> result<range_type> try_query(Partitions const& p, call_options o = {}) const {
        if constexpr (detail::check_partitions<Partitions>())
            return range_of("query", operations_.keys_of(p, leading()), all_rows(), std::move(o));
    }
    template <class Partitions>
    result<range_type> try_query(Partitions const& p, row_selection auto const& rows, call_options o = {}) const {
        if constexpr (detail::check_partitions<Partitions>()) {
            detail::query_keys parents;
            auto made = detail::encode_rows<Parent>(parents, rows);
            static_cast<void>((... && (made = made ? widen<Children>(parents.rows, rows) : made)));
            if (!made) return failure{made.error().in("query", name())};
            return range_of("query", operations_.keys_of(p, leading()), std::move(parents.rows), std::move(o));
        }
    }

    /// All families of the table.
    ///
    /// \throws error as `query`
    /// \par Cost
    /// The store reads every row.
    range_type scan(call_options o = {}) const { return value_or_throw(try_scan(std::move(o))); }
    result<range_type> try_scan(call_options o = {}) const {
        return range_of("scan", detail::query_keys{}, all_rows(), std::move(o));
    }

    /// An empty group transaction of the table, with its options. Nothing is sent.
    tablemap::transaction transaction() const {
        return detail::transaction_access::begin(operations_.shared_state(), clock::system());
    }

private:
    template <class, class...> friend class async_relation;

    detail::table_call<family_type> one_call(result<std::shared_ptr<state>> s) const {
        return {operations_.shared_state(), "find", detail::one_family(std::move(s))};
    }

    static detail::key_range all_rows() {
        static constexpr std::array<std::string_view, 1 + sizeof...(Children)> prefixes{
            detail::leading_text<mapping<Parent>::row_key>, detail::leading_text<mapping<Children>::row_key>...};
        return detail::covering(prefixes);
    }

    // A range [from, to) ends before the parent `to`, so all children of the parents in it lie in it already.
    template <class Child> static result<void> widen(detail::key_range& range, row_selection auto const& rows) {
        if constexpr (std::remove_cvref_t<decltype(rows)>::kind == detail::selection_kind::range) return {};
        detail::query_keys children;
        auto made = detail::encode_rows<Child>(children, rows);
        if (made) detail::widen(range, std::move(children.rows));
        return made;
    }

    std::shared_ptr<state> make_state(std::string_view action, detail::query_keys keys, call_options o) const {
        auto rows = detail::make_query(operations_.state(), std::move(keys), std::move(o), detail::entity_rows<row>);
        if (auto types = detail::family_filter(detail::row_types<row>::list)) rows->restrict(*std::move(types));
        return std::make_shared<state>(action, std::move(rows), std::nullopt);
    }

    result<std::shared_ptr<state>> state_of(key_of<Parent> const& key, call_options o) const {
        detail::family_place place;
        if (auto r = detail::encode_keys(key, place.partition_key, place.row_key); !r)
            return failure{std::move(r).error().in("find", name())};
        detail::query_keys keys;
        keys.partitions.push_back(place.partition_key);
        if constexpr (detail::has_constant_row_key<Parent>())
            keys.rows = all_rows();
        else
            keys.rows = detail::continuing(place.row_key, detail::ends_in_escaped_text<Parent>());
        auto s = make_state("find", std::move(keys), std::move(o));
        s->only = std::move(place);
        return s;
    }

    result<range_type> range_of(std::string_view action, result<detail::query_keys> keys, detail::key_range rows,
                                call_options o) const {
        if (!keys) return failure{std::move(keys).error()};
        if (auto r = detail::check_families(operations_.state(), action); !r) return failure{std::move(r).error()};
        keys->rows = std::move(rows);
        return range_type{make_state(action, *std::move(keys), std::move(o))};
    }

    detail::table_operations<row> operations_;
};

}  // namespace tablemap

template <class Parent, class... Children>
inline constexpr bool std::ranges::enable_view<tablemap::family_range<Parent, Children...>> = true;
