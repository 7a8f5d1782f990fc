// SPDX-License-Identifier: Apache-2.0
#include "inspect/member_names.hpp"

#include "base/ascii.hpp"
#include "codegen/check.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::size_t longest_name = 100;

bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool is_name_character(char c) noexcept { return detail::is_letter_or_digit(c) || c == '_'; }

/// The text without what no name in C++ has.
std::string cleaned(std::string_view text) {
    std::string name;
    for (char const c : text.substr(0, longest_name)) {
        char const next = is_name_character(c) ? c : '_';
        bool const doubled = next == '_' && (name.empty() || name.back() == '_');
        if (!doubled) name += next;
    }
    while (name.ends_with('_')) name.pop_back();
    if (name.empty()) return "member";
    return detail::is_digit(name.front()) ? "n" + name : name;
}

bool is_name(std::string const& text, bool global) {
    codegen::fault_list faults;
    codegen::check_identifier({text, {}}, "a member", faults);
    if (global) codegen::check_global({text, {}}, faults);
    return faults.empty();
}

}  // namespace

bool member_names::is_free(std::string const& name) const { return !taken_.contains(name) && is_name(name, global_); }

std::string member_names::choose(std::string_view wanted) {
    std::string name{wanted};
    if (!is_free(name)) name = cleaned(wanted);
    for (int n = 1; !is_free(name); ++n) name = cleaned(wanted) + "_" + (n == 1 ? std::string{} : std::to_string(n));
    take(name);
    return name;
}

std::string name_of_rows(std::string_view table) {
    std::string name;
    for (std::size_t i = 0; i < table.size(); ++i) {
        bool const begins_word = is_upper(table[i]) && i > 0 && !is_upper(table[i - 1]);
        if (begins_word) name += '_';
        name += is_upper(table[i]) ? static_cast<char>(table[i] - 'A' + 'a') : table[i];
    }
    if (name.ends_with("ies") && name.size() > 4) return name.substr(0, name.size() - 3) + "y";
    bool const plural = name.ends_with('s') && !name.ends_with("ss") && name.size() > 3;
    return plural ? name.substr(0, name.size() - 1) : name;
}

}  // namespace tablemap::inspect
