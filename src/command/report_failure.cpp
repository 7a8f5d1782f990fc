// SPDX-License-Identifier: Apache-2.0
#include "command/report_failure.hpp"

#include "command/open_store.hpp"
#include "base/error_text.hpp"

#include <exception>
#include <string>

namespace tablemap::inline v0_1::command {
namespace {

bool is_usage(error const& e) { return e.kind() == error_kind::invalid_argument; }

std::string_view remedy_of(std::error_code code) {
    if (code == service_errc::table_not_found) return "`tablemap tables` lists those that are there";
    if (code == service_errc::queue_not_found) return "name the queue that the program's relays read";
    if (code == service_errc::container_not_found)
        return "name the container that the program writes its large members to";
    return {};
}

}  // namespace

std::string message_of(error const& e, std::string_view place, std::string_view remedy) {
    auto text = detail::describe(e, {.place = place, .remedy = remedy.empty() ? remedy_of(e.code()) : remedy});
    if (!e.server_text().empty()) text += "\nThe store says: " + e.server_text();
    return text;
}

int report_failure(console& c) {
    try {
        throw;
    } catch (usage_error const& e) {
        return c.fail(usage, e.what());
    } catch (error const& e) {
        return c.fail(is_usage(e) ? usage : failed, message_of(e));
    } catch (std::exception const& e) {
        return c.fail(failed, e.what());
    }
}

}  // namespace tablemap::inline v0_1::command
