// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/faulty_store.hpp"

#include <utility>

namespace tablemap::testing {
namespace {

response lost(request const& r) {
    return response::failed(error{library_errc::answer_lost,
                                  {.reason = "a fault that a test asked for",
                                   .outcome = is_write(r) ? outcome::in_doubt : outcome::not_applied}});
}

}  // namespace

void faulty_store::fail_next(fault f, std::size_t skip) {
    std::scoped_lock lock{mutex_};
    planned_[requests_ + skip] = f;
}

void faulty_store::fail_randomly(double probability, std::uint64_t seed, std::vector<fault> kinds) {
    std::scoped_lock lock{mutex_};
    probability_ = kinds.empty() ? 0 : probability;
    random_faults_ = std::move(kinds);
    random_.seed(seed);
}

void faulty_store::shorten_pages(std::uint64_t seed) {
    std::scoped_lock lock{mutex_};
    page_sizes_.emplace(seed);
}

void faulty_store::set_retry_after(std::optional<std::chrono::milliseconds> wait) {
    std::scoped_lock lock{mutex_};
    retry_after_ = wait;
}

std::optional<fault> faulty_store::next_fault() {
    auto const planned = planned_.find(requests_++);
    std::optional<fault> due;
    if (planned != planned_.end()) {
        due = planned->second;
        planned_.erase(planned);
    } else if (probability_ > 0 && std::bernoulli_distribution{probability_}(random_)) {
        due = random_faults_[random_() % random_faults_.size()];
    }
    if (due) ++faults_;
    return due;
}

std::optional<std::size_t> faulty_store::next_page_size(query_page const& q) {
    if (!page_sizes_) return q.top;
    return 1 + (*page_sizes_)() % q.top.value_or(inner_->can().page_entities);
}

response faulty_store::execute(request const& r, call_options const& options) {
    std::optional<fault> due;
    std::optional<std::chrono::milliseconds> retry_after;
    request passed_on = r;
    {
        std::scoped_lock lock{mutex_};
        due = next_fault();
        retry_after = retry_after_;
        if (auto* q = std::get_if<query_page>(&passed_on)) q->top = next_page_size(*q);
    }
    if (due == fault::busy) {
        auto answer = response::failed(error{service_errc::server_busy});
        answer.retry_after = retry_after;
        return answer;
    }
    if (due == fault::lost_before) return lost(r);
    auto answer = inner_->execute(passed_on, options);
    return due == fault::lost_after ? lost(r) : answer;
}

std::size_t faulty_store::requests() const {
    std::scoped_lock lock{mutex_};
    return requests_;
}

std::size_t faulty_store::faults() const {
    std::scoped_lock lock{mutex_};
    return faults_;
}

}  // namespace tablemap::testing
