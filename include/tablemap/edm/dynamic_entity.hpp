// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/etag.hpp"
#include "tablemap/edm/types.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
class property_bag;
struct property;
namespace detail {
class dynamic_sink;

/// The properties of a bag that is not changed while they are used.
std::span<property const> properties_of(property_bag const& bag) noexcept;
void properties_of(property_bag const&&) = delete;
}  // namespace detail

/// A named value.
struct property {
    std::string name{};
    property_value value{};
    bool encrypted =
        false;  ///< true if the store's value was encrypted when it was read, or is to be encrypted when it is written

    friend bool operator==(property const& a, property const& b);
};

/// The properties of an entity at one moment. The list owns its properties, so it may outlive the entity. `begin()` and
/// `end()` of a temporary list are deleted, since their iterators would not outlive it.
class property_list {
public:
    using value_type = property;
    using const_iterator = std::vector<property>::const_iterator;
    using iterator = const_iterator;

    explicit property_list(std::vector<property> all);
    property_list(property_list const&);
    property_list(property_list&&) noexcept;
    property_list& operator=(property_list const&);
    property_list& operator=(property_list&&) noexcept;
    ~property_list();

    const_iterator begin() const& noexcept { return all_.begin(); }
    const_iterator end() const& noexcept { return all_.end(); }
    void begin() const&& = delete;
    void end() const&& = delete;

    std::size_t size() const noexcept { return all_.size(); }
    bool empty() const noexcept { return all_.empty(); }

    /// The property at this place.
    ///
    /// \pre `index` is below `size()`
    property const& operator[](std::size_t index) const& noexcept { return all_[index]; }
    property operator[](std::size_t index) const&&;
    property const& front() const& noexcept { return all_.front(); }
    property front() const&&;

    friend bool operator==(property_list const& a, property_list const& b);

private:
    std::vector<property> all_;
};

/// Ordered properties with their Edm types. Names are unique; look-ups go through the properties in order.
///
/// \par Thread safety
/// Like a standard container.
class property_bag {
public:
    property_bag() noexcept;
    property_bag(property_bag const&);
    property_bag(property_bag&&) noexcept;
    property_bag& operator=(property_bag const&);
    property_bag& operator=(property_bag&&) noexcept;
    ~property_bag();

    /// A copy of the properties, so that a loop over `table.find(key)->value.properties()` is safe.
    property_list properties() const;

    /// The value of a property, or null if there is none of that name; of a temporary entity, a copy.
    ///
    /// \par Lifetime
    /// The pointer is valid as long as the property.
    property_value const* find(std::string_view name) const& noexcept;
    std::optional<property_value> find(std::string_view name) const&&;

    /// The value of a property if it is there and has exactly this type, else null; of a temporary entity, a copy.
    ///
    /// \par Lifetime
    /// The pointer is valid as long as the property.
    template <edm_value T> T const* try_get(std::string_view name) const& noexcept {
        auto const* v = find(name);
        return v ? std::get_if<T>(v) : nullptr;
    }
    template <edm_value T> std::optional<T> try_get(std::string_view name) const&& {
        auto const* v = try_get<T>(name);
        return v ? std::optional<T>{*v} : std::nullopt;
    }

    /// Sets a property, and adds it at the end if the name is new. Names are checked when the entity is written.
    template <edm_value T> void set(std::string_view name, T value) {
        set_value(name, property_value{std::in_place_type<T>, std::move(value)});
    }
    void set(std::string_view name, char const* text);
    void set_value(std::string_view name, property_value value);

    /// Marks an existing property as one that is written encrypted, by a table with keys. Properties that were read
    /// from encrypted values are marked, and stay so when `set` replaces the value, but not when they were erased
    /// before.
    ///
    /// \throws error `library_errc::invalid_property_name` if there is none of that name: a value that is set
    /// afterwards would be written unencrypted
    void encrypt(std::string_view name);
    bool decrypt(std::string_view name) noexcept {
        return mark(name, false);
    }  ///< takes the mark away; false if there is no such property

    /// Removes a property; false if there was none. A merge does not remove it from the store, a replace does.
    bool erase(std::string_view name);

    friend bool operator==(property_bag const& a, property_bag const& b);

private:
    friend class detail::dynamic_sink;  // it knows that names are new, and so needs no look-up
    friend std::span<property const> detail::properties_of(property_bag const& bag) noexcept;
    bool mark(std::string_view name, bool encrypted) noexcept;

    std::vector<property> properties_;
};

/// An entity without a C++ type: keys and ordered properties. `table<dynamic_entity>` reads and writes it.
class dynamic_entity : public property_bag {
public:
    dynamic_entity() = default;
    dynamic_entity(std::string partition, std::string row);

    std::string partition_key{};
    std::string row_key{};

    friend bool operator==(dynamic_entity const& a, dynamic_entity const& b);
};

namespace detail {

/// An entity as a store holds it.
struct stored_entity : dynamic_entity {
    using dynamic_entity::dynamic_entity;
    stored_entity(dynamic_entity e);

    tablemap::etag etag{};
    ticks timestamp{};

    friend bool operator==(stored_entity const& a, stored_entity const& b);
};
}  // namespace detail

/// The size that the service counts for an entity, in bytes: 4, twice the UTF-16 length of both keys, and for each
/// property 8, twice the UTF-16 length of its name, and its value.
///
/// \par Source
/// The service's capacity formula.
std::size_t entity_size(dynamic_entity const& e) noexcept;

namespace detail {
/// The share of one value in `entity_size`. `text_units` is the UTF-16 length of a string, the byte length of a binary.
constexpr std::size_t value_size(edm_type t, std::size_t text_units) noexcept {
    switch (t) {
    case edm_type::string: return 2 * text_units + 4;
    case edm_type::binary: return text_units + 4;
    case edm_type::boolean: return 1;
    case edm_type::int32: return 4;
    case edm_type::guid: return 16;
    default: return 8;
    }
}
}  // namespace detail

}  // namespace tablemap
