// SPDX-License-Identifier: Apache-2.0
#include "faults/operations.hpp"

#include "support/operations.hpp"
#include "support/table_client.hpp"

#include <boost/asio/use_future.hpp>

#include <future>
#include <stdexcept>
#include <utility>

namespace tablemap::test {
namespace {

// ---- what was told --------------------------------------------------------------------------------------------------

auto const& in_future = boost::asio::use_future;

/// What a future holds, as the blocking form returns it.
template <class V> result<V> get(std::future<V> f) {
    try {
        if constexpr (std::is_void_v<V>) {
            f.get();
            return {};
        } else {
            return f.get();
        }
    } catch (error const& e) {
        return failure{e};
    }
}

template <class V> seen told(result<V> const& r) {
    seen s;
    if (!r) s.failure = r.error();
    return s;
}

void add(seen& s, worker_entity const& e) {
    auto const& w = e.value;
    s.value += w.department + ' ' + std::to_string(w.id) + ' ' + w.name + ' ' + std::to_string(w.age) + ' ' +
               w.email.value_or("-") + "; ";
    std::string partition, row;
    value_or_throw(detail::encode_keys(w, partition, row));
    s.etags[partition + '/' + row] = e.etag;
}
void add(seen& s, std::optional<worker_entity> const& e) {
    if (e)
        add(s, *e);
    else
        s.value += "nobody; ";
}
template <class E> void add(seen& s, std::vector<E> const& all) {
    for (auto const& e : all) add(s, e);
}
void add(seen& s, std::size_t n) { s.value = std::to_string(n); }
void add(seen& s, bool yes) { s.value = yes ? "yes" : "no"; }

seen done(result<void> const& r) { return told(r); }

template <class V> seen done(result<V> const& r) {
    auto s = told(r);
    if (r) add(s, *r);
    return s;
}

/// Of a write that refreshes the entity that it was given, or returns an etag alone.
seen refreshed(result<void> const& r, worker_entity const& e) {
    auto s = told(r);
    if (r) add(s, e);
    return s;
}
seen tagged(result<etag> const& r, worker const& w) {
    auto s = told(r);
    if (r) add(s, worker_entity{w, *r});
    return s;
}

// ---- workers --------------------------------------------------------------------------------------------------------

worker const newcomer{.department = "Sales", .id = 10, .name = "Ann", .age = 20, .email = "ann@contoso.com"};
worker const first{.department = "Sales", .id = 1, .name = "Don", .age = 61, .email = "don@contoso.com"};
key_of<worker> const first_key{"Sales", 1};
std::vector<key_of<worker>> const some_keys{{"Sales", 1}, {"Sales", 77}, {"Audit", 1}};

worker_entity older(stage const& s) {
    auto e = s.known;
    ++e.value.age;
    return e;
}
auto const grow_older = [](worker& w) { ++w.age; };

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

// ---- groups ---------------------------------------------------------------------------------------------------------

/// One operation of a group with what it borrows.
struct encoded_write {
    write_kind kind;
    detail::encoded_entity entity;
    std::string if_match{};

