// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"
#include "support/operations.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

/// One operation of every kind, several of them on entities that were read.
struct mixed_group {
    explicit mixed_group(stage& s)
        : grown(s.known), known_third(s.clean_table.find("Sales", 3).value()), t(s.table.transaction()) {
        ++grown.value.age;
        keys = {"Sales/w_0002", "Sales/w_0010", "Sales/w_0001", "Sales/w_0003", "Sales/w_0004", "Sales/w_0011"};
        t.erase_any<worker>({"Sales", 2});
        t.insert(newcomer);
        t.replace(grown);
        t.merge(known_third, only<&worker::age>);
        t.upsert_replace(numbered(4));
        t.upsert_merge(numbered(11));
    }

    /// What was told, and that entities were refreshed by it.
    seen told_of(result<std::vector<etag>> const& r) {
        auto told = test::told(r);
        for (std::size_t i = 0; r && i < keys.size(); ++i) told.etags[keys[i]] = r->at(i);
        if (r && (grown.etag != r->at(2) || known_third.etag != r->at(3))) throw std::logic_error{"not refreshed"};
        return told;
    }

    worker_entity grown, known_third;
    transaction t;
    std::vector<std::string> keys{};
};

seen commit(stage& s) {
    mixed_group g{s};
    return g.told_of(g.t.try_commit(s.options));
}
seen commit_later(stage& s) {
    mixed_group g{s};
    return g.told_of(get(async_commit(g.t, s.options, in_future)));
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
        {"transaction", by_token, commit, commit_later},
        {"large_group", by_token, send_group<large_group, false>, send_group<large_group, true>},
    };
}

}  // namespace tablemap::test
