// SPDX-License-Identifier: Apache-2.0
#include "patterns/reservations.hpp"
#include "store/ask.hpp"

namespace tablemap::inline v0_1::detail {

task<result<bool>> look_up_unique(unique_state const& table, std::string_view value, unique_reader read, void* found) {
    constexpr int most_looks = 3;
    auto const call = co_await this_call();
    reservations const rows{table, call.env};
    etag before;
    for (int looks = 1; looks <= most_looks; ++looks) {
        bool const current = looks > 1;
        auto const r = co_await rows.find(value, current);
        if (!r) co_return failure{r.error()};
        if (!*r || (*r)->etag == before) co_return false;
        // A copy may have the reservation and not its owner yet.
        if (current) before = (*r)->etag;

        auto const& owner = (*r)->value;
        request const of_owner = get_entity{table.entities->name, owner.owner_partition, owner.owner_row, {}, current};
        auto answer = co_await ask(of_owner);
        if (is_absent(answer)) continue;
        if (!answer.ok()) co_return failure{*std::move(answer.failure)};
        auto const has = read(answer.body, value, found, table.entities->cipher.get());
        if (!has) co_return failure{has.error()};
        if (*has) co_return true;
    }
    co_return false;
}

}  // namespace tablemap::detail
