// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <cstdlib>
#include <limits>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

class blobs_in_file : public embedded_file {
protected:
    static response make(store& s) { return s.execute(create_container{"files"}, {}); }
    static response put(store& s, std::string_view blob, std::string_view body, blob_condition when = {}) {
        return s.execute(put_blob{"files", blob, body, {}, when}, {});
    }
    static response get(store& s, std::string_view blob, std::optional<blob_range> range = {}) {
        return s.execute(get_blob{"files", blob, range}, {});
    }
    static response stage(store& s, std::string_view id, std::string_view body) {
        return s.execute(stage_block{"files", "b", id, body}, {});
    }
    static response commit(store& s, std::vector<std::string_view> const& ids) {
        return s.execute(commit_blocks{"files", "b", ids}, {});
    }

    /// A store as the second version of the format has it.
    void make_second_format() {
        make_store(1);
        run_sql("PRAGMA user_version");
        ASSERT_EQ(format(), 2);
    }
    void run_sql(std::string const& sql) {
        if (std::system("command -v sqlite3 > /dev/null") != 0) GTEST_SKIP() << "needs the sqlite3 command";
        ASSERT_EQ(std::system(("sqlite3 '" + path() + "' \"" + sql + "\" > /dev/null").c_str()), 0);
    }
    char format() const { return contents(path()).at(63); }
};

TEST_F(blobs_in_file, are_there_when_the_file_is_opened_again) {
    response written;
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        written = put(*s, "a/b", "hello");
    }
    auto s = open();
    auto const r = get(*s, "a/b");
    EXPECT_EQ(r.body, "hello");
    EXPECT_EQ(r.etag, written.etag);
    EXPECT_EQ(r.service->blob.content_type, "application/octet-stream");
}

TEST_F(blobs_in_file, of_an_earlier_format_are_none_until_a_container_is_made) {
    make_second_format();
    if (IsSkipped()) return;
    {
        auto s = open();
        EXPECT_TRUE(refused(get(*s, "b"), service_errc::container_not_found));
        EXPECT_TRUE(refused(put(*s, "b", "x"), service_errc::container_not_found));
        EXPECT_TRUE(refused(s->execute(list_blobs{.container = "files"}, {}), service_errc::container_not_found));
        EXPECT_TRUE(refused(s->execute(delete_container{"files"}, {}), service_errc::container_not_found));
    }
    EXPECT_EQ(format(), 2);
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        EXPECT_TRUE(carried_out(put(*s, "b", "x")));
        table_client t{*s, "People"};
        EXPECT_TRUE(carried_out(t.get("p", "0")));
    }
    EXPECT_EQ(format(), 3);
}

TEST_F(blobs_in_file, have_strong_etags_that_rise_whatever_the_clock_says) {
    auto const now = *ticks::parse("2026-11-20T00:00:00.5Z");
    auto o = options();
    o.now = [now] { return now; };
    auto s = value_or_throw(open_embedded(o));
    ASSERT_TRUE(carried_out(make(*s)));
    auto const first = put(*s, "b", "1").etag.text();
    auto const second = put(*s, "b", "2").etag.text();
    EXPECT_EQ(first.substr(0, 3), "\"0x");
    EXPECT_EQ(first.size(), 20u);
    EXPECT_LT(first, second);
    EXPECT_EQ(get(*s, "b").service->blob.modified, *ticks::parse("2026-11-20T00:00:00Z"));
}

TEST_F(blobs_in_file, share_their_clock_with_entities) {
    auto o = options();
    o.now = [] { return *ticks::parse("2026-11-20T00:00:00Z"); };
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(put(*s, "b", "1")));
    auto const between = t.insert(entity("p", "r")).etag;
    EXPECT_EQ(between.timestamp()->count(), ticks::parse("2026-11-20T00:00:00Z")->count() + 1);
}

TEST_F(blobs_in_file, are_read_in_ranges_across_their_pieces) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    std::string big(3 * 1024 * 1024 + 5, ' ');
    for (std::size_t i = 0; i < big.size(); ++i) big[i] = static_cast<char>(i * 31 / 7);
    ASSERT_TRUE(carried_out(put(*s, "b", big)));
    for (auto const& [first, length] :
         {std::pair{0, 1}, {1048575, 2}, {1048576, 1048576}, {5, 3145728}, {3145732, 100}})
        EXPECT_TRUE(get(*s, "b", blob_range{static_cast<std::uint64_t>(first), length}).body ==
                    big.substr(static_cast<std::size_t>(first), static_cast<std::size_t>(length)))
            << first;
    auto const all = get(*s, "b");
    ASSERT_TRUE(carried_out(all));
    EXPECT_TRUE(all.body == big);
}

