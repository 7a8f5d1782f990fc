// SPDX-License-Identifier: Apache-2.0
#include "faults/told.hpp"

#include <string>
#include <vector>

/// Writes of entities with rows in indexes, which look by themselves at what is stored.
namespace tablemap::test {

/// Its entities have the keys and members of workers, so that others can write the same ones.
struct clerk {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    std::int32_t age{};
    std::optional<std::string> email{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::clerk> {
    static constexpr auto partition_key = key(part<&test::clerk::department>);
    static constexpr auto row_key = key("w_", part<&test::clerk::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(
        unique_index<"by_email">(key("email_", part<&test::clerk::email>)).include<&test::clerk::age>(),
        index<"by_name">(key("name_", part<&test::clerk::name>.escaped())).include<>());
};

namespace tablemap::test {
namespace {

/// Every write takes a unique value.
clerk const newcomer_clerk{.department = "Sales", .id = 10, .name = "Ann", .age = 20, .email = "ann@contoso.com"};
clerk const moved{.department = "Sales", .id = 1, .name = "Don", .age = 61, .email = "don@contoso.com"};
key_of<clerk> const moved_key{"Sales", 1};
auto const move = [](clerk& c) { c = moved; };

tablemap::table<clerk> clerks(stage& s) { return {s.faulty, s.name, {.operation_ids = s.operation_ids}}; }
async_table<clerk> async_clerks(stage& s) { return {s.faulty, s.name, {.operation_ids = s.operation_ids}}; }

entity<clerk> known(stage& s) { return tablemap::table<clerk>{s.clean, s.name}.find(moved_key).value(); }

void set_up_clerks(stage& s) {
    tablemap::table<clerk> const t{s.clean, s.name};
    t.create();
    auto rows = t.transaction();
    for (std::int32_t id = 1; id <= 2; ++id)
        rows.insert(
            clerk{.department = "Sales", .id = id, .name = "Old", .email = std::to_string(id) + "@contoso.com"});
    rows.commit();
}

seen replace(stage& s) {
    auto e = known(s);
    e.value = moved;
    auto const r = clerks(s).try_replace(e, s.options);
    return tagged(r ? result<etag>{e.etag} : failure{r.error()}, e.value);
}

/// Of any version, all of them.
struct repeatable_group {
    explicit repeatable_group(stage& s) : t(clerks(s).transaction()) {
        t.upsert_replace(moved);
        t.merge_any(clerk{.department = "Sales", .id = 2, .age = 7}, only<&clerk::age>);
        t.upsert_merge(newcomer_clerk);
    }
    transaction t;
};

/// One of each sort.
struct mixed_group {
    explicit mixed_group(stage& s) : e(known(s)), t(clerks(s).transaction()) {
        e.value = moved;
        t.replace(e);
        t.erase_any<clerk>({"Sales", 2});
        t.insert(newcomer_clerk);
    }
    entity<clerk> e;
    transaction t;
};

seen told_of(result<std::vector<etag>> const& r, std::vector<std::string> const& keys) {
    auto s = told(r);
    for (std::size_t i = 0; r && i < keys.size(); ++i) s.etags[keys[i]] = r->at(i);
    return s;
}

template <class Group> seen commit(stage& s) {
    return told_of(Group{s}.t.try_commit(s.options), {"Sales/w_0001", "Sales/w_0002", "Sales/w_0010"});
}
template <class Group> seen commit_later(stage& s) {
    Group g{s};
    return told_of(get(async_commit(g.t, s.options, in_future)), {"Sales/w_0001", "Sales/w_0002", "Sales/w_0010"});
}

operation_list writes() {
    using enum after_loss;
    return {
        {.name = "indexed_insert",
         .knows = by_token,
         .run = [](stage& s) { return done(clerks(s).try_insert(newcomer_clerk, s.options)); },
         .once_only = true},
        {.name = "indexed_replace", .knows = by_token, .run = replace},
        {.name = "indexed_erase_any",
         .knows = nothing,
         .run = [](stage& s) { return done(clerks(s).try_erase_any(moved_key, s.options)); }},
        {.name = "indexed_modify",
         .knows = by_token,
         .run = [](stage& s) { return done(clerks(s).try_modify(moved_key, move, s.options)); }},
        {.name = "indexed_merge_any",
         .knows = repeats,
         .run = [](stage& s) { return tagged(clerks(s).try_merge_any(moved, only<&clerk::email>, s.options), moved); }},
        {.name = "indexed_upsert_replace",
         .knows = repeats,
         .run = [](stage& s) { return done(clerks(s).try_upsert_replace(moved, s.options)); },
         .run_async = [](stage& s) { return done(get(async_clerks(s).upsert_replace(moved, s.options, in_future))); }},
        {.name = "indexed_upsert_replace_of_new",
         .knows = repeats,
         .run = [](stage& s) { return done(clerks(s).try_upsert_replace(newcomer_clerk, s.options)); }},
        {.name = "indexed_transaction_of_any_version",
         .knows = repeats,
         .run = commit<repeatable_group>,
         .run_async = commit_later<repeatable_group>},
    };
}

}  // namespace

operation_list indexed_writes() {
    auto all = writes();
    for (auto& o : all) o.looks_itself = true;
    all.push_back({"indexed_transaction", after_loss::by_token, commit<mixed_group>});
    for (auto& o : all) o.set_up = set_up_clerks;
    return all;
}

}  // namespace tablemap::test
