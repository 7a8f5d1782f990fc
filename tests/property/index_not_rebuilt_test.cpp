// SPDX-License-Identifier: Apache-2.0
#include "property/turns.hpp"
#include "support/indexed_samples.hpp"
#include "support/random.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

/// Several writers and a rebuild take turns, request by request, on a table whose indexes were declared when it had
/// rows. Whatever is lost, or comes late, each single request leaves the rows of other entities alone.
namespace tablemap::test {
namespace {

using columns = std::map<std::string, property_value>;
using rows_by_key = std::map<std::string, columns>;

constexpr std::int32_t most_ids = 6;
std::string const department = "Sales";

rows_by_key read_all(store_ptr const& s) {
    rows_by_key all;
    for (auto const& e : table<dynamic_entity>{s, "Workers"}.scan())
        for (auto& to = all[e.value.row_key]; auto const& p : e.value.properties()) to[p.name] = p.value;
    return all;
}

bool is_entity(std::string const& row_key) { return row_key.starts_with("id_"); }
bool is_unique(std::string const& row_key) { return row_key.starts_with("email_"); }

std::string key_of_id(std::int32_t id) {
    auto const digits = std::to_string(id);
    return "id_" + std::string(6 - digits.size(), '0') + digits;
}
std::string owner_of(columns const& row) { return key_of_id(std::get<std::int32_t>(row.at("id"))); }

std::string email_row_of(columns const& entity) { return "email_" + std::get<std::string>(entity.at("email")); }

/// The rows that an entity implies, said in another way than the library does.
rows_by_key implied_by(std::string const& row_key, columns const& entity) {
    auto whole = entity;
    auto const id = static_cast<std::int32_t>(std::stoi(row_key.substr(3)));
    whole["id"] = id;
    auto const name = std::get<std::string>(entity.at("name"));
    auto const age = std::get<std::int32_t>(entity.at("age"));
    rows_by_key rows{{email_row_of(entity), whole}, {"name_" + name + " !_" + row_key, whole}};
    auto const digits = std::to_string(age);
    if (std::get<bool>(entity.at("active")))
        rows["active_" + std::string(3 - digits.size(), '0') + digits + "_" + row_key] = {
            {"age", age}, {"id", id}, {"name", name}};
    return rows;
}

// ---- invariants of every request ------------------------------------------------------------------------------------

/// No row of an index is there that its entity does not imply as it stands there, so look-ups never lie.
void expect_rows_tell_the_truth(rows_by_key const& now) {
    for (auto const& [key, row] : now) {
        if (is_entity(key)) continue;
        auto const entity = now.find(owner_of(row));
        ASSERT_NE(entity, now.end()) << key << " is a copy of nothing";
        auto const implied = implied_by(entity->first, entity->second);
        auto const same = implied.find(key);
        ASSERT_NE(same, implied.end()) << key << " is not implied by " << entity->first;
        EXPECT_EQ(same->second, row) << key;
    }
}

/// An entity that gets a value has its row in the unique index: two entities never get one value through it.
void expect_new_values_are_held(rows_by_key const& before, rows_by_key const& now) {
    for (auto const& [key, entity] : now) {
        if (!is_entity(key)) continue;
        auto const was = before.find(key);
        auto const value = email_row_of(entity);
        if (was != before.end() && email_row_of(was->second) == value) continue;
        auto const row = now.find(value);
        ASSERT_NE(row, now.end()) << key << " took " << value << " without a row";
        EXPECT_EQ(owner_of(row->second), key) << value;
    }
}

/// A row of an index is replaced or erased together with its own entity alone. Merges leave it as it is: that was seen
/// already.
void expect_own_rows_were_touched(rows_by_key const& before, rows_by_key const& now,
                                  std::vector<written> const& operations) {
    std::set<std::string> entities;
    for (auto const& o : operations)
        if (is_entity(o.row_key)) entities.insert(o.row_key);
    for (auto const& o : operations) {
        auto const was = before.find(o.row_key);
        if (is_entity(o.row_key) || was == before.end() || o.kind == write_kind::merge) continue;
        EXPECT_NE(o.kind, write_kind::insert) << o.row_key;
        EXPECT_TRUE(entities.contains(owner_of(was->second))) << o.row_key << " of " << owner_of(was->second);
        auto const is = now.find(o.row_key);
        bool const still_there = is_unique(o.row_key) && is != now.end();
        EXPECT_TRUE(!still_there || entities.contains(owner_of(is->second))) << o.row_key;
    }
}

// ---- a writer -------------------------------------------------------------------------------------------------------

class writer {
public:
    writer(store_ptr const& s, std::uint64_t seed)
        : t_{s, "Workers"}, rows_{s, "Workers"}, engine_(seed), clock_(seed) {}