    write_operation view() const {
        return {.kind = kind,
                .partition_key = entity.partition_key,
                .row_key = entity.row_key,
                .body = kind == write_kind::erase ? std::string_view{} : entity.body,
                .if_match = if_match,
                .token = entity.token};
    }
};

encoded_write encoded(stage const& s, write_kind kind, worker const& w, std::string if_match = {}) {
    detail::encoded_entity e;
    if (s.operation_tokens) e.token = random_guid(clock::system());
    value_or_throw(detail::encode(w, e));
    return {kind, std::move(e), std::move(if_match)};
}

worker numbered(std::int32_t id, std::string name = "New") {
    return {.department = "Sales", .id = id, .name = std::move(name)};
}

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
    std::vector<write_operation> views;
    for (auto const& w : group) views.push_back(w.view());
    one_request op{transact{s.name, views}};
    auto const r =
        Async ? get(detail::start(s.faulty, op, s.options, in_future)) : detail::run(*s.faulty, op, s.options);
    auto told_of = told(r);
    for (std::size_t i = 0; r && i < group.size(); ++i)
        told_of.etags[group[i].entity.partition_key + '/' + group[i].entity.row_key] = r->etags.at(i);
    return told_of;
}

// ---- rows of older versions -----------------------------------------------------------------------------------------

struct claim {
    std::int32_t number{};
    std::int64_t cents{};
};
void count_in_cents(dynamic_entity& row) {
    row.set("cents", std::int64_t{*row.try_get<std::int32_t>("euros")} * 100);
    row.erase("euros");
}

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::claim> {
    static constexpr auto discriminator = tablemap::discriminator("Type", "claim");
    static constexpr auto versions = tablemap::versions<2>(upgrade_from<1>(&test::count_in_cents));
    static constexpr auto partition_key = key("claims");
    static constexpr auto row_key = key("c_", part<&test::claim::number>.width(4));
};

namespace tablemap::test {
namespace {

void set_up_claims(stage& s) {
    table_client t{*s.clean, s.name};
    t.create();
    for (std::int32_t n = 1; n <= 3; ++n)
        t.insert(entity("claims", "c_000" + std::to_string(n), {{"Type", "claim"}, {"euros", n}}));
}

void set_up_nothing(stage&) {}

}  // namespace

// ---- all ------------------------------------------------------------------------------------------------------------

stage::stage(store_ptr clean_way, store_ptr faulty_way, std::string table_name, bool tokens)
    : clean(std::move(clean_way)),
      faulty(std::move(faulty_way)),
      name(std::move(table_name)),
      operation_tokens(tokens),
      table(faulty, name, {.operation_tokens = tokens}),
      async(faulty, name, {.operation_tokens = tokens}),
      clean_table(clean, name, {.operation_tokens = tokens}) {}

void set_up_workers(stage& s) {
    s.clean_table.create();
    std::vector<encoded_write> rows;
    for (std::int32_t id = 1; id <= 5; ++id) {
        auto w = numbered(id, "Old");
        w.age = 60;
        w.email = "old@contoso.com";
        rows.push_back(encoded(s, write_kind::insert, w));
    }
    std::vector<write_operation> views;
    for (auto const& w : rows) views.push_back(w.view());
    if (auto const r = s.clean->execute(transact{s.name, views}, {}); r.failure) throw *r.failure;
    s.clean_table.insert({.department = "Audit", .id = 1, .name = "Eve"});
    s.known = s.clean_table.find("Sales", 1).value();
}

std::vector<operation_under_test> const& operations() {
    using enum after_loss;
    static std::vector<operation_under_test> const all{
        // The table itself.
        {"create", nothing, [](stage& s) { return done(s.table.try_create(s.options)); },
         [](stage& s) { return done(get(s.async.create(s.options, in_future))); }, set_up_nothing},
        {"create_if_not_exists", nothing, [](stage& s) { return done(s.table.try_create_if_not_exists(s.options)); },
         [](stage& s) { return done(get(s.async.create_if_not_exists(s.options, in_future))); }, set_up_nothing},
        {"delete_table", nothing, [](stage& s) { return done(s.table.try_delete_table(s.options)); },
         [](stage& s) { return done(get(s.async.delete_table(s.options, in_future))); }},
        {"delete_if_exists", nothing, [](stage& s) { return done(s.table.try_delete_if_exists(s.options)); },
         [](stage& s) { return done(get(s.async.delete_if_exists(s.options, in_future))); }},

        // Reads.
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
         .looks_itself = true},
        {"first", repeats, [](stage& s) { return done(s.table.query(partition("Sales"), s.options).try_first()); },
         [](stage& s) { return done(get(s.async.query(partition("Sales"), s.options).first(in_future))); }},
        {"exists", repeats, [](stage& s) { return done(s.table.query(partition("Sales"), s.options).try_exists()); }},
        {"scan", repeats, [](stage& s) { return read_all(s.table.scan(s.options).page_size(3)); },
         [](stage& s) { return read_all_async(s.async.scan(s.options).page_size(3)); }},
        {"count", repeats, [](stage& s) { return done(s.table.scan(s.options).page_size(4).try_count()); },
         [](stage& s) { return done(get(s.async.scan(s.options).page_size(4).count(in_future))); }},

        // Writes.
        {"insert", by_token, [](stage& s) { return done(s.table.try_insert(newcomer, s.options)); },
         [](stage& s) { return done(get(s.async.insert(newcomer, s.options, in_future))); }},
        {"replace", by_token,
         [](stage& s) {
             auto e = older(s);
             auto const r = s.table.try_replace(e, s.options);
             return refreshed(r, e);
         },
         [](stage& s) {
             auto e = older(s);
             auto const r = get(s.async.replace(e, s.options, in_future));
             return refreshed(r, e);
         }},
        {"merge", by_token,
         [](stage& s) {
             auto e = older(s);
             auto const r = s.table.try_merge(e, s.options);
             return refreshed(r, e);
         },
         [](stage& s) {
             auto e = older(s);
             auto const r = get(s.async.merge(e, s.options, in_future));
             return refreshed(r, e);
         }},
        {"merge_only", by_token,
         [](stage& s) {
             auto e = older(s);
             auto const r = s.table.try_merge(e, only<&worker::age>, s.options);
             return refreshed(r, e);
         },
         [](stage& s) {
             auto e = older(s);
             auto const r = get(s.async.merge(e, only<&worker::age>, s.options, in_future));
             return refreshed(r, e);
         }},
        {"erase", nothing, [](stage& s) { return done(s.table.try_erase(s.known, s.options)); },
         [](stage& s) { return done(get(s.async.erase(s.known, s.options, in_future))); }},
        {.name = "modify",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_modify(first_key, grow_older, s.options)); },
         .run_async = [](stage& s) { return done(get(s.async.modify(first_key, grow_older, s.options, in_future))); },
         .looks_itself = true},
        {.name = "migrate",
         .knows = by_itself,
         .run =
             [](stage& s) {
                 return told(tablemap::table<claim>{s.faulty, s.name}.try_migrate({}, s.options));
             },
         .run_async =
             [](stage& s) {
                 return told(get(async_table<claim>{s.faulty, s.name}.migrate({}, s.options, in_future)));
             },
         .set_up = set_up_claims,
         .looks_itself = true,
         .in_pieces = true},

