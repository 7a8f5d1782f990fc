// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "serve/refused.hpp"
#include "serve/row_write.hpp"
#include "serve/table_service.hpp"
#include "tablemap/embedded/store.hpp"

#include <string>

/// Input: a method and a target, headers, a blank line and a body. The request is read as one of an owner, and handled
/// as one of a stranger.
namespace tablemap::fuzz {
namespace {

using namespace detail::serve;

incoming read_request(std::string_view input) {
    incoming in;
    auto const line = take_line(input);
    auto const blank = line.find(' ');
    in.message.method = line.substr(0, blank);
    if (blank != std::string_view::npos) in.message.target = line.substr(blank + 1);
    for (auto header = take_line(input); !header.empty(); header = take_line(input)) {
        auto const colon = header.find(": ");
        if (colon == std::string_view::npos) continue;
        in.message.headers.emplace_back(header.substr(0, colon), header.substr(colon + 2));
    }
    in.message.body = input;
    return in;
}

table_service const& service() {
    static table_service const s{value_or_throw(open_embedded({.path = ":memory:"})),
                                 {.account = "account", .key = account_key{"a2V5"}, .now = [] {
                                      return *ticks::parse("2026-11-20T12:00:00Z");
                                  }}};
    return s;
}

void check_write(incoming const& in, target const& t) {
    auto const w = read_row_write(in.message, t);
    require(w.kind == write_kind::erase || (w.body.starts_with('{') && w.body.ends_with('}')), "a body is an object");
    require(!is_conditional(w.kind) || header_of(in.message, "If-Match") || w.kind == write_kind::erase,
            "a write is conditional if the request says so");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(serve_request) {
    auto const in = read_request(input);
    try {
        auto const t = read_target(in, "account");
        require(t.base.find('"') == std::string::npos, "a host cannot end a URL");
        if (in.message.method != "GET") check_write(in, t);
    } catch (refused const& r) {
        require(r.status() >= 400 && r.status() < 500, "what a client sends is the client's fault");
    }
    auto const answer = service().handle(in);
    require(answer.status >= 400 && answer.status < 500, "strangers get nothing");
}

}  // namespace tablemap::fuzz
