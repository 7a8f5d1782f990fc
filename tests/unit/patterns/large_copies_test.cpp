// SPDX-License-Identifier: Apache-2.0
#include "support/large_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/large_collector.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace tablemap::test {

/// A text that is being written, and the one that readers see.
struct article {
    std::string section{};
    std::int32_t id{};
    large<std::string> draft{};
    large<std::string> published{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::article> {
    using article = tablemap::test::article;
    static constexpr auto partition_key = tablemap::key(tablemap::part<&article::section>);
    static constexpr auto row_key = tablemap::key("article_", tablemap::part<&article::id>);
};

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

/// Values of large members that programs copy, exchange, and keep references to.
class large_copies : public ::testing::Test {
protected:
    void SetUp() override {
        articles.rows().create();
        articles.blobs().create();
        articles.insert({"news", 1, sample_text(1), sample_text(2)});
    }
    void collect() const {
        large_collector const collector{store, "Articles", "values", {.grace = 0s}};
        static_cast<void>(collector.sweep());
    }
    void expect(std::string const& draft, std::string const& published) const {
        auto const now = articles.find("news", 1);
        EXPECT_TRUE(now->value.draft.value() == draft);
        EXPECT_TRUE(now->value.published.value() == published);
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    large_table<article> articles{store, "Articles", "values"};
};

TEST_F(large_copies, in_another_member_are_stored_once_more) {
    auto e = *articles.find("news", 1);
    e.value.published = e.value.draft;
    e.value.draft = sample_text(3);
    articles.merge(e, only<&article::draft>);
    collect();
    articles.merge(e, only<&article::published>);
    collect();
    expect(sample_text(3), sample_text(1));
}

TEST_F(large_copies, of_exchanged_members_are_stored_once_more) {
    auto e = *articles.find("news", 1);
    std::swap(e.value.draft, e.value.published);
    articles.replace(e);
    collect();
    expect(sample_text(2), sample_text(1));
}

TEST_F(large_copies, in_another_container_are_stored_there) {
    large_table<article> const moved{store, "Articles", "others"};
    moved.blobs().create();
    auto e = *articles.find("news", 1);
    moved.replace(e);
    EXPECT_EQ(moved.blobs().list().size(), 2u);
    EXPECT_TRUE(moved.find("news", 1));
}

TEST_F(large_copies, of_a_reference_are_stored_by_every_write) {
    auto e = *articles.find("news", 1);
    auto& text = e.value.draft.edit();
    text = sample_text(3);
    articles.replace(e);
    text += "more";
    articles.replace(e);
    expect(sample_text(3) + "more", sample_text(2));
}

TEST_F(large_copies, of_the_same_member_stay_in_their_blob) {
    auto e = *articles.find("news", 1);
    auto const other = *articles.find("news", 1);
    e.value.draft = other.value.draft;
    articles.replace(e);
    EXPECT_EQ(articles.blobs().list().size(), 2u);
    expect(sample_text(1), sample_text(2));
}

}  // namespace
}  // namespace tablemap::test
