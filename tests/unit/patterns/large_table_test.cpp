// SPDX-License-Identifier: Apache-2.0
#include "support/encrypted_samples.hpp"
#include "support/large_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// An older form of a document.
struct brief_document {
    std::string folder{};
    std::int32_t id{};
    std::optional<std::string> title{};
    large<std::string> text{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::brief_document> {
    using document = tablemap::test::brief_document;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&document::folder>);
    static constexpr auto row_key = tablemap::key("doc_", tablemap::part<&document::id>.width(6));
};

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

class large_members : public ::testing::Test {
protected:
    void SetUp() override {
        all.rows().create();
        all.blobs().create();
    }

    std::vector<blob_properties> blobs() const { return all.blobs().list(); }
    /// The rows of the table, those of permits, too.
    std::size_t rows() const {
        std::size_t count = 0;
        for (auto q = table<dynamic_entity>{store, "Documents"}.scan(); [[maybe_unused]] auto& e : q) ++count;
        return count;
    }
    std::string property(std::string const& name) const {
        auto const row = table<dynamic_entity>{store, "Documents"}.find("plans", "doc_000001");
        return *row->value.try_get<std::string>(name);
    }
    large_table<document> through(store_ptr s) const { return {std::move(s), "Documents", "document-values"}; }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    large_table<document> all{store, "Documents", "document-values"};
};

TEST_F(large_members, are_read_as_they_were_written) {
    auto const inserted = all.insert(sample_document(1));
    auto const found = all.find("plans", 1);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, sample_document(1));
    EXPECT_EQ(found->etag, inserted.etag);
    EXPECT_EQ(blobs().size(), 2u);
    EXPECT_EQ(rows(), 1u);
}

TEST_F(large_members, of_small_values_have_no_blobs) {
    auto small = sample_document(1);
    small.text = sample_text(0, small_size);
    small.picture = sample_picture(0, small_size);
    all.insert(small);
    EXPECT_EQ(all.find("plans", 1)->value, small);
    EXPECT_EQ(property("text"), "=" + small.text.value());
    EXPECT_TRUE(blobs().empty());
}

TEST_F(large_members, have_blobs_from_one_byte_more_than_the_option_says) {
    large_table<document> const few{store, "Documents", "document-values", {.inline_bytes = 10}};
    few.insert({.folder = "plans", .id = 1, .text = std::string(10, 'a'), .picture = bytes(11)});
    EXPECT_EQ(blobs().size(), 1u);
    EXPECT_EQ(property("text"), "=aaaaaaaaaa");
    EXPECT_EQ(property("picture").front(), '@');
}

TEST_F(large_members, have_names_that_tell_their_entity_and_differ_for_each_version) {
    auto e = all.insert(sample_document(1));
    auto const first = blobs();
    e.value.text = sample_text(1);
    e.value.picture = sample_picture(1);
    all.replace(e);
    EXPECT_EQ(blobs().size(), 4u);
    for (auto const& b : blobs()) EXPECT_TRUE(b.name.starts_with("documents/pplans/rdoc_000001/")) << b.name;
    EXPECT_EQ(all.find("plans", 1)->value.text, sample_text(1));
}

TEST_F(large_members, that_did_not_change_stay_in_their_blobs) {
    auto e = all.insert(sample_document(1));
    e.value.title = "new";
    all.replace(e);
    e = *all.find("plans", 1);
    e.value.title = "newer";
    all.replace(e);
    all.modify({"plans", 1}, [](document& d) { d.title = "newest"; });
    EXPECT_EQ(blobs().size(), 2u);
    auto const found = all.find("plans", 1);
    EXPECT_EQ(found->value.title, "newest");
    EXPECT_EQ(found->value.text, sample_text(0));
}

TEST_F(large_members, of_another_version_or_entity_get_blobs_of_their_own) {
    auto old = all.insert(sample_document(1));
    auto now = *all.find("plans", 1);
    now.value.text = sample_text(1);
    all.replace(now);
    now.value.text = old.value.text;  // its blob may be deleted by now
    all.replace(now);
    EXPECT_EQ(blobs().size(), 4u);
    auto other = all.insert(sample_document(2));
    other.value.text = now.value.text;
    all.replace(other);
    EXPECT_EQ(blobs().size(), 7u);
}

TEST_F(large_members, are_merged_alone) {
    auto e = all.insert(sample_document(1));
    e.value = sample_document(1, 1);
    all.merge(e, only<&document::text>);
    EXPECT_EQ(blobs().size(), 3u);
    auto const found = all.find("plans", 1);
    EXPECT_EQ(found->etag, e.etag);
    EXPECT_EQ(found->value.text, sample_text(1));
    EXPECT_EQ(found->value.picture, sample_picture(0));
    EXPECT_EQ(found->value.title, "t0");
}

