// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The declaration of structs that are stored in several rows.
namespace tablemap::inline v0_1 {

/// The members at which the further rows of a wide entity begin. Made by `next_row_at<…>`.
template <auto... Members> struct row_beginnings {};

/// Divides a struct into rows, in a mapping: the first row holds the members before the first of these, and each
/// further row the members from one of these up to the next.
///
///     static constexpr auto wide = tablemap::next_row_at<&survey::health, &survey::work>;
///
/// `wide_table<T>` stores such structs. A member stays in its row while rows are stored: later versions of a struct may
/// have more members in each row, and more rows at the end.
template <auto... Members> inline constexpr row_beginnings<Members...> next_row_at{};

namespace detail {

/// A struct whose mapping divides it into rows.
template <class Mapping>
concept divided_mapping = requires {
    Mapping::wide;
};

}  // namespace detail
}  // namespace tablemap
