// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/valued_members.hpp"
#include "tablemap/detail/write/value_editor.hpp"

#include <optional>
#include <string>
#include <utility>

/// The editors of writes that keep rows of values beside the entities of a table, one for each kind of write.
namespace tablemap::inline v0_1::detail {

/// The common part of the editors. The state is borrowed.
template <class T, class... Items> class valued_editor_of : public valued_editor {
protected:
    explicit valued_editor_of(valued_table const& table) : table_(table) {}

    property_cipher const* cipher() const noexcept { return table_.entities->cipher.get(); }
    write_encoder<T> encoder(environment const& env) const noexcept {
        return {table_.entities->operation_ids, env.clock(), cipher()};
    }
    result<value_keys> keys_of(std::string& row) const { return table_.type.keys_of(row, cipher()); }
    result<value_keys> keys_of(T const& value) const { return value_keys_once_stored<T, Items...>(value, cipher()); }
    static value_keys no_keys() { return value_keys(sizeof...(Items)); }

    /// A change to this value. A fault of the write is its result.
    result<valued_change> change_to(T const& value, encoded_write&& w, value_keys before) const {
        if (w.fault) return failure{*w.fault};
        valued_change change{.before = std::move(before)};
        auto after = keys_of(value);
        if (!after) return failure{std::move(after).error()};
        change.after = *std::move(after);
        change.write = std::move(w);
        return change;
    }

private:
    valued_table const& table_;
};

template <class T, class... Items> class valued_insert final : public valued_editor_of<T, Items...> {
public:
    using value_type = entity<T>;

    valued_insert(valued_table const& table, T value)
        : valued_editor_of<T, Items...>(table), value_(std::move(value)) {}

    bool reads() const noexcept override { return false; }

    result<valued_change> edit(response*, environment const& env) override {
        return this->change_to(value_, this->encoder(env).whole(write_kind::insert, value_, {}), this->no_keys());
    }

    value_type finish(std::optional<etag> stored) { return {std::move(value_), *std::move(stored)}; }

private:
    T value_;
};

/// The entity is borrowed, and gets its etag.
template <class T, class... Items> class valued_replace final : public valued_editor_of<T, Items...> {
public:
    using value_type = void;

    valued_replace(valued_table const& table, entity<T>& e) : valued_editor_of<T, Items...>(table), target_(&e) {}

    bool reads() const noexcept override { return true; }

    result<valued_change> edit(response* stored, environment const& env) override {
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
template <class T, class... Items> class valued_erase final : public valued_editor_of<T, Items...> {
public:
    using value_type = void;

    valued_erase(valued_table const& table, entity<T> const& e) : valued_editor_of<T, Items...>(table), target_(&e) {}

    bool reads() const noexcept override { return false; }

    result<valued_change> edit(response*, environment const&) override {
        auto w = write_encoder<T>::erase(*target_);
        if (w.fault) return failure{*std::move(w.fault)};
        valued_change change{.after = this->no_keys()};
        change.before = value_or_throw(value_keys_of<true, T, Items...>(target_->value));
        change.write = std::move(w);
        return change;
    }

    result<void> finish(std::optional<etag> const&) const { return {}; }

private:
    entity<T> const* target_;
};

template <class T, class Change, class... Items> class valued_modify final : public valued_editor_of<T, Items...> {
public:
    using value_type = entity<T>;

    valued_modify(valued_table const& table, Change change, entity_key own)
        : valued_editor_of<T, Items...>(table),
          own_(std::move(own)),
          editor_(std::move(change), table.entities->operation_ids, table.entities->cipher.get()) {}

    bool reads() const noexcept override { return true; }
    bool repeats() const noexcept override { return true; }

    result<valued_change> edit(response* stored, environment const& env) override {
        auto before = this->keys_of(stored->body);
        if (!before) return failure{std::move(before).error()};
        edited_entity edited;
        auto const changed = editor_.edit(stored, env, edited);
        if (!changed) return failure{changed.error()};
        if (!*changed) return valued_change{};
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
