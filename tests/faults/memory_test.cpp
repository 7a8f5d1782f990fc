// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"

#include "support/answers.hpp"
#include "support/table_client.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/filter/parse.hpp"
#include "tablemap/mapping/decode.hpp"

#include "unit/embedded/unreliable_disk.hpp"
#include "unit/mapping/samples.hpp"

#include <gtest/gtest.h>

#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <new>

// Every allocation of this executable, those of SQLite included, can be made to fail.
namespace {

std::atomic<long> live{0};          // blocks of operator new
std::atomic<long> failing{0};       // this allocation fails, counted from 1; 0: none
std::atomic<bool> for_good{false};  // and all behind it
std::atomic<long> count{0};

bool refuses() noexcept {
    if (failing == 0) return false;
    auto const n = ++count;
    return n == failing || (for_good && n > failing);
}

void* allocate(std::size_t size) noexcept {
    if (refuses()) return nullptr;
    void* const p = std::malloc(size == 0 ? 1 : size);
    if (p) ++live;
    return p;
}

void release(void* p) noexcept {
    if (p) --live;
    std::free(p);
}

}  // namespace

void* operator new(std::size_t size) {
    if (void* p = allocate(size)) return p;
    throw std::bad_alloc{};
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, std::nothrow_t const&) noexcept { return allocate(size); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::nothrow_t const&) noexcept { release(p); }
void operator delete[](void* p, std::nothrow_t const&) noexcept { release(p); }

namespace tablemap::test {
namespace {

/// SQLite's own allocator, which fails when it is told to.
sqlite3_mem_methods sqlite_memory{};

void* sqlite_allocate(int size) { return refuses() ? nullptr : sqlite_memory.xMalloc(size); }
void* sqlite_reallocate(void* p, int size) { return refuses() ? nullptr : sqlite_memory.xRealloc(p, size); }

bool fail_sqlite_too() {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory) != SQLITE_OK) return false;
    auto failing_memory = sqlite_memory;
    failing_memory.xMalloc = sqlite_allocate;
    failing_memory.xRealloc = sqlite_reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &failing_memory) == SQLITE_OK;
}
bool const sqlite_fails_too = fail_sqlite_too();

enum class lasting : bool { once, for_good };

void let_fail(long n, lasting l) noexcept {
    count = 0;
    for_good = l == lasting::for_good;
    failing = n;
}

/// Runs `call` with its n-th allocation failing, or all from it on. True if it had so many.
bool run_without_memory(long n, lasting l, std::function<void()> const& call) {
    let_fail(n, l);
    try {
        call();
    } catch (...) {
        failing = 0;
        throw;
    }
    failing = 0;
    return count >= n;
}

constexpr long most_allocations = 20'000;

class without_memory : public ::testing::Test {
protected:
    using rows = std::map<std::string, std::string>;

    void SetUp() override { ASSERT_TRUE(sqlite_fails_too); }
    void TearDown() override {
        keeper_.reset();
        EXPECT_EQ(sqlite3_memory_used(), sqlite_bytes_) << "SQLite kept memory";
        EXPECT_GT(points_, 0);
        std::cout << points_ << " allocations failed\n";
    }

    std::string path() const { return folder_.file("store.db"); }
    embedded_options options() const { return {.path = path(), .synchronous = durability::normal}; }

    /// Two rows in one table, in a file that stays open: closing it would take most of the time.
    void restore_rows() {
        if (!keeper_) keeper_ = open();
        table_client t{*keeper_, "People"};
        t.drop();
        table_client{*keeper_, "Other"}.drop();
        ASSERT_TRUE(carried_out(t.create()));
        for (auto const* const key : {"1", "2"})
            ASSERT_TRUE(carried_out(t.insert(entity("p", key, {{"Text", std::string(3000, 'o')}}))));
    }

    void close() { keeper_.reset(); }

    store_ptr open() const { return value_or_throw(open_embedded(options())); }

    static rows rows_in(store& s) {
        rows found;
        for (auto const& e : table_client{s, "People"}.all())
            found.emplace(e.row_key, std::get<std::string>(properties_of(e).at(0).value));
        return found;
    }

