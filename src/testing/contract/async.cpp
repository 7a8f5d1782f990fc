// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace tablemap::inline v0_1::testing::contract {
namespace {

/// Takes many responses, and counts them.
class counting_receiver final : public receiver {
public:
    void complete(response&& answer) noexcept override {
        std::scoped_lock const lock{mutex_};
        ++answers_;
        if (answer.ok()) ++successes_;
        came_.notify_one();
    }

    /// False if that many did not come in a minute.
    bool wait_for(int answers) {
        std::unique_lock lock{mutex_};
        return came_.wait_for(lock, std::chrono::minutes{1}, [&] { return answers_ >= answers; });
    }

    int answers() const {
        std::scoped_lock const lock{mutex_};
        return answers_;
    }
    int successes() const {
        std::scoped_lock const lock{mutex_};
        return successes_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable came_;
    int answers_ = 0;
    int successes_ = 0;
};

/// Asks for the same entity again from within the response, some times.
class asking_again final : public receiver {
public:
    asking_again(store& s, request const& r, int times) : store_(s), request_(r), left_(times) {}

    void complete(response&& answer) noexcept override {
        if (answer.ok()) ++found_;
        if (--left_ > 0) return store_.async_execute(request_, options_, *this);
        done_.complete(std::move(answer));
    }

    void begin() { store_.async_execute(request_, options_, *this); }
    bool wait() { return done_.wait_for(1); }
    int found() const noexcept { return found_; }

private:
    store& store_;
    request const& request_;
    call_options options_{};
    int left_;
    std::atomic<int> found_{0};
    counting_receiver done_{};
};

class seam_async : public seam {};
TABLEMAP_CONTRACT_SUITE(seam_async);

TEST_P(seam_async, many_requests_at_once_are_answered_once_each) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r"))));
    request const r = get_entity{table().table(), "p", "r"};
    call_options const options;
    counting_receiver to;
    for (int i = 0; i < 50; ++i) the_store().async_execute(r, options, to);
    ASSERT_TRUE(to.wait_for(50));
    std::this_thread::sleep_for(std::chrono::milliseconds{20});  // for a response that comes twice
    EXPECT_EQ(to.answers(), 50);
    EXPECT_EQ(to.successes(), 50);
}

TEST_P(seam_async, a_receiver_may_send_the_next_request) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r"))));
    request const r = get_entity{table().table(), "p", "r"};
    asking_again to{the_store(), r, 20};
    to.begin();
    ASSERT_TRUE(to.wait());
    EXPECT_EQ(to.found(), 20);
}

TEST_P(seam_async, a_refusal_is_answered_and_not_thrown) {
    request const r = get_entity{"no table", "p", "r"};
    call_options const options;
    counting_receiver to;
    EXPECT_NO_THROW(the_store().async_execute(r, options, to));
    ASSERT_TRUE(to.wait_for(1));
    EXPECT_EQ(to.successes(), 0);
}

}  // namespace

void link_async() {}

}  // namespace tablemap::testing::contract
