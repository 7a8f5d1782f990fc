// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_check.hpp"
#include "tablemap/detail/mapping/indexed_members.hpp"
#include "tablemap/mapping/changes.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/store/clock.hpp"
#include "tablemap/store/request.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// From values to writes: what tables, transactions and bulk writers have in common.
namespace tablemap::inline v0_1::detail {

/// One write, encoded: it owns the data that its request borrows.
struct encoded_write {
    write_kind kind{};
    encoded_entity entity{};
    std::string if_match{};
    std::optional<error> fault{};        ///< why it cannot even be sent
    bool needless = false;               ///< it would change nothing: it is not to be sent, and counts as carried out
    bool key_is_new = false;             ///< a part of it was generated: encoded once more it is another entity
    index_set const* indexes = nullptr;  ///< that may have to change with the entity; null: none
    /// The rows of the entity after the write, if the value in hand shows them: not after a merge or an erase, nor if
    /// the indexes are not `exact`.
    std::vector<index_row> rows{};
    bool has_rows = false;  ///< they are in `rows`

    write_operation operation() const noexcept {
        return {.kind = kind,
                .partition_key = entity.partition_key,
                .row_key = entity.row_key,
                .body = entity.body,
                .if_match = if_match,
                .operation_id = entity.operation_id,
                .properties_at = entity.properties_at};
    }
};

/// The name of the public function that makes such a write, for messages.
std::string_view name_of(encoded_write const& w) noexcept;

std::optional<error> fault_of(result<void> const& r);

/// Refuses an etag for a conditional write that is empty or does not name one version, such as `*`. `unconditional` is
/// the function that writes any version. Errors: `library_errc::missing_etag`.
std::optional<error> fault_of_etag(etag const& e, std::string_view unconditional);

error merge_of_outdated();

template <class T> constexpr bool has_generated_keys() {
    if constexpr (mapped<T>) {
        auto const any = [](auto const& key) {
            for (auto const& p : key.layouts)
                if (p.generated) return true;
            return false;
        };
        return any(mapping<T>::partition_key) || any(mapping<T>::row_key);
    }
    return is_variant<T>;  // of its types any may have them
}

/// An object that is stored whole. Its parts of the key that are generated may be filled.
struct whole_value {
    row_type const* type;
    index_set const* indexes;
    void* object;
};

template <mapped T> whole_value whole_value_of(T& value) { return {&row_type_of<T>, indexes_of<T>(), &value}; }

/// The part of a `write_encoder` that all types share.
class write_encoder_base {
public:
    /// Clock and cipher are borrowed. The clock is where random keys and operation ids come from.
    write_encoder_base(bool operation_ids, clock& c, property_cipher const* cipher) noexcept
        : operation_ids_(operation_ids), clock_(c), cipher_(cipher) {}

    /// All of an object, by one of the kinds that send it. Unless it has to exist already, generated parts of its key
    /// get their values.
    encoded_write whole(write_kind kind, whole_value const& value, std::string_view if_match) const;

protected:
    /// Gives generated parts of a key values if they have none. True if there were such parts.
    bool fill_generated(row_type const& type, void* object) const;

    /// A write to encode into, with an operation id if the table has them.
    encoded_write fresh(write_kind kind, std::string_view if_match, index_set const* indexes) const;

    static void finish(encoded_write& w, result<void> const& encoded);

    /// `finish` of a write that leaves the entity with the value and nothing of what was stored before. `value` is of
    /// the type of the indexes.
    void finish_whole(encoded_write& w, result<void> const& encoded, void const* value) const;

