// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"
#include "unit/embedded/unreliable_disk.hpp"

#include "store/waiting_receiver.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <future>
#include <list>
#include <mutex>
#include <set>
#include <thread>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

/// A group transaction, or one write, that is sent without waiting.
class sent_write {
public:
    sent_write(store& s, std::vector<owned_operation> operations, call_options options = {})
        : operations_(std::move(operations)), options_(std::move(options)) {
        for (auto const& o : operations_) views_.push_back({o.kind, o.partition_key, o.row_key, o.body, o.if_match});
        if (views_.size() == 1)
            request_ = write_entity{"People", views_.front()};
        else
            request_ = transact{"People", views_};
        s.async_execute(request_, options_, answer_);
    }
    sent_write(sent_write const&) = delete;
    sent_write& operator=(sent_write const&) = delete;

    response wait() { return answer_.wait(); }

private:
    std::vector<owned_operation> operations_;
    std::vector<write_operation> views_{};
    request request_{};
    call_options options_;
    detail::waiting_receiver answer_{};
};

owned_operation insertion(std::string row) { return operation(write_kind::insert, entity("p", std::move(row))); }

/// Of half a megabyte.
owned_operation large_insertion(std::string row) {
    auto e = entity("p", std::move(row));
    for (char c = 'a'; c < 'q'; ++c) e.set(std::string(1, c), std::string(32'000, c));
    return operation(write_kind::insert, e);
}

/// A durable store on a disk that counts how often it is waited for, and can be held there.
class write_queue : public embedded_file {
protected:
    void SetUp() override {
        store_ = value_or_throw(open_embedded({.path = path()}));
        ASSERT_TRUE(carried_out(people().create()));
        ASSERT_TRUE(carried_out(people().insert(entity("p", "first"))));
        disk_.before = [this](disk_call c, std::string const&) { return called(c); };
    }
    void TearDown() override {
        disk_.before = nullptr;
        store_.reset();
    }

    store& durable() { return *store_; }
    table_client people() { return {*store_, "People"}; }
    unreliable_disk& disk() { return disk_; }
    int syncs() const { return syncs_; }

    /// Sends a write, and more when that one waits for the disk. Their responses; the other's is good.
    std::vector<response> behind_another(std::vector<std::vector<owned_operation>> const& writes) {
        hold();
        sent_write leading{*store_, {insertion("leading")}};
        held_.get_future().wait();
        std::list<sent_write> sent;
        for (auto const& w : writes) sent.emplace_back(*store_, w);
        release_.set_value();
        EXPECT_TRUE(carried_out(leading.wait()));
        std::vector<response> answers;
        for (auto& s : sent) answers.push_back(s.wait());
        return answers;
    }

    /// The same with so many inserts.
    std::vector<response> inserts_behind_another(int count) {
        std::vector<std::vector<owned_operation>> writes;
        for (int i = 0; i < count; ++i) writes.push_back({insertion("row" + std::to_string(i))});
        return behind_another(writes);
    }

    /// Lets the next sync wait.
    void hold() {
        holds_ = true;
        syncs_ = 0;
    }
    void wait_until_held() { held_.get_future().wait(); }
    void release() { release_.set_value(); }

    /// Lets calls of a kind fail once the sync that was held is over: the first so many of them.
    void fail_later(disk_call c, int code, int times) {
        failing_ = c;
        code_ = code;
        failures_ = times;
    }

    std::vector<std::string> rows_after_reopening() {
        disk_.before = nullptr;
        store_.reset();
        store_ = value_or_throw(open_embedded({.path = path()}));
        return row_keys(people().all());
    }

private:
    int called(disk_call c) {
        if (c == disk_call::sync) ++syncs_;
        if (c == disk_call::sync && holds_) {
            holds_ = false;
            held_.set_value();
            release_.get_future().wait();
            return SQLITE_OK;
        }
        return !holds_ && c == failing_ && failures_-- > 0 ? code_ : SQLITE_OK;
    }

    unreliable_disk disk_{folder().path().string()};
    store_ptr store_;
    std::atomic<int> syncs_ = 0;
    std::atomic<bool> holds_ = false;
    std::promise<void> held_{}, release_{};
    std::optional<disk_call> failing_{};
    int code_ = SQLITE_OK;
    int failures_ = 0;
};

std::size_t carried_out_of(std::vector<response> const& answers) {
    return static_cast<std::size_t>(std::count_if(answers.begin(), answers.end(), [](auto& r) { return r.ok(); }));
}

// --- sharing ---------------------------------------------------------------------------------------------------------

TEST_F(write_queue, lets_waiting_writes_share_one_commit) {
    EXPECT_EQ(carried_out_of(inserts_behind_another(20)), 20u);
    EXPECT_EQ(syncs(), 2);
    EXPECT_EQ(rows_after_reopening().size(), 22u);
}

TEST_F(write_queue, lets_group_transactions_share_one_commit) {
    auto const answers = behind_another({{insertion("a"), insertion("b")}, {insertion("c"), erasure("p", "first")}});
    EXPECT_EQ(carried_out_of(answers), 2u);
    EXPECT_EQ(syncs(), 2);
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"a", "b", "c", "leading"}));
}

