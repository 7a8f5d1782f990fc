// SPDX-License-Identifier: Apache-2.0
// Every way to say what is written, and how; braces find their options.
#include <tablemap/tablemap.hpp>

#include <optional>
#include <string>
#include <variant>

struct counter {
    std::string name{};
    std::int64_t count{};
    void add() { ++count; }
};
struct gauge {
    std::string name{};
    double value{};
};

template <> struct tablemap::mapping<counter> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "counter");
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&counter::name>);
};
template <> struct tablemap::mapping<gauge> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "gauge");
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&gauge::name>);
};

using either = std::variant<counter, gauge>;

void modifies(tablemap::table<counter> const& t, tablemap::call_options const& call,
              tablemap::modify_options const& own) {
    auto const add = [](counter& c) { ++c.count; };
    t.modify({"a"}, add);
    t.modify({"a"}, &counter::add);
    t.modify({"a"}, add, call);
    t.modify({"a"}, add, own);
    t.modify({"a"}, add, own, call);
    t.modify({"a"}, add, {.attempts = 3});
    t.modify({"a"}, add, {.attempts = 3}, {.deadline = tablemap::within(std::chrono::seconds{1})});
    t.modify({"a"}, add, {.deadline = tablemap::within(std::chrono::seconds{1})});
    t.modify_or_insert({.name = "a"}, add);
    t.modify_or_insert({.name = "a"}, &counter::add, {.longest_wait = std::chrono::milliseconds{1}});
    t.modify_or_insert({.name = "a"}, add, {}, call);
}

void merges(tablemap::table<counter> const& t, tablemap::entity<counter>& e, counter const& before) {
    bool const changed = t.merge(e, tablemap::changed_since(before));
    auto const copy = e;
    tablemap::result<bool> const again = t.try_merge(e, tablemap::changed_since(copy), {.request_id = "r"});
    static_cast<void>(changed && again);
}

void several_types(tablemap::table<either> const& t, tablemap::entity<either>& e) {
    t.merge(e, tablemap::changed_since(e.value));
    t.modify(tablemap::key_of<gauge>{"a"}, [](either& v) { std::get<gauge>(v).value = 1; });
    t.modify_or_insert(gauge{"a", 1}, [](either& v) { std::get<gauge>(v).value = 1; });
}

void any_type(tablemap::table<tablemap::dynamic_entity> const& t, tablemap::entity<tablemap::dynamic_entity>& e) {
    t.merge(e, tablemap::changed_since(e));
    t.modify({"p", "r"}, [](tablemap::dynamic_entity& d) { d.erase("x"); });
    t.modify_or_insert({"p", "r"}, [](tablemap::dynamic_entity& d) { d.set("x", true); });
}
