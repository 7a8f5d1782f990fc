// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"
#include "support/table_client.hpp"

#include <stdexcept>

namespace tablemap::test {
namespace {

auto const grow_older = [](worker& w) { ++w.age; };
auto const lose_email = [](worker& w) { w.email.reset(); };

/// Of a write that had something to send.
result<void> sent(result<bool> const& r) {
    if (!r) return failure{r.error()};
    if (!*r) throw std::logic_error{"nothing was sent"};
    return {};
}

worker_entity older(stage const& s) {
    auto e = s.known;
    ++e.value.age;
    return e;
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

operation_list table_operations() {
    using enum after_loss;
    return {
        {"create", nothing, [](stage& s) { return done(s.table.try_create(s.options)); },
         [](stage& s) { return done(get(s.async.create(s.options, in_future))); }, set_up_nothing},
        {"create_if_not_exists", by_itself,
         [](stage& s) { return reached(s.table.try_create_if_not_exists(s.options)); },
         [](stage& s) { return reached(get(s.async.create_if_not_exists(s.options, in_future))); }, set_up_nothing},
        {"delete_table", nothing, [](stage& s) { return done(s.table.try_delete_table(s.options)); },
         [](stage& s) { return done(get(s.async.delete_table(s.options, in_future))); }},
        {"delete_if_exists", by_itself, [](stage& s) { return reached(s.table.try_delete_if_exists(s.options)); },
         [](stage& s) { return reached(get(s.async.delete_if_exists(s.options, in_future))); }},
    };
}

operation_list conditional_writes() {
    using enum after_loss;
    return {
        {.name = "insert",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_insert(newcomer, s.options)); },
         .run_async = [](stage& s) { return done(get(s.async.insert(newcomer, s.options, in_future))); },
         .once_only = true},
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
        {"merge_changes", by_token,
         [](stage& s) {
             auto e = older(s);
             auto const r = s.table.try_merge(e, changed_since(s.known), s.options);
             return refreshed(sent(r), e);
         },
         [](stage& s) {
             auto e = older(s);
             auto const r = get(s.async.merge(e, changed_since(s.known), s.options, in_future));
             return refreshed(sent(r), e);
         }},
        {"erase", nothing, [](stage& s) { return done(s.table.try_erase(s.known, s.options)); },
         [](stage& s) { return done(get(s.async.erase(s.known, s.options, in_future))); }},
        {.name = "modify",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_modify(first_key, grow_older, s.options)); },
         .run_async = [](stage& s) { return done(get(s.async.modify(first_key, grow_older, s.options, in_future))); },
         .looks_itself = true},
        {.name = "modify_removing",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_modify(first_key, lose_email, s.options)); },
         .run_async = [](stage& s) { return done(get(s.async.modify(first_key, lose_email, s.options, in_future))); },
         .looks_itself = true},
        {.name = "modify_or_insert_of_new",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_modify_or_insert(newcomer, grow_older, s.options)); },
         .run_async =
             [](stage& s) { return done(get(s.async.modify_or_insert(newcomer, grow_older, s.options, in_future))); },
         .looks_itself = true,
         .once_only = true},
        {.name = "modify_or_insert_of_known",
         .knows = by_token,
         .run = [](stage& s) { return done(s.table.try_modify_or_insert(first, grow_older, s.options)); },
         .run_async =
             [](stage& s) { return done(get(s.async.modify_or_insert(first, grow_older, s.options, in_future))); },
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
    };
}

operation_list unconditional_writes() {
    using enum after_loss;
    return {
        {"replace_any", repeats, [](stage& s) { return done(s.table.try_replace_any(first, s.options)); },
         [](stage& s) { return done(get(s.async.replace_any(first, s.options, in_future))); }},
        {"merge_any", repeats,
         [](stage& s) { return tagged(s.table.try_merge_any(first, only<&worker::age>, s.options), first); },
         [](stage& s) {
             return tagged(get(s.async.merge_any(first, only<&worker::age>, s.options, in_future)), first);
         }},
        {.name = "erase_any",
         .knows = nothing,
         .run = [](stage& s) { return done(s.table.try_erase_any(first_key, s.options)); },
         .run_async = [](stage& s) { return done(get(s.async.erase_any(first_key, s.options, in_future))); },
         .once_only = true},
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
    };
}

}  // namespace tablemap::test
