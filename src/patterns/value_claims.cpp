// SPDX-License-Identifier: Apache-2.0
#include "patterns/value_claims.hpp"

#include "store/ask.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int most_rivals = 50;

/// True if a write failed although its condition may be met, or was met by an earlier copy of it.
bool is_final(error const& e, bool is_conflict) { return e.outcome() != outcome::in_doubt && !is_conflict; }

}  // namespace

bool writer_wait::is_over(entity<reservation> const& r, environment const& env) {
    if (r.etag != of_) {
        of_ = r.etag;
        ++writers_;
        // By the own clock, too: that of another machine may be wrong.
        auto const left = std::clamp<tick_duration>(r.value.until - ticks::now(), tick_duration{0}, longest_);
        until_ = env.now() + std::chrono::duration_cast<time_point::duration>(left);
    }
    return env.now() >= until_;
}

void value_claims::begin(guid token) {
    token_ = token;
    held_.clear();
}

reservation value_claims::mine(wanted_value wanted) const {
    return {std::string{wanted.text}, own_.partition_key, own_.row_key, token_, false, rows_.end_of_time()};
}

task<result<bool>> value_claims::reserve(wanted_value wanted) {
    auto const row = mine(wanted);
    auto const insertion = rows_.insert_of(row);
    if (insertion.fault) co_return failure{*insertion.fault};
    writer_wait waited{table_};
    bool absent = true;
    for (int looks = 1, losses = 0;; ++looks) {
        if (absent) {
            ++losses;
            auto const inserted = co_await insert(insertion, row);
            if (!inserted) co_return failure{inserted.error()};
            if (*inserted) co_return true;
        }
        auto const found = co_await rows_.find(wanted.text, true);
        if (!found) co_return failure{found.error()};
        absent = !*found;
        if (*found) {
            auto const now = co_await take_over(**found, wanted, waited);
            if (!now) co_return failure{now.error()};
            if (*now != claim::again) co_return *now == claim::reserved;
        }
        if (losses + waited.writers() > most_rivals) co_return failure{too_many(wanted)};
        auto const until = next_look(looks);
        if (!until) co_return failure{under_way(wanted)};
        co_await pause_until(*until);
    }
}

/// False if there is a reservation, which may be ours.
task<result<bool>> value_claims::insert(encoded_write const& w, reservation const& mine) {
    auto const what = rows_.to_reservations(w);
    auto const inserted = co_await ask(what);
    if (inserted.ok()) {
        held_.push_back({mine, inserted.etag});
        co_return true;
    }
    auto const& met = *inserted.failure;
    if (is_final(met, met.code() == service_errc::entity_already_exists)) co_return failure{met};
    co_return false;
}

task<result<value_claims::claim>> value_claims::take_over(entity<reservation> const& found, wanted_value wanted,
                                                          writer_wait& waited) {
    if (is_ours(found.value)) {
        held_.push_back(found);
        co_return claim::reserved;
    }
    auto const now = co_await rows_.settle(found, wanted.number, waited.is_over(found, env_));
    if (!now) co_return failure{now.error()};
    if (*now == standing::pending) co_return claim::again;
    if (*now == standing::held) {
        if (!found.value.confirmed) co_await confirm(found);
        if (owner_of(found.value) == own_) co_return claim::own_already;
        co_return failure{taken(wanted)};
    }
    auto const replaced = co_await replace(found, wanted, waited);
    co_return replaced;
}

task<result<value_claims::claim>> value_claims::replace(entity<reservation> const& found, wanted_value wanted,
                                                        writer_wait& waited) {
    entity<reservation> next{mine(wanted), found.etag};
    auto const replacement = rows_.replace_of(next);
    auto const what = rows_.to_reservations(replacement);
    auto answer = co_await ask(what);
    if (answer.ok()) {
        next.etag = std::move(answer.etag);
        held_.push_back(std::move(next));
        co_return claim::reserved;
    }
    auto const& met = *answer.failure;
    if (is_final(met, is_outdated(met))) co_return failure{met};
    waited.forget();
    co_return claim::again;
}

/// For the entity of a writer that ended too early.
task<> value_claims::confirm(entity<reservation> const& r) {
    auto const confirmation = rows_.confirmation_of(r);
    auto const what = rows_.to_reservations(confirmation);
    co_await ask(what);
}

/// The time to read the reservation again; nothing if the call has to end before.
std::optional<time_point> value_claims::next_look(int looks) const {
    constexpr std::chrono::milliseconds first{4}, longest{500};
    return env_.wait_for(env_.jittered(std::min(longest, first * (1 << std::min(looks - 1, 10))), 0.5));
}

error value_claims::taken(wanted_value wanted) const {
    return of_value(wanted,
                    "another entity of the table has this value; choose another one, or change that entity first");
}
error value_claims::under_way(wanted_value wanted) const {
    return of_value(wanted, "another write has reserved this value and was not done by the deadline; call again");
}
error value_claims::too_many(wanted_value wanted) const {
    return error{library_errc::too_many_conflicts,
                 {.reason = "other writers reserved and released the value all the time; call again later",
                  .member = std::string{table_.type.names[wanted.number]}}};
}
error value_claims::of_value(wanted_value wanted, std::string_view reason) const {
    return error{library_errc::unique_value_taken,
                 {.reason = std::string{reason}, .member = std::string{table_.type.names[wanted.number]}}};
}

}  // namespace tablemap::detail
