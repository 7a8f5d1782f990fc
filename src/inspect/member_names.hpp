// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::inspect {

/// Names of C++ that differ from each other.
class member_names {
public:
    /// `global` names are not those that the system declares in the global namespace.
    explicit member_names(bool global = false) : global_(global) {}

    /// Marks a name as taken.
    void take(std::string name) { taken_.insert(std::move(name)); }

    /// A free name, as similar to `wanted` as C++ allows. It is taken then.
    std::string choose(std::string_view wanted);

    bool is_free(std::string const& name) const;
    bool is_taken(std::string const& name) const { return taken_.contains(name); }

private:
    std::set<std::string, std::less<>> taken_{};
    bool global_;
};

/// The name of a struct for the rows of a table: `order_line` of OrderLines.
std::string name_of_rows(std::string_view table);

}  // namespace tablemap::inspect
