// SPDX-License-Identifier: Apache-2.0
//
// The owner of a table of orders gives one tenant access to its own partition: to read, add and change orders, not to
// delete any, for an hour. The tenant is another program, sas_tenant_client, and gets a shared access signature and
// nothing else.
//
//     sas_tenant --store CONNECTION-STRING

#include "7_sas_tenant.hpp"

#include <tablemap/query/access_range.hpp>
#include <tablemap/rest/access_signature.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>

namespace tmap = tablemap;
using namespace std::chrono_literals;

namespace {

/// A fresh table with the orders of two tenants.
tmap::table<order> make_orders(tmap::store_ptr const& store) {
    tmap::table<order> orders{store, orders_table};
    orders.delete_if_exists();
    orders.create(tmap::if_being_deleted::wait);
    for (auto const& o : {order{"acme", 1, "anvil"}, order{"acme", 2, "rocket skates"}, order{"globex", 1, "hammock"}})
        orders.insert(o);
    return orders;
}

/// The access of the tenant, as a connection string.
std::string access_for(std::string const& owner, std::string const& tenant) {
    tmap::table_access access{.table = orders_table,
                              .permissions = tmap::table_permission::query | tmap::table_permission::add |
                                             tmap::table_permission::update};
    access.terms.expiry = tmap::ticks::now() + tmap::tick_duration{1h};
    access.range = tmap::access_range_of<order>(tmap::partition(tenant));
    return tmap::make_access_signature(owner, access).connection_string;
}

/// Passes the text by a pipe, because other users can see the arguments and environment of a process.
void run_tenant(std::filesystem::path const& program, std::string const& access) {
    std::cout << std::flush;
    std::FILE* const pipe = popen(("'" + program.string() + "'").c_str(), "w");
    if (!pipe) throw std::runtime_error("the tenant's program cannot be started");
    std::fprintf(pipe, "%s\n", access.c_str());
    if (pclose(pipe) != 0) throw std::runtime_error("the tenant's program failed");
}

}  // namespace

int main(int argc, char** argv) try {
    std::string owner = "UseDevelopmentStorage=true";
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::string{argv[i]} != "--store")
            throw std::invalid_argument("usage: sas_tenant --store CONNECTION-STRING");
        owner = argv[i + 1];
    }

    auto const orders = make_orders(tmap::open(owner));
    run_tenant(std::filesystem::path{argv[0]}.parent_path() / "sas_tenant_client", access_for(owner, "acme"));

    std::cout << "owner: the orders of acme are now\n";
    for (auto const& o : orders.query(tmap::partition("acme")))
        std::cout << "  " << o.value.number << " " << o.value.article << "\n";
    orders.delete_table();
} catch (std::exception const& e) {
    std::cerr << e.what() << "\n";
    return 1;
}
