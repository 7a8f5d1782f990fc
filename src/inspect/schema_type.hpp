// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_value.hpp"
#include "tablemap/detail/mapping/row_type.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include "codegen/model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::inspect {

/// A property of an entity that is stored.
struct schema_column {
    codegen::property const* property = nullptr;
    std::string name{};                      ///< of the stored property
    detail::value_ops const* ops = nullptr;  ///< null: a type of the program
    void* object = nullptr;                  ///< the member
    bool is_copy = false;                    ///< the member is read from the key
    bool is_required = false;
};

/// An entity of a schema at run time: the row type of its generated struct. The library's own reader and key codec use
/// it, so that it reads what the struct reads, and refuses what that refuses.
///
/// Not checked are the values of encrypted members, which take keys, and of types of the program, which take their
/// converters.
///
/// \par Thread safety
/// Reading changes the object.
class schema_type {
public:
    /// \par Lifetime
    /// The schema outlives the type.
    schema_type(codegen::schema const& s, codegen::entity const& e);
    schema_type(schema_type const&) = delete;
    schema_type& operator=(schema_type const&) = delete;
    ~schema_type();

    codegen::entity const& entity() const noexcept { return entity_; }
    std::vector<schema_column> const& columns() const noexcept { return columns_; }
    schema_column const* find_column(std::string_view name) const noexcept;

    /// The property that identifies the type; empty: the keys do.
    std::string_view tag() const noexcept { return type_.discriminator.property; }
    int current_version() const noexcept { return type_.version; }

    /// The version of a row that is of this type, 0 if it is none.
    int version_of(dynamic_entity const& row) const;

    /// True for a row of one of its indexes that the schema declares.
    bool has_index_row(dynamic_entity const& row) const;

    /// True if the discriminator says that the row is of one of its indexes, which the schema need not declare.
    bool is_tagged_as_index(dynamic_entity const& row) const;

    /// The text that its row keys begin with.
    std::string_view beginning() const noexcept { return type_.row_prefix; }

    /// Reads a row of the current version into its members.
    ///
    /// \return nothing, or the error of the generated struct, with all faults
    result<void> read(dynamic_entity const& row);

    /// Reads both keys alone.
    result<void> read_keys(dynamic_entity const& row);

    /// The key of the row that is empty although no row is written so: "partition key" or "row key"; else empty.
    std::string_view empty_key(dynamic_entity const& row) const noexcept;

    /// True if the members that were read last make other keys than those of the row.
    bool makes_other_keys(dynamic_entity const& row) const;

private:
    void add_parts(codegen::key const& k, std::vector<detail::part_layout>& to);
    void mark_members();
    void add_columns();
    void add_column(std::size_t field, detail::column_writer& to);
    void write_columns(detail::column_writer& to);

    codegen::entity const& entity_;
    std::vector<schema_value> values_{};  ///< by property
    std::vector<void*> members_{};        ///< the addresses of their objects
    std::vector<detail::part_layout> partition_{}, row_{};
    std::vector<std::uint16_t> key_fields_{};
    std::vector<detail::key_use> uses_{};
    std::vector<schema_column> columns_{};
    std::vector<detail::column> table_{};
    std::string text_{};
    std::string row_prefix_{}, index_tag_{};
    std::vector<std::string> prefixes_{};
    std::vector<std::string_view> index_prefixes_{};
    detail::row_type type_{};
};

}  // namespace tablemap::inspect
