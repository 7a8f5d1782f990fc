// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/wide_row_types.hpp"
#include "tablemap/mapping/entity.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

/// Wide entities in memory, and the tasks of a wide table for one type.
namespace tablemap::inline v0_1::detail {

/// A value to write, which is borrowed, and room for its stamps.
template <class T> struct wide_value {
    explicit wide_value(T& v) : stamps(wide_rows<T>), object{&v, &stamps} {}
    wide_value(wide_value const&) = delete;
    wide_value& operator=(wide_value const&) = delete;

    wide_stamps stamps;
    wide_object object;
};

template <class T> class wide_list final : public wide_entities {
public:
    std::size_t size() const noexcept override { return all_.size(); }
    wide_place add() override {
        all_.push_back(std::make_unique<one>());
        return at(all_.size() - 1);
    }
    wide_place at(std::size_t i) override {
        auto& o = *all_[i];
        return {&o.parts.object, &o.e.etag, &o.e.timestamp, &o.e.outdated};
    }
    void drop_first() override { all_.pop_front(); }
    void clear() override { all_.clear(); }
    std::unique_ptr<wide_entities> another() const override { return std::make_unique<wide_list>(); }
    void replace_first(wide_entities& by) override {
        all_.front() = std::move(static_cast<wide_list&>(by).all_.front());
    }

    entity<T>& first() noexcept { return all_.front()->e; }

private:
    struct one {
        entity<T> e{};
        wide_value<T> parts{e.value};
    };

    std::deque<std::unique_ptr<one>> all_{};
};

template <class T>
task<result<std::optional<entity<T>>>> find_wide(std::shared_ptr<table_state const> table, result<entity_key> key) {
    if (!key) co_return failure{std::move(key).error()};
    if (auto r = check_order_of_rows(*table); !r) co_return failure{std::move(r).error()};
    wide_list<T> list;
    auto const type = wide_type_of<T>();
    auto const read = co_await read_wide(*table, type, *key, false, list);
    if (!read) co_return failure{read.error()};
    if (!*read) co_return std::nullopt;
    if (auto const& fault = (**read).fault) co_return failure{*fault};
    co_return std::optional<entity<T>>{std::move(list.first())};
}

/// Stores a whole value without the etag of an earlier one.
template <class T>
task<result<entity<T>>> store_wide(std::shared_ptr<table_state const> table, write_kind kind, T value) {
    entity<T> e;
    e.value = std::move(value);
    wide_value<T> parts{e.value};
    auto const type = wide_type_of<T>();
    wide_writing how{.kind = kind};
    auto stored = co_await write_wide(table, type, parts.object, std::move(how));
    if (!stored) co_return failure{std::move(stored).error()};
    e.etag = *std::move(stored);
    co_return std::move(e);
}

/// Stores all or chosen members of an entity that was read, which is borrowed.
template <class T>
task<result<void>> rewrite_wide(std::shared_ptr<table_state const> table, write_kind kind, entity<T>& e,
                                chosen_columns const* chosen) {
    if (auto fault = fault_of_etag(e.etag, "upsert")) co_return failure{*std::move(fault)};
    auto const type = wide_type_of<T>();
    wide_value<T> parts{e.value};
    wide_writing how{.kind = kind, .if_match = e.etag.text(), .chosen = chosen};
    if (chosen) how.rows = rows_of_choice(type, *chosen);
    auto stored = co_await write_wide(table, type, parts.object, std::move(how));
    if (!stored) co_return failure{std::move(stored).error()};
    e.etag = *std::move(stored);
    co_return result<void>{};
}

template <class T, auto... Members>
task<result<void>> merge_wide(std::shared_ptr<table_state const> table, entity<T>& e, only_t<Members...> only) {
    if constexpr (chooser<only_t<Members...>>::template check<T>()) {
        chosen_columns chosen;
        if (auto r = chooser<only_t<Members...>>::template choose<T>(only, chosen); !r) co_return r;
        auto const merged = co_await rewrite_wide<T>(table, write_kind::merge, e, &chosen);
        co_return merged;
    }
}

template <class T>
task<result<void>> erase_read_wide(std::shared_ptr<table_state const> table, result<entity_key> key,
                                   std::string if_match) {
    if (!key) co_return failure{std::move(key).error()};
    auto const erased = co_await erase_wide(table, *key, std::move(if_match));
    co_return erased;
}

/// The entity is not needed any more when this returns.
template <class T> task<result<void>> erase_wide_as_read(std::shared_ptr<table_state const> table, entity<T> const& e) {
    result<entity_key> key = key_of<T>::of(e.value).try_encode();
    if (auto fault = fault_of_etag(e.etag, "upsert")) key = failure{*std::move(fault)};
    return erase_read_wide<T>(std::move(table), std::move(key), e.etag.text());
}

template <class T>
task<result<bool>> erase_wide_by_key(std::shared_ptr<table_state const> table, result<entity_key> key) {
    if (!key) co_return failure{std::move(key).error()};
    auto const erased = co_await erase_any_wide(table, *key);
    co_return erased;
}

template <class T, class Function> class typed_wide_editor final : public wide_editor {
public:
    explicit typed_wide_editor(Function f) : function_(std::move(f)) {}
    void edit(wide_object& object) override { std::invoke(function_, *static_cast<T*>(object.value)); }

private:
    Function function_;
};

template <class T, class Function>
task<result<entity<T>>> change_wide(std::shared_ptr<table_state const> table, result<entity_key> key, Function f,
                                    modify_options options) {
    if (!key) co_return failure{std::move(key).error()};
    if (auto r = check_order_of_rows(*table); !r) co_return failure{std::move(r).error()};
    wide_list<T> list;
    typed_wide_editor<T, Function> editor{std::move(f)};
    auto const type = wide_type_of<T>();
    auto const changed = co_await modify_wide(table, type, *key, list, editor, options);
    if (!changed) co_return failure{changed.error()};
    co_return std::move(list.first());
}

}  // namespace tablemap::detail
