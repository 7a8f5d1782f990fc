// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/wide_table.hpp"

namespace tablemap::test {
namespace {

struct answers {
    std::int32_t year{};
    std::int32_t person{};
    std::string name{};
    std::string work{};
    std::string notes{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::answers> {
    using answers = tablemap::test::answers;
    static constexpr auto partition_key = key(part<&answers::year>.width(4));
    static constexpr auto row_key = key("answers_", part<&answers::person>.width(6));
    static constexpr auto wide = next_row_at<&answers::work, &answers::notes>;
};

namespace tablemap::test {
namespace {

class wide_entities_page : public ::testing::Test {
protected:
    void SetUp() override {
        all.create();
        for (std::int32_t person = 1; person <= 10; ++person) all.insert({2001, person, "p"});
        for (std::int32_t person = 1; person <= 20; ++person) all.insert({2002, person, "p"});
    }

    int count(std::int32_t year) const {
        int found = 0;
        for ([[maybe_unused]] auto& e : all.query(partition(year))) ++found;
        return found;
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), seen);
    wide_table<answers> all{store, "Answers"};
};

TEST_F(wide_entities_page, says_how_many_requests_they_take) {
    entity<answers> e;
    expect_requests("patterns/wide-entities.md", *seen,
                    {{"insert",
                      [&] {
                          e = all.insert({2024, 7, "Don"});
                      }},
                     {"find", [&] { EXPECT_TRUE(all.find(2024, 7)); }},
                     {"replace", [&] { all.replace(e); }},
                     {"`merge` of members of one row", [&] { all.merge(e, only<&answers::work>); }},
                     {"upsert",
                      [&] {
                          all.upsert({2024, 8, "Dora"});
                      }},
                     {"`modify` without a conflict",
                      [&] {
                          e = all.modify({2024, 7}, [](answers& a) { a.notes = "moved"; });
                      }},
                     {"`modify` that changes nothing",
                      [&] {
                          all.modify({2024, 7}, [](answers&) {});
                      }},
                     {"erase", [&] { all.erase(e); }},
                     {"erase_any",
                      [&] {
                          all.erase_any({2024, 8});
                      }},
                     {"`query` of 10 entities of three rows, read to the end", [&] { EXPECT_EQ(count(2001), 10); }},
                     {"`query` of 20 entities of three rows, read to the end", [&] { EXPECT_EQ(count(2002), 20); }}});
}

}  // namespace
}  // namespace tablemap::test
