// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/mapping/decode.hpp"
#include "tablemap/mapping/encrypted.hpp"
#include "tablemap/mapping/property_cipher.hpp"
#include "crypto/sealed_value.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

// One entity with five encrypted members, to its body and back, beside the same entity in the open and five values
// encrypted and decrypted alone.
namespace bench {
namespace {

template <template <class> class As> struct person {
    std::string department;
    std::int32_t id = 0;
    std::string first;
    std::string last;
    As<std::string> iban;
    As<std::string> address;
    As<std::int32_t> salary;
    As<double> rating;
    As<tablemap::ticks> born;

    friend bool operator==(person const&, person const&) = default;
};

template <class T> using in_the_open = T;
using open_person = person<in_the_open>;
using sealed_person = person<tablemap::encrypted>;

template <class P> P make_person() {
    return {"Sales",
            212,
            "Ada",
            "Lovelace",
            "DE89370400440532013000",
            "12 St James's Square, London",
            75'000,
            4.5,
            tablemap::ticks{573'000'000'000'000'000}};
}

}  // namespace
}  // namespace bench

template <template <class> class As> struct tablemap::mapping<bench::person<As>> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&bench::person<As>::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&bench::person<As>::id>.width(6));
};

namespace bench {
namespace {

using namespace tablemap;

constexpr detail::sealed_place place{"Employees", "Sales", "empid_000212", "address"};
constexpr std::size_t members = 5;
constexpr std::size_t usual_size = 16;

std::shared_ptr<key_ring> ring() {
    static auto const made = [] {
        auto r = std::make_shared<key_ring>();
        r->add_current("2026-01", bytes(32, std::byte{7}));
        return r;
    }();
    return made;
}

detail::property_cipher const& cipher() {
    static detail::property_cipher const one{"Employees", ring(), {}, nullptr};
    return one;
}

template <class P> void encode(benchmark::State& state) {
    auto const p = make_person<P>();
    detail::encoded_entity out;
    for (auto _ : state) {
        if (!detail::encode(p, out, detail::empty_members::left_out, &cipher())) state.SkipWithError("was not encoded");
        benchmark::DoNotOptimize(out.body.data());
    }
}

template <class P> void decode(benchmark::State& state) {
    auto const p = make_person<P>();
    detail::encoded_entity out;
    if (!detail::encode(p, out, detail::empty_members::left_out, &cipher())) std::abort();
    std::string json;
    for (auto _ : state) {
        json = out.body;
        entity<P> e;
        if (!detail::decode_into(json, e, &cipher())) state.SkipWithError("was not decoded");
        benchmark::DoNotOptimize(&e);
    }
}

void seal_each(benchmark::State& state) {
    bytes const plain(usual_size);
    for (auto _ : state)
        for (std::size_t i = 0; i < members; ++i)
            benchmark::DoNotOptimize(detail::seal(*ring()->current(), place, 1, plain)->data());
}

void open_each(benchmark::State& state) {
    auto const sealed = *detail::seal(*ring()->current(), place, 1, bytes(usual_size));
    for (auto _ : state)
        for (std::size_t i = 0; i < members; ++i)
            benchmark::DoNotOptimize(detail::open_sealed(*ring(), place, sealed)->plain.data());
}

BENCHMARK(encode<sealed_person>)->Name("crypto_encode/five_encrypted_members");
BENCHMARK(encode<open_person>)->Name("crypto_encode/baseline_in_the_open");
BENCHMARK(seal_each)->Name("crypto_encode/baseline_five_values_alone");
BENCHMARK(decode<sealed_person>)->Name("crypto_decode/five_encrypted_members");
BENCHMARK(decode<open_person>)->Name("crypto_decode/baseline_in_the_open");
BENCHMARK(open_each)->Name("crypto_decode/baseline_five_values_alone");

}  // namespace
}  // namespace bench
