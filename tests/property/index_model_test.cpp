// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/indexed_samples.hpp"
#include "support/random.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/async.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <thread>

namespace tablemap::test {
namespace {

using tablemap::testing::faulty_store;

// ---- the model: what entities imply, said once more in another way
// ---------------------------------------------------

using columns = std::map<std::string, property_value>;
using rows_by_key = std::map<entity_key, columns>;

std::string digits(std::int32_t n, std::size_t width) {
    auto const text = std::to_string(n);
    return std::string(width - text.size(), '0') + text;
}

rows_by_key read_all(store_ptr const& s) {
    rows_by_key all;
    for (auto const& e : table<dynamic_entity>{s, "Workers"}.scan())
        for (auto& to = all[{e.value.partition_key, e.value.row_key}]; auto const& p : e.value.properties())
            to[p.name] = p.value;
    return all;
}

/// Of rows: those of indexes that the entities among them imply.
rows_by_key implied_by(rows_by_key const& rows) {
    rows_by_key implied;
    for (auto const& [key, row] : rows) {
        if (!key.row_key.starts_with("id_")) continue;
        auto whole = row;
        auto const id = static_cast<std::int32_t>(std::stoi(key.row_key.substr(3)));
        whole["id"] = id;
        auto const put = [&, &own = key](std::string row_key, columns const& c) {
            EXPECT_TRUE(implied.emplace(entity_key{own.partition_key, std::move(row_key)}, c).second);
        };
        auto const& name = std::get<std::string>(row.at("name"));
        put("email_" + std::get<std::string>(row.at("email")), whole);
        put("name_" + name + " !_" + key.row_key, whole);  // this ends an escaped part
        if (!std::get<bool>(row.at("active"))) continue;
        auto const age = std::get<std::int32_t>(row.at("age"));
        put("active_" + digits(age, 3) + "_" + key.row_key, {{"age", age}, {"id", id}, {"name", name}});
    }
    return implied;
}

rows_by_key rows_of_indexes(rows_by_key rows) {
    std::erase_if(rows, [](auto const& r) { return r.first.row_key.starts_with("id_"); });
    return rows;
}

using findings = std::multiset<std::pair<entity_key, index_fault>>;

/// The rows of indexes that are not there, that differ, and that nothing implies.
findings out_of_step(rows_by_key const& rows) {
    auto const implied = implied_by(rows);
    auto const there = rows_of_indexes(rows);
    findings wrong;
    for (auto const& [key, row] : implied)
        if (auto const found = there.find(key); found == there.end())
            wrong.emplace(key, index_fault::missing);
        else if (found->second != row)
            wrong.emplace(key, index_fault::differing);
    for (auto const& r : there)
        if (!implied.contains(r.first)) wrong.emplace(r.first, index_fault::orphaned);
    return wrong;
}

findings findings_of(index_report const& r) {
    findings all;
    for (auto const& f : r.findings) all.emplace(f.key, f.what);
    return all;
}

// ---- a writer -------------------------------------------------------------------------------------------------------

/// Writes random entities. Those of its own numbers it alone writes, so that it knows what the store holds of them.
class writer {
public:
    writer(store_ptr faulty, store_ptr steady, std::int32_t number, std::uint64_t seed, bool tokens)
        : mine_{std::move(faulty), "Workers", {.operation_ids = tokens}},
          steady_{std::move(steady), "Workers"},
          number_(number),
          tokens_(tokens),
          engine_(seed),
          clock_(seed) {}

    int in_doubt() const noexcept { return in_doubt_; }

    void write() {
        auto const id = below(4) == 0 ? 0 : number_ * 10 + below(4);  // 0 is everyone's
        worker const w = random_worker(id);
        auto const before = stored(w);
        auto [r, after] = carry_out(w, before);
        if (!r) check_error(r.error());
        if (!r && r.error().outcome() == outcome::in_doubt) ++in_doubt_;
        if (id == 0) return;
        auto const now = stored(w);
        bool const applied = r || r.error().outcome() == outcome::in_doubt;
        bool const kept = !r || before == after;
        EXPECT_TRUE((applied && now == after) || (kept && now == before))
            << (r ? "applied" : r.error().what()) << " but the store holds something else";
        bool const holds_token = tokens_ && after && now == after && before != after;
        EXPECT_TRUE(r || !holds_token) << "stored with a token, and does not recognise it: " << r.error().what();
    }

private:
    using state = std::optional<worker>;

    std::int32_t below(std::int32_t end) {
        return static_cast<std::int32_t>(engine_() % static_cast<std::uint64_t>(end));
    }
    worker random_worker(std::int32_t id) {
        std::string const name{"abcd"[below(4)]};
        std::string const email{"pqrstuvwxyz"[below(11)]};
        return {below(2) ? "Sales" : "Audit", id, name, email, below(90), 0.5 * below(10), below(2) == 0};
    }
    state stored(worker const& w) const {
        auto found = steady_.find(w.department, w.id);
        return found ? state{found->value} : state{};
    }
    entity<worker> read(worker const& w) {
        for (;;)
            if (auto found = mine_.try_find({w.department, w.id}, patient()); found && *found)
                return std::move(**found);
            else if (found)
                return {};
    }

