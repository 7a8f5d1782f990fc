// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/wire/reader.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::detail {

/// Appends every entity that is read, with the types of its properties from annotations on either side of them.
class dynamic_sink final : public entity_sink {
public:
    explicit dynamic_sink(std::vector<stored_entity>& out) : out_(out) { wants_annotations = true; }

    bool begin() override;
    bool property(std::string_view name, token const& t) override;
    bool annotation(std::string_view name, std::string_view type) override;
    bool end() override { return true; }

private:
    struct declaration {
        std::string name;
        edm_type type;
    };

    std::optional<edm_type> declared_type(std::string_view name) const;
    bool mismatch(std::string_view name);

    std::vector<stored_entity>& out_;
    std::vector<declaration> types_;
    bool has_partition_key_ = false, has_row_key_ = false;
};

}  // namespace tablemap::detail