TEST_F(write_queue, gives_etags_in_the_order_of_the_writes) {
    auto const answers = inserts_behind_another(20);
    for (std::size_t i = 1; i < answers.size(); ++i)
        EXPECT_LT(answers[i - 1].etag.timestamp(), answers[i].etag.timestamp());
    EXPECT_EQ(people().get("p", "row7").etag, answers[7].etag);
}

TEST_F(write_queue, carries_out_writes_of_one_row_in_their_order) {
    auto const text = [](char const* t) {
        return std::vector{operation(write_kind::upsert_replace, entity("p", "row", {{"Text", t}}))};
    };
    EXPECT_EQ(carried_out_of(behind_another({text("1"), text("2"), text("3")})), 3u);
    EXPECT_EQ(std::get<std::string>(properties_of(people().all().back()).at(0).value), "3");
}

TEST_F(write_queue, splits_writes_that_are_larger_than_one_transaction) {
    std::vector<std::vector<owned_operation>> large;
    for (int i = 0; i < 9; ++i) large.push_back({large_insertion("row" + std::to_string(i))});
    EXPECT_EQ(carried_out_of(behind_another(large)), 9u);
    EXPECT_EQ(syncs(), 3);
}

TEST_F(write_queue, of_many_threads_commits_less_often_than_they_write) {
    std::vector<std::thread> threads;
    std::atomic<int> stored = 0;
    disk().before = [&, before = disk().before](disk_call c, std::string const& name) {
        if (c == disk_call::sync) std::this_thread::sleep_for(std::chrono::milliseconds{2});
        return before(c, name);
    };
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            table_client mine{durable(), "People"};
            for (int i = 0; i < 20; ++i)
                stored += mine.insert(entity("p" + std::to_string(t), std::to_string(i))).ok() ? 1 : 0;
        });
    for (auto& t : threads) t.join();
    EXPECT_EQ(stored, 160);
    EXPECT_LT(syncs(), 100);
    EXPECT_EQ(rows_after_reopening().size(), 161u);
}

// --- refusals --------------------------------------------------------------------------------------------------------

TEST_F(write_queue, refuses_a_write_without_the_others) {
    auto const answers = behind_another({{insertion("a")}, {insertion("first")}, {insertion("b")}});
    EXPECT_TRUE(carried_out(answers[0]));
    EXPECT_TRUE(refused(answers[1], service_errc::entity_already_exists));
    EXPECT_TRUE(carried_out(answers[2]));
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"a", "b", "first", "leading"}));
}

TEST_F(write_queue, refuses_a_group_as_a_whole_without_the_others) {
    auto const answers =
        behind_another({{insertion("a")}, {insertion("b"), insertion("first"), insertion("c")}, {insertion("b")}});
    EXPECT_TRUE(carried_out(answers[0]));
    EXPECT_TRUE(refused(answers[1], service_errc::entity_already_exists));
    EXPECT_EQ(answers[1].failure->failed_index(), 1u);
    EXPECT_TRUE(carried_out(answers[2]));
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"a", "b", "first", "leading"}));
}

TEST_F(write_queue, lets_one_of_two_equal_inserts_win) {
    auto const answers = behind_another({{insertion("a")}, {insertion("a")}});
    EXPECT_TRUE(carried_out(answers[0]));
    EXPECT_TRUE(refused(answers[1], service_errc::entity_already_exists));
}

TEST_F(write_queue, lets_one_of_two_replaces_under_one_etag_win) {
    auto const etag = people().get("p", "first").etag;
    auto const replace = operation(write_kind::replace, entity("p", "first"), std::string{etag.text()});
    auto const answers = behind_another({{replace}, {replace}});
    EXPECT_TRUE(carried_out(answers[0]));
    EXPECT_TRUE(refused(answers[1], service_errc::update_condition_not_satisfied));
}

TEST_F(write_queue, refuses_bodies_that_are_none_without_the_others) {
    auto bad = insertion("bad");
    bad.body = "{";
    auto const answers = behind_another({{insertion("a")}, {bad}, {insertion("b")}});
    EXPECT_EQ(carried_out_of(answers), 2u);
    EXPECT_TRUE(refused(answers[1], service_errc::invalid_input));
}

// --- calls that end --------------------------------------------------------------------------------------------------

