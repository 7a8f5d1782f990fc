// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/ending_store.hpp"
#include "support/hasty_clock.hpp"
#include "support/listed_samples.hpp"
#include "support/recording.hpp"
#include "support/without_value.hpp"

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <string>
#include <vector>

/// Writers and relays that end at any request: by a crash, a lost response, or a request that is carried out late, and
/// others that write between any two. In the end the lists name the entities that have their value, and no others.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

/// Two lines make a blob, and one a row.
listed_table tables_on(store_ptr s) {
    return {std::move(s), "Listed", {.row_bytes = 20, .keep_unnamed_blobs = std::chrono::seconds{0}}};
}

/// One run, in a partition that no other run has.
struct run_of {
    std::string department, old_city, new_city;
    explicit run_of(int number)
        : department("d" + std::to_string(number)),
          old_city("old" + std::to_string(number)),
          new_city("new" + std::to_string(number)) {}

    listed_employee employee(std::int32_t id, char const* last_name, std::string const& city) const {
        return {.department = department, .id = id, .last_name = last_name, .city = city};
    }
};

using outcome_of = result<void>;

struct scenario {
    char const* name;
    int others;  ///< entities that the old list holds besides
    bool is_there;
    std::function<outcome_of(listed_table const& t, run_of const& n, call_options const& o)> act;
};

outcome_of insert_one(listed_table const& t, run_of const& n, call_options const& o) {
    return without_value(t.try_insert(n.employee(1, "Old", n.old_city), o));
}
outcome_of rename(listed_table const& t, run_of const& n, call_options const& o) {
    return without_value(t.try_modify(
        {n.department, 1},
        [&](listed_employee& e) {
            e.last_name = "New";
            e.city = n.new_city;
        },
        o));
}
outcome_of replace_one(listed_table const& t, run_of const& n, call_options const& o) {
    return without_value(t.try_upsert_replace(n.employee(1, "New", n.new_city), o));
}
outcome_of erase_one(listed_table const& t, run_of const& n, call_options const& o) {
    auto const e = t.entities().try_find(key_of<listed_employee>{n.department, 1}, o);
    if (!e || !*e) return {};
    return t.try_erase(**e, o);
}
outcome_of relay_all(listed_table const& t, run_of const& n, call_options const& o) {
    return without_value(t.try_relay(partition(n.department), o));
}
outcome_of rename_and_relay(listed_table const& t, run_of const& n, call_options const& o) {
    auto const renamed = rename(t, n, o);
    static_cast<void>(relay_all(t, n, o));
    return renamed;
}

scenario const scenarios[] = {
    {"insert of the first", 0, false, &insert_one},
    {"insert that moves the list to a blob", 1, false, &insert_one},
    {"insert into a blob", 2, false, &insert_one},
    {"modify of a list in rows", 0, true, &rename},
    {"modify that brings the list back to its row", 1, true, &rename},
    {"modify of a list in a blob", 2, true, &rename},
    {"upsert of a new one", 1, false, &replace_one},
    {"upsert of one that is there", 1, true, &replace_one},
    {"erase of the last", 0, true, &erase_one},
    {"erase that brings the list back to its row", 1, true, &erase_one},
    {"erase from a blob", 2, true, &erase_one},
    {"relay after an insert", 1, true, &relay_all},
    {"modify and relay", 1, true, &rename_and_relay},
    {"modify and relay of blobs", 3, true, &rename_and_relay},
};

enum class late { never, before_recovery, after_recovery };

