// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// The entity that all benchmarks use: 13 properties beside its keys, about 1.1 KB as the service sends it.
namespace bench {

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

inline constexpr std::string_view department = "Sales";
inline constexpr std::size_t page_size = 1000;

}  // namespace bench

template <> struct tablemap::mapping<bench::employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&bench::employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&bench::employee::id>.width(6));
};

namespace bench {

using stored_employee = tablemap::entity<employee>;

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

/// The bytes of an entity as tablemap writes them.
inline std::string encoded(employee const& e) {
    tablemap::detail::encoded_entity out;
    require(tablemap::detail::encode(e, out).has_value(), "the sample cannot be encoded");
    return out.body;
}

/// The entity as a store answers it: with etag and timestamp.
inline std::string answered(employee const& e) {
    auto const stamp = e.hired + std::chrono::hours{30'000};
    auto const etag = tablemap::etag::of(stamp);
    auto const body = encoded(e);
    auto const keys_end = body.find(",\"first\"");
    std::string out = "{\"odata.etag\":";
    tablemap::detail::append_json_string(out, etag.text());
    out.append(",").append(body, 1, keys_end - 1);
    out.append(",\"Timestamp\":\"").append(stamp.text()).append("\"").append(body, keys_end);
    return out;
}

inline std::string make_page(std::size_t count) {
    std::string page = "{\"odata.metadata\":\"https://account.table.core.windows.net/$metadata#employees\",\"value\":[";
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) page += ',';
        page += answered(make_employee(static_cast<std::int32_t>(i)));
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
inline bool same(stored_employee const& a, stored_employee const& b) {
    return a.value == b.value && a.etag == b.etag && a.timestamp == b.timestamp;
}

}  // namespace bench
