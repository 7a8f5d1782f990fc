// SPDX-License-Identifier: Apache-2.0
#include "tablemap/open.hpp"

#include "open_account.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/store/with_keys.hpp"

#include <utility>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::string_view embedded_prefix = "embedded:";

result<store_ptr> open_file(std::string_view connection_string) {
    auto options = parse_embedded(connection_string);
    if (!options) return failure{options.error().in("open", {})};
    return open_embedded(std::move(*options));
}

result<store_ptr> open_plain(std::string_view connection_string, open_options const& options) {
    if (connection_string.starts_with(embedded_prefix))
        return detail::watched(open_file(connection_string), options.observer);
    if (connection_string.find('=') != std::string_view::npos) return detail::open_account(connection_string, options);
    return fail(library_errc::invalid_connection_string,
                {.reason = "it must be \"embedded:hr.db\", \"embedded::memory:\", \"UseDevelopmentStorage=true\", or a "
                           "storage connection string, such as one with AccountName and AccountKey",
                 .action = "open"});
}

}  // namespace

result<store_ptr> detail::watched(result<store_ptr> opened, std::shared_ptr<observer> const& by) {
    if (!opened || !by) return opened;
    return with_observer(*std::move(opened), by);
}

result<store_ptr> try_open(std::string_view connection_string, open_options options) {
    auto opened = open_plain(connection_string, options);
    if (!opened || !options.keys) return opened;
    return with_keys(*std::move(opened), std::move(options.keys));
}

store_ptr open(std::string_view connection_string, open_options options) {
    return value_or_throw(try_open(connection_string, std::move(options)));
}

}  // namespace tablemap
