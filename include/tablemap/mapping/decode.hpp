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

/// One column that a struct takes: how a token becomes part of a `decode_target`.
struct assignment {
    std::string_view name;
    std::string_view type;  ///< what an annotation of the column must say; empty: anything
    bool (*assign)(void* target, token const& value, std::optional<error>& fault);
};

/// The entity that is being read, and which of its keys have been.
template <class T> struct decode_target {
    entity<T>* to = nullptr;
    bool partition_key_read = false;
    bool row_key_read = false;
};

error column_mismatch(std::string_view member, std::string_view cpp_type, token const& stored);

template <class V> constexpr std::string_view cpp_type_name() {
    constexpr std::array<std::string_view, 8> names{"std::string", "bool",  "std::int32_t", "std::int64_t",
                                                    "double",      "ticks", "guid",         "bytes"};
    return names[static_cast<std::size_t>(edm_type_of<property_type<V>>())];
}

template <class T, std::size_t I> bool assign_field(void* target, token const& value, std::optional<error>& fault) {
    auto& member = get_field<I>(static_cast<decode_target<T>*>(target)->to->value);
    if (assign(member, value)) [[likely]]
        return true;
    fault = column_mismatch(field_name<T, I>, cpp_type_name<field_type<T, I>>(), value);
    return false;
}

error malformed_key(char const* reason);
error keys_disagree(std::string_view member);

/// Reads the second key of an entity where a member stands in both keys: it must have one value there.
template <auto const& Key, auto const& OtherKey, class T>
bool read_second_key(T& to, std::string_view text, std::optional<error>& fault) {
    T again{};
    auto r = read_key(
        text, Key, [&]<auto M>(member_part<M> const&)->auto& { return again.*M; });
    if (!r) {
        fault = std::move(r).error();
        return false;
    }
    auto take = [&]<auto M>(member_part<M>) {
        if (!is_listed<M, members_of<OtherKey>>)
            to.*M = std::move(again.*M);
        else if (to.*M != again.*M)
            fault = keys_disagree(member_name<M>);
        return !fault;
    };
    return [&]<auto... M>(member_list<M...>) { return (take(member_part<M>{}) && ...); }
    (members_of<Key>{});
}

/// Reads one key into an entity. `read` and `other_read` tell which keys have been read before.
template <auto const& Key, auto const& OtherKey, class T>
bool assign_key(T& to, token const& value, bool& read, bool other_read, std::optional<error>& fault) {
    if (value.kind != token_kind::text || read) {
        fault = malformed_key(read ? "a key comes twice" : "a key is no text");
        return false;
    }
    read = true;
    if constexpr (share_members<Key, OtherKey>)
        if (other_read) return read_second_key<Key, OtherKey>(to, value.text, fault);
    auto r = read_key(
        value.text, Key, [&]<auto M>(member_part<M> const&)->auto& { return to.*M; });
    if (!r) fault = std::move(r).error();
    return r.has_value();
}

template <class T> bool assign_partition_key(void* target, token const& value, std::optional<error>& fault) {
    auto& t = *static_cast<decode_target<T>*>(target);
    return assign_key<mapping<T>::partition_key, mapping<T>::row_key>(t.to->value, value, t.partition_key_read,
                                                                      t.row_key_read, fault);
}
template <class T> bool assign_row_key(void* target, token const& value, std::optional<error>& fault) {
    auto& t = *static_cast<decode_target<T>*>(target);
    return assign_key<mapping<T>::row_key, mapping<T>::partition_key>(t.to->value, value, t.row_key_read,
                                                                      t.partition_key_read, fault);
}

bool assign_etag(etag& to, token const& value, std::optional<error>& fault);
bool assign_timestamp(ticks& to, token const& value, std::optional<error>& fault);

template <class T> constexpr auto make_assignments() {
    constexpr std::size_t system_columns = 4;
    std::array<assignment, system_columns + field_count<T> - key_members_of<T>::size> table{};
    std::size_t at = 0;
    table[at++] = {"odata.etag", {}, [](void* target, token const& v, std::optional<error>& fault) {
                       return assign_etag(static_cast<decode_target<T>*>(target)->to->etag, v, fault);
                   }};
    table[at++] = {partition_key_name, {}, &assign_partition_key<T>};
    table[at++] = {row_key_name, {}, &assign_row_key<T>};
    table[at++] = {timestamp_name, {}, [](void* target, token const& v, std::optional<error>& fault) {
                       return assign_timestamp(static_cast<decode_target<T>*>(target)->to->timestamp, v, fault);
                   }};
    for_each_field_index<T>([&](auto index) {
        if constexpr (!is_in_key<T, index()>)
            table[at++] = {field_name<T, index()>, edm_name(edm_type_of<property_type<field_type<T, index()>>>()),
                           &assign_field<T, index()>};
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

    /// A column that declares another type than its member has is a mismatch, even where the token would fit: written back it
    /// would change its type.
    bool annotation(std::string_view name, std::string_view type) final;

protected:
    ~assigning_sink() = default;

    void start(void* target) noexcept {
        target_ = target;
        last_ = table_.size();
    }

private:
    std::size_t find(std::string_view name) const noexcept;
    std::size_t find_next(std::string_view name) const noexcept;

    std::span<assignment const> table_;
    std::vector<std::uint16_t> follower_;  ///< [i]: the assignment that last came after i; the last element: came first
    std::size_t last_;
    void* target_ = nullptr;
};

/// Reads into entities of T. Columns without a member are passed over, keys must be there.
template <class T> class typed_sink : public assigning_sink {
public:
    typed_sink() : assigning_sink(assignments<T>) {}

    bool end() final {
        return (target_.partition_key_read && target_.row_key_read) || stop(malformed_key("an entity lacks a key"));
    }

protected:
    ~typed_sink() = default;

    bool read_into(entity<T>& to) noexcept {
        target_ = {.to = &to};
        start(&target_);
        return true;
    }

private:
    decode_target<T> target_{};
};

/// Appends every entity that is read to a vector.
template <class T> class entity_vector_sink final : public typed_sink<T> {
public:
    explicit entity_vector_sink(std::vector<entity<T>>& out) : out_(out) {}

    bool begin() override { return this->read_into(out_.emplace_back()); }

private:
    std::vector<entity<T>>& out_;
};

/// Reads into one entity.
template <class T> class entity_sink_of final : public typed_sink<T> {
public:
    explicit entity_sink_of(entity<T>& out) : out_(out) {}

    bool begin() override { return this->read_into(out_); }

private:
    entity<T>& out_;
};

/// Decodes one entity in its place, which spares the moves of a large struct. After an error `out` is unspecified.
/// Errors: as `decode`.
template <class T> result<void> decode_into(std::string& json, entity<T>& out) {
    entity_sink_of<T> sink{out};
    return read_entity(json, sink);
}

/// Decodes one entity. `json` may grow in capacity.
/// Errors: `library_errc::type_mismatch` with the member, `library_errc::unreadable_key`, `library_errc::malformed_answer`.
template <class T> result<entity<T>> decode(std::string& json) {
    result<entity<T>> e;
    if (auto r = decode_into(json, *e); !r) e = failure{std::move(r).error()};
    return e;
}

/// Decodes a page behind what `out` holds already. Returns the number of entities. Errors: as `decode`.
template <class T> result<std::size_t> decode_page(std::string& json, std::vector<entity<T>>& out) {
    entity_vector_sink<T> sink{out};
    return read_page(json, sink);
}

}  // namespace tablemap::detail
