// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"
#include "support/operations.hpp"

namespace tablemap::test {
namespace {

/// One operation of every kind.
std::vector<encoded_write> mixed_group(stage const& s) {
    return {encoded(s, write_kind::erase, numbered(2), "*"),
            encoded(s, write_kind::insert, newcomer),
            encoded(s, write_kind::replace, first, s.known.etag.text()),
            encoded(s, write_kind::merge, numbered(3), "*"),
            encoded(s, write_kind::upsert_replace, numbered(4)),
            encoded(s, write_kind::upsert_merge, numbered(11))};
}

/// So large that it does not fit into the buffers between client and server.
std::vector<encoded_write> large_group(stage const& s) {
    std::vector<encoded_write> all;
    for (std::int32_t id = 100; id < 130; ++id)
        all.push_back(encoded(s, write_kind::insert, numbered(id, std::string(30'000, 'x'))));
    return all;
}

/// Sends a group through the seam, under the call's retry policy.
template <std::vector<encoded_write> (*Group)(stage const&), bool Async> seen send_group(stage& s) {
    auto const group = Group(s);
    auto const views = views_of(group);
    one_request op{transact{s.name, views}};
    auto const r =
        Async ? get(detail::start(s.faulty, op, s.options, in_future)) : detail::run(*s.faulty, op, s.options);
    auto told_of = told(r);
    for (std::size_t i = 0; r && i < group.size(); ++i)
        told_of.etags[group[i].entity.partition_key + '/' + group[i].entity.row_key] = r->etags.at(i);
    return told_of;
}

}  // namespace

operation_list groups() {
    using enum after_loss;
    return {
        {"group", by_token, send_group<mixed_group, false>, send_group<mixed_group, true>},
        {"large_group", by_token, send_group<large_group, false>, send_group<large_group, true>},
    };
}

}  // namespace tablemap::test