    static void expect_ran_out(response const& r, long n) {
        ASSERT_FALSE(r.ok()) << n;
        EXPECT_EQ(r.failure->code(), store_errc::failed) << n << ": " << r.failure->what();
        EXPECT_NE(std::string{r.failure->what()}.find("memory ran out"), std::string::npos) << r.failure->what();
    }

    /// Memory runs out at each allocation of a call, once or from it on, on a new store each time: the response says
    /// so, and what it says of the write holds.
    void try_every_allocation(std::function<response(store&)> const& call, rows const& after) {
        for (auto const l : {lasting::once, lasting::for_good}) {
            static_cast<void>(try_allocation(most_allocations, l, call, after));  // memory kept from call to call
            bool had_so_many = true;
            for (long n = 1; had_so_many && n < most_allocations; ++n) had_so_many = try_allocation(n, l, call, after);
            EXPECT_FALSE(had_so_many);
        }
    }

    bool try_allocation(long n, lasting l, std::function<response(store&)> const& call, rows const& after) {
        restore_rows();
        long const live_before = live;
        bool had_so_many = false;
        {
            auto s = open();
            auto const before = rows_in(*s);
            response r;
            had_so_many = run_without_memory(n, l, [&] { r = call(*s); });
            if (!r.ok()) expect_ran_out(r, n);
            if (!r.ok()) ++points_;
            auto const found = rows_in(*s);
            EXPECT_TRUE(found == before || found == after) << n;
            if (r.outcome() != outcome::in_doubt) {
                EXPECT_EQ(found, r.ok() ? after : before) << n;
            }
            EXPECT_TRUE(carried_out(table_client{*s, "People"}.insert(entity("p", "later")))) << n << ": it goes on";
        }
        EXPECT_EQ(live, live_before) << n << ": blocks are left";
        return had_so_many;
    }

    long points_ = 0;

private:
    store_ptr keeper_{};
    sqlite3_int64 const sqlite_bytes_ = sqlite3_memory_used();
    temp_folder folder_;
};

// --- the embedded store ----------------------------------------------------------------------------------------------

std::string const old_text(3000, 'o'), new_text(3000, 'n');
std::string const new_body = body("p", "1", R"("Text":")" + new_text + '"');
std::string const third_body = body("p", "3", R"("Text":")" + new_text + '"');

auto one(write_kind kind, std::string_view row, std::string_view body) {
    write_operation const o{.kind = kind,
                            .partition_key = "p",
                            .row_key = row,
                            .body = body,
                            .if_match = is_conditional(kind) ? any_etag : std::string_view{}};
    return [=](store& s) { return s.execute(write_entity{"People", o}, {}); };
}

TEST_F(without_memory, an_insert_is_refused_whole) {
    try_every_allocation(one(write_kind::insert, "3", third_body), {{"1", old_text}, {"2", old_text}, {"3", new_text}});
}

TEST_F(without_memory, a_replacement_is_refused_whole) {
    try_every_allocation(one(write_kind::replace, "1", new_body), {{"1", new_text}, {"2", old_text}});
}

TEST_F(without_memory, a_merge_is_refused_whole) {
    try_every_allocation(one(write_kind::merge, "1", new_body), {{"1", new_text}, {"2", old_text}});
}

TEST_F(without_memory, an_erase_is_refused_whole) {
    try_every_allocation(one(write_kind::erase, "1", {}), {{"2", old_text}});
}

TEST_F(without_memory, a_group_is_refused_whole) {
    std::vector<write_operation> const group{
        {.kind = write_kind::insert, .partition_key = "p", .row_key = "3", .body = third_body},
        {.kind = write_kind::merge, .partition_key = "p", .row_key = "1", .body = new_body, .if_match = any_etag},
        {.kind = write_kind::erase, .partition_key = "p", .row_key = "2", .if_match = any_etag}};
    try_every_allocation(
        [&](store& s) {
            return s.execute(transact{"People", group}, {});
        },
        {{"1", new_text}, {"3", new_text}});
}

/// The response to a write whose commit the disk fails, after which the n-th allocation fails.
response with_failing_commit(unreliable_disk& disk, store& s, long n, lasting l) {
    disk.before = [=](disk_call c, std::string const&) {
        if (c != disk_call::sync) return SQLITE_OK;
        let_fail(n, l);
        return SQLITE_IOERR_FSYNC;
    };
    auto r = one(write_kind::upsert_replace, "3", third_body)(s);
    failing = 0;
    disk.before = nullptr;
    return r;
}

