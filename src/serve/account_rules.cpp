// SPDX-License-Identifier: Apache-2.0
#include "serve/account_rules.hpp"

#include "tablemap/store/service_response.hpp"

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::chrono::seconds longest_read{2};
constexpr std::chrono::seconds age_of_rules{1};
constexpr std::chrono::seconds pause_after_failure{5};

}  // namespace

account_rules::rules account_rules::read() const {
    auto const r = store_->execute(get_service_properties{}, {.deadline = within(longest_read)});
    if (r.ok())
        return std::make_shared<std::vector<cors_rule> const>(
            r.service->properties.cors.value_or(std::vector<cors_rule>{}));
    bool const has_none = r.failure->code() == library_errc::unsupported;
    return has_none ? std::make_shared<std::vector<cors_rule> const>() : nullptr;
}

bool account_rules::are_fresh() {
    std::lock_guard const lock{mutex_};
    return steady::now() < until_;
}

account_rules::rules account_rules::known() {
    std::lock_guard const lock{mutex_};
    return known_;
}

account_rules::rules account_rules::get() {
    if (are_fresh()) return known();
    std::unique_lock one{reading_, std::try_to_lock};
    if (!one) {
        if (auto old = known()) return old;
        one.lock();
    }
    if (!are_fresh()) read_anew();
    return known();
}

void account_rules::read_anew() {
    auto const changes = [this] {
        std::lock_guard const lock{mutex_};
        return changes_;
    }();
    auto given = read();
    std::lock_guard const lock{mutex_};
    auto const age = given ? age_of_rules : pause_after_failure;
    if (given) known_ = std::move(given);
    if (changes_ == changes) until_ = steady::now() + age;
}

void account_rules::forget() {
    std::lock_guard const lock{mutex_};
    ++changes_;
    until_ = {};
}

}  // namespace tablemap::detail::serve
