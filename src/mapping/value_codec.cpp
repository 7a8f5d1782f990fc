// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/value_codec.hpp"

#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/mapping/columns.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/edm/limits.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

bool refuse(value_fault& fault, library_errc code, char const* reason) {
    fault = {code, reason};
    return false;
}

}  // namespace

library_errc append_checked(std::string& out, std::string const& v) {
    bool const ascii = append_json_string(out, v);
    if (ascii) return v.size() <= limits::string_units ? nothing_wrong : library_errc::value_too_large;
    auto const units = utf16_length(v);
    if (!units) return library_errc::invalid_text;
    return *units <= limits::string_units ? nothing_wrong : library_errc::value_too_large;
}

library_errc append_checked(std::string& out, ticks v) {
    if (!v.storable()) return library_errc::value_out_of_range;
    append_value(out, v);
    return nothing_wrong;
}

library_errc append_checked(std::string& out, bytes const& v) {
    if (v.size() > limits::binary_bytes) return library_errc::value_too_large;
    append_value(out, v);
    return nothing_wrong;
}

library_errc append_as(value_form form, std::string& out, property_value const& v) {
    auto const append = [&](auto const& value) {
        return form == value_form::json ? append_checked(out, value) : append_plain(out, value);
    };
    return std::visit(append, v);
}

error value_error(value_fault const& fault) { return property_error(fault, {}); }

result<property_value> check_property_value(property_value v) {
    std::string written;
    auto const code = append_as(value_form::json, written, v);
    if (code != nothing_wrong) return failure{value_error({code, {}})};
    return v;
}

result<property_value> refused_value(value_fault const& fault) { return failure{value_error(fault)}; }

result<property_value> check_text_value(std::string_view text) { return check_property_value(std::string{text}); }

bool write_enum_name(std::string& out, std::string_view name, value_form form, value_fault& fault) {
    if (name.empty()) return refuse_enum_number(fault);
    if (form == value_form::json)
        append_json_string(out, name);
    else
        out += name;
    return true;
}

bool read_enum_name(json_token const& from, enum_entry const* entries, std::size_t count, std::int64_t& number,
                    value_fault& fault) {
    if (from.kind != json_token_kind::text) {
        fault.code = library_errc::type_mismatch;
        return false;
    }
    auto const at = find_enum_name(entries, count, from.text);
    if (at == count)
        return refuse(fault, library_errc::value_out_of_range,
                      "the text is no name of the enumeration; add the enumerator to it, or rewrite the rows");
    number = entries[at].value;
    return true;
}

bool refuse_number(value_fault& fault) {
    return refuse(fault, library_errc::value_out_of_range,
                  "the number is outside what the C++ type or its Edm type can hold; use a type that holds it");
}

bool refuse_unsigned(value_fault& fault) {
    return refuse(
        fault, library_errc::value_out_of_range,
        "Edm.Int64 ends at 9223372036854775807 and no type of the service holds more; store the number as text, in a "
        "member of type std::string or tablemap::decimal");
}

bool refuse_time(value_fault& fault) {
    return refuse(fault, library_errc::value_out_of_range,
                  "the time is finer than the member's unit, or outside what that or the years 1601 to 9999 hold; use "
                  "tablemap::ticks, or "
                  "std::optional for one that may be missing");
}

bool refuse_enum_number(value_fault& fault) {
    return refuse(fault, library_errc::value_out_of_range,
                  "the value is none that the enumeration lists; add the enumerator to it");
}

bool refuse_with(value_fault& fault, error const& e) {
    bool const ours = e.code().category() == library_category();
    fault.code = ours ? static_cast<library_errc>(e.code().value()) : library_errc::value_out_of_range;
    fault.reason = e.details().reason.empty() ? e.code().message() : e.details().reason;
    return false;
}

void append_type_tag(std::string& out, std::string_view type, int version) {
    append_json_string(out, type);
    if (version == 1) return;
    out.pop_back();
    out += "_v" + std::to_string(version) + '"';
}

// ---- the functions of the property types ---------------------------------------------------------------------------

template struct value_functions<std::string>;
template struct value_functions<bool>;
template struct value_functions<std::int32_t>;
template struct value_functions<std::int64_t>;
template struct value_functions<double>;
template struct value_functions<ticks>;
template struct value_functions<guid>;
template struct value_functions<bytes>;

}  // namespace tablemap::detail
