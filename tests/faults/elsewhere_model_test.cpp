// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/elsewhere_samples.hpp"

#include "tablemap/open.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

std::vector<std::string> const emails{"a@x", "b@x", "c@x", "d@x", "e@x"};

/// Several programs that write clerks and relay their index, each through a store of its own that fails now and then.
/// They take turns: each operation is a whole one, but what a fault left of it is there.
class programs {
public:
    programs(store_ptr clean, std::uint64_t seed)
        : random_(seed), clean_(std::move(clean)), name_("Clerks" + std::to_string(++count_)) {
        clerks_.create();
        table<dynamic_entity>{clean_, table_by_email}.delete_if_exists();
        index_relay{clerks_}.create_if_not_exists();
        for (std::uint64_t i = 0; i < writers; ++i) stores_.push_back(failing(seed + i));
        stores_.push_back(failing(seed + writers));  // of the relay
    }
    ~programs() { clerks_.delete_table(); }

    void step() {
        auto const who = below(writers + 1);
        if (who == writers)
            relay();
        else
            write({stores_[who], name_});
    }

    /// Look-ups return what is stored, and what has the value that was looked for.
    void check_look_ups() {
        for (auto const& email : emails)
            for (auto const& e : by_email_.find_all(partition(email))) {
                EXPECT_EQ(e.value.email, email);
                auto const now = clerks_.find(e.value.office, e.value.id);
                EXPECT_TRUE(now && now->value == e.value && now->etag == e.etag);
                ++looked_up;
            }
    }

    /// The rows of the indexes in the partition are never behind.
    void check_local_look_ups() {
        for (auto const* const office : {"Bonn", "Kiel"})
            for (auto q = clerks_.query_by<"by_name">(partition(office)); auto const& e : q) {
                auto const now = clerks_.find(e.value.office, e.value.id);
                EXPECT_TRUE(now && now->value == e.value);
                EXPECT_EQ(clerks_.find_by<"by_badge">(e.value.office, e.value.badge)->value.id, e.value.id);
                ++looked_up_beside;
            }
    }

    void settle() {
        for (auto const& s : stores_) {
            s->stop_failing();
            s->carry_out_overtaken();
        }
        EXPECT_EQ(index_relay{clerks_}.sweep().left, 0U);
    }

    void check() {
        auto const implied = implied_by(clerks_);
        EXPECT_EQ(rows_of_index(clerks_, clean_), implied);
        EXPECT_EQ(intents_in(clean_, name_) + intents_in(clean_, table_by_email), 0U);
        EXPECT_TRUE(clerks_.verify_indexes().in_step());
        EXPECT_EQ(index_relay{clerks_}.verify().found(), 0U);
        rows += implied.size();
        faults += stores_[0]->faults();
    }

    static inline std::size_t looked_up = 0, looked_up_beside = 0, rows = 0, faults = 0;

private:
    static constexpr std::size_t writers = 3;
    static inline int count_ = 0;

