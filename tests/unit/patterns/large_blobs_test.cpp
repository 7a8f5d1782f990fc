// SPDX-License-Identifier: Apache-2.0
#include "support/encrypted_samples.hpp"
#include "support/large_samples.hpp"
#include "support/tasks.hpp"

#include "patterns/large_blobs.hpp"
#include "patterns/large_sources.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>

namespace tablemap::test {

namespace {

using tablemap::testing::faulty_store;

constexpr std::size_t mebibyte = 1024 * 1024;

class large_blobs : public ::testing::Test {
protected:
    void SetUp() override {
        plain.rows().create();
        plain.blobs().create();
    }
    std::string content(std::size_t number) const {
        return plain.blobs().get(plain.blobs().list().at(number).name).bytes;
    }
    void put(std::size_t number, std::string_view bytes) const {
        plain.blobs().put(plain.blobs().list().at(number).name, bytes, blob_state::present());
    }

    store_ptr bare = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr store = with_keys(bare, ring_of("ab"));
    large_table<document> plain{store, "Documents", "values"};
    large_table<secret_document> secret{store, "Documents", "values"};
};

TEST_F(large_blobs, of_plain_values_are_the_values_whatever_their_size) {
    for (std::size_t const size : {4 * mebibyte - 1, 4 * mebibyte, 4 * mebibyte + 1, 9 * mebibyte}) {
        plain.upsert({.folder = "plans", .id = 1, .picture = sample_picture(3, size)});
        EXPECT_EQ(plain.find("plans", 1)->value.picture, sample_picture(3, size)) << size;
        plain.erase_any({"plans", 1});
        EXPECT_EQ(plain.blobs().list().back().size, size);
        for (auto const& b : plain.blobs().list()) plain.blobs().erase(b.name, b.etag);
    }
}

TEST_F(large_blobs, of_encrypted_values_hold_nothing_of_them) {
    auto const e = secret.insert({.folder = "plans", .id = 1, .text = "hidden text"});
    EXPECT_EQ(secret.find("plans", 1)->value.text.value(), "hidden text");
    EXPECT_TRUE(secret.find("plans", 1)->value.picture.value().empty());
    EXPECT_TRUE(content(0).starts_with("tmenc"));
    EXPECT_EQ(content(0).find("hidden"), std::string::npos);
    EXPECT_EQ(plain.blobs().list().size(), 2u);
}

TEST_F(large_blobs, of_encrypted_values_may_have_many_pieces_and_other_keys_later) {
    auto const value = sample_text(1, 9 * mebibyte);
    secret.insert({.folder = "plans", .id = 1, .text = value});
    EXPECT_EQ(secret.find("plans", 1)->value.text.value(), value);
    large_table<secret_document> const later{with_keys(bare, ring_of("ba")), "Documents", "values"};
    EXPECT_EQ(later.find("plans", 1)->value.text.value(), value);
    EXPECT_THROW((large_table<secret_document>{bare, "Documents", "values"}), error);
    large_table<secret_document> const without{with_keys(bare, ring_of("c")), "Documents", "values"};
    EXPECT_EQ(without.try_find({"plans", 1}).error().code(), library_errc::unknown_encryption_key);
}

/// Pieces of another order, or fewer of them, have the wrong length or checksum first. A stranger who can write the row
/// as well can make those fit.
TEST_F(large_blobs, of_encrypted_values_are_refused_in_another_place) {
    secret.insert({.folder = "plans", .id = 1, .text = "first", .picture = bytes(5)});
    secret.insert({.folder = "plans", .id = 2, .text = "other", .picture = bytes(5)});
    table<dynamic_entity> const raw{store, "Documents"};
    auto a = *raw.find("plans", "doc_000001");
    auto const b = *raw.find("plans", "doc_000002");
    auto const name_of_a = a.value.try_get<std::string>("text")->substr(0, 37);
    auto const rest_of_b = b.value.try_get<std::string>("text")->substr(37);
    a.value.set("text", name_of_a + rest_of_b);
    raw.replace(a);
    auto const blobs = plain.blobs().list();
    plain.blobs().put(blobs[0].name, plain.blobs().get(blobs[2].name).bytes, blobs[0].etag);
    EXPECT_EQ(secret.try_find({"plans", 1}).error().code(), library_errc::misplaced_ciphertext);
}

TEST_F(large_blobs, of_encrypted_values_are_refused_in_another_member) {
    secret.insert({.folder = "plans", .id = 1, .text = "first", .picture = bytes(5)});
    table<dynamic_entity> const raw{store, "Documents"};
    auto e = *raw.find("plans", "doc_000001");
    auto const text = *e.value.try_get<std::string>("text");
    e.value.set("text", *e.value.try_get<std::string>("picture"));
    e.value.set("picture", text);
    raw.replace(e);
    EXPECT_EQ(secret.try_find({"plans", 1}).error().code(), library_errc::misplaced_ciphertext);
}

TEST_F(large_blobs, with_changed_bytes_are_refused) {
    secret.insert({.folder = "plans", .id = 1, .text = "first"});
    auto changed = content(0);
    changed.back() ^= 1;
    put(0, changed);
    EXPECT_EQ(secret.try_find({"plans", 1}).error().code(), library_errc::altered_ciphertext);
    put(0, changed + "more");
    EXPECT_EQ(secret.try_find({"plans", 1}).error().code(), library_errc::malformed_response);
    put(0, "");
    EXPECT_EQ(secret.try_find({"plans", 1}).error().code(), library_errc::malformed_response);
}

TEST_F(large_blobs, are_written_in_pieces_beyond_4_mib) {
    auto const counted = std::make_shared<faulty_store>(store);
    large_table<document> const through{counted, "Documents", "values"};
    through.insert({.folder = "plans", .id = 1, .picture = sample_picture(1, 9 * mebibyte)});
    EXPECT_EQ(counted->requests(), 1u + 3u + 1u + 1u);  // permit, blocks, their commit, transaction
    through.find("plans", 1);
    EXPECT_EQ(counted->requests(), 6u + 1u + 3u);
}

/// Gives bytes until so many were given.
class byte_source {
public:
    explicit byte_source(std::size_t size) : left_(size) {}

