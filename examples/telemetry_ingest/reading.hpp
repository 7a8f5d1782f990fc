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
    // Sixteen partitions, so that no one server takes all writes; the device tells which.
    static constexpr auto partition_key = key(spread<16>(part<&reading::device>));

    // By time, within a partition and over all of them. A query may ask for one device, so it is a property too.
    static constexpr auto row_key = key(part<&reading::at>, "_", part<&reading::device>.also_stored());
};

/// A row that tells this table from all others, in a partition of its own: the ledger of an ingest names it.
struct table_mark {
    tablemap::guid id{};
};

template <> struct tablemap::mapping<table_mark> {
    static constexpr auto partition_key = key("mark");
    static constexpr auto row_key = key("mark");
};
