// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/entity.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1 {

/// The page of a look-up that is to be read.
struct page_selection {
    std::string from{};                ///< empty, or `entity_page::next` of the page before
    std::optional<std::size_t> top{};  ///< at most so many entities, 1 to 1,000
};

/// The entities of a page of a look-up. As the cursor of a query, `next` contains keys of rows in readable form, and is
/// not signed.
template <class T> struct entity_page {
    std::vector<entity<T>> entities{};  ///< in the order of the index; a page may have none
    std::optional<std::string> next{};  ///< set while there may be more; may be kept, and used by another process
};

}  // namespace tablemap