class index_entities_after_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean_ = GetParam() == "azurite" ? open_recorded(azurite::shared().connection_string())
                                         : value_or_throw(open_embedded({.path = ":memory:"}));
        for (char const* name : {"Listed", "ListedByCity"}) table<dynamic_entity>{clean_, name}.delete_if_exists();
        clean().create_if_not_exists();
    }

    listed_table clean() const { return tables_on(clean_); }

    /// The intents of the last one are left to the victim.
    run_of prepare(scenario const& s) {
        run_of const n{++runs_};
        for (int i = 0; i < s.others; ++i) clean().insert(n.employee(10 + i, "Old", n.old_city));
        if (s.others > 0) clean().relay(partition(n.department));
        if (s.is_there) clean().insert(n.employee(1, "Old", n.old_city));
        return n;
    }

    std::size_t count_requests(scenario const& s) {
        auto const n = prepare(s);
        auto const counting = std::make_shared<faulty_store>(clean_);
        hasty_clock clock;
        EXPECT_TRUE(s.act(tables_on(counting), n, {.clock = &clock})) << s.name;
        clean().relay(partition(n.department));
        return counting->requests();
    }

    void run(scenario const& s, std::size_t request, fault met, bool ends, late carried_out) {
        ::testing::ScopedTrace const where{__FILE__, __LINE__, at(s, request, static_cast<int>(met), ends)};
        auto const n = prepare(s);
        auto const faulty = std::make_shared<faulty_store>(clean_);
        faulty->set_overtaking(1'000'000);
        faulty->fail_next(met, request);
        auto const victim = ends ? store_ptr{std::make_shared<ending_store>(faulty, request + 1)} : faulty;
        hasty_clock clock;
        auto const before = state_of(n);
        auto const told = s.act(tables_on(victim), n, {.clock = &clock});
        if (carried_out == late::before_recovery) faulty->carry_out_overtaken();
        expect_told(told, before, state_of(n));
        clean().relay(partition(n.department));
        if (carried_out == late::after_recovery) {
            faulty->carry_out_overtaken();
            clean().relay(partition(n.department));
        }
        expect_truth(n);
        ++points_;
    }

    /// Others change the entity, its lists, or carry out intents, between two requests of the victim.
    void run_with_others(scenario const& s, std::size_t request, int which) {
        ::testing::ScopedTrace const where{__FILE__, __LINE__, at(s, request, which, false)};
        auto const n = prepare(s);
        auto const faulty = std::make_shared<faulty_store>(clean_);
        hasty_clock clock;
        faulty->act_before([&](store&) { interfere(n, which); }, request);
        static_cast<void>(s.act(tables_on(faulty), n, {.clock = &clock}));
        clean().relay(partition(n.department));
        expect_truth(n);
        ++points_;
    }

    void interfere(run_of const& n, int which) {
        auto const t = clean();
        switch (which) {
        case 0: t.upsert_replace(n.employee(20, "Old", n.old_city)); break;
        case 1: t.upsert_replace(n.employee(1, "New", n.new_city)); break;
        case 2: static_cast<void>(erase_one(t, n, {})); break;
        case 3: t.relay(partition(n.department)); break;
        case 4:
            t.upsert_replace(n.employee(1, "New", n.new_city));
            t.relay(partition(n.department));
            t.upsert_replace(n.employee(1, "Old", n.old_city));
            t.relay(partition(n.department));
            break;
        default: break;
        }
    }

    static std::string at(scenario const& s, std::size_t request, int what, bool ends) {
        return std::string{s.name} + ": request " + std::to_string(request) + ", " + std::to_string(what) +
               (ends ? ", the end" : "");
    }

    std::string state_of(run_of const& n) const {
        auto const e = clean().entities().find(n.department, 1);
        return e ? e->value.last_name.value_or("") + " " + e->etag.text() : std::string{};
    }

    static void expect_told(outcome_of const& told, std::string const& before, std::string const& after) {
        if (!told && told.error().outcome() == outcome::not_applied) {
            EXPECT_EQ(before, after) << told.error().what();
        }
    }

    /// Compares look-ups with what a query of the partition tells.
    void expect_truth(run_of const& n) const {
        std::vector<entity<listed_employee>> all;
        for (auto const& e : clean().entities().query(partition(n.department))) all.push_back(e);
        auto const having = [&](auto member, std::string const& value) {
            std::vector<entity<listed_employee>> some;
            for (auto const& e : all)
                if (e.value.*member == value) some.push_back(e);
            return ids_of(some);
        };
        for (char const* name : {"Old", "New"})
            EXPECT_EQ(named(clean(), n.department, name), having(&listed_employee::last_name, name));
        for (auto const& city : {n.old_city, n.new_city})
            EXPECT_EQ(in_city(clean(), city), having(&listed_employee::city, city));
    }

    /// A writer may have left blobs that no list names, and a relay that was overtaken lines that no entity implies.
    void expect_repaired() {
        call_options const patient{.deadline = within(std::chrono::minutes{30})};
        auto const found = clean().verify(patient);
        for (auto const& f : found.findings) {
            bool const expected = f.fault == index_entity_fault::unnamed_blob ||
                                  (f.fault == index_entity_fault::stale && f.name == "city");
            EXPECT_TRUE(expected) << summary_of(found);
        }
        auto const repaired = clean().repair(patient);
        EXPECT_TRUE(repaired.clean()) << summary_of(repaired);
        auto const after = clean().verify(patient);
        EXPECT_EQ(summary_of(after), "");
        EXPECT_EQ(after.blobs, count_lists_in_blobs());
    }

    std::size_t count_lists_in_blobs() const {
        std::size_t count = 0;
        for (char const* name : {"Listed", "ListedByCity"})
            for (auto const& row : table<dynamic_entity>{clean_, name}.scan())
                if (row.value.try_get<std::string>("Blob")) ++count;
        return count;
    }

    store_ptr clean_;
    int runs_ = 0;
    int points_ = 0;
};
INSTANTIATE_TEST_SUITE_P(, index_entities_after_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& i) { return i.param; });

TEST_P(index_entities_after_faults, are_what_entities_imply_whatever_request_was_the_last) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        int const before = points_;
        for (std::size_t i = 0; i < requests; ++i)
            for (bool const ends : {true, false}) {
                for (auto const f : {fault::lost_before, fault::lost_after}) run(s, i, f, ends, late::never);
                for (auto const when : {late::before_recovery, late::after_recovery})
                    run(s, i, fault::overtaken, ends, when);
            }
        std::cout << GetParam() << ": " << s.name << ": " << requests << " requests, " << points_ - before
                  << " crash points" << std::endl;
    }
    std::cout << GetParam() << ": " << points_ << " crash points\n";
    expect_repaired();
}

TEST_P(index_entities_after_faults, are_what_entities_imply_when_others_write_between_any_two_requests) {
    for (auto const& s : scenarios) {
        auto const requests = count_requests(s);
        for (std::size_t i = 0; i < requests; ++i)
            for (int which = 0; which < 5; ++which) run_with_others(s, i, which);
    }
    std::cout << GetParam() << ": " << points_ << " points with others\n";
    expect_repaired();
}

}  // namespace
}  // namespace tablemap::test
