// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/ending_store.hpp"
#include "support/hasty_clock.hpp"
#include "support/recording.hpp"
#include "support/unique_samples.hpp"
#include "support/without_value.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <string>
#include <vector>

/// Writers of unique values that end at any request: by a crash, a lost response, or a request that is carried out
/// late. Others then want the same values. In the end no two entities have one of them.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

/// The names of one run, which no other run has.
struct names {
    std::string tenant, old_email, new_email, login;
    explicit names(int run)
        : tenant("t" + std::to_string(run)),
          old_email("old" + std::to_string(run) + "@x"),
          new_email("new" + std::to_string(run) + "@x"),
          login("login" + std::to_string(run)) {}
};

/// Nobody waits for others, so that each run sends the same requests.
account_table accounts_on(store_ptr s) {
    return {std::move(s), "Unique", {.reserved_for = std::chrono::milliseconds{0}}};
}

struct scenario {
    char const* name;
    std::function<void(store_ptr const& clean, names const& n)> prepare;
    std::function<result<void>(account_table const& victim, names const& n, call_options const& o)> act;
    /// True if what the victim wants is stored.
    std::function<bool(std::optional<entity<account>> const& own, names const& n)> is_done;
};

account own_account(names const& n, std::optional<std::string> email) {
    return {.tenant = n.tenant, .number = 1, .email = std::move(email), .login = n.login};
}
bool has_new_email(std::optional<entity<account>> const& own, names const& n) {
    return own && own->value.email == n.new_email;
}
void insert_with_old(store_ptr const& clean, names const& n) { accounts_on(clean).insert(own_account(n, n.old_email)); }

result<void> change(account_table const& t, names const& n, call_options const& o) {
    return without_value(t.try_modify(
        {n.tenant, 1}, [&](account& a) { a.email = n.new_email; }, o));
}
result<void> insert_new(account_table const& t, names const& n, call_options const& o) {
    return without_value(t.try_insert(own_account(n, n.new_email), o));
}

/// Leaves the new value with a writer that ended before its write of the entity.
void leave_reserved(store_ptr const& clean, names const& n) {
    auto const dead = std::make_shared<ending_store>(clean, 2);
    hasty_clock clock;
    account const theirs{.tenant = n.tenant + "dead", .number = 9, .email = n.new_email};
    static_cast<void>(accounts_on(dead).try_insert(theirs, {.clock = &clock}));
}

std::vector<scenario> const scenarios{
    {"insert", [](auto&, auto&) {}, &insert_new, &has_new_email},
    {"change", &insert_with_old, &change, &has_new_email},
    {"replace", &insert_with_old,
     [](account_table const& t, names const& n, call_options const& o) {
         auto e = t.entities().try_find(key_of<account>{n.tenant, 1}, o);
         if (!e) return result<void>{failure{e.error()}};
         (**e).value.email = n.new_email;
         return t.try_replace(**e, o);
     },
     &has_new_email},
    {"giving_up", &insert_with_old,
     [](account_table const& t, names const& n, call_options const& o) {
         return without_value(t.try_modify(
             {n.tenant, 1}, [](account& a) { a.email.reset(); }, o));
     },
     [](auto const& own, names const&) { return own && !own->value.email; }},
    {"erase", &insert_with_old,
     [](account_table const& t, names const& n, call_options const& o) {
         auto const e = t.entities().try_find(key_of<account>{n.tenant, 1}, o);
         return e ? t.try_erase(**e, o) : result<void>{failure{e.error()}};
     },
     [](auto const& own, names const&) { return !own; }},
    {"take_over", &leave_reserved, &insert_new, &has_new_email},
};

/// The moment at which a request that is under way is carried out.
enum class late { never, before_recovery, within_recovery, after_recovery };

struct crash_point {
    std::size_t request;
    fault met;
    bool ends;  ///< the program, with this request
    late carried_out = late::never;
    std::size_t before = 0;  ///< the request of the recovery, if it is carried out within that
};

