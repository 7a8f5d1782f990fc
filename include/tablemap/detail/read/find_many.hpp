// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/operations.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Many point reads, a bounded number at once. Keys that are asked for more than once are read once.
class point_reads_operation {
public:
    using value_type = std::vector<response>;

    struct key {
        std::string partition_key, row_key;

        friend bool operator==(key const&, key const&) = default;
        friend auto operator<=>(key const&, key const&) = default;
    };

    /// The table's name is borrowed.
    point_reads_operation(std::string_view table, std::vector<key> keys, std::size_t at_once)
        : table_(table), keys_(std::move(keys)), at_once_(std::max<std::size_t>(at_once, 1)) {}

    step start(environment const& env);
    step resume(environment const& env, std::span<response> answers);

    /// The responses in the order of the keys. Errors: the first that is not about a missing entity.
    result<std::vector<response>> take();

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
        auto answers = reads_.take();
        if (!answers) return failure{std::move(answers).error()};
        value_type found(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) {
            auto& a = (*answers)[places_[i]];
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
