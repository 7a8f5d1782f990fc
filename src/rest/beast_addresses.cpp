// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_addresses.hpp"

#include <netdb.h>

#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

address_list look_up(std::string const& host, std::string const& port, int flags) {
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags | AI_NUMERICSERV;
    addrinfo* first = nullptr;
    auto found = std::make_shared<std::vector<socket_address>>();
    if (::getaddrinfo(host.c_str(), port.c_str(), &wanted, &first) != 0) return found;
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const all{first, ::freeaddrinfo};
    for (auto const* a = first; a; a = a->ai_next) {
        auto& to = found->emplace_back();
        std::memcpy(&to.bytes, a->ai_addr, a->ai_addrlen);
        to.size = a->ai_addrlen;
    }
    return found;
}

}  // namespace

/// Outlives the book for as long as a look-up takes.
struct address_book::page {
    page(std::string h, std::string p) : host(std::move(h)), port(std::move(p)) {}

    std::string const host;
    std::string const port;
    std::mutex mutex;
    std::vector<std::function<void(address_list const&)>> asking;

    void answer() {
        auto const found = look_up(host, port, 0);
        decltype(asking) answered;
        {
            std::lock_guard const lock{mutex};
            answered.swap(asking);
        }
        for (auto const& then : answered) then(found);
    }
};

address_book::address_book(std::string host, std::string port)
    : page_(std::make_shared<page>(std::move(host), std::move(port))) {
    auto const found = look_up(page_->host, page_->port, AI_NUMERICHOST);
    if (!found->empty()) known_ = found;
}

void address_book::ask(std::function<void(address_list const&)> then) {
    std::lock_guard const lock{page_->mutex};
    page_->asking.push_back(std::move(then));
    if (page_->asking.size() > 1) return;  // a look-up is under way
    try {
        std::thread{[page = page_] { page->answer(); }}.detach();
    } catch (...) {
        page_->asking.clear();
        throw;
    }
}

}  // namespace tablemap::detail