TEST_F(write_queue, withdraws_a_write_at_its_deadline) {
    hold();
    sent_write leading{durable(), {insertion("leading")}};
    wait_until_held();
    call_options soon;
    soon.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds{20};
    auto const o = insertion("late");
    auto const r =
        durable().execute(write_entity{"People", {o.kind, o.partition_key, o.row_key, o.body, o.if_match}}, soon);
    release();
    EXPECT_TRUE(refused(r, library_errc::deadline_exceeded));
    EXPECT_TRUE(carried_out(leading.wait()));
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"first", "leading"}));
}

TEST_F(write_queue, withdraws_a_write_when_it_is_told_to_stop) {
    hold();
    sent_write leading{durable(), {insertion("leading")}};
    wait_until_held();
    std::stop_source stop;
    response r;
    std::thread waiting{[&] {
        auto const o = insertion("late");
        r = durable().execute(write_entity{"People", {o.kind, o.partition_key, o.row_key, o.body, o.if_match}},
                              {.stop = stop.get_token()});
    }};
    stop.request_stop();
    waiting.join();
    release();
    EXPECT_TRUE(refused(r, library_errc::cancelled));
    EXPECT_TRUE(carried_out(leading.wait()));
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"first", "leading"}));
}

// --- failing disks ---------------------------------------------------------------------------------------------------

TEST_F(write_queue, leaves_all_writes_of_a_commit_in_doubt_with_it) {
    fail_later(disk_call::sync, SQLITE_IOERR_FSYNC, 1);
    auto const answers = inserts_behind_another(5);
    for (auto const& r : answers) {
        ASSERT_EQ(r.outcome(), outcome::in_doubt);
        EXPECT_EQ(r.failure->code(), store_errc::io_failed);
    }
    auto const count = rows_after_reopening().size();
    EXPECT_TRUE(count == 2 || count == 7) << count;
}

TEST_F(write_queue, refuses_for_good_what_a_commit_in_doubt_refused) {
    fail_later(disk_call::sync, SQLITE_IOERR_FSYNC, 1);
    auto const answers = behind_another({{insertion("a")}, {insertion("first")}, {insertion("a")}});
    EXPECT_EQ(answers[0].outcome(), outcome::in_doubt);
    EXPECT_TRUE(refused(answers[1], service_errc::entity_already_exists));
    EXPECT_EQ(answers[1].outcome(), outcome::not_applied);
    // The row that it met may be lost with the commit: then it is stored by itself.
    EXPECT_NE(answers[2].outcome(), outcome::in_doubt);
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"a", "first", "leading"}));
}

TEST_F(write_queue, carries_out_writes_one_by_one_after_a_transaction_that_failed_for_certain) {
    fail_later(disk_call::write, SQLITE_FULL, 1);
    EXPECT_EQ(carried_out_of(inserts_behind_another(5)), 5u);
    EXPECT_EQ(syncs(), 6);
    EXPECT_EQ(rows_after_reopening().size(), 7u);
}

TEST_F(write_queue, says_full_of_each_write_on_a_full_disk) {
    fail_later(disk_call::write, SQLITE_FULL, 1000);
    for (auto const& r : inserts_behind_another(5)) {
        EXPECT_TRUE(refused(r, store_errc::full));
        EXPECT_EQ(r.outcome(), outcome::not_applied);
    }
    EXPECT_EQ(rows_after_reopening(), (std::vector<std::string>{"first", "leading"}));
}

/// The disk after a loss of power, and the rows of which the store had said before that they are stored.
struct cut {
    disk_image image;
    std::set<std::string> answered;
};

void expect_answered_rows(cut const& c, std::string const& in) {
    fs::remove_all(in);
    fs::create_directory(in);
    for (auto const& [name, contents] : c.image) std::ofstream{in + "/" + name, std::ios::binary} << contents;
    auto const s = value_or_throw(open_embedded({.path = in + "/store.db"}));
    auto const found = row_keys(table_client{*s, "People"}.all());
    for (auto const& row : c.answered) EXPECT_THAT(found, ::testing::Contains(row));
}

TEST_F(write_queue, answers_no_write_before_it_is_on_the_disk) {
    std::mutex mutex;
    std::set<std::string> answered{"first"};
    std::vector<cut> cuts;
    std::mt19937 random{20261125};
    int calls = 0;
    disk().before = [&](disk_call, std::string const&) {
        if (++calls % 7 != 0) return SQLITE_OK;
        std::scoped_lock const lock{mutex};
        cuts.push_back({disk().after_power_loss(unsynced::lost, random), answered});
        return SQLITE_OK;
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 12; ++i) {
                auto const row = std::to_string(t) + "_" + std::to_string(i);
                EXPECT_TRUE(carried_out(people().insert(entity("p", row))));
                std::scoped_lock const lock{mutex};
                answered.insert(row);
            }
        });
    for (auto& t : threads) t.join();
    EXPECT_GT(cuts.size(), 5u);
    for (auto const& c : cuts) expect_answered_rows(c, folder().file("cut"));
}

}  // namespace
}  // namespace tablemap::test
