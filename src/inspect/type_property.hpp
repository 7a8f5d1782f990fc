// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::inspect {

/// Counts texts while they are few and short.
class text_counts {
public:
    using counts = std::map<std::string, std::uint64_t, std::less<>>;

    void add(std::string const& text);

    /// Empty if there were too many.
    counts const& all() const noexcept { return counts_; }

private:
    counts counts_{};
    bool many_ = false;
};

/// A property with its texts.
struct texts_of_property {
    std::string_view name{};
    text_counts const* texts{};
};

/// A property that tells kinds of rows apart.
struct type_property {
    std::string name{};    ///< empty: there is none
    bool certain = false;  ///< index rows are told by it
};

/// The property that tells kinds of rows apart: one that index rows are told by, else one of the usual names.
type_property find_type_property(std::vector<texts_of_property> const& all);

}  // namespace tablemap::inspect
