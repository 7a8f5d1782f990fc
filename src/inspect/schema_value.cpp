// SPDX-License-Identifier: Apache-2.0
#include "inspect/schema_value.hpp"

#include "tablemap/mapping/converters/date.hpp"
#include "tablemap/mapping/converters/decimal.hpp"
#include "tablemap/mapping/converters/duration.hpp"
#include "tablemap/mapping/converters/json_document.hpp"
#include "tablemap/mapping/converters/octets.hpp"
#include "tablemap/mapping/converters/path.hpp"
#include "tablemap/mapping/converters/url.hpp"
#include "tablemap/keys/key.hpp"

#include "codegen/types.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::inspect {
namespace {

using detail::enum_entry;
using detail::json_token;
using detail::value_fault;

// ---- types of C++ ---------------------------------------------------------------------------------------------------

template <class V> schema_value value_of() {
    schema_value v{.ops = &detail::value_ops_of<V>, .object = std::make_shared<V>()};
    if constexpr (detail::plain_key_value<V>) {
        v.key_ops = &detail::part_ops_of<V>;
        v.plain = detail::plain_layout<V>();
    }
    return v;
}

using named_maker = std::pair<std::string_view, schema_value (*)()>;

/// The types that the library can read, by their C++ names.
constexpr std::array makers{
    named_maker{"std::string", &value_of<std::string>},
    named_maker{"bool", &value_of<bool>},
    named_maker{"std::int8_t", &value_of<std::int8_t>},
    named_maker{"std::int16_t", &value_of<std::int16_t>},
    named_maker{"std::int32_t", &value_of<std::int32_t>},
    named_maker{"std::int64_t", &value_of<std::int64_t>},
    named_maker{"std::uint8_t", &value_of<std::uint8_t>},
    named_maker{"std::uint16_t", &value_of<std::uint16_t>},
    named_maker{"std::uint32_t", &value_of<std::uint32_t>},
    named_maker{"std::uint64_t", &value_of<std::uint64_t>},
    named_maker{"double", &value_of<double>},
    named_maker{"tablemap::decimal", &value_of<decimal>},
    named_maker{"tablemap::ticks", &value_of<ticks>},
    named_maker{"std::chrono::sys_days", &value_of<std::chrono::sys_days>},
    named_maker{"tablemap::guid", &value_of<guid>},
    named_maker{"tablemap::bytes", &value_of<bytes>},
    named_maker{"tablemap::url", &value_of<url>},
    named_maker{"tablemap::json_document", &value_of<json_document>},
    named_maker{"std::chrono::microseconds", &value_of<std::chrono::microseconds>},
    named_maker{"std::chrono::milliseconds", &value_of<std::chrono::milliseconds>},
    named_maker{"std::chrono::seconds", &value_of<std::chrono::seconds>},
    named_maker{"std::chrono::minutes", &value_of<std::chrono::minutes>},
    named_maker{"std::chrono::hours", &value_of<std::chrono::hours>},
    named_maker{"std::chrono::days", &value_of<std::chrono::days>},
    named_maker{"std::chrono::year_month_day", &value_of<std::chrono::year_month_day>},
    named_maker{"std::chrono::sys_seconds", &value_of<std::chrono::sys_seconds>},
    named_maker{"std::filesystem::path", &value_of<std::filesystem::path>},
};

// ---- enums ----------------------------------------------------------------------------------------------------------

bool is_listed(enum_value const& e, std::int64_t number) {
    return detail::find_enum_value(e.entries.data(), e.entries.size(), number) < e.entries.size();
}

bool write_name(std::string& out, void const* from, value_fault& fault) {
    auto const& e = *static_cast<enum_value const*>(from);
    auto const at = detail::find_enum_value(e.entries.data(), e.entries.size(), e.number);
    if (at == e.entries.size()) return detail::refuse_enum_number(fault);
    return detail::write_enum_name(out, e.entries[at].name, detail::value_form::json, fault);
}

bool read_name(void* to, json_token const& from, value_fault& fault) {
    auto& e = *static_cast<enum_value*>(to);
    return detail::read_enum_name(from, e.entries.data(), e.entries.size(), e.number, fault);
}

template <class Number> bool write_number(std::string& out, void const* from, value_fault&) {
    detail::append_value(out, static_cast<Number>(static_cast<enum_value const*>(from)->number));
    return true;
}

template <class Number> bool read_number(void* to, json_token const& from, value_fault& fault) {
    auto& e = *static_cast<enum_value*>(to);
    Number number{};
    fault.code = library_errc::type_mismatch;
    if (!detail::assign(number, from)) return false;
    if (!is_listed(e, number)) return detail::refuse_enum_number(fault);
    e.number = number;
    return true;
}

constexpr detail::value_ops name_ops{edm_type::string, &write_name, &read_name};
template <class Number>
constexpr detail::value_ops number_ops{detail::edm_type_of<Number>(), &write_number<Number>, &read_number<Number>};

constexpr detail::part_ops enum_part_ops{
    [](void const* member) {
        detail::part_value v;
        v.number = static_cast<std::uint64_t>(static_cast<enum_value const*>(member)->number);
        return v;
    },
    [](void* member, detail::parsed_part& from) {
        static_cast<enum_value*>(member)->number = static_cast<std::int64_t>(from.number);
        return true;
    }};

bool fits_int32(enum_entry const& e) {
    using range = std::numeric_limits<std::int32_t>;
    return e.value >= range::min() && e.value <= range::max();
}

/// As the generated enum: of 32 bits, or by number of 64 if a number needs them.
schema_value enum_of(codegen::enumeration const& declared) {
    auto object = std::make_shared<enum_value>(enum_value{entries_of(declared)});
    bool const small = declared.by_name || std::ranges::all_of(object->entries, fits_int32);
    schema_value v{.ops = declared.by_name ? &name_ops
                          : small          ? &number_ops<std::int32_t>
                                           : &number_ops<std::int64_t>,
                   .key_ops = &enum_part_ops,
                   .object = object};
    small ? detail::describe_integer<std::int32_t>(v.plain) : detail::describe_integer<std::int64_t>(v.plain);
    if (declared.by_name) v.plain.kind = detail::part_kind::name;
    v.plain.entries = object->entries.data();
    v.plain.entry_count = object->entries.size();
    return v;
}

}  // namespace

std::vector<enum_entry> entries_of(codegen::enumeration const& e) {
    auto const numbers = codegen::enum_numbers(e);
    std::vector<enum_entry> all;
    for (std::size_t i = 0; i < e.values.size(); ++i)
        all.push_back({e.by_name ? static_cast<std::int64_t>(i) : numbers[i], e.values[i].text()});
    return all;
}

schema_value make_value(codegen::schema const& s, std::string const& type) {
    auto const info = codegen::find_type(s, type);
    if (info.declared) return enum_of(*info.declared);
    if (info.kind == codegen::type_kind::extras) return {.object = std::make_shared<extras>()};
    auto const* const found = std::ranges::find(makers, std::string_view{info.cpp}, &named_maker::first);
    return found == makers.end() ? schema_value{} : found->second();
}

}  // namespace tablemap::inspect
