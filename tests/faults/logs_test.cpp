// SPDX-License-Identifier: Apache-2.0
#include "support/azurite.hpp"
#include "support/hasty_clock.hpp"
#include "support/log_samples.hpp"
#include "support/mortal_store.hpp"

#include "tablemap/open.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

/// Writers of logs that end at any request, by a crash; whose responses are lost, or whose requests are carried out
/// late; and others that write to the same log between any two. Every line that was acknowledged is there once, and the
/// lines of each writer are in order.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using lines = std::vector<std::string>;

/// A writer that tells which of its lines were acknowledged. Its files take two appends, and it writes in two hours.
class journalist {
public:
    journalist(store_ptr s, std::string container, std::string who)
        : who_(std::move(who)),
          writer_(std::move(s), std::move(container), requests_log(), on_july_31(18, {.file_appends = 2})) {}

    /// Flushes up to so many times if that fails.
    bool write_all(int flushes, call_options const& o) {
        for (int hour = 17; hour <= 18; ++hour)
            for (int i = 0; i < 3; ++i) {
                for (int k = 0; k < 2; ++k) write(july_31(hour), o);
                if (!flush(flushes, o)) return false;
            }
        return writer_.try_close(o).has_value();
    }
    bool flush(int times, call_options const& o) {
        for (; times > 0; --times)
            if (writer_.try_flush(o)) {
                acknowledged = written.size();
                return true;
            }
        return false;
    }

    lines written{};
    std::size_t acknowledged = 0;

private:
    void write(ticks at, call_options const& o) {
        written.push_back(who_ + std::to_string(written.size()));
        writer_.write_at(at, written.back(), o);
    }

    std::string who_;
    log_writer writer_;
};

enum class late { never, at_once, at_last };

class log_faults : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (GetParam() == "azurite" && !azurite::program())
            GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        clean =
            open(GetParam() == "azurite" ? azurite::shared().connection_string() : std::string{"embedded::memory:"});
        points = 0;
    }
    void TearDown() override { std::cout << GetParam() << ": " << points << " points\n"; }

    /// A container that no other case has.
    static std::string next_container() {
        static int count = 0;
        return "logs-" + std::to_string(++count);
    }

    /// A container that others write to has two files of each hour.
    std::string next_container(bool of_others) const {
        auto const container = next_container();
        if (of_others) {
            EXPECT_TRUE((journalist{clean, container, "c"}.write_all(1, {})));
        }
        return container;
    }

    std::size_t requests_of_a_writer(bool among_others) {
        auto const container = next_container(among_others);
        auto const counted = std::make_shared<faulty_store>(clean);
        journalist alone{counted, container, "a"};
        EXPECT_TRUE(alone.write_all(1, {}));
        EXPECT_EQ(lines_of("a", container), alone.written);
        blob_container{clean, container}.delete_if_exists();
        return counted->requests();
    }

    using disturbance = std::function<void(std::string const& container, std::size_t k)>;

    void at_each_request(disturbance const& disturbed) {
        EXPECT_EQ(requests_of_a_writer(false), 12U) << "a container, its refusal, four files, six appends";
        EXPECT_EQ(requests_of_a_writer(true), 14U) << "two conflicts, two lists, four files, six appends";
        for (std::size_t k = 0; k < 12 && !HasFailure(); ++k) disturb(false, k, disturbed);
        for (std::size_t k = 0; k < 14 && !HasFailure(); ++k) disturb(true, k, disturbed);
    }
    void disturb(bool among_others, std::size_t k, disturbance const& disturbed) {
        SCOPED_TRACE((among_others ? "among others, request " : "request ") + std::to_string(k));
        auto const container = next_container(among_others);
        disturbed(container, k);
        blob_container{clean, container}.delete_if_exists();
        ++points;
    }

    /// The lines of one writer.
    lines lines_of(std::string const& who, std::string const& container) const {
        lines all;
        log_reader const reader{clean, container, requests_log()};
        for (auto const& line : texts_of(reader.lines(period<>{})))
            if (line.starts_with(who)) all.push_back(line);
        return all;
    }

    /// All that was acknowledged is there, and what else is there is what follows it.
    void expect_acknowledged(journalist const& j, lines const& there) const {
        EXPECT_GE(there.size(), j.acknowledged);
        ASSERT_LE(there.size(), j.written.size());
        EXPECT_EQ(there, lines(j.written.begin(), j.written.begin() + static_cast<std::ptrdiff_t>(there.size())));
    }

    void lose(std::string const& container, std::size_t k, fault met, late when, call_options const& o) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        faulty->set_overtaking(when == late::at_once ? 1 : 1'000'000);
        faulty->fail_next(met, k);
        journalist j{faulty, container, "a"};
        EXPECT_TRUE(j.write_all(4, o));
        EXPECT_EQ(lines_of("a", container), j.written);
        if (when == late::never) return;
        faulty->carry_out_overtaken();
        EXPECT_EQ(lines_of("a", container), j.written);
    }

    static inline std::size_t points = 0;
    store_ptr clean;
};

