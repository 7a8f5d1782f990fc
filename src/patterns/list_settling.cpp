// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_settling.hpp"

#include "patterns/most_at_once.hpp"
#include "store/ask.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

error in_doubt_if(bool doubtful, error const& e) { return doubtful ? e.with(outcome::in_doubt) : e; }

}  // namespace

/// Each list is settled by itself; a few at once bound the memory.
task<result<std::size_t>> list_settling::settle(entity_key const& own, list_lines const& values) const {
    auto const all = addresses_of(own, values);
    std::size_t count = 0;
    std::optional<error> fault;
    for (std::size_t from = 0; from < all.size(); from += most_at_once) {
        auto const begin = all.begin() + static_cast<std::ptrdiff_t>(from);
        std::vector<list_address> const some(
            begin, begin + static_cast<std::ptrdiff_t>(std::min(most_at_once, all.size() - from)));
        auto const written = co_await settle_some(own, some);
        if (!written && written.error().code() != library_errc::value_too_large) co_return failure{written.error()};
        if (written)
            count += *written;
        else
            fault = written.error();
    }
    if (fault) co_return failure{*std::move(fault)};
    co_return count;
}

task<result<std::size_t>> list_settling::settle_some(entity_key const& own,
                                                     std::vector<list_address> const& all) const {
    modify_options const options;
    bool lost_a_write = false;
    for (int tries = 1;; ++tries) {
        auto const began = env_.now();
        auto const written = co_await try_to_settle(own, all, lost_a_write);
        if (!written) co_return failure{in_doubt_if(lost_a_write, written.error())};
        if (*written) co_return **written;
        error const met{service_errc::update_condition_not_satisfied};
        constexpr std::string_view fewer_writers_remedy =
            "call it again when fewer others write to the lists of these values";
        auto const until = next_try(options, tries, env_.now() - began, met, env_, fewer_writers_remedy);
        if (!until) co_return failure{in_doubt_if(lost_a_write, until.error())};
        co_await pause_until(*until);
    }
}

/// Nothing if another writer was faster, or a response was lost.
task<result<std::optional<std::size_t>>>
list_settling::try_to_settle(entity_key const& own, std::vector<list_address> const& all, bool& lost_a_write) const {
    auto const lists = co_await lists_.read_all(all);
    if (!lists) co_return failure{lists.error()};
    auto const values = co_await values_of(own);
    if (!values) co_return failure{values.error()};
    std::size_t count = 0;
    std::optional<error> full;  // the other lists are settled nevertheless
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto lines = (*lists)[i].lines;
        auto const line = line_of(table_, all[i].index, own);
        bool const has_value = (*values)[all[i].index] == value_of(table_, all[i]);
        bool const changes = has_value ? (lines.insert(line), true) : lines.erase(line) > 0;
        if (!changes) continue;
        auto const written = co_await write(all[i], (*lists)[i], lines, lost_a_write);
        if (!written && written.error().code() == library_errc::value_too_large) {
            full = written.error();
            continue;
        }
        if (!written) co_return failure{written.error()};
        if (!*written) co_return std::optional<std::size_t>{};
        ++count;
    }
    if (full) co_return failure{*std::move(full)};
    co_return std::optional{count};
}

/// False if it has to begin again.
task<result<bool>> list_settling::write(list_address const& at, stored_list const& old, list_lines const& lines,
                                        bool& lost_a_write) const {
    auto const id = random_guid(env_.clock());
    auto const w = co_await lists_.prepare(at, old, lines, id);
    if (!w) co_return failure{w.error()};
    auto const what = lists_.to_send(at, *w);
    auto const answer = co_await ask(what);
    if (answer.ok()) {
        co_await lists_.drop(w->old_blob);
        co_return true;
    }
    if (answer.outcome() == outcome::in_doubt) lost_a_write = true;
    if (answer.outcome() == outcome::in_doubt && !env_.why_stop()) co_return false;
    if (answer.outcome() != outcome::in_doubt) co_await lists_.drop(w->new_blob);
    if (is_overtaken(*answer.failure)) co_return false;
    co_return failure{*answer.failure};
}

task<result<value_keys>> list_settling::values_of(entity_key const& own) const {
    request const what = get_entity{table_.entities->name, own.partition_key, own.row_key, {}, true};
    auto answer = co_await ask(what);
    if (is_absent(answer)) co_return value_keys(table_.type.names.size());
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    co_return table_.type.keys_of(answer.body, table_.entities->cipher.get());
}

std::optional<std::size_t> list_settling::index_of(std::string_view value) const {
    for (std::size_t i = 0; i < table_.type.names.size(); ++i)
        if (value.starts_with(beginning_of_values(table_, i))) return i;
    return std::nullopt;
}

std::vector<list_address> list_settling::addresses_of(entity_key const& own, list_lines const& values) const {
    std::vector<list_address> all;
    for (auto const& value : values)
        if (auto const index = index_of(value)) all.push_back(address_of(table_, *index, own.partition_key, value));
    return all;
}

}  // namespace tablemap::detail
