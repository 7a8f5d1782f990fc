// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/patterns/outbox.hpp>
#include <tablemap/tablemap.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
};

/// A row of the archive, which is another table.
struct former_employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    tablemap::ticks left{};
};

/// The effect of a leave. It holds all that the archive needs, since the employee's row is gone when it is applied.
struct archive_employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    tablemap::ticks left{};
};

// The literal tells the rows of employees from those of the outbox, which are in the same partition.
template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = key(part<&employee::department>);
    static constexpr auto row_key = key("empid_", part<&employee::id>.width(6));
};

template <> struct tablemap::mapping<former_employee> {
    static constexpr auto partition_key = key(part<&former_employee::department>);
    static constexpr auto row_key = key("empid_", part<&former_employee::id>.width(6));
};

using archive_outbox = tablemap::outbox<employee, archive_employee>;
