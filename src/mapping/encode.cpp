// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/encode.hpp"

#include "tablemap/base/utf.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/wire/reader.hpp"

namespace tablemap::detail {
namespace {

/// An encoded entity this small cannot reach the service's limit, which counts two bytes per character and a little more
/// than its JSON for the smallest values.
constexpr std::size_t surely_small_enough = limits::entity_bytes / 2 - 4 * limits::properties;

std::string reason_of(library_errc code) {
    if (code == library_errc::invalid_text) return "convert the text to UTF-8 before it is stored";
    if (code == library_errc::value_out_of_range)
        return "a time lies between ticks::min() (1601) and ticks::max() (9999); use std::optional<ticks> for one that "
               "may "
               "be missing";
    if (code == library_errc::value_too_large)
        return "a string holds at most 32,768 UTF-16 code units and a binary 65,536 bytes; split the value";
    if (code == library_errc::merge_cannot_remove)
        return "the member is empty; replace the entity instead, or merge only<...> the members that hold a value";
    return {};
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

error property_error(library_errc code, std::string_view member) {
    return error{code, {.reason = reason_of(code), .member = std::string{member}}};
}

result<void> finish_entity(encoded_entity& e) {
    if (e.token) {
        append_name(e.body, token_property, edm_type::guid);
        append_value(e.body, *e.token);
    }
    e.body += '}';
    if (e.body.size() <= surely_small_enough) return {};
    auto const row = read_dynamic(e.body);
    if (!row) return failure{row.error()};
    auto const size = entity_size(*row);
    if (size <= limits::entity_bytes) return {};
    return fail(library_errc::entity_too_large,
                {.reason = "it takes " + std::to_string(size) + " bytes; store the largest values apart"});
}

}  // namespace tablemap::detail
