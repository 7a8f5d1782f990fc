// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/write_encoder.hpp"

#include <concepts>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace tablemap::inline v0_1::detail {

template <class Range, class T>
concept range_of_values =
    std::ranges::input_range<Range> && std::convertible_to<std::ranges::range_reference_t<Range>, T const&>;

/// A function that gives the next value, or nothing at the end.
template <class Function, class T>
concept generator_of_values = requires(Function& f) {
    { f() } -> std::convertible_to<std::optional<T>>;
};

/// A source from which rows are read one by one.
template <class Source, class T>
concept source_of_values =
    range_of_values<std::remove_reference_t<Source>, T> || generator_of_values<std::remove_reference_t<Source>, T>;

template <class T, class Source> constexpr bool check_source() {
    constexpr bool good = source_of_values<Source, T>;
    static_assert(good,
                  "tablemap[W6]: many rows come from a range of the table's type, or from a function that gives a "
                  "std::optional of it, empty at the end; a lambda that is mutable must not be const");
    return good;
}

/// A temporary range is kept, any other is borrowed. It is begun when the first row is wanted.
template <class T, class Range> class range_rows {
public:
    explicit range_rows(Range&& r) : range_(std::forward<Range>(r)) {}

    /// Gives `use` the next value, or passes over it for null. False at the end.
    template <class Use> bool next(Use const* use) {
        auto& range = static_cast<std::remove_reference_t<Range>&>(range_);
        if (!at_)
            at_.emplace(std::ranges::begin(range));
        else
            ++*at_;
        if (*at_ == std::ranges::end(range)) return false;
        if (use) (*use)(static_cast<T const&>(**at_));
        return true;
    }

private:
    Range range_;
    std::optional<std::ranges::iterator_t<std::remove_reference_t<Range>>> at_{};
};

template <class T, class Function> class generated_rows {
public:
    explicit generated_rows(Function&& f) : function_(std::forward<Function>(f)) {}

    template <class Use> bool next(Use const* use) {
        std::optional<T> const value = function_();
        if (value && use) (*use)(*value);
        return value.has_value();
    }

private:
    Function function_;
};

template <class T, class Source>
using rows_of = std::conditional_t<range_of_values<std::remove_reference_t<Source>, T>, range_rows<T, Source>,
                                   generated_rows<T, Source>>;

/// The rows of a bulk write, which are encoded one by one as they are wanted.
class bulk_source {
public:
    virtual ~bulk_source() = default;

    /// Encodes the next row, or passes over it for null. False at the end. What the user's code throws passes through.
    virtual bool next(encoded_write* to, clock& c) = 0;
};

template <class T, class Source> class encoded_source final : public bulk_source {
public:
    /// The table is borrowed.
    encoded_source(table_state const& table, write_kind kind, Source&& source)
        : table_(table), kind_(kind), rows_(std::forward<Source>(source)) {}

    bool next(encoded_write* to, clock& c) override {
        auto const encode = [&](T const& value) {
            *to = write_encoder<T>{table_.operation_ids, c, table_.cipher.get()}.whole(kind_, value, {});
        };
        return rows_.next(to ? &encode : nullptr);
    }

private:
    table_state const& table_;
    write_kind kind_;
    rows_of<T, Source> rows_;
};

/// Writes the rows of a source into a table, which is borrowed.
task<result<bulk_report>> write_rows(table_state const& table, std::unique_ptr<bulk_source> rows,
                                     std::unique_ptr<bulk_options const> options);

}  // namespace tablemap::detail
