// SPDX-License-Identifier: Apache-2.0
#include <tablemap/embedded/store.hpp>
#include <tablemap/testing/store_contract.hpp>

/// The cases for stores, in a program of a user's.
[[maybe_unused]] bool const registered = tablemap::testing::register_store_contract(
    {.name = "memory", .make = [] { return tablemap::value_or_throw(tablemap::open_embedded({.path = ":memory:"})); }});
