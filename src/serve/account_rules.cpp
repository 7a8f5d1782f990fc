// SPDX-License-Identifier: Apache-2.0
#include "serve/account_rules.hpp"

#include "serve/refused.hpp"
#include "tablemap/store/service_response.hpp"

namespace tablemap::inline v0_1::detail::serve {
namespace {

using steady = std::chrono::steady_clock;

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

account_rules::rules account_rules::get() {
    std::lock_guard const lock{mutex_};
    if (steady::now() >= until_) {
        known_ = read();
        until_ = steady::now() + (known_ ? age_of_rules : pause_after_failure);
    }
    // Why there are none may hold paths of files, and whoever sent the request need not have signed it.
    if (!known_) throw refused{503, "ServerBusy", "The CORS rules of the account cannot be read now."};
    return known_;
}

void account_rules::forget() {
    std::lock_guard const lock{mutex_};
    until_ = {};
}

}  // namespace tablemap::detail::serve
