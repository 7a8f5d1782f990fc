// SPDX-License-Identifier: Apache-2.0
#include "inspect/type_property.hpp"

#include <algorithm>
#include <array>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_texts = 24;
constexpr std::size_t longest_listed_text = 64;

constexpr std::array<std::string_view, 5> usual_type_properties{"EntityType", "Type", "type", "Kind", "Discriminator"};

}  // namespace

void text_counts::add(std::string const& text) {
    if (many_) return;
    auto const found = counts_.find(text);
    if (found != counts_.end()) {
        ++found->second;
        return;
    }
    many_ = counts_.size() == most_texts || text.size() > longest_listed_text;
    if (many_)
        counts_.clear();
    else
        counts_.emplace(text, 1);
}

type_property find_type_property(std::vector<texts_of_property> const& all) {
    for (auto const& p : all)
        for (auto const& [text, rows] : p.texts->all())
            if (p.texts->all().contains(text + "_index")) return {std::string{p.name}, true};
    for (auto const name : usual_type_properties) {
        auto const found = std::ranges::find(all, name, &texts_of_property::name);
        if (found != all.end() && !found->texts->all().empty()) return {std::string{name}, false};
    }
    return {};
}

}  // namespace tablemap::inspect
