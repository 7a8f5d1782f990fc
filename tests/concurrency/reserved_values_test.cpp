// SPDX-License-Identifier: Apache-2.0
#include "concurrency/fixture.hpp"
#include "support/unique_samples.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <set>

/// Writers that compete for values that are unique over a table: each value gets one owner.
namespace tablemap::test {
namespace {

constexpr int writers = 4, values = 25;

std::string value_number(int i) { return std::to_string(i) + "@x"; }

/// Inserts an account of its own with each of the values, after `begin` has returned. Returns the number of values that
/// it got, a negative one after a failure.
template <class Begin> int compete(account_table const& accounts, int me, Begin const& begin) {
    int won = 0;
    for (int i = 0; i < values; ++i) {
        begin();
        auto const r = accounts.try_insert({.tenant = "writer" + std::to_string(me),
                                            .number = i,
                                            .email = value_number(i),
                                            .login = std::to_string(me) + "_" + std::to_string(i)});
        if (r)
            ++won;
        else if (r.error().code() != library_errc::unique_value_taken) {
            std::cerr << r.error().what() << '\n';
            won = -1 - values;
        }
    }
    return won;
}

/// Every value has one owner, and every entity its reservations.
void expect_one_owner_each(account_table const& accounts) {
    std::multiset<std::string> emails;
    for (auto const& e : accounts.entities().scan()) emails.insert(e.value.email.value());
    EXPECT_EQ(emails.size(), static_cast<std::size_t>(values));
    for (int i = 0; i < values; ++i) {
        EXPECT_EQ(emails.count(value_number(i)), 1U) << i;
        EXPECT_TRUE(accounts.find_by<"email">(value_number(i)).has_value()) << i;
    }
    auto const report = accounts.verify();
    EXPECT_TRUE(report.findings.empty()) << summary_of(report);
}

class reserved_values : public every_store {};
INSTANTIATE_TEST_SUITE_P(, reserved_values, store_kinds, [](auto const& i) { return i.param.name; });

TEST_P(reserved_values, get_one_of_4_threads_each) {
    account_table const accounts{the_store(), "Reserved"};
    accounts.delete_if_exists();
    accounts.create_if_not_exists();
    std::array<int, writers> won{};
    std::barrier all_begin{writers};
    in_threads(writers, [&](int me) {
        won[static_cast<std::size_t>(me)] = compete(accounts, me, [&] { all_begin.arrive_and_wait(); });
    });
    int all = 0;
    for (int const w : won) {
        EXPECT_GE(w, 0);
        all += w;
        std::cout << w << ' ';
    }
    std::cout << "of " << values << " values\n";
    EXPECT_EQ(all, values);
    expect_one_owner_each(accounts);
}

TEST_P(reserved_values, that_are_passed_around_by_4_threads_never_have_two_owners) {
    account_table const accounts{the_store(), "Passed"};
    accounts.delete_if_exists();
    accounts.create_if_not_exists();
    for (int me = 0; me < writers; ++me)
        accounts.insert({.tenant = "writer" + std::to_string(me), .number = 1, .email = value_number(me)});
    std::atomic<int> passed{0};
    in_threads(writers, [&](int me) {
        for (int i = 0; i < 30; ++i) {
            auto const r = accounts.try_modify({"writer" + std::to_string(me), 1}, [&](account& a) {
                a.email = value_number((me + i) % (writers + 1));
                ++a.visits;
            });
            if (r)
                ++passed;
            else
                EXPECT_EQ(r.error().code(), library_errc::unique_value_taken) << r.error().what();
        }
    });
    std::cout << passed << " changes\n";
    std::set<std::string> emails;
    for (auto const& e : accounts.entities().scan()) {
        EXPECT_TRUE(emails.insert(e.value.email.value()).second) << "two have " << *e.value.email;
        EXPECT_EQ(accounts.find_by<"email">(*e.value.email)->value.tenant, e.value.tenant);
    }
    auto const report = accounts.verify();
    EXPECT_TRUE(report.findings.empty()) << summary_of(report);
}

account_table on_file(std::string const& path) {
    return {value_or_throw(open_embedded({.path = path, .synchronous = durability::normal})), "Reserved"};
}

/// Both processes begin when nobody holds the gate open any more.
pid_t start_competitor(std::string const& path, int me, int const (&gate)[2], int result_to) {
    auto const child = fork();
    if (child != 0) return child;
    int won = -1;
    close(gate[1]);
    try {
        auto const accounts = on_file(path);
        char none{};
        if (read(gate[0], &none, 1) == 0) won = compete(accounts, me, [] { std::this_thread::yield(); });
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
    }
    bool const written = write(result_to, &won, sizeof won) == sizeof won;
    _exit(written && won >= 0 ? 0 : 1);
}

TEST(reserved_values_of_processes, get_one_of_2_processes_each) {
    temp_folder const folder;
    auto const path = folder.file("reserved.db");
    on_file(path).create_if_not_exists();
    int ends[2], gate[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(pipe(gate), 0);
    std::array<pid_t, 2> const children{start_competitor(path, 1, gate, ends[1]),
                                        start_competitor(path, 2, gate, ends[1])};
    close(gate[1]);
    int all = 0;
    for (auto const child : children) {
        int status = 0, won = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        ASSERT_EQ(read(ends[0], &won, sizeof won), static_cast<ssize_t>(sizeof won));
        std::cout << won << ' ';
        all += won;
    }
    std::cout << "of " << values << " values\n";
    for (int const end : {ends[0], ends[1], gate[0]}) close(end);
    EXPECT_EQ(all, values);
    expect_one_owner_each(on_file(path));
}

}  // namespace
}  // namespace tablemap::test
