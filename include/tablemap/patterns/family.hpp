// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/relation_rules.hpp"
#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/write/operations.hpp"

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
std::optional<filter::expression> family_filter(std::span<row_type const* const> types);

/// Checks that the store can read families.
///
/// \throws error `library_errc::unsupported`, with the action, on a store that answers in no order
result<void> check_families(table_state const& t, std::string_view action);

/// True for a row that is of none of these types, which may share the partition.
bool is_of_another_type(bad_row const& row, std::span<row_type const* const> types);

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

/// The state of reading a range of families. Shared with an operation that is under way.
template <class Parent, class... Children> struct family_state {
    using row = std::variant<Parent, Children...>;

    std::string_view action;  ///< static text
    std::shared_ptr<query_state> rows;
    std::optional<family_place> only{};   ///< other rows are passed over
    std::optional<family_place> place{};  ///< of the family at hand, once it has a row
    family<Parent, Children...> at_hand{};
    bool complete = false;
    std::optional<entity<row>> next{};  ///< the first row of the next family
    bool begun = false;
    bool failed = false;  ///< the next loop goes on

    void begin_again() {
        if (!begun || failed) return;
        take_family();
        next.reset();
        rows = rows->again();
    }

    /// Forgets the family at hand.
    family<Parent, Children...> take_family() {
        complete = false;
        place.reset();
        return std::exchange(at_hand, {});
    }

    /// Takes the next row of the pages at hand, as `query_state::take`.
    result<bool> take_row() {
        rows->set_current(nullptr);
        while (!rows->pages().needs_page()) {
            auto const found = rows->pages().pop();
            if (found.bad && is_of_another_type(*found.bad, row_types<row>::list)) continue;
            if (found.bad && rows->policy().skips(*found.bad)) continue;
            if (found.bad) return failure{found.bad->error};
            rows->set_current(found.good);
            return true;
        }
        return false;
    }

    /// Adds a row to the family at hand, or completes that family and keeps the row for the next one.
    ///
    /// \throws error those of making a key
    result<void> add(entity<row>& e) {
        family_place its;
        auto const found = std::visit([&](auto const& value) { return find_place<Parent>(its, value); }, e.value);
        if (!found) return found;
        if (only && its != *only) return {};
        if (place && its != *place) {
            next = std::move(e);
            complete = true;
            return {};
        }
        place = std::move(its);
        std::visit([&](auto& value) { put(value, e); }, e.value);
        return {};
    }

private:
    template <class T> void put(T& value, entity<row>& e) {
        entity<T> one{std::move(value), std::move(e.etag), e.timestamp, e.outdated};
        if constexpr (std::is_same_v<T, Parent>)
            at_hand.parent = std::move(one);
        else
            at_hand.template children<T>().push_back(std::move(one));
    }
};

/// Reads on to the end of a family; yields true if there is one. After a failure the next run goes on where it ended.
template <class Parent, class... Children> class family_operation {
public:
    using value_type = bool;

    explicit family_operation(std::shared_ptr<family_state<Parent, Children...>> s) : s_(std::move(s)) {}

    step start(environment const& env) {
        s_->begun = s_->failed = true;
        if (s_->complete) return step::done();
        if (auto r = s_->rows->open(); !r) return fail_with(std::move(r).error());
        if (s_->next) {
            auto first = *std::exchange(s_->next, std::nullopt);
            if (auto r = s_->add(first); !r) return fail_with(std::move(r).error());
        }
        return gather(env);
    }

    step resume(environment const& env, std::span<response> answers) {
        auto const next = s_->rows->pages().resume(env, answers);
        if (next.what() != step::kind::done) return next;
        auto const more = s_->rows->pages().take();
        return more ? gather(env) : fail_with(more.error());
    }

    result<bool> take() {
        if (fault_) return failure{fault_->in(s_->action, label().table)};
        s_->failed = false;
        return s_->place.has_value();
    }
    operation_label label() const noexcept { return {s_->action, s_->rows->label().table}; }

private:
    step gather(environment const& env) {
        while (!s_->complete) {
            auto const there = s_->take_row();
            if (!there) return fail_with(there.error());
            if (!*there) return s_->rows->pages().start(env);
            auto* const e = current_of<std::variant<Parent, Children...>>(*s_->rows);
            if (!e) break;
            if (auto r = s_->add(*e); !r) return fail_with(std::move(r).error());
        }
        s_->complete = s_->place.has_value();
        return step::done();
    }
    step fail_with(error const& e) {
        fault_ = e;
        return step::done();
    }

    std::shared_ptr<family_state<Parent, Children...>> s_;
    std::optional<error> fault_{};
};

}  // namespace detail
}  // namespace tablemap
