// SPDX-License-Identifier: Apache-2.0
#include "faults/blobs.hpp"
#include "faults/cases.hpp"
#include "faults/queues.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;

/// Remembers of every request whether it is a write.
class recording_store final : public store {
public:
    explicit recording_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        record(r);
        return inner_->execute(r, o);
    }
    void async_execute(request const& r, call_options const& o, receiver& to) override {
        record(r);
        inner_->async_execute(r, o, to);
    }

    std::vector<bool> writes() const {
        std::scoped_lock lock{mutex_};
        return writes_;
    }

private:
    void record(request const& r) {
        std::scoped_lock lock{mutex_};
        writes_.push_back(is_write(r));
    }

    store_ptr inner_;
    mutable std::mutex mutex_;
    std::vector<bool> writes_;
};

/// The faulty store before an embedded one in memory.
class way_through_faulty_store final : public faulty_way {
public:
    way_through_faulty_store() { faults_->set_retry_after(std::chrono::seconds{1}); }

    store_ptr const& clean() const override { return clean_; }
    store_ptr const& faulty() const override { return faulty_; }
    void fail_next(fault f, std::size_t skip) override { faults_->fail_next(f, skip); }
    void stop_failing() override { faults_->stop_failing(); }
    std::size_t faults() const override { return faults_->faults(); }
    std::vector<bool> changes() const override { return recorded_->writes(); }
    tablemap::clock& clock() override { return clock_; }
    std::chrono::nanoseconds waited() override { return clock_.now().time_since_epoch(); }
    std::chrono::nanoseconds patience() const override { return std::chrono::hours{1}; }
    bool time_is_exact() const override { return true; }
    /// A body that ends in its middle is a damage that no retry repairs, but there may be no body.
    bool lets_read_end_either_way(fault f, bool) const override { return f == fault::truncated; }

private:
    store_ptr clean_ = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<tablemap::testing::faulty_store> faults_ =
        std::make_shared<tablemap::testing::faulty_store>(clean_);
    std::shared_ptr<recording_store> recorded_ = std::make_shared<recording_store>(faults_);
    store_ptr faulty_ = recorded_;
    tablemap::testing::fixed_clock clock_;
};

class faults : public ::testing::TestWithParam<operation_under_test> {};

TEST_P(faults, leave_what_the_outcome_says) {
    way_through_faulty_store way;
    report_cases(GetParam().name, try_every_fault(GetParam(), way));
}

TEST_P(faults, in_pairs_leave_what_the_outcome_says) {
    way_through_faulty_store way;
    report_cases(GetParam().name, try_every_pair_of_faults(GetParam(), way));
}

TEST(faults_of_blobs, leave_what_the_outcome_says) {
    way_through_faulty_store way;
    report_cases("blobs", try_every_fault_of_blobs(way));
}

TEST(faults_of_queues, leave_what_the_outcome_says) {
    way_through_faulty_store way;
    report_cases("queues", try_every_fault_of_queues(way));
}

INSTANTIATE_TEST_SUITE_P(embedded, faults, ::testing::ValuesIn(operations()),
                         [](auto const& instance) { return instance.param.name; });

}  // namespace
}  // namespace tablemap::test
