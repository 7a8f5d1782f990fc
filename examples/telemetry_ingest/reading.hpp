// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/tablemap.hpp>

#include <string>

struct reading {
    std::string device{};
    tablemap::ticks at{};
    double celsius{};
};

template <> struct tablemap::mapping<reading> {
    // Sixteen partitions, so that no single server takes all writes; the device determines the partition.
    static constexpr auto partition_key = key(spread<16>(part<&reading::device>));

    // Sorted by time, within a partition and across all of them. The device is a property too, for filters.
    static constexpr auto row_key = key(part<&reading::at>, "_", part<&reading::device>.also_stored());
};

/// A row that identifies this table, in a partition of its own. The ledger of an ingest names it.
struct table_mark {
    tablemap::guid id{};
};

template <> struct tablemap::mapping<table_mark> {
    static constexpr auto partition_key = key("mark");
    static constexpr auto row_key = key("mark");
};
