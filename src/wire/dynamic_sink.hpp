// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/wire/name_index.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Appends every entity that is read, with the types of its properties from annotations on either side of them. Borrows
/// the names of an entity until the next one begins.
class dynamic_sink final : public entity_sink {
public:
    explicit dynamic_sink(std::vector<stored_entity>& out) : out_(out) { wants_annotations = true; }

    bool begin() override;
    bool take_heading(row_heading const& heading) override;
    bool property(std::string_view name, json_token const& t) override;
    bool annotation(std::string_view name, std::string_view type) override;
    bool end() override { return true; }

private:
    /// The state of a name: the place of its value, and the type that was declared for it.
    struct known_name {
        std::optional<std::size_t> at{};
        std::optional<edm_type> type{};
    };

    known_name& known(std::string_view name);
    bool mismatch(std::string_view name);

    std::vector<stored_entity>& out_;
    name_index names_;
    std::vector<known_name> known_;  ///< by the numbers of the names
    bool has_partition_key_ = false, has_row_key_ = false;
};

}  // namespace tablemap::detail