TEST_P(log_faults, killed_before_or_after_a_request) {
    for (bool const carries_out : {false, true})
        at_each_request([&](std::string const& container, std::size_t k) {
            journalist victim{std::make_shared<mortal_store>(clean, k, carries_out), container, "a"};
            EXPECT_THROW(victim.write_all(1, {}), killed);
            expect_acknowledged(victim, lines_of("a", container));
            journalist next{clean, container, "b"};
            EXPECT_TRUE(next.write_all(1, {}));
            expect_acknowledged(victim, lines_of("a", container));
            EXPECT_EQ(lines_of("b", container), next.written);
        });
}

TEST_P(log_faults, lost_responses) {
    for (auto const met : {fault::lost_before, fault::lost_after, fault::busy, fault::reset, fault::truncated})
        at_each_request([&](std::string const& container, std::size_t k) {
            lose(container, k, met, late::never, {.retry = retry_policy::none()});
        });
}

TEST_P(log_faults, lost_responses_that_the_policy_tries_again) {
    hasty_clock clock;
    for (auto const met : {fault::lost_before, fault::lost_after, fault::busy})
        at_each_request([&](std::string const& container, std::size_t k) {
            lose(container, k, met, late::never, {.retry = retry_policy::exponential(3), .clock = &clock});
        });
}

TEST_P(log_faults, requests_that_are_carried_out_late) {
    hasty_clock clock;
    for (auto const when : {late::at_once, late::at_last})
        for (auto const& policy : {retry_policy::none(), retry_policy::exponential(3)})
            at_each_request([&](std::string const& container, std::size_t k) {
                lose(container, k, fault::overtaken, when, {.retry = policy, .clock = &clock});
            });
}

/// The response to the append and to the look after it are lost.
TEST_P(log_faults, several_lost_responses_in_a_row) {
    for (std::size_t const length : {2U, 3U, 5U})
        for (auto const first : {fault::lost_before, fault::lost_after, fault::overtaken})
            at_each_request([&](std::string const& container, std::size_t k) {
                auto const faulty = std::make_shared<faulty_store>(clean);
                faulty->set_overtaking(1'000'000);
                faulty->fail_next(first, k);
                for (std::size_t i = 1; i < length; ++i) faulty->fail_next(fault::lost_after, k + i);
                journalist j{faulty, container, "a"};
                EXPECT_TRUE(j.write_all(6, {.retry = retry_policy::none()}));
                faulty->carry_out_overtaken();
                EXPECT_EQ(lines_of("a", container), j.written);
            });
}

TEST_P(log_faults, another_writer_between_any_two_requests) {
    at_each_request([&](std::string const& container, std::size_t k) {
        auto const faulty = std::make_shared<faulty_store>(clean);
        journalist other{clean, container, "b"};
        faulty->act_before([&](store&) { EXPECT_TRUE(other.write_all(1, {})); }, k);
        journalist j{faulty, container, "a"};
        EXPECT_TRUE(j.write_all(1, {}));
        EXPECT_EQ(lines_of("a", container), j.written);
        EXPECT_EQ(lines_of("b", container), other.written);
    });
}

TEST_P(log_faults, many_at_random) {
    hasty_clock clock;
    std::size_t const runs = GetParam() == "azurite" ? 10 : 300;
    for (std::size_t seed = 1; seed <= runs && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        auto const container = next_container();
        auto const faulty = std::make_shared<faulty_store>(clean);
        faulty->set_overtaking(seed % 4);
        faulty->fail_randomly(0.3, seed, {fault::busy, fault::lost_before, fault::lost_after, fault::overtaken});
        journalist j{faulty, container, "a"};
        bool const closed = j.write_all(40, {.retry = retry_policy::exponential(2), .clock = &clock});
        faulty->stop_failing();
        EXPECT_TRUE(closed || j.flush(1, {}));
        faulty->carry_out_overtaken();
        EXPECT_EQ(lines_of("a", container), j.written);
        blob_container{clean, container}.delete_if_exists();
        ++points;
    }
}

INSTANTIATE_TEST_SUITE_P(, log_faults, ::testing::Values("embedded", "azurite"),
                         [](auto const& instance) { return instance.param; });

}  // namespace
}  // namespace tablemap::test
