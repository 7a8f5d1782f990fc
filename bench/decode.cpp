// SPDX-License-Identifier: Apache-2.0
#include "decode_by_hand.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

// Decoding a page of 1,000 entities, and one entity, against decodes written for this struct.
namespace {

using namespace bench;

using page_decoder = bool(std::string&, std::vector<stored_employee>&);

bool by_library(std::string& json, std::vector<stored_employee>& out) {
    std::vector<tablemap::detail::bad_row_at> bad;
    return tablemap::detail::decode_page(json, out, bad).has_value() && bad.empty();
}

void check(std::vector<stored_employee> const& decoded) {
    require(decoded.size() == page_size, "the page was not decoded");
    for (std::size_t i = 0; i < decoded.size(); ++i) {
        require(decoded[i].value == make_employee(static_cast<std::int32_t>(i)),
                "a decoded value differs from the sample");
        require(decoded[i].etag == tablemap::etag::of(decoded[i].timestamp), "an etag or a timestamp was not decoded");
    }
}

void page(benchmark::State& state, page_decoder* decode) {
    auto json = make_page(page_size);
    std::vector<stored_employee> out;
    out.reserve(page_size);
    require(decode(json, out), "the page cannot be decoded");
    check(out);
    for (auto _ : state) {
        out.clear();
        if (!decode(json, out)) state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(page_size));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(json.size()));
}

BENCHMARK_CAPTURE(page, library, by_library)->Name("decode_page/entities")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(page, inline, decode_page_inline)->Name("decode_page/baseline_inline")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(page, table, decode_page_by_table)->Name("decode_page/baseline_table")->Unit(benchmark::kMicrosecond);

bool by_library_alone(std::string& json, stored_employee& out) {
    auto e = tablemap::detail::decode<employee>(json);
    if (e) out = *std::move(e);
    return e.has_value();
}

bool by_hand_alone(std::string& json, stored_employee& out) {
    stored_employee e;
    bool const good = decode_entity_inline(json, e);
    out = std::move(e);
    return good;
}

void single(benchmark::State& state, bool (*decode)(std::string&, stored_employee&)) {
    auto const e = make_employee(123'456);
    auto json = answered(e);
    stored_employee out;
    require(decode(json, out) && out.value == e, "the entity is not decoded to the sample");
    for (auto _ : state) {
        if (!decode(json, out)) state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(&out);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(single, library, by_library_alone)->Name("decode_entity/entity");
BENCHMARK_CAPTURE(single, inline, by_hand_alone)->Name("decode_entity/baseline_inline");

}  // namespace
