// SPDX-License-Identifier: Apache-2.0
#include "decode_by_hand.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

// Decoding a page of 1,000 entities, and one entity, against decodes written for each struct.
namespace {

using namespace bench;

template <class T> using page_decoder = bool(std::string&, std::vector<tablemap::entity<T>>&);
template <class T> using entity_decoder = bool(std::string&, tablemap::entity<T>&);

template <class T> bool by_library(std::string& json, std::vector<tablemap::entity<T>>& out) {
    std::vector<tablemap::detail::bad_row_at> bad;
    return tablemap::detail::decode_page(json, out, bad).has_value() && bad.empty();
}

template <class T> void check(std::vector<tablemap::entity<T>> const& decoded) {
    require(decoded.size() == page_size, "the page was not decoded");
    for (std::size_t i = 0; i < decoded.size(); ++i) {
        require(decoded[i].value == sample<T>::make(static_cast<std::int32_t>(i)),
                "a decoded value differs from the sample");
        require(decoded[i].etag == tablemap::etag::of(decoded[i].timestamp), "an etag or a timestamp was not decoded");
    }
}

template <class T> void page(benchmark::State& state, page_decoder<T>* decode) {
    auto json = make_page<T>(page_size);
    std::vector<tablemap::entity<T>> out;
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

template <class T> bool by_library_alone(std::string& json, tablemap::entity<T>& out) {
    auto e = tablemap::detail::decode<T>(json);
    if (e) out = *std::move(e);
    return e.has_value();
}

template <class T> bool by_hand_alone(std::string& json, tablemap::entity<T>& out) {
    tablemap::entity<T> e;
    bool const good = decode_entity_inline(json, e);
    out = std::move(e);
    return good;
}

template <class T> void single(benchmark::State& state, entity_decoder<T>* decode) {
    auto const e = sample<T>::make(123'456);
    auto json = answered(e);
    tablemap::entity<T> out;
    require(decode(json, out) && out.value == e, "the entity is not decoded to the sample");
    for (auto _ : state) {
        if (!decode(json, out)) state.SkipWithError("decode failed");
        benchmark::DoNotOptimize(&out);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}

template <class T> void add_all() {
    std::string const suffix{sample<T>::suffix};
    auto const add_page = [&](char const* name, page_decoder<T>* decode) {
        benchmark::RegisterBenchmark(("decode_page" + suffix + name).c_str(), page<T>, decode)
            ->Unit(benchmark::kMicrosecond);
    };
    auto const add_single = [&](char const* name, entity_decoder<T>* decode) {
        benchmark::RegisterBenchmark(("decode_entity" + suffix + name).c_str(), single<T>, decode);
    };
    add_page("/entities", by_library<T>);
    add_page("/baseline_inline", decode_page_inline);
    add_page("/baseline_table", decode_page_by_table);
    add_single("/entity", by_library_alone<T>);
    add_single("/baseline_inline", by_hand_alone<T>);
}

[[maybe_unused]] bool const registered = [] {
    add_all<employee>();
    add_all<contact>();
    return true;
}();

}  // namespace
