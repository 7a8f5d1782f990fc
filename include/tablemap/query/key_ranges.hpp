// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/key_of.hpp"
#include "tablemap/store/request.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tablemap {

/// One partition by the values of its key's members. Made by `partition(…)`.
template <class... Values> struct partition_values { std::tuple<Values...> values; };

/// The partition that a query reads: one value for each member of the partition key, none for a constant key.
template <class... Values> auto partition(Values&&... values) {
    return partition_values<std::decay_t<Values>...>{{std::forward<Values>(values)...}};
}

/// Row keys from one value of their first member up to, not including, another. Made by `row_range(from, to)`.
template <class From, class To> struct row_key_range {
    From from;
    To to;
};

/// The rows whose row key's first member lies in [from, to). That member must sort in keys as its values do: a guid, a number
/// with a width (then the bounds may be any numbers), or text in the last place.
template <class From, class To> auto row_range(From&& from, To&& to) {
    return row_key_range<std::decay_t<From>, std::decay_t<To>>{std::forward<From>(from), std::forward<To>(to)};
}

namespace detail {

/// Keys that a query's bounds point into.
struct query_keys {
    std::string partition{};
    std::string row_from{};
    std::optional<std::string> row_to{};
    bool one_row = false;  ///< `row_from` is the only one

    key_bounds partition_bounds() const noexcept { return key_bounds::exactly(partition); }
    key_bounds row_bounds() const noexcept {
        if (one_row) return key_bounds::exactly(row_from);
        key_bounds b;
        if (!row_from.empty()) b.from = row_from;
        if (row_to) b.to = *row_to;
        return b;
    }
};

/// Bounds for all rows of a T in a partition: where T's row key begins with a literal, rows of other types that share the
/// partition are none of them.
template <class T> void encode_all_rows(query_keys& out) {
    std::apply(
        [&](auto const&... parts) {
            bool leading = true;
            (..., [&] {
                if constexpr (is_member_part<std::remove_cvref_t<decltype(parts)>>)
                    leading = false;
                else if (leading)
                    out.row_from += parts.view();
            }());
        },
        mapping<T>::row_key.parts);
    out.one_row = [&]<class... Parts>(key_template<Parts...> const&) {
        return !(is_member_part<Parts> || ...);
    }(mapping<T>::row_key);
    if (!out.one_row) out.row_to = end_of_prefix(out.row_from);
}

template <class... Parts> constexpr std::size_t first_member_part() {
    std::size_t at = 0;
    static_cast<void>(((is_member_part<Parts> ? true : (++at, false)) || ...));
    return at;
}

/// Makes a partition key of a query's values. Errors: as `make_key`.
template <class T, class... Values>
result<void> encode_partition(std::string& out, partition_values<Values...> const& p) {
    using members =
        typename add_key_members<member_list<>, std::remove_cvref_t<decltype(mapping<T>::partition_key)>>::type;
    using values = typename member_values<members>::type;
    if constexpr (check_key_arguments<values, Values const&...>()) {
        auto const typed = std::apply([](auto const&... v) { return values{v...}; }, p.values);
        return make_key(
            out, mapping<T>::partition_key, [&]<auto M>(member_part<M> const&)->auto const& {
                return std::get<position_in<M>(members{})>(typed);
            });
    }
}

template <class Part> constexpr bool sorts_by_value(Part const& p) {
    return !std::integral<typename Part::value_type> || p.digits() != 0;
}

inline constexpr char above_digits = '9' + 1;

/// True if a number that is not negative has at most so many decimal digits.
constexpr bool fits(std::int64_t value, std::size_t digits) noexcept {
    std::size_t needed = 1;
    while (value /= 10) ++needed;
    return needed <= digits;
}

/// Makes the bounds of a row range. Errors: as `make_key`.
template <class T, class From, class To>
result<void> encode_row_range(query_keys& out, row_key_range<From, To> const& r) {
    static constexpr auto const& key = mapping<T>::row_key;
    return [&]<class... Parts>(key_template<Parts...> const&) -> result<void> {
        constexpr auto at = first_member_part<Parts...>();
        static_assert(at < sizeof...(Parts), "tablemap[K7]: this row key is constant, so it has no range");
        if constexpr (at < sizeof...(Parts)) {
            using part_type = std::tuple_element_t<at, std::tuple<Parts...>>;
            using value = typename part_type::value_type;
            static_assert(
                sorts_by_value(std::get<at>(mapping<T>::row_key.parts)),
                "tablemap[K7]: numbers without a width sort as text in keys (10 before 9), so a range of them "
                "means nothing; declare part<...>.width(n)");
            static_assert(!std::same_as<value, std::string> || at + 1 == sizeof...(Parts),
                          "tablemap[K7]: text that other parts follow does not sort by its value in keys (\"a_1\" and "
                          "\"ab_1\" stand the other way round than \"a\" and \"ab\"), so a range of it means nothing; "
                          "put the text last");
            if constexpr (check_key_argument<value, From const&>() && check_key_argument<value, To const&>()) {
                value const from{r.from};
                value const to{r.to};
                auto const the = [](value const& v) { return [&v](auto const&) -> value const& { return v; }; };
                auto const append = [&](std::string& bound, value const& v) -> result<void> {
                    if constexpr (std::integral<value>) {
                        // A bound need not be a key: below all of them is 0, above all of them is what follows '9'.
                        if (v < 0) return append_parts<at + 1>(bound, key, the(value{0}));
                        if (!fits(v, std::get<at>(key.parts).digits())) {
                            auto done = append_parts<at>(bound, key, the(v));
                            bound += above_digits;
                            return done;
                        }
                    }
                    return append_parts<at + 1>(bound, key, the(v));
                };
                if (auto done = append(out.row_from, from); !done) return done;
                if (auto done = append(out.row_to.emplace(), to); !done) return done;
                if (auto done = check_key(out.row_from); !done) return done;
                return check_key(*out.row_to);
            }
        }
        return {};
    }(key);
}

}  // namespace detail
}  // namespace tablemap
