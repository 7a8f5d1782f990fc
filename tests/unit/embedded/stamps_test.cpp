// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

namespace tablemap::test {
namespace {

/// Two stores of one file, each with a connection of its own as two programs have, whose clock the test sets.
class stamps : public embedded_file {
protected:
    void SetUp() override { ASSERT_TRUE(carried_out(table_client{*first_, "People"}.create())); }

    /// The etag of a new entity, which must rise.
    ticks insert(store_ptr const& s) {
        auto const r = table_client{*s, "People"}.insert(entity("p", std::to_string(++rows_)));
        EXPECT_TRUE(carried_out(r));
        auto const stamp = r.etag.timestamp().value();
        EXPECT_GT(stamp, last_) << "entity " << rows_;
        return last_ = stamp;
    }

    void insert_again(store_ptr const& s) const {
        EXPECT_TRUE(refused(table_client{*s, "People"}.insert(entity("p", "1")), service_errc::entity_already_exists));
    }

    store_ptr open_with_clock() {
        auto o = options();
        o.now = [this] { return now_; };
        return value_or_throw(open_embedded(o));
    }

    std::uintmax_t log_bytes() const { return std::filesystem::file_size(path() + "-wal"); }

    ticks const begin_ = ticks::parse("2030-01-01T00:00:00Z").value();
    ticks now_ = begin_;
    ticks last_{};
    int rows_ = 0;
    store_ptr first_ = open_with_clock();
    store_ptr second_ = open_with_clock();
};

TEST_F(stamps, rise_whichever_store_writes) {
    for (auto const* const turns : {"121212", "112211221122", "1112", "22221112"})
        for (char const turn : std::string_view{turns}) insert(turn == '1' ? first_ : second_);
}

TEST_F(stamps, are_the_time_while_one_store_writes) {
    for (int i = 0; i < 100; ++i) {
        now_ = now_ + std::chrono::milliseconds{1};
        EXPECT_EQ(insert(first_), now_);
    }
}

TEST_F(stamps, are_ahead_of_the_time_by_no_more_than_what_is_kept_when_stores_take_turns) {
    for (int i = 0; i < 400; ++i) insert(i % 4 < 2 ? first_ : second_);
    EXPECT_LE(last_, begin_ + std::chrono::milliseconds{21});
}

TEST_F(stamps, that_were_kept_are_given_to_nobody_after_the_store_closed) {
    for (int i = 0; i < 3; ++i) insert(first_);
    first_.reset();
    insert(second_);
    second_.reset();
    insert(open_with_clock());
}

TEST_F(stamps, that_a_refused_write_kept_are_not_mistaken_for_those_of_another_store) {
    insert(first_);
    insert_again(first_);  // keeps the same stamps as the other store does next
    insert(second_);
    insert(second_);
    insert(first_);
}

TEST_F(stamps, stay_kept_when_a_later_write_is_refused) {
    for (int i = 0; i < 3; ++i) insert(first_);
    insert_again(first_);
    EXPECT_LT(insert(first_), begin_ + std::chrono::milliseconds{1});
}

TEST_F(stamps, are_no_part_of_each_commit) {
    for (int i = 0; i < 3; ++i) insert(first_);
    auto const before = log_bytes();
    insert(first_);
    constexpr int frame = 8192 + 24;
    EXPECT_EQ(log_bytes() - before, 2 * frame) << "the table's page and the index's";
}

}  // namespace
}  // namespace tablemap::test
