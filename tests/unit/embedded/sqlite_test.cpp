// SPDX-License-Identifier: Apache-2.0
#include "embedded/sqlite.hpp"

#include "embedded/resident_files.hpp"

#include "unit/embedded/fixture.hpp"

#include <sqlite3.h>

#include <new>

namespace tablemap::test {
namespace {

using detail::embedded::database;

/// A write transaction with a part.
class parts : public embedded_file {
protected:
    void SetUp() override {
        db_.run("CREATE TABLE numbers (n)");
        db_.begin_write();
        db_.run("INSERT INTO numbers VALUES (1)");
        db_.begin_part();
        db_.run("INSERT INTO numbers VALUES (2)");
    }

    database& db() { return db_; }
    std::int64_t sum() const { return db_.integer("SELECT sum(n) FROM numbers"); }

private:
    database db_{path(), std::chrono::milliseconds{0}, true};
};

TEST_F(parts, are_undone_without_the_rest) {
    db().undo_part();
    db().commit();
    EXPECT_EQ(sum(), 1);
}

TEST_F(parts, are_kept_with_the_rest) {
    db().keep_part();
    db().commit();
    EXPECT_EQ(sum(), 3);
}

TEST_F(parts, cannot_be_undone_once_the_transaction_has_ended) {
    db().roll_back();
    EXPECT_THROW(db().undo_part(), error);
}

TEST_F(parts, say_so_if_there_is_no_memory_to_undo_them) {
    // The hard limit brings the soft one down with it, under which later tests would write pages before they commit.
    auto const soft = sqlite3_soft_heap_limit64(-1);
    auto const hard = sqlite3_hard_heap_limit64(sqlite3_memory_used());
    EXPECT_THROW(db().undo_part(), std::bad_alloc);
    sqlite3_hard_heap_limit64(hard);
    sqlite3_soft_heap_limit64(soft);
    db().roll_back();
    EXPECT_EQ(sum(), 0);
}

/// Two connections to one file.
class foreign_changes : public embedded_file {
protected:
    void SetUp() override { insert(db_); }

    static void insert(database& db) {
        detail::embedded::write_transaction t{db};
        db.run("CREATE TABLE IF NOT EXISTS numbers (n); INSERT INTO numbers VALUES (1)");
        t.commit();
    }

    /// True if the next write transaction tells one.
    bool are_told() {
        auto const before = db_.foreign_changes();
        detail::embedded::write_transaction const t{db_};
        return db_.foreign_changes() != before;
    }

    database& db() { return db_; }
    database& other() { return other_; }

private:
    database db_{path(), std::chrono::milliseconds{0}, true};
    database other_{path(), std::chrono::milliseconds{0}, true};
};

TEST_F(foreign_changes, are_not_those_of_the_connection_itself) {
    insert(db());
    insert(db());
    EXPECT_FALSE(are_told());
}

TEST_F(foreign_changes, are_those_of_another_connection) {
    insert(other());
    EXPECT_TRUE(are_told());
}

TEST_F(foreign_changes, are_told_though_a_read_has_seen_them) {
    insert(other());
    EXPECT_EQ(db().integer("SELECT sum(n) FROM numbers"), 2);
    EXPECT_TRUE(are_told());
}

TEST_F(foreign_changes, may_have_been_made_by_a_transaction_that_was_not_committed) {
    EXPECT_FALSE(are_told());
    EXPECT_TRUE(are_told());
}

class locks : public embedded_file {};

TEST_F(locks, are_not_waited_for_by_a_thread_that_must_not_wait) {
    database holder{path(), std::chrono::milliseconds{0}, true};
    database other{path(), std::chrono::hours{1}, false};
    detail::embedded::write_transaction const held{holder};
    detail::embedded::no_waiting const here;
    try {
        other.begin_write();
        FAIL() << "the lock was given away twice";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), store_errc::busy);
    }
    EXPECT_TRUE(here.has_refused());
}

}  // namespace
}  // namespace tablemap::test
