// SPDX-License-Identifier: Apache-2.0
#include "command/report_failure.hpp"

#include "command/open_store.hpp"
#include "tablemap/base/error.hpp"

#include <exception>
#include <string>

namespace tablemap::inline v0_1::command {
namespace {

bool is_usage(error const& e) { return e.kind() == error_kind::invalid_argument; }

/// The text of the store is the user's own, who asked for it on a console.
std::string message_of(error const& e) {
    std::string text = e.what();
    if (!e.server_text().empty()) text += "\nThe store says: " + e.server_text();
    return text;
}

}  // namespace

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
