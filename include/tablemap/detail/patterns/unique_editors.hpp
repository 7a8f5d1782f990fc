// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/unique_rules.hpp"
#include "tablemap/detail/write/value_editor.hpp"

#include <optional>
#include <string>
#include <utility>

/// The editors of writes that keep values unique over a table, one for each kind of write.
namespace tablemap::inline v0_1::detail {

/// The common part of the editors. The state is borrowed.
template <class T, class... Uniques> class unique_editor_of : public unique_editor {
protected:
    explicit unique_editor_of(unique_state const& table) : table_(table) {}

    property_cipher const* cipher() const noexcept { return table_.entities->cipher.get(); }
    write_encoder<T> encoder(environment const& env) const noexcept {
        return {table_.entities->operation_ids, env.clock(), cipher()};
    }
    result<unique_keys> keys_of(std::string& row) const { return table_.type.keys_of(row, cipher()); }
    result<unique_keys> keys_of(T const& value) const {
        return unique_keys_once_stored<T, Uniques...>(value, cipher());
    }
    static unique_keys no_keys() { return unique_keys(sizeof...(Uniques)); }

    /// A change to this value. A fault of the write is its result.
    result<unique_change> change_to(T const& value, encoded_write&& w, unique_keys before) const {
        if (w.fault) return failure{*w.fault};
        unique_change change{.before = std::move(before)};
        auto after = keys_of(value);
        if (!after) return failure{std::move(after).error()};
        change.after = *std::move(after);
        change.write = std::move(w);
        return change;
    }

private:
    unique_state const& table_;
};

template <class T, class... Uniques> class unique_insert final : public unique_editor_of<T, Uniques...> {
public:
    using value_type = entity<T>;

    unique_insert(unique_state const& table, T value)
        : unique_editor_of<T, Uniques...>(table), value_(std::move(value)) {}

    bool reads() const noexcept override { return false; }

    result<unique_change> edit(response*, environment const& env) override {
        return this->change_to(value_, this->encoder(env).whole(write_kind::insert, value_, {}), this->no_keys());
    }

    value_type finish(std::optional<etag> stored) { return {std::move(value_), *std::move(stored)}; }

private:
    T value_;
};

/// The entity is borrowed, and gets its etag.
template <class T, class... Uniques> class unique_replace final : public unique_editor_of<T, Uniques...> {
public:
    using value_type = void;

    unique_replace(unique_state const& table, entity<T>& e) : unique_editor_of<T, Uniques...>(table), target_(&e) {}

    bool reads() const noexcept override { return true; }

    result<unique_change> edit(response* stored, environment const& env) override {
        if (!target_->etag.empty() && stored->etag != target_->etag)
            return fail(service_errc::update_condition_not_satisfied);
        auto before = this->keys_of(stored->body);
        if (!before) return failure{std::move(before).error()};
        auto change = this->change_to(target_->value, this->encoder(env).replace(*target_), *std::move(before));
        if (change) change->was_read = true;
        return change;
    }

    result<void> finish(std::optional<etag> stored) {
        target_->etag = *std::move(stored);
        target_->outdated = false;
        return {};
    }

private:
    entity<T>* target_;
};

/// The entity is borrowed.
template <class T, class... Uniques> class unique_erase final : public unique_editor_of<T, Uniques...> {
public:
    using value_type = void;

    unique_erase(unique_state const& table, entity<T> const& e) : unique_editor_of<T, Uniques...>(table), target_(&e) {}

    bool reads() const noexcept override { return false; }

    result<unique_change> edit(response*, environment const&) override {
        auto w = write_encoder<T>::erase(*target_);
        if (w.fault) return failure{*std::move(w.fault)};
        unique_change change{.after = this->no_keys()};
        change.before = value_or_throw(unique_keys_of_value<true, T, Uniques...>(target_->value));
        change.write = std::move(w);
        return change;
    }

    result<void> finish(std::optional<etag> const&) const { return {}; }

private:
    entity<T> const* target_;
};

template <class T, class Change, class... Uniques> class unique_modify final : public unique_editor_of<T, Uniques...> {
public:
    using value_type = entity<T>;

    unique_modify(unique_state const& table, Change change, entity_key own)
        : unique_editor_of<T, Uniques...>(table),
          own_(std::move(own)),
          editor_(std::move(change), table.entities->operation_ids, table.entities->cipher.get()) {}

    bool reads() const noexcept override { return true; }
    bool repeats() const noexcept override { return true; }

    result<unique_change> edit(response* stored, environment const& env) override {
        auto before = this->keys_of(stored->body);
        if (!before) return failure{std::move(before).error()};
        edited_entity edited;
        auto const changed = editor_.edit(stored, env, edited);
        if (!changed) return failure{changed.error()};
        if (!*changed) return unique_change{};
        auto change = this->change_to(editor_.value(), write_of(std::move(edited), stored->etag), *std::move(before));
        if (change) change->was_read = true;
        return change;
    }

    value_type finish(std::optional<etag> stored) {
        return stored ? editor_.finish(*std::move(stored)) : editor_.unchanged();
    }

private:
    struct editor final : value_editor<T, Change> {
        using value_editor<T, Change>::value_editor;
        T const& value() const { return this->entity_->value; }
    };

    encoded_write write_of(edited_entity&& e, etag const& read) const {
        encoded_write w{.kind = e.kind, .if_match = read.text()};
        w.entity.partition_key = own_.partition_key;
        w.entity.row_key = own_.row_key;
        w.entity.body = std::move(e.body);
        w.entity.operation_id = e.operation_id;
        return w;
    }

    entity_key own_;
    editor editor_;
};

}  // namespace tablemap::detail
