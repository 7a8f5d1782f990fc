// SPDX-License-Identifier: Apache-2.0
#include "faults/fault_case.hpp"

#include "support/operations.hpp"

#include <random>

namespace tablemap::test {
namespace {

std::vector<retry_policy> policies() {
    auto const once = retry_policy::none();
    auto const thrice = exact_retry(3);
    auto repeating = thrice;
    repeating.repeat_in_doubt = true;
    return {once, thrice, repeating};
}

}  // namespace

std::vector<fault_case> every_fault_case(bool pairs) {
    std::vector<fault_case> all;
    for (auto const& policy : policies())
        for (auto const first : every_fault) {
            all.push_back({policy, first, {}});
            if (!pairs || policy.attempts == 1) continue;
            for (auto const second : every_fault) all.push_back({policy, first, second});
        }
    return all;
}

std::string described(std::string const& operation, fault_case const& f) {
    return operation + ", faults " + std::to_string(static_cast<int>(f.first)) +
           (f.second ? " and " + std::to_string(static_cast<int>(*f.second)) : "") + ", attempts " +
           std::to_string(f.policy.attempts) + (f.policy.repeat_in_doubt ? ", repeating" : "");
}

std::string name_of_this_case() {
    static auto const run = std::random_device{}();
    static int count = 0;
    return "faults-" + std::to_string(run) + "-" + std::to_string(++count);
}

}  // namespace tablemap::test
