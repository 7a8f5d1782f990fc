// SPDX-License-Identifier: Apache-2.0
//
// usage: inferred_rows FILE
//
// Writes rows of the types under golden/ into an embedded file, for schemas to be inferred from.

#include <claims.hpp>
#include <devices.hpp>
#include <employees.hpp>
#include <everything.hpp>
#include <long_names.hpp>
#include <minimal.hpp>
#include <personnel.hpp>
#include <telemetry.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

bool inventory::is_dear(device const& d) { return d.price.cents() > 1'000; }

namespace {

constexpr int rows = 40;

std::string numbered(std::string const& word, int n) { return word + std::to_string(n); }

tablemap::ticks hour(int n) {
    return tablemap::ticks{std::chrono::sys_days{std::chrono::year{2024} / 2 / 28} + std::chrono::hours{n}};
}

tablemap::guid id_of(int n) {
    return tablemap::guid::from_random(0x9E3779B97F4A7C15U * static_cast<unsigned>(n + 1), 7);
}

/// The rows of a table, made by a function of their number.
template <class T, class Make> void write(tablemap::store_ptr const& store, std::string const& name, Make make) {
    tablemap::table<T> const t{store, name};
    static_cast<void>(t.create_if_not_exists());
    for (int n = 0; n < rows; ++n) t.insert(make(n));
}

void write_claims(tablemap::store_ptr const& store) {
    write<contoso::expenses::claim>(store, "Claims", [](int n) {
        contoso::expenses::claim c{.employee = numbered("don", n % 5), .entered = hour(n), .id = id_of(n), .cents = n};
        c.urgency = n % 2 == 0 ? contoso::expenses::priority::low : contoso::expenses::priority::high;
        if (n % 3 == 0) c.receipt = tablemap::bytes(3, std::byte{1});
        return c;
    });
}

void write_devices(tablemap::store_ptr const& store) {
    write<inventory::device>(store, "Devices", [](int n) {
        inventory::device d{.owner = numbered("o", n % 4), .id = numbered("d", n), .maker = numbered("maker", n % 3)};
        d.price = inventory::money{100 * n};
        if (n % 2 == 0) d.model = numbered("m", n);
        return d;
    });
    write<inventory::lamp>(store, "Devices", [](int n) {
        return inventory::lamp{.owner = numbered("o", n % 4), .watts = static_cast<std::int16_t>(n)};
    });
}

void write_employees(tablemap::store_ptr const& store) {
    write<contoso::employee>(store, "Employees", [](int n) {
        contoso::employee e{.department = numbered("Sales", n % 4), .id = n, .first_name = numbered("Don", n % 7)};
        e.last_name = numbered("Hall ", n % 9);
        if (n % 2 == 0) e.email = numbered("don", n) + "@contoso.com";
        return e;
    });
    write<contoso::department>(store, "Employees", [](int n) {
        return contoso::department{.name = numbered("Sales", n), .founded = std::chrono::year{1990} / 1 / (1 + n % 28)};
    });
}

void write_everything(tablemap::store_ptr const& store) {
    write<workshop::sample>(store, "Samples", [](int n) {
        workshop::sample s{.site = numbered("s", n % 3), .number = static_cast<std::uint16_t>(n), .moment = hour(n)};
        s.wide = 1000 - 7 * n;
        s.id = id_of(n);
        s.page = *tablemap::url::parse("https://contoso.com/" + std::to_string(n));
        return s;
    });
    write<workshop::part>(store, "Parts", [](int n) {
        workshop::part p{.class_ = numbered("c", n % 3), .range = numbered("r ", n)};
        if (n % 2 == 0) p.int32_or_none = n;
        if (n % 3 == 0) p.date_or_none = std::chrono::year{2024} / 2 / (1 + n % 28);
        p.secret_string = numbered("secret", n);
        p.secret_datetime = hour(n);
        p.secret_grade = workshop::grade::first;
        p.secret_url = *tablemap::url::parse("https://contoso.com");
        p.series_of_double[0] = n;
        return p;
    });
    write<workshop::workshop_key>(store, "Keys", [](int n) {
        workshop::workshop_key k{
            .a_text = numbered("t", n), .a_flag = n % 2 == 0, .a_tiny = static_cast<std::int8_t>(n)};
        k.a_small = static_cast<std::int16_t>(n);
        k.a_plain = 17 * n;
        k.a_wide = static_cast<std::uint64_t>(n + 1);
        k.a_real = n / 4.0;
        k.a_moment = hour(n);
        k.a_day = std::chrono::year{2024} / 2 / (1 + n % 28);
        k.an_id = id_of(n);
        k.a_grade = n % 2 == 0 ? workshop::grade::first : workshop::grade::second;
        k.spread = numbered("x", n);
        return k;
    });
}

void write_measurements(tablemap::store_ptr const& store) {
    using measurement = measuring::laboratory::measurement_of_an_instrument;
    write<measurement>(store, "Measurements", [](int n) {
        measurement m{.region_of_the_laboratory = numbered("a/b ", n % 3),
                      .number_of_the_laboratory = static_cast<std::uint16_t>(n % 4),
                      .name_of_the_instrument = numbered("scale #", n % 5),
                      .time_of_the_measurement = hour(n)};
        m.name_of_the_operator = numbered("eva", n % 2);
        return m;
    });
}

void write_telemetry(tablemap::store_ptr const& store) {
    write<telemetry::event>(store, "Events", [](int n) {
        telemetry::event e{.day = "2024-02-28", .device = numbered("d", n % 20), .number = n, .what = numbered("w", n)};
        e.values[static_cast<std::size_t>(n % 24)] = n / 2.0;
        return e;
    });
    write<telemetry::session>(store, "Sessions", [](int n) {
        telemetry::session s{.user = numbered("u", n), .address = numbered("10.0.0.", n), .flag = n % 2 == 0};
        s.size = static_cast<std::uint8_t>(n + 1);
        s.ratio = n / 8.0;
        return s;
    });
}

/// Rows that no program of ours wrote: names that C++ does not take, several types, keys of any text.
void write_foreign(tablemap::store_ptr const& store) {
    constexpr std::array names{"class",   "_",      "x__y",   "std",  "o",  "partition_",
                               "foreign", "extras", "names_", "type", "EOF"};
    constexpr std::array keys{"", "~", "a_", "0000", "\xC3\xBC_1", " !", "\"'", "2024-02-28"};
    write<tablemap::dynamic_entity>(store, "Foreign", [&](int n) {
        auto const at = static_cast<std::size_t>(n);
        tablemap::dynamic_entity row{keys[at % keys.size()], numbered(keys[at / keys.size()], n)};
        row.set(names[at % names.size()], n);
        row.set(names[(at + 3) % names.size()], -n);
        row.set("mixed", n);
        if (n % 3 == 0) row.set("mixed", numbered("text", n));
        return row;
    });
}

void write_all(std::string const& file) {
    auto keys = std::make_shared<tablemap::key_ring>();
    keys->add_current("k1", tablemap::bytes(32, std::byte{7}));
    auto const store = tablemap::open("embedded:" + file + ";synchronous=normal", {.keys = keys});
    write_claims(store);
    write_devices(store);
    write_employees(store);
    write_everything(store);
    write_measurements(store);
    write_telemetry(store);
    write_foreign(store);
    write<note>(store, "Notes", [](int n) { return note{.owner = numbered("o", n), .text = numbered("t", n)}; });
    write<contoso::person>(store, "Personnel", [](int n) {
        contoso::person p{.country = numbered("c", n % 3), .number = static_cast<std::uint32_t>(n)};
        p.name = numbered("name", n);
        p.iban = numbered("iban", n);
        if (n % 2 == 0) p.salary = n;
        return p;
    });
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 2) throw std::runtime_error{"give the file to write"};
    static_cast<void>(std::remove(argv[1]));
    write_all(argv[1]);
    return 0;
} catch (std::exception const& e) {
    std::cerr << e.what() << "\n";
    return 1;
}
