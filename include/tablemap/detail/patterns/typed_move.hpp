// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/move_core.hpp"
#include "tablemap/detail/patterns/move_mark.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/detail/write/value_editor.hpp"
#include "tablemap/mapping/decode.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

/// The steps of a move from one type to another.
namespace tablemap::inline v0_1::detail {

/// The state that all moves by one handler share.
template <class Function> struct move_kind {
    std::shared_ptr<table_state const> from;
    std::shared_ptr<table_state const> to;
    Function make;
};

/// Takes the mark of a move off a value.
template <class To> struct take_mark_off {
    guid move;

    void operator()(To& value) const {
        auto& mark = value.*mapping<To>::move_mark;
        if (mark == move) mark.reset();
    }
};

/// Its value: whether there was a mark.
template <class To> class mark_editor final : public value_editor<To, take_mark_off<To>> {
public:
    using value_type = bool;
    using value_editor<To, take_mark_off<To>>::value_editor;

    bool finish(etag&&) const noexcept { return true; }
    bool unchanged() const noexcept { return false; }
};

template <class From, class To, class Function> class typed_move final : public move_steps {
public:
    typed_move(std::shared_ptr<move_kind<Function> const> kind, move_order order)
        : kind_(std::move(kind)), order_(std::move(order)) {}

    table_state const& target_table() const noexcept override { return *kind_->to; }

    result<void> take_source(std::string& row) override {
        if (auto r = decode_into(row, source_.emplace(), kind_->from->cipher.get()); !r) return r;
        if (mark_of(source_->value)) return not_arrived();
        target_ = std::invoke(kind_->make, std::as_const(source_->value));
        (*target_).*mapping<To>::move_mark = order_.move;
        return check_key();
    }

    encoded_write erase_source() const override { return write_encoder<From>::erase(*source_); }

    encoded_write insert_target(clock& c) const override { return encoder(c).whole(write_kind::insert, *target_, {}); }

    void wrote_target(etag const& stored) override { found_.emplace(entity<To>{.value = *target_, .etag = stored}); }

    result<bool> take_target(std::string& row) override {
        auto const r = decode_into(row, found_.emplace(), kind_->to->cipher.get());
        if (r) return found_->value.*mapping<To>::move_mark == order_.move;
        if (r.error().code() == library_errc::another_type || r.error().code() == library_errc::unreadable_key)
            return false;
        return failure{r.error()};
    }

    encoded_write replace_target(clock& c) const override {
        return encoder(c).replace(entity<To>{.value = *target_, .etag = found_->etag});
    }
    encoded_write erase_target() const override { return write_encoder<To>::erase(*found_); }

    task<result<bool>> confirm_target() const override {
        auto const& to = *kind_->to;
        return modify_with(to.name, entity_key{order_.to_partition, order_.to_row},
                           mark_editor<To>{{order_.move}, to.operation_ids, to.cipher.get()});
    }

private:
    write_encoder<To> encoder(clock& c) const noexcept {
        return {kind_->to->operation_ids, c, kind_->to->cipher.get()};
    }

    /// The row is where an earlier move takes the entity, which is elsewhere as long as that is not done.
    static result<void> not_arrived() {
        return fail(library_errc::effect_failed,
                    {.reason = "the entity has not arrived here yet: an earlier move to this place is not done"});
    }

    result<void> check_key() const {
        entity_key made;
        if (auto r = encode_keys(*target_, made.partition_key, made.row_key); !r) return r;
        if (made == entity_key{order_.to_partition, order_.to_row}) return {};
        return fail(library_errc::key_changed,
                    {.reason = "the function of on_move made an entity with another key than move_to named; commit "
                               "the key that it makes"});
    }

    std::shared_ptr<move_kind<Function> const> kind_;
    move_order order_;
    std::optional<entity<From>> source_{};
    std::optional<To> target_{};
    std::optional<entity<To>> found_{};
};

}  // namespace tablemap::detail
