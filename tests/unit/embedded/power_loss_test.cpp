// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"
#include "unit/embedded/unreliable_disk.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

/// Row keys and their texts; nothing while there is no table.
using rows = std::optional<std::map<std::string, std::string>>;

rows rows_in(store& s) {
    table_client t{s, "People"};
    if (auto const r = t.page({.top = 1}); !r.ok()) {
        EXPECT_TRUE(refused(r, service_errc::table_not_found));
        return std::nullopt;
    }
    rows found{std::in_place};
    for (auto const& e : t.all()) found->emplace(e.row_key, std::get<std::string>(properties_of(e).at(0).value));
    return found;
}

std::size_t cut_points() {
    auto const* const text = std::getenv("TABLEMAP_CUT_POINTS");
    return text ? std::stoul(text) : 60;
}

/// A store that answers are durable in, with a log that is folded often.
class power_loss : public embedded_file {
protected:
    embedded_options durable() const { return {.path = path(), .max_page_count = 200}; }

    void SetUp() override {
        disk_.before = [this](disk_call, std::string const&) {
            if (--calls_to_cut_ > 0) return SQLITE_OK;
            calls_to_cut_ = 1 + static_cast<int>(random_() % 15);
            constexpr unsynced kinds[] = {unsynced::lost, unsynced::torn, unsynced::kept};
            images_.push_back(disk_.after_power_loss(kinds[cuts_++ % 3], random_));
            return SQLITE_OK;
        };
    }

    std::size_t cuts() const { return cuts_; }
    std::mt19937& random() { return random_; }

    /// Runs a call of the store. Whenever the power went in it, what was there before is there, or all that the call
    /// wrote.
    template <class Call> void run(rows const& before, rows const& after, Call call) {
        call();
        for (auto const& i : std::exchange(images_, {})) expect_one_of(i, before, after);
    }

private:
    void expect_one_of(disk_image const& image, rows const& before, rows const& after) {
        auto const cut = folder().file("cut");
        fs::remove_all(cut);
        fs::create_directory(cut);
        for (auto const& [name, contents] : image) write_file(cut + "/" + name, contents);
        auto const at = cut + "/store.db";
        {
            auto const s = open_embedded({.path = at, .synchronous = durability::normal});
            ASSERT_TRUE(s.has_value()) << "cut " << cuts_ << ": " << s.error().what();
            auto const found = rows_in(**s);
            EXPECT_TRUE(found == before || found == after) << "cut " << cuts_;
            EXPECT_TRUE(carried_out(table_client{**s, "Later"}.create()));
        }
        expect_sound(at);
    }

    static void expect_sound(std::string const& at) {
        sqlite3* db = nullptr;
        ASSERT_EQ(sqlite3_open(at.c_str(), &db), SQLITE_OK);
        std::string said;
        auto const note = [](void* to, int, char** values, char**) {
            *static_cast<std::string*>(to) += values[0];
            return 0;
        };
        EXPECT_EQ(sqlite3_exec(db, "PRAGMA integrity_check", note, &said, nullptr), SQLITE_OK);
        EXPECT_EQ(said, "ok");
        sqlite3_close(db);
    }

    unreliable_disk disk_{folder().path().string()};
    std::mt19937 random_{20261122};
    std::vector<disk_image> images_;
    std::size_t cuts_ = 0;
    int calls_to_cut_ = 1;
};

// TABLEMAP_CUT_POINTS says how many; scripts/test --all runs 1,000.
TEST_F(power_loss, at_any_moment_loses_no_answered_write_and_halves_none) {
    store_ptr s;
    rows now;
    run(now, now, [&] { s = value_or_throw(open_embedded(durable())); });
    table_client t{*s, "People"};
    run(now, rows{std::in_place}, [&] { ASSERT_TRUE(carried_out(t.create())); });
    now.emplace();
    for (int step = 1; cuts() < cut_points(); ++step) {
        auto next = now;
        auto const key = [&] { return std::to_string(random()() % 25); };
        auto const text = [&] { return std::string(1 + random()() % 9000, static_cast<char>('a' + step % 26)); };
        std::vector<owned_operation> group;
        for (auto n = random()() % 3 == 0 ? random()() % 6 + 2 : 1; group.size() < n;) {
            auto const k = key();
            if (std::any_of(group.begin(), group.end(), [&](auto const& o) { return o.row_key == k; })) continue;
            if (next->contains(k) && random()() % 3 == 0) {
                group.push_back(erasure("p", k));
                next->erase(k);
            } else {
                auto const& value = (*next)[k] = text();
                group.push_back(operation(write_kind::upsert_merge, entity("p", k, {{"Text", value}})));
            }
        }
        run(now, next, [&] { ASSERT_TRUE(carried_out(t.transact(group))); });
        now = next;
        run(now, now, [] {});
        if (step % 40 != 0) continue;
        run(now, now, [&] {
            s.reset();
            s = value_or_throw(open_embedded(durable()));
            t = table_client{*s, "People"};
        });
    }
    EXPECT_EQ(rows_in(*s), now);
    RecordProperty("cut_points", std::to_string(cuts()));
    std::cout << cuts() << " cut points\n";
}

