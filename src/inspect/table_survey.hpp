// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/key_shapes.hpp"
#include "inspect/stored_types.hpp"
#include "inspect/type_property.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/store.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::inspect {

struct survey_options {
    std::size_t rows = 20'000;    ///< that are read, at most
    bool exact = false;           ///< read all rows
    std::string type_property{};  ///< empty: that which the rows let recognise
    std::function<void(std::uint64_t rows)> progress = [](auto) {};
};

/// The values of one property in the rows of one kind.
struct property_values {
    std::string name{};
    rows_by_type rows{};
    rows_by_type sealed{};  ///< encrypted values, by the type of what is encrypted
    text_counts texts{};

    std::uint64_t total() const noexcept;
    std::uint64_t encrypted() const noexcept;
    std::size_t types() const noexcept;
};

/// Rows that one entity of a schema can describe.
struct row_kind {
    std::string type{};       ///< the value of the type property; empty: the rows have none
    std::string beginning{};  ///< of the row keys, if that tells the kind
    std::string indexed{};    ///< of rows of an index: the type of its entities, or the beginning of their row keys
    std::uint64_t rows = 0;
    bool empty_partition = false;  ///< a row has the empty partition key
    bool empty_row = false;        ///< a row has the empty row key
    std::vector<property_values> properties{};
    bool more_properties = false;  ///< there were more names than are counted
    std::vector<dynamic_entity> examples{};
    key_shapes keys{};
};

struct table_survey {
    std::string table{};
    bool complete = false;  ///< every row was read
    std::uint64_t rows = 0;
    std::string type_property{};  ///< that tells kinds apart; empty: none does
    std::vector<row_kind> kinds{};
    std::map<std::string_view, std::uint64_t> companions{};  ///< rows that the library keeps beside entities
    std::uint64_t unassigned = 0;                            ///< rows of kinds beyond the first hundred
};

/// Surveys rows that come one after the other. Its memory is bounded, whatever the rows hold.
class row_survey {
public:
    explicit row_survey(std::string type_property) : type_property_(std::move(type_property)) {}

    void add(dynamic_entity row);
    std::uint64_t rows() const noexcept { return rows_; }

    /// The survey of the rows so far.
    ///
    /// \pre is called once
    table_survey finish(bool complete);

private:
    /// The properties that tell a kind from others.
    struct kind_name {
        std::string type{};
        std::string beginning{};  ///< of the row key
        bool odd = false;         ///< few rows without a type that are unlike the others

        auto operator<=>(kind_name const&) const = default;
    };

    void settle();
    void add_to_kind(dynamic_entity row, kind_name const& name);
    void note_type(std::string const& type);
    std::string_view owner_of(std::string_view type) const;
    kind_name name_of(dynamic_entity const& row) const;
    kind_name name_of_late(dynamic_entity const& row) const;
    static bool is_unlike(row_kind const& k, dynamic_entity const& row);
    row_kind* find_kind(kind_name const& name);
    void count(row_kind& k, dynamic_entity const& row);
    void keep(row_kind& k, dynamic_entity row);
    void recognise_keys(std::size_t kind, bool complete);

    std::string type_property_;
    bool by_beginning_ = false;  ///< rows without a type are told apart by their row keys
    std::map<std::string, std::string> index_beginnings_{};
    std::set<std::string, std::less<>> types_{};  ///< that rows have, with and without a version
    bool settled_ = false;
    bool late_ = false;                    ///< the rows of the first kinds are kept
    std::vector<dynamic_entity> first_{};  ///< the rows until the kinds are settled
    std::size_t bytes_ = 0;                ///< of them, then of those that are kept of kinds that appear later
    std::map<kind_name, std::size_t> places_{};
    std::vector<bool> recognised_{};  ///< for each kind: later rows are compared with its keys
    table_survey made_{};
    std::uint64_t rows_ = 0;
};

/// Reads a table once, in the order of its keys. It writes nothing.
///
/// \throws error those of the store; `library_errc::unsupported` for a store that does not answer in the order of keys
table_survey survey_table(store_ptr const& store, std::string const& table, survey_options const& how);

}  // namespace tablemap::inspect
