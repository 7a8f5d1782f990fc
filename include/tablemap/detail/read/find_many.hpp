// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/operations.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Many point reads, a bounded number at once. Keys that are asked for more than once are read once. A part of other
/// operations, which look at its responses when it is done.
class point_reads_operation {
public:
    struct key {
        std::string partition_key, row_key;

        friend bool operator==(key const&, key const&) = default;
        friend auto operator<=>(key const&, key const&) = default;
    };

    /// The table's name is borrowed.
    point_reads_operation(std::string_view table, std::vector<key> keys, std::size_t at_once);
    ~point_reads_operation();
    point_reads_operation(point_reads_operation&&) noexcept;
    point_reads_operation& operator=(point_reads_operation&&) noexcept;

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);

    /// The first error that is not about a missing entity, if there is one.
    std::optional<error> const& fault() const noexcept { return fault_; }

    /// The response for key number i. Precondition: no fault.
    response& answer(std::size_t i) noexcept { return answers_[i]; }

private:
    step ask();

    std::string_view table_;
    std::vector<key> keys_;
    std::size_t at_once_;
    std::size_t asked_ = 0;
    std::vector<request> requests_{};
    std::vector<response> answers_{};
    std::optional<error> fault_{};
};

/// The entities of many keys, in the order asked; nothing for those that are not there.
template <class T> class find_many_operation {
public:
    using value_type = std::vector<std::optional<entity<T>>>;

    /// `places[i]` is the position of key number i among the keys that are read. The cipher, which may be null, is
    /// borrowed.
    find_many_operation(point_reads_operation reads, std::vector<std::size_t> places, property_cipher const* cipher)
        : reads_(std::move(reads)), places_(std::move(places)), cipher_(cipher) {}

    step start(environment const& env) { return reads_.start(env); }
    step resume(environment const& env, std::span<response> answers) { return reads_.resume(env, answers); }

    result<value_type> take() {
        if (reads_.fault()) return failure{*reads_.fault()};
        value_type found(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            auto& a = reads_.answer(places_[i]);
            if (!a.ok()) continue;
            if (auto r = decode_into(a.body, found[i].emplace(), cipher_); !r) return failure{std::move(r).error()};
        }
        return found;
    }

private:
    point_reads_operation reads_;
    std::vector<std::size_t> places_;
    property_cipher const* cipher_;
};

/// Removes duplicate keys from a list. Returns the position of each key in the shorter list.
std::vector<std::size_t> make_unique_keys(std::vector<point_reads_operation::key>& keys);

}  // namespace tablemap::detail
