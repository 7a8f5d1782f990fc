// SPDX-License-Identifier: Apache-2.0
//
// Two relays in processes of their own, which are killed at random and started again. The program is its own child:
// `relays relay CONNECTION-STRING` works until it is killed.

#include "concurrency/bookings.hpp"
#include "support/azurite.hpp"
#include "support/child_process.hpp"
#include "support/random.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/queue/queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// A place for a store that several processes open; and the changes of a run that is to take some seconds.
struct shared_place {
    std::string name;
    int changes;

    bool is_file() const { return name == "embedded_file"; }
    std::string connection(temp_folder const& folder) const {
        if (is_file()) return "embedded:" + folder.file("bookings.db") + ";synchronous=normal";
        return azurite::shared().connection_string();
    }

    friend void PrintTo(shared_place const& p, std::ostream* out) { *out << p.name; }
};

/// TABLEMAP_TEST_CHANGES makes a run longer.
int count_of_changes(shared_place const& p) {
    auto const* given = std::getenv("TABLEMAP_TEST_CHANGES");
    return given ? std::atoi(given) : p.changes;
}

/// Commits changes of random accounts, up to six of them in one transaction, and remembers the effects.
class bookkeeper {
public:
    bookkeeper(bookings const& b, std::uint64_t seed, int changes) : bookings_(b), engine_(seed), left_(changes) {}

    void commit_all() {
        while (left_ > 0) commit_some();
    }

    std::vector<journal_entry> const& journal() const noexcept { return journal_; }
    std::map<std::pair<std::string, std::int32_t>, std::int64_t> const& versions() const noexcept { return versions_; }

private:
    static constexpr int branches = 16, accounts = 10;

    int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }

    void commit_some() {
        auto const branch = "branch" + std::to_string(below(branches));
        auto const first = below(accounts), count = std::min(1 + below(6), left_);
        auto what = bookings_.accounts.transaction();
        std::vector<caused_effect<note_booking>> effects;
        for (int i = 0; i < count; ++i) {
            auto const e = next_of(branch, (first + i) % accounts);
            effects.push_back(caused_by(what.upsert_replace(account{e.branch, e.account, e.version}),
                                        note_booking{e.number, e.branch, e.account, e.version}));
        }
        auto const done = bookings_.box.commit(what, effects);
        if (done.not_queued) throw error{*done.not_queued};
        left_ -= count;
    }

    journal_entry const& next_of(std::string const& branch, std::int32_t id) {
        auto const version = ++versions_[{branch, id}];
        auto const number = static_cast<std::int64_t>(journal_.size()) + 1;
        return journal_.emplace_back(journal_entry{number, branch, id, version});
    }

    bookings const& bookings_;
    std::mt19937_64 engine_;
    int left_;
    std::vector<journal_entry> journal_{};
    std::map<std::pair<std::string, std::int32_t>, std::int64_t> versions_{};
};

/// Two relays. Who destroys a child kills it.
class relay_pair {
public:
    explicit relay_pair(std::string connection) : connection_(std::move(connection)) {
        for (auto& r : relays_) r = start();
    }

    void kill_one(std::size_t which) {
        relays_[which].reset();
        relays_[which] = start();
        ++kills_;
    }

    int kills() const noexcept { return kills_; }

    /// The faults that they met, as far as they did not end with the killed.
    std::string output() {
        std::string all;
        for (auto& r : relays_) {
            r->wait_for_line("a line that nobody writes", 100ms);
            all += r->output();
        }
        return all;
    }

private:
    std::unique_ptr<child_process> start() const {
        return std::make_unique<child_process>(std::vector<std::string>{"/proc/self/exe", "relay", connection_});
    }

    std::string connection_;
    std::array<std::unique_ptr<child_process>, 2> relays_;
    int kills_ = 0;
};

class killed_relays : public ::testing::TestWithParam<shared_place> {
protected:
    void SetUp() override {
        if (!GetParam().is_file() && !azurite::program())
            GTEST_SKIP() << "azurite needs the storage emulator: scripts/setup test installs it";
        connection_ = GetParam().connection(folder_);
        store_ = open_recorded(connection_);
        all_.emplace(store_);
        queue_.emplace(store_, "bookings");
        all_->accounts.create();
        all_->journal.create();
        all_->statements.create();
        queue_->create();
    }