TEST_F(large_members, are_upserted_and_erased) {
    all.upsert(sample_document(1));
    auto const e = all.upsert(sample_document(1, 1));
    EXPECT_EQ(all.find("plans", 1)->value, sample_document(1, 1));
    all.erase(e);
    EXPECT_FALSE(all.find("plans", 1));
    EXPECT_FALSE(all.erase_any({"plans", 1}));
}

TEST_F(large_members, are_written_under_the_etag_that_was_read) {
    auto first = all.insert(sample_document(1));
    auto second = first;
    all.modify({"plans", 1}, [](document& d) { d.text = sample_text(2); });
    first.value.text = sample_text(3);
    EXPECT_EQ(all.try_replace(first).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(all.try_erase(second).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(all.try_insert(sample_document(1)).error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(all.find("plans", 1)->value.text, sample_text(2));
}

TEST_F(large_members, are_modified_again_after_a_conflict) {
    all.insert(sample_document(1));
    int calls = 0;
    auto const changed = all.modify({"plans", 1}, [&](document& d) {
        if (++calls == 1) all.modify({"plans", 1}, [](document& o) { o.text = sample_text(7); });
        d.title = "changed";
    });
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(changed.value.text, sample_text(7));
    EXPECT_EQ(all.find("plans", 1)->value, changed.value);
}

TEST_F(large_members, that_a_struct_does_not_have_are_kept_when_it_is_modified) {
    all.insert(sample_document(1));
    large_table<brief_document> const older{store, "Documents", "document-values"};
    older.modify({"plans", 1}, [](brief_document& d) { d.title.reset(); });
    older.modify({"plans", 1}, [](brief_document& d) { d.text = sample_text(3); });
    older.modify({"plans", 1}, [](brief_document& d) { d.title = "new"; });
    EXPECT_EQ(large_collector(store, "Documents", "document-values").sweep().in_use, 2u);
    auto wanted = sample_document(1);
    wanted.title = "new";
    wanted.text = sample_text(3);
    EXPECT_EQ(all.find("plans", 1)->value, wanted);
}

TEST_F(large_members, are_not_sent_if_modify_changes_nothing) {
    auto const inserted = all.insert(sample_document(1));
    auto const counting = std::make_shared<faulty_store>(store);
    auto const same = through(counting).modify({"plans", 1}, [](document& d) { d.title = "t0"; });
    EXPECT_EQ(counting->requests(), 3u) << "the row and its values";
    EXPECT_EQ(same.etag, inserted.etag);
    EXPECT_EQ(same.value, sample_document(1));
    auto e = same;
    e.value.title = "new";
    all.replace(e);
    EXPECT_EQ(blobs().size(), 2u) << "the values stay in their blobs";
}

TEST_F(large_members, are_not_modified_if_there_is_no_entity_or_the_key_changes) {
    auto const nothing = [](document&) {};
    EXPECT_EQ(all.try_modify({"plans", 1}, nothing).error().code(), service_errc::resource_not_found);
    all.insert(sample_document(1));
    EXPECT_EQ(all.try_modify({"plans", 1}, [](document& d) { d.id = 2; }).error().code(), library_errc::key_changed);
}

TEST_F(large_members, of_queried_rows_are_loaded_when_asked_for) {
    all.insert(sample_document(1));
    all.insert(sample_document(2));
    for (auto q = all.rows().query(partition("plans")); auto& e : q) {
        EXPECT_FALSE(e.value.text.is_loaded());
        EXPECT_EQ(e.value.text.size(), large_size);
        EXPECT_TRUE(all.load(e));
        EXPECT_EQ(e.value, sample_document(e.value.id));
    }
}

TEST_F(large_members, that_were_not_loaded_are_not_written) {
    all.insert(sample_document(1));
    auto e = *all.rows().find("plans", 1);
    EXPECT_EQ(all.try_replace(e).error().code(), library_errc::unsupported);
    EXPECT_EQ(all.try_replace(e).error().member(), "text");
    EXPECT_FALSE(all.rows().try_replace(e));
    EXPECT_FALSE(all.rows().try_upsert_replace(e.value));
    e.value.title = "merged";
    all.rows().merge(e, only<&document::title>);
    EXPECT_EQ(all.find("plans", 1)->value.title, "merged");
}

TEST_F(large_members, of_a_row_that_was_replaced_since_are_loaded_from_the_new_one) {
    all.insert(sample_document(1));
    auto e = *all.rows().find("plans", 1);
    all.upsert(sample_document(1, 1));
    static_cast<void>(large_collector{store, "Documents", "document-values"}.sweep());
    EXPECT_EQ(blobs().size(), 2u);
    EXPECT_TRUE(all.load(e));
    EXPECT_EQ(e.value, sample_document(1, 1));
    e = *all.rows().find("plans", 1);
    all.erase_any({"plans", 1});
    static_cast<void>(large_collector{store, "Documents", "document-values"}.sweep());
    EXPECT_FALSE(all.load(e));
}

TEST_F(large_members, are_read_anew_if_they_are_replaced_and_collected_before_each_request) {
    for (std::size_t request = 0; request < 3; ++request) {
        all.upsert(sample_document(1));
        auto const faulty = std::make_shared<faulty_store>(store);
        faulty->act_before(
            [&](class store&) {
                all.upsert(sample_document(1, 1));
                EXPECT_GT(large_collector(store, "Documents", "document-values").sweep().deleted, 0u);
            },
            request);
        auto const found = through(faulty).find("plans", 1);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->value, sample_document(1, 1)) << request;
    }
}

TEST_F(large_members, tell_that_a_blob_is_gone_or_was_changed) {
    all.insert(sample_document(1));
    auto const blob = blobs().front();
    all.blobs().put(blob.name, std::string(large_size, 'x'), blob.etag);
    auto const changed = all.try_find({"plans", 1}).error();
    EXPECT_EQ(changed.code(), library_errc::malformed_response);
    EXPECT_EQ(changed.member(), "text");
    all.blobs().put(blob.name, "short", blob_state::present());
    EXPECT_EQ(all.try_find({"plans", 1}).error().code(), library_errc::malformed_response);
    all.blobs().erase_any(blob.name);
    EXPECT_EQ(all.try_find({"plans", 1}).error().code(), library_errc::malformed_response);
}

TEST_F(large_members, of_text_are_valid_utf_8_whatever_their_size) {
    EXPECT_EQ(all.try_insert({.folder = "plans", .id = 1, .text = "\xFF"}).error().code(), library_errc::invalid_text);
    auto const text = "\xFF" + sample_text(0);
    EXPECT_EQ(all.try_insert({.folder = "plans", .id = 1, .text = text}).error().code(), library_errc::invalid_text);
}

TEST_F(large_members, have_no_blobs_for_keys_that_are_too_long_for_their_names) {
    auto d = sample_document(1);
    d.folder = std::string(400, '+');
    EXPECT_EQ(all.try_insert(d).error().code(), library_errc::key_too_large);
    d.text = {};
    d.picture = {};
    EXPECT_TRUE(all.try_insert(d));
    EXPECT_TRUE(blobs().empty());
}

TEST_F(large_members, leave_nothing_behind_if_their_row_cannot_be_stored) {
    auto d = sample_document(1);
    d.title = std::string(40'000, 't');
    EXPECT_EQ(all.try_insert(d).error().code(), library_errc::value_too_large);
    entity<document> unread{.value = sample_document(1)};
    EXPECT_EQ(all.try_replace(unread).error().code(), library_errc::missing_etag);
    EXPECT_TRUE(blobs().empty());
    EXPECT_EQ(rows(), 0u);
}

TEST_F(large_members, leave_nothing_behind_if_their_write_is_refused) {
    auto old = all.insert(sample_document(1));
    EXPECT_EQ(all.try_insert(sample_document(1)).error().code(), service_errc::entity_already_exists);
    all.modify({"plans", 1}, [](document& d) { d.title = "new"; });
    old.value.text = sample_text(1);
    EXPECT_EQ(all.try_replace(old).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(blobs().size(), 2U);
    EXPECT_EQ(rows(), 1U);
    EXPECT_EQ(all.find("plans", 1)->value.text, sample_text(0));
}

TEST_F(large_members, keep_their_permit_if_it_cannot_be_erased_after_a_refusal) {
    all.insert(sample_document(1));
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->fail_next(fault::lost_before, 4);  // after the permit, two blobs and the transaction
    auto const told = through(faulty).try_insert(sample_document(1), {.retry = retry_policy::none()});
    EXPECT_EQ(told.error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(faulty->faults(), 1U);
    EXPECT_EQ(rows(), 2U);
    EXPECT_EQ(blobs().size(), 4U);
}

TEST_F(large_members, are_not_encrypted_by_an_option_that_would_hide_the_names_of_their_blobs) {
    auto const hides = [](auto, auto, std::string_view name) { return name == "text"; };
    auto const secret = with_keys(store, ring_of("a"));
    large_table<document> const hidden{secret, "Documents", "document-values", {}, {.encrypt = hides}};
    auto const refused = hidden.try_insert(sample_document(1)).error();
    EXPECT_EQ(refused.code(), library_errc::unsupported);
    EXPECT_EQ(refused.member(), "text");
    EXPECT_TRUE(blobs().empty());
}

TEST_F(large_members, have_options_that_can_be_used) {
    using table = large_table<document>;
    EXPECT_THROW((table{store, "Documents", "values", {.inline_bytes = 24'001}}), error);
    EXPECT_THROW((table{store, "Documents", "values", {.parallel = 0}}), error);
    EXPECT_THROW((table{store, "Documents", "NO"}), error);
}

TEST_F(large_members, are_stored_or_not_as_the_outcome_says_after_lost_responses) {
    for (auto const met : {fault::lost_before, fault::lost_after})
        for (std::size_t request = 0; request < 4; ++request) {
            all.erase_any({"plans", 1});
            auto const faulty = std::make_shared<faulty_store>(store);
            faulty->fail_next(met, request);
            auto const told = through(faulty).try_insert(sample_document(1), {.retry = retry_policy::none()});
            EXPECT_EQ(faulty->faults(), 1u);
            auto const said = told ? outcome::applied : told.error().outcome();
            EXPECT_NE(said, outcome::in_doubt) << request;
            EXPECT_EQ(all.find("plans", 1).has_value(), said == outcome::applied) << request;
        }
}

TEST_F(large_members, are_stored_again_by_the_retry_policy_if_a_request_is_lost_on_its_way) {
    fixed_clock clock;
    for (auto const met : {fault::lost_before, fault::overtaken})
        for (std::size_t request = 0; request < 3; ++request) {  // a permit, two blobs
            all.erase_any({"plans", 1});
            auto const faulty = std::make_shared<faulty_store>(store);
            faulty->set_overtaking(1000);
            faulty->fail_next(met, request);
            call_options const twice{.retry = retry_policy::exponential(2), .clock = &clock};
            EXPECT_TRUE(through(faulty).try_insert(sample_document(1), twice)) << request;
            EXPECT_EQ(faulty->faults(), 1u);
            faulty->carry_out_overtaken();
            EXPECT_EQ(all.find("plans", 1)->value, sample_document(1)) << request;
        }
}

TEST_F(large_members, are_modified_again_after_losses_of_which_nothing_is_applied) {
    all.insert(sample_document(1));
    fixed_clock clock;
    auto const faulty = std::make_shared<faulty_store>(store);
    std::size_t const transaction = 5;  // the row, two values, a permit, and a blob come before it
    for (std::size_t tries = 0; tries < 2; ++tries) faulty->fail_next(fault::lost_before, transaction + tries);
    auto const changed = through(faulty).modify({"plans", 1}, [](document& d) { d.text = sample_text(3); },
                                                {.retry = retry_policy::exponential(2), .clock = &clock});
    EXPECT_EQ(faulty->faults(), 2u);
    EXPECT_EQ(all.find("plans", 1)->value, changed.value);
    EXPECT_EQ(all.find("plans", 1)->value.text, sample_text(3));
    EXPECT_EQ(rows(), 1u) << "no permit is left";
}

TEST_F(large_members, fail_with_nothing_applied_if_a_blob_is_lost_in_each_try) {
    fixed_clock clock;
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->fail_next(fault::lost_before, 1);  // after the permit
    faulty->fail_next(fault::lost_before, 3);  // after the look
    auto const told = through(faulty).try_insert({.folder = "plans", .id = 1, .text = sample_text(1)},
                                                 {.retry = retry_policy::exponential(2), .clock = &clock});
    ASSERT_FALSE(told);
    EXPECT_EQ(faulty->faults(), 2u);
    EXPECT_EQ(told.error().outcome(), outcome::not_applied);
    EXPECT_EQ(told.error().member(), "text");
    EXPECT_FALSE(all.find("plans", 1));
}

TEST_F(large_members, are_not_stored_by_a_transaction_that_arrives_after_its_error) {
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->set_overtaking(1000);
    faulty->fail_next(fault::overtaken, 3);  // a permit, two blobs, the transaction
    auto const told = through(faulty).try_insert(sample_document(1), {.retry = retry_policy::none()});
    EXPECT_EQ(told.error().outcome(), outcome::not_applied);
    faulty->carry_out_overtaken();
    EXPECT_FALSE(all.find("plans", 1));
}

}  // namespace
}  // namespace tablemap::test
