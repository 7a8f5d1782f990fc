// SPDX-License-Identifier: Apache-2.0
#include "command/option_checks.hpp"

#include "patterns/relay_queue.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace tablemap::inline v0_1::command {
namespace {

std::string in_quotes(std::string_view text) { return std::string{"'"}.append(text).append("'"); }

/// The fault of a name; empty: none.
std::string fault_in(std::string const& text, char const* kind, result<void> const& checked) {
    if (checked) return {};
    return in_quotes(text) + " cannot be the name of a " + kind + ": " + checked.error().details().reason;
}

/// The number that is the whole text.
template <class Number> std::optional<Number> number_in(std::string const& text) {
    Number n{};
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    return e == std::errc{} && end == last ? std::optional{n} : std::nullopt;
}

std::string listed(numbered_words const& words, char const* separator) {
    std::string text;
    for (auto const& [word, number] : words) text.append(text.empty() ? "" : separator).append(word);
    return text;
}

}  // namespace

CLI::Validator not_empty() {
    return {[](std::string const& text) {
                return text.empty() ? std::string{"the text is empty; is a variable of the shell not set?"}
                                    : std::string{};
            },
            ""};
}

CLI::Validator property_name() {
    return {[](std::string const& text) {
                return detail::is_system_name(text) ? std::string{}
                                                    : fault_in(text, "property", check_property_name(text));
            },
            ""};
}

CLI::Validator queue_name() {
    return {[](std::string const& text) { return fault_in(text, "queue", detail::check_relay_queue(text)); }, ""};
}

CLI::Validator container_name() {
    return {[](std::string const& text) { return fault_in(text, "container", check_resource_name(text)); }, ""};
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
    auto const first = std::to_string(least), last = std::to_string(most);
    return {[=](std::string& text) -> std::string {
                auto const n = number_in<std::uint64_t>(text);
                if (!n || *n < least || *n > most)
                    return in_quotes(text) + " is no whole number from " + first + " to " + last;
                text = std::to_string(*n);
                return {};
            },
            first + ".." + (most == largest_count ? "" : last)};
}

CLI::Validator rate() {
    return {[](std::string const& text) {
                auto const n = number_in<double>(text);
                bool const good = n && std::isfinite(*n) && *n >= 0;
                return good ? std::string{} : in_quotes(text) + " is no number of 0 or more";
            },
            ""};
}

CLI::Validator one_of_words(numbered_words words) {
    auto form = listed(words, "|");
    return {[words = std::move(words)](std::string& text) -> std::string {
                auto const at = std::ranges::find(words, text, &numbered_words::value_type::first);
                if (at == words.end()) return in_quotes(text) + " is none of " + listed(words, ", ");
                text = std::to_string(at->second);
                return {};
            },
            std::move(form)};
}

}  // namespace tablemap::inline v0_1::command
