// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/encrypted_samples.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/use_future.hpp>

#include <future>

namespace tablemap::test {
namespace {

/// A table with encrypted members beside the raw one of the same name.
class table_encryption : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        keyed_ = with_keys(shared_store(), ring);
        patients_.emplace(keyed_, table().table());
        raw_.emplace(shared_store(), table().table());
    }

    tablemap::table<patient>& patients() { return *patients_; }
    tablemap::table<dynamic_entity>& raw() { return *raw_; }
    store_ptr const& keyed() const { return keyed_; }

    static patient number(std::int32_t id) {
        return {.ward = "W1",
                .id = id,
                .name = "Ann",
                .diagnosis = "measles \xE2\x80\xA8 \"\\",
                .insurance = "AT-" + std::to_string(id % 3),
                .age = id};
    }

    void insert(std::int32_t count) {
        std::vector<patient> many;
        for (std::int32_t id = 0; id < count; ++id) many.push_back(number(id));
        patients().insert_many(many).require_complete();
    }

    std::shared_ptr<key_ring> const ring = ring_of("ab");

private:
    store_ptr keyed_{};
    std::optional<tablemap::table<patient>> patients_{};
    std::optional<tablemap::table<dynamic_entity>> raw_{};
};
TABLEMAP_ON_EVERY_STORE(table_encryption);

TEST_P(table_encryption, values_read_back_and_stand_nowhere_in_the_open) {
    patients().insert(number(1));
    EXPECT_EQ(patients().find("W1", 1)->value, number(1));
    auto const row = raw().find("W1", "0001")->value;
    for (auto const name : {"diagnosis", "insurance", "age"}) EXPECT_TRUE(detail::is_sealed(*row.find(name))) << name;
}

TEST_P(table_encryption, every_type_reads_back) {
    auto const name = fresh_table_name();
    tablemap::table<vault> const vaults{keyed(), name};
    vaults.create();
    vault const v{.name = "v",
                  .flag = true,
                  .large = std::int64_t{1} << 60,
                  .real = -0.125,
                  .data = bytes(70, std::byte{7}),
                  .codes = {1, 2},
                  .notes = {{"x", "eks"}}};
    vaults.insert(v);
    EXPECT_EQ(vaults.find("v")->value, v);
}

TEST_P(table_encryption, merges_leave_the_other_ciphertexts_readable) {
    auto e = patients().insert(number(1));
    e.value.age = 90;
    patients().merge(e, only<&patient::age>);
    patients().modify({"W1", 1}, [](patient& p) { p.insurance = "new"; });
    auto const found = patients().find("W1", 1)->value;
    EXPECT_EQ(*found.age, 90);
    EXPECT_EQ(found.diagnosis, number(1).diagnosis);
    EXPECT_EQ(found.insurance, "new");
}

TEST_P(table_encryption, pages_report_bad_rows_and_go_on) {
    insert(5);
    raw().modify({"W1", "0003"}, [](dynamic_entity& e) { e.set("age", std::int32_t{3}); });
    std::vector<std::string> bad;
    std::vector<std::int32_t> good;
    auto const skip = skip_bad_rows([&](bad_row const& r) { bad.push_back(r.row_key); });
    for (auto& e : patients().query(partition("W1")).page_size(2).on_error(skip)) good.push_back(e.value.id);
    EXPECT_EQ(bad, std::vector<std::string>{"0003"});
    EXPECT_EQ(good, (std::vector<std::int32_t>{0, 1, 2, 4}));
}

TEST_P(table_encryption, blind_indexes_find_equal_values) {
    insert(10);
    std::vector<std::int32_t> found;
    for (auto& e : patients().query(partition("W1")).where(blind<&patient::insurance> == "AT-2"))
        found.push_back(e.value.id);
    EXPECT_EQ(found, (std::vector<std::int32_t>{2, 5, 8}));
}

TEST_P(table_encryption, chosen_members_are_read_where_they_belong) {
    patients().insert(number(1));
    auto range = patients().query(partition("W1")).select<&patient::age>();
    EXPECT_EQ(*std::get<0>(*range.begin()), 1);
}

TEST_P(table_encryption, values_moved_to_another_row_are_refused) {
    insert(2);
    auto const other = raw().find("W1", "0001")->value;
    raw().modify({"W1", "0000"}, [&](dynamic_entity& e) { e.set_value("age", *other.find("age")); });
    EXPECT_TRUE(failed_with(patients().try_find({"W1", 0}), library_errc::misplaced_ciphertext));
}

TEST_P(table_encryption, rotates_keys) {
    insert(10);
    ring->use("b");
    EXPECT_EQ(patients().reencrypt().rewritten, 10u);
    ring->erase("a");
    std::size_t read = 0;
    for (auto& e : patients().scan()) read += e.value == number(e.value.id);
    EXPECT_EQ(read, 10u);
    EXPECT_EQ(patients().scan(blind<&patient::insurance> == "AT-2").count(), 3u);
}

TEST_P(table_encryption, works_without_blocking) {
    async_table<patient> const t{keyed(), table().table()};
    auto const ann = number(1);
    t.insert(ann, boost::asio::use_future).get();
    auto const change = [](patient& p) { p.age = 91; };
    t.modify({"W1", 1}, change, boost::asio::use_future).get();
    EXPECT_EQ(*t.find({"W1", 1}, boost::asio::use_future).get()->value.age, 91);
    ring->use("b");
    EXPECT_EQ(t.reencrypt({}, boost::asio::use_future).get().rewritten, 1u);
}

TEST_P(table_encryption, groups_are_written_as_one) {
    auto t = patients().transaction();
    t.insert(number(1));
    t.upsert_replace(number(2));
    t.commit();
    EXPECT_EQ(patients().find("W1", 2)->value, number(2));
}

}  // namespace
}  // namespace tablemap::test