    std::size_t operator()(std::span<std::byte> to) {
        auto const size = std::min({to.size(), left_, std::size_t{100'000}});
        for (std::size_t i = 0; i < size; ++i) to[i] = std::byte(given_++ % 251);
        left_ -= size;
        return size;
    }

private:
    std::size_t left_, given_ = 0;
};

TEST_F(large_blobs, are_written_from_a_source_and_read_piece_by_piece) {
    for (std::size_t const size : {std::size_t{0}, std::size_t{5}, 4 * mebibyte, 33 * mebibyte + 7}) {
        auto e = plain.upsert({.folder = "plans", .id = 1, .picture = large<bytes>::from(byte_source{size})});
        EXPECT_FALSE(e.value.picture.is_loaded());
        EXPECT_EQ(e.value.picture.size(), size);
        std::size_t read = 0, largest = 0;
        EXPECT_TRUE(plain.read<&document::picture>(e, [&](std::span<std::byte const> piece) {
            for (auto const b : piece) ASSERT_EQ(b, std::byte(read++ % 251));
            largest = std::max(largest, piece.size());
        }));
        EXPECT_EQ(read, size);
        EXPECT_LE(largest, 4 * mebibyte);
    }
}

TEST_F(large_blobs, of_encrypted_members_are_streamed_as_well) {
    constexpr std::size_t size = 5 * mebibyte;
    using picture = large<encrypted<bytes>>;
    auto e = secret.insert({.folder = "plans", .id = 1, .picture = picture::from(byte_source{size})});
    std::size_t read = 0;
    EXPECT_TRUE(secret.read<&secret_document::picture>(e, [&](auto piece) { read += piece.size(); }));
    EXPECT_EQ(read, size);
    secret.replace(e);  // the value stays in its blob
    EXPECT_EQ(secret.find("plans", 1)->value.picture.value()[1000], std::byte(1000 % 251));
}

TEST_F(large_blobs, of_a_source_are_written_once) {
    auto const source = large<bytes>::from(byte_source{10});
    document d{.folder = "plans", .id = 1, .picture = source};
    plain.insert(d);
    auto const faulty = std::make_shared<faulty_store>(store);
    faulty->fail_next(tablemap::testing::fault::busy, 1);
    large_table<document> const through{faulty, "Documents", "values"};
    entity<document> e = *plain.find("plans", 1);
    e.value.picture = source;
    EXPECT_FALSE(through.try_replace(e, {.retry = retry_policy::none()}));
    EXPECT_EQ(plain.try_load(e).error().code(), library_errc::unsupported) << "there is nothing to load";
    EXPECT_EQ(through.try_replace(e).error().code(), library_errc::unsupported);
}

TEST_F(large_blobs, of_too_many_pieces_are_refused_before_those_are_stored) {
    auto const counted = std::make_shared<faulty_store>(store);
    entity_key const key{"plans", "doc_000001"};
    detail::large_place const where{"values", "Documents", key, "documents/pplans/rdoc_000001/", "0", "picture", false};
    auto const write = [&](std::size_t size) {
        detail::function_source from{byte_source{size}};
        return run_task(*counted, detail::store_value(where, {}, from, 2));
    };
    auto const refused = write(std::size_t{1} << 50);
    EXPECT_EQ(refused.error().code(), service_errc::block_count_exceeds_limit);
    EXPECT_EQ(counted->requests(), 2u);
    EXPECT_EQ(write(8 * mebibyte)->size, 8 * mebibyte);
}

TEST_F(large_blobs, of_a_source_are_not_written_once_more_by_modify_after_a_conflict) {
    plain.insert(sample_document(1));
    byte_source source{100};
    int calls = 0;
    auto const done = plain.try_modify({"plans", 1}, [&](document& d) {
        d.picture = large<bytes>::from(std::ref(source));
        if (++calls == 1) plain.modify({"plans", 1}, [](document& now) { now.title = "of another writer"; });
    });
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(done.error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(plain.find("plans", 1)->value.picture.value(), sample_document(1).picture.value());
}

TEST_F(large_blobs, are_read_in_pieces_from_rows_of_a_query_and_from_memory) {
    auto e = plain.insert(sample_document(1));
    std::size_t read = 0;
    auto const count = [&](std::span<std::byte const> piece) { read += piece.size(); };
    EXPECT_TRUE(plain.read<&document::text>(e, count));
    auto const row = *plain.rows().find("plans", 1);
    EXPECT_TRUE(plain.read<&document::text>(row, count));
    EXPECT_EQ(read, 2 * large_size);
    for (auto const& b : plain.blobs().list()) plain.blobs().erase(b.name, b.etag);
    EXPECT_EQ(plain.try_read<&document::text>(row, count).error().code(), library_errc::malformed_response);
    plain.erase(e);
    EXPECT_FALSE(plain.read<&document::text>(row, count)) << "the entity is gone, too";
}

}  // namespace
}  // namespace tablemap::test
