// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/large_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/large_collector.hpp"

namespace tablemap::test {
namespace {

class large_members_page : public ::testing::Test {
protected:
    void SetUp() override {
        all.rows().create();
        all.blobs().create();
    }

    static document small(std::int32_t id) { return {.folder = "plans", .id = id, .text = "a"}; }
    static document with_text(std::int32_t id) {
        auto d = small(id);
        d.text = sample_text(0);
        return d;
    }
    static document with_large_picture(std::int32_t id) {
        auto d = small(id);
        d.picture = sample_picture(0, std::size_t{10} * 1024 * 1024);
        return d;
    }

    /// A table of its own with one document that has two values in blobs.
    void begin_table(std::string const& name) const {
        large_table<document> const t{quiet, name, "values"};
        t.rows().create();
        t.insert(sample_document(1));
    }
    void sweep(std::string const& name, std::size_t deleted) const {
        EXPECT_EQ(large_collector(store, name, "values").sweep().deleted, deleted);
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr quiet = value_or_throw(open_embedded({.path = ":memory:"}));
    store_ptr store = with_observer(quiet, seen);
    large_table<document> all{store, "Documents", "values"};
};

TEST_F(large_members_page, says_how_many_requests_they_take) {
    large_table<document> const unseen{quiet, "Documents", "values"};
    unseen.insert(small(10));
    auto e = unseen.insert(sample_document(11));
    auto row = *unseen.rows().find("plans", 11);
    begin_table("Kept");
    begin_table("Erased");
    large_table<document>{quiet, "Erased", "values"}.erase_any({"plans", 1});
    expect_requests("patterns/large-members.md", *seen,
                    {{"`insert` with small values", [&] { all.insert(small(1)); }},
                     {"`insert` with one value in a blob", [&] { all.insert(with_text(2)); }},
                     {"`insert` with two values in blobs", [&] { all.insert(sample_document(3)); }},
                     {"`insert` with a value of 10 MiB", [&] { all.insert(with_large_picture(4)); }},
                     {"`find` with small values", [&] { EXPECT_TRUE(all.find("plans", 10)); }},
                     {"`find` with two values in blobs", [&] { EXPECT_TRUE(all.find("plans", 11)); }},
                     {"`replace` that changes no value in a blob", [&] { all.replace(e); }},
                     {"`replace` of one of two values in blobs",
                      [&] {
                          e.value.text = sample_text(1);
                          all.replace(e);
                      }},
                     {"`merge` of a title", [&] { all.merge(e, only<&document::title>); }},
                     {"`modify` of a title without a conflict, two values in blobs",
                      [&] {
                          e = all.modify({"plans", 11}, [](document& d) { d.title = "new"; });
                      }},
                     {"erase", [&] { all.erase(e); }},
                     {"`load` of two values in blobs", [&] { EXPECT_TRUE(all.load(row)); }},
                     {"`sweep` over two blobs that a row names", [&] { sweep("Kept", 0); }},
                     {"`sweep` over two blobs that no row names any more", [&] { sweep("Erased", 2); }}});
}

}  // namespace
}  // namespace tablemap::test
