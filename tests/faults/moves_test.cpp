// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/mortal_store.hpp"
#include "support/move_samples.hpp"

#include "tablemap/open.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// A officer who retires: Don of Bonn, who is to become a pensioner.
class stage {
public:
    explicit stage(store_ptr clean, bool operation_ids = false)
        : clean_(std::move(clean)),
          options_{.operation_ids = operation_ids},
          officers_(clean_, name("Officers"), options_),
          pensioners_(clean_, name("Pensioners"), options_) {
        officers_.create();
        pensioners_.create();
        officers_.insert({"Bonn", 1, "Don"});
    }
    ~stage() {
        officers_.delete_table();
        pensioners_.delete_table();
    }

    store_ptr const& clean() const noexcept { return clean_; }
    table<officer> const& officers() const noexcept { return officers_; }
    table<pensioner> const& pensioners() const noexcept { return pensioners_; }

    void retire_by(store_ptr s) {
        table<officer> const officers{s, officers_.name(), options_};
        auto don = officers.try_find({"Bonn", 1}, options());
        if (!don || !*don) return;
        auto t = officers.transaction();
        t.replace(**don);
        static_cast<void>(officer_outbox{officers}.try_commit(t, options(), retire{1}));
    }

    void relay_by(store_ptr s) {
        table<officer> const officers{s, officers_.name(), options_};
        relay const r{officer_outbox{officers},
                      {.lease = 60s, .attempts = 20, .now = [this] { return now_; }},
                      on_move(table<pensioner>{s, pensioners_.name(), options_}, pensioner_of),
                      on<greet_officer>([](greet_officer const&) {})};
        static_cast<void>(r.try_run_once(partition("Bonn"), options()));
    }

    /// Time goes on until no lease is valid, and failed effects are tried again.
    void let_leases_end() { now_ = now_ + tick_duration{10min}; }

    /// Commits unless that was done, as a program does after it was started again, and lets a fresh relay work.
    void recover() {
        auto const s = officer_outbox{officers_}.status();
        if (!moved() && s.pending + s.parked == 0 && !given_up) retire_by(clean_);
        let_leases_end();
        relay_by(clean_);
    }

    moved_entity<officer, pensioner> look() { return moves{officers_, pensioners_}.find({"Bonn", 1}, {1}); }
    bool moved() { return look().target.has_value(); }

    /// The name of the officer at the place that counts; empty if there is none.
    std::string name_of_found() {
        auto const found = look();
        EXPECT_FALSE(found.source && found.target);
        if (found.source) return found.source->value.name;
        return found.target ? found.target->value.name : "";
    }

    /// The rows that are left, of every kind but the head.
    std::vector<std::string> rows() {
        std::vector<std::string> all;
        for (auto const& e : table<dynamic_entity>{clean_, officers_.name()}.scan())
            if (e.value.row_key != "~outbox_head") all.push_back(e.value.row_key);
        for (auto const& e : table<pensioner>{clean_, pensioners_.name()}.scan())
            all.push_back((is_tentative(e) ? "tentative " : "pensioner ") + e.value.name);
        return all;
    }

    bool given_up = false;                        ///< the move is not to be committed again
    retry_policy retries = retry_policy::none();  ///< of the requests of commits and relays

private:
    static std::string name(std::string const& kind) { return kind + std::to_string(++count_); }
    call_options options() { return {.retry = retries, .clock = &clock_}; }

    static inline int count_ = 0;

    store_ptr clean_;
    table_options options_;
    table<officer> officers_;
    table<pensioner> pensioners_;
    ticks now_ = ticks::now();
    fixed_clock clock_;
};

using rows = std::vector<std::string>;
rows const retired{"pensioner Don"};

