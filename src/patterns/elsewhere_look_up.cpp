// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/elsewhere_look_up.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <algorithm>
#include <optional>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::size_t most_at_once = 16;

/// One run of `read_linked_rows`.
class linked_reading {
public:
    linked_reading(elsewhere_place const& place, query_keys const& keys,
                   result<entity_key> (*owner_of)(std::string& row), environment const& env)
        : place_(place), keys_(keys), owner_of_(owner_of), env_(env) {}

    task<result<std::vector<linked_row>>> run() {
        query_page const what{
            .table = place_.rows->name, .partition = keys_.partition_bounds(), .row = keys_.row_bounds()};
        page_reading pages{what, env_};
        while (!pages.ended()) {
            auto const rows = co_await pages.next_rows();
            if (!rows) co_return failure{rows.error()};
            auto const added = co_await add(*rows);
            if (!added) co_return failure{added.error()};
        }
        co_return std::move(linked_);
    }

private:
    task<result<void>> add(std::vector<stored_entity> const& rows) {
        for (std::size_t begin = 0; begin < rows.size(); begin += most_at_once) {
            auto const some = std::span{rows}.subspan(begin, std::min(most_at_once, rows.size() - begin));
            auto const added = co_await add_some(some);
            if (!added) co_return failure{added.error()};
        }
        co_return result<void>{};
    }

    task<result<void>> add_some(std::span<stored_entity const> rows) {
        std::vector<entity_key> owners, keys;
        for (auto const& row : rows) {
            auto body = body_of(row);
            auto owner = owner_of_(body);
            if (!owner && owner.error().code() == library_errc::another_type) continue;
            if (!owner) co_return failure{std::move(owner).error()};
            owners.push_back(*std::move(owner));
            keys.push_back({row.partition_key, row.row_key});
        }
        std::vector<request> reads;
        for (auto const& o : owners) reads.emplace_back(get_entity{place_.entities->name, o.partition_key, o.row_key});
        auto answers = co_await ask_all(reads);
        for (std::size_t i = 0; i < owners.size(); ++i) {
            auto& base = answers[i];
            if (!tells_presence(base)) co_return failure{*std::move(base.failure)};
            if (base.ok()) linked_.push_back({std::move(keys[i]), std::move(base)});
        }
        co_return result<void>{};
    }

    elsewhere_place const& place_;
    query_keys const& keys_;
    result<entity_key> (*owner_of_)(std::string& row);
    environment const& env_;
    std::vector<linked_row> linked_{};
};

}  // namespace

task<result<std::vector<linked_row>>> read_linked_rows(elsewhere_place place, query_keys keys,
                                                       result<entity_key> (*owner_of)(std::string& row)) {
    auto const call = co_await this_call();
    linked_reading reading{place, keys, owner_of, call.env};
    auto rows = co_await reading.run();
    co_return rows;
}

}  // namespace tablemap::detail
