// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/read_row.hpp"
#include "tablemap/detail/wire/name_index.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// A sink that reads rows of one type, or of one of several, which the row's discriminator or the beginning of its row
/// key identifies.
///
/// The part of a row before that is buffered and read afterwards; so are rows of an older version, which are upgraded
/// first, and rows with encrypted values, which are bound to both keys. All faults of a row are collected. Rows of one
/// page mostly hold the same columns in the same order, so the first guess for each column is the one that followed the
/// last column before.
class row_reader : public entity_sink {
public:
    /// `how` must live as long as the reader.
    row_reader(static_list<row_type const*> types, reading const& how);

    /// Begins a row, for which `to_` is set.
    bool begin() override;
    bool take_heading(row_heading const& heading) final;

    // Views must be valid until `end`.
    bool property(std::string_view name, json_token const& value) final;
    bool annotation(std::string_view name, std::string_view type) final;
    bool end() final;

protected:
    ~row_reader();

    /// Handles a row that cannot be read. True if reading goes on.
    virtual bool refuse_row(error const& e) { return stop(e); }

    /// Handles a row of another type, or of an index of one of the types. True if reading goes on.
    virtual bool pass_row(error const& e) { return refuse_row(e); }

    /// The keys of the row that ended; empty if it had none.
    std::string_view partition_key() const noexcept { return partition_key_.value_or(std::string_view{}); }
    std::string_view row_key() const noexcept { return row_key_.value_or(std::string_view{}); }

    /// Set in place: a copy of what was just written in parts makes the processor wait, 1 % of reading a short row.
    row_target to_{};

private:
    /// The encryption of a value.
    enum class cover : std::uint8_t {
        none,
        sealed,
        legacy,   ///< its text is in `legacy_`
        dropped,  ///< it is skipped
    };

    struct event {
        std::string_view name;
        json_token value{};
        std::string_view type{};  ///< the type in an annotation
        bool is_annotation = false;
        cover how = cover::none;  ///< the encryption of the value, or of the one that it annotates
    };

    /// The events of a row that has ended under one name.
    struct kept_name {
        std::optional<std::size_t> text{};  ///< the first event that is its text
        bool is_binary = false;             ///< an annotation says so
        legacy_value const* legacy = nullptr;
    };

    /// A column for look-ups: the same facts as in the table, closer together in memory.
    struct place {
        std::string_view name{};
        std::string_view type{};   ///< the type that an annotation must name; empty: any
        std::uint16_t follower{};  ///< the column that last came after this one
    };

    struct unknown_column {
        std::string_view name;
        bool has_value = false;  ///< false: only an annotation of its type has come
        json_token value{};
        std::string_view type{};
        bool opened = false;
    };

    struct old_row {
        std::size_t alternative{};
        int version{};  ///< 0: the row has no older version
    };

    // The columns of every row come before those of its type.
    enum system_column : std::size_t {
        etag_column,
        partition_key_column,
        row_key_column,
        timestamp_column,
        system_columns
    };

    void choose_by_property(std::string_view text);
    void choose_old(old_row const& old);
    void choose_by_row_key(std::string_view text);
    void use(std::size_t alternative);
    void learn();
    void replay(std::size_t alternative);
    void read_buffered();
    void mark_sealed();
    bool open_legacy();
    void index_events();
    kept_name* kept(std::string_view name) noexcept;
    event* value_event(std::string_view name) noexcept;
    std::optional<bytes> binary_of(std::string_view name);
    void take_covered(event const& e);
    void take_sealed(event const& e);
    void check_index(std::string_view name, property_value const& v);
    void refuse_sealed(std::string_view name, property_fault fault);
    void read_upgraded();
    void take_value(tablemap::property const& p);

    void take(std::string_view name, json_token const& value);
    void take_inline(std::string_view name, json_token const& value);
    void take_annotation(std::string_view name, std::string_view type);
    void take_system(std::size_t at, json_token const& value);
    bool may_take(column const& c, json_token const& value);
    void check_written_only(column const& c, json_token const& value);
    bool is_opened(std::string_view name) const noexcept;
    bool is_read(std::string_view name) const noexcept;
    void move_to(std::size_t at) noexcept;
    // Not inlined into the path of every property, which rarely needs it.
    [[gnu::noinline]] std::size_t find(std::string_view name) const noexcept;
    std::size_t find_next(std::string_view name) const noexcept;
    std::optional<error> finish_row();
    bool is_of_others(error const& fault) const;
    void explain_legacy();
    unknown_column& unknown(std::string_view name);

    [[gnu::cold]] void mismatch(column const& c, std::string_view found, value_fault fault);
    [[gnu::cold]] void report(library_errc code, std::string_view property, std::string reason);
    void report_again(error const& e);

    void take_unknown_columns();
    column_set empty_optional_groups();
    void check_columns(column_set const& needless);
    void take_map_entry(map_column const& m, unknown_column const& u);
    void read_keys();
    bool is_asked_for(std::optional<std::string_view> partition_key,
                      std::optional<std::string_view> row_key) const noexcept;

    static_list<row_type const*> types_;
    std::string_view tag_;  ///< the property that identifies the type; empty: the row key does
    bool decides_;          ///< type or version are not known before the row is seen
    bool buffers_;          ///< nothing is read before the row has ended
    reading const& how_;

    bool undecided_ = false;
    old_row old_{};
    row_type const* type_ = nullptr;
    std::vector<event> events_;
    name_index event_names_;
    std::vector<kept_name> kept_;  ///< by the numbers of the names
    bool opened_ = false;          ///< the current value is encrypted in the store
    std::list<std::string> made_;  ///< texts of upgraded values

    row_type const* follows_ = nullptr;
    std::vector<place> places_;  ///< the system's columns, those of the type, and the start before the first column
    std::size_t last_ = 0;
    column_set seen_{}, annotated_{}, texts_{};
    column_set required_{};             ///< of the type: the columns that must be there
    column_set typed_{};                ///< of the type: those whose text needs a type
    std::bitset<most_slots> filled_{};  ///< the slots of maps that have an entry
    std::optional<std::string_view> partition_key_, row_key_;
    row_keys keys_{};                      ///< valid until they are taken
    std::vector<legacy_value> legacy_;     ///< of a row that an older client encrypted
    std::vector<unknown_column> unknown_;  ///< by the numbers of their names
    name_index unknown_names_;
    value_fault fault_{};
    std::vector<property_fault> faults_;
    void* slots_[most_slots];
};

/// Reads one row.
class one_row_reader final : public row_reader {
public:
    one_row_reader(row_target const& to, static_list<row_type const*> types, reading const& how)
        : row_reader(types, how) {
        to_ = to;
    }
};

}  // namespace tablemap::detail
