// SPDX-License-Identifier: Apache-2.0
#include "open_account.hpp"

#include "rest/account_store.hpp"
#include "store/replicated.hpp"
#include "tablemap/rest/store.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

result<store_ptr> open_tables(storage_account account, open_options const& options) {
    auto const over = make_transport(account.endpoint.origin, options.transport);
    auto primary = watched(open_rest({.account = account, .transport = over}), options.observer);
    if (!primary || !account.secondary) return primary;
    bool const same_origin = account.secondary->origin == account.endpoint.origin;
    account.endpoint = *account.secondary;
    auto const read_from = account.read_from;
    auto over_there = same_origin ? over : make_transport(account.endpoint.origin, options.transport);
    auto secondary =
        watched(open_rest({.account = std::move(account), .transport = std::move(over_there), .is_secondary = true}),
                options.observer);
    if (!secondary) return secondary;
    return make_replicated(*std::move(primary), *std::move(secondary), read_from);
}

result<store_ptr> refuse_cosmos() {
    return fail(library_errc::unsupported, {.reason = "a Cosmos DB account has neither queues nor blobs"});
}

store_opener opener_of(storage_service service, std::optional<service_endpoint> const& endpoint,
                       storage_account account, open_options const& options) {
    if (!endpoint && account.endpoint.is_cosmos()) return refuse_cosmos;
    if (!endpoint) return {};
    account.endpoint = *endpoint;
    return [service, account = std::move(account), options]() -> result<store_ptr> {
        try {
            auto over = make_transport(account.endpoint.origin, options.transport);
            return watched(open_rest({.account = account, .transport = std::move(over), .service = service}),
                           options.observer);
        } catch (error const& e) {
            return failure{e};
        }
    };
}

}  // namespace

result<store_ptr> open_account(std::string_view connection_string, open_options options) {
    auto account = parse_storage_account(connection_string, options.credential);
    if (!account) return failure{account.error().in("open", {})};
    if (options.transport.name.empty()) options.transport.name = account->transport;
    try {
        auto tables = open_tables(*account, options);
        if (!tables) return tables;
        return make_account_store(*std::move(tables),
                                  opener_of(storage_service::queues, account->queues, *account, options),
                                  opener_of(storage_service::blobs, account->blobs, *account, options));
    } catch (error const& e) {
        return failure{e.in("open", {})};
    }
}

bool is_same_account(std::string_view a, std::string_view b) {
    auto const x = parse_storage_account(a), y = parse_storage_account(b);
    return x && y && x->endpoint == y->endpoint;
}

}  // namespace tablemap::detail