class unique_values_after_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean_ = GetParam() == "azurite" ? open_recorded(azurite::shared().connection_string())
                                         : value_or_throw(open_embedded({.path = ":memory:"}));
        clean().delete_if_exists();
        clean().create_if_not_exists();
    }

    account_table clean() const { return accounts_on(clean_); }

    std::size_t count_requests(scenario const& s) {
        auto const counting = std::make_shared<faulty_store>(clean_);
        names const n{++runs_};
        s.prepare(clean_, n);
        hasty_clock clock;
        EXPECT_TRUE(s.act(accounts_on(counting), n, {.clock = &clock}));
        return counting->requests();
    }

    /// Returns the number of requests that the recovery took.
    std::size_t run(scenario const& s, crash_point const& p) {
        names const n{++runs_};
        ::testing::ScopedTrace const where{__FILE__, __LINE__,
                                           std::string{s.name} + ": request " + std::to_string(p.request) +
                                               " meets fault " + std::to_string(static_cast<int>(p.met)) +
                                               (p.ends ? ", the end" : "") + ", late " +
                                               std::to_string(static_cast<int>(p.carried_out))};
        s.prepare(clean_, n);
        auto const faulty = std::make_shared<faulty_store>(clean_);
        faulty->set_overtaking(1'000'000);
        faulty->fail_next(p.met, p.request);
        auto const victim = p.ends ? store_ptr{std::make_shared<ending_store>(faulty, p.request + 1)} : faulty;
        hasty_clock clock;
        auto const told = s.act(accounts_on(victim), n, {.clock = &clock});
        if (p.carried_out == late::before_recovery) faulty->carry_out_overtaken();
        auto const others = std::make_shared<faulty_store>(clean_);
        if (p.carried_out == late::within_recovery)
            others->act_before([&](store&) { faulty->carry_out_overtaken(); }, p.before);
        auto second = recover(others, n, 2, n.new_email);
        auto third = recover(others, n, 3, n.old_email);
        auto const requests = others->requests();
        faulty->carry_out_overtaken();
        // A write that was carried out late may have given up a value.
        second = second || recover(clean_, n, 2, n.new_email);
        third = third || recover(clean_, n, 3, n.old_email);
        expect_truth(s, n, told, second, third);
        ++points_;
        return requests;
    }

    /// Another writer wants a value that the victim had or was about to get.
    bool recover(store_ptr const& on, names const& n, std::int64_t number, std::string const& email) {
        hasty_clock clock;
        account const theirs{.tenant = n.tenant + "other", .number = number, .email = email};
        auto const r = accounts_on(on).try_insert(theirs, {.clock = &clock});
        if (!r) {
            EXPECT_EQ(r.error().code(), library_errc::unique_value_taken) << r.error().what();
        }
        return r.has_value();
    }

    void expect_truth(scenario const& s, names const& n, result<void> const& told, bool second, bool third) {
        auto const own = clean().entities().find(n.tenant, 1);
        bool const done = s.is_done(own, n);
        auto const said = told ? outcome::applied : told.error().outcome();
        auto const* const why = told ? "a success" : told.error().what();
        if (said != outcome::in_doubt) {
            EXPECT_EQ(said == outcome::applied, done) << why;
        }
        bool const has_new = own && own->value.email == n.new_email, has_old = own && own->value.email == n.old_email;
        EXPECT_NE(second, has_new) << "two have the new value, or nobody: " << why;
        EXPECT_NE(third, has_old) << "two have the old value, or nobody: " << why;
        EXPECT_EQ(clean().find_by<"email">(n.new_email)->value.number, second ? 2 : 1);
        EXPECT_EQ(clean().find_by<"email">(n.old_email)->value.number, third ? 3 : 1);
        auto const by_login = clean().find_by<"login">(n.login);
        EXPECT_EQ(by_login.has_value(), own.has_value());
    }

    void expect_repaired() {
        auto const repaired = clean().repair();
        EXPECT_TRUE(repaired.clean()) << summary_of(repaired);
        auto const after = clean().verify();
        EXPECT_TRUE(after.findings.empty()) << summary_of(after);
    }

    store_ptr clean_;
    int runs_ = 0;
    int points_ = 0;
};
INSTANTIATE_TEST_SUITE_P(, unique_values_after_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& i) { return i.param; });

TEST_P(unique_values_after_faults, have_one_owner_each_whatever_request_was_the_last) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        int const before = points_;
        for (std::size_t i = 0; i < requests; ++i) {
            for (bool const ends : {true, false})
                for (auto const f : {fault::lost_before, fault::lost_after}) run(s, {i, f, ends});
            for (bool const ends : {true, false})
                for (auto const when : {late::before_recovery, late::after_recovery})
                    run(s, {i, fault::overtaken, ends, when});
        }
        std::cout << GetParam() << ": " << s.name << ": " << requests << " requests, " << points_ - before
                  << " crash points\n";
    }
    std::cout << GetParam() << ": " << points_ << " crash points\n";
    expect_repaired();
}

TEST_P(unique_values_after_faults, have_one_owner_each_when_a_late_request_comes_between_any_two_of_the_next_writer) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        for (std::size_t i = 0; i < requests; ++i)
            for (std::size_t before = 0; before < run(s, {i, fault::overtaken, true, late::within_recovery, before});)
                ++before;
    }
    std::cout << GetParam() << ": " << points_ << " crash points with late requests\n";
    expect_repaired();
}

}  // namespace
}  // namespace tablemap::test
