// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Numbers names in their order, so that a row of many properties is read in linear time. Open addressing, reused from
/// row to row without allocating. Borrows the names until `clear`.
class name_index {
public:
    name_index();
    name_index(name_index const&) = delete;
    name_index& operator=(name_index const&) = delete;
    ~name_index();

    void clear() noexcept;

    std::size_t size() const noexcept { return names_.size(); }

    /// The number of a name. A name that is new gets the next number, `size()` before the call.
    std::size_t insert(std::string_view name);

    std::optional<std::size_t> find(std::string_view name) const noexcept;

private:
    struct entry {
        std::string_view name;
        std::size_t slot;
    };

    /// The slot of a name, or the free one for it.
    std::size_t slot_of(std::string_view name) const noexcept;

    void grow();

    std::vector<std::uint32_t> slots_;  ///< a name's number plus one; 0: free. Their count is a power of two
    std::vector<entry> names_;
};

}  // namespace tablemap::detail