    /// Returns whether all was done in time.
    bool kill_until_done(relay_pair& relays, std::future<void> const& committing, steady_clock::time_point deadline) {
        while (steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds{100 + random_.below(700)});
            if (committing.wait_for(0s) == std::future_status::ready && is_done()) return true;
            relays.kill_one(random_.below(2));
        }
        return false;
    }

    bool is_done() const { return all_->box.status().partitions == 0; }

    std::string what_is_left() const {
        auto const s = all_->box.status();
        return std::to_string(s.pending) + " effects pending and " + std::to_string(s.parked) + " parked in " +
               std::to_string(s.partitions) + " partitions, " + std::to_string(queue_->approximate_count()) +
               " messages";
    }

    void expect_nothing_left() const {
        auto const s = all_->box.status();
        EXPECT_EQ(s.pending, 0);
        EXPECT_EQ(s.parked, 0);
        EXPECT_EQ(s.lag, 0ns);
        EXPECT_EQ(all_->relay_of_this().sweep().passes, 0U);
        EXPECT_FALSE(queue(store_, "bookings-poison").exists());
    }

    void expect_journal(std::vector<journal_entry> const& committed) const {
        std::vector<journal_entry> found;
        for (auto const& e : all_->journal.query(partition())) found.push_back(e.value);
        std::ranges::sort(found);
        EXPECT_EQ(found.size(), committed.size());
        EXPECT_TRUE(found == committed) << "an entry is missing, or is another one";
    }

    /// Returns the number of effects that came once more.
    std::int64_t expect_statements(bookkeeper const& keeper) const {
        std::int64_t repeated = 0;
        for (auto const& [account, version] : keeper.versions()) {
            auto const found = all_->statements.find(account.first, account.second);
            if (!found) ADD_FAILURE() << "no effect of " << account.first << " " << account.second;
            if (!found) continue;
            EXPECT_EQ(found->value.version, version);
            EXPECT_EQ(found->value.out_of_order, 0);
            repeated += found->value.repeated;
        }
        return repeated;
    }

    temp_folder folder_;
    random_source random_;
    std::string connection_;
    store_ptr store_;
    std::optional<bookings> all_;
    std::optional<queue> queue_;
};

INSTANTIATE_TEST_SUITE_P(, killed_relays,
                         ::testing::Values(shared_place{"embedded_file", 2'000}, shared_place{"azurite", 400}),
                         [](auto const& i) { return i.param.name; });

TEST_P(killed_relays, apply_every_effect_once_and_in_order) {
    auto const changes = count_of_changes(GetParam());
    bookkeeper keeper{*all_, random_.word(), changes};
    auto const began = steady_clock::now();
    relay_pair relays{connection_};
    auto committing = std::async(std::launch::async, [&] { keeper.commit_all(); });
    auto const deadline = began + 120s + changes * 60ms;
    bool const done = kill_until_done(relays, committing, deadline);
    committing.get();
    ASSERT_TRUE(done) << what_is_left() << '\n' << relays.output();

    std::chrono::duration<double> const took = steady_clock::now() - began;
    expect_nothing_left();
    expect_journal(keeper.journal());
    auto const repeated = expect_statements(keeper);
    EXPECT_LE(repeated, relays.kills());
    std::cout << GetParam().name << ": " << changes << " changes, " << relays.kills() << " kills, " << repeated
              << " effects applied once more, " << took.count() << " s\n";
}

/// Writes the faults that a relay goes on after.
class fault_printer final : public observer {
public:
    void outbox_pass_done(outbox_event const& e) override {
        if (e.error) std::cerr << e.message << std::endl;
    }
};

int work_until_killed(char const* connection) {
    // With a designated initialiser g++ 12 takes other members for uninitialised when it optimises.
    open_options printing;
    printing.observer = std::make_shared<fault_printer>();
    bookings const all{open_recorded(connection, printing)};
    all.relay_of_this().run({});
    return 1;
}

}  // namespace
}  // namespace tablemap::test

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view{argv[1]} == "relay") return tablemap::test::work_until_killed(argv[2]);
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
