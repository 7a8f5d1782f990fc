// SPDX-License-Identifier: Apache-2.0
#include "patterns/modify_errors.hpp"
#include "patterns/wide_rows.hpp"
#include "patterns/wide_send.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

/// The rows of an entity as text, to find those that change. Encrypted values are plain: two encryptions of one value
/// differ.
result<std::vector<encoded_state>> rows_of(table_state const& table, wide_type type, wide_object& object,
                                           entity_key const& key) {
    std::vector<encoded_state> rows;
    for (std::size_t i = 0; i < type.rows.size(); ++i) {
        auto& out = rows.emplace_back();
        out.entity.partition_key = key.partition_key;
        out.entity.row_key = i == 0 ? key.row_key : further_row_key(key.row_key, i);
        auto r = encode_columns_state(*type.rows[i], &object, out, faulty_properties::refused, table.cipher.get());
        if (!r) return failure{of_row(r.error(), i, type.rows.size())};
    }
    return rows;
}

/// Plain bytes of a value may look like the end of one property and the beginning of another.
bool is_same_row(encoded_state const& a, encoded_state const& b) {
    auto const is_same_place = [](property_place const& x, property_place const& y) {
        return x.begin == y.begin && x.value == y.value && x.end == y.end;
    };
    return a.entity.body == b.entity.body &&
           std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(), is_same_place);
}

/// One run of `modify_wide`, once the entity was read.
class wide_modification {
public:
    wide_modification(table_state const& table, wide_type type, wide_place place, wide_set const& read)
        : table_(table), type_(type), place_(place), read_(read) {}

    /// The write of the edit; nothing if it changes nothing.
    result<std::optional<wide_writing>> edit(wide_editor& by) {
        auto& object = *place_.object;
        auto const before = rows_of(table_, type_, object, read_.key);
        by.edit(object);
        auto const key = keys_of(type_, object);
        if (!key) return failure{key.error()};
        if (!(*key == read_.key)) return failure{key_was_changed()};
        auto const after = rows_of(table_, type_, object, read_.key);
        if (!after) return failure{after.error()};
        wide_writing how{
            .kind = write_kind::replace, .if_match = place_.etag->text(), .rows = std::vector<bool>(type_.rows.size())};
        // A member that could not be stored may have been repaired: all rows are written then.
        for (std::size_t i = 0; i < after->size(); ++i)
            how.rows[i] = !before || !is_same_row((*before)[i], (*after)[i]) || lacks_row(i);
        how.erased = strangers();
        if (before && std::equal(before->begin(), before->end(), after->begin(), &is_same_row) && how.erased.empty())
            return std::nullopt;
        return how;
    }

private:
    /// True for a row that a mapping with fewer rows did not write.
    bool lacks_row(std::size_t i) const { return i > 0 && !place_.object->stamps->in_head[i]; }

    /// Rows that a mapping with more rows has left.
    std::vector<std::size_t> strangers() const {
        std::vector<std::size_t> found;
        std::copy_if(read_.rows.begin(), read_.rows.end(), std::back_inserter(found),
                     [&](std::size_t number) { return number >= type_.rows.size(); });
        return found;
    }

    table_state const& table_;
    wide_type type_;
    wide_place place_;
    wide_set const& read_;
};

}  // namespace

task<result<void>> modify_wide(std::shared_ptr<table_state const> table, wide_type type, entity_key key,
                               wide_entities& to, wide_editor& editor, modify_options options) {
    auto const call = co_await this_call();
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        auto const read = co_await read_wide(*table, type, key, true, to);
        if (!read) co_return failure{read.error()};
        if (!*read) co_return failure{not_there()};
        if (auto const& fault = (**read).fault) co_return failure{*fault};
        auto const place = to.at(0);
        auto how = wide_modification{*table, type, place, **read}.edit(editor);
        if (!how) co_return failure{how.error()};
        if (!*how) co_return result<void>{};
        auto writing = std::move(**how);
        auto const stored = co_await write_wide(table, type, *place.object, std::move(writing));
        if (stored) {
            *place.etag = *stored;
            co_return result<void>{};
        }
        if (!is_conflict(stored.error())) co_return failure{stored.error()};
        auto const until = next_try(options, tries, call.env.now() - began, stored.error(), call.env, fewer_writers);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

}  // namespace tablemap::detail
