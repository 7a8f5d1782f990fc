// SPDX-License-Identifier: Apache-2.0

// Personnel records whose salary, bank account and notes nobody can read in the store: encrypted members, a look-up by a blind
// index, a new key, re-encryption, and what a program without the right key is told.

#include <tablemap/tablemap.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace tmap = tablemap;

struct record {
    std::string department{};
    std::int32_t id{};
    std::string name{};
    tmap::encrypted<std::int64_t> salary{};  // in cents
    tmap::encrypted<std::string> iban{};
    std::optional<tmap::encrypted<std::string>> note{};
};

template <> struct tmap::mapping<record> {
    static constexpr auto partition_key = tmap::key(tmap::part<&record::department>);
    static constexpr auto row_key = tmap::key(tmap::part<&record::id>.width(6));
    static constexpr auto members = tmap::members(tmap::member<&record::iban>.blind_index());
};

namespace {

/// Stands for a vault: 32 bytes of a year's key.
tmap::bytes secret_of(int year) { return tmap::bytes(32, static_cast<std::byte>(year)); }

/// How the values of a table are stored, by a program that has no keys.
void show_store(tmap::store_ptr const& store, char const* when) {
    tmap::table<tmap::dynamic_entity> const rows{store, "Personnel"};
    auto const row = rows.find("Sales", "000212");
    std::printf("%s, in the store:\n", when);
    for (auto const& p : row->value.properties()) {
        auto const* const text = std::get_if<std::string>(&p.value);
        std::printf("  %-10s %s\n", p.name.c_str(), text ? text->c_str() : "(binary)");
    }
}

void show_accounts(tmap::table<record> const& personnel, std::string const& iban) {
    for (auto const& e : personnel.scan(tmap::blind<&record::iban> == iban))
        std::printf("%s is paid to that account\n", e.value.name.c_str());
}

}  // namespace

int main() {
    auto const keys = std::make_shared<tmap::key_ring>();
    keys->add_current("2025", secret_of(2025));

    auto const store = tmap::open("embedded:personnel.db", {.keys = keys});
    tmap::table<record> const personnel{store, "Personnel"};
    personnel.create();

    personnel.insert({.department = "Sales", .id = 212, .name = "Don Hall", .salary = 420'000, .iban = "AT61-1904"});
    personnel.insert({.department = "Sales", .id = 213, .name = "Jun Cao", .salary = 450'000, .iban = "AT61-1905"});
    auto const without_keys = tmap::open("embedded:personnel.db");
    show_store(without_keys, "Written under the key of 2025");

    // A merge of one member leaves the others as they are, whatever key they are under.
    keys->add_current("2026", secret_of(2026));
    personnel.modify({"Sales", 212}, [](record& r) { r.salary = *r.salary + 10'000; });
    auto const don = personnel.find("Sales", 212);
    std::printf("%s earns %lld.%02lld\n", don->value.name.c_str(), static_cast<long long>(*don->value.salary / 100),
                static_cast<long long>(*don->value.salary % 100));
    show_accounts(personnel, "AT61-1905");

    // After the rotation: all values under the new key, and the old one can go.
    auto const report = personnel.reencrypt();
    std::printf("re-encrypted %zu rows, refused %zu\n", report.rewritten, report.refused.size());
    keys->erase("2025");
    show_accounts(personnel, "AT61-1905");

    auto const others = std::make_shared<tmap::key_ring>();
    others->add_current("2024", secret_of(2024));
    tmap::table<record> const stranger{tmap::open("embedded:personnel.db", {.keys = others}), "Personnel"};
    auto const refused = stranger.try_find({"Sales", 212});
    std::printf("with other keys: %s\n", refused ? "read" : refused.error().code().message().c_str());

    // A ciphertext is bound to its place: one that is copied to another row is found out.
    tmap::table<tmap::dynamic_entity> const rows{without_keys, "Personnel"};
    auto const better_paid = rows.find("Sales", "000213");
    rows.modify({"Sales", "000212"},
                [&](tmap::dynamic_entity& e) { e.set_value("salary", *better_paid->value.find("salary")); });
    auto const moved = personnel.try_find({"Sales", 212});
    std::printf("a salary of another row: %s (%s)\n", moved ? "read" : moved.error().code().message().c_str(),
                moved ? "" : moved.error().member().c_str());
}