// --- calls that fail -------------------------------------------------------------------------------------------------

class failing_disk : public embedded_file {
protected:
    /// Makes the n-th call fail, or all from it on. True if it came to that.
    template <class Call> bool run_with_failure(int n, int code, bool from_then_on, Call call) {
        int calls = 0;
        disk_.before = [&](disk_call, std::string const&) {
            ++calls;
            return calls == n || (from_then_on && calls > n) ? code : SQLITE_OK;
        };
        call();
        disk_.before = nullptr;
        return calls >= n;
    }

    /// A write of each kind, where the n-th call of the disk fails: what the response says of the write holds.
    void expect_true_outcomes(int code, bool from_then_on) {
        auto const old_text = std::string(9000, 'o'), new_text = std::string(9000, 'n');
        rows const before{{{"1", old_text}, {"2", old_text}}};
        rows const after{{{"1", new_text}}};
        int in_doubt = 0, refused = 0;
        bool failed = true;
        for (int n = 1; failed && n < 200; ++n) {
            make({{"1", old_text}, {"2", old_text}});
            auto s = value_or_throw(open_embedded({.path = path(), .max_page_count = 32}));
            // Long enough that the write folds the log first.
            table_client t{*s, "People"};
            for (int i = 0; i < 6; ++i)
                ASSERT_TRUE(carried_out(t.write(write_kind::upsert_merge, entity("p", "1", {{"Text", old_text}}))));
            response r;
            failed = run_with_failure(n, code, from_then_on, [&] {
                r = t.transact(
                    {operation(write_kind::merge, entity("p", "1", {{"Text", new_text}}), "*"), erasure("p", "2")});
            });
            auto const found = rows_in(*s);
            s.reset();
            auto const reopened = rows_in(*open());
            EXPECT_EQ(found, reopened) << n;
            EXPECT_TRUE(reopened == before || reopened == after) << n;
            EXPECT_EQ(r.ok(), !failed) << n << ": a call failed and nobody said so";
            if (r.outcome() != outcome::in_doubt) {
                EXPECT_EQ(reopened, r.ok() ? after : before) << n;
            }
            if (!r.ok()) ++(r.outcome() == outcome::in_doubt ? in_doubt : refused);
        }
        EXPECT_FALSE(failed) << "more than 200 calls for one write";
        EXPECT_GT(refused + in_doubt, 0);
        EXPECT_EQ(in_doubt > 0, code != SQLITE_FULL);
    }

    void make(std::map<std::string, std::string> const& texts) {
        for (auto const* const suffix : {"", "-wal", "-shm"}) fs::remove(path() + suffix);
        auto s = open();
        table_client t{*s, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        for (auto const& [key, text] : texts) ASSERT_TRUE(carried_out(t.insert(entity("p", key, {{"Text", text}}))));
    }

    unreliable_disk& disk() { return disk_; }

private:
    unreliable_disk disk_{folder().path().string()};
};

TEST_F(failing_disk, once_with_an_error_leaves_what_the_answer_says) {
    expect_true_outcomes(SQLITE_IOERR_WRITE, false);
}

TEST_F(failing_disk, from_then_on_leaves_what_the_answer_says) { expect_true_outcomes(SQLITE_IOERR_FSYNC, true); }

TEST_F(failing_disk, that_is_full_leaves_what_the_answer_says) { expect_true_outcomes(SQLITE_FULL, true); }

TEST_F(failing_disk, that_is_full_still_reads_and_says_full_of_writes_and_erases) {
    make({{"1", "one"}, {"2", "two"}});
    auto s = open();
    table_client t{*s, "People"};
    disk().before = [](disk_call c, std::string const&) { return c == disk_call::write ? SQLITE_FULL : SQLITE_OK; };
    EXPECT_TRUE(refused(t.insert(entity("p", "3")), store_errc::full));
    EXPECT_TRUE(refused(t.erase("p", "1"), store_errc::full));
    EXPECT_EQ(rows_in(*s)->size(), 2u);
    disk().before = nullptr;
    EXPECT_TRUE(carried_out(t.erase("p", "1")));
}

TEST_F(failing_disk, that_has_no_room_for_the_index_of_the_log_is_told_as_full) {
    make({{"1", "one"}});
    disk().index_fails = true;
    EXPECT_TRUE(failed_with(open_embedded(options()), store_errc::full));
    disk().index_fails = false;
    EXPECT_EQ(rows_in(*open())->size(), 1u);
}

}  // namespace
}  // namespace tablemap::test
