// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/valued_editors.hpp"

#include <optional>
#include <utility>

/// The editors of writes that no other table with values has.
namespace tablemap::inline v0_1::detail {

/// Reads the entity, and replaces what it finds.
template <class T, class... Items> class valued_upsert final : public valued_editor_of<T, Items...> {
public:
    using value_type = entity<T>;

    valued_upsert(valued_table const& table, T value)
        : valued_editor_of<T, Items...>(table), value_(std::move(value)) {}

    bool reads() const noexcept override { return true; }
    bool creates() const noexcept override { return true; }
    bool repeats() const noexcept override { return true; }

    result<valued_change> edit(response* stored, environment const& env) override {
        auto const encoder = this->encoder(env);
        if (!stored->ok())
            return this->change_to(value_, encoder.whole(write_kind::insert, value_, {}), this->no_keys());
        auto before = this->keys_of(stored->body);
        if (!before) return failure{std::move(before).error()};
        auto const& old = stored->etag.text();
        return this->change_to(value_, encoder.whole(write_kind::replace, value_, old), *std::move(before));
    }

    value_type finish(std::optional<etag> stored) { return {std::move(value_), *std::move(stored)}; }

private:
    T value_;
};

/// Reads the entity, since the one in hand may have been changed. The latter is borrowed.
template <class T, class... Items> class valued_erase_of_read final : public valued_editor_of<T, Items...> {
public:
    using value_type = void;

    valued_erase_of_read(valued_table const& table, entity<T> const& e)
        : valued_editor_of<T, Items...>(table), target_(&e) {}

    bool reads() const noexcept override { return true; }

    result<valued_change> edit(response* stored, environment const&) override {
        auto w = write_encoder<T>::erase(*target_);
        if (w.fault) return failure{*std::move(w.fault)};
        if (stored->etag != target_->etag) return fail(service_errc::update_condition_not_satisfied);
        auto before = this->keys_of(stored->body);
        if (!before) return failure{std::move(before).error()};
        return valued_change{std::move(w), *std::move(before), this->no_keys()};
    }

    result<void> finish(std::optional<etag> const&) const { return {}; }

private:
    entity<T> const* target_;
};

}  // namespace tablemap::detail
