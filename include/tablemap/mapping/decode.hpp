// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/schema.hpp"
#include "tablemap/wire/reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// From encoded entities to structs: the reader's tokens go through a table of assignments made from the mapping.
namespace tablemap::detail {

/// One column that a struct takes: how a token becomes part of the entity.
struct assignment {
    std::string_view name;
    bool (*assign)(void* entity, token const& value, std::optional<error>& fault);
};

error column_mismatch(std::string_view member, std::string_view cpp_type, token const& stored);

template <class V> constexpr std::string_view cpp_type_name() {
    constexpr std::array<std::string_view, 8> names{"std::string", "bool",  "std::int32_t", "std::int64_t",
                                                    "double",      "ticks", "guid",         "bytes"};
    return names[static_cast<std::size_t>(edm_type_of<property_type<V>>())];
}

template <class T, std::size_t I> bool assign_field(void* to, token const& value, std::optional<error>& fault) {
    auto& member = get_field<I>(static_cast<entity<T>*>(to)->value);
    if (assign(member, value)) [[likely]]
        return true;
    fault = column_mismatch(field_name<T, I>, cpp_type_name<field_type<T, I>>(), value);
    return false;
}

template <class T, auto const& Key> bool assign_key(void* to, token const& value, std::optional<error>& fault) {
    if (value.kind != token_kind::text) {
        fault = error{library_errc::malformed_answer, {.reason = "a key is no text"}};
        return false;
    }
    auto& e = static_cast<entity<T>*>(to)->value;
    auto r = read_key(
        value.text, Key, [&]<auto M>(member_part<M> const&)->auto& { return e.*M; });
    if (!r) fault = std::move(r).error();
    return r.has_value();
}

bool assign_etag(etag& to, token const& value, std::optional<error>& fault);
bool assign_timestamp(ticks& to, token const& value, std::optional<error>& fault);

template <class T> constexpr auto make_assignments() {
    constexpr std::size_t system_columns = 4;
    std::array<assignment, system_columns + field_count<T> - key_members_of<T>::size> table{};
    std::size_t at = 0;
    table[at++] = {"odata.etag", [](void* to, token const& v, std::optional<error>& fault) {
                       return assign_etag(static_cast<entity<T>*>(to)->etag, v, fault);
                   }};
    table[at++] = {partition_key_name, &assign_key<T, mapping<T>::partition_key>};
    table[at++] = {row_key_name, &assign_key<T, mapping<T>::row_key>};
    table[at++] = {timestamp_name, [](void* to, token const& v, std::optional<error>& fault) {
                       return assign_timestamp(static_cast<entity<T>*>(to)->timestamp, v, fault);
                   }};
    for_each_field_index<T>([&](auto index) {
        if constexpr (!is_in_key<T, index()>) table[at++] = {field_name<T, index()>, &assign_field<T, index()>};
    });
    return table;
}
template <class T> inline constexpr auto assignments = make_assignments<T>();

/// The ordinary part of a sink: finds each column's assignment. Rows of one page mostly hold the same columns in the same
/// order, so it first tries the one that followed the last one before.
class assigning_sink : public entity_sink {
public:
    explicit assigning_sink(std::span<assignment const> table);

    bool property(std::string_view name, token const& value) final;
    bool end() final { return true; }

protected:
    ~assigning_sink() = default;

    void start(void* entity) noexcept {
        entity_ = entity;
        last_ = table_.size();
    }

private:
    std::size_t find(std::string_view name) const noexcept;

    std::span<assignment const> table_;
    std::vector<std::uint16_t> follower_;  ///< [i]: the assignment that last came after i; the last element: came first
    std::size_t last_;
    void* entity_ = nullptr;
};

/// Appends every entity that is read to a vector. Columns without a member are passed over.
template <class T> class entity_vector_sink final : public assigning_sink {
public:
    explicit entity_vector_sink(std::vector<entity<T>>& out) : assigning_sink(assignments<T>), out_(out) {}

    bool begin() override {
        start(&out_.emplace_back());
        return true;
    }

private:
    std::vector<entity<T>>& out_;
};

/// Reads into one entity.
template <class T> class entity_sink_of final : public assigning_sink {
public:
    explicit entity_sink_of(entity<T>& out) : assigning_sink(assignments<T>), out_(out) {}

    bool begin() override {
        start(&out_);
        return true;
    }

private:
    entity<T>& out_;
};

/// Decodes one entity. `json` may grow in capacity.
/// Errors: `library_errc::type_mismatch` with the member, `library_errc::unreadable_key`, `library_errc::malformed_answer`.
template <class T> result<entity<T>> decode(std::string& json) {
    entity<T> e;
    entity_sink_of<T> sink{e};
    if (auto r = read_entity(json, sink); !r) return failure{std::move(r).error()};
    return e;
}

/// Decodes a page behind what `out` holds already. Returns the number of entities. Errors: as `decode`.
template <class T> result<std::size_t> decode_page(std::string& json, std::vector<entity<T>>& out) {
    entity_vector_sink<T> sink{out};
    return read_page(json, sink);
}

}  // namespace tablemap::detail
