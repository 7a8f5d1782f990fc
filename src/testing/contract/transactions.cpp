// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_transactions : public seam {
protected:
    /// Refused, by the operation at `index`.
    ::testing::AssertionResult refused_by(response const& r, std::error_code code, std::size_t index) {
        if (auto const plain = refused(r, code); !plain) return plain;
        if (r.failure->failed_index() == index) return ::testing::AssertionSuccess();
        auto const got = r.failure->failed_index();
        return ::testing::AssertionFailure() << "operation " << (got ? std::to_string(*got) : "none") << " is blamed";
    }
};
TABLEMAP_CONTRACT_SUITE(seam_transactions);

owned_operation insertion(std::string row, std::initializer_list<property> properties = {}) {
    return operation(write_kind::insert, entity("p", std::move(row), properties));
}

std::vector<owned_operation> insertions(std::size_t count) {
    std::vector<owned_operation> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(insertion(std::to_string(1000 + i)));
    return all;
}

TEST_P(seam_transactions, transactions_are_there_or_unsupported) {
    auto const r = table().transact({insertion("a"), insertion("b")});
    EXPECT_TRUE(has_transactions() ? carried_out(r) : refused(r, library_errc::unsupported));
    EXPECT_EQ(table().all().size(), has_transactions() ? 2u : 0u);
}

TEST_P(seam_transactions, every_kind_is_applied_and_answered_in_order) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    put_rows("p", {"erased", "merged", "replaced"});
    auto const r = table().transact({
        insertion("inserted", {{"A", 1}}),
        operation(write_kind::replace, entity("p", "replaced", {{"B", 2}})),
        erasure("p", "erased"),
        operation(write_kind::merge, entity("p", "merged", {{"C", 3}})),
        operation(write_kind::upsert_replace, entity("p", "upserted", {{"D", 4}})),
        operation(write_kind::upsert_merge, entity("p", "upserted_too", {{"E", 5}})),
    });
    ASSERT_TRUE(carried_out(r));
    ASSERT_EQ(r.etags.size(), 6u);
    EXPECT_TRUE(r.etags[2].empty());
    EXPECT_EQ(table().all().size(), 5u);
    std::vector<std::string> const rows = {"inserted", "replaced", "erased", "merged", "upserted", "upserted_too"};
    for (std::size_t const i : {0u, 1u, 3u, 4u, 5u})
        EXPECT_EQ(entity_in(table().get("p", rows[i])).etag, r.etags[i]) << rows[i];
    EXPECT_TRUE(refused(table().get("p", "erased"), service_errc::resource_not_found));
}

TEST_P(seam_transactions, one_refused_operation_undoes_all) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    put_rows("p", {"there"});
    auto const r = table().transact({insertion("new"), erasure("p", "there"), insertion("new2"),
                                     operation(write_kind::merge, entity("p", "missing"))});
    EXPECT_TRUE(refused_by(r, service_errc::resource_not_found, 3));
    EXPECT_EQ(row_keys(table().all()), std::vector<std::string>{"there"});
}

TEST_P(seam_transactions, the_operation_at_fault_is_named) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    put_rows("p", {"there"});
    EXPECT_TRUE(
        refused_by(table().transact({insertion("a"), insertion("there")}), service_errc::entity_already_exists, 1));
    auto const stale = entity_in(table().get("p", "there")).etag.text();
    ASSERT_TRUE(carried_out(table().write(write_kind::merge, entity("p", "there"), "*")));
    EXPECT_TRUE(refused_by(table().transact({erasure("p", "there", stale), insertion("a")}),
                           service_errc::update_condition_not_satisfied, 0));
}

TEST_P(seam_transactions, an_invalid_body_is_refused_before_anything_is_done) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto bad = insertion("b");
    bad.body = "{";
    EXPECT_TRUE(refused_by(table().transact({insertion("a"), bad}), service_errc::invalid_input, 1));
    EXPECT_TRUE(table().all().empty());
}

TEST_P(seam_transactions, keys_of_every_form_are_taken) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    for (std::string const key : {"it's", "''", "100%", "%27", "a+b", "a b", "(x)", "x,y", "&=;", "\"{}\"", "\xC3\xA9",
                                  "\xF0\x9F\x98\x80", "GET", "--batch_1"}) {
        std::string const other = key + "2";
        ASSERT_TRUE(
            carried_out(table().transact({operation(write_kind::insert, entity(key, key, {{"A", 1}})),
                                          operation(write_kind::upsert_merge, entity(key, other, {{"A", 1}}))})))
            << key;
        ASSERT_TRUE(carried_out(
            table().transact({operation(write_kind::merge, entity(key, key, {{"B", 2}})), erasure(key, other)})))
            << key;
        EXPECT_EQ(entity_in(table().get(key, key)).properties().size(), 2u) << key;
        EXPECT_TRUE(refused(table().get(key, other), service_errc::resource_not_found)) << key;
    }
}

