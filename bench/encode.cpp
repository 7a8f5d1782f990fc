// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <cstring>

// Encoding one entity, keys and body, into buffers that are reused, against appends written by hand for this struct:
// once with the library's functions for text and time, once without anything of the library. Neither checks a limit.
namespace {

using namespace bench;

template <class Number> void append_number(std::string& out, Number n) {
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, n).ptr);
}

void append_padded(std::string& out, std::int64_t n, int width) {
    char text[20];
    for (int i = width; i-- > 0; n /= 10) text[i] = static_cast<char>('0' + n % 10);
    out.append(text, static_cast<std::size_t>(width));
}

void append_real(std::string& out, double d) {
    auto const at = out.size();
    append_number(out, d);
    if (out.find_first_of(".e", at) == std::string::npos) out += ".0";
}

struct handmade {
    std::string partition_key, row_key, body;
};

/// `append_text(out, string)` appends a quoted string, `append_time(out, ticks)` the text of a time.
template <class Text, class Time>
void append_employee(handmade& to, employee const& e, Text append_text, Time append_time) {
    to.partition_key = e.department;
    to.row_key = "empid_";
    append_padded(to.row_key, e.id, 6);
    auto& out = to.body;
    out = "{\"PartitionKey\":";
    append_text(out, to.partition_key);
    out += ",\"RowKey\":";
    append_text(out, to.row_key);
    out += ",\"first\":";
    append_text(out, e.first);
    out += ",\"last\":";
    append_text(out, e.last);
    out += ",\"email\":";
    append_text(out, e.email);
    out += ",\"phone\":";
    append_text(out, e.phone);
    out += ",\"city\":";
    append_text(out, e.city);
    out += ",\"notes\":";
    append_text(out, e.notes);
    out += ",\"age\":";
    append_number(out, e.age);
    out += ",\"level\":";
    append_number(out, e.level);
    out += ",\"balance\":";
    append_number(out, e.balance);
    out += ",\"total@odata.type\":\"Edm.Int64\",\"total\":\"";
    append_number(out, e.total);
    out += "\",\"score@odata.type\":\"Edm.Double\",\"score\":";
    append_real(out, e.score);
    out += ",\"active\":";
    out += e.active ? "true" : "false";
    out += ",\"hired@odata.type\":\"Edm.DateTime\",\"hired\":\"";
    append_time(out, e.hired);
    out += "\"}";
}

void append_with_library_text(handmade& out, employee const& e) {
    append_employee(
        out, e, [](std::string& to, std::string const& text) { tablemap::detail::append_json_string(to, text); },
        [](std::string& to, tablemap::ticks t) { tablemap::detail::append_ticks(to, t); });
}

// ---- by hand to the last byte ---------------------------------------------------------------------------------------

constexpr bool needs_escape(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

constexpr auto escape_table = [] {
    std::array<bool, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = needs_escape(static_cast<char>(i));
    return table;
}();

void append_quoted(std::string& out, std::string const& text) {
    out += '"';
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        if (!escape_table[c]) continue;
        out.append(text, from, i - from);
        from = i + 1;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += text[i];
        } else {
            constexpr std::string_view hex = "0123456789abcdef";
            out.append("\\u00").append(1, hex[c >> 4]).append(1, hex[c & 15]);
        }
    }
    out.append(text, from);
    out += '"';
}

void append_date_time(std::string& out, tablemap::ticks t) {
    auto const day = std::chrono::floor<std::chrono::days>(t.time());
    std::chrono::year_month_day const date{day};
    auto const in_day = (t.time() - day).count();
    auto const second = in_day / 10'000'000;
    append_padded(out, static_cast<int>(date.year()), 4);
    out += '-';
    append_padded(out, static_cast<unsigned>(date.month()), 2);
    out += '-';
    append_padded(out, static_cast<unsigned>(date.day()), 2);
    out += 'T';
    append_padded(out, second / 3600, 2);
    out += ':';
    append_padded(out, second / 60 % 60, 2);
    out += ':';
    append_padded(out, second % 60, 2);
    if (auto const fraction = in_day % 10'000'000; fraction != 0) {
        out += '.';
        append_padded(out, fraction, 7);
        while (out.back() == '0') out.pop_back();
    }
    out += 'Z';
}

void append_without_library(handmade& out, employee const& e) {
    append_employee(out, e, append_quoted, append_date_time);
}

// ---- the benchmarks -------------------------------------------------------------------------------------------------

void set_rates(benchmark::State& state, std::size_t bytes) {
    state.SetItemsProcessed(state.iterations());
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

void by_hand(benchmark::State& state, void (*append)(handmade&, employee const&)) {
    auto const e = make_employee(123'456);
    handmade out;
    append(out, e);
    tablemap::detail::encoded_entity expected;
    require(tablemap::detail::encode(e, expected).has_value(), "the sample cannot be encoded");
    require(out.body == expected.body && out.partition_key == expected.partition_key && out.row_key == expected.row_key,
            "the hand-written encoding is not the library's");
    for (auto _ : state) {
        append(out, e);
        benchmark::DoNotOptimize(out.body.data());
        benchmark::ClobberMemory();
    }
    set_rates(state, out.body.size());
}

void encode(benchmark::State& state) {
    auto const e = make_employee(123'456);
    tablemap::detail::encoded_entity out;
    for (auto _ : state) {
        if (!tablemap::detail::encode(e, out)) state.SkipWithError("encode failed");
        benchmark::DoNotOptimize(out.body.data());
        benchmark::ClobberMemory();
    }
    set_rates(state, out.body.size());
}

BENCHMARK(encode)->Name("encode/entity");
BENCHMARK_CAPTURE(by_hand, library_text, append_with_library_text)->Name("encode/baseline_library_text");
BENCHMARK_CAPTURE(by_hand, by_hand, append_without_library)->Name("encode/baseline_by_hand");

}  // namespace
