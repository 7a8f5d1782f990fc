// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>

namespace tablemap::inline v0_1 {

namespace detail {
[[noreturn]] void refuse_element(std::size_t extent);
struct series_access;
}  // namespace detail

/// A member that is one property for each of its elements: a value for each hour of a day, each day of a month.
///
///     struct day_stats { std::string user{}; std::string day{}; tablemap::series<std::int32_t, 24> messages{}; };
///
///     s.messages[9] = 12;                                       // the property messages_09
///     s.messages[9] = s.messages[9].value_or(0) + 1;
///     for (auto const& [hour, count] : s.messages) std::cout << hour << ": " << count << "\n";
///
/// An element that is absent has no property; at first all are. `table::merge(e, element<&day_stats::messages>(9))`
/// sends only one element, so that writers of different elements do not conflict.
///
/// The property of element i is named by the member (see `member<&T::m>.named`), an underscore and i with at least two
/// digits: `messages_00`, `messages_09`, `messages_100`. The name does not depend on N, so a series may grow or shrink
/// later; elements beyond a smaller N are unknown columns. N is at most 252, the most properties of an entity.
///
/// Iteration visits the elements that are there, by index, as copies.
///
/// \par Thread safety
/// Like a standard container.
template <class T, std::size_t N> class series {
public:
    using element_type = T;
    static constexpr std::size_t extent = N;

    /// An element that is there.
    struct entry {
        std::size_t index{};
        T value{};

        friend bool operator==(entry const&, entry const&) = default;
    };

    class iterator {
    public:
        using value_type = entry;
        using reference = entry;
        using pointer = void;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::bidirectional_iterator_tag;

        constexpr iterator() = default;
        constexpr entry operator*() const { return {at_, *(*elements_)[at_]}; }
        constexpr iterator& operator++() {
            do ++at_;
            while (at_ < N && !(*elements_)[at_]);
            return *this;
        }
        constexpr iterator& operator--() {
            do --at_;
            while (!(*elements_)[at_]);
            return *this;
        }
        constexpr iterator operator++(int) {
            auto const was = *this;
            ++*this;
            return was;
        }
        constexpr iterator operator--(int) {
            auto const was = *this;
            --*this;
            return was;
        }
        friend constexpr bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

    private:
        friend series;
        constexpr iterator(std::array<std::optional<T>, N> const& elements, std::size_t at)
            : elements_(&elements), at_(at) {}

        std::array<std::optional<T>, N> const* elements_ = nullptr;
        std::size_t at_ = 0;
    };
    using const_iterator = iterator;

    /// All elements are absent.
    constexpr series() = default;

    /// The listed elements, `{{9, 12}, {10, 31}}`. Of two entries with one index the later counts.
    ///
    /// \throws std::out_of_range if an index is not below N
    constexpr series(std::initializer_list<entry> entries) {
        for (auto const& e : entries) at(e.index) = e.value;
    }

    /// An element, empty if it is absent.
    ///
    /// \pre `index < N`
    constexpr std::optional<T>& operator[](std::size_t index) & noexcept { return elements_[index]; }
    constexpr std::optional<T> const& operator[](std::size_t index) const& noexcept { return elements_[index]; }
    constexpr std::optional<T> operator[](std::size_t index) const&& { return elements_[index]; }

    /// The same, checked.
    ///
    /// \throws std::out_of_range if `index` is not below N
    constexpr std::optional<T>& at(std::size_t index) & {
        if (index >= N) detail::refuse_element(N);
        return elements_[index];
    }
    constexpr std::optional<T> const& at(std::size_t index) const& {
        if (index >= N) detail::refuse_element(N);
        return elements_[index];
    }
    constexpr std::optional<T> at(std::size_t index) const&& { return at(index); }

    /// The number of elements that are there.
    constexpr std::size_t count() const noexcept {
        std::size_t n = 0;
        for (auto const& e : elements_) n += e.has_value();
        return n;
    }

    /// True if all elements are absent.
    constexpr bool empty() const noexcept { return begin() == end(); }

    /// Makes all elements absent.
    constexpr void clear() noexcept { elements_ = {}; }

    constexpr iterator begin() const noexcept {
        std::size_t first = 0;
        while (first < N && !elements_[first]) ++first;
        return {elements_, first};
    }
    constexpr iterator end() const noexcept { return {elements_, N}; }

    friend bool operator==(series const&, series const&) = default;

private:
    friend detail::series_access;

    std::array<std::optional<T>, N> elements_{};
};

namespace detail {

template <class V> inline constexpr bool is_series = false;
template <class T, std::size_t N> inline constexpr bool is_series<series<T, N>> = true;

struct series_access {
    template <class T, std::size_t N>
    static constexpr std::array<std::optional<T>, N>& elements(series<T, N>& s) noexcept {
        return s.elements_;
    }
    template <class T, std::size_t N>
    static constexpr std::array<std::optional<T>, N> const& elements(series<T, N> const& s) noexcept {
        return s.elements_;
    }
};

}  // namespace detail
}  // namespace tablemap
