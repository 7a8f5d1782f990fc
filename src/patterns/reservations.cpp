// SPDX-License-Identifier: Apache-2.0
#include "patterns/reservations.hpp"

#include "store/ask.hpp"
#include "tablemap/mapping/decode.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::string_view only_row = "reservation";

std::string guard_key(guid token) { return std::string{guard_beginning} + token.text(); }

error of_owner(error const& e) {
    auto d = e.details();
    d.reason = "the entity that a value is reserved for cannot be read, so nobody can tell whether it has the value; "
               "repair() lists such rows: " +
               d.reason;
    return error{e.code(), std::move(d)};
}

}  // namespace

bool is_over(ticks until) { return until <= ticks::now(); }

entity_key owner_of(reservation const& r) { return {r.owner_partition, r.owner_row}; }

// ---- reading --------------------------------------------------------------------------------------------------------

task<result<std::optional<entity<reservation>>>> reservations::find(std::string_view value, bool current) const {
    request const what = get_entity{table_.reservations->name, value, only_row, {}, current};
    auto answer = co_await ask(what);
    if (is_absent(answer)) co_return std::nullopt;
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    entity<reservation> found;
    if (auto r = decode_into(answer.body, found); !r) co_return failure{std::move(r).error()};
    found.etag = std::move(answer.etag);
    co_return found;
}

task<result<std::optional<entity<reservation_guard>>>> reservations::find_guard(std::string_view partition,
                                                                                guid token) const {
    auto const row_key = guard_key(token);
    request const what = get_entity{table_.entities->name, partition, row_key, {}, true};
    auto answer = co_await ask(what);
    if (is_absent(answer)) co_return std::nullopt;
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    entity<reservation_guard> found;
    if (auto r = decode_into(answer.body, found); !r) co_return failure{std::move(r).error()};
    found.etag = std::move(answer.etag);
    co_return found;
}

task<result<std::optional<value_keys>>> reservations::values_of(entity_key key) const {
    request const what = get_entity{table_.entities->name, key.partition_key, key.row_key, {}, true};
    auto answer = co_await ask(what);
    if (is_absent(answer)) co_return std::nullopt;
    if (!answer.ok()) co_return failure{*std::move(answer.failure)};
    auto values = table_.type.keys_of(answer.body, table_.entities->cipher.get());
    if (!values) co_return failure{of_owner(values.error())};
    co_return *std::move(values);
}

task<result<bool>> reservations::owner_has(reservation const& r, std::size_t number) const {
    auto const owner = owner_of(r);
    auto const values = co_await values_of(owner);
    if (!values) co_return failure{values.error()};
    co_return *values && (**values)[number] == r.value;
}

// ---- settling -------------------------------------------------------------------------------------------------------

task<result<standing>> reservations::settle(entity<reservation> const& r, std::size_t number, bool may_take) const {
    std::optional<entity<reservation_guard>> guard;
    if (!r.value.confirmed) {
        // Before the owner: the write that erases the guard is the one that gives it the value.
        auto found = co_await find_guard(r.value.owner_partition, r.value.token);
        if (!found) co_return failure{std::move(found).error()};
        guard = *std::move(found);
    }
    auto has = co_await owner_has(r.value, number);
    if (!has) co_return failure{std::move(has).error()};
    if (*has) co_return standing::held;
    if (!guard) co_return standing::free;
    if (!may_take) co_return standing::pending;
    auto const gone = co_await erase_guard(*guard);
    if (!gone) co_return failure{gone.error()};
    if (!*gone) co_return standing::pending;
    has = co_await owner_has(r.value, number);
    if (!has) co_return failure{std::move(has).error()};
    co_return *has ? standing::held : standing::free;
}

/// False if it may still be there.
task<result<bool>> reservations::erase_guard(entity<reservation_guard> const& g) const {
    auto const erase = erase_of(g);
    auto const what = to_entities(erase);
    auto const answer = co_await ask(what);
    if (answer.ok()) co_return true;
    if (answer.outcome() == outcome::in_doubt) co_return false;
    if (!is_outdated(*answer.failure)) co_return failure{*answer.failure};
    co_return is_absent(answer);
}

// ---- writing --------------------------------------------------------------------------------------------------------

encoded_write reservations::insert_of(reservation const& r) const {
    return write_encoder<reservation>{false, env_.clock(), nullptr}.whole(write_kind::insert, r, {});
}

encoded_write reservations::replace_of(entity<reservation> const& r) const {
    return write_encoder<reservation>{false, env_.clock(), nullptr}.replace(r);
}

encoded_write reservations::confirmation_of(entity<reservation> const& r) const {
    auto confirmed = r;
    confirmed.value.confirmed = true;
    return write_encoder<reservation>{false, env_.clock(), nullptr}.merge(confirmed, only<&reservation::confirmed>);
}

encoded_write reservations::erase_of(entity<reservation> const& r) { return write_encoder<reservation>::erase(r); }

encoded_write reservations::insert_of(reservation_guard const& g) const {
    return write_encoder<reservation_guard>{false, env_.clock(), nullptr}.whole(write_kind::insert, g, {});
}

encoded_write reservations::erase_of(entity<reservation_guard> const& g) {
    return write_encoder<reservation_guard>::erase(g);
}

ticks reservations::end_of_time() const {
    constexpr std::chrono::milliseconds longest = std::chrono::hours{24};
    return ticks::now() + std::clamp(table_.reserved_for, std::chrono::milliseconds{0}, longest);
}

}  // namespace tablemap::detail
