// SPDX-License-Identifier: Apache-2.0
// Calls that stand near those that a table refuses: each of these finds its overload.
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};
struct team {
    std::string name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};
template <> struct tablemap::mapping<team> {
    static constexpr auto partition_key = tablemap::key("teams");
    static constexpr auto row_key = tablemap::key(tablemap::part<&team::name>);
};

namespace tmap = tablemap;

void finds(tmap::table<employee> const& t, tmap::table<team> const& one, tmap::call_options const& o,
           tmap::call_options& own) {
    tmap::key_of<employee> key{"Sales", 1};
    auto const& same = key;
    t.find("Sales", 1);
    t.find({"Sales", 1});
    t.find("Sales", 1, o);
    t.find("Sales", 1, own);
    t.find({"Sales", 1}, {.deadline = {}});
    t.find({"Sales", 1}, {});
    t.find(key);
    t.find(same, own);
    t.try_find("Sales", 1, tmap::call_options{});
    one.find("a");
    one.find("a", o);
    one.find("a", {.deadline = {}});
    one.find({"a"}, {.deadline = {}});
}

void finds_many(tmap::table<employee> const& t, tmap::table<team> const& one, tmap::call_options const& o) {
    tmap::key_of<employee> key{"Sales", 1};
    auto const& same = key;
    auto const list = {key, same};
    std::vector<tmap::key_of<employee>> keys = list;
    static_cast<void>(t.find_many({{"Sales", 1}, {"Sales", 2}}));
    static_cast<void>(t.find_many({{"Sales", 1}, {"Sales", 2}}, 8));
    static_cast<void>(t.find_many({{"Sales", 1}}));
    static_cast<void>(t.find_many({key, same}, 8, o));
    static_cast<void>(t.find_many({key}, 8, {.deadline = {}}));
    static_cast<void>(t.find_many({key, same}, {}));
    static_cast<void>(t.find_many({key}));
    static_cast<void>(t.find_many({}));
    static_cast<void>(t.find_many(list));
    static_cast<void>(t.find_many(keys));
    static_cast<void>(t.find_many(std::move(keys), 8));
    static_cast<void>(one.find_many({"a", "b"}));
    static_cast<void>(one.find_many({{"a"}, {"b"}}));
}

void modifies(tmap::table<employee> const& t, tmap::table<team> const& one, tmap::modify_options& m,
              tmap::call_options& o) {
    auto const change = [](employee& e) { ++e.age; };
    auto const keep = [](team&) {};
    auto const& other = m;
    tmap::key_of<employee> key{"Sales", 1};
    t.modify("Sales", 1, change);
    t.modify("Sales", 1, change, m);
    t.modify("Sales", 1, change, other, o);
    t.modify("Sales", 1, change, o);
    t.modify({"Sales", 1}, change, {.attempts = 3});
    t.modify({"Sales", 1}, change, {.attempts = 3}, {.deadline = {}});
    t.modify({"Sales", 1}, change, {.deadline = {}});
    t.modify(key, change, m);
    t.try_modify({"Sales", 1}, change);
    t.try_modify("Sales", 1, change);
    one.modify("a", keep);
    one.modify({"a"}, keep, {.attempts = 3});
    one.modify("a", keep, {.attempts = 3});
    one.modify("a", keep, m, o);
}

struct checked_employee : tmap::entity<employee> {};

void writes(tmap::table<employee> const& t, tmap::entity<employee>& e, tmap::call_options const& o) {
    checked_employee derived;
    t.replace(e);
    t.replace(e, o);
    t.replace(e, {.deadline = {}});
    t.replace(derived);
    t.replace(std::ref(e));
    t.merge(e);
    t.merge(e, o);
    t.merge(e, tmap::only<&employee::age>);
    t.merge(e, tmap::only<&employee::age>, {.deadline = {}});
    t.merge(e, tmap::changed_since(e.value));
    t.merge(derived);
    t.erase(e);
    t.erase(e, o);
    t.erase(e, {.deadline = {}});
    t.try_erase(std::as_const(e), o);
    t.replace_any({});
    t.replace_any({.department = "Sales"});
    t.upsert_replace({.department = "Sales"}, {.deadline = {}});
    t.upsert_merge({.department = "Sales"});
    t.upsert_merge(e.value, tmap::only<&employee::age>);
    t.merge_any({.department = "Sales", .id = 1, .age = 3}, tmap::only<&employee::age>);
    t.merge_any(e.value, tmap::only<&employee::age>, {.deadline = {}});
    t.erase_any("Sales", 1);
    t.erase_any("Sales", 1, o);
    t.erase_any({"Sales", 1}, {.deadline = {}});
    t.erase_any(tmap::key_of<employee>::of(e.value));
}

void queries(tmap::table<employee> const& t, tmap::call_options const& o) {
    static_cast<void>(t.query(tmap::partition("Sales")));
    static_cast<void>(t.query(tmap::partition("Sales"), {.deadline = {}}));
    static_cast<void>(t.query(tmap::partition("Sales"), tmap::row_range(1, 3), o));
    static_cast<void>(t.query(std::vector{tmap::partition("Sales"), tmap::partition("Audit")}));
}
