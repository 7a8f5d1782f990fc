// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/edm/converter.hpp"
#include "tablemap/edm/types.hpp"
#include "tablemap/mapping/encrypted.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Members that may be larger than a property.
///
/// A large member is one property of type Edm.String. Its first character tells what follows:
///
///     =TEXT                        the value itself: text, or bytes in base64
///     @NAME SIZE SHA-256           the value is in a blob: the part of its name behind the entity's place, the size
///                                  of the value in bytes, the checksum of the blob's bytes
///     @NAME SIZE SHA-256 KEY       the same, encrypted under the key of this id
///
/// NAME is 32 random hexadecimal digits, `-` and three digits. Never to be changed.
namespace tablemap::inline v0_1 {
namespace detail {

/// No value is larger: a blob has at most 50,000 pieces of 4 MiB.
inline constexpr std::uint64_t most_large_bytes = std::uint64_t{50'000} * 4 * 1024 * 1024;

inline constexpr std::size_t random_digits = 32;

/// True for random text: so many hexadecimal digits.
bool is_random_text(std::string_view text);

/// True for a NAME.
bool is_large_name(std::string_view text);

/// The text in a row that stands for a value in a blob.
struct large_reference {
    std::string name{};  ///< the part behind the entity's place
    std::uint64_t size = 0;
    std::string checksum{};  ///< 64 hexadecimal digits
    std::string key_id{};    ///< empty: not encrypted

    std::string text() const;
    friend bool operator==(large_reference const&, large_reference const&) = default;
};

/// Reads the text of a property.
///
/// \return the reference, or error `library_errc::type_mismatch`
result<large_reference> read_reference(std::string_view text);

/// The blob that a property names, if its value is encrypted under another key than that of this id.
std::optional<large_reference> reference_under_other_key(property_value const& p, std::string_view id);

/// The property that a write under way gives a large member. A copy of the member is not written: it has none.
class planned_property {
public:
    planned_property() = default;
    planned_property(planned_property const&) noexcept {}
    planned_property& operator=(planned_property const&) noexcept {
        reset();
        return *this;
    }

    std::optional<std::string> const& text() const noexcept { return text_; }
    void set(std::string text) { text_ = std::move(text); }
    void reset() noexcept { text_.reset(); }

private:
    std::optional<std::string> text_{};
};

/// The part of a large member that does not depend on its type.
class large_cell {
public:
    virtual std::string_view content() const = 0;
    virtual void take(std::string&& content) = 0;
    virtual bool is_text() const noexcept = 0;
    virtual bool is_encrypted() const noexcept = 0;

    bool loaded = true;
    std::optional<large_reference> in_blob{};  ///< the blob that holds the value
    std::string origin{};  ///< the member and the etag of the row that `in_blob` is of; empty: not known
    bool edited = false;   ///< a program may hold a reference to the value, so no write knows that it is stored
    /// Set only while the entity is encoded. A reference gets into a row by no other way, so that no reference to a
    /// blob that may be deleted does.
    planned_property planned{};
    std::function<std::size_t(std::span<std::byte>)> source{};  ///< of a value that is not in memory, for one write

    /// \return the property to store, or error `library_errc::unsupported` for a value that only a large table writes
    result<std::string> property() const;

    /// Takes a property that was read.
    ///
    /// \return nothing, or error `library_errc::type_mismatch`, `unencrypted_value`
    result<void> take_property(std::string const& text);

protected:
    large_cell() = default;
    large_cell(large_cell const&) = default;
    large_cell(large_cell&&) = default;
    large_cell& operator=(large_cell const&) = default;
    large_cell& operator=(large_cell&&) = default;
    ~large_cell() = default;

    void forget_blob();
    void check_loaded() const;
};

/// The property of a value in the row itself.
std::string inline_property(std::string_view content, bool is_text);

template <class V>
concept large_content = std::same_as<opened_type<V>, std::string> || std::same_as<opened_type<V>, bytes>;

}  // namespace detail

/// The type of a member that may be larger than a property: `large<std::string> text`, `large<bytes> picture`. A
/// `large_table<T>` stores small values in the row and others in a blob. `large<encrypted<std::string>>` is stored
/// encrypted, in a blob whatever its size.
///
/// It is made from a value and compares like one. A `table<T>` reads it as well, but its value only if it is in the
/// row: see `is_loaded`.
///
/// \par Thread safety
/// Like a V.
template <class V> class large final : detail::large_cell {
    static_assert(detail::large_content<V>,
                  "tablemap[P12]: a large member is text or bytes: large<std::string>, large<tablemap::bytes>, or "
                  "large<encrypted<...>> of one of them; write other values as one of these");

public:
    using value_type = detail::opened_type<V>;

    large() = default;
    large(value_type v) : value_(std::move(v)) {}
    large(char const* text) requires std::same_as<value_type, std::string> : value_(text) {}

    /// A value that a function gives, for values beyond memory: it writes the next bytes to the beginning of its
    /// argument and returns their number, 0 at the end. It is called by the first write, which stores the value in a
    /// blob whatever its size, at most 195 GiB; a further write needs another source. The member is not loaded.
    static large
    from(std::function<std::size_t(std::span<std::byte>)> source) requires std::same_as<value_type, bytes> {
        large v;
        detail::large_cell& cell = v;
        cell.source = std::move(source);
        cell.loaded = false;
        return v;
    }

    /// The value.
    ///
    /// \throws error `library_errc::unsupported` if it was not read: see `is_loaded`
    value_type const& value() const {
        check_loaded();
        return value_;
    }
    value_type const& operator*() const { return value(); }
    value_type const* operator->() const { return &value(); }

    /// The value, to be changed in its place. Every write stores it anew until another value is assigned, or the entity
    /// is read again.
    ///
    /// \throws error as `value`
    value_type& edit() {
        check_loaded();
        forget_blob();
        return value_;
    }

    /// False if the value is in a blob that was not read: `table<T>` reads rows only, `large_table<T>::load` the rest.
    /// Also of a value from a source.
    bool is_loaded() const noexcept { return loaded; }

    /// The size of the value in bytes, which is known before it is loaded, too; 0 for a source.
    std::uint64_t size() const noexcept {
        if (loaded) return value_.size();
        return in_blob ? in_blob->size : 0;
    }

    friend bool operator==(large const& a, large const& b) {
        return a.loaded == b.loaded && (a.loaded ? a.value_ == b.value_ : a.in_blob == b.in_blob);
    }

    // The part that tables work on.
    friend detail::large_cell& cell_of(large& v) noexcept { return v; }
    friend detail::large_cell const& cell_of(large const& v) noexcept { return v; }

private:
    std::string_view content() const override { return {reinterpret_cast<char const*>(value_.data()), value_.size()}; }
    void take(std::string&& content) override {
        if constexpr (std::same_as<value_type, std::string>) {
            value_ = std::move(content);
        } else {
            auto const* const first = reinterpret_cast<std::byte const*>(content.data());
            value_.assign(first, first + content.size());
        }
        loaded = true;
        edited = false;
    }
    bool is_text() const noexcept override { return std::same_as<value_type, std::string>; }
    bool is_encrypted() const noexcept override { return detail::is_encrypted<V>; }

    value_type value_{};
};

namespace detail {

template <class V> inline constexpr bool is_large = false;
template <class V> inline constexpr bool is_large<large<V>> = true;

}  // namespace detail

/// Stores a large member as text: the value, or the name of its blob. Only a `large_table` writes names of blobs.
template <class V> struct converter<large<V>> {
    using stored = std::string;
    static constexpr bool keeps_order = false;
    static result<stored> to_property(large<V> const& v) { return cell_of(v).property(); }
    static result<large<V>> from_property(stored const& text) {
        large<V> v;
        if (auto r = cell_of(v).take_property(text); !r) return failure{std::move(r).error()};
        return v;
    }
};

}  // namespace tablemap
