// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/read/find_many.hpp"
#include "tablemap/detail/write/commit.hpp"
#include "tablemap/detail/write/table_call.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/write/transaction.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// The parts that the blocking and the asynchronous form of one-to-one relations share.
namespace tablemap::inline v0_1 {

/// The two rows of a one-to-one relation, as they were read.
///
/// \par Thread safety
/// As of a plain struct.
template <class First, class Second> struct halves {
    std::optional<entity<First>> first{};
    std::optional<entity<Second>> second{};

    /// True if both rows are there.
    bool complete() const noexcept { return first && second; }
    /// True if neither is.
    bool empty() const noexcept { return !first && !second; }
};

namespace detail {

/// True if the row keys of two types are the same text for the same values.
template <class A, class B> constexpr bool have_one_row_key() {
    auto const& a = mapping<A>::row_key.layouts;
    auto const& b = mapping<B>::row_key.layouts;
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!look_alike(a[i], b[i])) return false;
    return true;
}

/// True if the end of a part can be found whatever follows it.
constexpr bool has_certain_end(part_layout const& p) {
    return p.kind == part_kind::literal || ends_itself(p) || p.form == part_form::escaped;
}

/// True if row keys of two types differ in a literal at one place: both have one there, or only the longer has one.
template <class A, class B> constexpr bool differ_in_a_literal() {
    auto const& a = mapping<A>::row_key.layouts;
    auto const& b = mapping<B>::row_key.layouts;
    std::size_t i = 0;
    while (i < a.size() && i < b.size() && look_alike(a[i], b[i]) && has_certain_end(a[i])) ++i;
    auto const has_literal = [i](auto const& parts) { return i < parts.size() && !parts[i].literal.empty(); };
    if (i == a.size()) return has_literal(b);
    if (i == b.size()) return has_literal(a);
    return has_literal(a) && has_literal(b) && !begin_alike(a[i].literal, b[i].literal);
}

/// True if discriminators keep rows of the one type from being read as the other.
template <class A, class B> constexpr bool are_told_by_discriminators() {
    constexpr auto a = discriminator_of<A>();
    constexpr auto b = discriminator_of<B>();
    if (a.property.empty() || b.property.empty()) return false;
    return a.property != b.property || (!are_confusable(a, b) && !are_confusable(b, a));
}

/// True if no row of the one type can be read as one of the other.
template <class A, class B> constexpr bool have_rows_apart() {
    return !begin_alike(leading_text<mapping<A>::row_key>, leading_text<mapping<B>::row_key>) ||
           differ_in_a_literal<A, B>() || are_told_by_discriminators<A, B>();
}

template <class First, class Second> constexpr bool check_row_pair() {
    if constexpr (check_entity_type<First>() && check_entity_type<Second>()) {
        constexpr bool together = have_one_partition_key<First, Second>();
        static_assert(
            together,
            "tablemap[P15]: the halves have different partition keys, so no one transaction writes both; give "
            "them the same parts, or write two tables one after the other");
        constexpr bool alike =
            std::is_same_v<typename key_of<First>::values_type, typename key_of<Second>::values_type>;
        static_assert(
            alike, "tablemap[P15]: the keys of the halves are made of different values, so the one does not tell the "
                   "other; put members of the same types into both, in the same order");
        constexpr bool apart = !have_one_row_key<First, Second>();
        static_assert(apart, "tablemap[P15]: both halves would have one row key; let the row keys differ in a literal: "
                             "key(\"public_\", ...) and key(\"payroll_\", ...)");
        constexpr bool distinct = !apart || have_rows_apart<First, Second>();
        static_assert(distinct,
                      "tablemap[P15]: a row of the one half could be read as one of the other, since its row key "
                      "may be that of another thing there; begin each row key with a literal of its own, let the "
                      "literals follow parts of a fixed width, or give each type a discriminator");
        constexpr bool indexes_apart = !can_meet_in_index<First, Second>() && !can_meet_in_index<Second, First>();
        static_assert(
            indexes_apart,
            "tablemap[P15]: a row of an index of the one half could have the key of a row of the other half, or "
            "of its indexes; begin the row keys of both, and the keys of their indexes, with literals of their own");
        return together && alike && apart && distinct && indexes_apart;
    }
    return false;
}

error row_pair_disagrees();

/// Checks that two values are halves of one thing.
///
/// \throws error those of making a key; `library_errc::invalid_key` if they are not
template <class First, class Second> result<void> check_same_key(First const& first, Second const& second) {
    auto const expected = [&]<auto... M>(member_list<M...>) { return key_of<Second>(first.*M...); }
    (key_members_of<First>{});
    entity_key a, b;
    if (auto r = encode_keys(expected, a.partition_key, a.row_key); !r) return r;
    if (auto r = encode_keys(second, b.partition_key, b.row_key); !r) return r;
    return a == b ? result<void>{} : failure{row_pair_disagrees()};
}

/// Reads both rows at once. The table's name and the cipher, which may be null, are borrowed.
template <class First, class Second>
task<result<halves<First, Second>>> find_pair(std::string_view table, result<std::vector<entity_key>> keys,
                                              property_cipher const* cipher) {
    if (!keys) co_return failure{std::move(keys).error()};
    auto answers = co_await read_points(table, *keys, 2);
    if (!answers) co_return failure{std::move(answers).error()};
    auto const decode_half = [&](response& answer, auto& to) -> result<void> {
        return answer.ok() ? decode_into(answer.body, to.emplace(), cipher) : result<void>{};
    };
    halves<First, Second> found;
    auto decoded = decode_half((*answers)[0], found.first);
    if (decoded) decoded = decode_half((*answers)[1], found.second);
    if (!decoded) co_return failure{std::move(decoded).error()};
    co_return found;
}

/// Writes both rows in one transaction, or fails with the fault that keeps them from being sent. The transaction
/// refreshes `value`, which is returned unless it is null.
template <class Value>
task<result<Value>> write_pair(std::shared_ptr<transaction_core> what, std::shared_ptr<Value> value,
                               result<void> fault) {
    if (!fault) co_return failure{fault.error().in("commit", what->table())};
    auto etags = co_await commit(what);
    if (!etags) co_return failure{std::move(etags).error()};
    if constexpr (std::is_void_v<Value>)
        co_return result<void>{};
    else
        co_return std::move(*value);
}

/// Makes the operations of a one-to-one relation.
template <class First, class Second> class row_pair_operations {
    static_assert(check_row_pair<First, Second>());

public:
    using both = halves<First, Second>;

    row_pair_operations(store_ptr s, std::string table, table_options const& o)
        : state_(make_table_state(std::move(s), std::move(table), o, types)) {}

    table_state const& state() const noexcept { return *state_; }

    auto find(key_of<First> const& key) const {
        result<std::vector<entity_key>> keys{2};
        auto made = encode_keys(key, (*keys)[0].partition_key, (*keys)[0].row_key);
        auto const other = std::apply([](auto const&... v) { return key_of<Second>(v...); }, key.values());
        if (made) made = encode_keys(other, (*keys)[1].partition_key, (*keys)[1].row_key);
        if (!made) keys = failure{std::move(made).error()};
        auto finding = find_pair<First, Second>(state_->name, std::move(keys), state_->cipher.get());
        return table_call<both>{state_, "find", std::move(finding)};
    }

    auto insert(First first, Second second, call_options const& o) const {
        auto to = std::make_shared<both>();
        to->first.emplace().value = std::move(first);
        to->second.emplace().value = std::move(second);
        auto t = transaction(o);
        t.insert(*to->first);
        t.insert(*to->second);
        auto made = check_same_key(to->first->value, to->second->value);
        auto const& core = transaction_access::core(t);
        return transaction_call<both>{core, write_pair(core, std::move(to), std::move(made))};
    }

    auto replace(both& h, call_options const& o) const {
        auto t = transaction(o);
        if (h.first) t.replace(*h.first);
        if (h.second) t.replace(*h.second);
        auto const& core = transaction_access::core(t);
        return transaction_call<void>{core, write_pair<void>(core, nullptr, check(h))};
    }

    auto erase(both const& h, call_options const& o) const {
        auto t = transaction(o);
        if (h.first) t.erase(*h.first);
        if (h.second) t.erase(*h.second);
        auto const& core = transaction_access::core(t);
        return transaction_call<void>{core, write_pair<void>(core, nullptr, check(h))};
    }

    tablemap::transaction transaction(call_options const& o) const {
        return transaction_access::begin(state_, o.clock ? *o.clock : clock::system());
    }

private:
    static constexpr std::array<row_type const*, 2> types{&row_type_of<First>, &row_type_of<Second>};

    static result<void> check(both const& h) {
        return h.complete() ? check_same_key(h.first->value, h.second->value) : result<void>{};
    }

    std::shared_ptr<table_state const> state_;
};

}  // namespace detail
}  // namespace tablemap
