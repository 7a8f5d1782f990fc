// SPDX-License-Identifier: Apache-2.0
#include "inspect/sealed_form.hpp"

#include "crypto/sealed_value.hpp"
#include "inspect/stored_types.hpp"
#include "mapping/plain_value.hpp"

#include <span>

namespace tablemap::inline v0_1::inspect {
std::optional<edm_type> sealed_type(bytes const& value) {
    auto const id = detail::key_id_of(std::span{value});
    if (id.empty() || value.size() < detail::sealed_size(0, id.size())) return std::nullopt;
    auto const at = detail::sealed_prefix.size() + 1 + id.size();
    return detail::type_of_number(static_cast<std::uint8_t>(value[at]));
}

std::string find_fault_of_sealed(property_value const& v, std::optional<edm_type> type) {
    auto const* const b = std::get_if<bytes>(&v);
    if (!b) return "it holds " + std::string{edm_name(type_of(v))} + " that is not encrypted";
    auto const id = detail::key_id_of(std::span{*b});
    if (id.empty() || b->size() < detail::sealed_size(0, id.size()))
        return "it holds binary that is no encrypted value";
    auto const stored = sealed_type(*b);
    if (!stored) return "its encrypted value names no type of the service";
    if (!type || is_read_as(*stored, *type)) return {};
    return "it holds an encrypted " + std::string{edm_name(*stored)} + " where " + std::string{edm_name(*type)} +
           " is expected";
}

}  // namespace tablemap::inspect
