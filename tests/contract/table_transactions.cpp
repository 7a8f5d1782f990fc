// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/random.hpp"

#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/write/retry_on_conflict.hpp"
#include "tablemap/write/transaction.hpp"

#include <deque>
#include <future>
#include <variant>

namespace tablemap::test {

/// Shares partitions with employees.
struct section {
    std::string department{};
    std::int32_t people{};

    friend bool operator==(section const&, section const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::section> {
    static constexpr auto partition_key = key(part<&test::section::department>);
    static constexpr auto row_key = key("section");
};

namespace tablemap::test {
namespace {

class table_transactions : public employees_test {
protected:
    tablemap::transaction fresh() { return employees().transaction(); }
    tablemap::table<section> sections() { return {shared_store(), table().table()}; }

    static employee person(std::int32_t id, std::string department = "Sales") {
        return {.department = std::move(department), .id = id, .first_name = "P", .age = 20 + id % 50};
    }

    /// Refused because of this operation.
    static void expect_refused(result<std::vector<etag>> const& r, error_kind kind, std::size_t index,
                               std::string const& action, std::string const& row_key) {
        ASSERT_TRUE(failed_as(r, kind));
        EXPECT_EQ(r.error().failed_index(), index);
        EXPECT_EQ(r.error().failed_action(), action);
        EXPECT_EQ(r.error().failed_key(), (entity_key{"Sales", row_key}));
        EXPECT_EQ(r.error().outcome(), outcome::not_applied);
        EXPECT_EQ(std::string{r.error().what()}.find(row_key), std::string::npos);
    }

    std::size_t count_rows() { return table().all().size(); }
};
TABLEMAP_ON_EVERY_STORE(table_transactions);

TEST_P(table_transactions, apply_writes_of_several_types_together) {
    auto sales = sections().insert({.department = "Sales", .people = 7});
    sales.value.people = 8;
    auto t = fresh();
    t.insert(don());
    t.merge(sales, only<&section::people>);
    t.insert(department_head{.department = "Sales", .name = "Kim"});
    auto const given = t.commit();
    ASSERT_EQ(given.size(), 3u);
    EXPECT_EQ(employees().find("Sales", 212)->etag, given[0]);
    EXPECT_EQ(sections().find("Sales")->value.people, 8);
    EXPECT_EQ(sections().find("Sales")->etag, sales.etag);
    EXPECT_EQ(sales.etag, given[1]);
}

TEST_P(table_transactions, apply_every_kind_and_give_the_etags_of_the_rows) {
    auto replaced = employees().insert(person(1));
    auto merged = employees().insert(person(2));
    auto const erased = employees().insert(person(3));
    for (int const id : {4, 5, 6}) employees().insert(person(id));
    replaced.value.age = merged.value.age = 91;
    merged.value.first_name = "not sent";
    tablemap::entity<employee> inserted{.value = person(7)};
    auto t = fresh();
    t.replace(replaced);
    t.merge(merged, only<&employee::age>);
    t.erase(erased);
    t.replace_any(employee{.department = "Sales", .id = 4, .first_name = "Q"});
    t.merge_any(employee{.department = "Sales", .id = 5, .age = 92}, only<&employee::age>);
    t.erase_any<employee>({"Sales", 6});
    t.insert(inserted);
    t.upsert_replace(person(8));
    t.upsert_merge(employee{.department = "Sales", .id = 9, .age = 93}, only<&employee::age>);
    auto const given = t.commit();
    std::vector<etag> found;
    std::vector<std::int32_t> ages;
    for (auto const& e : employees().query(partition("Sales"))) {
        found.push_back(e.etag);
        ages.push_back(e.value.age);
    }
    EXPECT_EQ(found, (std::vector<etag>{given[0], given[1], given[3], given[4], given[6], given[7], given[8]}));
    EXPECT_EQ(ages, (std::vector<std::int32_t>{91, 91, 0, 92, 27, 28, 93}));
    EXPECT_EQ(inserted.etag, given[6]);
    EXPECT_TRUE(given[2].empty() && given[5].empty());
    EXPECT_EQ(employees().find("Sales", 2)->value.first_name, "P");
}

TEST_P(table_transactions, take_100_operations_and_leave_entities_ready_for_the_next) {
    std::deque<tablemap::entity<employee>> all;
    auto t = fresh();
    for (int id = 0; id < 100; ++id) t.insert(all.emplace_back(tablemap::entity<employee>{.value = person(id)}));
    EXPECT_FALSE(t.has_room(0));
    t.commit();
    for (auto& e : all) t.replace(e);
    EXPECT_EQ(t.commit().size(), 100u);
    for (auto& e : all) t.erase(e);
    t.commit();
    EXPECT_EQ(count_rows(), 0u);
}

TEST_P(table_transactions, of_100_with_a_conflict_at_57_report_57_its_key_and_its_code_and_apply_nothing) {
    employees().insert(person(57));
    auto t = fresh();
    for (int id = 0; id < 100; ++id) t.insert(person(id));
    auto const r = t.try_commit();
    expect_refused(r, error_kind::already_exists, 57, "insert", "empid_000057");
    EXPECT_EQ(r.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(std::string{r.error().what()}.find("commit in table '" + employees().name() +
                                                 "', operation 57 (insert): the entity exists already"),
              0u)
        << r.error().what();
    EXPECT_EQ(count_rows(), 1u);
    EXPECT_EQ(t.size(), 100u);
}

TEST_P(table_transactions, report_an_entity_that_was_changed_since_it_was_read) {
    auto stale = employees().insert(person(2));
    auto const before = stale.etag;
    employees().upsert_replace(person(2));
    auto t = fresh();
    t.insert(person(1));
    t.insert(person(3));
    t.replace(stale);
    expect_refused(t.try_commit(), error_kind::precondition_failed, 2, "replace", "empid_000002");
    EXPECT_EQ(stale.etag, before);
    t.clear();
    t.erase(stale);
    expect_refused(t.try_commit(), error_kind::precondition_failed, 0, "erase", "empid_000002");
    t.clear();
    t.insert(person(4));
    t.merge(stale, only<&employee::age>);
    expect_refused(t.try_commit(), error_kind::precondition_failed, 1, "merge", "empid_000002");
    EXPECT_EQ(count_rows(), 1u);
}

TEST_P(table_transactions, report_an_entity_that_is_missing) {
    auto t = fresh();
    t.insert(person(1));
    t.replace_any(person(2));
    expect_refused(t.try_commit(), error_kind::not_found, 1, "replace_any", "empid_000002");
    t.clear();
    t.erase_any<employee>({"Sales", 3});
    expect_refused(t.try_commit(), error_kind::not_found, 0, "erase_any", "empid_000003");
    t.clear();
    t.upsert_merge(person(4));
    t.merge_any(person(5), only<&employee::age>);
    expect_refused(t.try_commit(), error_kind::not_found, 1, "merge_any", "empid_000005");
    EXPECT_EQ(count_rows(), 0u);
}

TEST_P(table_transactions, in_a_missing_table_blame_no_operation) {
    auto t = tablemap::table<employee>{shared_store(), fresh_table_name()}.transaction();
    t.insert(don());
    auto const r = t.try_commit();
    EXPECT_TRUE(failed_with(r, service_errc::table_not_found));
    EXPECT_EQ(r.error().failed_index(), std::nullopt);
    EXPECT_EQ(r.error().table(), t.table());
}

TEST_P(table_transactions, that_break_a_limit_are_refused_and_apply_nothing) {
    auto t = fresh();
    for (int id = 0; id < 101; ++id) t.insert(person(id));
    expect_refused(t.try_commit(), error_kind::invalid_argument, 100, "insert", "empid_000100");
    t.clear();
    t.insert(person(1));
    t.upsert_replace(person(1));
    expect_refused(t.try_commit(), error_kind::invalid_argument, 1, "upsert_replace", "empid_000001");
    t.clear();
    t.insert(person(1));
    t.insert(person(2, "Audit"));
    EXPECT_TRUE(failed_with(t.try_commit(), service_errc::commands_in_batch_act_on_different_partitions));
    t.clear();
    EXPECT_TRUE(failed_with(t.try_commit(), service_errc::invalid_input));
    EXPECT_EQ(count_rows(), 0u);
}

TEST_P(table_transactions, of_more_than_4_mib_are_refused_at_the_entity_that_has_no_room) {
    auto t = fresh();
    auto row = entity("Sales", "");
    for (char c = 'a'; c < 'a' + 15; ++c) row.set(std::string{c}, std::string(limits::string_units, 'x'));
    for (char c = '0'; t.has_room(); ++c) {
        row.row_key = std::string{"row_"} + c;
        t.insert(row);
    }
    auto const fitting = t.size();
    EXPECT_EQ(t.commit().size(), fitting);
    EXPECT_GE(fitting, 6u);
    for (char c = '0'; c <= '8'; ++c) {
        row.row_key = std::string{"row_"} + c;
        t.upsert_replace(row);
    }
    auto const r = t.try_commit();
    expect_refused(r, error_kind::too_large, 8, "upsert_replace", "row_8");
    EXPECT_EQ(r.error().code(), service_errc::request_body_too_large);
    EXPECT_EQ(count_rows(), fitting);
}

TEST_P(table_transactions, take_variants_and_rows_of_any_type) {
    using either = std::variant<employee, section>;
    tablemap::table<either> const both{shared_store(), table().table()};
    auto sales = both.insert(section{.department = "Sales", .people = 1});
    std::get<section>(sales.value).people = 2;
    tablemap::table<dynamic_entity> const rows{shared_store(), table().table()};
    auto row = rows.insert(entity("Sales", "x", {{"A", 1}, {"B", 1}}));
    row.value.set("A", std::int32_t{2});
    row.value.set("B", std::int32_t{2});
    auto t = both.transaction();
    t.replace(sales);
    t.insert(either{don()});
    t.merge(row, only_properties{"A"});
    t.commit();
    EXPECT_EQ(sections().find("Sales")->value.people, 2);
    EXPECT_EQ(employees().find("Sales", 212)->value, don());
    auto const stored = rows.find("Sales", "x");
    EXPECT_EQ(*stored->value.try_get<std::int32_t>("A"), 2);
    EXPECT_EQ(*stored->value.try_get<std::int32_t>("B"), 1);
}

TEST_P(table_transactions, write_tokens_that_the_struct_does_not_see) {
    auto t = tablemap::table<employee>{shared_store(), table().table(), {.operation_ids = true}}.transaction();
    t.insert(don());
    t.upsert_merge(section{.department = "Sales"});
    t.commit();
    EXPECT_TRUE(entity_in(table().get("Sales", "empid_000212")).try_get<guid>("TablemapOperation"));
    EXPECT_TRUE(entity_in(table().get("Sales", "section")).try_get<guid>("TablemapOperation"));
    EXPECT_EQ(employees().find("Sales", 212)->value, don());
}

TEST_P(table_transactions, of_two_writers_that_retry_conflicts_count_everything) {
    sections().insert({.department = "Sales"});
    constexpr int each = 8;
    auto const hire = [&](int first) {
        for (int id = first; id < first + each; ++id)
            retry_on_conflict([&] {
                auto sales = *sections().find("Sales");
                ++sales.value.people;
                auto t = fresh();
                t.insert(person(id));
                t.merge(sales, only<&section::people>);
                t.commit();
            });
    };
    auto one = std::async(std::launch::async, hire, 0);
    auto other = std::async(std::launch::async, hire, 100);
    EXPECT_NO_THROW(one.get());
    EXPECT_NO_THROW(other.get());
    EXPECT_EQ(sections().find("Sales")->value.people, 2 * each);
    EXPECT_EQ(count_rows(), 2 * each + 1u);
}

// ---- lost responses -------------------------------------------------------------------------------------------------

/// A store that loses the response to the next request although it carries that out.
class lost_transactions : public table_transactions {
protected:
    tablemap::transaction losing(table_options options = {}) {
        auto faulty = std::make_shared<tablemap::testing::faulty_store>(shared_store());
        faulty->fail_next(tablemap::testing::fault::lost_after);
        return tablemap::table<employee>{std::move(faulty), table().table(), options}.transaction();
    }

    tablemap::testing::fixed_clock clock{1};
    call_options retried{.retry = retry_policy::exponential(3), .clock = &clock};
};
TABLEMAP_ON_EVERY_STORE(lost_transactions);

TEST_P(lost_transactions, are_in_doubt_without_tokens) {
    auto t = losing();
    t.insert(person(1));
    t.insert(person(2));
    auto const r = t.try_commit(retried);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(r.error().failed_index(), std::nullopt);
    EXPECT_EQ(t.try_commit().error().outcome(), outcome::in_doubt);
    EXPECT_EQ(count_rows(), 2u);
}

TEST_P(lost_transactions, are_known_as_applied_by_their_tokens_and_leave_entities_to_be_read_again) {
    auto e = employees().insert(person(1));
    auto t = losing({.operation_ids = true});
    t.erase(employees().insert(person(3)));
    t.replace(e);
    t.insert(person(2));
    EXPECT_EQ(t.commit(retried), (std::vector<etag>(3)));
    EXPECT_TRUE(t.empty());
    EXPECT_EQ(count_rows(), 2u);
    t.replace(e);
    EXPECT_TRUE(failed_with(t.try_commit(), library_errc::missing_etag));
}

// ---- against a model ------------------------------------------------------------------------------------------------

/// The expected contents of a store, and the result of each operation that was tried.
class model {
public:
    using rows = std::map<std::int32_t, tablemap::entity<employee>>;

    explicit model(rows r) : rows_(std::move(r)) {}

    /// One write; the first that is refused is remembered. `seen` is the etag that it needs, empty for any.
    void write(std::size_t index, write_kind kind, employee const& e, etag const& seen = {}) {
        auto const at = rows_.find(e.id);
        bool const there = at != rows_.end();
        ids_.push_back(e.id);
        if (kind == write_kind::insert && there) return refuse(index, error_kind::already_exists);
        if (is_conditional(kind) && !there) return refuse(index, error_kind::not_found);
        if (!seen.empty() && at->second.etag != seen) return refuse(index, error_kind::precondition_failed);
        if (kind == write_kind::erase) return static_cast<void>(rows_.erase(at));
        auto& row = rows_[e.id].value;
        if (kind != write_kind::merge && kind != write_kind::upsert_merge) {
            row = e;
        } else {
            row.department = e.department, row.id = e.id;  // the key
            row.age = e.age;
        }
    }

    /// The rows after a commit that succeeded.
    rows committed(std::vector<etag> const& etags) {
        for (std::size_t i = 0; i < ids_.size(); ++i)
            if (auto const at = rows_.find(ids_[i]); at != rows_.end()) at->second.etag = etags[i];
        return rows_;
    }

    std::optional<std::pair<std::size_t, error_kind>> refused() const { return refused_; }

private:
    void refuse(std::size_t index, error_kind kind) {
        if (!refused_) refused_ = {index, kind};
    }

    rows rows_;
    std::vector<std::int32_t> ids_;
    std::optional<std::pair<std::size_t, error_kind>> refused_;
};

class random_transactions : public table_transactions {
protected:
    static constexpr std::int32_t ids = 12;

    /// Adds a random write of this entity, which `seen` has as it was read some time ago.
    void add(tablemap::transaction& t, model& m, std::int32_t id,
             std::optional<tablemap::entity<employee>> const& seen) {
        auto e = person(id);
        e.age = static_cast<std::int32_t>(random.below(1000));
        auto const at = t.size();
        auto const kind = static_cast<write_kind>(random.below(6));
        if (is_conditional(kind) && seen && random.coin()) {
            auto& read = borrowed.emplace_back(*seen);
            read.value = e;
            m.write(at, kind, e, read.etag);
            if (kind == write_kind::replace) t.replace(read);
            if (kind == write_kind::merge) t.merge(read, only<&employee::age>);
            if (kind == write_kind::erase) t.erase(read);
            return;
        }
        m.write(at, kind, e);
        switch (kind) {
        case write_kind::insert: t.insert(e); break;
        case write_kind::replace: t.replace_any(e); break;
        case write_kind::merge: t.merge_any(e, only<&employee::age>); break;
        case write_kind::upsert_replace: t.upsert_replace(e); break;
        case write_kind::upsert_merge: t.upsert_merge(e, only<&employee::age>); break;
        case write_kind::erase: t.erase_any(key_of<employee>{"Sales", id}); break;
        }
    }

    std::vector<std::int32_t> some_ids() {
        std::vector<std::int32_t> all;
        for (std::int32_t id = 0; id < ids; ++id)
            if (random.below(3) == 0) all.push_back(id);
        if (all.empty()) all.push_back(0);
        return all;
    }

    model::rows stored() {
        model::rows all;
        for (auto& e : employees().query(partition("Sales"))) all.emplace(e.value.id, e);
        return all;
    }

    static std::string text(model::rows const& rows) {
        std::string all;
        for (auto const& [id, e] : rows)
            all += std::to_string(id) + " " + e.value.first_name + " " + std::to_string(e.value.age) + " " +
                   e.etag.text() + "\n";
        return all;
    }

    random_source random;
    std::deque<tablemap::entity<employee>> borrowed;
};
TABLEMAP_ON_EVERY_STORE(random_transactions);

TEST_P(random_transactions, leave_what_the_model_holds_and_report_what_it_refuses) {
    model::rows rows, old;
    std::size_t applied = 0;
    // Of an empty table most groups are refused: once in a thousand runs all of 60 are.
    for (int round = 0; round < 60 || (applied == 0 && round < 1000); ++round) {
        model m{rows};
        auto t = fresh();
        for (auto const id : some_ids()) {
            auto const& seen = random.below(4) == 0 ? old : rows;
            add(t, m, id, seen.contains(id) ? std::optional{seen.at(id)} : std::nullopt);
        }
        auto const r = t.try_commit();
        if (auto const refused = m.refused()) {
            ASSERT_TRUE(failed_as(r, refused->second)) << "round " << round;
            EXPECT_EQ(r.error().failed_index(), refused->first);
        } else {
            ASSERT_TRUE(r) << r.error().what();
            old = std::exchange(rows, m.committed(*r));
            ++applied;
        }
        ASSERT_EQ(text(stored()), text(rows)) << "round " << round;
    }
    EXPECT_GT(applied, 0u);
}

}  // namespace
}  // namespace tablemap::test
