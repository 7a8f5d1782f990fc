// SPDX-License-Identifier: Apache-2.0
#include "store/page_reading.hpp"

#include "store/ask.hpp"
#include "tablemap/detail/wire/reader.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

task<result<response>> page_reading::next() {
    what_.from = from_ ? &*from_ : nullptr;
    request const page = what_;
    auto answer = co_await ask(page);
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    from_ = std::move(answer.next);
    ended_ = !from_;
    co_return answer;
}

result<void> page_reading::passed(std::size_t rows) {
    if (auto stuck = progress_.stuck_at(from_, rows == 0, env_.options())) return failure{*std::move(stuck)};
    return {};
}

task<result<std::vector<stored_entity>>> page_reading::next_rows() {
    auto answer = co_await next();
    if (!answer) co_return failure{answer.error()};
    auto rows = read_dynamic_page(answer->body);
    if (!rows) co_return failure{rows.error()};
    auto const good = passed(rows->size());
    if (!good) co_return failure{good.error()};
    co_return rows;
}

}  // namespace tablemap::detail