    void write() {
        auto const e = carry_out(random_worker());
        if (e) check_error(*e);
    }

private:
    std::int32_t below(std::int32_t end) {
        return static_cast<std::int32_t>(engine_() % static_cast<std::uint64_t>(end));
    }
    worker random_worker() {
        std::string const name{"ab"[below(2)]};
        std::string const email{"pqrstuv"[below(7)]};
        return {department, 1 + below(most_ids), name, email, below(3), 0.5 * below(10), below(2) == 0};
    }

    template <class R> static std::optional<error> fault_of(R const& r) {
        return r ? std::nullopt : std::optional{r.error()};
    }
    template <class Report> static std::optional<error> fault_of_bulk(Report const& r) {
        if (r.ended_by) return r.ended_by;
        return r.problems.empty() ? std::nullopt : std::optional{r.problems.front().error};
    }

    std::optional<error> carry_out(worker const& w) {
        key_of<worker> const key{w.department, w.id};
        auto const change = [&](worker& x) { x.name = w.name, x.email = w.email, x.age = w.age; };
        auto const change_name = [&](worker& x) { x.name = w.name, x.salary = w.salary; };
        switch (below(16)) {
        case 0: return fault_of(t_.try_insert(w, patient()));
        case 1: return fault_of(t_.try_upsert_replace(w, patient()));
        case 2: return fault_of(t_.try_upsert_merge(w, patient()));
        case 3: return fault_of(t_.try_replace_any(w, patient()));
        case 4: return fault_of(t_.try_merge_any(w, only<&worker::age, &worker::active>, patient()));
        case 5: return fault_of(t_.try_merge_any(w, only<&worker::email>, patient()));
        case 6: return fault_of(t_.try_erase_any(key, patient()));
        case 7: return fault_of(t_.try_modify(key, change, patient()));
        case 8: return fault_of(t_.try_modify(key, change_name, patient()));
        case 9: return fault_of(t_.try_modify_or_insert(w, change, patient()));
        case 10:
        case 11: return write_read(w);
        case 12: return commit(w);
        case 14: return touch_row("email_" + w.email);
        case 13: return fault_of_bulk(t_.upsert_many(std::vector{w, other_than(w)}, {}, patient()));
        default: {
            auto const from = 1 + below(most_ids);
            return fault_of_bulk(
                t_.erase_where(t_.query(partition(department), row_range(from, from + 2)), {}, patient()));
        }
        }
    }

    worker other_than(worker const& w) {
        auto o = random_worker();
        o.id = 1 + w.id % most_ids;
        return o;
    }

    std::optional<error> write_read(worker const& w) {
        auto found = t_.try_find({w.department, w.id}, patient());
        if (!found) return found.error();
        if (!*found) return std::nullopt;
        auto& e = **found;
        if (below(3) == 0) return fault_of(t_.try_erase(e, patient()));
        e.value.email = w.email;
        if (below(2) == 0) return fault_of(t_.try_merge(e, only<&worker::email>, patient()));
        e.value.name = w.name;
        return fault_of(t_.try_replace(e, patient()));
    }

    std::optional<error> commit(worker const& w) {
        auto t = t_.transaction();
        auto const other = other_than(w);
        t.upsert_replace(w);
        if (below(2) == 0)
            t.upsert_merge(other);
        else
            t.erase_any<worker>({other.department, other.id});
        return fault_of(t.try_commit(patient()));
    }