TEST_F(without_memory, a_commit_that_the_disk_fails_is_in_doubt) {
    unreliable_disk disk{std::filesystem::path{path()}.parent_path().string()};
    auto const s = value_or_throw(open_embedded({.path = path()}));
    ASSERT_TRUE(carried_out(table_client{*s, "People"}.create()));
    for (auto const l : {lasting::once, lasting::for_good})
        for (long n = 1; n <= 30; ++n, ++points_)
            EXPECT_EQ(with_failing_commit(disk, *s, n, l).outcome(), outcome::in_doubt) << n;
}

TEST_F(without_memory, reads_say_so_and_change_nothing) {
    rows const same{{"1", old_text}, {"2", old_text}};
    auto const where = value_or_throw(filter::parse("Text ge 'a' and RowKey ne '2'"));
    query_page const page{.table = "People", .where = &where};
    for (request const& r : std::vector<request>{page, get_entity{"People", "p", "1"}, list_tables{},
                                                 get_access_policies{"People"}, get_service_properties{}})
        try_every_allocation([&](store& s) { return s.execute(r, {}); }, same);
}

TEST_F(without_memory, tables_are_made_whole) {
    try_every_allocation([&](store& s) { return s.execute(create_table{"Other"}, {}); },
                         {{"1", old_text}, {"2", old_text}});
}

TEST_F(without_memory, opening_says_so_and_leaves_the_file_whole) {
    restore_rows();
    close();
    auto const at = options();
    for (auto const l : {lasting::once, lasting::for_good}) {
        bool had_so_many = true;
        for (long n = 1; had_so_many && n < most_allocations; ++n) {
            long const live_before = live;
            {
                result<store_ptr> s = failure{error{store_errc::failed, {.reason = "memory ran out"}}};
                auto o = at;
                try {
                    had_so_many = run_without_memory(n, l, [&] { s = open_embedded(std::move(o)); });
                } catch (std::bad_alloc const&) {
                    EXPECT_EQ(l, lasting::for_good) << "only where not even the error can be made";
                }
                if (!s) {
                    ++points_;
                    EXPECT_NE(std::string{s.error().what()}.find("memory ran out"), std::string::npos)
                        << n << s.error().what();
                }
            }
            EXPECT_EQ(rows_in(*open()).size(), 2u) << n;
            EXPECT_EQ(live, live_before) << n << ": blocks are left";
        }
        EXPECT_FALSE(had_so_many);
    }
}

// --- the codec -------------------------------------------------------------------------------------------------------

/// Each allocation of a call fails once: it throws std::bad_alloc, or does without.
long fail_every_allocation(std::function<void()> const& call) {
    call();  // memory kept from call to call
    long points = 0;
    long const before = live;
    bool had_so_many = true;
    for (long n = 1; had_so_many && n < most_allocations; ++n) {
        try {
            had_so_many = run_without_memory(n, lasting::once, call);
        } catch (std::bad_alloc const&) {
            ++points;
        }
        EXPECT_EQ(live, before) << n << ": blocks are left";
    }
    EXPECT_FALSE(had_so_many);
    return points;
}

employee sample() {
    return {.department = "a department that no small string holds",
            .id = 7,
            .name = "a name that no small string holds either",
            .photo = bytes(100)};
}

TEST_F(without_memory, encoding_throws_and_leaks_nothing) {
    auto const value = sample();
    points_ = fail_every_allocation([&] {
        detail::encoded_entity e;
        EXPECT_TRUE(detail::encode(value, e));
    });
}

TEST_F(without_memory, decoding_throws_and_gives_no_wrong_entity) {
    auto const value = sample();
    detail::encoded_entity e;
    ASSERT_TRUE(detail::encode(value, e));
    points_ = fail_every_allocation([&] {
        auto json = e.body;
        auto const read = detail::decode<employee>(json);
        ASSERT_TRUE(read) << read.error().what();
        EXPECT_EQ(read->value, value);
    });
}

}  // namespace
}  // namespace tablemap::test
