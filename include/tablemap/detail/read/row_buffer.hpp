// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/dynamic.hpp"

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The readable rows of a page, as entities whose type the code that merges pages does not know.
class row_buffer {
public:
    row_buffer() = default;
    row_buffer(row_buffer const&) = delete;
    row_buffer& operator=(row_buffer const&) = delete;
    virtual ~row_buffer() = default;

    virtual void clear() noexcept = 0;
    virtual std::size_t size() const noexcept = 0;

    /// Appends the rows of a page, and the rows that cannot be read to `bad`. Returns and errors: as `decode_page`.
    virtual result<std::size_t> decode(std::string& body, std::vector<bad_row_at>& bad,
                                       static_list<row_type const*> types, reading const& how) = 0;

    /// An `entity<T>`, and its value.
    virtual void* entity_at(std::size_t i) noexcept = 0;
    virtual void const* value_at(std::size_t i) const noexcept = 0;
};

/// Rows of T, or of an index of T.
template <class T, bool OfIndex = false> class entity_buffer final : public row_buffer {
public:
    void clear() noexcept override { entities_.clear(); }
    std::size_t size() const noexcept override { return entities_.size(); }

    late_result<T, std::size_t> decode(std::string& body, std::vector<bad_row_at>& bad,
                                       [[maybe_unused]] static_list<row_type const*> types,
                                       reading const& how) override {
        if constexpr (std::is_same_v<T, dynamic_entity>) {
            return decode_page(body, entities_, bad, how.partial, how.cipher, how.bounds);
        } else {
            auto count = decode_page(body, entities_, bad, how.partial, how.cipher, types, how.bounds);
            if constexpr (OfIndex)
                for (auto& e : entities_) e.etag = {};  // that of the index's row
            return count;
        }
    }

    void* entity_at(std::size_t i) noexcept override { return &entities_[i]; }
    void const* value_at(std::size_t i) const noexcept override { return &entities_[i].value; }

private:
    std::vector<entity<T>> entities_{};
};

}  // namespace tablemap::detail