TEST_F(blobs_in_file, reserve_no_memory_for_a_length_that_is_not_there) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(put(*s, "b", "hello")));
    EXPECT_EQ(get(*s, "b", blob_range{1, std::numeric_limits<std::int64_t>::max() - 1}).body, "ello");
}

TEST_F(blobs_in_file, are_read_in_ranges_if_they_are_larger_than_a_response) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    std::string const block(33 * 1024 * 1024, 'x');
    for (auto const* id : {"1", "2"}) ASSERT_TRUE(carried_out(stage(*s, id, block)));
    ASSERT_TRUE(carried_out(commit(*s, {"1", "2"})));
    EXPECT_TRUE(refused(get(*s, "b"), transport_errc::response_too_large));
    EXPECT_EQ(get(*s, "b", blob_range{block.size() - 1, 2}).body, "xx");
}

TEST_F(blobs_in_file, take_over_their_own_blocks_of_many_pieces_from_the_first_place) {
    constexpr std::size_t mib = 1024 * 1024;
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    auto const a = std::string(mib, 'a') + std::string(mib, 'A') + "end";
    ASSERT_TRUE(carried_out(stage(*s, "1", std::string(4 * mib, 'z'))));
    ASSERT_TRUE(carried_out(stage(*s, "1", a)));
    ASSERT_TRUE(carried_out(stage(*s, "2", "b")));
    ASSERT_TRUE(carried_out(commit(*s, {"1", "1", "2", "1"})));
    EXPECT_TRUE(get(*s, "b").body == a + a + "b" + a);
    ASSERT_TRUE(carried_out(stage(*s, "3", "c")));
    ASSERT_TRUE(carried_out(commit(*s, {"2", "1", "3", "1"})));
    EXPECT_TRUE(get(*s, "b").body == "b" + a + "c" + a);
    EXPECT_EQ(get(*s, "b", blob_range{2 * mib + 1, 4}).body, "endc");
}

TEST_F(blobs_in_file, are_not_committed_after_the_deadline) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(stage(*s, "1", std::string(8 * 1024 * 1024, 'x'))));
    std::vector<std::string_view> const many(200, "1");
    auto const began = std::chrono::steady_clock::now();
    call_options o;
    o.deadline = began + 100ms;
    EXPECT_TRUE(refused(s->execute(commit_blocks{"files", "b", many}, o), library_errc::deadline_exceeded));
    EXPECT_LT(std::chrono::steady_clock::now() - began, 2s);
    EXPECT_TRUE(refused(get(*s, "b"), service_errc::blob_not_found));
    EXPECT_TRUE(carried_out(commit(*s, {"1"})));
}

TEST_F(blobs_in_file, are_not_removed_after_the_deadline) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(carried_out(put(*s, std::to_string(i), std::string(20'000, 'x'))));
    call_options o;
    o.deadline = std::chrono::steady_clock::now() + 200us;
    EXPECT_TRUE(refused(s->execute(delete_container{"files"}, o), library_errc::deadline_exceeded));
    EXPECT_EQ(get(*s, "999").body.size(), 20'000u);
    EXPECT_TRUE(carried_out(s->execute(delete_container{"files"}, {})));
}

TEST_F(blobs_in_file, that_are_erased_lose_staged_blocks_even_if_there_are_none) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(stage(*s, "1", "x")));
    auto const r = s->execute(delete_blob{"files", "b"}, {});
    ASSERT_TRUE(refused(r, service_errc::blob_not_found));
    EXPECT_EQ(r.failure->table(), "files");
    EXPECT_TRUE(refused(commit(*s, {"1"}), service_errc::invalid_block_list));
}

TEST_F(blobs_in_file, drop_old_staged_blocks_with_every_write) {
    auto o = options();
    auto now = *ticks::parse("2026-11-20T00:00:00Z");
    o.now = [&now] { return now; };
    auto s = value_or_throw(open_embedded(o));
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(stage(*s, "1", "old")));
    now = now + tick_duration{7 * 24h + 1s};
    ASSERT_TRUE(carried_out(put(*s, "other", "x")));
    EXPECT_TRUE(refused(commit(*s, {"1"}), service_errc::invalid_block_list));
}

TEST_F(blobs_in_file, lose_staged_blocks_after_a_week) {
    auto o = options();
    auto now = *ticks::parse("2026-11-20T00:00:00Z");
    o.now = [&now] { return now; };
    auto s = value_or_throw(open_embedded(o));
    ASSERT_TRUE(carried_out(make(*s)));
    ASSERT_TRUE(carried_out(stage(*s, "1", "old")));
    now = now + tick_duration{7 * 24h};
    ASSERT_TRUE(carried_out(stage(*s, "2", "new")));
    now = now + tick_duration{1s};
    ASSERT_TRUE(carried_out(stage(*s, "3", "new")));
    EXPECT_TRUE(refused(commit(*s, {"1"}), service_errc::invalid_block_list));
    EXPECT_TRUE(carried_out(commit(*s, {"3", "2"})));
}

TEST_F(blobs_in_file, leave_nothing_behind_when_their_container_is_deleted) {
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        ASSERT_TRUE(carried_out(put(*s, "a", "x")));
        ASSERT_TRUE(carried_out(stage(*s, "1", "x")));
        ASSERT_TRUE(carried_out(s->execute(delete_container{"files"}, {})));
        ASSERT_TRUE(carried_out(make(*s)));
        EXPECT_TRUE(refused(get(*s, "a"), service_errc::blob_not_found));
        EXPECT_TRUE(refused(commit(*s, {"1"}), service_errc::invalid_block_list));
    }
    run_sql("CREATE TEMP TABLE n AS SELECT (SELECT count(*) FROM blobs) + (SELECT count(*) FROM blocks)"
            " + (SELECT count(*) FROM staged_blocks) AS all_of_them;"
            "SELECT CASE all_of_them WHEN 0 THEN 1 ELSE json('no') END FROM n");
}

