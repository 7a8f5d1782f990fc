// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/operations.hpp"
#include "tablemap/mapping/index_key.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Finding an entity by a unique index.
namespace tablemap::inline v0_1::detail {

/// The entity that the row of an index is a copy of, if there is one.
template <class T, std::size_t I> struct finish_found_copy {
    using value_type = std::optional<entity<T>>;

    property_cipher const* cipher;

    result<void> into(response& answer, value_type& found) const {
        auto there = finish_unless{service_errc::resource_not_found}(answer);
        if (!there) return failure{std::move(there).error()};
        if (!*there) return {};
        return decode_index_row(answer.body, found.emplace(), cipher, index_row_types<T, I>);
    }
};

/// Finds an entity by an index that does not copy all of it: reads the index's row, then the base row whose key it
/// holds. A base row that is gone, or has another value by now, was changed between the two reads: both are read again.
template <class T, std::size_t I> class index_look_up {
public:
    using value_type = std::optional<entity<T>>;

    /// A row that is still out of step after so many looks stays so.
    static constexpr int most_looks = 3;

    /// The table's name and the cipher, which may be null, are borrowed.
    index_look_up(std::string_view table, std::string partition_key, std::string row_key, property_cipher const* cipher)
        : table_(table), partition_key_(std::move(partition_key)), index_key_(std::move(row_key)), cipher_(cipher) {}

    step start(environment const&) {
        fault_.reset();
        looks_ = 0;
        return look();
    }

    step resume(environment const&, std::span<response> answers) {
        auto& answer = answers.front();
        bool const absent = answer.failure && answer.failure->code() == service_errc::resource_not_found;
        if (answer.failure && !absent) return end_with(*answer.failure);
        if (reads_base_) return take_base(answer, absent);
        return absent ? step::done() : take_index_row(answer);
    }

    result<value_type> take() {
        if (fault_) return failure{std::move(*fault_)};
        return std::move(found_);
    }

private:
    step look() {
        ++looks_;
        reads_base_ = false;
        found_.reset();
        return ask(index_key_);
    }

    step ask(std::string const& row_key) {
        request_ = get_entity{table_, partition_key_, row_key, {}, looks_ > 1};
        return step::send(request_);
    }

    step take_index_row(response& answer) {
        auto owner = read_owner<T>(answer.body);
        if (!owner) return end_with(std::move(owner).error());
        base_key_ = *std::move(owner);
        reads_base_ = true;
        return ask(base_key_);
    }

    step take_base(response& answer, bool absent) {
        if (!absent) {
            if (auto r = decode_into(answer.body, found_.emplace(), cipher_); !r) return end_with(std::move(r).error());
            if (is_ours(found_->value)) return step::done();
        }
        if (looks_ < most_looks) return look();
        found_.reset();
        return step::done();
    }

    /// True if the entity has the index's row that led to it.
    bool is_ours(T const& value) const {
        if (!is_in_index<T, I>(value)) return false;
        std::string partition_key, row_key;
        return encode_index_keys<T, I>(value, partition_key, row_key) && row_key == index_key_;
    }

    step end_with(error const& e) {
        fault_ = e;
        return step::done();
    }

    std::string_view table_;
    std::string partition_key_, index_key_, base_key_{};
    property_cipher const* cipher_;
    int looks_ = 0;
    bool reads_base_ = false;
    request request_{};
    value_type found_{};
    std::optional<error> fault_{};
};

}  // namespace tablemap::detail
