// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/effect_rules.hpp"
#include "tablemap/detail/patterns/large_core.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/mapping/entity.hpp"
#include "tablemap/mapping/large.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The rules of types with large members, and their entities in memory.
namespace tablemap::inline v0_1::detail {

/// The large members of a struct: those of nested structs are not among them.
template <class T, std::size_t I>
inline constexpr bool is_large_field = is_large<field_type<T, I>>&& options_of<T>[I].how != storage::ignored;

template <class T, class Visitor> constexpr void for_each_large(Visitor&& visit) {
    for_each_field_index<T>([&](auto i) {
        if constexpr (is_large_field<T, i>) visit(i);
    });
}

template <class T, std::size_t I>
inline constexpr std::string_view large_property = options_of<T>[I].name.empty() ? std::string_view{field_name<T, I>}
                                                                                 : options_of<T>[I].name;

template <std::size_t I, class T> large_part large_part_of(T& value) {
    return {field_name<T, I>, large_property<T, I>, &cell_of(get_field<I>(value))};
}

template <class T> constexpr bool has_large_members() {
    bool found = false;
    for_each_large<T>([&](auto) { found = true; });
    return found;
}

template <class T> constexpr bool has_encrypted_large_members() {
    bool found = false;
    for_each_field_index<T>([&](auto i) {
        if constexpr (is_large_field<T, i>)
            found = found || std::same_as<field_type<T, i>, large<encrypted<std::string>>> ||
                    std::same_as<field_type<T, i>, large<encrypted<bytes>>>;
    });
    return found;
}

template <class T> constexpr bool has_large_keys() {
    constexpr auto uses = list_key_uses<T, false>();
    bool found = false;
    for_each_field_index<T>([&](auto i) { found = found || (is_large<field_type<T, i>> && uses[i] != key_use::none); });
    return found;
}

template <class V> inline constexpr bool is_optional_large = false;
template <class V> inline constexpr bool is_optional_large<std::optional<large<V>>> = true;

template <class T> constexpr bool has_optional_large_members() {
    return []<class... F>(type_list<F...>) { return (is_optional_large<F> || ...); }(field_types<T>{});
}

/// Checks every rule of a type with large members. A static_assert names the broken rule.
template <class T> constexpr bool check_large() {
    static_assert(mapped<T>, "tablemap[P12]: a large_table is of one mapped struct; make one for each kind of entity");
    if constexpr (mapped<T>) {
        if constexpr (check_mapping<T>()) {
            constexpr bool some = has_large_members<T>();
            static_assert(some, "tablemap[P12]: a large_table is of a struct with a large<...> member that is its own "
                                "and not one of a nested struct; use table<T> for others");
            constexpr bool plain = !has_optional_large_members<T>();
            static_assert(plain, "tablemap[P12]: a large member is not optional; let an empty value be its absence");
            constexpr bool no_key = !has_large_keys<T>();
            static_assert(no_key, "tablemap[P12]: a large member is not part of a key; keep what entities are found by "
                                  "in a member of its own");
            static_assert(!indexed<T>, "tablemap[P12]: a struct with large members has no indexes; keep an entity to "
                                       "find it by beside it");
            constexpr bool apart = is_apart_from<T>(permit_prefix);
            static_assert(apart, "tablemap[P12]: the row key of a type with large members begins with a literal of its "
                                 "own, which tells its rows from permits of writers: key(\"doc_\", ...); it does not "
                                 "begin as ~large_ does");
            return some && plain && no_key && !indexed<T> && apart;
        }
    }
    return false;
}

/// An entity, which is borrowed.
template <class T> class typed_large final : public large_entity {
public:
    explicit typed_large(entity<T>& e) noexcept : e_(e) {}

    result<void> decode(std::string& body, property_cipher const* cipher) override {
        e_ = {};
        return decode_into(body, e_, cipher);
    }
    std::vector<large_part> parts() override {
        std::vector<large_part> all;
        for_each_large<T>([&](auto i) { all.push_back(large_part_of<i>(e_.value)); });
        return all;
    }
    void generate_key(clock& c) override { write_encoder<T>{false, c, nullptr}.generate_keys(e_.value); }
    result<entity_key> key() const override {
        entity_key k;
        if (auto r = encode_keys(e_.value, k.partition_key, k.row_key); !r) return failure{std::move(r).error()};
        return k;
    }
    tablemap::etag& etag() noexcept override { return e_.etag; }

private:
    entity<T>& e_;
};

/// Writes a whole entity.
template <class T> class whole_large_writer final : public large_writer {
public:
    whole_large_writer(write_kind kind, entity<T>& e) noexcept : kind_(kind), e_(e) {}

    write_kind kind() const noexcept override { return kind_; }
    std::vector<large_part> written() override { return typed_large<T>{e_}.parts(); }
    encoded_write encode(table_state const& rows, clock& c) override {
        write_encoder<T> const by{rows.operation_ids, c, rows.cipher.get()};
        return kind_ == write_kind::replace ? by.replace(e_) : by.whole(kind_, e_.value, {});
    }

private:
    write_kind kind_;
    entity<T>& e_;
};

/// Writes chosen members of an entity.
template <class T, class Choice> class chosen_large_writer final : public large_writer {
public:
    chosen_large_writer(entity<T>& e, Choice const& choice) : e_(e), choice_(choice) {}

    write_kind kind() const noexcept override { return write_kind::merge; }
    std::vector<large_part> written() override {
        std::vector<large_part> chosen;
        chosen_columns columns;
        static_cast<void>(chooser<Choice>::template choose<T>(choice_, columns));
        for_each_large<T>([&](auto i) {
            if (columns.fields.test(i)) chosen.push_back(large_part_of<i>(e_.value));
        });
        return chosen;
    }
    encoded_write encode(table_state const& rows, clock& c) override {
        write_encoder<T> const by{rows.operation_ids, c, rows.cipher.get()};
        return by.merge(e_, choice_);
    }

private:
    entity<T>& e_;
    Choice choice_;
};

template <class T> task<result<std::optional<entity<T>>>> find_large(large_state_ptr table, result<entity_key> key) {
    if (!key) co_return failure{std::move(key).error()};
    std::optional<entity<T>> e{std::in_place};
    typed_large<T> to{*e};
    auto const found = co_await read_large(table, *key, false, to);
    if (!found) co_return failure{found.error()};
    if (!*found) e.reset();
    co_return std::move(e);
}

/// The entity is borrowed, here and below.
template <class T> task<result<bool>> load_typed_large(large_state_ptr table, entity<T>& e) {
    typed_large<T> to{e};
    auto const loaded = co_await load_large(table, to);
    co_return loaded;
}

/// Reads the value of one member piece by piece.
template <auto Member, class T>
task<result<bool>> stream_typed_large(large_state_ptr table, entity<T> const& e,
                                      std::function<void(std::span<std::byte const>)> to) {
    constexpr auto i = member_index<Member, T>;
    large_source_part const from{field_name<T, i>, large_property<T, i>, cell_of(e.value.*Member)};
    return stream_large(std::move(table), key_of<T>::of(e.value).try_encode(), from, std::move(to));
}

template <class T> task<result<entity<T>>> store_large(large_state_ptr table, write_kind kind, T value) {
    entity<T> e;
    e.value = std::move(value);
    typed_large<T> what{e};
    whole_large_writer<T> writer{kind, e};
    auto const written = co_await write_large(table, what, writer);
    if (!written) co_return failure{written.error()};
    co_return std::move(e);
}

template <class T> task<result<void>> replace_large(large_state_ptr table, entity<T>& e) {
    typed_large<T> what{e};
    whole_large_writer<T> writer{write_kind::replace, e};
    auto const written = co_await write_large(table, what, writer);
    if (written) e.outdated = false;
    co_return written;
}

template <class T, auto... Members>
task<result<void>> merge_large(large_state_ptr table, entity<T>& e, only_t<Members...> only) {
    if constexpr (check_chosen<T, Members...>()) {
        typed_large<T> what{e};
        chosen_large_writer<T, only_t<Members...>> writer{e, only};
        auto const written = co_await write_large(table, what, writer);
        co_return written;
    }
}

/// The entity of `modify`, the change of it, and the write of what changed: a merge, or a replace that keeps the
/// properties that the struct does not have.
template <class T, class Function>
class large_change final : public large_entity, public large_editor, public large_writer {
public:
    large_change(entity<T>& e, property_cipher const* cipher, Function f)
        : e_(e), typed_(e), cipher_(cipher), function_(std::move(f)) {}

