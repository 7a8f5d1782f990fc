// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/bulk/bulk_write.hpp"

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

/// A bulk write that reads its rows as it can send them.
template <class T, class Source> class bulk_from_source {
public:
    using value_type = bulk_report;

    bulk_from_source(bulk_write write, write_kind kind, Source&& source)
        : write_(std::move(write)), kind_(kind), rows_(std::forward<Source>(source)) {}

    flow_step next(environment const& env) {
        for (;;) {
            auto const wanted = write_.next(env);
            if (ended_ || wanted.what() == flow_step::kind::send || write_.full() || write_.busy()) return wanted;
            if (auto const why = write_.ended() ? make_error_code(library_errc::cancelled) : env.why_stop()) {
                write_.cut_short(why);
                ended_ = true;
            } else if (!take_row(env)) {
                ended_ = true;
            }
            if (ended_) write_.drain(true);
        }
    }

    void answered(environment const& env, std::size_t slot, response&& answer) {
        write_.answered(env, slot, std::move(answer));
    }
    result<bulk_report> take() { return write_.take(); }
    operation_label label() const noexcept {
        return {kind_ == write_kind::insert ? "insert_many" : "upsert_many", write_.table().name};
    }

private:
    /// False at the end of the source.
    bool take_row(environment const& env) {
        auto const encode_and_add = [&](T const& value) {
            write_encoder<T> const encoder{write_.table().operation_ids, env.clock(), write_.table().cipher.get()};
            write_.add(encoder.whole(kind_, value, {}));
        };
        bool const passed = write_.is_next_stored();
        bool const there = rows_.next(passed ? nullptr : &encode_and_add);
        if (passed && there) write_.pass_over();
        return there;
    }

    bulk_write write_;
    write_kind kind_;
    rows_of<T, Source> rows_;
    bool ended_ = false;
};

}  // namespace tablemap::detail