    /// One operation, and what the store holds afterwards if it was applied.
    std::pair<result<void>, state> carry_out(worker const& w, state const& before) {
        auto const told = [](auto const& r) -> result<void> {
            if (!r) return failure{r.error()};
            return {};
        };
        auto changed = before.value_or(w);
        switch (below(14)) {
        case 0:
        case 1: return {told(mine_.try_insert(w, patient())), w};
        case 2: return {told(mine_.try_upsert_replace(w, patient())), w};
        case 3: return {told(mine_.try_upsert_merge(w, patient())), w};
        case 4: return {told(mine_.try_replace_any(w, patient())), w};
        case 5: {
            auto e = read(w);
            if (e.etag.empty()) return {result<void>{}, before};
            e.value.name = w.name, e.value.email = w.email, e.value.active = w.active;
            changed = e.value;
            return {mine_.try_replace(e, patient()), changed};
        }
        case 6: {
            auto e = read(w);
            if (e.etag.empty()) return {result<void>{}, before};
            e.value.email = w.email;
            changed.email = w.email;
            return {mine_.try_merge(e, only<&worker::email>, patient()), changed};
        }
        case 7:
            changed.age = w.age, changed.active = w.active;
            return {told(mine_.try_merge_any(w, only<&worker::age, &worker::active>, patient())), changed};
        case 8: return {told(mine_.try_erase_any({w.department, w.id}, patient())), state{}};
        case 9:
        case 10: {
            auto t = mine_.transaction();
            t.upsert_replace(w);
            auto shared = random_worker(0);
            shared.department = w.department;
            bool const erases = below(2) == 0;
            if (w.id != 0 && erases) t.erase_any(key_of<worker>{shared.department, 0});
            if (w.id != 0 && !erases) t.upsert_merge(shared);
            return {told(t.try_commit(patient())), w};
        }
        case 11:
        case 12: {
            std::vector const rows{w};
            auto const report =
                below(2) ? mine_.insert_many(rows, {}, patient()) : mine_.upsert_many(rows, {}, patient());
            if (report.ended_by) return {failure{*report.ended_by}, w};
            if (!report.problems.empty()) return {failure{report.problems.front().error}, w};
            return {result<void>{}, w};
        }
        default: {
            auto const change = [&](worker& x) { x.name = w.name, x.age = w.age, x.email = w.email; };
            change(changed);
            if (!before) changed = w;
            return {told(mine_.try_modify_or_insert(w, change, patient())), changed};
        }
        }
    }

    void check_error(error const& e) {
        bool const expected = e.outcome() == outcome::in_doubt || e.code() == library_errc::unique_value_taken ||
                              e.code() == service_errc::entity_already_exists ||
                              e.code() == service_errc::resource_not_found ||
                              e.code() == service_errc::update_condition_not_satisfied ||
                              e.code() == library_errc::too_many_conflicts || e.code() == service_errc::server_busy;
        EXPECT_TRUE(expected) << e.what();
    }

    call_options patient() { return {.retry = retry_policy{.attempts = 10}, .clock = &clock_}; }

    table<worker> mine_, steady_;
    std::int32_t number_;
    bool tokens_;
    int in_doubt_ = 0;
    std::mt19937_64 engine_;
    tablemap::testing::fixed_clock clock_;
};

// ---- the test -------------------------------------------------------------------------------------------------------

struct model_store {
    std::string name;
    int rounds;
    std::function<store_ptr(temp_folder const&)> make;

    friend void PrintTo(model_store const& s, std::ostream* out) { *out << s.name; }
};

class index_model : public ::testing::TestWithParam<model_store> {
protected:
    void SetUp() override {
        steady_ = GetParam().make(folder_);
        if (!steady_) GTEST_SKIP() << GetParam().name << " needs the storage emulator: scripts/setup test installs it";
        table<worker> const t{steady_, "Workers"};
        t.delete_if_exists();
        t.create();
        faulty_ = std::make_shared<faulty_store>(steady_);
    }

    /// TABLEMAP_TEST_ROUNDS makes of a test of seconds one of hours.
    static int rounds() {
        auto const* given = std::getenv("TABLEMAP_TEST_ROUNDS");
        return given ? std::atoi(given) : GetParam().rounds;
    }

    void write_at_once(random_source& random, bool tokens) {
        faulty_->fail_randomly(0.1, random.word());
        std::vector<std::thread> threads;
        std::atomic<int> in_doubt = 0;
        constexpr int writers = 3, writes = 40;
        for (std::int32_t i = 1; i <= writers; ++i)
            threads.emplace_back([&, i, tokens, seed = random.word()] {
                writer w{faulty_, steady_, i, seed, tokens};
                for (int n = 0; n < writes; ++n) w.write();
                in_doubt += w.in_doubt();
            });
        for (auto& t : threads) t.join();
        faulty_->stop_failing();
        // One request in ten fails: what was refused then may be in doubt, and without tokens what was stored.
        EXPECT_LT(in_doubt, writers * writes / 5);
    }

