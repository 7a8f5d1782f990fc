// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/mapping/changes.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

/// The editors of `modify`: they decode the entity that was read, call the user's function, and encode its changes.
namespace tablemap::inline v0_1::detail {

/// Refuses functions whose change would be lost.
template <class T, class Function> constexpr bool check_change() {
    // A parameter that takes a temporary is a copy, or const: changes of it never reach the entity.
    static_assert(
        std::is_member_function_pointer_v<std::decay_t<Function>> || !std::is_invocable_v<Function&, T&&>,
        "tablemap[W3]: the function given to modify must take the value as T&, not by value, as const or as T&&: "
        "what it changes in a copy is not stored");
    static_assert(std::is_void_v<std::invoke_result_t<Function&, T&>>,
                  "tablemap[W3]: the function given to modify must return nothing: it changes the value in its place");
    return true;
}

/// Makes `out` a merge of the changes; a replace that keeps the columns that the type does not know if a property is
/// gone or the row has an older version. Returns false if nothing changed. `row` is the encoded row that was read; it
/// may grow in capacity. Errors: `library_errc::key_changed`, those of `finish_entity`.
result<bool> compose_edit(std::string& row, bool outdated, static_list<row_type const*> types,
                          encoded_state const& before, encoded_state const& after, property_cipher const* cipher,
                          edited_entity& out);

/// Makes `out` an insert of everything. Errors: as `compose_edit`.
result<void> compose_insert(encoded_state const& before, encoded_state const& after, property_cipher const* cipher,
                            edited_entity& out);

/// The editor of `modify`.
template <class T, class Function> class value_editor : public row_editor {
    static_assert(check_change<T, Function>());

public:
    using value_type = entity<T>;

    /// The cipher, which may be null, is borrowed.
    value_editor(Function f, bool with_id, property_cipher const* cipher)
        : cipher_(cipher), function_(std::move(f)), with_id_(with_id) {}

    late_result<T, bool> edit(response* read, environment const& env, edited_entity& write) override {
        if (auto r = decode_into(read->body, entity_.emplace(), cipher_); !r) return failure{std::move(r).error()};
        index_change rows{indexes_of<T>(), cipher_};
        rows.begin(&entity_->value, entity_->outdated);
        encoded_state before, after;
        if (auto r = change(env, before, after); !r) return failure{std::move(r).error()};
        auto edited = compose_edit(read->body, entity_->outdated, row_types_of<T>(), before, after, cipher_, write);
        if (edited && *edited)
            if (auto r = rows.end(&entity_->value, &read->body, write); !r) return failure{std::move(r).error()};
        return edited;
    }

    entity<T> finish(etag&& stored) { return {std::move(entity_->value), std::move(stored)}; }
    entity<T> unchanged() { return std::move(*entity_); }

protected:
    /// Calls the function on the value, and encodes that before and after.
    result<void> change(environment const& env, encoded_state& before, encoded_state& after) {
        // A member that cannot be stored is left blank: the function may be about to repair it.
        if (auto r = encode_state(entity_->value, before, faulty_properties::left_blank, cipher_); !r) return r;
        std::invoke(function_, entity_->value);
        if (with_id_) after.entity.operation_id = random_guid(env.clock());
        return encode_state(entity_->value, after, faulty_properties::refused, cipher_);
    }

    property_cipher const* cipher_;
    std::optional<entity<T>> entity_{};

private:
    Function function_;
    bool with_id_;
};

/// The editor of `modify_or_insert`.
template <class T, class Function> class initial_value_editor : public value_editor<T, Function> {
public:
    initial_value_editor(T initial, Function f, bool with_id, property_cipher const* cipher)
        : value_editor<T, Function>(std::move(f), with_id, cipher), initial_(std::move(initial)) {}

    late_result<T, bool> edit(response* read, environment const& env, edited_entity& write) override {
        if (read && read->ok()) return value_editor<T, Function>::edit(read, env, write);
        if (auto r = create(env, write); !r) return failure{std::move(r).error()};
        return true;
    }

private:
    result<void> create(environment const& env, edited_entity& write) {
        this->entity_.emplace().value = initial_;
        encoded_state before, after;
        if (auto r = this->change(env, before, after); !r) return r;
        if (auto r = compose_insert(before, after, this->cipher_, write); !r) return r;
        return index_change{indexes_of<T>(), this->cipher_}.end(&this->entity_->value, nullptr, write);
    }

    T initial_;
};

}  // namespace tablemap::detail
