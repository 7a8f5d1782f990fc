// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace tablemap::test {
namespace {

seen tagged_by_key(result<std::vector<etag>> const& r, std::vector<std::string> const& keys) {
    auto s = told(r);
    for (std::size_t i = 0; r && i < keys.size(); ++i) s.etags[keys[i]] = r->at(i);
    return s;
}

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

    /// The reported result; checks that entities were refreshed by it.
    seen told_of(result<std::vector<etag>> const& r) {
        if (r && (grown.etag != r->at(2) || known_third.etag != r->at(3))) throw std::logic_error{"not refreshed"};
        return tagged_by_key(r, keys);
    }

    worker_entity grown, known_third;
    transaction t;
    std::vector<std::string> keys{};
};

/// So large that it does not fit into the buffers between client and server.
struct large_group {
    explicit large_group(stage& s) : t(s.table.transaction()) {
        for (std::int32_t id = 100; id < 130; ++id) {
            t.insert(numbered(id, std::string(30'000, 'x')));
            keys.push_back("Sales/w_0" + std::to_string(id));
        }
    }

    seen told_of(result<std::vector<etag>> const& r) const { return tagged_by_key(r, keys); }

    transaction t;
    std::vector<std::string> keys{};
};

template <class Group> seen commit(stage& s) {
    Group g{s};
    return g.told_of(g.t.try_commit(s.options));
}
template <class Group> seen commit_later(stage& s) {
    Group g{s};
    return g.told_of(get(async_commit(g.t, s.options, in_future)));
}

}  // namespace

operation_list groups() {
    using enum after_loss;
    return {
        {"transaction", by_token, commit<mixed_group>, commit_later<mixed_group>},
        {.name = "large_transaction",
         .knows = by_token,
         .run = commit<large_group>,
         .run_async = commit_later<large_group>,
         .once_only = true},
    };
}

}  // namespace tablemap::test
