// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

/// Every store of this project runs the cases that are shipped for users' stores.
namespace tablemap::test {
namespace {

[[maybe_unused]] bool const registered = [] {
    for (auto const& s : stores_to_register()) testing::register_store_contract(s);
    return true;
}();

}  // namespace
}  // namespace tablemap::test
