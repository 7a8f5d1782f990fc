// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/read_rows.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

class one_row final : public row_taker {
public:
    result<bool> take(query_state& from) override { return from.take(); }
};

}  // namespace

task<result<void>> read_rows(query_state& query, row_taker& to) {
    if (auto opened = query.open(); !opened) co_return failure{std::move(opened).error()};
    for (;;) {
        auto const enough = to.take(query);
        if (!enough) co_return failure{enough.error()};
        if (*enough) co_return result<void>{};
        auto const more = co_await query.pages().fetch();
        if (!more) co_return failure{query.explain_error(more.error())};
    }
}

task<result<void>> advance(query_state& query) {
    one_row next;
    auto moved = co_await read_rows(query, next);
    co_return moved;
}

}  // namespace tablemap::detail
