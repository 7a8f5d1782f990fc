// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/row_bounds.hpp"
#include "tablemap/detail/mapping/chosen_columns.hpp"
#include "tablemap/detail/mapping/row_type.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/store/modify.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The part of wide tables that does not depend on types.
///
/// A wide entity is several rows of one partition. The first, its head, has the entity's own keys. Further row `n`,
/// from 01, has the entity's row key and behind it two blanks and the two digits. No row key of the type continues
/// another one, and none ends so, since escaped text and numbers never have two blanks in a row and literals that could
/// are refused. So the further rows lie directly behind their head and are known by their keys. Each write of a further
/// row gives it a new stamp, 32 random hexadecimal digits, as its property `WideRow01`, and in the same transaction the
/// head gets the same property. So the head changes with every write, and a reader that finds another stamp in a row
/// than in the head has rows of two states of the entity. A further row that the head does not name is none of the
/// entity's. Never to be changed.
namespace tablemap::inline v0_1::detail {

inline constexpr std::string_view further_row_separator{"  "};
inline constexpr std::size_t most_further_rows = 99;  // a transaction has 100 operations

/// The names of the stamps' properties: `WideRow01` to `WideRow99`.
struct stamp_name {
    char text[10];
    constexpr std::string_view view() const noexcept { return {text, 9}; }
};
constexpr auto name_stamps() {
    std::array<stamp_name, most_further_rows + 1> names{};
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = {
            {'W', 'i', 'd', 'e', 'R', 'o', 'w', static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10), 0}};
    return names;
}
inline constexpr auto stamp_names = name_stamps();

/// The rows of a wide type.
struct wide_type {
    static_list<row_type const*> rows;  ///< the head's first
    static_list<std::uint16_t> begins;  ///< the member that each of them begins with; 0 for the head
    std::size_t further() const noexcept { return rows.size() - 1; }
};

/// The stamps of an entity's further rows. Element 0 is not used.
struct wide_stamps {
    std::vector<std::optional<std::string>> in_head{};  ///< as the head names them
    std::vector<std::optional<std::string>> in_rows{};

    explicit wide_stamps(std::size_t rows) : in_head(rows), in_rows(rows) {}
};

/// An entity in memory, by its address and those of its stamps: `row_type::fill` of each row takes a pointer to this.
struct wide_object {
    void* value;
    wide_stamps* stamps;
};

/// An entity in memory, and the targets of what is read beside its value.
struct wide_place {
    wide_object* object{};
    tablemap::etag* etag{};
    ticks* timestamp{};
    bool* outdated{};
};

/// Entities that are put together from rows.
class wide_entities {
public:
    virtual ~wide_entities() = default;

    virtual std::size_t size() const noexcept = 0;
    virtual wide_place add() = 0;  ///< an empty one at the end
    virtual wide_place at(std::size_t i) = 0;
    virtual void drop_first() = 0;
    virtual void clear() = 0;

    /// An empty list of the same type.
    virtual std::unique_ptr<wide_entities> another() const = 0;
    /// Takes the first one of another list of the same type, in the place of its own first.
    virtual void replace_first(wide_entities& by) = 0;
};

/// A set of rows that was read.
struct wide_set {
    entity_key key{};                 ///< the head's
    std::vector<std::size_t> rows{};  ///< the numbers of the further rows that are there
    bool together = false;            ///< they are of one state of the entity
    std::optional<error> fault{};     ///< of a row that cannot be read, or of rows that something else wrote
};

/// Errors: `library_errc::invalid_key` for a head's key that ends as those of further rows do.
result<void> check_head(entity_key const& key);

std::string further_row_key(std::string_view row_key, std::size_t number);

/// The first key behind all further rows of an entity.
std::string end_of_rows(std::string_view row_key);

/// Reads one entity, again while other writers replace it, into the empty list. What is behind pointers is borrowed.
///
/// \return the rows that were found, together unless they have a fault; nothing if there is no head
/// Errors: those of the store, `library_errc::too_many_conflicts`.
task<result<std::optional<wide_set>>> read_wide(table_state const& table, wide_type type, entity_key key, bool current,
                                                wide_entities& to);

/// The write of an entity.
struct wide_writing {
    write_kind kind{};                  ///< of the head
    std::string if_match{};             ///< of the head
    chosen_columns const* chosen{};     ///< null: all
    std::vector<bool> rows{};           ///< the further rows that are written; empty: all. Element 0 is not used
    std::vector<std::size_t> erased{};  ///< further rows that are erased
};

/// Writes rows of an entity in one transaction; a further row whatever was there. Gives the entity's parts of the key
/// that are generated their values if `kind` is insert or upsert. All is borrowed.
///
/// \return the head's new etag; empty if an operation id showed that the transaction was applied
/// Errors: as `encode`; `service_errc::request_body_too_large`; those of `commit`.
task<result<etag>> write_wide(std::shared_ptr<table_state const> table, wide_type type, wide_object& object,
                              wide_writing how);

/// Erases the rows of an entity.
task<result<void>> erase_wide(std::shared_ptr<table_state const> table, entity_key key, std::string if_match);

/// Erases the rows of any version of an entity. True if there was one.
/// Errors: those of the store; `library_errc::too_many_conflicts` if other writers erased some of its rows each time.
task<result<bool>> erase_any_wide(std::shared_ptr<table_state const> table, entity_key key);

/// The further rows that hold some of the chosen members.
std::vector<bool> rows_of_choice(wide_type type, chosen_columns const& chosen);

/// Both keys of an entity.
result<entity_key> keys_of(wide_type type, wide_object& object);

/// Makes the change of `modify`.
class wide_editor {
public:
    /// Calls the program's function on the entity.
    virtual void edit(wide_object& object) = 0;

protected:
    ~wide_editor() = default;
};

/// Reads an entity, edits it, and writes the rows that changed under the head's etag; again after a conflict. The
/// entity is the first of the list. What is behind references is borrowed.
task<result<void>> modify_wide(std::shared_ptr<table_state const> table, wide_type type, entity_key key,
                               wide_entities& to, wide_editor& editor, modify_options options);

/// The entities of a range of rows, as they are read page by page.
class wide_scan {
public:
    wide_scan(std::shared_ptr<table_state const> table, wide_type type, std::string partition, key_range rows,
              std::unique_ptr<wide_entities> to, call_options o);
    ~wide_scan();
    wide_scan(wide_scan const&) = delete;
    wide_scan& operator=(wide_scan const&) = delete;

    /// Drops the entity that was read last, and reads until the first one of the list is whole. False at the end. After
    /// an error of the store the same page is requested again; after one of an entity the next entity follows.
    task<result<bool>> read_on();

    void page_size(std::size_t rows);
    wide_entities& entities() noexcept;
    std::shared_ptr<table_state const> const& table() const noexcept;
    call_options const& options() const noexcept;
    std::unique_ptr<wide_scan> again() const;

private:
    struct state;

    void drop_given();
    void drop_first();
    task<result<void>> read_pages();

    std::unique_ptr<state> state_;
};

/// \throws error `library_errc::unsupported` on a store that answers in no order
result<void> check_order_of_rows(table_state const& t);

}  // namespace tablemap::detail
