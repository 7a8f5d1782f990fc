// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/outbox.hpp"
#include "tablemap/patterns/relay.hpp"
#include "tablemap/tablemap.hpp"

#include <cstdint>
#include <string>

/// Changes whose effects show whether one was lost, doubled or out of order.
namespace tablemap::test {

struct account {
    std::string branch{};
    std::int32_t id{};
    std::int64_t version{};  ///< the number of its changes
};

/// The effect of a change of an account.
struct note_booking {
    std::int64_t number{};  ///< of the change, over all accounts
    std::string branch{};
    std::int32_t account{};
    std::int64_t version{};
};

/// One for each effect.
struct journal_entry {
    std::int64_t number{};
    std::string branch{};
    std::int32_t account{};
    std::int64_t version{};

    friend auto operator<=>(journal_entry const&, journal_entry const&) = default;
};

/// The state of an account as its effects tell it.
struct statement {
    std::string branch{};
    std::int32_t account{};
    std::int64_t version{};
    std::int64_t repeated{};      ///< effects that came once more
    std::int64_t out_of_order{};  ///< effects that came neither next nor once more
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::account> {
    static constexpr auto partition_key = key(part<&test::account::branch>);
    static constexpr auto row_key = key("account_", part<&test::account::id>);
};
template <> struct tablemap::mapping<tablemap::test::journal_entry> {
    static constexpr auto partition_key = key("journal");
    static constexpr auto row_key = key(part<&test::journal_entry::number>);
};
template <> struct tablemap::mapping<tablemap::test::statement> {
    static constexpr auto partition_key = key(part<&test::statement::branch>);
    static constexpr auto row_key = key("account_", part<&test::statement::account>);
};

namespace tablemap::test {

/// The tables, the outbox and its relay, in any process.
class bookings {
public:
    explicit bookings(store_ptr const& s)
        : accounts{s, "Accounts"}, journal{s, "Journal"}, statements{s, "Statements"}, box{accounts, {"bookings"}} {}

    /// The lease of a killed relay ends after 5 s. A handler may take 4 s before another relay may overtake it.
    auto relay_of_this() const {
        using namespace std::chrono_literals;
        return relay{
            box,
            relay_options{
                .lease = 2s, .clock_margin = 3s, .idle_wait = 20ms, .longest_idle_wait = 200ms, .sweep_every = 2s},
            on<note_booking>([this](note_booking const& e) { note(e); })};
    }

    table<account> accounts;
    table<journal_entry> journal;
    table<statement> statements;
    outbox<account, note_booking> box;

private:
    void note(note_booking const& e) const {
        auto const entered = journal.try_insert({e.number, e.branch, e.account, e.version});
        // A relay that was killed before it marked the effect has left the entry.
        if (!entered && entered.error().code() != service_errc::entity_already_exists) throw entered.error();
        statements.modify_or_insert({.branch = e.branch, .account = e.account}, [&](statement& s) {
            if (e.version == s.version)
                ++s.repeated;
            else if (e.version != s.version + 1)
                ++s.out_of_order;
            s.version = e.version;
        });
    }
};

}  // namespace tablemap::test