TEST_F(blobs_in_file, that_lack_bytes_are_reported) {
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        ASSERT_TRUE(carried_out(put(*s, "b", std::string(3 * 1024 * 1024, 'x'))));
    }
    run_sql("DELETE FROM blocks WHERE place = 1048576");
    if (IsSkipped()) return;
    auto s = open();
    EXPECT_TRUE(refused(get(*s, "b"), store_errc::corrupt));
    EXPECT_EQ(get(*s, "b", blob_range{0, 5}).body, "xxxxx");
}

TEST_F(blobs_in_file, with_impossible_properties_are_reported) {
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        ASSERT_TRUE(carried_out(put(*s, "b", "x")));
    }
    for (auto const* change : {"size = -1", "kind = 7", "stamp = -5", "size = 9000000"}) {
        run_sql(std::string{"UPDATE blobs SET kind = 0, size = 1, stamp = 638000000000000000; UPDATE blobs SET "} +
                change);
        if (IsSkipped()) return;
        auto s = open();
        EXPECT_TRUE(refused(get(*s, "b"), store_errc::corrupt)) << change;
    }
}

TEST_F(blobs_in_file, are_appended_to_by_two_stores_one_after_the_other) {
    auto a = open();
    auto b = open();
    ASSERT_TRUE(carried_out(make(*a)));
    ASSERT_TRUE(carried_out(a->execute(create_append_blob{"files", "log"}, {})));
    ASSERT_TRUE(carried_out(a->execute(append_block{"files", "log", "one", 0}, {})));
    EXPECT_TRUE(refused(b->execute(append_block{"files", "log", "two", 0}, {}),
                        service_errc::append_position_condition_not_met));
    EXPECT_EQ(b->execute(append_block{"files", "log", "two", 3}, {}).service->blob.size, 6u);
    EXPECT_EQ(get(*a, "log").body, "onetwo");
}

TEST_F(blobs_in_file, are_appended_to_50000_times) {
    {
        auto s = open();
        ASSERT_TRUE(carried_out(make(*s)));
        ASSERT_TRUE(carried_out(s->execute(create_append_blob{"files", "log"}, {})));
    }
    run_sql("UPDATE blobs SET blocks = 49999");
    if (IsSkipped()) return;
    auto s = open();
    EXPECT_TRUE(carried_out(s->execute(append_block{"files", "log", "x"}, {})));
    EXPECT_TRUE(refused(s->execute(append_block{"files", "log", "x"}, {}), service_errc::block_count_exceeds_limit));
}

TEST_F(blobs_in_file, refuse_a_marker_that_no_page_gave) {
    auto s = open();
    ASSERT_TRUE(carried_out(make(*s)));
    EXPECT_TRUE(
        refused(s->execute(list_blobs{.container = "files", .from = "nonsense"}, {}), library_errc::invalid_cursor));
}

}  // namespace
}  // namespace tablemap::test
