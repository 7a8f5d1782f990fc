// SPDX-License-Identifier: Apache-2.0
#include "faults/blobs.hpp"
#include "faults/cases.hpp"
#include "faults/queues.hpp"

#include "support/azurite.hpp"
#include "support/fault_proxy.hpp"
#include "support/hasty_clock.hpp"
#include "support/recording.hpp"

#include "tablemap/open.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>
#include <tuple>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;

/// A proxy before one service of the emulator, which only the faulty way goes through.
class way_through_proxy final : public faulty_way {
public:
    explicit way_through_proxy(std::string const& transport,
                               std::uint16_t azurite_ports::*service = &azurite_ports::tables)
        : proxy_(azurite::shared().ports().*service),
          clean_(open_recorded(azurite::shared().connection_string(), {.transport = {.name = transport}})),
          faulty_(
              open_recorded(azurite::connection_string_to(with_proxy(service)), {.transport = {.name = transport}})) {}

    store_ptr const& clean() const override { return clean_; }
    store_ptr const& faulty() const override { return faulty_; }
    void fail_next(fault f, std::size_t skip) override { proxy_.fail_next(f, skip); }
    void stop_failing() override { proxy_.stop_failing(); }
    std::size_t faults() const override { return proxy_.faults(); }
    std::vector<bool> changes() const override {
        std::vector<bool> all;
        for (auto const& method : proxy_.methods()) all.push_back(method != "GET");
        return all;
    }
    tablemap::clock& clock() override { return clock_; }
    std::chrono::nanoseconds waited() override { return clock_.waited(); }
    std::chrono::nanoseconds patience() const override { return std::chrono::milliseconds{70}; }
    bool time_is_exact() const override { return false; }
    /// The transport asks again by itself if a connection ends that it had kept open.
    bool lets_read_end_either_way(fault f, bool retries) const override {
        return !retries && (f == fault::lost_before || f == fault::lost_after || f == fault::reset);
    }

private:
    azurite_ports with_proxy(std::uint16_t azurite_ports::*service) const {
        auto ports = azurite::shared().ports();
        ports.*service = proxy_.port();
        return ports;
    }

    fault_proxy proxy_;
    store_ptr clean_;
    store_ptr faulty_;
    hasty_clock clock_;
};

class faults : public ::testing::TestWithParam<std::tuple<operation_under_test, std::string_view>> {
protected:
    static void TearDownTestSuite() { std::cout << "all operations: " << all_cases_ << " cases\n"; }

    static inline std::size_t all_cases_ = 0;
};

TEST_P(faults, leave_what_the_outcome_says) {
    if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
    auto const& [operation, transport] = GetParam();
    way_through_proxy way{std::string{transport}};
    auto const cases = try_every_fault(operation, way);
    report_cases(operation.name, cases);
    all_cases_ += cases;
}

class faults_of_blobs : public ::testing::TestWithParam<std::string_view> {};

TEST_P(faults_of_blobs, leave_what_the_outcome_says) {
    if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
    way_through_proxy way{std::string{GetParam()}, &azurite_ports::blobs};
    report_cases("blobs", try_every_fault_of_blobs(way));
}

INSTANTIATE_TEST_SUITE_P(azurite, faults_of_blobs, ::testing::ValuesIn(transport_names()),
                         [](auto const& instance) { return "blobs_over_" + std::string{instance.param}; });

class faults_of_queues : public ::testing::TestWithParam<std::string_view> {};

TEST_P(faults_of_queues, leave_what_the_outcome_says) {
    if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
    way_through_proxy way{std::string{GetParam()}, &azurite_ports::queues};
    report_cases("queues", try_every_fault_of_queues(way));
}

INSTANTIATE_TEST_SUITE_P(azurite, faults_of_queues, ::testing::ValuesIn(transport_names()),
                         [](auto const& instance) { return "queues_over_" + std::string{instance.param}; });

INSTANTIATE_TEST_SUITE_P(azurite, faults,
                         ::testing::Combine(::testing::ValuesIn(operations()), ::testing::ValuesIn(transport_names())),
                         [](auto const& instance) {
                             return std::get<0>(instance.param).name + "_over_" +
                                    std::string{std::get<1>(instance.param)};
                         });

}  // namespace
}  // namespace tablemap::test
