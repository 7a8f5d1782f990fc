// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include "tablemap/table/cached_table.hpp"
#include "tablemap/table/join.hpp"

namespace tablemap::test {
namespace {

std::vector<key_of<worker>> const some_keys{{"Sales", 1}, {"Sales", 77}, {"Audit", 1}};

template <class Range> seen read_all(Range range) {
    seen s;
    for (;;) {
        auto next = range.try_next();
        if (!next) s.failure = next.error();
        if (!next || !*next) return s;
        add(s, **next);
    }
}
template <class Range> seen read_all_async(Range range) {
    seen s;
    for (;;) {
        auto next = get(range.next(in_future));
        if (!next) s.failure = next.error();
        if (!next || !*next) return s;
        add(s, **next);
    }
}

key_of<worker> first_of_sales(worker_entity const&) { return first_key; }

seen read_joined(stage& s) {
    seen all;
    try {
        for (auto const& [auditor, other] :
             join(s.table.query(partition("Audit"), s.options), s.table, first_of_sales)) {
            add(all, auditor);
            add(all, other);
        }
    } catch (error const& e) {
        all.failure = e;
    }
    return all;
}

}  // namespace

operation_list reads() {
    using enum after_loss;
    return {
        {"find", repeats, [](stage& s) { return done(s.table.try_find(first_key, s.options)); },
         [](stage& s) { return done(get(s.async.find(first_key, s.options, in_future))); }},
        {"find_of_nobody", repeats,
         [](stage& s) {
             return done(s.table.try_find({"Sales", 77}, s.options));
         },
         [](stage& s) {
             return done(get(s.async.find({"Sales", 77}, s.options, in_future)));
         }},
        {"find_many", repeats, [](stage& s) { return done(s.table.try_find_many(some_keys, 16, s.options)); },
         [](stage& s) { return done(get(s.async.find_many(some_keys, 16, s.options, in_future))); }},
        {"query", repeats, [](stage& s) { return read_all(s.table.query(partition("Sales"), s.options).page_size(2)); },
         [](stage& s) { return read_all_async(s.async.query(partition("Sales"), s.options).page_size(2)); }},
        {.name = "query_read_ahead",
         .knows = repeats,
         .run =
             [](stage& s) { return read_all(s.table.query(partition("Sales"), s.options).page_size(2).read_ahead()); },
         .run_async =
             [](stage& s) {
                 return read_all_async(s.async.query(partition("Sales"), s.options).page_size(2).read_ahead());
             },
         .looks_itself = true},
        {"first", repeats, [](stage& s) { return done(s.table.query(partition("Sales"), s.options).try_first()); },
         [](stage& s) { return done(get(s.async.query(partition("Sales"), s.options).first(in_future))); }},
        {"exists", repeats, [](stage& s) { return done(s.table.query(partition("Sales"), s.options).try_exists()); }},
        {"scan", repeats, [](stage& s) { return read_all(s.table.scan(s.options).page_size(3)); },
         [](stage& s) { return read_all_async(s.async.scan(s.options).page_size(3)); }},
        {"count", repeats, [](stage& s) { return done(s.table.scan(s.options).page_size(4).try_count()); },
         [](stage& s) { return done(get(s.async.scan(s.options).page_size(4).count(in_future))); }},
        {"join", repeats, read_joined},
        {"cached_table", repeats, [](stage& s) { return done(cached_table<worker>{s.table}.try_all(s.options)); }},
    };
}

}  // namespace tablemap::test
