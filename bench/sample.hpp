// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/key_of.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The entities of the benchmarks.
namespace bench {

/// That of all benchmarks: 13 properties beside its keys, about 1.1 KB as the service sends it.
struct employee {
    std::string department;
    std::int32_t id = 0;
    std::string first;
    std::string last;
    std::string email;
    std::string phone;
    std::string city;
    std::string notes;
    std::int32_t age = 0;
    std::int32_t level = 0;
    std::int32_t balance = 0;
    std::int64_t total = 0;
    double score = 0;
    bool active = false;
    tablemap::ticks hired;

    friend bool operator==(employee const&, employee const&) = default;
};

/// Shaped differently: texts that may be missing, and no numbers. Measured beside `employee` where the struct matters.
struct contact {
    std::string country;
    std::string mail;
    std::string name;
    std::optional<std::string> company;
    std::optional<std::string> street;
    std::optional<std::string> town;
    std::optional<std::string> fax;
    std::optional<tablemap::ticks> met;

    friend bool operator==(contact const&, contact const&) = default;
};

inline constexpr std::string_view department = "Sales";
inline constexpr std::size_t page_size = 1000;

}  // namespace bench

template <> struct tablemap::mapping<bench::employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&bench::employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&bench::employee::id>.width(6));
};

template <> struct tablemap::mapping<bench::contact> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&bench::contact::country>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&bench::contact::mail>);
};

namespace bench {

using stored_employee = tablemap::entity<employee>;
using stored_contact = tablemap::entity<contact>;

/// Ends the program: a benchmark that does the wrong thing must not print a time.
inline void require(bool good, char const* what) {
    if (good) return;
    std::fprintf(stderr, "error: %s\n", what);
    std::exit(EXIT_FAILURE);
}

inline employee make_employee(std::int32_t id) {
    auto const number = std::to_string(100'000 + id % 100'000);
    employee e;
    e.department = department;
    e.id = id;
    e.first = "Donald";
    e.last = "Hall" + number;
    e.email = "donh" + number + "@contoso.com";
    e.phone = "+1 555 " + number;
    e.city = "Seattle, Washington";
    while (e.notes.size() < 500) e.notes += "Talks to customers in the north and knows every one of them by name. ";
    e.age = 20 + id % 50;
    e.level = id;
    e.balance = -7 * id;
    e.total = 9'876'543'200'000 + id;
    e.score = 12.5 + id / 8.0;
    e.active = id % 3 != 0;
    e.hired = tablemap::ticks{635'442'572'401'234'567 + 10'000'001LL * id};
    return e;
}

inline std::string mail_of(std::int32_t id) { return "c" + std::to_string(100'000 + id) + "@contoso.com"; }

inline contact make_contact(std::int32_t id) {
    auto const number = std::to_string(100'000 + id);
    return {.country = "DE",
            .mail = mail_of(id),
            .name = "Müller " + number,
            .company = "Contoso \"North\" " + number,
            .street = std::nullopt,
            .town = "Buxtehude",
            .fax = std::nullopt,
            .met = tablemap::ticks{635'442'572'401'234'567 + 10'000'001LL * id}};
}

/// For benchmarks that are templates over the struct: its values and keys, and the end of its names in results.
template <class T> struct sample;

template <> struct sample<employee> {
    static constexpr std::string_view suffix = "";
    static constexpr std::string_view first_property = "first";

    static employee make(std::int32_t id) { return make_employee(id); }
    static tablemap::key_of<employee> key(std::int32_t id) { return {std::string{department}, id}; }
    static std::string partition() { return std::string{department}; }
    static void renumber(employee& e, std::int32_t id) { e.id = id; }
    static void move(employee& e, std::string to) { e.department = std::move(to); }
    static void change(employee& e) { ++e.age; }
    static tablemap::ticks stamp(employee const& e) { return e.hired + std::chrono::hours{30'000}; }
};

template <> struct sample<contact> {
    static constexpr std::string_view suffix = "_contact";
    static constexpr std::string_view first_property = "name";

    static contact make(std::int32_t id) { return make_contact(id); }
    static tablemap::key_of<contact> key(std::int32_t id) { return {"DE", mail_of(id)}; }
    static std::string partition() { return "DE"; }
    static void renumber(contact& c, std::int32_t id) { c.mail = mail_of(id); }
    static void move(contact& c, std::string to) { c.country = std::move(to); }
    static void change(contact& c) { c.name += '.'; }
    static tablemap::ticks stamp(contact const& c) { return *c.met + std::chrono::hours{30'000}; }
};

/// The bytes of an entity as tablemap writes them.
template <class T> std::string encoded(T const& value) {
    tablemap::detail::encoded_entity out;
    require(tablemap::detail::encode(value, out).has_value(), "the sample cannot be encoded");
    return out.body;
}

/// The entity as a store answers it: with etag and timestamp.
template <class T> std::string answered(T const& value) {
    auto const stamp = sample<T>::stamp(value);
    auto const etag = tablemap::etag::of(stamp);
    auto const body = encoded(value);
    auto const keys_end = body.find(",\"" + std::string{sample<T>::first_property} + '"');
    std::string out = "{\"odata.etag\":";
    tablemap::detail::append_json_string(out, etag.text());
    out.append(",").append(body, 1, keys_end - 1);
    out.append(",\"Timestamp\":\"").append(stamp.text()).append("\"").append(body, keys_end);
    return out;
}

template <class T = employee> std::string make_page(std::size_t count) {
    std::string page = "{\"odata.metadata\":\"https://account.table.core.windows.net/$metadata#employees\",\"value\":[";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) page += ',';
        page += answered(sample<T>::make(static_cast<std::int32_t>(i)));
    }
    page += "]}";
    return page;
}

/// The service's response to a group of so many inserts.
inline std::string make_group_answer(std::size_t count) {
    std::string out = "--batchresponse_1\r\nContent-Type: multipart/mixed; boundary=changesetresponse_2\r\n\r\n";
    for (std::size_t i = 0; i < count; ++i)
        out += "--changesetresponse_2\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
               "HTTP/1.1 204 No Content\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
               "Preference-Applied: return-no-content\r\nDataServiceVersion: 3.0;\r\n"
               "Location: http://127.0.0.1/employees(PartitionKey='Sales',RowKey='empid_000212')\r\n"
               "DataServiceId: http://127.0.0.1/employees(PartitionKey='Sales',RowKey='empid_000212')\r\n"
               "ETag: W/\"datetime'2026-11-20T08%3A30%3A00.1234567Z'\"\r\n\r\n\r\n";
    return out + "--changesetresponse_2--\r\n--batchresponse_1--\r\n";
}

/// Equal in everything, etag and timestamp included.
template <class T> bool same(tablemap::entity<T> const& a, tablemap::entity<T> const& b) {
    return a.value == b.value && a.etag == b.etag && a.timestamp == b.timestamp;
}

}  // namespace bench