    result<void> decode(std::string& body, property_cipher const* cipher) override {
        row_ = body;
        return typed_.decode(body, cipher);
    }
    std::vector<large_part> parts() override { return typed_.parts(); }
    void generate_key(clock&) override {}
    result<entity_key> key() const override { return typed_.key(); }
    tablemap::etag& etag() noexcept override { return e_.etag; }

    result<void> edit() override {
        if (auto r = note_state(); !r) return r;
        std::invoke(function_, e_.value);
        return {};
    }

    write_kind kind() const noexcept override { return write_kind::merge; }
    bool leaves_out_unchanged() const noexcept override { return true; }
    std::vector<large_part> written() override { return parts(); }
    encoded_write encode(table_state const& rows, clock& c) override {
        encoded_write w{.kind = write_kind::merge, .if_match = std::string{e_.etag.text()}};
        w.fault = fault_of_etag(e_.etag, "upsert");
        if (!w.fault) w.fault = fault_of(compose(rows, c, w));
        return w;
    }

private:
    /// The state of the values as they were read.
    result<void> note_state() {
        before_ = {};
        auto const stored = as_stored(parts());
        plans const put_in{stored};
        return encode_state(e_.value, before_, faulty_properties::left_blank, cipher_);
    }

    result<void> compose(table_state const& rows, clock& c, encoded_write& to) {
        encoded_state after;
        if (rows.operation_ids) after.entity.operation_id = random_guid(c);
        if (auto r = encode_state(e_.value, after, faulty_properties::refused, cipher_); !r) return r;
        edited_entity edit;
        auto const changed = compose_edit(row_, e_.outdated, row_types_of<T>(), before_, after, cipher_, edit);
        if (!changed) return failure{changed.error()};
        to.needless = !*changed;
        if (to.needless) return {};
        to.kind = edit.kind;
        to.entity.partition_key = after.entity.partition_key;
        to.entity.row_key = after.entity.row_key;
        to.entity.body = std::move(edit.body);
        to.entity.operation_id = edit.operation_id;
        return {};
    }

    entity<T>& e_;
    typed_large<T> typed_;
    property_cipher const* cipher_;
    Function function_;
    std::string row_{};
    encoded_state before_{};
};

template <class T, class Function>
task<result<entity<T>>> change_large(large_state_ptr table, result<entity_key> key, Function f,
                                     modify_options options) {
    if (!key) co_return failure{std::move(key).error()};
    entity<T> e;
    large_change<T, Function> change{e, table->rows->cipher.get(), std::move(f)};
    auto const changed = co_await modify_large(table, *key, change, change, change, options);
    if (!changed) co_return failure{changed.error()};
    e.outdated = false;
    co_return std::move(e);
}

}  // namespace tablemap::detail
