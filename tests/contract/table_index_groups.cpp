// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/random.hpp"

#include "tablemap/async.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/table/bulk_writer.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/write/transaction.hpp"

#include <boost/asio/use_future.hpp>

#include <map>

namespace tablemap::test {

struct resident {
    std::string house{};
    std::int32_t id{};
    std::string phone{};
    std::string street{};
    std::int32_t floor{};
    bool upstairs = floor > 0;
    std::string remark{};  ///< of no concern to any index

    friend bool operator==(resident const&, resident const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::resident> {
    static constexpr auto partition_key = key(part<&test::resident::house>);
    static constexpr auto row_key = key("r_", part<&test::resident::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_phone">(key("phone_", part<&test::resident::phone>)).include<&test::resident::floor>(),
        index<"by_street">(key("street_", part<&test::resident::street>.escaped()))
            .include<&test::resident::floor>()
            .where(&test::resident::upstairs));
};

namespace tablemap::test {
namespace {

using tablemap::testing::faulty_store;

class table_index_groups : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (shared_store()) residents_.emplace(shared_store(), table().table());
    }

    tablemap::table<resident> const& residents() { return *residents_; }
    tablemap::table<resident> residents_on(store_ptr s, table_options o = {}) {
        return {std::move(s), table().table(), o};
    }
    tablemap::table<dynamic_entity> raw() { return {shared_store(), table().table()}; }
    tablemap::transaction fresh() { return residents().transaction(); }

    static resident person(std::int32_t id) {
        return {"H", id, "p" + std::to_string(id), "Main St " + std::to_string(id % 3), id % 4};
    }

    /// All entities, and that the rows of indexes are those that they imply.
    std::map<std::int32_t, resident> in_step() {
        std::map<std::int32_t, resident> held;
        std::map<std::string, dynamic_entity> implied, found;
        auto const& indexes = detail::index_set_of<resident>;
        for (auto const& e : raw().scan()) {
            if (!e.value.row_key.starts_with("r_")) {
                found.emplace(e.value.row_key, e.value);
                continue;
            }
            std::string body;
            detail::append_entity(body, e.value);
            tablemap::entity<resident> r;
            value_or_throw(detail::decode_into(body, r, nullptr));
            std::vector<detail::index_row> rows;
            value_or_throw(indexes.add_rows(body, detail::row_use::write, rows, nullptr));
            for (auto& row : rows)
                implied.emplace(row.entity.row_key, value_or_throw(detail::read_dynamic(row.entity.body)));
            held.emplace(r.value.id, r.value);
        }
        EXPECT_EQ(implied.size(), found.size());
        EXPECT_TRUE(implied == found) << "an index is out of step";
        return held;
    }

private:
    std::optional<tablemap::table<resident>> residents_;
};
TABLEMAP_ON_EVERY_STORE(table_index_groups);

// ---- transactions ---------------------------------------------------------------------------------------------------

TEST_P(table_index_groups, a_commit_of_every_kind_keeps_indexes_in_step) {
    for (int const id : {1, 2, 3, 4, 5, 6}) residents().insert(person(id));
    auto replaced = *residents().find("H", 1);
    auto merged = *residents().find("H", 2);
    replaced.value.phone = "new";
    merged.value.floor = 0;
    auto t = fresh();
    t.replace(replaced);
    t.merge(merged, only<&resident::floor>);
    t.erase(*residents().find("H", 3));
    t.erase_any<resident>({"H", 4});
    t.merge_any(resident{.house = "H", .id = 5, .street = "Elm"}, only<&resident::street>);
    t.upsert_replace(resident{"H", 6, "six", "Oak", 6});
    t.upsert_merge(person(7));
    t.insert(person(8));
    auto const given = t.commit();
    auto const held = in_step();
    EXPECT_EQ(held.size(), 6u);
    EXPECT_EQ(held.at(5).street, "Elm");
    EXPECT_EQ(residents().find("H", 1)->etag, replaced.etag);
    EXPECT_EQ(residents().find("H", 8)->etag, given.at(7));
}

TEST_P(table_index_groups, a_commit_swaps_unique_values) {
    for (int const id : {1, 2}) residents().insert(person(id));
    auto t = fresh();
    t.merge_any(resident{.house = "H", .id = 1, .phone = "p2"}, only<&resident::phone>);
    t.merge_any(resident{.house = "H", .id = 2, .phone = "p1"}, only<&resident::phone>);
    t.commit();
    EXPECT_EQ(in_step().at(1).phone, "p2");
}

TEST_P(table_index_groups, a_commit_is_refused_as_a_whole_for_a_value_that_is_taken) {
    residents().insert(person(1));
    auto t = fresh();
    t.insert(person(2));
    auto third = person(3);
    third.phone = "p1";
    t.insert(third);
    auto const r = t.try_commit();
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::unique_value_taken) << r.error().what();
    EXPECT_EQ(r.error().member(), "by_phone");
    EXPECT_EQ(r.error().failed_index(), 1u);
    EXPECT_EQ(r.error().failed_key(), (entity_key{"H", "r_0003"}));
    EXPECT_EQ(in_step().size(), 1u);
}

TEST_P(table_index_groups, a_commit_under_an_old_etag_is_refused) {
    auto old = residents().insert(person(1));
    residents().upsert_replace(person(1));
    auto t = fresh();
    t.insert(person(2));
    t.replace(old);
    auto const r = t.try_commit();
    ASSERT_TRUE(failed_as(r, error_kind::precondition_failed));
    EXPECT_EQ(r.error().failed_index(), 1u);
    EXPECT_EQ(in_step().size(), 1u);
}

TEST_P(table_index_groups, a_commit_repairs_what_indexes_lack) {
    for (int const id : {1, 2, 3}) {
        residents().insert(person(id));
        raw().erase_any({"H", "phone_p" + std::to_string(id)});
    }
    auto t = fresh();
    t.erase_any<resident>({"H", 1});
    auto changed = person(2);
    changed.floor = 9;
    t.upsert_replace(changed);
    changed = person(3);
    changed.phone = "other";
    t.upsert_replace(changed);
    t.commit();
    EXPECT_EQ(in_step().size(), 2u);
}

TEST_P(table_index_groups, as_many_are_committed_as_there_is_room_for) {
    auto t = fresh();
    std::int32_t id = 0;
    while (t.has_room(500)) t.insert(person(++id));
    EXPECT_GT(id, 30);
    t.commit();
    EXPECT_EQ(in_step().size(), static_cast<std::size_t>(id));
    for (id = 1; t.has_room(500); ++id) t.upsert_replace(resident{"H", id, "n" + std::to_string(id), "Elm", 3});
    EXPECT_GT(id, 15);
    t.commit();
    EXPECT_EQ(in_step().at(1).phone, "n1");
}

TEST_P(table_index_groups, an_asynchronous_commit_keeps_indexes_in_step) {
    residents().insert(person(1));
    auto t = fresh();
    t.upsert_replace(resident{"H", 1, "x", "Elm", 3});
    t.insert(person(2));
    EXPECT_EQ(async_commit(t, boost::asio::use_future).get().size(), 2u);
    EXPECT_EQ(in_step().at(1).phone, "x");
}

// ---- bulk writes ----------------------------------------------------------------------------------------------------

TEST_P(table_index_groups, many_inserts_are_told_which_values_were_taken) {
    residents().insert(resident{"H", 9'999, "p77", "Elm", 1});
    std::vector<resident> rows;
    for (int id = 1; id <= 200; ++id) rows.push_back(person(id));
    rows.push_back({"H", 300, "p5", "Elm", 1});
    auto const report = residents().insert_many(rows);
    EXPECT_EQ(report.totals.stored, 199u);
    std::map<std::size_t, std::error_code> problems;
    for (auto const& p : report.problems) problems.emplace(p.position, p.error.code());
    EXPECT_EQ(problems, (std::map<std::size_t, std::error_code>{{76, library_errc::unique_value_taken},
                                                                {200, library_errc::unique_value_taken}}));
    EXPECT_EQ(in_step().size(), 200u);
}

TEST_P(table_index_groups, many_upserts_change_rows_of_indexes) {
    std::vector<resident> rows;
    for (int id = 1; id <= 60; ++id) rows.push_back(person(id));
    EXPECT_TRUE(residents().upsert_many(rows).complete());
    for (auto& r : rows) r.phone = "n" + r.phone, ++r.floor;
    rows.push_back(person(61));
    EXPECT_TRUE(residents().upsert_many(rows).complete());
    auto const held = in_step();
    EXPECT_EQ(held.size(), 61u);
    EXPECT_EQ(held.at(60).phone, "np60");
}

/// The writes given to a bulk writer, and their effect if they are done in order.
class told {
public:
    explicit told(bulk_writer<resident>& w) : writer_(w) {}

    void upsert(resident const& r) {
        writer_.upsert_replace(r);
        store(r);
    }
    void erase(std::int32_t id) {
        writer_.erase_any({"H", id});
        rows_.erase(id);
    }
    void insert(resident const& r) {
        writer_.insert(r);
        if (!rows_.contains(r.id)) store(r);
    }
    void change_phone(std::int32_t id, std::string phone) {
        writer_.merge_any(resident{.house = "H", .id = id, .phone = phone}, only<&resident::phone>);
        auto const at = rows_.find(id);
        if (at == rows_.end()) return;
        auto r = at->second;
        r.phone = std::move(phone);
        store(r);
    }
    void remark(std::int32_t id, std::string remark) {
        writer_.merge_any(resident{.house = "H", .id = id, .remark = remark}, only<&resident::remark>);
        if (auto const at = rows_.find(id); at != rows_.end()) at->second.remark = std::move(remark);
    }
    std::map<std::int32_t, resident> const& rows() const { return rows_; }

private:
    void store(resident const& r) {
        for (auto const& [id, other] : rows_)
            if (id != r.id && other.phone == r.phone) return;
        rows_[r.id] = r;
    }

    bulk_writer<resident>& writer_;
    std::map<std::int32_t, resident> rows_{};
};

TEST_P(table_index_groups, a_writer_carries_out_its_rows_in_order) {
    random_source random;
    bulk_writer writer{residents()};
    told model{writer};
    for (int i = 0; i < 400; ++i) {
        auto const id = static_cast<std::int32_t>(random.below(12));
        resident const r{"H", id, "q" + std::to_string(random.below(9)), random.coin() ? "Elm" : "Oak",
                         static_cast<std::int32_t>(random.below(3))};
        switch (random.below(5)) {
        case 0: model.upsert(r); break;
        case 1: model.erase(id); break;
        case 2: model.insert(r); break;
        case 3: model.remark(id, std::to_string(i)); break;
        default: model.change_phone(id, r.phone); break;
        }
    }
    auto const report = writer.finish();
    EXPECT_FALSE(report.ended_by);
    EXPECT_EQ(in_step(), model.rows());
}

TEST_P(table_index_groups, faults_keep_indexes_in_step) {
    random_source random;
    auto const shaky = std::make_shared<faulty_store>(shared_store());
    shaky->fail_randomly(0.05, random.word());
    tablemap::testing::fixed_clock clock;
    auto policy = retry_policy::exponential(8);
    policy.repeat_in_doubt = true;  // nobody else erases
    call_options const o{.retry = policy, .clock = &clock};
    std::vector<resident> rows;
    for (int id = 1; id <= 300; ++id) rows.push_back(person(id));
    auto const t = residents_on(shaky, {.operation_ids = true});
    EXPECT_TRUE(t.insert_many(rows, {}, o).complete());
    EXPECT_EQ(raw().scan().count(), 300u + 300u + 225u);
    for (auto& r : rows) r.floor = 5, r.upstairs = true;
    EXPECT_TRUE(t.upsert_many(rows, {}, o).complete());
    EXPECT_EQ(raw().scan().count(), 300u + 300u + 300u);
    EXPECT_TRUE(t.erase_where(t.scan(), {}, o).complete());
    EXPECT_TRUE(table().all().empty());
}

TEST_P(table_index_groups, erase_where_takes_the_rows_of_indexes_along) {
    std::vector<resident> rows;
    for (int id = 1; id <= 120; ++id) rows.push_back(person(id));
    residents().insert_many(rows).require_complete();
    auto const report = residents().erase_where(residents().scan(field<&resident::floor> == 1));
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.erased(), 30u);
    EXPECT_EQ(in_step().size(), 90u);
    EXPECT_EQ(residents().erase_where(residents().scan()).erased(), 90u);
    EXPECT_TRUE(table().all().empty());
}

}  // namespace
}  // namespace tablemap::test
