// SPDX-License-Identifier: Apache-2.0
#include "bare_cpprest.hpp"

#include <utility>  // Asio of Boost 1.74 needs it first

#include <cpprest/http_client.h>
#include <pplx/threadpool.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

namespace http = web::http;

/// As many threads as the library's transport starts, whichever of the two comes first.
void start_pool() {
    auto const threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
    try {
        crossplat::threadpool::initialize_with_threads(threads);
    } catch (std::runtime_error const&) {
        // It runs already.
    }
}

http::http_request message(tablemap::http_request const& r) {
    http::http_request m{r.method};
    m.set_request_uri(web::uri{r.target});
    for (auto const& [name, value] : r.headers) m.headers().add(name, value);
    if (!r.body.empty()) m.set_body(r.body, "application/json");
    return m;
}

bare_cpprest::answer head_of(http::http_response const& r) {
    auto const found = r.headers().find("ETag");
    return {r.status_code(), found == r.headers().end() ? std::string{} : found->second};
}

bool has_body(http::http_response const& r) { return r.status_code() != http::status_codes::NoContent; }

}  // namespace

struct bare_cpprest::client : http::client::http_client {
    using http::client::http_client::http_client;
};

bare_cpprest::bare_cpprest(tablemap::http_origin const& origin) {
    start_pool();
    client_ = std::make_unique<client>(web::uri{origin.scheme + "://" + origin.host + ':' + origin.port});
}

bare_cpprest::~bare_cpprest() = default;

void bare_cpprest::send(tablemap::http_request const& r, handler h) {
    client_->request(message(r)).then([h = std::move(h)](pplx::task<http::http_response> const& t) {
        try {
            auto const answered = t.get();
            if (!has_body(answered)) return h(head_of(answered));
            answered.extract_utf8string(true).then([answered, h](pplx::task<std::string> const& body) {
                auto a = head_of(answered);
                try {
                    a.body = body.get();
                } catch (std::exception const&) {
                    a.status = 0;
                }
                h(std::move(a));
            });
        } catch (std::exception const&) {
            h({});
        }
    });
}

bare_cpprest::answer bare_cpprest::send(tablemap::http_request const& r) {
    auto const answered = client_->request(message(r)).get();
    auto a = head_of(answered);
    if (has_body(answered)) a.body = answered.extract_utf8string(true).get();
    return a;
}

}  // namespace bench
