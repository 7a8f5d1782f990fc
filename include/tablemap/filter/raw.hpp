// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/filter/expression.hpp"

#include "tablemap/base/result.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace detail {

/// The number of `{}` outside quotes.
constexpr std::size_t count_placeholders(std::string_view text) noexcept {
    std::size_t n = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\'') quoted = !quoted;
        if (!quoted && text.substr(i, 2) == "{}") ++n;
    }
    return n;
}

/// Not constexpr: the error of a compiler that has to call it contains its name.
void tablemap_Q3_the_filter_needs_exactly_one_value_for_each_placeholder();

/// Text that is known at compile time, with as many `{}` as there are values.
template <class... Values> class filter_text_must_be_a_string_literal {
public:
    consteval filter_text_must_be_a_string_literal(char const* literal) : text_(literal) {
        if (count_placeholders(text_) != sizeof...(Values))
            tablemap_Q3_the_filter_needs_exactly_one_value_for_each_placeholder();
    }

    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// Text that is no literal and not even a pointer to one.
template <class Text>
concept text_made_at_run_time =
    std::convertible_to<Text const&, std::string_view> && !std::convertible_to<Text const&, char const*>;

template <class V>
concept filter_text_value = std::convertible_to<V const&, std::string_view>;

template <class V> inline constexpr bool is_sys_time_of_ticks = false;
template <class D> inline constexpr bool is_sys_time_of_ticks<std::chrono::sys_time<D>> = is_whole_ticks<D>;

property_value text_value(std::string_view text);
property_value time_value(ticks t);

template <class V> property_value filter_value(V const& v) {
    if constexpr (filter_text_value<V>)
        return text_value(v);
    else if constexpr (std::same_as<V, property_value>)
        return v;
    else if constexpr (is_sys_time_of_ticks<V>)
        return time_value(v);
    else {
        static_assert(
            edm_value<V>,
            "tablemap[Q3]: a value of a filter must be text, bool, std::int32_t, std::int64_t, double, ticks, "
            "a system_clock time of whole ticks, guid or bytes; convert it to the type that the property is "
            "stored as");
        if constexpr (edm_value<V>) return v;
        return {};
    }
}

}  // namespace detail

/// A filter in the service's text, with values in separate arguments:
/// `raw_filter("Age ge {} and Name eq {}", 30, name)`.
///
/// The text must be a string literal. Values never become text: each is put into the filter's tree in the place of its
/// `{}`, so nothing that a user typed can change the query. A value is text, bool, `std::int32_t`, `std::int64_t`,
/// double, ticks, a time of the system clock, guid, bytes or a `property_value`; its type must be the stored one.
///
/// \par Thread safety
/// Like a standard container.
class raw_filter {
public:
    /// The filter with these values.
    ///
    /// \pre one value for each `{}` outside quotes; checked at compile time
    template <class... Values>
    raw_filter(detail::filter_text_must_be_a_string_literal<std::type_identity_t<Values>...> literal,
               Values const&... values)
        : text_(literal.text()), values_{detail::filter_value(values)...} {}

    /// Refused: values belong into `{}`, where what a user typed cannot change the filter.
    template <detail::text_made_at_run_time Text, class... Values> raw_filter(Text const&, Values const&...) {
        static_assert(sizeof(Text) == 0,
                      "tablemap[Q3]: the text of raw_filter is a string literal, and values go into its {}: "
                      "raw_filter(\"Age ge {}\", age); from_trusted_text(text) takes text that is made at run time, "
                      "which must not hold what a user typed");
    }

    /// A filter whose text is known only at run time. The author of the text decides which rows are found: never build
    /// it from text that a user typed.
    static raw_filter from_trusted_text(std::string text);

    /// The tree that stores are given.
    ///
    /// \return the filter, or error `library_errc::invalid_filter` if the text is no filter
    result<filter::expression> to_expression() const;

private:
    struct trusted {};
    raw_filter(std::string&& text, trusted);

    std::string text_;
    std::vector<property_value> values_;
};

}  // namespace tablemap