class move_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean =
            open(GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"});
    }
    static void TearDownTestSuite() { std::cout << "crash points of moves: " << points << "\n"; }

    using action = std::function<void(stage&, store_ptr)>;
    using disturbance = std::function<void(stage&, std::size_t, action const&)>;

    /// The number of requests that an action sends if nothing fails.
    std::size_t requests_of(bool committed, action const& act) {
        stage s{clean};
        if (committed) s.retire_by(clean);
        auto const counted = std::make_shared<faulty_store>(clean);
        act(s, counted);
        return counted->requests();
    }

    /// Carries out the action once for each of its requests, disturbed there, and checks what comes of it.
    void at_each_request(bool committed, action const& act, disturbance const& disturb,
                         std::function<void(stage&)> const& check) {
        auto const requests = requests_of(committed, act);
        ASSERT_GT(requests, 0U);
        for (std::size_t k = 0; k < requests; ++k) {
            SCOPED_TRACE("request " + std::to_string(k));
            stage s{clean};
            if (committed) s.retire_by(clean);
            disturb(s, k, act);
            check(s);
            ++points;
            if (HasFailure()) return;
        }
    }
    void in_commit_and_relay(disturbance const& disturb, std::function<void(stage&)> const& check) {
        at_each_request(
            false, [](stage& s, store_ptr on) { s.retire_by(std::move(on)); }, disturb, check);
        at_each_request(true, relaying, disturb, check);
    }

    /// Somebody else does something before the request.
    static disturbance before(std::function<void(stage&)> act) {
        return [act](stage& s, std::size_t k, action const& disturbed) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->act_before([&](class store&) { act(s); }, k);
            disturbed(s, faulty);
        };
    }
    static disturbance failing(fault f) {
        return [f](stage& s, std::size_t k, action const& act) {
            auto const faulty = std::make_shared<faulty_store>(s.clean());
            faulty->fail_next(f, k);
            act(s, faulty);
            faulty->carry_out_overtaken();
        };
    }
    static disturbance kill(bool carries_out) {
        return [carries_out](stage& s, std::size_t k, action const& act) {
            try {
                act(s, std::make_shared<mortal_store>(s.clean(), k, carries_out));
            } catch (killed const&) {  // the rest is for a process that is started then
            }
        };
    }

    static void relaying(stage& s, store_ptr on) { s.relay_by(std::move(on)); }

    /// At every moment the officer is found at one place, and in the end at the new one.
    static void check_moved(stage& s) {
        EXPECT_EQ(s.name_of_found(), "Don");
        s.recover();
        EXPECT_EQ(s.name_of_found(), "Don");
        EXPECT_EQ(s.rows(), retired);
    }

    static inline std::size_t points = 0;
    store_ptr clean;
};

TEST_P(move_faults, killed) {
    for (bool const carries_out : {false, true}) in_commit_and_relay(kill(carries_out), check_moved);
}

TEST_P(move_faults, lost_responses) {
    for (auto const f : {fault::lost_before, fault::lost_after, fault::overtaken, fault::busy})
        in_commit_and_relay(failing(f), check_moved);
}

TEST_P(move_faults, found_at_one_place_between_any_two_requests) {
    in_commit_and_relay(before([](stage& s) { EXPECT_EQ(s.name_of_found(), "Don"); }), check_moved);
}

TEST_P(move_faults, a_second_relay_in_between) {
    for (bool const lease_is_over : {false, true})
        in_commit_and_relay(before([=](stage& s) {
                                if (lease_is_over) s.let_leases_end();
                                s.relay_by(s.clean());
                            }),
                            check_moved);
}

/// The second relay is killed as well, at each of its requests.
TEST_P(move_faults, a_second_relay_that_is_killed_in_between) {
    for (std::size_t k = 0; k < requests_of(true, relaying); ++k)
        at_each_request(true, relaying, before([k](stage& s) {
                            s.let_leases_end();
                            kill(true)(s, k, relaying);
                        }),
                        check_moved);
}

