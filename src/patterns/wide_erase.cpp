// SPDX-License-Identifier: Apache-2.0
#include "patterns/wide_rows.hpp"
#include "patterns/wide_send.hpp"
#include "store/ask.hpp"
#include "store/pager.hpp"
#include "store/refusals.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/write/modify_row.hpp"
#include "tablemap/edm/names.hpp"

#include <array>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view fewer_erasers{"let fewer writers change one entity, or pass a later deadline"};

/// The rows of an entity that are there.
struct found_rows {
    bool head = false;
    std::vector<std::size_t> further{};
};

/// Finds the rows of an entity by their keys.
class row_finder final : public entity_sink {
public:
    explicit row_finder(page_bounds const& bounds) : bounds_(bounds) {}

    bool begin() override {
        partition_key_ = row_key_ = {};
        return true;
    }
    bool property(std::string_view name, json_token const& value) override {
        if (value.kind != json_token_kind::text) return true;
        if (name == partition_key_name) partition_key_ = value.text;
        if (name == row_key_name) row_key_ = value.text;
        return true;
    }
    bool end() override {
        if (!bounds_.hold(partition_key_, row_key_)) return stop(rows_not_asked_for());
        auto const number = split_row_key(row_key_).number;
        if (last_ && number <= *last_) return stop(rows_not_asked_for());
        last_ = number;
        if (number == 0)
            found.head = true;
        else
            found.further.push_back(number);
        return true;
    }

    found_rows found{};

private:
    page_bounds bounds_;
    std::string_view partition_key_{}, row_key_{};
    std::optional<std::size_t> last_{};
};

task<result<found_rows>> find_rows(table_state const& table, entity_key const& key) {
    auto const call = co_await this_call();
    auto const end = end_of_rows(key.row_key);
    page_bounds const bounds{key_bounds::exactly(key.partition_key),
                             {.from = key.row_key, .to = std::string_view{end}}};
    std::array<std::string_view, 2> const select{partition_key_name, row_key_name};
    row_finder sink{bounds};
    pager pages{
        query_page{
            .table = table.name, .partition = bounds.partition, .row = bounds.row, .select = select, .current = true},
        [&](response& page) { return read_page(page.body, sink); }};
    while (!pages.ended()) {
        request const what = pages.request();
        auto page = co_await ask(what);
        auto const more = pages.take(page, call.env.options());
        if (!more) co_return failure{more.error()};
    }
    co_return std::move(sink.found);
}

/// The writes that erase rows of an entity.
std::vector<encoded_write> erases_of(entity_key const& key, std::string if_match,
                                     std::vector<std::size_t> const& further) {
    std::vector<encoded_write> writes(1);
    writes.front() = {.kind = write_kind::erase, .if_match = std::move(if_match)};
    writes.front().entity.partition_key = key.partition_key;
    writes.front().entity.row_key = key.row_key;
    for (auto const number : further) writes.push_back(erase_of(key, number));
    return writes;
}

}  // namespace

task<result<void>> erase_wide(std::shared_ptr<table_state const> table, entity_key key, std::string if_match) {
    auto const call = co_await this_call();
    if (auto r = check_head(key); !r) co_return r;
    auto const found = co_await find_rows(*table, key);
    if (!found) co_return failure{found.error()};
    auto writes = erases_of(key, std::move(if_match), found->further);
    auto& clock = call.env.clock();
    auto const sent = co_await send_wide(table, std::move(writes), clock);
    if (!sent) co_return failure{sent.error()};
    co_return result<void>{};
}

task<result<bool>> erase_any_wide(std::shared_ptr<table_state const> table, entity_key key) {
    auto const call = co_await this_call();
    if (auto r = check_head(key); !r) co_return failure{std::move(r).error()};
    for (int tries = 1;; ++tries) {
        auto const began = call.env.now();
        auto const found = co_await find_rows(*table, key);
        if (!found) co_return failure{found.error()};
        if (!found->head) co_return false;
        auto writes = erases_of(key, std::string{any_etag}, found->further);
        auto& clock = call.env.clock();
        auto const sent = co_await send_wide(table, std::move(writes), clock);
        if (sent) co_return true;
        // One of the rows has gone since they were found.
        if (!is_outdated(sent.error())) co_return failure{sent.error()};
        auto const until = next_try({}, tries, call.env.now() - began, sent.error(), call.env, fewer_erasers);
        if (!until) co_return failure{until.error()};
        co_await pause_until(*until);
    }
}

}  // namespace tablemap::detail