    /// Writes like a program that knows no indexes. While a row of a unique index is missing, or differs, writers may
    /// give its value away.
    void break_some(random_source& random, bool unique_ones_too = true) {
        table<dynamic_entity> const raw{steady_, "Workers"};
        std::vector<entity<dynamic_entity>> all;
        for (auto& e : raw.scan()) all.push_back(e);
        ++breaks_;
        std::map<std::string, std::string> free_email;
        for (auto& e : all) {
            bool const is_entity = e.value.row_key.starts_with("id_");
            bool const spared = !unique_ones_too && e.value.row_key.starts_with("email_");
            auto const what = random.below(20);
            if (what == 0 && !spared) raw.erase(e);
            if (what == 1) e.value.set("age", static_cast<std::int32_t>(random.below(90)));
            bool const moves = what >= 1 && what <= 6 && is_entity && unique_ones_too;
            if (moves) take_email(e.value, free_email[e.value.partition_key]);
            if (what == 1 || moves) raw.merge(e);
        }
    }

    /// That of the one before, which has taken another by now.
    void take_email(dynamic_entity& e, std::string& free) const {
        auto email = free.empty() ? "new" + std::to_string(breaks_) : free;
        free = *e.try_get<std::string>("email");
        e.set("email", std::move(email));
    }

    void expect_in_step(char const* when) {
        auto const rows = read_all(steady_);
        EXPECT_EQ(rows_of_indexes(rows), implied_by(rows)) << when;
        async_table<worker> const t{steady_, "Workers"};
        EXPECT_TRUE(t.verify_indexes(boost::asio::use_future).get().in_step()) << when;
        auto const sales = partition(std::string{"Sales"});
        index_audit_options const by_few{.page_rows = 5};
        call_options const patient{};
        EXPECT_TRUE(t.verify_indexes(sales, boost::asio::use_future).get().in_step()) << when;
        EXPECT_TRUE(t.rebuild_indexes(sales, patient, boost::asio::use_future).get().in_step()) << when;
        EXPECT_TRUE(t.verify_indexes(sales, by_few, boost::asio::use_future).get().in_step()) << when;
    }

    temp_folder folder_;
    store_ptr steady_;
    std::shared_ptr<faulty_store> faulty_;
    int breaks_ = 0;
};

INSTANTIATE_TEST_SUITE_P(
    , index_model,
    ::testing::Values(model_store{"embedded_memory", 10,
                                  [](temp_folder const&) {
                                      return value_or_throw(open_embedded({.path = ":memory:"}));
                                  }},
                      model_store{"embedded_file", 6,
                                  [](temp_folder const& f) {
                                      return value_or_throw(open_embedded(
                                          {.path = f.file("workers.db"), .synchronous = durability::normal}));
                                  }},
                      model_store{"azurite", 2,
                                  [](temp_folder const&) {
                                      return azurite::program() ? open_recorded(azurite::shared().connection_string())
                                                                : store_ptr{};
                                  }}),
    [](auto const& i) { return i.param.name; });

TEST_P(index_model, holds_at_every_quiet_moment_between_writers_with_faults) {
    random_source random;
    for (int round = 0; round < rounds() && !HasFailure(); ++round) {
        write_at_once(random, round % 2 == 0);
        expect_in_step("after writers");
    }
}

TEST_P(index_model, tells_what_verify_tells_of_broken_rows_and_rebuild_repairs_them) {
    random_source random;
    table<worker> const t{steady_, "Workers"};
    for (int round = 0; round < rounds() && !HasFailure(); ++round) {
        write_at_once(random, true);
        break_some(random);
        EXPECT_EQ(findings_of(t.verify_indexes()), out_of_step(read_all(steady_)));
        faulty_->fail_randomly(0.1, random.word());
        tablemap::testing::fixed_clock clock;
        table<worker> const faulty{faulty_, "Workers"};
        EXPECT_TRUE(faulty.rebuild_indexes({}, {.retry = retry_policy{.attempts = 10}, .clock = &clock}).in_step());
        faulty_->stop_failing();
        expect_in_step("after a rebuild");
    }
}

TEST_P(index_model, holds_after_a_rebuild_among_writers) {
    random_source random;
    table<worker> const t{steady_, "Workers"};
    for (int round = 0; round < rounds() && !HasFailure(); ++round) {
        break_some(random, false);
        auto repaired = std::async(std::launch::async, [&] { return t.try_rebuild_indexes({.page_rows = 7}); });
        write_at_once(random, true);
        auto const r = repaired.get();
        ASSERT_TRUE(r) << r.error().what();
        EXPECT_TRUE(r->in_step()) << r->unsettled << " unsettled";
        expect_in_step("after a rebuild among writers");
        index_audit_options const slowly{.at_once = 1};
        async_table<worker> const later{steady_, "Workers"};
        EXPECT_EQ(later.rebuild_indexes(slowly, boost::asio::use_future).get().found(), 0u);
    }
}

}  // namespace
}  // namespace tablemap::test
