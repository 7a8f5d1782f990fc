// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_check.hpp"

#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/table.hpp"

#include "support/temp_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::test {

/// One of the schemas that the tests of the generator compile.
inline inspect::checked_schema golden_schema(std::string const& name) {
    std::ifstream in{TABLEMAP_CODEGEN_CASES "/golden/" + name + ".json", std::ios::binary};
    return {std::string{std::istreambuf_iterator<char>{in}, {}}, name + ".json"};
}

inline inspect::schema_report check_all(inspect::checked_schema const& s, std::string const& entity,
                                        std::vector<dynamic_entity> const& rows) {
    inspect::schema_check check{s, "ATable", {entity}};
    for (auto const& r : rows) check.add(r);
    return check.finish();
}

/// The rows that a store with keys holds, as they are stored: encrypted values are binary.
class stored_rows {
public:
    store_ptr open_with_keys() const {
        auto keys = std::make_shared<key_ring>();
        keys->add_current("k1", bytes(32, std::byte{7}));
        return open(connection_, {.keys = keys});
    }

    template <class T> table<T> make_table() const {
        table<T> t{open_with_keys(), "ATable"};
        t.create_if_not_exists();
        return t;
    }

    std::vector<dynamic_entity> all() const {
        std::vector<dynamic_entity> rows;
        for (auto const& r : as_stored().scan()) rows.push_back(r.value);
        return rows;
    }

    void replace(dynamic_entity const& row) const { as_stored().upsert_replace(row); }

private:
    table<dynamic_entity> as_stored() const { return {open(connection_), "ATable"}; }

    temp_folder folder_{};
    std::string connection_ = "embedded:" + folder_.file("rows.db") + ";synchronous=normal";
};

/// True if a difference of this rule, level and member was found.
inline bool has_drift(inspect::schema_report const& r, std::string_view rule, inspect::drift_level level,
                      std::string_view member) {
    for (auto const& d : r.drifts)
        if (d.rule == rule && d.level == level && d.member == member) return true;
    return false;
}

inline std::string text_of(inspect::schema_report const& r) {
    std::string text;
    for (auto const& d : r.drifts)
        text += (d.level == inspect::drift_level::error ? "error: " : "note: ") + d.entity + "." + d.member + ": " +
                std::string{d.rule} + ": " + d.what + "\n";
    return text;
}

}  // namespace tablemap::test