    std::shared_ptr<faulty_store> failing(std::uint64_t seed) const {
        auto s = std::make_shared<faulty_store>(clean_);
        s->fail_randomly(0.07, seed, {fault::busy, fault::lost_before, fault::lost_after, fault::overtaken});
        return s;
    }

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>{0, n - 1}(random_); }
    std::string office() { return below(2) == 0 ? "Bonn" : "Kiel"; }
    std::optional<std::string> email() {
        auto const n = below(emails.size() + 1);
        return n == emails.size() ? std::nullopt : std::optional{emails[n]};
    }
    clerk any() {
        return {office(), static_cast<std::int32_t>(below(5)), std::string(1, static_cast<char>('A' + below(3))),
                email(), static_cast<std::int32_t>(below(9))};
    }
    key_of<clerk> any_key() { return {office(), static_cast<std::int32_t>(below(5))}; }
    call_options options() { return {.clock = &clock_}; }

    void relay() {
        index_relay const r{table<clerk>{stores_.back(), name_}, {.page_size = 1 + below(4)}};
        if (below(2) == 0)
            static_cast<void>(r.try_sweep(options()));
        else
            static_cast<void>(r.try_run_once(partition(office()), options()));
    }

    /// A write may fail, by a fault or because a badge is taken.
    void write(table<clerk> const& to) {
        auto const o = options();
        switch (below(9)) {
        case 0: static_cast<void>(to.try_insert(any(), o)); break;
        case 1: static_cast<void>(to.try_upsert_replace(any(), o)); break;
        case 2: static_cast<void>(to.try_erase_any(any_key(), o)); break;
        case 3: {
            auto const e = email();
            static_cast<void>(to.try_modify(
                any_key(), [&](clerk& c) { c.email = e; }, o));
            break;
        }
        case 4: merge(to); break;
        case 5: replace(to); break;
        case 6: commit(to); break;
        case 7: write_many(to); break;
        default: erase_some(to); break;
        }
    }
    void merge(table<clerk> const& to) {
        auto c = any();
        if (!c.email) c.email = emails.front();
        static_cast<void>(to.try_merge_any(c, only<&clerk::email>, options()));
    }
    void replace(table<clerk> const& to) {
        auto found = clerks_.find(any_key());
        if (!found) return;
        found->value.email = email();
        found->value.name = "Z";
        static_cast<void>(below(3) == 0 ? to.try_erase(*found, options()) : to.try_replace(*found, options()));
    }
    void commit(table<clerk> const& to) {
        auto t = to.transaction();
        for (std::int32_t id = 0; id < 3; ++id) {
            auto c = any();
            c.office = "Bonn";
            c.id = id;
            t.upsert_replace(c);
        }
        static_cast<void>(t.try_commit(options()));
    }
    void write_many(table<clerk> const& to) {
        std::vector<clerk> const some{any(), any(), any()};
        static_cast<void>(to.upsert_many(some, bulk_options{}, options()));
    }
    void erase_some(table<clerk> const& to) {
        auto const wanted = clerks_.query(partition(office())).where(field<&clerk::name> == "A");
        try {
            static_cast<void>(to.erase_where(wanted, bulk_options{}, options()));
        } catch (error const& e) {
            EXPECT_TRUE(e.retryable() || e.outcome() == outcome::in_doubt) << e.what();
        }
    }

    std::mt19937_64 random_;
    store_ptr clean_;
    std::string name_;
    table<clerk> clerks_{clean_, name_};
    clerks_by_email by_email_{clerks_};
    std::vector<std::shared_ptr<faulty_store>> stores_{};
    fixed_clock clock_;
};

void run_programs(std::function<store_ptr()> const& open_store, std::uint64_t runs, int steps) {
    std::uint64_t const first = std::random_device{}();
    std::cout << "seed: " << first << "\n";
    for (std::uint64_t run = 0; run < runs && !::testing::Test::HasFailure(); ++run) {
        SCOPED_TRACE("seed " + std::to_string(first + 100 * run));
        programs all{open_store(), first + 100 * run};
        for (int i = 0; i < steps; ++i) {
            all.step();
            all.check_look_ups();
            if (i % 10 == 0) all.check_local_look_ups();
        }
        all.settle();
        all.check();
    }
    std::cout << "entities looked up: " << programs::looked_up << ", rows compared: " << programs::rows
              << ", faults of one writer: " << programs::faults << "\n";
    EXPECT_GT(programs::looked_up, 100U);
    EXPECT_GT(programs::looked_up_beside, 10U);
    EXPECT_GT(programs::rows, 0U);
}

TEST(model_of_indexes_elsewhere, ends_with_what_the_entities_imply) {
    run_programs([] { return open("embedded::memory:"); }, 15, 120);
}

TEST(model_of_indexes_elsewhere, ends_with_what_the_entities_imply_on_the_emulator) {
    if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
    run_programs([] { return open(azurite::shared().connection_string()); }, 2, 60);
}

}  // namespace
}  // namespace tablemap::test