/// The first relay cannot know whether its write was applied, and has lost its lease when it goes on. The second one is
/// killed at each of its requests.
TEST_P(move_faults, a_lost_response_and_a_second_relay_that_is_killed) {
    auto const requests = requests_of(true, relaying);
    for (auto const f : {fault::lost_before, fault::lost_after})
        for (std::size_t killed_at = 0; killed_at < requests; ++killed_at) {
            SCOPED_TRACE("killed at " + std::to_string(killed_at));
            auto const disturb = [=](stage& s, std::size_t k, action const& act) {
                auto const faulty = std::make_shared<faulty_store>(s.clean());
                faulty->fail_next(f, k);
                faulty->act_before(
                    [&](class store&) {
                        s.let_leases_end();
                        kill(true)(s, killed_at, relaying);
                    },
                    k + 1);
                act(s, faulty);
            };
            at_each_request(true, relaying, disturb, check_moved);
            if (HasFailure()) return;
        }
}

/// An operation id may show that a write was applied, without its etag. The second relay ends the move that has become
/// void, before the lost write or after it.
TEST_P(move_faults, a_lost_response_with_operation_ids_and_the_source_erased) {
    auto const requests = requests_of(true, relaying);
    for (std::size_t lost = 0; lost < requests; ++lost)
        for (std::size_t erased_at = 0; erased_at < requests + 4; ++erased_at) {
            SCOPED_TRACE("lost " + std::to_string(lost) + ", erased before " + std::to_string(erased_at));
            stage s{clean, true};
            s.retire_by(clean);
            s.retries = retry_policy::exponential(3);
            bool erased = false;
            auto const faulty = std::make_shared<faulty_store>(clean);
            faulty->fail_next(fault::lost_after, lost);
            faulty->act_before(
                [&](class store&) {
                    erased = s.officers().erase_any({"Bonn", 1});
                    s.let_leases_end();
                    s.relay_by(s.clean());
                },
                erased_at);
            s.relay_by(faulty);
            s.given_up = erased;
            s.recover();
            EXPECT_EQ(s.name_of_found(), erased ? "" : "Don");
            if (erased && erased_at <= lost) s.pensioners().erase_any({1});  // one without a known etag may be left
            EXPECT_EQ(s.rows(), erased ? rows{} : retired);
            ++points;
            if (HasFailure()) return;
        }
}

/// A write of the first relay reaches the store when the second one is done.
TEST_P(move_faults, a_write_that_arrives_after_a_second_relay) {
    auto const late = [](stage& s, std::size_t k, action const& act) {
        auto const faulty = std::make_shared<faulty_store>(s.clean());
        faulty->set_overtaking(1000);
        faulty->fail_next(fault::overtaken, k);
        act(s, faulty);
        s.let_leases_end();
        s.relay_by(s.clean());
        faulty->carry_out_overtaken();
    };
    in_commit_and_relay(late, check_moved);
}

TEST_P(move_faults, a_write_that_arrives_after_the_source_was_erased) {
    bool erased = false;
    auto const late = [&](stage& s, std::size_t k, action const& act) {
        auto const faulty = std::make_shared<faulty_store>(s.clean());
        faulty->set_overtaking(1000);
        faulty->fail_next(fault::overtaken, k);
        act(s, faulty);
        erased = s.officers().erase_any({"Bonn", 1});
        s.let_leases_end();
        s.relay_by(s.clean());
        faulty->carry_out_overtaken();
    };
    at_each_request(true, relaying, late, [&](stage& s) {
        EXPECT_EQ(s.name_of_found(), erased ? "" : "Don") << "a tentative row may be left, and is not the entity";
        if (erased) s.pensioners().erase_any({1});
        EXPECT_EQ(s.rows(), erased ? rows{} : retired);
    });
}

TEST_P(move_faults, the_source_erased_in_between) {
    bool erased = false;
    auto const erase = [&](stage& s) {
        erased = s.officers().erase_any({"Bonn", 1});
        s.given_up = erased;
    };
    in_commit_and_relay(before(erase), [&](stage& s) {
        s.recover();
        EXPECT_EQ(s.rows(), erased ? rows{} : retired);
    });
}

TEST_P(move_faults, the_source_changed_in_between) {
    bool changed = false;
    auto const change = [&](stage& s) {
        changed = s.officers().try_modify({"Bonn", 1}, [](officer& c) { c.name = "Donald"; }).has_value();
    };
    in_commit_and_relay(before(change), [&](stage& s) {
        s.recover();
        EXPECT_EQ(s.rows(), changed ? rows{"pensioner Donald"} : retired) << "what was written last";
    });
}

