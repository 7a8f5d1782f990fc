// SPDX-License-Identifier: Apache-2.0
#include "inspect/drift_list.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t most_of_a_level = 200;
constexpr std::size_t longest_kept_text = 2048;  ///< no name and no key of the service is longer

/// Texts that no table of the service can hold do not take memory.
void shorten_text(std::string& text) {
    if (text.size() > longest_kept_text) text = "(a text of " + std::to_string(text.size()) + " bytes)";
}

}  // namespace

drift_list::entry* drift_list::find_or_add(drift d) {
    shorten_text(d.member);
    name key{d.level, d.entity, d.member, d.rule, d.what};
    if (auto const found = all_.find(key); found != all_.end()) return &found->second;
    auto& count = counts_[static_cast<std::size_t>(d.level)];
    if (count == most_of_a_level) {
        ++left_out_;
        return nullptr;
    }
    ++count;
    return &all_.emplace(std::move(key), entry{std::move(d)}).first->second;
}

void drift_list::add(drift d, dynamic_entity const& row) {
    auto* const found = find_or_add(std::move(d));
    if (!found || found->last_row == row_) return;
    found->last_row = row_;
    auto& kept = found->what;
    if (kept.rows++ > 0) return;
    kept.partition_key = row.partition_key, kept.row_key = row.row_key;
    shorten_text(kept.partition_key), shorten_text(kept.row_key);
}

void drift_list::add(drift d) { find_or_add(std::move(d)); }

std::vector<drift> drift_list::take() && {
    std::vector<drift> sorted;
    for (auto& [key, e] : all_) sorted.push_back(std::move(e.what));
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &drift::level);
    return sorted;
}

}  // namespace tablemap::inspect
