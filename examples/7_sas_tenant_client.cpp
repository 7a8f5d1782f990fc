// SPDX-License-Identifier: Apache-2.0
//
// The program of a tenant. It reads a connection string with a shared access signature from its standard input, and
// works with the orders of its own partition. See 7_sas_tenant.cpp.

#include "7_sas_tenant.hpp"

#include <iostream>
#include <string>

namespace tmap = tablemap;

namespace {

template <class T> void show(char const* what, tmap::result<T> const& r) {
    std::cout << "acme: " << what << ": ";
    if (r)
        std::cout << "done\n";
    else
        std::cout << (r.error().kind() == tmap::error_kind::denied ? "refused" : "failed") << "\n  " << r.error().what()
                  << "\n";
}

void work(tmap::table<order> const& orders) {
    std::cout << "acme: my orders are\n";
    for (auto const& o : orders.query(tmap::partition("acme")))
        std::cout << "  " << o.value.number << " " << o.value.article << "\n";

    show("order tunnel paint", orders.try_insert({"acme", 3, "tunnel paint"}));
    auto skates = *orders.find({"acme", 2});
    skates.value.article = "rocket skates, size 44";
    show("change order 2", orders.try_replace(skates));
    show("delete order 1", orders.try_erase_any({"acme", 1}));
    show("delete all orders of everybody", orders.try_delete_table());

    // The service refuses keys outside the signature's range. The emulator ignores the range.
    auto const other = orders.try_find({"globex", 1});
    std::cout << "acme: read an order of globex: " << (other ? "the emulator does not heed ranges" : "refused") << "\n";
}

}  // namespace

int main() try {
    std::string access;
    std::getline(std::cin, access);
    work({tmap::open(access), orders_table});
} catch (std::exception const& e) {
    std::cerr << e.what() << "\n";
    return 1;
}
