// SPDX-License-Identifier: Apache-2.0
#include "support/indexed_samples.hpp"

#include "tablemap/detail/query/cursor.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/store/with_keys.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stop_token>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

worker one(std::int32_t id, std::string department = "Sales") {
    auto const n = std::to_string(id);
    return {std::move(department), id, "Name " + n, n + "@x", 20 + id % 50, 1.5 * id, id % 2 == 0};
}
plain_worker plain(worker const& w) { return {w.department, w.id, w.name, w.email, w.age, w.salary, w.active}; }

class index_audit : public ::testing::Test {
protected:
    index_audit() { workers_.create(); }

    void fill(std::int32_t count, std::string const& department = "Sales") {
        for (std::int32_t i = 1; i <= count; ++i) workers_.insert(one(i, department));
    }
    void fill_without_indexes(std::int32_t count, std::string const& department = "Sales") {
        for (std::int32_t i = 1; i <= count; ++i) plain_.insert(plain(one(i, department)));
    }
    void erase_row(std::string const& row_key, std::string const& department = "Sales") {
        EXPECT_TRUE(rows_.erase_any({department, row_key})) << row_key;
    }
    /// Programs without indexes and with them change an entity by turns.
    void leave_behind(std::size_t orphans) {
        for (std::size_t i = 0; i < orphans; ++i) {
            plain_.modify({"Sales", 1}, [&](plain_worker& w) { w.email = "x"; });
            workers_.modify({"Sales", 1}, [&](worker& w) { w.email = std::to_string(i) + "@new"; });
        }
    }
    /// So many rows of nobody that whatever an index's rows are added up by does not add up.
    void break_all_parts(std::string const& prefix) {
        std::vector<dynamic_entity> rows;
        for (int i = 0; i < 4'000; ++i)
            rows.emplace_back("Sales", prefix + std::to_string(i) + " !_id_000999").set("id", 999);
        rows_.insert_many(rows).require_complete();
    }
    entity<dynamic_entity> row_by_name(std::string const& name) {
        for (auto& e : rows_.scan()) {
            auto const* const found = e.value.try_get<std::string>("name");
            if (e.value.row_key.starts_with("name_") && found && *found == name) return e;
        }
        throw std::runtime_error{"no row by that name"};
    }
    std::vector<index_fault> faults(index_report const& r) {
        std::vector<index_fault> f;
        for (auto const& x : r.findings) f.push_back(x.what);
        return f;
    }
    std::vector<index_fault> faults_of(std::string const& row_key, index_report const& r) {
        std::vector<index_fault> f;
        for (auto const& x : r.findings)
            if (x.key.row_key == row_key) f.push_back(x.what);
        return f;
    }
    std::map<std::string, std::vector<property>> all_rows() {
        std::map<std::string, std::vector<property>> m;
        for (auto const& e : rows_.scan())
            for (auto const& p : e.value.properties()) m[e.value.partition_key + "|" + e.value.row_key].push_back(p);
        return m;
    }

    store_ptr steady_ = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty_ = std::make_shared<faulty_store>(steady_);
    table<worker> workers_{faulty_, "Workers"};
    table<plain_worker> plain_{steady_, "Workers"};
    table<dynamic_entity> rows_{steady_, "Workers"};
    index_audit_options const everything_{.findings_kept = 100'000};
};

TEST_F(index_audit, finds_nothing_where_nothing_is_wrong) {
    fill(10);
    auto const r = workers_.verify_indexes();
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(r.entities, 10u);
    EXPECT_EQ(r.index_rows, 25u);
}

TEST_F(index_audit, of_a_table_in_step_reads_each_row_once) {
    fill(10);
    auto const before = faulty_->requests();
    EXPECT_TRUE(workers_.verify_indexes().in_step());
    EXPECT_EQ(faulty_->requests() - before, 1u);
}

TEST_F(index_audit, tells_a_missing_row_and_repairs_it) {
    fill(5);
    erase_row("email_3@x");
    for (auto const& r : {workers_.verify_indexes(), workers_.rebuild_indexes()}) {
        ASSERT_EQ(faults(r), std::vector{index_fault::missing});
        auto const& f = r.findings.front();
        EXPECT_EQ(f.key, (entity_key{"Sales", "email_3@x"}));
        EXPECT_EQ(f.index, "by_email");
        EXPECT_EQ(f.entity_row_key, "id_000003");
        EXPECT_EQ(f.repaired, r.in_step());
    }
    EXPECT_EQ(workers_.verify_indexes().found(), 0u);
}

TEST_F(index_audit, tells_a_row_that_differs_and_repairs_it) {
    fill(5);
    auto row = row_by_name("Name 3");
    row.value.set("salary", 7.25);
    rows_.replace(row);
    EXPECT_EQ(faults(workers_.verify_indexes()), std::vector{index_fault::differing});
    EXPECT_TRUE(workers_.rebuild_indexes().in_step());
    EXPECT_EQ(workers_.verify_indexes().found(), 0u);
    EXPECT_EQ(*rows_.find("Sales", row.value.row_key)->value.try_get<double>("salary"), 4.5);
}

TEST_F(index_audit, repairs_a_row_that_does_not_say_of_which_entity_it_is_where_its_key_does) {
    fill(5);
    auto row = row_by_name("Name 3");
    row.value.erase("id");
    rows_.replace(row);
    EXPECT_EQ(faults(workers_.verify_indexes()), std::vector{index_fault::differing});
    EXPECT_TRUE(workers_.rebuild_indexes().in_step());
    EXPECT_EQ(*rows_.find("Sales", row.value.row_key)->value.try_get<std::int32_t>("id"), 3);
}

TEST_F(index_audit, finds_owners_where_a_resolver_encrypts_whatever_it_is_asked_for) {
    auto const keys = std::make_shared<key_ring>();
    keys->add_current("2026", bytes(32, std::byte{7}));
    table<worker> const sealed{with_keys(steady_, keys), "Workers", {.encrypt = [](auto...) { return true; }}};
    for (std::int32_t i = 1; i <= 3; ++i) sealed.insert(one(i));
    EXPECT_EQ(sealed.find_by<"by_email">("Sales", "2@x")->value, one(2));
    rows_.erase_any({"Sales", "id_000002"});
    EXPECT_TRUE(sealed.rebuild_indexes().in_step());
    EXPECT_EQ(rows_.scan().count(), 6u);
}

TEST_F(index_audit, tells_rows_of_an_entity_that_is_gone_and_erases_them) {
    fill(5);
    erase_row("id_000004");
    EXPECT_EQ(faults(workers_.verify_indexes()),
              (std::vector{index_fault::orphaned, index_fault::orphaned, index_fault::orphaned}));
    auto const r = workers_.rebuild_indexes();
    EXPECT_EQ(r.repaired, 3u);
    EXPECT_EQ(workers_.verify_indexes().index_rows, 9u);
}

TEST_F(index_audit, erases_the_rows_that_one_entity_left_behind_in_one_group) {
    fill(1);
    leave_behind(40);
    auto const before = faulty_->requests();
    auto const r = workers_.rebuild_indexes();
    EXPECT_EQ(r.orphaned, 40u);
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(faulty_->requests() - before, 44u);  // 3 pages, 40 reads of the entity, a group
}

TEST_F(index_audit, settles_more_rows_of_one_entity_than_a_group_holds_however_many_are_sent_at_once) {
    for (std::size_t const at_once : {1u, 16u, 64u}) {
        fill(1);
        leave_behind(230);
        auto const r = workers_.rebuild_indexes({.at_once = at_once});
        EXPECT_EQ(r.repaired, 230u) << at_once;
        EXPECT_TRUE(r.in_step()) << at_once;
        workers_.erase_any({"Sales", 1});
    }
}

TEST_F(index_audit, tells_a_row_once_that_another_entity_gave_up) {
    fill(3);
    plain_.modify({"Sales", 2}, [](plain_worker& w) { w.email = "new@x"; });
    for (auto const id : {1, 3}) plain_.modify({"Sales", id}, [](plain_worker& w) { w.email = "2@x"; });
    break_all_parts("email_");
    for (bool const repairs : {false, true}) {
        auto const r = repairs ? workers_.rebuild_indexes(everything_) : workers_.verify_indexes(everything_);
        EXPECT_EQ(faults_of("email_2@x", r), (std::vector{index_fault::differing, index_fault::held_twice}));
    }
}

TEST_F(index_audit, tells_a_row_once_that_does_not_say_of_which_entity_it_is) {
    fill(3);
    auto row = row_by_name("Name 3");
    row.value.erase("id");
    rows_.replace(row);
    break_all_parts("name_");
    auto const r = workers_.verify_indexes(everything_);
    EXPECT_EQ(faults_of(row.value.row_key, r), std::vector{index_fault::differing});
}

TEST_F(index_audit, repairs_what_a_program_without_indexes_changed) {
    fill(5);
    plain_.modify({"Sales", 2}, [](plain_worker& w) { w.email = "new@x", w.active = false, w.age = 60; });
    auto const r = workers_.rebuild_indexes();
    EXPECT_EQ(r.missing, 1u);    // its new e-mail
    EXPECT_EQ(r.orphaned, 2u);   // the old one, and that it was active
    EXPECT_EQ(r.differing, 1u);  // its row by name
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(workers_.verify_indexes().found(), 0u);
}

TEST_F(index_audit, fills_indexes_that_were_declared_afterwards) {
    fill_without_indexes(250);
    EXPECT_EQ(workers_.verify_indexes().missing, 625u);
    auto const before = faulty_->requests();
    EXPECT_EQ(workers_.rebuild_indexes().repaired, 625u);
    EXPECT_EQ(faulty_->requests() - before, 11u);  // 2 pages, and 875 writes in groups
    auto const made = all_rows();
    for (auto& e : workers_.query(partition("Sales"))) {
        workers_.erase_any({e.value.department, e.value.id});
        workers_.insert(e.value);
    }
    EXPECT_EQ(all_rows(), made);
}

TEST_F(index_audit, reports_a_value_held_twice_and_repairs_the_rest) {
    fill_without_indexes(3);
    plain_.modify({"Sales", 3}, [](plain_worker& w) { w.email = "1@x"; });
    auto const seen = workers_.verify_indexes();
    EXPECT_EQ(seen.held_twice, 1u);
    auto const r = workers_.rebuild_indexes();
    EXPECT_EQ(r.held_twice, 1u);
    EXPECT_EQ(r.found() - r.repaired, 1u);
    EXPECT_FALSE(r.in_step());
    auto const again = workers_.rebuild_indexes();
    ASSERT_EQ(faults(again), std::vector{index_fault::held_twice});
    EXPECT_EQ(again.findings.front().entity_row_key, "id_000003");
}

TEST_F(index_audit, leaves_what_cannot_be_read) {
    fill(3);
    dynamic_entity broken{"Sales", "id_000002"};
    broken.set("age", "old");
    rows_.upsert_merge(broken);
    for (auto const& r : {workers_.verify_indexes(), workers_.rebuild_indexes()}) {
        ASSERT_EQ(faults(r), std::vector{index_fault::unreadable});
        EXPECT_EQ(r.findings.front().key.row_key, "id_000002");
        EXPECT_EQ(r.findings.front().error->code(), library_errc::type_mismatch);
    }
    EXPECT_EQ(all_rows().size(), 10u);
}

TEST_F(index_audit, leaves_rows_of_others_in_the_partition) {
    fill(3);
    rows_.insert(dynamic_entity{"Sales", "budget_2026"});
    EXPECT_TRUE(workers_.rebuild_indexes().in_step());
    EXPECT_TRUE(rows_.find("Sales", "budget_2026"));
}

TEST_F(index_audit, of_one_partition_leaves_the_others) {
    fill_without_indexes(2, "Audit");
    fill_without_indexes(2, "Sales");
    EXPECT_EQ(workers_.rebuild_indexes(partition("Sales")).entities, 2u);
    auto const r = workers_.verify_indexes();
    EXPECT_EQ(r.missing, 5u);
    for (auto const& f : r.findings) EXPECT_EQ(f.key.partition_key, "Audit");
}

TEST_F(index_audit, interrupted_at_any_request_is_resumed_where_it_ended) {
    for (auto const* d : {"A", "B", "C", "D"}) fill_without_indexes(30, d);
    std::string resume;
    int runs = 0;
    for (bool done = false; !done; ++runs) {
        ASSERT_LT(runs, 200);
        faulty_->fail_next(fault::busy, static_cast<std::size_t>(runs % 40 + 20));
        index_audit_options o{
            .progress = [&](index_progress const& p) { resume = p.resume; }, .page_rows = 5, .resume = resume};
        done = workers_.try_rebuild_indexes(std::move(o), {.retry = retry_policy{.attempts = 1}}).has_value();
        faulty_->stop_failing();
    }
    EXPECT_GT(runs, 3);
    EXPECT_EQ(workers_.verify_indexes().found(), 0u);
}

TEST_F(index_audit, resumed_does_not_read_what_was_done_before) {
    for (auto const* d : {"A", "B", "C"}) fill(5, d);
    std::vector<std::string> at;
    workers_.verify_indexes({.progress = [&](index_progress const& p) { at.push_back(p.resume); }, .page_rows = 4});
    ASSERT_GT(at.size(), 3u);
    EXPECT_EQ(at.back(), "");
    EXPECT_EQ(workers_.verify_indexes({.resume = at[at.size() - 2]}).entities, 5u);
    auto const r = workers_.try_verify_indexes({.resume = "1abc"});
    EXPECT_EQ(r.error().code(), library_errc::invalid_cursor);
    EXPECT_NE(std::string{r.error().what()}.find("verify_indexes"), std::string::npos) << r.error().what();
}

TEST_F(index_audit, resumed_at_a_place_that_it_never_writes_is_refused) {
    fill(1);
    detail::query_hash h;
    h.add("indexes").add("Workers");
    for (auto const& i : detail::index_set_of<worker>.list) h.add(i.name).add(i.row_prefix);
    auto const at = [&](std::optional<std::string> place) {
        return detail::write_cursor(h.value(), {{.page = continuation{"Sales", std::move(place)}}});
    };
    EXPECT_EQ(workers_.verify_indexes({.resume = at({})}).entities, 1u);
    EXPECT_EQ(workers_.try_verify_indexes({.resume = at("")}).error().code(), library_errc::invalid_cursor);
    EXPECT_EQ(workers_.try_verify_indexes({.resume = at("?1")}).error().code(), library_errc::invalid_cursor);
}

TEST_F(index_audit, resumed_within_a_partition_adds_it_up_again_and_looks_at_the_rest_of_what_differs) {
    fill(40);
    for (auto const* key : {"email_3@x", "email_33@x"}) erase_row(key);
    std::string resume;
    std::size_t found = 0;
    workers_.verify_indexes({.progress =
                                 [&](index_progress const& p) {
                                     if (p.so_far.found() == 1 && found == 0) resume = p.resume, found = 1;
                                 },
                             .page_rows = 30});
    auto const before = faulty_->requests();
    auto const r = workers_.verify_indexes({.resume = resume});
    ASSERT_EQ(faults(r), std::vector{index_fault::missing});
    EXPECT_EQ(r.findings.front().entity_row_key, "id_000033");
    EXPECT_LE(faulty_->requests() - before, 6u);  // a page to add up, one of suspects, and what is looked at
}

TEST_F(index_audit, after_lost_answers_tells_what_it_did) {
    fill_without_indexes(40);
    for (int i = 0; i < 20; ++i) erase_row("id_0000" + std::to_string(10 + i));
    fill(9, "Audit");
    for (int i = 1; i < 9; ++i) erase_row("id_00000" + std::to_string(i), "Audit");
    faulty_->fail_randomly(0.2, 5, {fault::lost_before, fault::lost_after});
    tablemap::testing::fixed_clock clock;
    call_options const patient{.retry = retry_policy{.attempts = 30}, .clock = &clock};
    auto const r = workers_.rebuild_indexes({}, patient);
    faulty_->stop_failing();
    EXPECT_TRUE(r.in_step());
    EXPECT_EQ(r.missing, 50u);
    EXPECT_EQ(r.orphaned, 20u);
    EXPECT_EQ(workers_.verify_indexes().found(), 0u);
}

TEST_F(index_audit, ends_when_it_is_told_to) {
    fill(5);
    std::stop_source stop;
    index_audit_options o{.progress = [&](index_progress const&) { stop.request_stop(); }, .page_rows = 4};
    auto const r = workers_.try_verify_indexes(std::move(o), {.stop = stop.get_token()});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::cancelled);
}

}  // namespace
}  // namespace tablemap::test