TEST_P(seam_transactions, keys_that_a_pattern_misreads_in_a_url_are_taken) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    TABLEMAP_SKIP_IF(misreads_keys_in_transactions);
    ASSERT_TRUE(carried_out(table().transact({operation(write_kind::upsert_replace, entity("a',RowKey='b", "c"))})));
    ASSERT_TRUE(carried_out(table().transact({operation(write_kind::upsert_replace, entity("p", "a',b"))})));
    EXPECT_TRUE(carried_out(table().transact({erasure("a',RowKey='b", "c")})));
    EXPECT_TRUE(carried_out(table().transact({erasure("p", "a',b")})));
    std::string const line = "\xE2\x80\xA8";
    EXPECT_TRUE(carried_out(table().transact({operation(write_kind::insert, entity(line, line))})));
    EXPECT_TRUE(carried_out(table().transact({erasure(line, line)})));
}

TEST_P(seam_transactions, text_that_ends_lines_elsewhere_is_kept) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    std::string const text = "a\xE2\x80\xA8 b\xE2\x80\xA9 c\r\n\r\n--batch";
    ASSERT_TRUE(carried_out(table().transact({insertion("r", {{"A", text}, {"B", "b"}}), insertion("s")})));
    auto const found = entity_in(table().get("p", "r"));
    EXPECT_EQ(*found.try_get<std::string>("A"), text);
    EXPECT_EQ(*found.try_get<std::string>("B"), "b");
}

TEST_P(seam_transactions, as_many_operations_as_the_store_says_are_taken) {
    auto const most = the_store().capabilities().transaction_operations;
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    EXPECT_TRUE(carried_out(table().transact(insertions(1))));
    EXPECT_TRUE(carried_out(table().erase("p", "1000")));
    auto const r = table().transact(insertions(most));
    EXPECT_TRUE(carried_out(r));
    EXPECT_EQ(r.etags.size(), most);
    EXPECT_EQ(table().all().size(), most);
}

TEST_P(seam_transactions, none_and_one_more_than_that_are_refused) {
    auto const most = the_store().capabilities().transaction_operations;
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    EXPECT_TRUE(refused(table().transact({}), service_errc::invalid_input));
    EXPECT_TRUE(refused(table().transact(insertions(most + 1)), service_errc::invalid_input));
    EXPECT_TRUE(table().all().empty());
}

TEST_P(seam_transactions, operations_in_two_partitions_are_refused) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const r = table().transact({insertion("a"), operation(write_kind::insert, entity("q", "a"))});
    EXPECT_TRUE(refused(r, service_errc::commands_in_batch_act_on_different_partitions));
    EXPECT_TRUE(table().all().empty());
}

TEST_P(seam_transactions, two_operations_on_one_entity_are_refused) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const r = table().transact({insertion("a"), insertion("b"), erasure("p", "a")});
    EXPECT_TRUE(refused_by(r, service_errc::invalid_duplicate_row, 2));
    EXPECT_TRUE(table().all().empty());
}

TEST_P(seam_transactions, bodies_of_more_than_4_mib_are_refused) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const& can = the_store().capabilities();
    if (can.transaction_operations < 9 || can.transaction_bytes < limits::transaction_bytes)
        GTEST_SKIP() << GetParam().name << " takes less than 9 operations, or less than 4 MiB";
    std::vector<owned_operation> group;
    for (std::size_t i = 0; i < 5; ++i) {
        auto e = entity("p", std::to_string(i));
        for (char c = 'a'; c < 'a' + 15; ++c) e.set(std::string{c}, std::string(32'768, 'x'));
        group.push_back(operation(write_kind::insert, e));
    }
    EXPECT_TRUE(carried_out(table().transact(group)));
    for (auto& o : group) o.kind = write_kind::upsert_replace;
    for (std::size_t i = 5; i < 9; ++i) {
        group.push_back(group.front());
        group.back().row_key = std::to_string(i);
        auto const at = group.back().body.find("\"RowKey\":\"0\"");
        group.back().body.replace(at, 12, "\"RowKey\":\"" + std::to_string(i) + "\"");
    }
    EXPECT_TRUE(refused(table().transact(group), service_errc::request_body_too_large));
    EXPECT_EQ(table().all().size(), 5u);
}

TEST_P(seam_transactions, etags_of_one_transaction_are_no_older_than_those_before) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    TABLEMAP_SKIP_IF(invents_digits_of_time);
    TABLEMAP_SKIP_IF(etags_hold_no_time);
    auto const before = *table().insert(entity("p", "r")).etag.timestamp();
    auto const r = table().transact(insertions(10));
    ASSERT_TRUE(carried_out(r));
    for (auto const& e : r.etags) EXPECT_GT(*e.timestamp(), before);
    EXPECT_TRUE(std::is_sorted(r.etags.begin(), r.etags.end(),
                               [](auto& a, auto& b) { return *a.timestamp() < *b.timestamp(); }));
}

}  // namespace

void link_transactions() {}

}  // namespace tablemap::testing::contract
