// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/latest.hpp"
#include "tablemap/patterns/one_to_one.hpp"
#include "tablemap/patterns/relation.hpp"

#include <gtest/gtest.h>

namespace tablemap {
namespace {

struct ship {
    std::string port{};
    std::string flag{};
};
struct sailor {
    std::string port{};
    std::int32_t id{};
    std::string email{};
};
struct wage {
    std::string port{};
    std::int32_t id{};
    std::int64_t cents{};
};
struct log_entry {
    std::string port{};
    ticks at{};
    std::int32_t number{};
    std::string author{};
};

}  // namespace

template <> struct mapping<ship> {
    static constexpr auto partition_key = key(part<&ship::port>);
    static constexpr auto row_key = key("ship");
};
template <> struct mapping<sailor> {
    static constexpr auto partition_key = key(part<&sailor::port>);
    static constexpr auto row_key = key("sailor_", part<&sailor::id>.width(4));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("rowmail_", part<&sailor::email>.escaped())));
};
template <> struct mapping<wage> {
    static constexpr auto partition_key = key(part<&wage::port>);
    static constexpr auto row_key = key("wage_", part<&wage::id>.width(4));
};
template <> struct mapping<log_entry> {
    static constexpr auto partition_key = key(part<&log_entry::port>);
    static constexpr auto row_key =
        key("entry_", part<&log_entry::at>.descending(), "_", part<&log_entry::number>.width(4));
    static constexpr auto indexes =
        tablemap::indexes(index<"by_author">(key("author_", part<&log_entry::author>.escaped())));
};

namespace test {
namespace {

class beside_indexes : public ::testing::Test {
protected:
    void SetUp() override { sailors.create(); }

    /// Rows of indexes are those beside these.
    std::size_t count_rows() {
        std::size_t n = 0;
        for ([[maybe_unused]] auto const& row : table<dynamic_entity>{store, "Port"}.query(partition("Kiel"))) ++n;
        return n;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<sailor> sailors{store, "Port"};
};

TEST_F(beside_indexes, a_relation_does_not_show_their_rows) {
    table<ship>{store, "Port"}.insert({"Kiel", "blue"});
    for (std::int32_t id : {1, 2}) sailors.insert({"Kiel", id, std::to_string(id) + "@sea"});
    EXPECT_EQ(count_rows(), 5U);
    relation<ship, sailor> const crews{store, "Port"};
    EXPECT_EQ(crews.find("Kiel").children().size(), 2U);
    std::vector<std::size_t> children;
    for (auto const& f : crews.scan()) children.push_back(f.children().size());
    EXPECT_EQ(children, std::vector<std::size_t>{2});
}

TEST_F(beside_indexes, a_relation_s_transactions_write_their_rows) {
    relation<ship, sailor> const crews{store, "Port"};
    auto both = crews.transaction();
    both.insert(ship{"Kiel", "blue"});
    both.insert(sailor{"Kiel", 1, "1@sea"});
    both.commit();
    EXPECT_EQ(sailors.find_by<"by_email">("Kiel", "1@sea")->value.id, 1);
}

TEST_F(beside_indexes, halves_write_their_rows) {
    one_to_one<sailor, wage> const people{store, "Port"};
    auto don = people.insert({"Kiel", 7, "don@sea"}, {"Kiel", 7, 300});
    EXPECT_EQ(sailors.find_by<"by_email">("Kiel", "don@sea")->value.id, 7);
    don = people.find("Kiel", 7);
    don.first->value.email = "d@sea";
    people.replace(don);
    EXPECT_FALSE(sailors.find_by<"by_email">("Kiel", "don@sea"));
    EXPECT_EQ(sailors.find_by<"by_email">("Kiel", "d@sea")->value.id, 7);
    people.erase(people.find("Kiel", 7));
    EXPECT_EQ(count_rows(), 0U);
}

TEST_F(beside_indexes, the_newest_entries_are_entries_alone) {
    table<log_entry> const log{store, "Port"};
    for (std::int32_t n = 0; n < 5; ++n)
        log.insert({"Kiel", ticks{std::chrono::sys_days{std::chrono::days{20000 + n}}}, n, "Ann"});
    EXPECT_EQ(count_rows(), 10U);
    auto const newest = latest(log, partition("Kiel"), 10);
    ASSERT_EQ(newest.size(), 5U);
    EXPECT_EQ(newest.front().value.number, 4);
}

}  // namespace
}  // namespace test
}  // namespace tablemap