    /// Gives a row of the unique index a new version, as `reencrypt` does.
    std::optional<error> touch_row(std::string const& row_key) {
        auto found = rows_.try_find({department, row_key}, patient());
        if (!found) return found.error();
        if (!*found) return std::nullopt;
        return fault_of(rows_.try_merge(**found, patient()));
    }

    static void check_error(error const& e) {
        bool const expected =
            e.outcome() == outcome::in_doubt || e.code() == library_errc::unique_value_taken ||
            e.code() == service_errc::entity_already_exists || e.code() == service_errc::resource_not_found ||
            e.code() == service_errc::update_condition_not_satisfied || e.code() == library_errc::too_many_conflicts ||
            e.code() == service_errc::server_busy || e.code() == library_errc::response_lost;
        EXPECT_TRUE(expected) << e.what();
    }

    call_options patient() { return {.retry = retry_policy::exponential(3), .clock = &clock_}; }

    table<worker> t_;
    table<dynamic_entity> rows_;
    std::mt19937_64 engine_;
    tablemap::testing::fixed_clock clock_;
};

// ---- the test -------------------------------------------------------------------------------------------------------

class index_not_rebuilt : public ::testing::Test {
protected:
    /// Rows of a program without the indexes; some have one value of what is to be unique.
    void begin(random_source& random) {
        store_ = value_or_throw(open_embedded({.path = ":memory:"}));
        table<plain_worker> const old{store_, "Workers"};
        old.create();
        for (std::int32_t id = 1; id <= most_ids; ++id)
            if (random.below(4) != 0)
                old.insert({department, id, std::string{"ab"[random.below(2)]}, std::string{"pqrst"[random.below(5)]},
                            static_cast<std::int32_t>(random.below(3)), 1, random.below(2) == 0});
        before_ = read_all(store_);
    }

    void check(std::vector<written> const& operations) {
        auto now = read_all(store_);
        expect_rows_tell_the_truth(now);
        expect_new_values_are_held(before_, now);
        if (now != before_) expect_own_rows_were_touched(before_, now, operations);
        before_ = std::move(now);
        ++checked_;
    }

    /// Three writers, and one who rebuilds the indexes beside them.
    void take_turns(random_source& random) {
        constexpr std::size_t writers = 3;
        turns all{store_, writers + 1, random.word(), [this](auto const& operations) { check(operations); }};
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < writers; ++i)
            threads.emplace_back([&all, i, seed = random.word()] {
                writer w{all.seat(i), seed};
                for (int n = 0; n < 25 && !::testing::Test::HasFailure(); ++n) w.write();
                all.leave(i);
            });
        threads.emplace_back([&all] {
            tablemap::testing::fixed_clock clock;
            table<worker> const t{all.seat(writers), "Workers"};
            static_cast<void>(t.try_rebuild_indexes({.at_once = 2, .page_rows = 4},
                                                    {.retry = retry_policy::exponential(3), .clock = &clock}));
            all.leave(writers);
        });
    }

    /// A rebuild repairs the rest, and leaves nothing but two old entities with one value.
    void expect_a_rebuild_repairs_the_rest() {
        table<worker> const t{store_, "Workers"};
        auto const r = t.rebuild_indexes();
        EXPECT_EQ(r.found(), r.repaired + r.held_twice);
        EXPECT_EQ(r.orphaned + r.differing + r.unreadable + r.unsettled, 0u);
        expect_rows_tell_the_truth(read_all(store_));
    }

    static int rounds() {
        auto const* given = std::getenv("TABLEMAP_TEST_ROUNDS");
        return given ? std::atoi(given) : 20;
    }

    store_ptr store_;
    rows_by_key before_;
    std::size_t checked_ = 0;
};

TEST_F(index_not_rebuilt, no_request_of_several_writers_touches_a_row_of_another_entity) {
    random_source random;
    for (int round = 0; round < rounds() && !HasFailure(); ++round) {
        begin(random);
        take_turns(random);
        if (!HasFailure()) expect_a_rebuild_repairs_the_rest();
    }
    std::cout << checked_ << " writes, each followed by a look at all rows\n";
}

}  // namespace
}  // namespace tablemap::test