TEST_P(move_faults, the_source_erased_and_stored_again_in_between) {
    bool erased = false;
    auto const hire_again = [&](stage& s) {
        erased = s.officers().erase_any({"Bonn", 1});
        s.given_up = true;
        s.officers().insert({"Bonn", 1, "Eve"});
    };
    at_each_request(true, relaying, before(hire_again), [&](stage& s) {
        s.recover();
        EXPECT_EQ(s.rows(), erased ? rows{"pensioner Eve"} : (rows{"officer_000001", "pensioner Don"}));
    });
}

TEST_P(move_faults, the_source_erased_and_a_second_relay_in_between) {
    bool erased = false;
    auto const erase = [&](stage& s) {
        erased = s.officers().erase_any({"Bonn", 1});
        s.let_leases_end();
        s.relay_by(s.clean());
        if (erased) s.officers().insert({"Bonn", 1, "Eve"});
    };
    at_each_request(true, relaying, before(erase), [&](stage& s) {
        s.given_up = true;
        s.recover();
        EXPECT_EQ(s.rows(), erased ? rows{"officer_000001"} : retired) << "she is another one";
    });
}

/// The first relay finds a tentative row and no source. Then the source is stored again, and a second relay moves it
/// until it is killed.
TEST_P(move_faults, the_source_stored_again_and_moved_while_a_relay_withdraws) {
    bool stored = false;
    auto const withdraw = [&](std::size_t killed_at) {
        return [&, killed_at](stage& s, std::size_t k, action const& act) {
            kill(true)(s, 5, relaying);
            s.officers().erase_any({"Bonn", 1});
            s.let_leases_end();
            stored = false;
            auto const move_again = [&](stage& again) {
                stored = again.officers().try_insert({"Bonn", 1, "Eve"}).has_value();
                again.let_leases_end();
                kill(true)(again, killed_at, relaying);
            };
            before(move_again)(s, k, act);
        };
    };
    for (std::size_t killed_at = 0; killed_at < requests_of(true, relaying); ++killed_at)
        at_each_request(true, relaying, withdraw(killed_at), [&](stage& s) {
            s.given_up = true;
            EXPECT_EQ(s.name_of_found(), stored ? "Eve" : "");
            s.recover();
            EXPECT_EQ(s.name_of_found(), stored ? "Eve" : "");
            EXPECT_EQ(s.rows().size(), stored ? 1U : 0U);
        });
}

TEST_P(move_faults, a_row_at_the_new_key_in_between) {
    bool stored = false;
    auto const store = [&](stage& s) { stored = s.pensioners().try_insert({1, "Ulm", "Eve"}).has_value(); };
    at_each_request(true, relaying, before(store), [&](stage& s) {
        if (stored) {
            EXPECT_THAT(s.rows(), ::testing::IsSupersetOf({"officer_000001", "pensioner Eve"})) << "nobody is lost";
            s.pensioners().erase_any({1});
        }
        s.recover();
        EXPECT_EQ(s.rows(), retired);
    });
}

/// It is stored without being read, over the tentative row if there is one. A move that is past its check of the row
/// cannot see that; nothing else is lost.
TEST_P(move_faults, a_row_stored_over_the_new_one_in_between) {
    bool was_tentative = false;
    auto const store = [&](stage& s) {
        auto const there = s.pensioners().find(1);
        was_tentative = there && is_tentative(*there);
        s.pensioners().upsert_replace({1, "Ulm", "Eve"});
    };
    at_each_request(true, relaying, before(store), [&](stage& s) {
        EXPECT_THAT(s.rows(), ::testing::Contains("pensioner Eve")) << "what was stored last";
        if (!was_tentative && s.officers().find("Bonn", 1)) {
            s.pensioners().erase_any({1});
            s.recover();
            EXPECT_EQ(s.rows(), retired);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(, move_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

}  // namespace
}  // namespace tablemap::test
