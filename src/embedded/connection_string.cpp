// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::string_view scheme = "embedded:";

failure bad(std::string reason) { return fail(library_errc::invalid_connection_string, {.reason = std::move(reason)}); }

std::optional<std::int64_t> number(std::string_view text, std::int64_t least) {
    std::int64_t n = 0;
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, n);
    return e == std::errc{} && end == last && n >= least ? std::optional{n} : std::nullopt;
}

/// The text up to the next semicolon, taken off the front.
std::string_view take_item(std::string_view& text) {
    auto const end = std::min(text.find(';'), text.size());
    auto const item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return item;
}

result<void> set_option(embedded_options& o, std::string_view name, std::string_view value) {
    if (name == "synchronous") {
        if (value != "full" && value != "normal") return bad("synchronous must be 'full' or 'normal'");
        o.synchronous = value == "full" ? durability::full : durability::normal;
    } else if (name == "max_page_count") {
        o.max_page_count = number(value, 1);
        if (!o.max_page_count) return bad("max_page_count must be a number of pages, at least 1");
    } else if (name == "busy_timeout") {
        auto const n = number(value, 0);
        if (!n || *n > 86'400'000) return bad("busy_timeout must be a number of milliseconds, at most a day");
        o.busy_timeout = std::chrono::milliseconds{*n};
    } else {
        return bad("unknown option '" + std::string{name} +
                   "': expected synchronous, max_page_count or busy_timeout, in lower case");
    }
    return {};
}

}  // namespace

result<embedded_options> parse_embedded(std::string_view text) {
    if (!text.starts_with(scheme)) return bad("an embedded store begins with 'embedded:', as in 'embedded:data.db'");
    text.remove_prefix(scheme.size());
    embedded_options options;
    options.path = take_item(text);
    if (options.path.empty()) return bad("after 'embedded:' comes the path of a file or ':memory:'");
    std::vector<std::string_view> given;
    while (!text.empty()) {
        auto const item = take_item(text);
        auto const equals = item.find('=');
        if (equals == std::string_view::npos)
            return bad(std::string{"'"}.append(item).append("' is no option: expected name=value"));
        auto const name = item.substr(0, equals);
        if (std::find(given.begin(), given.end(), name) != given.end())
            return bad("the option " + std::string{name} + " is given twice: leave one");
        given.push_back(name);
        if (auto const r = set_option(options, name, item.substr(equals + 1)); !r) return failure{r.error()};
    }
    return options;
}

}  // namespace tablemap
