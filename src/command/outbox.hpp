// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <cstddef>
#include <string>

/// The work of relays as far as it needs no types of a program.
namespace tablemap::inline v0_1::command {

struct outbox_options {
    store_options store{};
    std::string table{};
    std::string queue{};    ///< of the outbox; empty: it has none
    bool put_back = false;  ///< make parked effects pending again
};

/// Prints the work that the outbox of a table has left, or makes its parked effects pending again. To apply effects
/// takes the program that has their handlers.
///
/// \return `no` if effects are parked or cannot be read, or stay parked
int outbox_work(outbox_options const& o, console& c);

struct poison_options {
    store_options store{};
    std::string queue{};   ///< of relays; its poison queue is read
    std::size_t top = 32;  ///< at most so many messages, 1 to 32
};

/// Prints the messages of a poison queue as JSON lines, and leaves them there.
///
/// \return `no` if there are any, or neither queue is there
int poison(poison_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command
