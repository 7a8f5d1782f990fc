// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/copies_filling.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

/// The editors of writes that keep copies, one for each kind of write.
namespace tablemap::inline v0_1::detail {

inline constexpr auto always = [](auto const&) { return true; };

template <class T, class... Types> class inserting_editor final : public copies_editor_base<T, Types...> {
public:
    using value_type = entity<T>;

    inserting_editor(table_state const& table, T value, entity_key own)
        : copies_editor_base<T, Types...>(table, std::move(value), std::move(own), holders::refreshed) {}

    result<copies_reads> begin(response*, environment const&) override {
        auto reads = this->begin_try();
        auto r = this->want_sources(reads, always);
        if (r) r = this->want_holders(reads, always);
        if (!r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        this->fill_from_itself();
        auto w = this->compose_others();
        if (w) w->own = this->encoder(env).whole(write_kind::insert, this->entity_.value, {});
        return w;
    }

    value_type finish(std::optional<etag> stored) {
        this->entity_.etag = *std::move(stored);
        return std::move(this->entity_);
    }
};

/// The entity is borrowed; it gets its copies and its etag.
template <class T, class... Types> class replacing_editor final : public copies_editor_base<T, Types...> {
public:
    using value_type = void;

    replacing_editor(table_state const& table, entity<T>& e, entity_key own)
        : copies_editor_base<T, Types...>(table, e.value, std::move(own), holders::refreshed), target_(&e) {}

    result<copies_reads> begin(response*, environment const&) override {
        if (auto f = fault_of_etag(target_->etag, "modify")) return failure{*std::move(f)};
        auto reads = this->begin_try();
        auto r = this->want_sources(reads, always);
        if (r) r = this->want_holders(reads, always);
        if (!r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        this->fill_from_itself();
        this->entity_.etag = target_->etag;
        auto w = this->compose_others();
        if (w) w->own = this->encoder(env).replace(this->entity_);
        return w;
    }

    result<void> finish(std::optional<etag> stored) {
        target_->value = std::move(this->entity_.value);
        target_->etag = *std::move(stored);
        target_->outdated = false;
        return {};
    }

private:
    entity<T>* target_;
};

template <class T, class Function, class... Types>
class modifying_editor final : public copies_editor_base<T, Types...> {
    static_assert(check_change<T, Function>());

public:
    using value_type = entity<T>;

    modifying_editor(table_state const& table, Function f, entity_key own)
        : copies_editor_base<T, Types...>(table, T{}, std::move(own), holders::refreshed), function_(std::move(f)) {}

    result<copies_reads> begin(response* own, environment const&) override {
        auto reads = this->begin_try();
        auto& e = this->entity_;
        body_ = std::move(own->body);
        e = {};
        if (auto r = decode_into(body_, e, this->cipher()); !r) return failure{std::move(r).error()};
        if (e.etag.empty()) e.etag = std::move(own->etag);
        before_ = {};
        auto r = encode_state(e.value, before_, faulty_properties::left_blank, this->cipher());
        if (!r) return failure{std::move(r).error()};
        auto const old = e.value;
        std::invoke(function_, e.value);
        entity_key now;
        r = encode_keys(e.value, now.partition_key, now.row_key);
        if (r && now == this->own()) {
            r = this->want_sources(reads, [&]<class Rule>(Rule) {
                return Rule::links_differ(old, e.value) || Rule::copies_differ(old, e.value) ||
                       this->template is_own_changed_source<Rule>(old);
            });
            if (r)
                r = this->want_holders(reads, [&]<class Rule>(Rule) { return Rule::originals_differ(old, e.value); });
        }
        if (!r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const& env) override {
        auto& e = this->entity_;
        this->fill_from_itself();
        encoded_state after;
        if (this->table().operation_ids) after.entity.operation_id = random_guid(env.clock());
        auto r = encode_state(e.value, after, faulty_properties::refused, this->cipher());
        if (!r) return failure{std::move(r).error()};
        edited_entity edit;
        auto const changed = compose_edit(body_, e.outdated, row_types_of<T>(), before_, after, this->cipher(), edit);
        if (!changed) return failure{changed.error()};
        auto w = this->compose_others();
        row_version const version{this->own().row_key, e.etag};
        if (w && *changed) w->own = write_of(std::move(edit), version, this->own().partition_key);
        if (w && !*changed && !w->others.empty()) w->unchanged.push_back(version);
        return w;
    }

    value_type finish(std::optional<etag> stored) {
        if (!stored) return std::move(this->entity_);
        return {std::move(this->entity_.value), *std::move(stored)};
    }

private:
    Function function_;
    std::string body_{};
    encoded_state before_{};
};

/// Erases the row, unless rows hold copies of it and these are not to be cleared. Yields true if it was erased, or if
/// copies are cleared the number of rows that held them.
template <holders Mode, class T, class... Types> class erasing_editor final : public copies_editor_base<T, Types...> {
    static constexpr bool clears = Mode == holders::cleared;

public:
    using value_type = std::conditional_t<clears, std::size_t, bool>;

    erasing_editor(table_state const& table, entity<T> const& e, entity_key own)
        : copies_editor_base<T, Types...>(table, e.value, std::move(own), Mode), etag_(e.etag.text()) {}

    result<copies_reads> begin(response*, environment const&) override {
        if (auto f = fault_of_etag(etag{etag_}, "modify")) return failure{*std::move(f)};
        auto reads = this->begin_try();
        if (auto r = this->want_holders(reads, always); !r) return failure{std::move(r).error()};
        return reads;
    }

    result<copies_writes> compose(environment const&) override {
        if (!clears && this->count_holders() > 0) return copies_writes{};
        auto w = this->compose_others();
        if (!w) return w;
        w->unlinks = true;
        auto& erase = w->own.emplace(encoded_write{.kind = write_kind::erase, .if_match = etag_});
        erase.entity.partition_key = this->own().partition_key;
        erase.entity.row_key = this->own().row_key;
        return w;
    }

    value_type finish(std::optional<etag> const& stored) const noexcept {
        if constexpr (clears)
            return this->count_holders();
        else
            return stored.has_value();
    }

private:
    std::string etag_;
};

/// `write_with_copies`, and the value that the editor makes. An error of the key is the result.
template <class Editor>
task<result<typename Editor::value_type>> write_with(std::shared_ptr<table_state const> table, result<entity_key> own,
                                                     own_row how, modify_options options, Editor edit) {
    if (!own) co_return failure{std::move(own).error()};
    auto stored = co_await write_with_copies(table, *own, how, options, edit);
    if (!stored) co_return failure{std::move(stored).error()};
    co_return edit.finish(*std::move(stored));
}

}  // namespace tablemap::detail
