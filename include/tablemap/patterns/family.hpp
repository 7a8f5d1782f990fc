// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/patterns/relation_rules.hpp"
#include "tablemap/detail/read/query_call.hpp"
#include "tablemap/detail/read/read_rows.hpp"
#include "tablemap/detail/write/single_request.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::inline v0_1 {

/// A parent and its children, as they were read. Children without a parent and parents without children are families
/// too.
///
/// \par Thread safety
/// As of a plain struct.
template <class Parent, class... Children> struct family {
    std::optional<entity<Parent>> parent{};
    std::tuple<std::vector<entity<Children>>...> all_children{};

    /// The children of one type, in key order: `children<employee>()`; `children()` are those of the first type.
    template <class Child = std::tuple_element_t<0, std::tuple<Children...>>>
    std::vector<entity<Child>>& children() & noexcept {
        return std::get<std::vector<entity<Child>>>(all_children);
    }
    template <class Child = std::tuple_element_t<0, std::tuple<Children...>>>
    std::vector<entity<Child>> const& children() const& noexcept {
        return std::get<std::vector<entity<Child>>>(all_children);
    }
    template <class Child = std::tuple_element_t<0, std::tuple<Children...>>> std::vector<entity<Child>> children() && {
        return std::get<std::vector<entity<Child>>>(std::move(all_children));
    }

    /// True if there is neither a parent nor a child.
    bool empty() const noexcept {
        return !parent && std::apply([](auto const&... list) { return (list.empty() && ...); }, all_children);
    }
};

namespace detail {

// ---- ranges of rows -------------------------------------------------------------------------------------------------

/// The range of all keys that begin with one of these texts, and of what lies between.
key_range covering(std::span<std::string_view const> prefixes);

/// The range of a parent's row key and of all row keys that begin with it.
key_range continuing(std::string row_key, bool escaped);

/// Widens a range so that it holds another one too.
void widen(key_range& range, key_range other);

/// The filter that leaves rows of other types out of a query; nothing if the keys do so.
std::optional<filter::expression> family_filter(static_list<row_type const*> types);

/// Checks that the store can read families.
///
/// \throws error `library_errc::unsupported`, with the action, on a store that answers in no order
result<void> check_families(table_state const& t, std::string_view action);

// ---- the family of a row --------------------------------------------------------------------------------------------

/// The place of a family: its partition, and the row key that its parent has, or would have.
struct family_place {
    std::string partition_key{}, row_key{};

    friend bool operator==(family_place const&, family_place const&) = default;
};

template <class Parent, class T> result<void> find_place(family_place& out, T const& value) {
    static constexpr auto const& wanted = mapping<Parent>::row_key;
    auto const get = [&]<auto M>(member_part<M> const&)->auto const& { return value.*M; };
    if (auto r = make_key(out.partition_key, mapping<T>::partition_key, get); !r) return r;
    constexpr auto count = wanted.layouts.size();
    std::array<void const*, count> members{};
    if constexpr (!has_constant_row_key<Parent>()) [&]<std::size_t... I>(std::index_sequence<I...>) {
            (..., (members[I] = address_of_part<part_at<mapping<T>::row_key, I>>(get)));
        }
    (std::make_index_sequence<count>{});
    return make_key_text(out.row_key, wanted.layouts, members.data());
}

// ---- reading --------------------------------------------------------------------------------------------------------

/// The state of reading a range of families that does not depend on their types. Shared with a call that is under way.
class family_reading : public row_taker {
public:
    family_reading(std::string_view does, std::shared_ptr<query_state> query, std::optional<family_place> one)
        : action(does), rows(std::move(query)), only(std::move(one)) {}

    /// Takes the next row of the pages at hand, as `query_state::take`; rows of other types are passed over.
    static result<bool> take_row(query_state& from, static_list<row_type const*> types);

    std::string_view action;  ///< static text
    std::shared_ptr<query_state> rows;
    std::optional<family_place> only;     ///< other rows are passed over
    std::optional<family_place> place{};  ///< of the family at hand, once it has a row
    bool complete = false;
    bool begun = false;
    bool failed = false;  ///< the next loop goes on

protected:
    ~family_reading() = default;
};

/// Reads on to the end of a family; yields true if there is one. After a failure the next run goes on where it ended.
/// The state is borrowed.
task<result<bool>> read_family(family_reading& reading);

inline query_call<bool> family_call(family_reading& reading) {
    return {reading.rows, reading.action, read_family(reading)};
}

template <class Parent, class... Children> class family_state final : public family_reading {
public:
    using row = std::variant<Parent, Children...>;

    using family_reading::family_reading;

    void begin_again() {
        if (!begun || failed) return;
        take_family();
        next_.reset();
        rows = rows->again();
    }

    /// Forgets the family at hand.
    family<Parent, Children...> take_family() {
        complete = false;
        place.reset();
        return std::exchange(at_hand, {});
    }

    /// Takes rows into the family at hand, until one of the next family shows that it is complete.
    result<bool> take(query_state& from) override {
        if (next_) {
            auto first = *std::exchange(next_, std::nullopt);
            if (auto r = add(first); !r) return failure{std::move(r).error()};
        }
        while (!complete) {
            auto const there = take_row(from, row_types<row>::list);
            if (!there || !*there) return there;
            auto* const e = current_of<row>(from);
            if (!e) break;
            if (auto r = add(*e); !r) return failure{std::move(r).error()};
        }
        complete = place.has_value();
        return true;
    }

    family<Parent, Children...> at_hand{};

private:
    /// Adds a row to the family at hand, or completes that family and keeps the row for the next one.
    ///
    /// \throws error those of making a key
    result<void> add(entity<row>& e) {
        family_place its;
        auto const found = std::visit([&](auto const& value) { return find_place<Parent>(its, value); }, e.value);
        if (!found) return found;
        if (only && its != *only) return {};
        if (place && its != *place) {
            next_ = std::move(e);
            complete = true;
            return {};
        }
        place = std::move(its);
        std::visit([&](auto& value) { put(value, e); }, e.value);
        return {};
    }

    template <class T> void put(T& value, entity<row>& e) {
        entity<T> one{std::move(value), std::move(e.etag), e.timestamp, e.outdated};
        if constexpr (std::is_same_v<T, Parent>)
            at_hand.parent = std::move(one);
        else
            at_hand.template children<T>().push_back(std::move(one));
    }

    std::optional<entity<row>> next_{};  ///< the first row of the next family
};

/// The family that comes next, if there is one.
template <class Parent, class... Children>
task<result<std::optional<family<Parent, Children...>>>>
next_family(std::shared_ptr<family_state<Parent, Children...>> s) {
    auto const more = co_await read_family(*s);
    if (!more) co_return failure{more.error()};
    if (!*more) co_return std::nullopt;
    co_return s->take_family();
}

/// The one family of a query; empty if no row is there.
template <class Parent, class... Children>
task<result<family<Parent, Children...>>> one_family(result<std::shared_ptr<family_state<Parent, Children...>>> s) {
    if (!s) co_return failure{s.error()};
    auto const read = co_await read_family(**s);
    if (!read) co_return failure{read.error()};
    co_return (*s)->take_family();
}

}  // namespace detail
}  // namespace tablemap