    bool operation_ids_;
    clock& clock_;
    property_cipher const* cipher_;
};

/// Encodes the writes of a T; an error of a value becomes the write's fault.
template <class T> class write_encoder : public write_encoder_base {
public:
    using write_encoder_base::write_encoder_base;

    /// Gives generated parts of a key values if they have none. True if there were such parts.
    template <class V> bool generate_keys(V& value) const {
        bool made = false;
        if constexpr (is_variant<V>) {
            made = std::visit([&](auto& v) { return generate_keys(v); }, value);
        } else if constexpr (has_generated_keys<V>()) {
            made = fill_generated(row_type_of<V>, &value);
        }
        return made;
    }

    /// All of a value, by one of the kinds that send it. Unless it has to exist already, generated parts of its key get
    /// their values.
    encoded_write whole(write_kind kind, T& value, std::string_view if_match) const {
        if constexpr (mapped<T>) {
            return write_encoder_base::whole(kind, whole_value_of(value), if_match);
        } else {
            bool made = false;
            if constexpr (has_generated_keys<T>()) made = kind != write_kind::replace && generate_keys(value);
            auto w = fresh(kind, if_match);
            w.key_is_new = made;
            finish_whole(w, encode(value, w.entity, empty_members::left_out, cipher_), &value);
            return w;
        }
    }

    encoded_write whole(write_kind kind, T const& value, std::string_view if_match) const {
        if constexpr (has_generated_keys<T>()) {
            auto with_keys = value;
            return whole(kind, with_keys, if_match);
        } else {
            auto w = fresh(kind, if_match);
            finish_whole(w, encode(value, w.entity, empty_members::left_out, cipher_), &value);
            return w;
        }
    }

    /// All or chosen members of an entity that was read, under its etag.
    encoded_write replace(entity<T> const& e) const {
        auto w = fresh(write_kind::replace, e.etag.text());
        w.fault = fault_of_etag(e.etag, "replace_any");
        if (!w.fault) finish_whole(w, encode(e.value, w.entity, empty_members::left_out, cipher_), &e.value);
        return w;
    }
    encoded_write merge(entity<T> const& e) const {
        return merge_by(e, [&](encoded_entity& out) { return encode(e.value, out, empty_members::refused, cipher_); });
    }
    template <choosing::choice Choice> encoded_write merge(entity<T> const& e, Choice const& chosen) const {
        static_assert(!is_variant<T>,
                      "tablemap[W2]: only<...> names members of one type; merge through a table<employee> on the same "
                      "table");
        auto w = merge_by(
            e, [&](encoded_entity& out) { return encode(e.value, out, chosen, empty_members::refused, cipher_); });
        if constexpr (!touch_indexes<T, Choice>) w.indexes = nullptr;
        return w;
    }
    encoded_write merge(entity<T> const& e,
                        only_properties const& chosen) const requires std::same_as<T, dynamic_entity> {
        return merge_by(e, [&](encoded_entity& out) { return encode(e.value, out, chosen, cipher_); });
    }

    /// The members that changed since an earlier state of the entity; a needless write if there are none.
    encoded_write merge(entity<T> const& e, changed_since_t<T> const& since) const {
        bool changed = true;
        auto w = merge_by(e, [&](encoded_entity& out) -> result<void> {
            auto r = encode_changes(*since.before, e.value, out, cipher_);
            if (!r) return failure{std::move(r).error()};
            changed = *r;
            return {};
        });
        w.needless = !changed;
        return w;
    }

    /// The members of a value whether or not the entity exists; empty ones are left out.
    encoded_write upsert_merge(T const& value) const {
        check_merge_unread();
        auto w = fresh(write_kind::upsert_merge, {});
        finish(w, encode(value, w.entity, empty_members::left_out, cipher_));
        return w;
    }

    /// Chosen members or elements, by one of the kinds that send only those, of an entity that was not read.
    template <choosing::choice Choice>
    encoded_write chosen(write_kind kind, T const& value, Choice const& choice, std::string_view if_match) const {
        check_merge_unread();
        static_assert(
            !has_computed_columns<T>,
            "tablemap[M7]: this mapping has computed properties, which chosen members alone do not give; read "
            "the entity and merge that, or use modify");
        auto w = fresh(kind, if_match);
        // An upsert may make the entity, and with it its rows in all indexes.
        if constexpr (!touch_indexes<T, Choice>)
            if (kind == write_kind::merge) w.indexes = nullptr;
        finish(w, encode(value, w.entity, choice, empty_members::refused, cipher_));
        return w;
    }

    static encoded_write erase(entity<T> const& e) {
        encoded_write w{.kind = write_kind::erase, .if_match = e.etag.text(), .indexes = indexes_of<T>()};
        w.fault = fault_of_etag(e.etag, "erase_any");
        if (!w.fault) finish(w, encode_keys(e.value, w.entity.partition_key, w.entity.row_key));
        return w;
    }
    static encoded_write erase_any(key_of<T> const& key) {
        encoded_write w{.kind = write_kind::erase, .if_match = std::string{any_etag}, .indexes = indexes_of<T>()};
        finish(w, encode_keys(key, w.entity.partition_key, w.entity.row_key));
        return w;
    }

private:
    static constexpr void check_merge_unread() {
        static_assert(
            !has_older_versions<T>,
            "tablemap[M11]: the row may have an older version of this type, whose properties would be taken for "
            "new ones after a merge; read the entity and replace it, or use modify or upsert_replace");
    }

    encoded_write fresh(write_kind kind, std::string_view if_match) const {
        return write_encoder_base::fresh(kind, if_match, indexes_of<T>());
    }

    template <class Encode> encoded_write merge_by(entity<T> const& e, Encode encode_into) const {
        auto w = fresh(write_kind::merge, e.etag.text());
        w.fault = fault_of_etag(e.etag, "merge_any");
        if (!w.fault && e.outdated) w.fault = merge_of_outdated();
        if (!w.fault) finish(w, encode_into(w.entity));
        return w;
    }
};

}  // namespace tablemap::detail
