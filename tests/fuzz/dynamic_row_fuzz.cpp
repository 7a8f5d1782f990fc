// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <bit>

/// Input: a page or an entity, as a store answers it, read with the types that it declares. What is read and written is
/// read again as the same.
namespace tablemap::fuzz {
namespace {

using namespace tablemap::detail;

bool is_writable(stored_entity const& e) {
    auto const all = properties_of(e);
    return std::all_of(all.begin(), all.end(), [](auto& p) { return check_property_name(p.name).has_value(); });
}

/// NaN is not equal to itself.
bool is_same(property_value const& a, property_value const& b) {
    auto const* const x = std::get_if<double>(&a);
    auto const* const y = std::get_if<double>(&b);
    return x && y ? std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y) || (*x != *x && *y != *y)
                  : a == b;
}

void check_round_trip(stored_entity const& e) {
    require(properties_of(e).size() <= most_properties_read, "a row has a bounded number of properties");
    if (!is_writable(e)) return;
    std::string written;
    append_entity(written, e);
    auto const again = read_dynamic(written);
    require(again.has_value(), "what is written is read");
    require(again->partition_key == e.partition_key && again->row_key == e.row_key,
            "keys are read as they were written");
    auto const before = properties_of(e), after = properties_of(*again);
    require(std::equal(before.begin(), before.end(), after.begin(), after.end(),
                       [](auto& a, auto& b) { return a.name == b.name && is_same(a.value, b.value); }),
            "properties are read as they were written");
}

}  // namespace

TABLEMAP_FUZZ_TARGET(dynamic_row) {
    std::string json{input};
    if (auto const rows = read_dynamic_page(json))
        for (auto const& e : *rows) check_round_trip(e);
    json = input;
    if (auto const e = read_dynamic(json)) check_round_trip(*e);
}

}  // namespace tablemap::fuzz