        // Unconditional writes.
        {"replace_any", repeats, [](stage& s) { return done(s.table.try_replace_any(first, s.options)); },
         [](stage& s) { return done(get(s.async.replace_any(first, s.options, in_future))); }},
        {"merge_any", repeats,
         [](stage& s) { return tagged(s.table.try_merge_any(first, only<&worker::age>, s.options), first); },
         [](stage& s) {
             return tagged(get(s.async.merge_any(first, only<&worker::age>, s.options, in_future)), first);
         }},
        {"erase_any", nothing, [](stage& s) { return done(s.table.try_erase_any(first_key, s.options)); },
         [](stage& s) { return done(get(s.async.erase_any(first_key, s.options, in_future))); }},
        {"upsert_replace", repeats, [](stage& s) { return done(s.table.try_upsert_replace(first, s.options)); },
         [](stage& s) { return done(get(s.async.upsert_replace(first, s.options, in_future))); }},
        {"upsert_replace_of_new", repeats,
         [](stage& s) { return done(s.table.try_upsert_replace(newcomer, s.options)); }},
        {"upsert_merge", repeats, [](stage& s) { return tagged(s.table.try_upsert_merge(first, s.options), first); },
         [](stage& s) { return tagged(get(s.async.upsert_merge(first, s.options, in_future)), first); }},
        {"upsert_merge_only", repeats,
         [](stage& s) { return tagged(s.table.try_upsert_merge(first, only<&worker::age>, s.options), first); },
         [](stage& s) {
             return tagged(get(s.async.upsert_merge(first, only<&worker::age>, s.options, in_future)), first);
         }},

        // Group transactions.
        {"group", by_token, send_group<mixed_group, false>, send_group<mixed_group, true>},
        {"large_group", by_token, send_group<large_group, false>, send_group<large_group, true>},
    };
    return all;
}

}  // namespace tablemap::test
