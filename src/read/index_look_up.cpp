// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/index_look_up.hpp"

#include "store/ask.hpp"
#include "store/refusals.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_looks = 3;

}  // namespace

task<result<bool>> look_up(std::string_view table, entity_key const& index_row, index_link const& link, void* found,
                           property_cipher const* cipher) {
    for (int looks = 1; looks <= most_looks; ++looks) {
        bool const current = looks > 1;
        request const of_index = get_entity{table, index_row.partition_key, index_row.row_key, {}, current};
        auto row = co_await ask(of_index);
        if (is_absent(row)) co_return false;
        if (!row.ok()) co_return failure{*std::move(row.failure)};
        auto const owner = link.owner_of(row.body);
        if (!owner) co_return failure{owner.error()};

        request const of_owner = get_entity{table, index_row.partition_key, *owner, {}, current};
        auto base = co_await ask(of_owner);
        if (is_absent(base)) continue;
        if (!base.ok()) co_return failure{*std::move(base.failure)};
        auto const linked = link.read_owner(base.body, index_row.row_key, found, cipher);
        if (!linked) co_return failure{linked.error()};
        if (*linked) co_return true;
    }
    co_return false;
}

}  // namespace tablemap::detail
